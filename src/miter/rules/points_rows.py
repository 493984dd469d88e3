"""What rows of a points table can be about: conditions, and amounts of a number."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column, Schema
from miter.splits.digits import round_weight, say_number
from miter.splits.names import say_name, say_values

__all__ = ["PointsRow", "candidate_rows", "round_unit"]

#: Conditions are asked at these parts of the rows.
PARTS = np.linspace(0.1, 0.9, 9)
#: First digits of units.
ROUND = (1, 2, 3, 4, 5, 6, 8)


@dataclass(frozen=True)
class PointsRow:
    """A condition, which counts once where it holds, or a number, which counts for each unit.

    Parameters
    ----------
    column : int
        What it is about.
    place : float
        The code of a symbol's value; a cut, above which the condition holds; or where the units of
        a number are counted from.
    unit : float, optional
        How much of a number counts once; None: it is a condition.
    is_above : bool
        Whether units are counted above the place, or below it.
    missing : float
        What a missing value counts.
    says_missing : bool
        Whether words tell that: some rows lack the value.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema
    >>> from miter.rules.points_rows import PointsRow
    >>> row = PointsRow(0, 100.0, unit=20.0)
    >>> row.say(Schema((Column("glucose", "numeric"),)))
    'for each 20 of glucose above 100'
    >>> row.amounts(np.array([[90.0], [150.0]]))
    array([0. , 2.5])
    """

    column: int
    place: float
    unit: float | None = None
    is_above: bool = True
    missing: float = 0.0
    says_missing: bool = False
    is_value: bool = False

    def amounts(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return how often it counts for each row."""
        x = X[:, self.column].astype(float)
        if self.is_value:
            amounts = (x == self.place).astype(float)
        elif self.unit is None:
            amounts = (x > self.place).astype(float)
        else:
            beyond = x - self.place if self.is_above else self.place - x
            amounts = np.maximum(beyond, 0.0) / self.unit
        return np.where(np.isnan(x), self.missing, amounts)

    def say(self, schema: Schema) -> str:
        """Say it in words of the user's columns."""
        column = schema.columns[self.column]
        words = self._words(column)
        if not self.says_missing:
            return words
        return f"{words} (missing: {say_number(round_weight(self.missing, 2))})"

    def _words(self, column: Column) -> str:
        name = say_name(column.name)
        if self.is_value:
            return say_values(column, [int(self.place)])
        if self.unit is None:
            return f"{name} > {_say_place(column, self.place)}"
        of = f"for each {say_number(self.unit)} of {name}"
        if self.place == 0 and self.is_above:
            return of
        return f"{of} {'above' if self.is_above else 'below'} {_say_place(column, self.place)}"


def _say_place(column: Column, place: float) -> str:
    if column.values:
        return say_name(column.say(place), may_be_number=True)
    return say_number(place) if column.form is None else column.say(place)


def candidate_rows(
    schema: Schema, X: NDArray[Any], columns: tuple[int, ...], *, conditions: bool
) -> list[PointsRow]:
    """Return what a table can be made of.

    Parameters
    ----------
    schema : Schema
        The columns.
    X : ndarray
        Rows that tell where numbers lie.
    columns : tuple of int
        Those that may be asked.
    conditions : bool
        Whether numbers may be asked for by conditions too.
    """
    found: list[PointsRow] = []
    for position in columns:
        column, x = schema.columns[position], X[:, position].astype(float)
        has_missing = bool(np.isnan(x).any())
        known = x[~np.isnan(x)]
        if not len(known):
            continue
        if column.is_symbolic:
            found += [
                PointsRow(position, float(code), says_missing=has_missing, is_value=True)
                for code in np.unique(known).astype(int).tolist()
            ]
            continue
        mean = float(known.mean())
        unit = round_unit(float(known.std()))
        origin = _origin(known, unit)
        each = (mean - origin) / unit
        found.append(PointsRow(position, origin, unit, missing=each, says_missing=has_missing))
        if conditions:
            found += [
                PointsRow(position, cut, missing=float(mean > cut), says_missing=has_missing)
                for cut in _cuts(known)
            ]
    return found


def round_unit(size: float, *, at_most: bool = False) -> float:
    """Return a number of one digit: the nearest, or the largest that is not above."""
    if not size > 0:
        return 1.0
    power = floor(log10(size))
    rounds = [float(f"{factor}e{power + more}") for more in (-1, 0, 1) for factor in ROUND]
    if at_most:
        return max(one for one in rounds if one <= size * (1 + 1e-9))
    return min(rounds, key=lambda one: abs(np.log(one / size)))


def _origin(known: NDArray[np.float64], unit: float) -> float:
    """Return a round number at the lower end: 0 where that is not far off."""
    low, high = float(known.min()), float(known.max())
    if 0 <= low <= high - low:
        return 0.0
    coarse = 5 * unit
    return float(say_number(np.floor(low / coarse) * coarse))


def _cuts(known: NDArray[np.float64]) -> list[float]:
    """Return places between rows, in as few digits as divide them alike."""
    values = np.unique(known)
    if len(values) < 2:
        return []
    at = np.searchsorted(values, np.quantile(known, PARTS, method="lower"))
    between = sorted({min(int(i), len(values) - 2) for i in at})
    return [_short_between(float(values[i]), float(values[i + 1])) for i in between]


def _short_between(low: float, high: float) -> float:
    """Return the number of fewest digits that is at least `low` and below `high`."""
    middle = (low + high) / 2
    for digits in range(1, 17):
        short = round_weight(middle, digits)
        if low <= short < high:
            return short
    return low
