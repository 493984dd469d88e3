"""Whole numbers in place of weights, and round numbers in place of thresholds.

A sum such as ``0.0342 glucose + 0.0743 bmi > 7.34`` is said in round units: 1, 2 or 5 times a power
of ten, near the deviation of each column. In these units its weights are scaled and rounded to
small whole numbers; those are kept that send most rows of the node where the sum sent them. A
threshold has the fewest digits that lie well between its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor, gcd, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.data.table import Data
from miter.splits import Linear, PackedSplits, Split, Term, Threshold
from miter.tree import Tree

__all__ = ["round_tree", "round_unit", "shortest_between"]

#: The largest weight of a sum is tried as each of these before rounding.
SCALES = np.arange(2, 19) / 2
#: For smaller numbers so much of the agreement is given up at most, and where there are many rows
#: no more than the second number divided by their root.
GIVEN_UP, CHANCE = 0.0065, 0.2
#: So many rows of a node tell how it rounds.
MOST_ROWS = 1000


def round_tree(tree: Tree, data: Data) -> Tree:
    """Return the tree with whole weights in round units, and thresholds of few digits.

    Parameters
    ----------
    tree : Tree
        Of tests with two branches.
    data : Data
        The rows that it was grown on.
    """
    units = _units(data)
    weight = data.weight_of()
    rows_of = {0: np.flatnonzero(weight > 0)}
    splits: list[Split | None] = []
    for node, split in enumerate(tree.splits):
        rows = rows_of.pop(node)
        if split is None:
            splits.append(None)
            continue
        some = rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_ROWS)).astype(np.intp)]
        if len(some):
            split = _rounded(split, data.X[some], weight[some], tree.schema, units)
        splits.append(split)
        branch = split.route(data.X[rows])
        for b in range(split.n_branches):
            # A missing value that is shared out goes both ways.
            rows_of[int(tree.first_child[node]) + b] = rows[(branch == b) | (branch == -1)]
    return replace(tree, splits=PackedSplits.of(splits), importances=None).recounted(data)


def round_unit(number: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the nearest to a positive number.

    Examples
    --------
    >>> from miter.growing.rounding import round_unit
    >>> round_unit(31.97), round_unit(0.331), round_unit(7.88)
    (50.0, 0.5, 10.0)
    """
    power = 10.0 ** floor(log10(number))
    nearest = min((1, 2, 5, 10), key=lambda digit: abs(np.log(number / (digit * power))))
    return float(f"{nearest * power:.3g}")


def shortest_between(low: float, high: float) -> float:
    """Return the number of fewest digits in the middle half of an interval.

    Examples
    --------
    >>> from miter.growing.rounding import shortest_between
    >>> shortest_between(28.9, 29.0), shortest_between(27.2, 31.0)
    (28.95, 30.0)
    """
    middle, quarter = low / 2 + high / 2, high / 4 - low / 4
    if not (quarter > 0 and np.isfinite(quarter)):
        return low
    first = floor(log10(max(abs(middle), quarter)))
    for digits in range(-first, 17 - first):
        rounded = round(middle, digits)
        if middle - quarter <= rounded <= middle + quarter and rounded < high:
            return rounded
    return middle if middle < high else low


def _units(data: Data) -> NDArray[np.float64]:
    """Return the round unit of every column; of a symbol 1."""
    units = np.ones(data.schema.n_columns)
    for c, column in enumerate(data.schema.columns):
        if not column.is_symbolic:
            x = data.X[:, c].astype(float)
            x = x[np.isfinite(x)]
            top = float(np.abs(x).max()) if len(x) else 0.0
            deviation = float((x / top).std()) * top if top > 0 else 0.0
            units[c] = round_unit(deviation) if 1e-290 < deviation < 1e290 else 1.0
    return units


def _rounded(
    split: Split,
    X: NDArray[Any],
    weight: NDArray[np.float64],
    schema: Schema,
    units: NDArray[np.float64],
) -> Split:
    if isinstance(split, Threshold) and len(split.cuts) == 1:
        cut = _tidy_cut(X[:, split.column], split.cuts[0], schema, split.column)
        return replace(split, cuts=(cut,))
    if not isinstance(split, Linear):
        return split
    sums = _Sums.of(split, X, units)
    whole, threshold = sums.round(split.route(X) == 1, weight)
    kept = [_tidy_term(term, X, schema) for term in sums.terms_with(split.terms, whole)]
    return Linear(tuple(kept), threshold)


def _tidy_term(term: Term, X: NDArray[Any], schema: Schema) -> Term:
    if term.cut is None:
        return term
    return replace(term, cut=_tidy_cut(X[:, term.column], term.cut, schema, term.column))


def _tidy_cut(x: NDArray[Any], cut: float, schema: Schema, column: int) -> float:
    """Return a cut of few digits that divides the same rows."""
    about = schema.columns[column]
    if about.kind != "numeric" or about.form is not None:
        return cut  # said as a value, or as a date
    x = x.astype(float)
    below, above = x[x <= cut], x[x > cut]
    if not (len(below) and len(above)):
        return cut
    return shortest_between(float(below.max()), float(above.min()))


@dataclass(frozen=True, eq=False)
class _Sums:
    """What the weights of a sum multiply, in round units: a column for each weight that is not 0.

    `place` says of which term, and there of which value, each column is.
    """

    weights: NDArray[np.float64]
    parts: NDArray[np.float64]  # rows x weights
    units: NDArray[np.float64]
    place: list[tuple[int, int]]

    @classmethod
    def of(cls, split: Linear, X: NDArray[Any], units: NDArray[np.float64]) -> _Sums:
        weights, parts, own_units, place = [], [], [], []
        for t, term in enumerate(split.terms):
            is_number = not term.is_symbolic and term.cut is None
            unit = units[term.column] if is_number else 1.0
            for value, (weight,) in enumerate(term.weights):
                if weight == 0:
                    continue
                weights.append(weight * unit)
                own_units.append(unit)
                place.append((t, value))
                parts.append(_part(term, value, X[:, term.column].astype(float)) / unit)
        return cls(np.array(weights), np.column_stack(parts), np.array(own_units), place)

    def round(
        self, above: NDArray[np.bool_], weight: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], float]:
        """Return whole weights, and the threshold, that send most rows to the same branch."""
        known: dict[tuple[int, ...], tuple[float, int]] = {}

        def merit_of(whole: tuple[int, ...]) -> tuple[float, int]:
            if whole not in known:
                known[whole] = self._merit(whole, above, weight)
            return known[whole]

        relative = self.weights / np.abs(self.weights).max()
        tried = {tuple(row) for row in np.rint(SCALES[:, None] * relative).astype(int).tolist()}
        best = max(tried, key=merit_of)
        merit = merit_of(best)
        improved = True
        while improved and merit[0] < 1.0:
            improved = False
            for k in range(len(best)):
                for step in (-1, 1):
                    trial = (*best[:k], best[k] + step, *best[k + 1 :])
                    if any(trial) and merit_of(trial)[0] > merit[0] + 1e-9:
                        best, merit, improved = trial, merit_of(trial), True
        # A sum is found up to chance: the smallest numbers that are as good as that are as true.
        least = merit[0] - min(GIVEN_UP, CHANCE / np.sqrt(len(above)))
        near = [one for one in {*tried, best} if merit_of(one)[0] >= least]
        best = min(near, key=lambda one: (sum(map(abs, one)), -merit_of(one)[0]))
        whole = np.array(best) // gcd(*best)
        return whole, self._cut(whole, above, weight)[1]

    def _merit(
        self, whole: tuple[int, ...], above: NDArray[np.bool_], weight: NDArray[np.float64]
    ) -> tuple[float, int]:
        return round(self._cut(np.array(whole), above, weight)[0], 9), -sum(map(abs, whole))

    def _cut(
        self, whole: NDArray[np.int64], above: NDArray[np.bool_], weight: NDArray[np.float64]
    ) -> tuple[float, float]:
        """Return the best agreement of a threshold on the sums, and the threshold."""
        total = self.parts @ whole
        order = np.argsort(total, kind="stable")
        total = total[order]
        agreed = np.cumsum(np.where(above, -weight, weight)[order])
        gap = np.diff(total) > 1e-9 * (np.abs(total[:-1]) + np.abs(total[1:]))
        share = np.where(gap, agreed[:-1], -np.inf)
        if not gap.any():
            return 0.0, float(total[-1])
        at = int(share.argmax())
        agreement = (share[at] + weight[above].sum()) / weight.sum()
        return float(agreement), shortest_between(float(total[at]), float(total[at + 1]))

    def terms_with(self, terms: tuple[Term, ...], whole: NDArray[np.int64]) -> list[Term]:
        """Return the terms with other weights, without those whose weights are all 0."""
        weights = [np.zeros(len(term.weights)) for term in terms]
        missing = [0.0] * len(terms)
        for (t, value), number, unit in zip(self.place, whole.tolist(), self.units, strict=True):
            new, old = float(f"{number / unit:.12g}"), terms[t].weights[value][0]
            weights[t][value] = new
            missing[t] += new * _missing_part(terms[t], value, old)
        return [
            replace(term, weights=tuple((w,) for w in own.tolist()), missing=(nothing,))
            for term, own, nothing in zip(terms, weights, missing, strict=True)
            if own.any()
        ]


def _part(term: Term, value: int, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a weight of a term multiplies for each row."""
    if term.is_symbolic:
        known = (x == value).astype(float)
    elif term.cut is not None:
        known = (x > term.cut).astype(float)
    else:
        known = x
    return np.where(np.isnan(x), _missing_part(term, value, term.weights[value][0]), known)


def _missing_part(term: Term, value: int, weight: float) -> float:
    """Return what a weight multiplies where the column is missing.

    Of several values of a symbol each gets an equal part of what is added.
    """
    n_weights = sum(1 for (own,) in term.weights if own != 0)
    return term.missing[0] / weight / n_weights
