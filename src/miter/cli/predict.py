"""`miter predict`: the class of every row, and how sure the model is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.answers import writer_for
from miter.cli.cluster import on_cluster
from miter.cli.options import (
    PATH,
    check_costs,
    check_not_overwriting,
    check_place,
    cost_options,
    dask_option,
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
@dask_option
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
    dask: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict the class of every row of DATA.

    Prints CSV: the class, then the probability of each class. DATA may be without its class column,
    have others besides, and be larger than memory.
    With --dask, OUTPUT is a folder that gets one file for each partition of DATA.
    With costs, the class is what costs least, whatever the model was trained for.

    Example: miter predict iris.miter new.csv --id number -o answers.csv
    """
    check_costs(costs, focus, others)
    check_not_overwriting(output, model, data, costs)
    if dask is None:
        check_place(output)
    from miter.model_file import load

    estimator = load(model)
    if not hasattr(estimator, "predict_codes"):
        raise click.UsageError(f"{model} is for photographs; use `miter pixels apply`.")
    schema = estimator.schema_
    matrix = read_costs(schema.classes, costs, focus, others)
    kept = [*([] if id_ is None else [id_]), *keep]
    if dask is not None:
        _predict_on_cluster(
            _Asked(estimator, kept, matrix, as_json, output), rows, data, dask, quiet
        )
        return
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


@dataclass(frozen=True)
class _Asked:
    """What is wanted of each partition."""

    estimator: Any
    kept: list[str]
    costs: Any
    as_json: bool
    output: Path | None


def _predict_on_cluster(asked: _Asked, rows: Rows, data: Path, dask: str, quiet: bool) -> None:
    if asked.output is None:
        raise click.UsageError("--dask writes a file a partition; name the folder, -o FOLDER.")
    if asked.output.exists():
        raise click.UsageError(f"{asked.output} is there already; name a new folder.")
    with (
        ProgressLine(f"predicting {data}", quiet=quiet),
        on_cluster(dask, data, rows) as frame,
    ):
        from miter.registry import collection_room

        asked.output.mkdir()
        asked = replace(asked, output=asked.output.resolve())
        n_rows = collection_room(frame).total_of(_write_part, frame, {}, asked, sum)
    n_files = frame.npartitions
    note(
        f"Wrote {count(n_rows, 'prediction')} to {count(n_files, 'file')} in {asked.output}",
        quiet=quiet,
    )


def _write_part(asked: _Asked, number: int, frame: Any) -> int:
    """Write the answers to the rows of a partition; return how many there are."""
    import pyarrow as pa

    from miter.data.files.blocks import Block, choose_columns
    from miter.data.table import Data
    from miter.estimators.reading import read_rows

    estimator, folder = asked.estimator, asked.output
    assert folder is not None
    kept = choose_columns(asked.kept, [str(name) for name in frame.columns], folder)
    suffix = ".json" if asked.as_json else folder.suffix or ".csv"
    path = folder / f"part-{number:05}{suffix}"
    with writer_for(path, estimator.schema_.classes, as_json=asked.as_json) as writer:
        if len(frame):
            data = Data(estimator.schema_, read_rows(estimator, frame, estimator.schema_))
            table = pa.Table.from_pandas(frame[kept], preserve_index=False)
            block = Block(data, dict(zip(kept, table.columns, strict=True)))
            writer.write(*_answer(estimator, block, asked.costs))
    return len(frame)


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
