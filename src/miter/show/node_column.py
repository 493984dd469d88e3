"""A test of one column: the classes of the rows along it, and where it is cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column
from miter.show.canvas import tidy_axes
from miter.show.class_key import class_patch
from miter.show.colours import INK, LINE
from miter.show.column_axis import name_axis, name_ticks
from miter.show.lettering import PLAIN, as_printed, fold, plain, width_of, write
from miter.show.node_test import NodeTest
from miter.show.rows import ShownRows
from miter.splits.expression import Step
from miter.splits.pieces import Pieces

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bin_edges", "draw_distribution", "draw_stacked"]

#: Of a symbol so many values are shown.
MOST_VALUES = 24
#: Bars; room beside a cut as a part of what is shown; the width of axes, in points, at least.
N_BINS, ROOM, AXES_WIDTH = 30, 0.25, 200.0


def draw_distribution(ax: Axes, test: NodeTest) -> None:
    """Draw the classes of the rows along the column that is asked about, and where it is cut."""
    assert test.column is not None
    column = test.rows.schema.columns[test.column]
    x = test.rows.matrix[:, test.column].astype(float)
    ax.set_ylabel("rows")
    tidy_axes(ax)
    ax.grid(False, axis="x")
    if column.values:
        _draw_values(ax, test, column, x)
    else:
        _draw_numbers(ax, test, column, x)
    n_missing = int(np.isnan(x).sum())
    if n_missing:
        ax.set_title(f"{n_missing:,} rows have no value", fontsize=8, color=LINE, loc="right")


def _draw_numbers(ax: Axes, test: NodeTest, column: Column, x: NDArray[np.float64]) -> None:
    cuts = test.test.cuts if isinstance(test.test, Step | Pieces) else ()
    edges, n_beyond = bin_edges(x, cuts)
    draw_stacked(ax, test.rows, x, edges)
    for cut in cuts:
        ax.axvline(cut, color=INK, linewidth=1.4)
    ax.set_xlim(edges[0], edges[-1])
    name_axis(ax.xaxis, column)
    if n_beyond:
        ax.set_title(f"{n_beyond:,} rows beyond are in the last bars", fontsize=8, color=LINE)
    _say_branches(ax, test, edges, cuts)


def bin_edges(x: NDArray[np.float64], cuts: Sequence[float]) -> tuple[NDArray[np.float64], int]:
    """Return the edges of bars along a line, one of them at the cut, and what lies beyond.

    Few rows that are far away do not decide on the scale.
    """
    known = x[np.isfinite(x)]
    if not len(known):
        known = np.array([*cuts, 0.0])
    low, high = np.quantile(known, [0.01, 0.99])
    wide = max(high, *cuts) - min(low, *cuts) if cuts else high - low
    wide = float(wide) or 1.0
    low, high = max(known.min(), low - wide / 2), min(known.max(), high + wide / 2)
    if cuts:  # with room for words on both sides
        low, high = min(low, cuts[0] - ROOM * wide), max(high, cuts[-1] + ROOM * wide)
    step = float(high - low) / N_BINS or 1.0 / N_BINS
    if (known % 1 == 0).all():  # bars of as many whole numbers each
        step = max(round(step), 1)
    base = cuts[0] if cuts else low
    first, last = np.floor((low - base) / step), np.ceil((high - base) / step)
    edges = base + step * np.arange(first, max(last, first + 1) + 1)
    return edges, int(((known < edges[0]) | (known > edges[-1])).sum())


def _say_branches(
    ax: Axes, test: NodeTest, edges: NDArray[np.float64], cuts: Sequence[float]
) -> None:
    """Write above the rows what is true of those that go to each branch, where there is room."""
    room = ax.get_ylim()[1]
    ax.set_ylim(0, room * 1.15)
    branches = test.test.branches if isinstance(test.test, Pieces) else range(len(cuts) + 1)
    for branch, (left, right) in zip(branches, pairwise([edges[0], *cuts, edges[-1]]), strict=True):
        words = as_printed(test.question.answers[branch])
        share = width_of(words, 8.0) / AXES_WIDTH
        if share > (right - left) / (edges[-1] - edges[0]):
            continue
        is_first, is_last = left == edges[0], right == edges[-1]
        gap = 0.015 * (edges[-1] - edges[0])
        x, side = (left + right) / 2, "center"
        if is_first and cuts:
            x, side = right - gap, "right"
        elif is_last and cuts:
            x, side = left + gap, "left"
        write(ax, x, room * 1.14, words, ha=side, va="top", fontsize=8)


def draw_stacked(
    ax: Axes, rows: ShownRows, x: NDArray[np.float64], edges: NDArray[np.float64]
) -> None:
    """Draw how many rows of each class are between edges, one class upon the other."""
    bottom = np.zeros(len(edges) - 1)
    for code in rows.present:
        own = x[(rows.codes == code) & ~np.isnan(x)]
        counts = np.histogram(np.clip(own, edges[0], edges[-1]), edges)[0]
        ax.bar(
            edges[:-1],
            counts,
            np.diff(edges),
            bottom,
            align="edge",
            **class_patch(code),
        )
        bottom += counts


def _draw_values(ax: Axes, test: NodeTest, column: Column, x: NDArray[np.float64]) -> None:
    """Draw a bar for each value, those of a branch beside each other."""
    branch_of = _branches_of_values(test, column)
    counts = np.bincount(x[~np.isnan(x)].astype(int), minlength=len(column.values))
    order = [code for code in range(len(column.values)) if counts[code] or branch_of[code] >= 0]
    if column.is_symbolic:
        order.sort(key=lambda code: (branch_of[code] < 0, branch_of[code]))
    n_others = max(len(order) - MOST_VALUES, 0)
    if n_others:
        most = sorted(order, key=lambda code: -counts[code])[:MOST_VALUES]
        order = [code for code in order if code in most]
    place = {code: number for number, code in enumerate(order)}
    bottom = np.zeros(len(order))
    for own in test.rows.present:
        mine = x[(test.rows.codes == own) & ~np.isnan(x)].astype(int)
        heights = np.bincount(mine, minlength=len(column.values))[order]
        ax.bar(np.arange(len(order)), heights, 0.8, bottom, **class_patch(own))
        bottom += heights
    ax.set_xlabel("\n".join(fold(plain(column.name), 240.0, 10.0, most=2)), **PLAIN)
    name_ticks(ax.xaxis, [column.values[code] for code in order])
    ax.tick_params(axis="x", length=0)
    if n_others:
        ax.set_title(f"{n_others:,} rarer values are not shown", fontsize=8, color=LINE, loc="left")
    _divide_values(ax, test, [branch_of[code] for code in place])


def _branches_of_values(test: NodeTest, column: Column) -> list[int]:
    """Return the branch that each value takes; below 0 for none."""
    rows = np.zeros((len(column.values), test.rows.schema.n_columns))
    assert test.column is not None
    rows[:, test.column] = np.arange(len(column.values))
    return test.split.route(rows).tolist()


def _divide_values(ax: Axes, test: NodeTest, branches: list[int]) -> None:
    """Draw lines between the values of different branches, and say which is which."""
    groups: list[tuple[int, list[int]]] = []
    for place, branch in enumerate(branches):
        if not groups or groups[-1][0] != branch:
            groups.append((branch, []))
        groups[-1][1].append(place)
    for (_, before), _ in pairwise(groups):
        ax.axvline(before[-1] + 0.5, color=INK, linewidth=1.2)
    is_plain = all(len(own) == 1 for _, own in groups)
    if is_plain or len(groups) > 6:
        return
    room = ax.get_ylim()[1]
    ax.set_ylim(0, room * 1.12)
    for branch, own in groups:
        middle = (own[0] + own[-1]) / 2
        words = f"branch {branch + 1}" if branch >= 0 else "no branch"
        write(ax, middle, room * 1.1, words, ha="center", va="top", fontsize=8)
