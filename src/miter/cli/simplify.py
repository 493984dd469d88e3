"""`miter simplify`: a smaller tree that answers as before."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.options import (
    PATH,
    check_not_overwriting,
    check_place,
    data_argument,
    json_option,
    model_argument,
    quiet_option,
)
from miter.cli.output import print_json
from miter.cli.rows import Rows, new_rows

__all__ = ["simplify"]


@click.command()
@model_argument
@data_argument
@click.option(
    "--agreement",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="The part of the rows of DATA that must be answered as before.",
)
@click.option("-o", "--output", type=PATH, required=True, help="The model file; .gz packs it.")
@new_rows
@json_option
@quiet_option
def simplify(
    model: Path,
    data: Path,
    agreement: float,
    output: Path,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make the tree of MODEL smaller, by the rows of DATA, and save it.

    Splits and terms that no row needs go, numbers are rounded, a test of one column takes the place
    of a sum. It is said what was done.

    Example: miter simplify iris.miter iris.csv --agreement 0.99 -o small.miter
    """
    check_not_overwriting(output, model, data)
    check_place(output)
    from dataclasses import asdict

    from miter import rules
    from miter.data import Data
    from miter.model_file import load, save

    estimator = load(model)
    if not hasattr(estimator, "tree_"):
        raise click.UsageError(f"{model} is not one tree; simplify a single tree.")
    schema = estimator.schema_
    import numpy as np

    blocks = [block.data.X for block in rows.read_blocks(data, schema, [])]
    known = Data(schema, np.concatenate(blocks))
    small = rules.simplify(estimator, known, agreement)
    save(small, output)
    report = small.simplification_
    if as_json:
        print_json(asdict(report) | {"saved": str(output)})
    elif not quiet:
        click.echo(f"{report}\nSaved     {output}")
