"""What of a row may change, and how far a changed row is from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column, Schema
from miter.errors import DataError

__all__ = ["Freedom", "Wishes"]

#: Beside the range of the training rows, an answer may lie so many times this range outside.
BEYOND = 1.0


@dataclass(frozen=True)
class Wishes:
    """What a user says of the columns, by their names.

    Parameters
    ----------
    fixed : collection of str
        Columns that may not change.
    only_up, only_down : collection of str
        Numbers, or ordered values, that may only grow, or only fall.
    ranges : mapping of str to a pair of numbers or a list of values
        Where numbers must lie, None for an end that is open; which values a symbol may have.
    one_hot : sequence of collections of str
        Groups of columns of which one is 1 and the others are 0.
    is_plausible : bool
        Whether numbers must lie within the range of the training rows.
    """

    fixed: Collection[str] = ()
    only_up: Collection[str] = ()
    only_down: Collection[str] = ()
    ranges: Mapping[str, Any] | None = None
    one_hot: Sequence[Collection[str]] = ()
    is_plausible: bool = False

    def looser(self) -> list[tuple[str, Wishes]]:
        """Return the same with one of the wishes left out, and what that is called."""
        ranges = dict(self.ranges or {})
        found = []
        for field in ("fixed", "only_up", "only_down"):
            names = list(getattr(self, field))
            for name in names:
                change: dict[str, Any] = {field: [n for n in names if n != name]}
                found.append((f"{name!r} in {field}", replace(self, **change)))
        for name in ranges:
            rest = {key: value for key, value in ranges.items() if key != name}
            found.append((f"{name!r} in ranges", replace(self, ranges=rest)))
        if self.is_plausible:
            found.append(("plausible", replace(self, is_plausible=False)))
        return found


@dataclass(frozen=True, eq=False)
class Freedom:
    """Where each column of a row may go.

    Parameters
    ----------
    low, high : ndarray of shape (n_columns,)
        The numbers that a column may have; its own where it may not change.
    scale : ndarray of shape (n_columns,)
        What counts as a change of 1.
    is_whole : ndarray of bool
        Whether only whole numbers will do.
    values : tuple of (ndarray of bool or None)
        Which values a symbol may have; None for numbers.
    groups : tuple of tuple of int
        Columns of which one is 1 and the others are 0.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    scale: NDArray[np.float64]
    is_whole: NDArray[np.bool_]
    values: tuple[NDArray[np.bool_] | None, ...]
    groups: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, row: NDArray[np.float64], schema: Schema, wishes: Wishes) -> Freedom:
        """Return what may change in a row; an error names a wish that cannot be meant."""
        place = {name: position for position, name in enumerate(schema.names)}
        _check_names(schema, wishes)
        low, high, scale = (np.zeros(len(row)) for _ in range(3))
        is_whole = np.zeros(len(row), bool)
        values: list[NDArray[np.bool_] | None] = []
        ranges = dict(wishes.ranges or {})
        for position, column in enumerate(schema.columns):
            own, is_fixed = row[position], column.name in wishes.fixed or _is_made(column)
            low[position], high[position] = _ends(column, own, wishes)
            scale[position] = _scale(column)
            is_whole[position] = _is_whole(column, own)
            values.append(_values(column, own, ranges.get(column.name), is_fixed=is_fixed))
            if is_fixed:
                low[position] = high[position] = own
        groups = tuple(tuple(place[name] for name in group) for group in wishes.one_hot)
        for position in (p for group in groups for p in group):
            low[position] = max(low[position], 0.0)
            high[position] = min(high[position], 1.0)
            is_whole[position] = True
        return cls(low, high, scale, is_whole, tuple(values), groups)

    def distance(
        self, row: NDArray[np.float64], other: NDArray[np.float64], *, is_squared: bool = False
    ) -> float:
        """Return how far two rows are from each other.

        A number counts in deviations, a symbol that differs 1; a value that becomes known counts 1
        more than its distance from the mean.
        """
        steps = np.array(
            [
                self.step(column, a, b)
                for column, (a, b) in enumerate(zip(row.tolist(), other.tolist(), strict=True))
            ]
        )
        return float(np.sqrt((steps**2).sum()) if is_squared else steps.sum())

    def step(self, column: int, own: float, other: float) -> float:
        """Return how far a column goes from one value to another."""
        if own == other or (own != own and other != other):
            return 0.0
        if own != own or other != other or self.values[column] is not None:
            return 1.0
        return float(abs(own - other) / self.scale[column])


def _check_names(schema: Schema, wishes: Wishes) -> None:
    named = {
        "fixed": wishes.fixed,
        "only_up": wishes.only_up,
        "only_down": wishes.only_down,
        "ranges": wishes.ranges or (),
        "one_hot": [name for group in wishes.one_hot for name in group],
    }
    kinds = {column.name: column for column in schema.columns}
    for wish, names in named.items():
        if isinstance(names, str):
            raise DataError(f"{wish} is the text {names!r}; give a list of names of columns")
        for name in names:
            if name not in kinds:
                raise DataError(
                    f"{wish} names {name!r}, and the model has no such column; "
                    f"its columns are {', '.join(schema.names)}"
                )
            if wish in {"only_up", "only_down", "one_hot"} and kinds[name].is_symbolic:
                raise DataError(f"{wish} names {name!r}, whose values have no order")


def _is_made(column: Column) -> bool:
    """Whether it was made of a date: it cannot change for itself."""
    return column.form is not None and column.form.part not in {"number", "duration"}


def _ends(column: Column, own: float, wishes: Wishes) -> tuple[float, float]:
    if column.is_symbolic:
        return own, own
    if column.values:
        low, high = 0.0, len(column.values) - 1.0
    elif column.spread is None:
        low, high = -np.inf, np.inf
    else:
        reach = 0.0 if wishes.is_plausible else BEYOND * (column.spread.most - column.spread.least)
        low, high = column.spread.least - reach, column.spread.most + reach
        if not wishes.is_plausible:
            low, high = min(low, own), max(high, own)  # a missing own changes nothing
    if column.name in (wishes.ranges or {}):
        low, high = _given_ends(column, (wishes.ranges or {})[column.name], low, high)
    if column.name in wishes.only_up:
        low = max(low, own)
    if column.name in wishes.only_down:
        high = min(high, own)
    return low, high


def _given_ends(column: Column, given: Any, low: float, high: float) -> tuple[float, float]:
    wanted = f"the range of {column.name!r} is {given!r}; give (least, most), None for an open end"
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or len(given) != 2:
        raise DataError(wanted)
    ends = [_number_of(column, end, wanted) for end in given]
    if None not in ends and ends[0] > ends[1]:  # type: ignore[operator]
        raise DataError(f"{wanted}; the least comes first")
    # What a user asks for may lie far from the training rows.
    return low if ends[0] is None else ends[0], high if ends[1] is None else ends[1]


def _number_of(column: Column, end: Any, wanted: str) -> float | None:
    if end is None:
        return None
    if column.values:
        if end not in column.values:
            raise DataError(f"{wanted}; {end!r} is none of {', '.join(column.values)}")
        return float(column.values.index(end))
    if isinstance(end, bool) or not isinstance(end, int | float | np.number) or end != end:
        raise DataError(wanted)
    return float(end)


def _values(column: Column, own: float, given: Any, *, is_fixed: bool) -> NDArray[np.bool_] | None:
    if not column.is_symbolic:
        return None
    may = np.ones(len(column.values), bool)
    if is_fixed:
        may[:] = False
    elif given is not None:
        if isinstance(given, str):
            raise DataError(
                f"ranges gives {column.name!r} the text {given!r}; give a list of values"
            )
        strange = [value for value in given if value not in column.values]
        if strange:
            raise DataError(
                f"ranges gives {column.name!r} the value {strange[0]!r}; "
                f"it has {', '.join(column.values)}"
            )
        return np.array([value in set(given) for value in column.values])
    if own == own:
        may[int(own)] = True
    return may


def _scale(column: Column) -> float:
    spread = column.spread
    if spread is None:
        return 1.0
    return spread.deviation or max(abs(spread.mean), 1.0)


def _is_whole(column: Column, own: float) -> bool:
    """Whether a column has whole numbers only, this row among them."""
    if column.is_symbolic or not (own != own or own % 1 == 0):
        return False
    return bool(column.values) or (column.spread is not None and column.spread.is_whole)
