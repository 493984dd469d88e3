"""`miter attribute`: what each column adds to the probabilities of rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from miter.cli.options import (
    PATH,
    data_argument,
    json_option,
    model_argument,
    quiet_option,
    seed_option,
)
from miter.cli.output import print_json
from miter.cli.rows import Rows, new_rows
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.data import Data, Schema

__all__ = ["attribute"]


@click.command()
@model_argument
@data_argument
@click.option(
    "--background",
    metavar="FILE",
    type=PATH,
    required=True,
    help="Rows to compare with, such as a hundred of the training rows.",
)
@click.option("--row", "number", type=click.IntRange(1), help="Only this row, counted from 1.")
@click.option(
    "--max-states",
    type=click.IntRange(1),
    help="Decisions for two rows, beyond which values are estimated; 4096, or more for few rows.",
)
@click.option(
    "--permutations",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Orders of the columns to draw for a row that is estimated.",
)
@seed_option
@new_rows
@json_option
@quiet_option
def attribute(
    model: Path,
    data: Path,
    background: Path,
    number: int | None,
    max_states: int | None,
    permutations: int,
    seed: int,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what each column adds to the class probabilities of the rows of DATA.

    Shapley values, that is: with the mean probabilities of the background they sum to those of a
    row. Of several rows the mean size is printed; --json prints all values.

    Example: miter attribute iris.miter new.csv --background iris.csv --row 17
    """
    from miter.explaining import attribute as attribute_rows
    from miter.model_file import load

    estimator = load(model)
    if not hasattr(estimator, "predict_codes"):
        raise click.UsageError(f"{model} is for photographs.")
    schema = estimator.schema_
    explained = _read(rows, data, schema, number)
    others = _read(rows, background, schema)
    with ProgressLine("attributing", quiet=quiet):
        found = attribute_rows(
            estimator,
            explained,
            others,
            max_states=max_states,
            n_permutations=permutations,
            seed=seed,
        )
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(str(found))


def _read(rows: Rows, path: Path, schema: Schema, number: int | None = None) -> Data:
    """Return the rows of a file, which need no class, or one of them."""
    import numpy as np

    from miter.data import Data

    X = np.concatenate([block.data.X for block in rows.read_blocks(path, schema, [])])
    if number is not None and number > len(X):
        raise click.UsageError(f"--row {number}: {path} has {len(X):,} rows.")
    return Data(schema, X if number is None else X[number - 1 : number], None)
