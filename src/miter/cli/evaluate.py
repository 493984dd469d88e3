"""`miter evaluate`: how often the tree is right."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.options import (
    PATH,
    check_costs,
    cost_options,
    data_argument,
    json_option,
    model_argument,
    quiet_option,
    read_costs,
)
from miter.cli.output import print_json
from miter.progress import ProgressLine

__all__ = ["evaluate"]


@click.command()
@model_argument
@data_argument
@click.option(
    "--train",
    metavar="DATA",
    type=PATH,
    help="The training rows, to tell errors on rows seen before from those on new ones.",
)
@cost_options
@json_option
@quiet_option
def evaluate(
    model: Path,
    data: Path,
    train: Path | None,
    costs: Path | None,
    focus: str | None,
    others: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Test MODEL on the rows of DATA and report its errors.

    Where costs are given, or the model was trained with some, also what the errors cost.
    """
    check_costs(costs, focus, others)
    from miter import lab
    from miter.data import read
    from miter.model_file import load

    estimator = load(model)
    schema = estimator.schema_
    matrix = read_costs(schema.classes, costs, focus, others)
    with ProgressLine(f"reading {data}", quiet=quiet):
        rows = read(data, schema=schema)
    seen = None
    if train is not None:
        with ProgressLine(f"reading {train}", quiet=quiet):
            seen = read(train, schema=schema)
    evaluation = lab.evaluate(estimator, rows, seen, costs=matrix)
    if as_json:
        print_json(evaluation.to_dict())
    else:
        click.echo(evaluation.to_text())
