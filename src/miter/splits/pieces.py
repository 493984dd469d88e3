"""Tests of one number, whatever their kind: where on its line each branch is taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import Cell, Distance, Expression, IfMissing, Largest, Step, evaluate
from miter.splits.sums import FlatSum, flatten

__all__ = ["Pieces", "pieces_of"]


@dataclass(frozen=True)
class Pieces:
    """A line in pieces, each with its branch.

    Parameters
    ----------
    column : int
        Whose numbers are on the line.
    cuts : tuple of float
        Where pieces meet, ascending.
    belongs_left : tuple of bool
        Whether each cut is itself a part of the piece before it.
    branches : tuple of int
        One more than cuts.
    """

    column: int
    cuts: tuple[float, ...]
    belongs_left: tuple[bool, ...]
    branches: tuple[int, ...]

    def route(self, X: NDArray[Any]) -> NDArray[np.int64]:
        """Return the branch of every row; of a missing value the last."""
        x = X[:, self.column].astype(float)
        place = np.zeros(len(x), int)
        for cut, is_left in zip(self.cuts, self.belongs_left, strict=True):
            place += ~(x <= cut) if is_left else ~(x < cut)
        return np.array(self.branches)[place]

    def with_cuts(self, cuts: tuple[float, ...]) -> Pieces:
        """Return the same pieces, cut elsewhere."""
        return replace(self, cuts=cuts)


def pieces_of(expression: Expression, column: int) -> Pieces | None:
    """Return where each branch is taken; None where the line has curves, or tests of sums.

    Parameters
    ----------
    expression : Expression
        A test of one column: a step or the largest of several sums.
    column : int
        That column, of numbers.

    Examples
    --------
    >>> from miter.splits import Linear, Term
    >>> from miter.splits.pieces import pieces_of
    >>> pieces_of(Linear((Term.number(0, -2.0),), 3.0).expression, 0)
    Pieces(column=0, cuts=(-1.5,), belongs_left=(False,), branches=(1, 0))
    """
    match expression:
        case IfMissing(_, _, known):
            return pieces_of(known, column)
        case Step(of, cuts):
            total = flatten((1.0, of))
            lines = [replace(total, constant=total.constant - cut) for cut in cuts]
        case Largest(of):
            lines = [flatten((1.0, one), (-1.0, other)) for one, other in combinations(of, 2)]
        case _:
            return None
    jumps, bends = _kinks(lines)
    if jumps is None:
        return None
    crossings = {root for line in lines for root in _roots(line, sorted({*jumps, *bends}))}
    return _put_together(expression, column, sorted({*jumps, *crossings}), jumps)


def _kinks(lines: list[FlatSum]) -> tuple[set[float] | None, set[float]]:
    """Return where lines jump, and where they bend; None where a part is neither."""
    jumps: set[float] = set()
    bends: set[float] = set()
    for part in {part for line in lines for part in line.factors}:
        match part:
            case Cell():
                pass
            case Distance(_, centre):
                bends.add(centre)
            case Step(Cell(), (cut,)):
                jumps.add(cut)
            case _:
                return None, bends
    return jumps, bends


def _roots(line: FlatSum, kinks: list[float]) -> list[float]:
    """Return where a line is 0, between its kinks or at them."""
    roots = []
    for low, high in pairwise([-np.inf, *kinks, np.inf]):
        slope, constant = _straight(line, low, high)
        root = -constant / slope if slope != 0 else np.nan
        if low <= root <= high and np.isfinite(root):
            roots.append(root)
    return roots


def _straight(line: FlatSum, low: float, high: float) -> tuple[float, float]:
    """Return slope and constant between two kinks."""
    inside = _inside(low, high)
    slope, constant = 0.0, line.constant
    for part, factor in line.factors.items():
        match part:
            case Cell():
                slope += factor
            case Distance(_, centre, is_above) if (inside > centre) == is_above:
                slope += factor if is_above else -factor
                constant -= factor * centre if is_above else -factor * centre
            case Step(_, (cut,)) if inside > cut:
                constant += factor
    return slope, constant


def _inside(low: float, high: float) -> float:
    if np.isinf(low) and np.isinf(high):
        return 0.0
    if np.isinf(low) or np.isinf(high):
        edge = high if np.isinf(low) else low
        return edge + (-1 if np.isinf(low) else 1) * (abs(edge) + 1.0)
    return (low + high) / 2


def _put_together(
    expression: Expression, column: int, cuts: list[float], jumps: set[float]
) -> Pieces:
    cuts = [cut for before, cut in pairwise([-np.inf, *cuts]) if cut > before]
    X = np.zeros((len(cuts) + 1, column + 1))
    X[:, column] = [_inside(low, high) for low, high in pairwise([-np.inf, *cuts, np.inf])]
    branches = evaluate(expression, X).astype(int).tolist()
    kept = [i for i in range(len(cuts)) if branches[i] != branches[i + 1]]
    # Where sums are equal the first branch has the row; a condition does not hold at its cut.
    is_left = (cuts[i] in jumps or branches[i] < branches[i + 1] for i in kept)
    own = (branches[0], *(branches[i + 1] for i in kept))
    return Pieces(column, tuple(cuts[i] for i in kept), tuple(is_left), own)
