"""`miter data`: what is in a file of rows, as Miter reads it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import (
    data_argument,
    json_option,
    kind_option,
    parse_kinds,
    quiet_option,
    reading_options,
    target_option,
)
from miter.cli.output import print_json
from miter.cli.waiting import waiting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from miter.data import Column, Data

__all__ = ["data"]

#: Wide enough for a table where nobody says how wide it may be.
WIDTH = 120
SHOWN_VALUES = 6


@click.command()
@data_argument
@target_option
@kind_option
@reading_options
@json_option
@quiet_option
def data(
    data: Path,
    target: str | None,
    kinds: tuple[str, ...],
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Tell what is in DATA.

    Its columns, what they hold, how much of it is missing, its classes.
    """
    known_kinds = parse_kinds(kinds)
    from miter.data import read

    with waiting(f"reading {data}", quiet=quiet):
        rows = read(data, target=target, kinds=known_kinds, **reading)
    summary = _summarise(rows)
    if as_json:
        print_json(summary)
    else:
        _print(summary, data)


def _summarise(rows: Data) -> dict[str, Any]:
    from miter.data.labels import label_text

    schema = rows.schema
    counts = map(int, rows.class_counts())
    return {
        "rows": rows.n_rows,
        "columns": [
            _summarise_column(column, rows.X[:, position])
            for position, column in enumerate(schema.columns)
        ],
        "target": schema.target,
        "classes": dict(zip(map(label_text, schema.classes), counts, strict=True)),
        "ignored": list(schema.ignored),
    }


def _summarise_column(column: Column, cells: NDArray[np.float64]) -> dict[str, Any]:
    import numpy as np

    present = cells[~np.isnan(cells)]
    summary: dict[str, Any] = {
        "name": column.name,
        "kind": column.kind,
        "missing": len(cells) - len(present),
    }
    if column.kind != "numeric":
        return summary | {"values": list(column.values)}
    if not len(present):
        return summary | {"min": None, "mean": None, "max": None}
    measures = {"min": present.min(), "mean": present.mean(), "max": present.max()}
    return summary | {name: float(value) for name, value in measures.items()}


def _print(summary: dict[str, Any], path: Path) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, width=None if is_terminal else WIDTH, highlight=False)
    click.echo(f"{path}: {summary['rows']:,} rows, {len(summary['columns'])} columns")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("column", overflow="fold")
    table.add_column("kind")
    table.add_column("values", overflow="fold")
    table.add_column("missing", justify="right")
    for column in summary["columns"]:
        cells = (column["name"], column["kind"], _say_values(column), _say_missing(column, summary))
        table.add_row(*map(Text, cells))
    console.print(table)
    if summary["ignored"]:
        click.echo(f"Ignored: {', '.join(summary['ignored'])}\n")
    _print_classes(summary)


def _print_classes(summary: dict[str, Any]) -> None:
    classes = summary["classes"]
    click.echo(f"Class {summary['target']!r}, {len(classes)} values:")
    width = max(map(len, classes), default=0)
    digits = max((len(f"{count:,}") for count in classes.values()), default=0)
    for label, count in classes.items():
        share = count / summary["rows"]
        click.echo(f"  {label:<{width}}  {count:>{digits},}  {share:6.1%}")


def _say_values(column: dict[str, Any]) -> str:
    if column["kind"] != "numeric":
        values = column["values"]
        joint = " < " if column["kind"] == "ordered" else ", "
        shown = joint.join(values[:SHOWN_VALUES])
        return f"{len(values)}: {shown}{', ...' if len(values) > SHOWN_VALUES else ''}"
    if column["mean"] is None:
        return "none"
    return f"{column['min']:.6g} to {column['max']:.6g}, mean {column['mean']:.6g}"


def _say_missing(column: dict[str, Any], summary: dict[str, Any]) -> str:
    missing = column["missing"]
    return f"{missing:,} ({missing / summary['rows']:.1%})" if missing else ""
