"""The nearest row that takes given branches of given tests: a small program with whole numbers.

Every column is linear in pieces in every test, so that a piece a column chooses (a value, for a
symbol) makes all tests linear. SciPy's HiGHS chooses the pieces and the numbers at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from miter.explaining.freedom import Freedom
from miter.explaining.pieces import Inequality, Part, SumTest
from miter.explaining.solver import minimise

__all__ = ["INSIDE", "Choice", "added", "choices_of", "nearest_row"]

#: By how much of a deviation a row lies inside where a test must be passed by more than nothing.
INSIDE = 2e-6
#: Where nobody knows where the numbers lie, they are at most so many units away.
FARTHEST = 1e6

Taken = tuple[SumTest, int]


#: A direction, 1 or -1, and how far one may go there.
Way = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Choice:
    """One of the pieces that a column may be in, or one of the values of a symbol.

    Parameters
    ----------
    origin : float
        The number, or the value, of the piece that is nearest to the row.
    cost : float
        How far that is from the row.
    ways : tuple of Way
        Where to go on from there; each goes away from the row.
    inside : float
        A number in the piece, at none of its ends.
    """

    origin: float
    cost: float = 0.0
    ways: tuple[Way, ...] = ()
    inside: float = 0.0


@dataclass(eq=False)
class _Variables:
    """The variables of the program."""

    cost: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    is_whole: list[int] = field(default_factory=list)

    def add(self, cost: float, low: float, high: float, *, is_whole: bool) -> int:
        self.cost.append(cost)
        self.low.append(low)
        self.high.append(high)
        self.is_whole.append(int(is_whole))
        return len(self.cost) - 1


def nearest_row(
    row: NDArray[np.float64],
    taken: Sequence[Taken],
    free: Freedom,
    *,
    margin: float = 0.0,
    at_most: float = np.inf,
) -> tuple[NDArray[np.float64] | None, float]:
    """Return the nearest row that takes these branches, and how far all of them are at least.

    Parameters
    ----------
    row : ndarray of shape (n_columns,)
        Where to start.
    taken : sequence of (SumTest, int)
        Tests, and the branch of each that must be taken.
    free : Freedom
        What may change.
    margin : float
        No change smaller than this may lead to another branch.
    at_most : float
        Only nearer rows are looked for; None stands for no such row.
    """
    columns = sorted({c for test, _ in taken for c in test.columns} | _grouped(free))
    # Whoever stays in the pieces where the row is needs no choice; nothing farther can be better.
    stays, least = _solve(row, columns, taken, free, margin, 0.0, at_most)
    far = at_most if stays is None else free.distance(row, stays)
    moves, least_of_all = _solve(row, columns, taken, free, margin, far, far)
    return (stays, min(least, least_of_all)) if moves is None else (moves, least_of_all)


def _solve(
    row: NDArray[np.float64],
    columns: Sequence[int],
    taken: Sequence[Taken],
    free: Freedom,
    margin: float,
    reach: float,
    at_most: float,
) -> tuple[NDArray[np.float64] | None, float]:
    """Return the nearest row in pieces that are within reach, and how far all are at least."""
    program = _Program(row, columns, taken, free, reach)
    if not all(program.choices.values()) or (reach and not program.has_choice):
        return None, np.inf
    solution, least = program.solve(*program.constraints(taken, margin), at_most)
    return (None if solution is None else program.row(solution)), least


def _grouped(free: Freedom) -> set[int]:
    return {column for group in free.groups for column in group}


class _Program:
    """A switch for each choice of a column, and for each of its ways how far one goes."""

    def __init__(
        self,
        row: NDArray[np.float64],
        columns: Sequence[int],
        taken: Sequence[Taken],
        free: Freedom,
        reach: float,
    ) -> None:
        self.start, self.free, self.columns = row, free, columns
        self.variables = _Variables()
        knots: dict[int, set[float]] = {column: set() for column in columns}
        for test, _ in taken:
            for part in test.parts:
                knots[part.column].update(part.knots.tolist())
        self.units = np.where(free.is_whole, 1.0, free.scale)
        self.choices: dict[int, list[tuple[Choice, int, list[int]]]] = {}
        for column in columns:
            choices = choices_of(row[column], sorted(knots[column]), free, column)
            choices = [c for c in choices if c.cost <= reach] or choices[:1]
            is_sure = len(choices) == 1
            self.choices[column] = [self._add(column, c, is_sure=is_sure) for c in choices]

    @property
    def has_choice(self) -> bool:
        """Whether a column may be in more than one piece."""
        return any(len(choices) > 1 for choices in self.choices.values())

    def _add(self, column: int, choice: Choice, *, is_sure: bool) -> tuple[Choice, int, list[int]]:
        """Return a choice with the number of its switch and those of its ways."""
        add, unit = self.variables.add, self.units[column]
        switch = add(choice.cost, float(is_sure), 1.0, is_whole=not is_sure)
        cost, whole = unit / self.free.scale[column], bool(self.free.is_whole[column])
        ways = [add(cost, 0.0, length / unit, is_whole=whole) for _, length in choice.ways]
        return choice, switch, ways

    def constraints(
        self, taken: Sequence[Taken], margin: float
    ) -> tuple[list[NDArray[np.float64]], list[tuple[float, float]]]:
        """Return weights of the variables, and between which bounds their sums must lie."""
        rows: list[NDArray[np.float64]] = []
        bounds: list[tuple[float, float]] = []
        for column in self.columns:
            self._add_switches(column, rows, bounds)
        for test, branch in taken:
            for inequality in test.inequalities(branch):
                sums, slopes = self._sum(test, inequality)
                bound = inequality.bound - float(inequality.factors @ test.constants)
                size = np.abs(slopes).max(initial=0.0) or np.abs(sums).max(initial=0.0) or 1.0
                reach = np.abs(slopes).max(initial=0.0)
                rows.append(sums / size)
                bounds.append(((bound + margin * reach) / size + INSIDE, np.inf))
        for group in self.free.groups:
            rows.append(self._total(group))
            bounds.append((1.0, 1.0))
        return rows, bounds

    def _add_switches(
        self, column: int, rows: list[NDArray[np.float64]], bounds: list[tuple[float, float]]
    ) -> None:
        """Say that one choice is made, and that only its own ways are gone."""
        one = np.zeros(len(self.variables.cost))
        for _, switch, ways in self.choices[column]:
            one[switch] = 1.0
            for way in ways if len(self.choices[column]) > 1 else ():
                within = np.zeros(len(self.variables.cost))
                within[switch], within[way] = self.variables.high[way], -1.0
                rows.append(within)
                bounds.append((0.0, np.inf))
        rows.append(one)
        bounds.append((1.0, 1.0))

    def _sum(
        self, test: SumTest, inequality: Inequality
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the weights of the variables in a combination of sums, and what deviations add."""
        sums = np.zeros(len(self.variables.cost))
        slopes = np.zeros(len(test.parts))
        for number, part in enumerate(test.parts):
            for choice, switch, ways in self.choices[part.column]:
                at, slope = added(part, choice, inequality.factors)
                sums[switch] = at
                steep = abs(slope) * self.free.scale[part.column]
                slopes[number] = max(slopes[number], steep)
                for way, (direction, _) in zip(ways, choice.ways, strict=True):
                    sums[way] = slope * direction * self.units[part.column]
        return sums, slopes

    def _total(self, group: Sequence[int]) -> NDArray[np.float64]:
        total = np.zeros(len(self.variables.cost))
        for column in group:
            for choice, switch, ways in self.choices[column]:
                total[switch] = choice.origin
                for way, (direction, _) in zip(ways, choice.ways, strict=True):
                    total[way] = direction * self.units[column]
        return total

    def solve(
        self,
        rows: list[NDArray[np.float64]],
        bounds: list[tuple[float, float]],
        at_most: float,
    ) -> tuple[NDArray[np.float64] | None, float]:
        """Return the best values of the variables, and what all others cost at least."""
        low, high = np.array(bounds).T
        between = np.array(self.variables.low), np.array(self.variables.high)
        is_whole = np.array(self.variables.is_whole) > 0
        cost = np.array(self.variables.cost)
        return minimise(cost, np.array(rows), (low, high), between, is_whole, at_most)

    def row(self, solution: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the row that a solution means."""
        row = self.start.copy()
        for column in self.columns:
            choice, _, ways = max(self.choices[column], key=lambda c: solution[c[1]])
            value = choice.origin
            for way, (direction, length) in zip(ways, choice.ways, strict=True):
                value += direction * min(max(solution[way], 0.0) * self.units[column], length)
            row[column] = np.rint(value) if self.free.is_whole[column] else value
        return row


def added(part: Part, choice: Choice, factors: NDArray[np.float64]) -> tuple[float, float]:
    """Return what a choice's origin adds to a combination of sums, and what its slope is."""
    if choice.origin != choice.origin:
        return float(factors @ part.missing), 0.0
    if part.table is not None:
        return float(factors @ part.table[int(choice.origin)]), 0.0
    piece = int(np.searchsorted(part.knots, choice.inside))
    slope = float(factors @ part.slope[piece])
    return slope * choice.origin + float(factors @ part.constant[piece]), slope


def choices_of(own: float, knots: Sequence[float], free: Freedom, column: int) -> list[Choice]:
    """Return the pieces that a column may be in; none where it may be nowhere.

    What is missing stays missing: what would have to be known is another question.
    """
    if own != own:
        return [Choice(np.nan)]
    may = free.values[column]
    if may is not None:
        codes = np.flatnonzero(may).tolist()
        codes.sort(key=lambda code: code != own)
        return [Choice(float(code), float(code != own)) for code in codes]
    scale = free.scale[column]
    low = max(free.low[column], own - FARTHEST * scale)
    high = min(free.high[column], own + FARTHEST * scale)
    if low == high:
        return [Choice(low, abs(low - own) / scale, (), low)]
    ends = [low, *(knot for knot in knots if low < knot < high), high]
    found = []
    for number, (first, last) in enumerate(itertools.pairwise(ends)):
        inside = (first + last) / 2
        if number > 0:  # a number at a knot is in the piece below
            first += INSIDE * scale
        if free.is_whole[column]:
            first, last = np.ceil(first), np.floor(last)
        if first > last:
            continue
        origin = min(max(own, first), last)
        ways = ((1.0, last - origin), (-1.0, origin - first))
        away = tuple(way for way in ways if way[1] > 0)
        found.append(Choice(origin, abs(origin - own) / scale, away, inside))
    return sorted(found, key=lambda choice: choice.cost)
