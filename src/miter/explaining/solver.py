"""Small linear programs with whole numbers, over HiGHS.

HiGHS solves the programs without whole numbers; these are branched on here, each from where the one
before ended. For programs of some dozen variables that is quicker than its own search by far.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["minimise"]

#: A variable this near to a whole number is one.
NEARLY_WHOLE = 1e-6
#: After so many programs the search ends.
MOST_PROGRAMS = 1_000
#: What costs less by this costs as much.
NOTHING = 1e-9

Pair = tuple[NDArray[np.float64], NDArray[np.float64]]


def minimise(
    cost: NDArray[np.float64],
    weights: NDArray[np.float64],
    bounds: Pair,
    between: Pair,
    is_whole: NDArray[np.bool_],
    at_most: float = np.inf,
) -> tuple[NDArray[np.float64] | None, float]:
    """Return the cheapest values of variables, and what all others cost at least.

    The values are None where none will do, or none that is cheap enough. Where there is too much to
    search through, they may not be the cheapest.

    Parameters
    ----------
    cost : ndarray of shape (n_variables,)
        What one of each costs.
    weights : ndarray of shape (n_rows, n_variables)
        Of sums that must lie within bounds.
    bounds : pair of ndarray of shape (n_rows,)
        The least and the most of each sum.
    between : pair of ndarray of shape (n_variables,)
        The least and the most of each variable.
    is_whole : ndarray of bool
        Which variables must be whole.
    at_most : float
        Only what costs less is wanted.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.explaining.solver import minimise
    >>> minimise(
    ...     np.array([2.0, 3.0]),
    ...     np.array([[1.0, 2.0]]),
    ...     (np.array([3.0]), np.array([9.0])),
    ...     (np.zeros(2), np.full(2, 9.0)),
    ...     np.array([True, True]),
    ... )
    (array([1., 1.]), 5.0)
    """
    solver = _Solver(cost, weights, bounds, between)
    best, least = _dive(solver, between, is_whole, at_most)
    ticket = count()
    waiting: list[Any] = [(-np.inf, next(ticket), between)]
    while waiting:
        bound, number, ends = heappop(waiting)
        if bound >= least - NOTHING:
            break
        if number > MOST_PROGRAMS:
            return best, bound
        found = solver.solve(ends)
        if found is None or (value := solver.value(found)) >= least - NOTHING:
            continue
        widest = _most_broken(found, is_whole)
        if widest is None:
            best, least = found, value
            continue
        for side in (0, 1):
            narrowed = ends[0].copy(), ends[1].copy()
            narrowed[1 - side][widest] = (np.floor, np.ceil)[side](found[widest])
            heappush(waiting, (value, next(ticket), narrowed))
    return best, least


def _dive(
    solver: _Solver, between: Pair, is_whole: NDArray[np.bool_], at_most: float
) -> tuple[NDArray[np.float64] | None, float]:
    """Make one number after the other whole, so that there is an answer to be beaten."""
    ends = between[0].copy(), between[1].copy()
    while (found := solver.solve(ends)) is not None and solver.value(found) < at_most:
        widest = _most_broken(found, is_whole)
        if widest is None:
            return found, solver.value(found)
        ends[0][widest] = ends[1][widest] = np.rint(found[widest])
    return None, at_most


def _most_broken(found: NDArray[np.float64], is_whole: NDArray[np.bool_]) -> int | None:
    parts = np.abs(found - np.rint(found)) * is_whole
    widest = int(np.argmax(parts))
    return widest if parts[widest] > NEARLY_WHOLE else None


class _Solver:
    """One program whose variables' ends can be changed."""

    def __init__(
        self,
        cost: NDArray[np.float64],
        weights: NDArray[np.float64],
        bounds: Pair,
        between: Pair,
    ) -> None:
        import highspy

        self._optimal = highspy.HighsModelStatus.kOptimal
        self._cost = cost
        self._numbers = np.arange(len(cost), dtype=np.int32)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = len(cost), len(weights)
        program.col_cost_ = cost
        program.col_lower_, program.col_upper_ = between
        program.row_lower_, program.row_upper_ = bounds
        row, column = np.nonzero(weights)
        starts = np.searchsorted(row, np.arange(len(weights) + 1))
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = starts.astype(np.int32)
        program.a_matrix_.index_ = column.astype(np.int32)
        program.a_matrix_.value_ = weights[row, column]
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("presolve", "off")  # it takes longer than these programs
        self._highs.passModel(program)

    def solve(self, ends: Pair) -> NDArray[np.float64] | None:
        """Return the best values between these ends, whole or not."""
        self._highs.changeColsBounds(len(self._numbers), self._numbers, *ends)
        self._highs.run()
        if self._highs.getModelStatus() != self._optimal:
            return None
        return np.array(self._highs.getSolution().col_value)

    def value(self, found: NDArray[np.float64]) -> float:
        """Return what values cost."""
        return float(self._cost @ found)
