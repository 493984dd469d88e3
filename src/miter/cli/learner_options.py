"""The options by which verbs name a learner, its parameters and the columns it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import kind_option, parse_parameters, target_option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["learner_options", "make_estimator"]


def _complete_learner(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem | str]:
    from miter.registry import LEARNERS

    return [name for name in LEARNERS if name.startswith(incomplete)]


def learner_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb ``--learner``, ``-p``, ``--target`` and ``--kind``."""
    options = (
        target_option,
        click.option(
            "--learner",
            default="univariate",
            show_default=True,
            shell_complete=_complete_learner,
            help="univariate, which is much like C4.5, linear_machine, linear_combination, "
            "perceptron, network, hybrid, those of the papers (id3, cart_lc, id_lp, id_mlp, "
            "id_hybrid, lmdt91, lmdt93), bagging, forest, or a classifier of scikit-learn by its "
            "name.",
        ),
        click.option(
            "-p",
            "--parameter",
            "parameters",
            metavar="NAME=VALUE",
            multiple=True,
            help="A parameter of the learner, such as max_depth=3. The value is JSON, or else "
            "text. May be repeated.",
        ),
        kind_option,
    )
    for option in reversed(options):
        verb = option(verb)
    return verb


def make_estimator(learner: str, parameters: tuple[str, ...], seed: int, **_: Any) -> Any:
    """Make the learner that the options name; what it leaves to chance follows the seed."""
    settings = parse_parameters(parameters)
    from miter.registry import make_classifier

    try:
        estimator = make_classifier(learner, settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if "random_state" in estimator.get_params() and "random_state" not in settings:
        estimator.set_params(random_state=seed)
    return estimator
