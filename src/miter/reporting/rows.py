"""The rows of a report: all of them are counted, some of them are in the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column
from miter.data.table import Data
from miter.estimators.fitted import Fitted
from miter.estimators.reading import read_rows
from miter.lab.estimates.evaluation import labelled_rows
from miter.reporting.plain import plain_numbers
from miter.splits.names import say_name

__all__ = ["ReportRows", "column_contents", "read_report_rows"]

#: So many rows are in a page at most, and so many cells of them.
MOST_ROWS, MOST_CELLS = 2000, 60_000
#: So many rows are looked at for pictures of nodes, and for how tests are worded.
MOST_FOR_PICTURES = 20_000


@dataclass(frozen=True, eq=False)
class ReportRows:
    """Rows with what a model answers to them.

    Parameters
    ----------
    data : Data
        Coded as the model's schema says; without labels where they are not known.
    answers : ndarray of shape (n_rows,), int32
        The class that the model gives each row, as a position in its classes.
    name : str
        What the table is called; empty where it has no name.
    """

    data: Data
    answers: NDArray[np.int32]
    name: str = ""

    @property
    def has_labels(self) -> bool:
        """Whether the true classes are known."""
        return self.data.y is not None

    @cached_property
    def shown(self) -> NDArray[np.int64]:
        """The rows that are in the page, ascending.

        Half of them are every so many rows; the others are spread over the pairs of true and
        predicted class, so that there are rows of every mistake.
        """
        n_rows = self.data.n_rows
        most = min(MOST_ROWS, max(MOST_CELLS // max(self.data.schema.n_columns, 1), 1))
        if n_rows <= most:
            return np.arange(n_rows)
        even = np.linspace(0, n_rows - 1, most // 2).astype(np.int64)
        rest = np.setdiff1d(np.arange(n_rows), even)
        return np.union1d(even, rest[_spread_over(self._pairs[rest], most - len(even))])

    @cached_property
    def _pairs(self) -> NDArray[np.int64]:
        """The pair of true and predicted class of each row, as one number."""
        answers = self.answers.astype(np.int64)
        truth = 0 if self.data.y is None else self.data.y.astype(np.int64)
        return truth * self.data.schema.n_classes + answers

    @property
    def weights(self) -> NDArray[np.float64]:
        """For how many rows of its pair of true and predicted class each row of the page stands."""
        of_all, of_shown = np.bincount(self._pairs), np.bincount(self._pairs[self.shown])
        pairs = self._pairs[self.shown]
        weights: NDArray[np.float64] = of_all[pairs] / of_shown[pairs]
        return weights

    @cached_property
    def _pictured(self) -> NDArray[np.int64]:
        n_rows = self.data.n_rows
        return np.linspace(0, n_rows - 1, min(n_rows, MOST_FOR_PICTURES)).astype(np.int64)

    @cached_property
    def for_pictures(self) -> Data:
        """The rows that pictures of nodes are made from: all, or a sample."""
        is_all = len(self._pictured) == self.data.n_rows
        return self.data if is_all else self.data.take(self._pictured)

    @property
    def for_pictures_answers(self) -> NDArray[np.int32]:
        """What the model answers to them."""
        return self.answers[self._pictured]

    def contents(self) -> dict[str, Any]:
        """Return the rows of the page as plain values; row numbers count from 1."""
        rows = self.data.X[self.shown]
        truth = None if self.data.y is None else self.data.y[self.shown].tolist()
        return {
            "table": self.name,
            "total": self.data.n_rows,
            "numbers": (self.shown + 1).tolist(),
            "cells": [plain_numbers(row) for row in rows],
            "truth": truth,
            "answers": self.answers[self.shown].tolist(),
            "for_pictures": self.for_pictures.n_rows,
        }


def read_report_rows(model: Fitted, X: Any, y: Any = None, name: str = "") -> ReportRows:
    """Return the rows of a table as a model reads them, and its answers.

    Parameters
    ----------
    model : Fitted
        One tree or many.
    X : DataFrame, array or Data
        Rows; a frame may hold the true classes in the column that the model predicts.
    y : sequence, optional
        The true classes.
    name : str
        What the table is called.
    """
    if not hasattr(model, "classes_") and isinstance(X, Data):
        X = replace(X, y=None)  # clusters are no classes
    data = labelled_rows(model, X, y, needed=False)
    matrix = read_rows(model, data, model.schema_)  # an error where columns are others
    # Rows count once here, as in an evaluation.
    data = Data(model.schema_, matrix, data.y, reading=data.reading)
    return ReportRows(data, model.predict_codes(data.X), name)


def _spread_over(groups: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return places of so many members, an equal number of each group as far as there are."""
    order = np.argsort(groups, kind="stable")
    _, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    taken: list[NDArray[np.int64]] = []
    left, n_groups = most, len(sizes)
    for place, group in enumerate(np.argsort(sizes, kind="stable")):
        n_taken = min(int(sizes[group]), left // (n_groups - place))
        inside = np.linspace(0, sizes[group] - 1, n_taken).astype(np.int64)
        taken.append(order[starts[group] + inside])
        left -= n_taken
    return np.concatenate(taken)


def column_contents(
    column: Column, cells: NDArray[Any], importance: float, is_used: bool
) -> dict[str, Any]:
    """Return what a page knows of a column.

    Parameters
    ----------
    column : Column
        From the model's schema.
    cells : ndarray of shape (n_rows,)
        What the rows of the report hold.
    importance : float
        Its part of what all splits gain.
    is_used : bool
        Whether any split asks for it.
    """
    contents: dict[str, Any] = {
        "name": column.name,
        "said": say_name(column.name),
        "kind": column.kind,
        "importance": round(importance, 4),
        "used": is_used,
    }
    if column.values:
        return contents | {"values": list(column.values)}
    known = cells[np.isfinite(cells)].astype(float)
    ends = [float(known.min()), float(known.max())] if len(known) else [0.0, 1.0]
    is_whole = bool((known % 1 == 0).all())
    if column.spread is not None:
        ends = [min(ends[0], column.spread.least), max(ends[1], column.spread.most)]
        is_whole &= column.spread.is_whole
    contents |= {"least": ends[0], "most": ends[1], "whole": is_whole}
    if column.form is not None:
        contents |= {"part": column.form.part, "unit": column.form.unit}
    return contents
