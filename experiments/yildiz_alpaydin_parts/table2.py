"""Table 2: accuracy, beside the printed figures, and whom the 5x2cv F test calls better."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from lmdt_parts.halves import Runs, compare

from yildiz_alpaydin_parts import figures
from yildiz_alpaydin_parts.learners import AS_PUBLISHED, WAYS, WELL_TRAINED, run_all
from yildiz_alpaydin_parts.published import ACCURACY

SIGNIFICANCE = 0.05
#: Points by which accuracy may vary between folds.
STEADY = 6.0


def measure(arguments: Namespace) -> dict[str, Any]:
    """Run what is not known yet and return all figures of the table."""
    runs, notes = run_all(arguments)
    columns = figures.columns_of(ACCURACY, runs, "accuracy", 100)
    return {
        "columns": columns,
        "better": {column: _verdicts(runs, column) for column in columns},
        "wins": {one: {other: _wins(runs, one, other) for other in runs} for one in runs},
        "summary": {column: _summary(own) for column, own in columns.items()},
        "notes": notes,
    }


def _verdicts(runs: dict[str, Runs], column: str) -> dict[str, int]:
    """Return for each set 1 where the well-trained tree is significantly better, -1 where worse."""
    ours, published = (runs.get(way[column].name, {}) for way in (WELL_TRAINED, AS_PUBLISHED))
    verdicts = {name: compare(ours, published, name) for name in ours}
    return {name: verdict.winner(SIGNIFICANCE) for name, verdict in verdicts.items() if verdict}


def _wins(runs: dict[str, Runs], one: str, other: str) -> int:
    """Count the sets where one learner is significantly better than another."""
    verdicts = [compare(runs[one], runs[other], name) for name in runs[one]]
    return sum(verdict.winner(SIGNIFICANCE) == 1 for verdict in verdicts if verdict)


def _summary(column: figures.Column) -> dict[str, dict[str, list[str]]]:
    """Return for each way the sets that are below the printed figure, and those that vary."""
    return {
        way: {
            "below": figures.where(column, way, _is_below),
            "unsteady": figures.where(column, way, lambda own, paper: own[1] >= STEADY),
        }
        for way in WAYS
    }


def _is_below(own: figures.Pair, paper: figures.Pair) -> bool:
    """Tell whether a figure, rounded as the printed ones are, is more than a deviation below."""
    return round(own[0], 1) < round(paper[0] - paper[1], 1)


def as_text(report: dict[str, Any]) -> str:
    """Write a table for each learner, and the table of wins."""
    lines = [
        "Table 2: accuracy in per cent, 5x2cv (+-: significantly better or worse well trained)"
    ]
    for column, own in report["columns"].items():
        marks = {name: {1: "+", -1: "-"}.get(v, "") for name, v in report["better"][column].items()}
        lines += [figures.heading(column), *figures.rows_of(own, marks)]
        for way, found in report["summary"][column].items():
            n_sets = sum(way in of_set for of_set in own.values())
            lines.append(
                f"{way}: within one printed deviation or above on "
                f"{n_sets - len(found['below'])} of {n_sets} sets{_names(found['below'])}; folds "
                f"vary by {STEADY:.0f} points or more on {len(found['unsteady'])}"
                f"{_names(found['unsteady'], 'on ')}"
            )
        lines.append("")
    names = list(report["wins"])
    lines.append("Sets on which the row is significantly better than the column, F test at 5 %")
    lines.append(f"{'':20}" + "".join(f"{name[:10]:>12}" for name in names))
    for one, own in report["wins"].items():
        lines.append(f"{one:20}" + "".join(f"{own[other]:12}" for other in names))
    return "\n".join([*lines, *report["notes"]])


def _names(names: list[str], words: str = "not on ") -> str:
    return f" ({words}{', '.join(names)})" if names else ""
