"""Means and deviations over the folds, beside the printed ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from lmdt_parts.halves import Runs

from yildiz_alpaydin_parts.learners import WAYS
from yildiz_alpaydin_parts.published import Figures

#: A mean and a deviation.
Pair = tuple[float, float]
#: By set, by "paper" or the way of training.
Column = dict[str, dict[str, Pair]]


def columns_of(
    printed: Figures, runs: dict[str, Runs], what: str, scale: float = 1
) -> dict[str, Column]:
    """Return the figures of every column of the paper that at least one learner was run for."""
    columns: dict[str, Column] = {}
    for column in next(iter(printed.values())):
        found = {way: runs.get(of_column[column].name, {}) for way, of_column in WAYS.items()}
        names = [name for name in printed if any(name in own for own in found.values())]
        if names:
            columns[column] = {
                name: {"paper": printed[name][column]}
                | {
                    way: mean_and_deviation(own[name], what, scale)
                    for way, own in found.items()
                    if name in own
                }
                for name in names
            }
    return columns


def mean_and_deviation(fits: list[list[dict[str, Any]]], what: str, scale: float) -> Pair:
    """Return mean and deviation over the folds of a set."""
    values = [scale * fit[what] for pair in fits for fit in pair]
    return float(np.mean(values)), float(np.std(values, ddof=1))


def mean_over_sets(column: Column, way: str) -> float | None:
    """Return the mean over the sets if all are known."""
    values = [own[way][0] for own in column.values() if way in own]
    return float(np.mean(values)) if len(values) == len(column) else None


def where(column: Column, way: str, holds: Callable[[Pair, Pair], bool]) -> list[str]:
    """Return the sets where something holds between our figures and the printed ones."""
    return [name for name, own in column.items() if way in own and holds(own[way], own["paper"])]


def rows_of(column: Column, marks: dict[str, str] | None = None) -> list[str]:
    """Write a line for each set, and one for the means; a mark stands after the last figure."""
    lines = []
    for name, own in column.items():
        cells = "".join(_cell(own.get(way)) for way in ("paper", *WAYS))
        lines.append(f"{name:14}{cells} {(marks or {}).get(name, '')}".rstrip())
    means = (mean_over_sets(column, way) for way in ("paper", *WAYS))
    cells = "".join(_cell(None if mean is None else (mean, None)) for mean in means)
    return [*lines, f"{'mean':14}{cells}"]


def _cell(pair: tuple[float, float | None] | None) -> str:
    if pair is None:
        return f"{'.':>16}"
    mean, deviation = pair
    return f"{mean:10.1f}" + (f" ±{deviation:4.1f}" if deviation is not None else "      ")


def heading(title: str) -> str:
    """Write the line above a column."""
    return f"{title:14}" + "".join(f"{way:>16}" for way in ("paper", *WAYS))
