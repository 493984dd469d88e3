"""The leaves of a tree, as what holds on the way to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from miter.explaining.freedom import Freedom
from miter.explaining.pieces import CurvedError, Part, SumTest, ValueTest, read_test
from miter.tree import Tree

__all__ = ["Region", "regions", "way_in", "way_out"]

_REGIONS: WeakKeyDictionary[Tree, tuple[Region, ...]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Region:
    """Where the rows of a leaf lie.

    Parameters
    ----------
    leaf : int
        Its number in the tree.
    low, high : ndarray of shape (n_columns,)
        Numbers are above the one and at most the other.
    values : mapping of column to ndarray of bool
        The values that symbols may have.
    sums : tuple of (SumTest, int)
        Tests of several columns, and the branch that is taken.
    missing : mapping of column to bool
        For each column that is tested alone, whether a row that lacks it comes here as a whole.
    is_curved : bool
        Whether there are tests besides, that no sum can say.
    """

    leaf: int
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    values: dict[int, NDArray[np.bool_]]
    sums: tuple[tuple[SumTest, int], ...]
    missing: dict[int, bool]
    is_curved: bool

    def within(self, free: Freedom) -> Freedom | None:
        """Return what may change inside the region; None where something may not be at all."""
        above = np.nextafter(self.low, np.inf)
        low, high = np.fmax(free.low, above), np.fmin(free.high, self.high)
        values = list(free.values)
        for column, may in self.values.items():
            own = values[column]
            values[column] = may if own is None else may & own
            if not values[column].any():  # type: ignore[union-attr]
                return None
        is_number = np.array([may is None for may in values])
        if (low > high)[is_number].any():
            return None
        return Freedom(low, high, free.scale, free.is_whole, tuple(values), free.groups)


def regions(tree: Tree) -> tuple[Region, ...]:
    """Return the regions of the leaves of a tree; they are read once.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.explaining.leaves import regions
    >>> [region.leaf for region in regions(id3().fit(play_tennis()).tree_)]
    [2, 4, 5, 6, 9, 10, 11]
    """
    if tree not in _REGIONS:
        _REGIONS[tree] = tuple(_read_regions(tree))
    return _REGIONS[tree]


def _read_regions(tree: Tree) -> Iterator[Region]:
    tests: dict[int, SumTest | ValueTest | None] = {}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        split = tree.splits[node]
        assert split is not None
        try:
            tests[node] = read_test(split.expression, tree.schema)
        except CurvedError:
            tests[node] = None
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        yield _read_region(tree, leaf, tests)


def _read_region(tree: Tree, leaf: int, tests: dict[int, SumTest | ValueTest | None]) -> Region:
    n_columns = tree.schema.n_columns
    low, high = np.full(n_columns, -np.inf), np.full(n_columns, np.inf)
    values: dict[int, NDArray[np.bool_]] = {}
    missing: dict[int, bool] = {}
    sums, is_curved = [], False
    node = leaf
    while node > 0:
        parent = int(tree.parent[node])
        branch, test = node - int(tree.first_child[parent]), tests[parent]
        if test is None:
            is_curved = True
        elif isinstance(test, ValueTest):
            may = test.branch == branch
            values[test.column] = may & values.get(test.column, True)
            missing[test.column] = missing.get(test.column, True) and test.missing == branch
        elif _is_threshold(test):
            column, cuts = test.columns[0], test.cuts or ()
            low[column] = max(low[column], cuts[branch - 1] if branch > 0 else -np.inf)
            high[column] = min(high[column], cuts[branch] if branch < len(cuts) else np.inf)
            missing[column] = missing.get(column, True) and test.missing == branch
        else:
            sums.append((test, branch))
        node = parent
    return Region(leaf, low, high, values, tuple(sums), missing, is_curved)


def _is_threshold(test: SumTest) -> bool:
    """Whether one number is compared as it is."""
    part = test.parts[0] if len(test.parts) == 1 else None
    if part is None or test.cuts is None or part.table is not None:
        return False
    return not len(part.knots) and part.slope[0, 0] == 1 and part.constant[0, 0] == 0


def way_in(region: Region, row: NDArray[np.float64], free: Freedom) -> float:
    """Return a distance that a row must go at least to pass any of a region's tests of sums.

    Columns change the most that they can: the tests alone tell which regions are worth a program.
    """
    least = 0.0
    for test, branch in region.sums:
        total = test.sums(row)
        moving = [part for part in test.parts if _moves(part.column, row, free)]
        for inequality in test.inequalities(branch):
            needed = inequality.bound - float(inequality.factors @ total)
            if needed > 0:
                steep = [_steepest(part, inequality.factors, free) for part in moving]
                steepest = max(steep, default=0.0)
                least = max(least, needed / steepest if steepest > 0 else np.inf)
    return float(least)


def _moves(column: int, row: NDArray[np.float64], free: Freedom) -> bool:
    may = free.values[column]
    if row[column] != row[column]:
        return False
    if may is not None:
        return int(may.sum()) > 1 or not may[int(row[column])]
    return bool(free.low[column] != free.high[column] or free.low[column] != row[column])


def way_out(tree: Tree, row: NDArray[np.float64], free: Freedom) -> float:
    """Return a distance that a row must go at least to end at another leaf of a tree."""
    leaf = int(tree.apply(row[None])[0])
    region = next((region for region in regions(tree) if region.leaf == leaf), None)
    if region is None or region.is_curved:
        return 0.0
    known = ~np.isnan(row)
    ways = np.minimum(row - region.low, region.high - row)[known] / free.scale[known]
    least = min(ways.min(initial=np.inf), 1.0 if region.values else np.inf)
    for test, branch in region.sums:
        total = test.sums(row)
        for inequality in test.inequalities(branch):
            steepest = max(_steepest(part, inequality.factors, free) for part in test.parts)
            room = float(inequality.factors @ total) - inequality.bound
            least = min(least, max(room, 0.0) / steepest if steepest > 0 else np.inf)
    return float(max(least, 0.0))


def _steepest(part: Part, factors: NDArray[np.float64], free: Freedom) -> float:
    """Return the most that a change of 1 in a column can change a combination of sums by."""
    if part.table is not None:
        return float(np.ptp(part.table @ factors))
    jump = np.inf if _jumps(part) else 0.0
    return float(max(jump, np.abs(part.slope @ factors).max() * free.scale[part.column]))


def _jumps(part: Part) -> bool:
    """Whether a number adds suddenly more at a knot."""
    below = part.slope[:-1] * part.knots[:, None] + part.constant[:-1]
    above = part.slope[1:] * part.knots[:, None] + part.constant[1:]
    return not np.allclose(below, above)
