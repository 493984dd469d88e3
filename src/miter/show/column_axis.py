"""Columns along the axes of a picture, in the user's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column
from miter.show.lettering import PLAIN, fold, plain, width_of

__all__ = ["jittered", "name_axis", "name_ticks", "range_of", "usual_row"]

#: How long an axis is at least, in points.
ROOM = 230.0


def usual_row(matrix: NDArray[Any], columns: tuple[Column, ...]) -> NDArray[np.float64]:
    """Return the means of numbers and the most frequent values of symbols."""
    usual = np.zeros(len(columns))
    for place, column in enumerate(columns):
        x = matrix[:, place].astype(float)
        x = x[~np.isnan(x)]
        if len(x):
            usual[place] = np.bincount(x.astype(int)).argmax() if column.values else x.mean()
    return usual


def range_of(column: Column, x: NDArray[Any]) -> tuple[float, float]:
    """Return from where to where a column is shown: a little beyond the numbers that there are."""
    if column.values:
        return -0.5, len(column.values) - 0.5
    known = x[~np.isnan(x)].astype(float)
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    edge = 0.04 * (high - low) or 0.5
    return low - edge, high + edge


def jittered(column: Column, x: NDArray[Any], seed: int) -> NDArray[np.float64]:
    """Return where rows are drawn: those of the same symbol beside each other."""
    if not column.values:
        return x.astype(float)
    return x + np.random.default_rng(seed).uniform(-0.3, 0.3, len(x))


def name_axis(axis: Any, column: Column) -> None:
    """Name an axis, and the values on it, as the user knows them."""
    axis.set_label_text("\n".join(fold(plain(column.name), 240.0, 10.0, most=2)), **PLAIN)
    if column.values:
        name_ticks(axis, column.values)
    elif column.form is not None:  # a date, or a number with a unit
        low, high = axis.get_view_interval()
        ticks = [tick for tick in axis.get_ticklocs() if low <= tick <= high]
        name_ticks(axis, [column.say(tick) for tick in ticks], ticks)


def name_ticks(
    axis: Any,
    names: Sequence[str],
    ticks: Sequence[float] | None = None,
    *,
    size: float = 8.0,
    room: float = ROOM,
) -> None:
    """Write names at places of an axis, folded; those along a row turned where it is too short.

    Parameters
    ----------
    axis : XAxis or YAxis
        Of matplotlib.
    names : sequence of str
        What to write.
    ticks : sequence of float, optional
        Where; by default at 0, 1, 2, ...
    size : float
        Of the letters.
    room : float
        How long the axis is at least, in points.
    """
    is_row = axis.axis_name == "x"
    folded = [fold(plain(name), 100.0 if is_row else 120.0, size, most=3) for name in names]
    places = range(len(names)) if ticks is None else ticks
    axis.set_ticks(places, ["\n".join(lines) for lines in folded], fontsize=size, **PLAIN)
    widest = max((width_of(line, size) for lines in folded for line in lines), default=0.0)
    if is_row and len(names) * (widest + size) > room:
        for label in axis.get_ticklabels():
            label.set(rotation=60, ha="right", va="center", rotation_mode="anchor")
