"""What one would have to know to be sure.

MACIE (Gallant 1988, *Connectionist expert systems*) asks for what is missing and could change its
conclusion. Here a missing column is named if some value of it, all else being as it is, changes the
answer of the model; the column that can change the probability of the answer most comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column, Label
from miter.estimators.fitted import Fitted
from miter.explaining.pieces import CurvedError, Part, SumTest, read_test
from miter.explaining.rows import say_cell
from miter.tree import Tree

__all__ = ["Question", "questions"]

#: So many numbers are tried where a test is curved, or where the range is all that is known.
N_TRIED = 200


@dataclass(frozen=True)
class Question:
    """A column that is missing and could change the answer.

    Parameters
    ----------
    column : str
        Its name.
    most : float
        By how much it can change the probability of the present answer.
    answers : mapping of label to value
        The other answers that it can lead to, and a value that does.
    """

    column: str
    most: float
    answers: dict[Label, Any]


def questions(model: Fitted, row: NDArray[np.float64]) -> list[Question]:
    """Return the missing columns of a row that could change the answer, the weightiest first.

    Parameters
    ----------
    model : Fitted
        A fitted classifier.
    row : ndarray of shape (n_columns,)
        Numbers and codes; NaN where missing.
    """
    schema = model.schema_
    now = int(model.predict_codes(row[None])[0])
    before = _shares(model, row[None])[0, now]
    tested = {c for tree in model.trees_ for c in _tested(tree)}
    found = []
    for column in [c for c in np.flatnonzero(np.isnan(row)).tolist() if c in tested]:
        values = _values(model, row, column)
        rows = np.repeat(row[None], len(values), axis=0)
        rows[:, column] = values
        codes = model.predict_codes(rows)
        others = np.flatnonzero(codes != now)
        if len(others):
            most = float(np.abs(_shares(model, rows)[:, now] - before).max())
            answers = {
                schema.classes[int(code)]: say_cell(
                    float(values[others[codes[others] == code][0]]), schema.columns[column]
                )
                for code in np.unique(codes[others])
            }
            found.append(Question(schema.columns[column].name, most, answers))
    return sorted(found, key=lambda question: -question.most)


def _shares(model: Any, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = model.predict_shares(rows)
    return shares


def _tested(tree: Tree) -> set[int]:
    nodes = np.flatnonzero(~tree.is_leaf).tolist()
    return {c for node in nodes for c in tree.splits[node].columns}  # type: ignore[union-attr]


def _values(model: Fitted, row: NDArray[np.float64], column: int) -> NDArray[np.float64]:
    """Return one value of a column for each way that a tree can take, all else being as it is."""
    schema = model.schema_
    own = schema.columns[column]
    if own.values:
        return np.arange(len(own.values), dtype=float)
    cuts = {cut for tree in model.trees_ for cut in _cuts(tree, row, column)}
    low, high = _range(own, cuts)
    inner = sorted(cut for cut in cuts if low < cut < high)
    ends = np.array([low, *inner, high])
    values = np.concatenate([ends, (ends[1:] + ends[:-1]) / 2])
    if any(test is None for tree in model.trees_ for test in _tests(tree, column)):
        values = np.concatenate([values, np.linspace(low, high, N_TRIED)])
    if own.spread is not None and own.spread.is_whole:
        values = np.concatenate([np.floor(values), np.ceil(values)])
        values = values[(values >= low) & (values <= high)]
    return np.unique(values)


def _range(column: Column, cuts: set[float]) -> tuple[float, float]:
    if column.spread is not None:
        return column.spread.least, column.spread.most
    return min(cuts, default=0.0) - 1.0, max(cuts, default=0.0) + 1.0


def _tests(tree: Tree, column: int) -> Iterator[SumTest | None]:
    """Return the tests of a column that compare sums; None for one that is curved."""
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        split = tree.splits[node]
        if split is None or column not in split.columns:
            continue
        try:
            test = read_test(split.expression, tree.schema)
        except CurvedError:
            yield None
        else:
            if isinstance(test, SumTest):
                yield test


def _cuts(tree: Tree, row: NDArray[np.float64], column: int) -> Iterator[float]:
    """Return the numbers at which a test changes its mind, all else being as it is."""
    for test in _tests(tree, column):
        if test is None:
            continue
        own = next(part for part in test.parts if part.column == column)
        others = (part.at(row[part.column]) for part in test.parts if part is not own)
        rest = test.constants + sum(others)
        for branch in range(test.n_branches):
            for inequality in test.inequalities(branch):
                needed = inequality.bound - float(inequality.factors @ rest)
                yield from _crossings(own, inequality.factors, needed)


def _crossings(part: Part, factors: NDArray[np.float64], needed: float) -> Iterator[float]:
    """Return where what a number adds becomes what is needed, and where it bends."""
    yield from part.knots.tolist()
    ends = np.concatenate([[-np.inf], part.knots, [np.inf]])
    for piece, (low, high) in enumerate(pairwise(ends.tolist())):
        slope = float(factors @ part.slope[piece])
        if slope != 0:
            at = (needed - float(factors @ part.constant[piece])) / slope
            if low <= at <= high:
                yield at
