"""`miter importance`: what each column is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from miter.cli.options import PATH, json_option, model_argument, quiet_option, target_option
from miter.cli.output import print_json
from miter.cli.rows import Rows, new_rows
from miter.progress import ProgressLine

__all__ = ["importance"]


@click.command()
@model_argument
@click.argument("data", metavar="[DATA]", type=PATH, required=False)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="How often each column of DATA is shuffled.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="How.")
@target_option
@new_rows
@json_option
@quiet_option
def importance(
    model: Path,
    data: Path | None,
    repeats: int,
    seed: int,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what each column is worth to MODEL, the best first.

    That is its part of the information gained by all splits. With DATA, rows that were not learned,
    also what accuracy it costs to shuffle the column there.

    Example: miter importance iris.miter test.csv
    """
    from miter.model_file import load

    estimator = load(model)
    if not hasattr(estimator, "feature_importances_"):
        raise click.UsageError(
            f"{model} has no importances of columns, which only trees and forests have."
        )
    schema = estimator.schema_
    columns: list[dict[str, Any]] = [
        {"column": name, "importance": part}
        for name, part in zip(schema.names, estimator.feature_importances_.tolist(), strict=True)
    ]
    if data is not None:
        from miter.lab import permutation_importances

        known = rows.read_new(data, schema)
        with ProgressLine("shuffling columns", quiet=quiet):
            worth = permutation_importances(estimator, known, repeats, seed)
        for column, mean, deviation in zip(
            columns, worth.mean.tolist(), worth.deviation.tolist(), strict=True
        ):
            column |= {"permutation": mean, "deviation": deviation}
    key = "importance" if data is None else "permutation"
    columns.sort(key=lambda column: -column[key])
    if as_json:
        print_json({"columns": columns})
    else:
        click.echo(_table(columns))


def _table(columns: list[dict[str, Any]]) -> str:
    width = max(len("column"), *(len(column["column"]) for column in columns))
    has_permutation = "permutation" in columns[0]
    lines = [f"{'column':{width}}  importance" + "  accuracy lost" * has_permutation]
    for column in columns:
        line = f"{column['column']:{width}}  {column['importance']:10.3f}"
        if has_permutation:
            line += f"  {column['permutation']:7.3f} ± {column['deviation']:.3f}"
        lines.append(line)
    return "\n".join(lines)
