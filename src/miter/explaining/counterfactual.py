"""What would have changed the answer: the nearest row that gets another.

For each leaf with the wanted answer the nearest row of its region is found by a small program over
the tests on its path, the leaf with the lowest bound first, until no bound is below the best row
found. That is exact for all tests but networks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_choice, check_number, check_whole
from miter.data.labels import label_text
from miter.data.schema import Label, Schema
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.explaining.freedom import Freedom, Wishes
from miter.explaining.leaves import Region, regions, way_in, way_out
from miter.explaining.point_search import nearest_by_trying
from miter.explaining.program import nearest_row
from miter.explaining.rows import code_row, code_rows, say_cell, say_row, schema_of
from miter.explaining.squares import nearest_row_by_squares
from miter.splits.names import say_name
from miter.tree import Tree

__all__ = ["Counterfactual", "counterfactual"]

#: A row within this many deviations of a training row is near it.
NEAR = 0.5
#: Where rounding took a row to another leaf, it is looked for this far inside.
SAFER = (1e-5, 1e-4)
#: Of a forest, the nearest regions of some of the trees are where the search begins.
N_TREES = 20
N_REGIONS = 2


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """A row that gets another answer.

    Parameters
    ----------
    row : dict
        The changed row, by names of columns.
    changes : dict
        For each column that changed what it was and what it is.
    distance : float
        How far the row is from the one that was asked about; see `counterfactual`.
    label : label
        What the model answers to it.
    was : label
        What it answers to the row that was asked about.
    gap : float
        There is no answer nearer than `distance` less this. 0: it is the nearest.
    others : tuple of Counterfactual
        More answers, farther away, that change other columns.
    words : tuple of str
        The changes as `str` says them.
    """

    row: dict[str, Any]
    changes: dict[str, tuple[Any, Any]]
    distance: float
    label: Label
    was: Label
    gap: float = 0.0
    others: tuple[Counterfactual, ...] = ()
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.changes:
            return f"The answer is {label_text(self.label)} already: nothing has to change"
        return (
            f"{label_text(self.was)} becomes {label_text(self.label)} with {', '.join(self.words)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "row": self.row,
            "changes": {name: list(pair) for name, pair in self.changes.items()},
            "distance": self.distance,
            "label": self.label,
            "was": self.was,
            "gap": self.gap,
            "others": [other.to_dict() for other in self.others],
        }


def counterfactual(
    model: Fitted,
    row: Any,
    to: Label | None = None,
    fixed: Collection[str] = (),
    *,
    only_up: Collection[str] = (),
    only_down: Collection[str] = (),
    ranges: Mapping[str, Any] | None = None,
    one_hot: Sequence[Collection[str]] = (),
    distance: str = "l1",
    plausible: bool = False,
    near: Any = None,
    margin: float = 0.0,
    n_answers: int = 1,
) -> Counterfactual:
    """Return the smallest change of a row that changes the answer.

    A number counts in deviations of the training rows, a symbol that changes counts 1. Columns of
    whole numbers stay whole; what is missing stays missing, unless a test needs it: then it counts
    1. Columns made of a date do not change.

    Parameters
    ----------
    model : Fitted
        A fitted tree or forest.
    row : mapping, Series, or DataFrame of one row
        The row to change.
    to : label, optional
        The answer that is wanted; None: any other.
    fixed : collection of str
        Columns that may not change.
    only_up, only_down : collection of str
        Columns that may only grow, or only fall.
    ranges : mapping, optional
        For a number (least, most), None for an open end; for a symbol the values it may have.
    one_hot : sequence of collections of str
        Groups of columns of which one is 1 and the others are 0, and stay so.
    distance : {"l1", "l2"}
        The sum of the changes, which changes few columns, or the root of the sum of their squares.
    plausible : bool
        Whether numbers must lie within the range of the training rows.
    near : DataFrame or array, optional
        Rows, such as the training rows: the answer is near one of them that ends at the same leaf.
    margin : float
        No change smaller than this, from the answer, may undo it.
    n_answers : int
        How many different answers to look for; all but the first are in `others`.

    Returns
    -------
    Counterfactual

    Examples
    --------
    >>> from miter import counterfactual, id3
    >>> from miter.data import play_tennis
    >>> tree = id3().fit(play_tennis())
    >>> row = {"Outlook": "Sunny", "Temp.": "Hot", "Humidity": "High", "Wind": "Weak"}
    >>> print(counterfactual(tree, row))
    No becomes Yes with Outlook Overcast in place of Sunny
    """
    check_choice("distance", distance, ("l1", "l2"))
    check_number("margin", margin, least=0)
    check_whole("n_answers", n_answers, 1)
    schema = schema_of(model)
    start = code_row(model, row)
    wishes = Wishes(fixed, only_up, only_down, ranges, one_hot, plausible)
    search = _Search(
        model,
        start,
        _code(to, schema),
        wishes,
        distance == "l2",
        margin,
        None if near is None else code_rows(model, near),
    )
    found = search.answers(n_answers)
    if not found:
        raise DataError(search.why_none())
    first, *others = [search.say(*answer) for answer in found]
    return Counterfactual(**{**vars(first), "others": tuple(others)})


def _code(to: Label | None, schema: Schema) -> int | None:
    if to is None:
        return None
    to = to.item() if isinstance(to, np.generic) else to
    if to not in schema.classes:
        known = ", ".join(map(label_text, schema.classes))
        raise DataError(f"there is no class {to!r}; the classes are {known}")
    return schema.classes.index(to)


class _Search:
    """Looks through the leaves with the wanted answer."""

    def __init__(
        self,
        model: Fitted,
        start: NDArray[np.float64],
        to: int | None,
        wishes: Wishes,
        is_squared: bool,
        margin: float,
        near: NDArray[np.float64] | None,
    ) -> None:
        self.model, self.start, self.to, self.wishes = model, start, to, wishes
        self.is_squared, self.margin, self.near = is_squared, margin, near
        #: Only what is nearer is looked for, and nothing nearer than this was left out.
        self.at_most, self.least_open = float(np.inf), float(np.inf)
        self.was = self.answer(start)
        self.free = Freedom.of(start, model.schema_, wishes)

    def answer(self, row: NDArray[np.float64]) -> int:
        """Return the code of what the model answers."""
        return int(self.model.predict_codes(row[None])[0])

    def is_wanted(self, code: int) -> bool:
        """Whether a class will do."""
        return code != self.was if self.to is None else code == self.to

    def answers(self, n: int) -> list[tuple[float, NDArray[np.float64], float]]:
        """Return up to so many answers: distance, row, and how much nearer one may be."""
        if self.to == self.was:
            return [(0.0, self.start, 0.0)]
        if len(self.model.trees_) > 1:
            return self._of_many()
        return self._of_one(self.model.trees_[0], n)

    def _of_many(self) -> list[tuple[float, NDArray[np.float64], float]]:
        """Return an answer of a forest, found by trying rows, and how much nearer one may be."""
        seeds = []
        for tree in self.model.trees_[:N_TREES]:
            for _, region in list(self.by_bound(tree))[:N_REGIONS]:
                if not region.is_curved:
                    inside = region.within(self.free)
                    row = (
                        None
                        if inside is None
                        else self._nearest(region, self.start, inside, self.margin)
                    )
                    seeds += [] if row is None else [row]
        row = self._try(seeds, self.free)
        if row is None:
            return []
        far = self.distance(row)
        least = min(way_out(tree, self.start, self.free) for tree in self.model.trees_)
        return [(far, row, far - min(least, far))]

    def _try(self, seeds: list[NDArray[np.float64]], free: Freedom) -> NDArray[np.float64] | None:
        schema = self.model.schema_
        wanted = [self.is_wanted(code) for code in range(schema.n_classes)]
        return nearest_by_trying(
            self.start,
            free,
            schema,
            lambda rows: np.array(wanted)[self.model.predict_codes(rows)],
            seeds=seeds,
            is_squared=self.is_squared,
        )

    def _of_one(self, tree: Tree, n: int) -> list[tuple[float, NDArray[np.float64], float]]:
        best: dict[tuple[int, ...], tuple[float, NDArray[np.float64]]] = {}
        for bound, region in self.by_bound(tree):
            nearest = sorted(far for far, _ in best.values())[:n]
            self.at_most = nearest[-1] if len(nearest) == n else np.inf
            if bound >= self.at_most:
                break
            for row in self.rows_in(region):
                far = self.distance(row)
                changed = tuple(np.flatnonzero(~_same(row, self.start)).tolist())
                if changed not in best or far < best[changed][0]:
                    best[changed] = far, row
        answers = sorted(best.values(), key=lambda answer: answer[0])[:n]
        return [(far, row, max(far - self.least_open, 0.0)) for far, row in answers]

    def by_bound(self, tree: Tree) -> Iterator[tuple[float, Region]]:
        """Return the regions with a wanted answer, the nearest first."""
        wanted = [
            region for region in regions(tree) if self.is_wanted(int(tree.labels[region.leaf]))
        ]
        heap = [(self._bound(region), region.leaf, region) for region in wanted]
        heapify(heap)
        while heap:
            bound, _, region = heappop(heap)
            if bound == np.inf:
                return
            yield bound, region

    def _bound(self, region: Region) -> float:
        """Return how far the region is at least, by each of its tests alone."""
        start, wide = self._filling(region)
        free = region.within(wide)
        if free is None:
            return float(np.inf)
        nearest = np.clip(self.start, free.low, free.high)
        steps = np.abs(nearest - self.start) / free.scale
        for column, may in enumerate(free.values):
            if may is not None:
                own = self.start[column]
                steps[column] = 0.0 if own != own or may[int(own)] else 1.0
        steps = np.nan_to_num(steps)
        if self.is_squared:
            return float(np.sqrt((steps**2).sum()))
        return max(float(steps.sum()), way_in(region, start, free))

    def _filling(self, region: Region) -> tuple[NDArray[np.float64], Freedom]:
        """Return the start with a value for what a region's tests of one column must know."""
        needed = [c for c, comes in region.missing.items() if not comes and np.isnan(self.start[c])]
        if not needed:
            return self.start, self.free
        schema = self.model.schema_
        row = self.start.copy()
        for column in needed:
            row[column] = _usual(schema, column, region)
        free = Freedom.of(row, schema, self.wishes)
        values = list(free.values)
        for column in needed:
            if schema.columns[column].name in self.wishes.fixed:  # it may not become known
                free.low[column], free.high[column] = np.inf, -np.inf
                may = values[column]
                values[column] = None if may is None else np.zeros_like(may)
        free = replace(free, values=tuple(values))
        return row, free

    def rows_in(self, region: Region) -> Iterator[NDArray[np.float64]]:
        """Return the nearest row of a region that gets the wanted answer, if there is one."""
        start, free = self._filling(region)
        for narrowed in self._near(region, free):
            inside = region.within(narrowed)
            if inside is None:
                continue
            for margin in (self.margin, *SAFER):
                row = self._nearest(region, start, inside, max(margin, self.margin))
                if row is None or self.is_wanted(self.answer(row)):
                    break
            else:
                continue
            if row is not None:
                yield row

    def _near(self, region: Region, free: Freedom) -> Iterator[Freedom]:
        if self.near is None:
            yield free
            return
        ends = self.model.trees_[0].apply(self.near)
        rows = self.near[ends == region.leaf]
        far = [free.distance(self.start, row) for row in rows]
        for number in np.argsort(far)[:3]:
            yield _close_to(rows[number], free)

    def _nearest(
        self, region: Region, start: NDArray[np.float64], free: Freedom, margin: float
    ) -> NDArray[np.float64] | None:
        if region.is_curved:
            self.least_open = 0.0
            return self._try([], free)
        inner = _shrunk(region, free, margin)
        if inner is None:
            return None
        row = _clipped(start, inner)
        is_enough = not region.sums or (margin == 0 and self._holds(region, row))
        if row is None or (is_enough and not free.groups):
            return row
        sums = list(region.sums)
        if self.is_squared and not free.groups:
            found, is_sure = nearest_row_by_squares(start, sums, inner, margin=margin)
            least = np.inf if is_sure else 0.0
        else:
            at_most = np.inf if self.is_squared else self.at_most
            found, least = nearest_row(start, sums, inner, margin=margin, at_most=at_most)
            least = 0.0 if self.is_squared else least
        far = self.at_most if found is None else inner.distance(start, found)
        if least < far - 1e-6:  # not all was searched through
            self.least_open = min(self.least_open, least)
        if found is None:
            return None
        tested = sorted(
            {c for test, _ in sums for c in test.columns} | {c for g in free.groups for c in g}
        )
        row[tested] = found[tested]
        return row

    def _holds(self, region: Region, row: NDArray[np.float64] | None) -> bool:
        return row is not None and all(test.branch(row) == branch for test, branch in region.sums)

    def distance(self, row: NDArray[np.float64]) -> float:
        """Return how far a row is from the start."""
        return self.free.distance(self.start, row, is_squared=self.is_squared)

    def say(self, far: float, row: NDArray[np.float64], gap: float) -> Counterfactual:
        """Return an answer in the words of the user."""
        schema = self.model.schema_
        changed = np.flatnonzero(~_same(row, self.start)).tolist()
        changes = {
            schema.columns[c].name: (
                say_cell(float(self.start[c]), schema.columns[c]),
                say_cell(float(row[c]), schema.columns[c]),
            )
            for c in changed
        }
        label, was = schema.classes[self.answer(row)], schema.classes[self.was]
        words = tuple(self._word(row, changed))
        return Counterfactual(
            say_row(row, schema), changes, far, label, was, min(gap, far), words=words
        )

    def _word(self, row: NDArray[np.float64], changed: list[int]) -> Iterator[str]:
        """Say changes in few digits; where so rounded they change nothing, on which side to be."""
        schema = self.model.schema_
        rounded = row.copy()
        numbers = [c for c in changed if schema.columns[c].is_number and row[c] == row[c]]
        rounded[numbers] = [float(f"{row[c]:.6g}") for c in numbers]
        is_enough = self.is_wanted(self.answer(rounded))
        for c in changed:
            column, side = schema.columns[c], ""
            if not is_enough and c in numbers and rounded[c] != row[c]:
                side = "just above " if row[c] > rounded[c] else "just below "
            now, was = column.say(row[c]), column.say(self.start[c])
            before = was if self.start[c] == self.start[c] else "what is not known"
            yield f"{say_name(column.name)} {side}{now} in place of {before}"

    def why_none(self) -> str:
        """Say why there is no answer, and what to loosen."""
        schema = self.model.schema_
        wanted = "another class" if self.to is None else label_text(schema.classes[self.to])
        said = {int(code) for tree in self.model.trees_ for code in tree.labels[tree.is_leaf]}
        if not any(self.is_wanted(code) for code in said):
            return f"no leaf of the model answers {wanted}: nothing that changes leads there"
        helps = []
        for name, wishes in self.wishes.looser():
            search = _Search(
                self.model, self.start, self.to, wishes, self.is_squared, self.margin, self.near
            )
            if search.answers(1):
                helps.append(name)
        cure = f"loosen {' or '.join(helps)}" if helps else "loosen several of them"
        if self.near is not None:
            cure += ", or leave near out"
        if self.margin > 0:
            cure += ", or take a smaller margin"
        return f"no row that meets the constraints gets {wanted}; {cure}"


def _same(row: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (row == other) | (np.isnan(row) & np.isnan(other))


def _usual(schema: Schema, column: int, region: Region) -> float:
    """Return a value for one that is missing: the mean, or the first that leads on."""
    if column in region.values:
        return float(np.argmax(region.values[column]))
    spread = schema.columns[column].spread
    return 0.0 if spread is None else spread.mean


def _clipped(row: NDArray[np.float64], free: Freedom) -> NDArray[np.float64] | None:
    """Return the nearest row between the ends; None where no whole number is there."""
    result = row.copy()
    for column in np.flatnonzero(~np.isnan(row)).tolist():
        may = free.values[column]
        if may is not None:
            if not may[int(row[column])]:
                if not may.any():
                    return None
                result[column] = float(np.argmax(may))
            continue
        low, high = free.low[column], free.high[column]
        if free.is_whole[column]:
            low, high = np.ceil(low), np.floor(high)
        if low > high:
            return None
        result[column] = min(max(row[column], low), high)
    return result


def _shrunk(region: Region, free: Freedom, margin: float) -> Freedom | None:
    """Return the ends moved inwards where a region ends there."""
    if margin == 0:
        return free
    way = margin * free.scale
    low = np.fmax(free.low, region.low + way)
    high = np.fmin(free.high, region.high - way)
    if (low > high)[[may is None for may in free.values]].any():
        return None
    return Freedom(low, high, free.scale, free.is_whole, free.values, free.groups)


def _close_to(row: NDArray[np.float64], free: Freedom) -> Freedom:
    """Return what may change, but for numbers far from those of a row."""
    low = np.fmax(free.low, row - NEAR * free.scale)
    high = np.fmin(free.high, row + NEAR * free.scale)
    return Freedom(low, high, free.scale, free.is_whole, free.values, free.groups)
