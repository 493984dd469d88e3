"""`miter bootstrap`: the error to expect, estimated from the training rows alone."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.learner_options import learner_options, make_estimator
from miter.cli.options import data_argument, json_option, quiet_option, seed_option
from miter.cli.output import print_json
from miter.cli.rows import Rows
from miter.progress import ProgressLine

__all__ = ["bootstrap"]


@click.command()
@data_argument
@learner_options
@click.option("--samples", type=click.IntRange(2), default=20, show_default=True)
@click.option("--plus", is_flag=True, help="The .632+ estimate, for learners that overfit.")
@seed_option
@json_option
@quiet_option
def bootstrap(
    data: Path,
    rows: Rows,
    learner: str,
    parameters: tuple[str, ...],
    samples: int,
    plus: bool,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Estimate the error of a learner on rows like those of DATA.

    By the .632 bootstrap: the learner is trained on samples of the rows, drawn with replacement,
    and tested on the rows left out; the error on its own training rows counts a little too.

    Example: miter bootstrap monks-1.data --learner id3 --samples 20
    """
    estimator = make_estimator(learner, parameters, {"random_state": seed})
    from miter.lab import bootstrap_error

    training = rows.read_training(data)
    with ProgressLine(f"bootstrapping {samples} times", quiet=quiet):
        estimate = bootstrap_error(estimator, training, samples, seed, plus)
    if as_json:
        head = {"learner": learner, "samples": samples, "plus": plus, "seed": seed}
        print_json(head | estimate.to_dict())
    else:
        click.echo(f"Bootstrapping {samples} times:")
        click.echo(str(estimate))
