"""`miter costs`: what becomes of errors when their costs change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from miter.cli.learner_options import learner_options, make_estimator
from miter.cli.options import (
    PATH,
    check_not_overwriting,
    data_argument,
    json_option,
    others_option,
    picture_option,
    quiet_option,
    seed_option,
)
from miter.cli.output import draw_into, print_json
from miter.cli.rows import Rows
from miter.cli.verbs import Verbs
from miter.progress import ProgressLine

__all__ = ["costs"]


@click.group(cls=Verbs)
def costs() -> None:
    """Vary what errors cost."""


def _numbers(context: click.Context, parameter: click.Parameter, text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} is not numbers with commas between.") from None


@costs.command()
@data_argument
@learner_options
@click.option("--class", "of", metavar="CLASS", required=True, help="The class not to be missed.")
@click.option(
    "--ratios",
    callback=_numbers,
    default="1,2,5,10,20,200",
    show_default=True,
    help="What it costs to miss a row of the class, where a false alarm costs 1.",
)
@others_option
@click.option("--test", metavar="DATA", type=PATH, help="Test rows.")
@click.option(
    "-r",
    "--resampling",
    help="Without --test: how rows are held out, such as 5-fold or 'holdout 0.3'; 10-fold by "
    "default.",
)
@seed_option
@picture_option
@json_option
@quiet_option
def sweep(
    data: Path,
    rows: Rows,
    of: str,
    ratios: list[float],
    others: float | None,
    test: Path | None,
    resampling: str | None,
    seed: int,
    picture: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Make missing a class dearer and dearer, and count the errors.

    For every ratio a tree is trained with the costs. Beside it stands a tree that was trained
    without costs, and whose leaves are only re-labelled for them.

    Example: miter costs sweep german.data --class 2 --ratios 1,5,20 --learner linear_machine
    """
    if test is not None and resampling is not None:
        raise click.UsageError("--test and --resampling both say what is tested; give one of them.")
    check_not_overwriting(picture, data, test)
    estimator = make_estimator(given={"random_state": seed}, **options)

    from miter.lab import sweep_costs

    training = rows.read_training(data)
    held_out = None if test is None else rows.read_new(test, training.schema)
    with ProgressLine("training", quiet=quiet):
        result = sweep_costs(
            estimator,
            training,
            of,
            ratios,
            others=0.1 if others is None else others,
            test=held_out,
            resampling=resampling,
            seed=seed,
        )
    if picture is not None:
        from miter.show import plot_curve

        draw_into(picture, plot_curve, result)
    if as_json:
        print_json(result.to_dicts())
    else:
        click.echo(str(result))
