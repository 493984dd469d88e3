"""`miter curve`: how error changes with rows, with size, and with the price of errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.learner_options import learner_options, make_estimator
from miter.cli.options import (
    data_argument,
    json_option,
    picture_option,
    quiet_option,
    seed_option,
)
from miter.cli.output import draw_into, print_json
from miter.cli.rows import Rows
from miter.cli.verbs import Verbs
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from miter.data import Data

__all__ = ["curve"]

share_option = click.option(
    "--test-share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.3,
    show_default=True,
    help="Part of the rows that is held out.",
)


@click.group(cls=Verbs)
def curve() -> None:
    """Draw a curve of errors."""


def _numbers(context: click.Context, parameter: click.Parameter, text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} is not whole numbers with commas between.") from None


@curve.command()
@data_argument
@learner_options
@click.option(
    "--sizes", callback=_numbers, required=True, help="Training rows, such as 1,20,40,60."
)
@click.option("--repeats", type=click.IntRange(1), default=20, show_default=True)
@seed_option
@picture_option
@json_option
@quiet_option
def learning(
    data: Path,
    rows: Rows,
    sizes: list[int],
    repeats: int,
    seed: int,
    picture: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Train on samples of DATA of growing size and test on the other rows.

    Example: miter curve learning monks-1.data --learner id3 --sizes 1,20,40,60,80,100,120
    """
    from miter.lab import learning_curve

    estimator = make_estimator(given={"random_state": seed}, **options)
    training = rows.read_training(data)
    with ProgressLine("training", quiet=quiet):
        result = learning_curve(estimator, training, sizes, n_repeats=repeats, seed=seed)
    _answer(result, picture, as_json)


@curve.command()
@data_argument
@learner_options
@click.option(
    "--vary",
    metavar="NAME=VALUE,...",
    required=True,
    help="The parameter that decides on the size, with its values: max_depth=1,2,4,8.",
)
@click.option("--samples", type=click.IntRange(2), default=30, show_default=True)
@share_option
@seed_option
@picture_option
@json_option
@quiet_option
def size(
    data: Path,
    rows: Rows,
    vary: str,
    samples: int,
    test_share: float,
    seed: int,
    picture: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Take the error of trees of growing size apart into bias and variance.

    Example: miter curve size vote.data --vary max_depth=1,2,4,8
    """
    from miter.cli.options import parse_parameters
    from miter.lab import size_curve

    name, _, texts = vary.partition("=")
    values = [parse_parameters([f"{name}={text}"])[name] for text in texts.split(",")]
    estimator = make_estimator(given={"random_state": seed}, **options)
    if name not in estimator.get_params():
        raise click.UsageError(f"--vary: the learner has no parameter {name!r}.")
    training = rows.read_training(data)
    with ProgressLine("training", quiet=quiet):
        result = size_curve(
            estimator, training, name, values, test_share=test_share, n_samples=samples, seed=seed
        )
    _answer(result, picture, as_json)


def _price_curve(name: str, make: str, summary: str) -> None:
    """Add a verb that draws a curve of what is said of held-out rows."""

    @curve.command(name, help=summary)
    @data_argument
    @learner_options
    @click.option(
        "--class", "positive", metavar="CLASS", required=True, help="The class that matters."
    )
    @share_option
    @seed_option
    @picture_option
    @json_option
    @quiet_option
    def verb(
        data: Path,
        rows: Rows,
        positive: str,
        test_share: float,
        seed: int,
        picture: Path | None,
        as_json: bool,
        quiet: bool,
        **options: Any,
    ) -> None:
        from miter import lab

        estimator = make_estimator(given={"random_state": seed}, **options)
        training = rows.read_training(data)
        truth, probability = _held_out(estimator, training, positive, test_share, seed, quiet)
        _answer(getattr(lab, make)(truth, probability), picture, as_json)


_price_curve(
    "roc", "roc", "Count true against false positives of a class, on rows of DATA held out."
)
_price_curve(
    "cost",
    "cost_curve",
    "Tell what errors cost at every price of missing a class, on rows of DATA held out.",
)


def _held_out(
    estimator: Any, rows: Data, positive: str, test_share: float, seed: int, quiet: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return which held-out rows are of the class, and how probable the learner finds that."""
    from miter.errors import DataError, did_you_mean
    from miter.lab import Holdout
    from miter.lab.estimates.adapter import fit_on, predict_proba_of

    classes = [str(label) for label in rows.schema.classes]
    if positive not in classes:
        raise DataError(f"there is no class {positive!r}; {did_you_mean(positive, classes)}")
    [(train, test)] = Holdout(test_share).splits(rows.labels, seed)
    with ProgressLine("training", quiet=quiet):
        fitted = fit_on(estimator, rows.take(train))
    held_out, code = rows.take(test), classes.index(positive)
    return held_out.labels == code, predict_proba_of(fitted, held_out)[:, code]


def _answer(result: Any, picture: Path | None, as_json: bool) -> None:
    if picture is not None:
        from miter.show import plot_curve

        draw_into(picture, plot_curve, result)
    if as_json:
        print_json(result.to_dicts())
    else:
        click.echo(str(result))
