"""What each column adds to the probabilities of rows: exact Shapley values.

The game is interventional: against a row of the background, a set of columns is worth what the
model answers to the row that has these columns from the row explained and the others from the
background. A walk down the tree decides only the columns that a test needs to know, so that a
test of one column costs one decision, and one of several columns as many as leave it open.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.checks import check_whole
from miter.data.labels import label_text
from miter.data.schema import Label
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.explaining.rows import schema_of
from miter.threads import resolve_threads
from miter.tree import Tree

__all__ = ["Attribution", "attribute"]

#: Two rows that differ in 12 columns never take more decisions.
LEAST_STATES = 2**12
#: So many decisions in all are a matter of seconds.
STATES_OF_ALL = 10_000_000


@dataclass(frozen=True, eq=False)
class Attribution:
    """What each column adds to the class probabilities of rows.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns, n_classes)
        What each column adds; with `expected` they sum to the probabilities of a row.
    expected : ndarray of shape (n_classes,)
        The mean probabilities of the background.
    error : ndarray of shape (n_rows, n_columns, n_classes), optional
        The standard errors of values that were estimated; None: all are exact. A column whose
        effect no order drawn has shown has an error of 0 all the same.
    columns : tuple of str
        Names of the columns.
    classes : tuple
        The labels.
    """

    values: NDArray[np.float64]
    expected: NDArray[np.float64]
    error: NDArray[np.float64] | None
    columns: tuple[str, ...]
    classes: tuple[Label, ...]

    def __str__(self) -> str:
        """Return the columns that add most, with the mean size of what they add to each class."""
        n_rows = len(self.values)
        if n_rows == 1:
            head, size, sign = "what it adds", self.values[0], "+"
        else:
            head, size, sign = "mean size of what it adds", np.abs(self.values).mean(axis=0), ""
        order = np.argsort(-np.abs(size).sum(axis=1), kind="stable")
        table = [["column", *map(label_text, self.classes)]]
        table += [["(expected)", *(f"{p:.3f}" for p in self.expected)]]
        table += [
            [self.columns[c], *(f"{value:{sign}.3f}" for value in size[c])]
            for c in order
            if size[c].any()
        ]
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        lines = (
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in table
        )
        return "\n".join([f"{head}, {n_rows:,} row{'s' * (n_rows != 1)}", *lines])

    def to_frame(self) -> Any:
        """Return a pandas frame with a row for each row, column and class."""
        import pandas as pd

        row, column, label = (index.ravel() for index in np.indices(self.values.shape))
        frame = pd.DataFrame(
            {
                "row": row,
                "column": np.array(self.columns, object)[column],
                "class": np.array(self.classes, object)[label],
                "value": self.values.ravel(),
            }
        )
        return frame if self.error is None else frame.assign(error=self.error.ravel())

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "columns": list(self.columns),
            "classes": list(self.classes),
            "expected": self.expected.tolist(),
            "values": self.values.tolist(),
            "error": None if self.error is None else self.error.tolist(),
        }


def attribute(
    model: Fitted,
    X: Any,
    background: Any,
    *,
    max_states: int | None = None,
    n_permutations: int = 1000,
    seed: int = 0,
    n_threads: int | None = None,
) -> Attribution:
    """Return what each column adds to the class probabilities of rows.

    These are the interventional Shapley values of `predict_proba`: the mean, over all orders of
    the columns and all rows of the background, of what changes when a column takes its value from
    the row in place of the background's. Of a forest they are the mean over its trees; where trees
    vote, a row that a missing value shares out gives each class its part of the vote.

    Parameters
    ----------
    model : Fitted
        A fitted tree or forest.
    X : DataFrame, array or Data
        The rows to explain, like those of `fit`.
    background : DataFrame, array or Data
        The rows to compare with, such as a hundred of the training rows.
    max_states : int, optional
        A row and one of the background are followed exactly while that takes at most so many
        decisions about columns in a tree; beyond, orders of the columns are drawn. None: 4096, or
        more where there are few pairs of rows. Rows that differ in 12 columns or fewer, of which
        nothing is missing, never take more than 4096; tests of one column take far fewer.
    n_permutations : int
        How many orders are drawn for each row, shared out over the background, at least 2 for
        each row of it; each is also taken backwards.
    seed : int
        How they are drawn.
    n_threads : int, optional
        None: all cores.

    Returns
    -------
    Attribution

    Warns
    -----
    UserWarning
        Where orders were drawn; `error` has the standard errors.

    Examples
    --------
    >>> from miter import attribute, id3
    >>> from miter.data import play_tennis
    >>> data = play_tennis()
    >>> tree = id3().fit(data)
    >>> print(attribute(tree, data.take([0]), background=data))
    what it adds, 1 row
    column         Yes      No
    (expected)   0.643   0.357
    Outlook     -0.387  +0.387
    Humidity    -0.339  +0.339
    Wind        +0.077  -0.077
    Temp.       +0.006  -0.006
    """
    check_whole("max_states", max_states, 1, optional=True)
    check_whole("n_permutations", n_permutations, 1)
    check_whole("seed", seed, 0)
    schema = schema_of(model)
    rows, others = (model._rows(table) for table in (X, background))  # type: ignore[attr-defined]
    if not len(others):
        raise DataError("the background has no rows; give some, such as a hundred training rows")
    if max_states is None:
        n_pairs = max(1, len(rows) * len(others) * len(model.trees_))
        max_states = max(LEAST_STATES, STATES_OF_ALL // n_pairs)
    n_draws = max(2, ceil(n_permutations / len(others)))
    shape = len(rows), schema.n_columns, schema.n_classes
    values, variance, expected = np.zeros(shape), np.zeros(shape), np.zeros(schema.n_classes)
    n_trees, n_sampled = len(model.trees_), 0
    for number, tree in enumerate(model.trees_):
        said = _said(model, tree)
        found, spread, sampled = core.attribute(
            tree.router,
            rows,
            others,
            said,
            max_states,
            n_draws,
            (seed + number) % 2**64,
            resolve_threads(n_threads),
        )
        values += found / n_trees
        variance += spread / n_trees**2
        expected += tree.router.blend(others, said, resolve_threads(n_threads)).mean(0) / n_trees
        n_sampled += sampled
    error = np.sqrt(variance) if n_sampled else None
    if error is not None:
        _tell_sampled(n_sampled, len(rows) * len(others) * n_trees, error, max_states)
    names = tuple(column.name for column in schema.columns)
    return Attribution(values, expected, error, names, schema.classes)


def _said(model: Fitted, tree: Tree) -> NDArray[np.float64]:
    """Return what each node of a tree says of the classes: probabilities, or its vote."""
    if getattr(model, "counts_votes", False):
        return np.eye(tree.schema.n_classes)[tree.labels]
    return tree.probabilities


def _tell_sampled(n: int, of: int, error: NDArray[np.float64], max_states: int) -> None:
    warnings.warn(
        f"{n:,} of {of:,} pairs of a row and one of the background take more than "
        f"{max_states:,} decisions; they were estimated from random orders of the columns, with "
        f"standard errors of up to {error.max():.2g} (see `error`); raise max_states for exact "
        "values, or n_permutations for smaller errors",
        stacklevel=3,
    )
