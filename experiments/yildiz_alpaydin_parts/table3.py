"""Table 3: decision nodes and leaves with rows, beside the printed figures."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from yildiz_alpaydin_parts import figures
from yildiz_alpaydin_parts.learners import WAYS, run_all
from yildiz_alpaydin_parts.published import NODES

#: Sizes may differ by this factor.
FACTOR = 1.5


def measure(arguments: Namespace) -> dict[str, Any]:
    """Run what is not known yet and return all figures of the table."""
    runs, notes = run_all(arguments)
    columns = figures.columns_of(NODES, runs, "nodes")
    return {
        "columns": columns,
        "larger": _far(columns, lambda own, paper: own[0] > FACTOR * paper[0]),
        "smaller": _far(columns, lambda own, paper: own[0] * FACTOR < paper[0]),
        "notes": notes,
    }


def _far(columns: dict[str, figures.Column], holds: Any) -> dict[str, dict[str, list[str]]]:
    return {
        column: {way: figures.where(own, way, holds) for way in WAYS}
        for column, own in columns.items()
    }


def as_text(report: dict[str, Any]) -> str:
    """Write a table for each learner."""
    lines = ["Table 3: decision nodes and leaves"]
    for column, own in report["columns"].items():
        lines += [figures.heading(column), *figures.rows_of(own)]
        for way in WAYS:
            n_sets = sum(way in of_set for of_set in own.values())
            larger, smaller = report["larger"][column][way], report["smaller"][column][way]
            lines.append(
                f"{way}: within a factor of {FACTOR} on {n_sets - len(larger) - len(smaller)} of "
                f"{n_sets} sets; larger: {', '.join(larger) or 'none'}; smaller: "
                f"{', '.join(smaller) or 'none'}"
            )
        lines.append("")
    return "\n".join([*lines, *report["notes"]])
