"""The nearest row by the root of the sum of squares: a least distance program for each choice.

With the piece of every column chosen, all tests are linear, and the nearest point that meets linear
inequalities follows from nonnegative least squares (Lawson and Hanson 1974, *Solving least squares
problems*, chapter 23).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from miter.explaining.freedom import Freedom
from miter.explaining.pieces import SumTest
from miter.explaining.program import INSIDE, Choice, added, choices_of

__all__ = ["nearest_row_by_squares"]

#: So many combinations of pieces are tried one by one; beyond that, one column at a time.
MOST_COMBINATIONS = 128
#: How often numbers that must be whole are branched on.
MOST_BRANCHES = 200

Taken = tuple[SumTest, int]


def nearest_row_by_squares(
    row: NDArray[np.float64], taken: Sequence[Taken], free: Freedom, *, margin: float = 0.0
) -> tuple[NDArray[np.float64] | None, bool]:
    """Return the row nearest to a given one that takes these branches, and whether it is surely so.

    Parameters
    ----------
    row, taken, free, margin
        As for `nearest_row`; there are no groups of columns.
    """
    columns = sorted({column for test, _ in taken for column in test.columns})
    knots = {
        column: sorted(
            {k for t, _ in taken for p in t.parts if p.column == column for k in p.knots}
        )
        for column in columns
    }
    choices = [choices_of(row[column], sorted(knots[column]), free, column) for column in columns]
    if not all(choices):
        return None, True
    trial = _Trial(row, columns, taken, free, margin)
    best, far = trial.solve([own[0] for own in choices], np.inf)
    near = [[c for c in own if c.cost < far] or own[:1] for own in choices]
    n_combinations = float(np.prod([float(len(own)) for own in near]))
    if n_combinations <= MOST_COMBINATIONS:
        for combination in islice(product(*near), 1, None):
            best, far = _better(trial.solve(combination, far), best, far)
        return best, True
    return _by_turns(trial, near, best, far), False


def _better(
    found: tuple[NDArray[np.float64] | None, float], best: NDArray[np.float64] | None, far: float
) -> tuple[NDArray[np.float64] | None, float]:
    return found if found[0] is not None and found[1] < far else (best, far)


def _by_turns(
    trial: _Trial, choices: list[list[Choice]], best: NDArray[np.float64] | None, far: float
) -> NDArray[np.float64] | None:
    """Try another piece for one column after another, as long as that helps."""
    current = [own[0] for own in choices]
    helps = True
    while helps:
        helps = False
        for number, own in enumerate(choices):
            for choice in own:
                if choice is not current[number]:
                    changed = [*current[:number], choice, *current[number + 1 :]]
                    row, distance = trial.solve(changed, far)
                    if row is not None and distance < far * (1 - 1e-9):
                        best, far, current, helps = row, distance, changed, True
    return best


class _Trial:
    def __init__(
        self,
        row: NDArray[np.float64],
        columns: Sequence[int],
        taken: Sequence[Taken],
        free: Freedom,
        margin: float,
    ) -> None:
        self.row, self.columns, self.taken = row, list(columns), taken
        self.free, self.margin = free, margin
        self.scale = free.scale[self.columns]
        self.is_whole = free.is_whole[self.columns]

    def solve(
        self, combination: Sequence[Choice], at_most: float
    ) -> tuple[NDArray[np.float64] | None, float]:
        """Return the nearest row with these pieces, and its distance."""
        origin = np.array([choice.origin for choice in combination])
        symbols = sum(c.cost**2 for c in combination if not c.ways and c.cost)
        weights, bounds = self._tests(combination)
        low, high = self._ends(combination)
        waiting, best = [(low, high)], None
        for _ in range(MOST_BRANCHES):
            if not waiting:
                break
            low, high = waiting.pop()
            step = _least_distance(weights, bounds, low, high)
            if step is None or (far := float(np.sqrt(step @ step + symbols))) >= at_most:
                continue
            value = self.row[self.columns] + step * self.scale
            parts = np.abs(value - np.rint(value)) * self.is_whole * (low < high)
            worst = int(np.argmax(np.nan_to_num(parts)))
            if parts[worst] > 1e-6:
                waiting += self._branch(low, high, worst, value[worst])
                continue
            moves = [bool(choice.ways) for choice in combination]
            best, at_most = np.where(moves, value, origin), far
        if best is None:
            return None, np.inf
        row = self.row.copy()
        row[self.columns] = np.where(self.is_whole, np.rint(best), best)
        return row, at_most

    def _branch(
        self, low: NDArray[np.float64], high: NDArray[np.float64], worst: int, value: float
    ) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        own, scale = self.row[self.columns[worst]], self.scale[worst]
        lower, upper = high.copy(), low.copy()
        lower[worst] = (np.floor(value) - own) / scale
        upper[worst] = (np.ceil(value) - own) / scale
        found = [(low, lower), (upper, high)]
        return [pair for pair in found if pair[0][worst] <= pair[1][worst]]

    def _ends(
        self, combination: Sequence[Choice]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        low, high = np.zeros(len(combination)), np.zeros(len(combination))
        for number, choice in enumerate(combination):
            if choice.ways:
                ends = [choice.origin, *(choice.origin + d * length for d, length in choice.ways)]
                own, scale = self.row[self.columns[number]], self.scale[number]
                low[number], high[number] = ((end - own) / scale for end in (min(ends), max(ends)))
        return low, high

    def _tests(
        self, combination: Sequence[Choice]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return weights of the steps, in deviations, and what their sums must reach."""
        place = {column: number for number, column in enumerate(self.columns)}
        weights, bounds = [], []
        for test, branch in self.taken:
            for inequality in test.inequalities(branch):
                weight = np.zeros(len(self.columns))
                rest = inequality.bound - float(inequality.factors @ test.constants)
                for part in test.parts:
                    number = place[part.column]
                    choice = combination[number]
                    at, slope = added(part, choice, inequality.factors)
                    if choice.ways:
                        own = self.row[part.column]
                        weight[number] = slope * self.scale[number]
                        at += slope * (own - choice.origin)
                    rest -= at
                size = float(np.sqrt(weight @ weight)) or 1.0
                weights.append(weight / size)
                bounds.append(rest / size + self.margin + INSIDE)
        return np.array(weights), np.array(bounds)


def _least_distance(
    weights: NDArray[np.float64],
    bounds: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.float64] | None:
    """Return the shortest vector whose weighted sums reach bounds, between ends; None if none."""
    eye = np.eye(len(low))
    matrix = np.vstack([weights, eye[low > -np.inf], -eye[high < np.inf]])
    bound = np.concatenate([bounds, low[low > -np.inf], -high[high < np.inf]])
    if (bound <= 0).all():
        return np.zeros(len(low))
    size = np.maximum(np.abs(bound).max(), 1.0)
    system = np.vstack([matrix.T, bound[None] / size])
    target = np.zeros(len(system))
    target[-1] = 1.0
    try:
        solution, _ = nnls(system, target, maxiter=50 * system.shape[1])
    except RuntimeError:  # it went round in circles: as good as none
        return None
    rest = target - system @ solution
    if rest[-1] <= 1e-10:
        return None
    step: NDArray[np.float64] = -rest[:-1] / rest[-1] * size
    return step if (matrix @ step >= bound - 1e-6).all() else None
