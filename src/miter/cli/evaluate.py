"""`miter evaluate`: how often the tree is right."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.cluster import on_cluster
from miter.cli.options import (
    PATH,
    check_costs,
    cost_options,
    dask_option,
    data_argument,
    json_option,
    model_argument,
    quiet_option,
    read_costs,
    target_option,
)
from miter.cli.output import print_json, terminal_width
from miter.cli.rows import Rows, new_rows

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
@target_option
@new_rows
@cost_options
@dask_option
@json_option
@quiet_option
def evaluate(
    model: Path,
    data: Path,
    train: Path | None,
    rows: Rows,
    costs: Path | None,
    focus: str | None,
    others: float | None,
    dask: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Test MODEL on the rows of DATA and report its errors.

    Where costs are given, or the model was trained with some, also what the errors cost.

    Example: miter evaluate iris.miter test.csv --train iris.csv
    """
    check_costs(costs, focus, others)
    from miter import lab
    from miter.model_file import load

    estimator = load(model)
    schema = estimator.schema_
    matrix = read_costs(schema.classes, costs, focus, others)
    if dask is None:
        tested = rows.read_new(data, schema)
        seen = None if train is None else rows.read_new(train, schema)
        evaluation = lab.evaluate(estimator, tested, train=seen, costs=matrix)
    else:
        if train is not None:
            raise click.UsageError("--train is for rows in one place; leave --dask out.")
        from miter.distributed.files import split_target

        with on_cluster(dask, data, rows) as frame:
            X, y = split_target(frame, rows.target or schema.target, data)
            evaluation = lab.evaluate(estimator, X, y, costs=matrix)
    if as_json:
        print_json(evaluation.to_dict())
    else:
        click.echo(evaluation.to_text(terminal_width()))
