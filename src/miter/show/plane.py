"""A tree in the plane of two columns: which node each part of it ends at, as exact polygons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from miter.show.polygons import Polygon, area, clip, largest_parts
from miter.splits.expression import (
    Cell,
    Distance,
    Expression,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    Sum,
    evaluate,
)
from miter.splits.sums import Part, flatten
from miter.tree import Tree

__all__ = ["Boundary", "Plane", "is_straight"]

#: Parts of the whole that are smaller are the work of rounding.
TINY = 1e-12
#: How near to a line a corner lies on it, and how far beside it is looked, as a part of the whole.
NEAR, BESIDE = 1e-9, 1e-7


class Boundary(NamedTuple):
    """A piece of the line between two parts.

    Parameters
    ----------
    start, end : ndarray of shape (2,)
        Its ends.
    nodes : tuple of int
        Where rows end on its sides.
    """

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    nodes: tuple[int, int]


def is_straight(tree: Tree) -> bool:
    """Whether no test of a tree is curved, so that a plane of it has straight lines alone."""
    return not any(_is_curved(split.expression) for split in tree.splits if split is not None)


def _is_curved(expression: Expression) -> bool:
    match expression:
        case Sigmoid():
            return True
        case Sum(parts):
            return any(_is_curved(part) for _, part in parts)
        case Step(of) | IfMissing(_, _, of):
            return _is_curved(of)
        case Largest(of):
            return any(map(_is_curved, of))
    return False


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane of two columns through a row.

    Parameters
    ----------
    row : ndarray of shape (n_columns,)
        What all other columns are; nothing in it is missing.
    columns : tuple of int
        The two columns.
    n_values : tuple of int
        How many values each of them has; 0 for a number. A value is as wide as 1.
    frame : ndarray of shape (4, 2)
        The rectangle that is looked at.

    Examples
    --------
    >>> import numpy as np
    >>> from miter import id3
    >>> from miter.show.plane import Plane
    >>> from miter.show.polygons import rectangle
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = id3().fit(X, [0, 0, 0, 1]).tree_
    >>> plane = Plane(np.zeros(2), (0, 1), (0, 0), rectangle(0, 1, 0, 1))
    >>> sorted((int(tree.labels[node]), len(part)) for node, part in plane.parts(tree))
    [(0, 4), (0, 4), (1, 4)]
    """

    row: NDArray[np.float64]
    columns: tuple[int, int]
    n_values: tuple[int, int]
    frame: Polygon

    def rows_at(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return rows at places of the plane; of symbols the value that is there."""
        rows = np.tile(self.row, (len(places), 1))
        for axis, column in enumerate(self.columns):
            n_values = self.n_values[axis]
            x = places[:, axis]
            rows[:, column] = np.clip(np.round(x), 0, n_values - 1) if n_values else x
        return rows

    def parts(self, tree: Tree) -> Iterator[tuple[int, Polygon]]:
        """Yield the nodes where rows end, and convex polygons of the plane where they do."""
        least = TINY * area(self.frame)
        stack = [(0, self.frame)]
        while stack:
            node, polygon = stack.pop()
            split = tree.splits[node]
            if split is None:
                yield node, polygon
                continue
            for branch, part in self._divide(_known(split.expression), polygon):
                if area(part) <= least:
                    continue
                if branch < 0:  # no branch fits: rows end here
                    yield node, part
                else:
                    stack.append((int(tree.first_child[node]) + branch, part))

    def _divide(self, test: Expression, polygon: Polygon) -> Iterator[tuple[int, Polygon]]:
        """Yield the branches that a test takes, with the parts of a polygon where it does."""
        for cell in self._cells(test, polygon):
            match test:
                case Step(of, cuts):
                    value = self._at_corners(of, cell)
                    carried = np.column_stack([cell, value])
                    for branch, (low, high) in enumerate(pairwise([-np.inf, *cuts, np.inf])):
                        part = carried
                        if np.isfinite(low):
                            part = clip(part, part[:, 2] - low, strict=True)
                        if np.isfinite(high) and len(part):
                            part = clip(part, high - part[:, 2])
                        yield branch, part[:, :2]
                case Largest(of):
                    values = np.column_stack([self._at_corners(one, cell) for one in of])
                    yield from enumerate(largest_parts(cell, values))
                case _:
                    middle = self.rows_at(cell.mean(axis=0)[None])
                    yield int(evaluate(test, middle)[0]), cell

    def _cells(self, test: Expression, polygon: Polygon) -> list[Polygon]:
        """Return parts of a polygon in which the sums of a test are linear."""
        cells = [polygon]
        for axis in (0, 1):
            for knot in self._knots(test, axis):
                sides = ((clip(c, knot - c[:, axis]), clip(c, c[:, axis] - knot)) for c in cells)
                cells = [side for both in sides for side in both if len(side) >= 3]
        return cells

    def _knots(self, test: Expression, axis: int) -> list[float]:
        """Return where the sums of a test bend or jump along an axis."""
        places = [place for column, place in _bends(test) if column == self.columns[axis]]
        if self.n_values[axis]:
            places = [value + 0.5 for value in range(self.n_values[axis] - 1)] if places else []
        low, high = self.frame[:, axis].min(), self.frame[:, axis].max()
        return sorted({place for place in places if low < place < high})

    def _at_corners(self, expression: Expression, cell: Polygon) -> NDArray[np.float64]:
        """Return a sum that is linear in a cell at its corners."""
        middle = cell.mean(axis=0)
        slopes = np.zeros(2)
        for part, factor in flatten((1.0, expression)).factors.items():
            for axis, column in enumerate(self.columns):
                if self.n_values[axis] == 0:
                    slopes[axis] += factor * _slope(part, column, middle[axis])
        at_middle = evaluate(expression, self.rows_at(middle[None]))[0]
        corners: NDArray[np.float64] = at_middle + (cell - middle) @ slopes
        return corners

    def boundaries(self, tree: Tree, parts: list[tuple[int, Polygon]]) -> Iterator[Boundary]:
        """Yield the lines between parts where rows end at different nodes, each once.

        Parameters
        ----------
        tree : Tree
            That `parts` are of.
        parts : list
            All that `parts` yields.
        """
        size = np.ptp(self.frame, axis=0)
        scaled = [(polygon - self.frame[0]) / size for _, polygon in parts]
        corners = np.vstack(scaled)
        pieces = [piece for polygon in scaled for piece in _edges(polygon, corners)]
        if not pieces:
            return
        ends = np.array(pieces)
        middle, along = ends.mean(axis=1), ends[:, 1] - ends[:, 0]
        across = BESIDE * np.column_stack([-along[:, 1], along[:, 0]])
        across /= np.linalg.norm(along, axis=1, keepdims=True)
        inside = ((middle > BESIDE) & (middle < 1 - BESIDE)).all(axis=1)
        sides = [
            tree.apply(self.rows_at((middle + side * across) * size + self.frame[0]))
            for side in (-1, 1)
        ]
        seen = set()
        for place in np.flatnonzero(inside & (sides[0] != sides[1])).tolist():
            key = tuple(np.round(middle[place], 7))
            if key not in seen:  # both parts have it
                seen.add(key)
                start, end = ends[place] * size + self.frame[0]
                yield Boundary(start, end, (int(sides[0][place]), int(sides[1][place])))


def _known(expression: Expression) -> Expression:
    return _known(expression.known) if isinstance(expression, IfMissing) else expression


def _bends(expression: Expression) -> Iterator[tuple[int, float]]:
    """Yield columns, and where along them the sums of a test bend or jump."""
    match expression:
        case Cell(column) | Lookup(column):
            yield column, np.nan
        case Distance(column, centre):
            yield column, centre
        case IfMissing(_, _, known):
            yield from _bends(known)
        case Sum(parts):
            for _, part in parts:
                yield from _jumps(part)
        case Step(of):
            yield from _bends(of)
        case Largest(of):
            for one in of:
                yield from _bends(one)


def _jumps(part: Expression) -> Iterator[tuple[int, float]]:
    """Yield where a part of a sum bends or jumps: a condition does so at its cut."""
    match part:
        case IfMissing(_, _, known):
            yield from _jumps(known)
        case Sum(parts):
            for _, inner in parts:
                yield from _jumps(inner)
        case Step(Cell(column), cuts):
            for cut in cuts:
                yield column, cut
        case _:
            yield from _bends(part)


def _slope(part: Part, column: int, place: float) -> float:
    """Return how steep a part of a sum is along a column."""
    match part:
        case Cell(own) if own == column:
            return 1.0
        case Distance(own, centre, is_above) if own == column and (place > centre) == is_above:
            return 1.0 if is_above else -1.0
    return 0.0


def _edges(polygon: Polygon, corners: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield the edges of a polygon, divided where corners of others lie on them."""
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        if length < NEAR:
            continue
        direction = along / length
        offset = corners - start
        place = offset @ direction
        beside = np.abs(offset[:, 0] * direction[1] - offset[:, 1] * direction[0])
        on_it = (beside < NEAR) & (place > NEAR) & (place < length - NEAR)
        stops = [0.0, *np.unique(np.round(place[on_it], 9)).tolist(), length]
        for a, b in pairwise(stops):
            yield np.array([start + a * direction, start + b * direction])
