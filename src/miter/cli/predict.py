"""`miter predict`: the class of every row, and how sure the model is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.answers import writer_for
from miter.cli.options import (
    PATH,
    check_costs,
    check_not_overwriting,
    check_place,
    cost_options,
    data_argument,
    json_option,
    model_argument,
    quiet_option,
    read_costs,
)
from miter.cli.output import note
from miter.cli.rows import Rows, new_rows
from miter.cli.wording import count
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.data.files.blocks import Block

__all__ = ["predict"]


@click.command()
@model_argument
@data_argument
@click.option(
    "-o",
    "--output",
    type=PATH,
    help="Write to a file instead of stdout: .csv, .tsv, .parquet or .xlsx.",
)
@click.option("--id", "id_", metavar="COLUMN", help="A column of DATA to write first.")
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="A column of DATA to write too; '*' stands for all. May be repeated.",
)
@new_rows
@cost_options
@json_option
@quiet_option
def predict(
    model: Path,
    data: Path,
    output: Path | None,
    id_: str | None,
    keep: tuple[str, ...],
    rows: Rows,
    costs: Path | None,
    focus: str | None,
    others: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict the class of every row of DATA.

    Prints CSV: the class, then the probability of each class. DATA may be without its class column,
    have others besides, and be larger than memory.
    With costs, the class is what costs least, whatever the model was trained for.

    Example: miter predict iris.miter new.csv --id number -o answers.csv
    """
    check_costs(costs, focus, others)
    check_not_overwriting(output, model, data, costs)
    check_place(output)
    from miter.model_file import load

    estimator = load(model)
    if not hasattr(estimator, "predict_codes"):
        raise click.UsageError(f"{model} is for photographs; use `miter pixels apply`.")
    schema = estimator.schema_
    matrix = read_costs(schema.classes, costs, focus, others)
    kept = [*([] if id_ is None else [id_]), *keep]
    n_rows = 0
    with ProgressLine(f"reading {data}", quiet=quiet) as progress:
        blocks = rows.read_blocks(data, schema, kept)
        with writer_for(output, schema.classes, as_json=as_json) as writer:
            for block in blocks:
                writer.write(*_answer(estimator, block, matrix))
                n_rows += block.data.n_rows
                progress.show(f"predicting {data}: {n_rows:,} rows")
    if output is not None:
        note(f"Wrote {count(n_rows, 'prediction')} to {output}", quiet=quiet)


def _answer(estimator: Any, block: Block, costs: Any) -> Iterator[Any]:
    """Return the columns that are kept, the codes of the answers, and their probabilities."""
    import numpy as np

    yield block.kept
    if hasattr(estimator, "predict_shares"):
        matrix = None if costs is None else np.array(costs)
        yield estimator.predict_codes(block.data.X, matrix)
        yield estimator.predict_shares(block.data.X)
    else:
        yield estimator.predict_codes(block.data.X)
        yield None
