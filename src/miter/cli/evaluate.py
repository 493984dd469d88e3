"""`miter evaluate`: how often the tree is right."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.options import PATH, data_argument, json_option, model_argument, quiet_option
from miter.cli.output import print_json
from miter.cli.waiting import waiting

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
@json_option
@quiet_option
def evaluate(model: Path, data: Path, train: Path | None, as_json: bool, quiet: bool) -> None:
    """Test MODEL on the rows of DATA and report its errors."""
    from miter import lab
    from miter.data import read
    from miter.model_file import load

    estimator = load(model)
    schema = estimator.tree_.schema
    with waiting(f"reading {data}", quiet=quiet):
        rows = read(data, schema=schema)
    seen = None
    if train is not None:
        with waiting(f"reading {train}", quiet=quiet):
            seen = read(train, schema=schema)
    evaluation = lab.evaluate(estimator, rows, seen)
    if as_json:
        print_json(evaluation.to_dict())
    else:
        click.echo(evaluation.to_text())
