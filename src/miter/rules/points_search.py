"""The search for a points table: few rows that decide as a machine does, then whole points.

Rows are chosen by forward selection and exchange: a softmax of their amounts is fitted to the
machine's decisions, the candidates with the steepest loss are tried, and a row gives way to a
better one. Points are rounded at several scales, and changed one at a time as long as the loss
falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from miter.rules.points_rows import PointsRow, round_unit

__all__ = ["LARGEST", "Decided", "Draft", "choose_rows", "round_points"]

#: Points are whole numbers from minus this to this.
LARGEST = 9
#: Candidates that are fitted at each step, and rounds of exchange.
N_TRIED = 8
N_ROUNDS = 2
#: Scales of rounding: the largest points of conditions, or where there are none the deviation of
#: totals.
CONDITION_SCALES = (9.4, 8.4, 7.4, 6.4, 5.4, 4.4, 3.4)
TOTAL_SCALES = (50.0, 42.0, 35.0, 29.0, 24.0, 17.0, 12.0)

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Decided:
    """Rows and what the machine decides about them.

    Parameters
    ----------
    X : ndarray
        Rows, as splits read them.
    branch : ndarray of int
        What the machine decides.
    n_branches : int
        How many it may.
    """

    X: NDArray[np.floating]
    branch: NDArray[np.int64]
    n_branches: int


@dataclass(frozen=True, eq=False)
class Draft:
    """Rows of a table with their points, whole or not.

    Parameters
    ----------
    rows : tuple of PointsRow
        What counts.
    points : ndarray of shape (n_rows, n_branches)
        How much, for each branch.
    start : ndarray of shape (n_branches,)
        Before anything is counted.
    """

    rows: tuple[PointsRow, ...]
    points: Matrix
    start: Matrix

    def totals(self, X: NDArray[np.floating]) -> Matrix:
        """Return the total of each branch for every row."""
        return _amounts(self.rows, X) @ self.points + self.start

    def agreement(self, decided: Decided) -> float:
        """Return for which part of the rows the largest total is the machine's decision."""
        return float(np.mean(self.totals(decided.X).argmax(axis=1) == decided.branch))


def _amounts(rows: Sequence[PointsRow], X: NDArray[np.floating]) -> Matrix:
    return np.column_stack([row.amounts(X) for row in rows]) if rows else np.empty((len(X), 0))


def choose_rows(
    candidates: Sequence[PointsRow], decided: Decided, max_rows: int, l2: float
) -> Draft:
    """Choose rows whose softmax decides as the machine does; points are not whole yet.

    Parameters
    ----------
    candidates : sequence of PointsRow
        What to choose from.
    decided : Decided
        What to learn from.
    max_rows : int
        How many to choose.
    l2 : float
        Penalty of squared weights, of amounts scaled to deviation 1.
    """
    amounts = _amounts(candidates, decided.X)
    mean, deviation = amounts.mean(axis=0), amounts.std(axis=0)
    usable = np.flatnonzero(deviation > 1e-9 * (1 + np.abs(mean)))
    mean, deviation = mean[usable], deviation[usable]
    fit = _Softmax((amounts[:, usable] - mean) / deviation, decided, l2)
    chosen, weights = fit.select(min(max_rows, len(usable)))
    points = weights[1:] / deviation[chosen][:, None]
    start = weights[0] - mean[chosen] @ points
    return Draft(tuple(candidates[usable[i]] for i in chosen), points, start)


class _Softmax:
    """Softmax regressions on few of many columns."""

    def __init__(self, Z: Matrix, decided: Decided, l2: float) -> None:
        self.Z = Z
        self.target = np.eye(decided.n_branches)[decided.branch]
        self.l2 = l2

    def select(self, n_rows: int) -> tuple[list[int], Matrix]:
        chosen: list[int] = []
        weights, loss = self.fit([], np.zeros((1, self.target.shape[1])))
        for _ in range(n_rows):
            chosen, weights, loss = self._with_best(chosen, weights)
        for _ in range(N_ROUNDS):
            before = loss
            for column in tuple(chosen):
                place = chosen.index(column)
                rest = chosen[:place] + chosen[place + 1 :]
                without, _ = self.fit(rest, np.delete(weights, place + 1, axis=0))
                other = self._with_best(rest, without)
                if other[2] < loss * (1 - 1e-4):
                    chosen, weights, loss = other
            if loss > before * (1 - 1e-3):
                break
        return chosen, self.fit(chosen, weights, n_steps=300)[0]

    def _with_best(self, chosen: list[int], weights: Matrix) -> tuple[list[int], Matrix, float]:
        """Return the choice with one more column."""
        error = self.target - softmax(self._design(chosen) @ weights, axis=1)
        slope = ((self.Z.T @ error) ** 2).sum(axis=1)
        slope[chosen] = -1.0
        start = np.vstack([weights, np.zeros((1, weights.shape[1]))])
        tried = []
        for column in np.argsort(-slope, kind="stable")[:N_TRIED].tolist():
            if slope[column] >= 0:
                found, loss = self.fit([*chosen, column], start)
                tried.append((loss, [*chosen, column], found))
        loss, columns, found = min(tried, key=lambda one: one[0])
        return columns, found, loss

    def _design(self, columns: list[int]) -> Matrix:
        return np.column_stack([np.ones(len(self.Z)), self.Z[:, columns]])

    def fit(self, columns: list[int], start: Matrix, n_steps: int = 25) -> tuple[Matrix, float]:
        design, shape = self._design(columns), start.shape

        def loss_and_slope(flat: Matrix) -> tuple[float, Matrix]:
            weights = flat.reshape(shape)
            scores = design @ weights
            log_shares = scores - logsumexp(scores, axis=1, keepdims=True)
            penalty = weights * (np.arange(shape[0]) > 0)[:, None]
            loss = -(self.target * log_shares).sum() + 0.5 * self.l2 * (penalty**2).sum()
            slope = design.T @ (np.exp(log_shares) - self.target) + self.l2 * penalty
            return float(loss), slope.ravel()

        found = minimize(
            loss_and_slope,
            start.ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": n_steps},
        )
        return found.x.reshape(shape), float(found.fun)


def round_points(draft: Draft, decided: Decided) -> Draft:
    """Return the table in whole points that decides most like the machine.

    Units of numbers are chosen so that their points use the whole range.

    Parameters
    ----------
    draft : Draft
        Rows with points that are not whole.
    decided : Decided
        What the machine decides.
    """
    # The same for all branches changes nothing: the range is used best around its middle.
    points = draft.points - (draft.points.max(axis=1) + draft.points.min(axis=1))[:, None] / 2
    start = draft.start - draft.start.mean()
    best, best_key = draft, (-1.0, 0.0)
    for scale in _scales(draft, points, start, decided):
        rows, sizes = _fit_units(draft.rows, points * scale)
        whole, loss = _improve(rows, sizes, start * scale, 1 / scale, decided)
        key = whole.agreement(decided), -loss
        if key > best_key:
            best, best_key = whole, key
    return best


def _scales(draft: Draft, points: Matrix, start: Matrix, decided: Decided) -> list[float]:
    is_condition = np.array([row.unit is None for row in draft.rows], bool)
    if is_condition.any():
        largest = float(np.abs(points[is_condition]).max())
        return [top / largest for top in CONDITION_SCALES if largest > 0]
    totals = _amounts(draft.rows, decided.X) @ points + start
    deviation = float((totals - totals.mean(axis=1, keepdims=True)).std())
    return [top / deviation for top in TOTAL_SCALES if deviation > 0]


def _fit_units(rows: Sequence[PointsRow], points: Matrix) -> tuple[list[PointsRow], Matrix]:
    """Return numbers with the unit for which their points use the range."""
    fitted, sizes = [], points.copy()
    for i, row in enumerate(rows):
        largest = float(np.abs(points[i]).max())
        if row.unit is not None and largest > 0:
            unit = round_unit(row.unit * LARGEST / largest, at_most=True)
            sizes[i] *= unit / row.unit
            row = replace(row, missing=row.missing * row.unit / unit, unit=unit)
        fitted.append(row)
    return fitted, sizes


def _improve(
    rows: Sequence[PointsRow], points: Matrix, start: Matrix, temper: float, decided: Decided
) -> tuple[Draft, float]:
    """Round points, and change them one at a time by one as long as the loss falls.

    What a change adds to a total in the mean is taken from the start again, in whole points.
    """
    amounts = _amounts(rows, decided.X)
    middle = np.round(amounts.mean(axis=0))
    whole = np.round(points.clip(-LARGEST, LARGEST))
    # Where rounding moved a total in the mean, the start moves back.
    begin = np.round(start + (points - whole).T @ amounts.mean(axis=0))
    totals = amounts @ whole + begin
    own = np.arange(len(totals)), decided.branch

    def loss_of(totals: Matrix) -> float:
        scores = totals * temper
        return float(np.mean(logsumexp(scores, axis=1) - scores[own]))

    loss = loss_of(totals)
    for _ in range(20):
        before = loss
        for branch in range(decided.n_branches):
            for row, step in [(i, s) for i in range(-1, len(rows)) for s in (-1, 1)]:
                if row >= 0 and abs(whole[row, branch] + step) > LARGEST:
                    continue
                added = step * (amounts[:, row] - middle[row] if row >= 0 else 1.0)
                totals[:, branch] += added
                changed = loss_of(totals)
                if changed >= loss - 1e-12:
                    totals[:, branch] -= added
                    continue
                loss = changed
                if row >= 0:
                    whole[row, branch] += step
                    begin[branch] -= step * middle[row]
                else:
                    begin[branch] += step
        if loss > before - 1e-6:
            break
    return Draft(tuple(rows), whole, begin), loss
