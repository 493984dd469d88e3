"""The options by which verbs name a learner, its parameters and the columns it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import Decorator, parse_parameters
from miter.cli.rows import training_rows
from miter.registry import LEARNERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = [
    "complete_learner",
    "learner_option",
    "learner_options",
    "make_estimator",
    "parameter_option",
]


def complete_learner(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem | str]:
    """Return the learners whose names begin with what is typed."""
    return [name for name in LEARNERS if name.startswith(incomplete)]


def learner_option(default: str, *, more: str = "") -> Decorator:
    """Return ``--learner``; `more` tells what else it takes."""
    return click.option(
        "--learner",
        default=default,
        show_default=True,
        shell_complete=complete_learner,
        help=f"{', '.join(LEARNERS)}{more}; `miter learners` tells what they are.",
    )


parameter_option: Decorator = click.option(
    "-p",
    "--parameter",
    "parameters",
    metavar="NAME=VALUE",
    multiple=True,
    help="A parameter of the learner, such as max_depth=3; `miter learners NAME` lists them. The "
    "value is JSON, or else text. May be repeated.",
)


def learner_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb ``--learner`` and ``-p``, and what is to be said of its training rows."""
    by_name = learner_option("univariate", more=", or a classifier of scikit-learn")
    return by_name(parameter_option(training_rows(verb)))


def make_estimator(
    learner: str,
    parameters: tuple[str, ...],
    given: dict[str, Any],
    *,
    own: bool = False,
    **_: Any,
) -> Any:
    """Make the learner that the options name.

    Parameters
    ----------
    learner, parameters
        As they were typed.
    given : dict
        What other options say of parameters; a learner that has no such parameter does without.
    own : bool
        Only learners of Miter's own.
    """
    settings = parse_parameters(parameters)
    for name in ("kinds", "categorical_features"):
        if name in settings:
            raise click.UsageError(f"-p {name}: say what columns are with --kind COLUMN=KIND.")
    from miter.registry import make_classifier, make_learner

    try:
        estimator = (make_learner if own else make_classifier)(learner, settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    known = estimator.get_params()
    others = {name: value for name, value in given.items() if name in known.keys() - settings}
    return estimator.set_params(**others)
