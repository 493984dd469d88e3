"""Machines as points tables: what counts, how many points for which class; the largest total wins.

A machine of K classes sums all of its columns K times. A points table of a few rows decides mostly
alike, and can be worked out by hand. How often it does is told.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax

from miter.checks import check_whole
from miter.data.labels import label_text
from miter.data.schema import Label, Schema
from miter.data.table import Data
from miter.estimators.fitted import Fitted, FittedTrees
from miter.estimators.reading import read_rows
from miter.lab.experiments.frames import make_frame
from miter.lab.experiments.task import single_threaded_sums
from miter.rules.points_rows import PointsRow, candidate_rows
from miter.rules.points_search import Decided, Draft, choose_rows, round_points
from miter.splits import Linear, Machine
from miter.splits.digits import say_number
from miter.splits.names import say_name
from miter.tree import Tree

__all__ = ["PointsTable", "points"]

#: Ways to search, from simple to free: with conditions on numbers, and how weights are held back.
WAYS = tuple((conditions, l2) for conditions in (False, True) for l2 in (1.0, 0.001))
#: So much more of the rows must a freer way decide alike, those given and those between.
WORTH = 0.005
#: So many rows are searched, and made between neighbours to choose by.
N_SEARCHED = 3000
N_BETWEEN = 2000
N_NEIGHBOURS = 6


@dataclass(frozen=True, eq=False)
class PointsTable:
    """Rows that count points for classes; made by `points`. `str` gives the table.

    Parameters
    ----------
    schema : Schema
        The columns that rows are about.
    classes : tuple of label
        One for each column of points. A class may have two, where two branches lead to it.
    rows : tuple of PointsRow
        Conditions and amounts.
    points : ndarray of shape (n_rows, n_classes), int
        From -9 to 9.
    start : ndarray of shape (n_classes,), int
        What a class has before anything is counted.
    odds : float
        How many times as likely a class gets, against another, by a point more.
    agreement : float
        For which part of the rows given it decides as the machine does.
    n_compared : int
        How many rows that were.

    Examples
    --------
    See `points`.
    """

    schema: Schema
    classes: tuple[Label, ...]
    rows: tuple[PointsRow, ...]
    points: NDArray[np.int64]
    start: NDArray[np.int64]
    odds: float
    agreement: float
    n_compared: int
    reader: Any = field(repr=False, default=None)

    def totals(self, X: Any) -> NDArray[np.float64]:
        """Return the total of each class for every row.

        Parameters
        ----------
        X : DataFrame, array or Data
            Rows like those of `fit`.
        """
        rows = _coded(self.reader, X)
        return Draft(self.rows, self.points.astype(float), self.start.astype(float)).totals(rows)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest total for every row; of equal ones the first."""
        return np.array(self.classes)[self.totals(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return probabilities by totals, in the order of `classes`."""
        shares = softmax(self.totals(X) * np.log(self.odds), axis=1)
        return np.asarray(shares, np.float64)

    @cached_property
    def _table(self) -> list[list[str]]:
        heads = [say_name(label_text(label), may_be_number=True) for label in self.classes]
        body = [
            [row.say(self.schema), *map(str, points)]
            for row, points in zip(self.rows, self.points.tolist(), strict=True)
        ]
        return [["", *heads], ["start", *map(str, self.start.tolist())], *body]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is to be said below the table."""
        n_alike = round(self.agreement * self.n_compared)
        return (
            "The class with the largest total wins; of equal ones the first.",
            f"A point more makes a class {say_number(float(f'{self.odds:.3g}'))} times as likely "
            "against another.",
            f"It decides as the machine does for {n_alike:,} of {self.n_compared:,} rows "
            f"({_floor_percent(self.agreement)} %).",
        )

    def to_text(self) -> str:
        """Return the table for a terminal."""
        widths = [max(map(len, cells)) for cells in zip(*self._table, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in self._table
        ]
        return "\n".join([*lines, "", *self.sentences])

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        table = [[cell.replace("|", "\\|") for cell in row] for row in self._table]
        rule = ["---", *["---:"] * len(self.classes)]
        lines = [f"| {' | '.join(row)} |" for row in (table[0], rule, *table[1:])]
        return "\n".join([*lines, "", *self.sentences])

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the table as a data frame, the start as its first row.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}
            Which kind; it must be installed.
        """
        heads, *body = self._table
        columns: dict[str, tuple[str, list[Any]]] = {"what counts": ("str", [r[0] for r in body])}
        for k, head in enumerate(heads[1:], 1):
            columns[head] = "int", [int(row[k]) for row in body]
        return make_frame(columns, backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        rows = [
            {"words": row.say(self.schema), "column": self.schema.columns[row.column].name}
            | {"points": points}
            for row, points in zip(self.rows, self.points.tolist(), strict=True)
        ]
        return {
            "classes": list(self.classes),
            "start": self.start.tolist(),
            "rows": rows,
            "odds": self.odds,
            "agreement": self.agreement,
            "n_compared": self.n_compared,
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def __str__(self) -> str:
        return self.to_text()


def points(
    model: Fitted | Tree,
    X: Any,
    y: Any = None,
    *,
    max_rows: int = 8,
    node: int = 0,
    random_state: int = 0,
) -> PointsTable:
    """Return a machine as a points table of few rows.

    The table is found anew: rows (conditions, and numbers that count for each unit) are chosen so
    that it decides as the machine does, then their points are made whole.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted model of one tree, or a tree, with a linear machine or a linear combination.
    X : DataFrame, array or Data
        Rows that tell where to decide alike: best those of training.
    y : sequence, optional
        Their classes, for probabilities by totals; better not those of training. By default the
        tree's own probabilities are taken for them.
    max_rows : int
        At most so many rows, beside the start.
    node : int
        Where the machine is; by default at the root.
    random_state : int
        For the rows made between those given, by which ways to search are compared.

    Returns
    -------
    PointsTable
        With the part of the rows for which it decides as the machine does.

    Raises
    ------
    TypeError
        When the node has no machine: what it does cannot be counted in points.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import LinearMachineTreeClassifier, points
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = LinearMachineTreeClassifier(random_state=0).fit(X, load_iris().target_names[y])
    >>> table = points(model, X, max_rows=3)
    >>> len(table.rows), table.agreement > 0.95
    (3, True)
    """
    check_whole("max_rows", max_rows, 1)
    tree = _tree_of(model)
    machine = _machine_at(tree, node)
    rows = _coded(model, X)
    if len(rows) == 0:
        raise ValueError("there are no rows to decide about; give at least one")
    classes = tuple(tree.schema.classes[code] for code in _classes_of(tree, machine, node))
    random = np.random.default_rng(random_state)
    sample = rows
    if len(rows) > N_SEARCHED:
        sample = rows[np.sort(random.choice(len(rows), N_SEARCHED, replace=False))]
    with single_threaded_sums():
        draft = _search(tree.schema, machine, sample.astype(np.float64), max_rows, random)
    decided = _decide(machine, rows)
    totals = draft.totals(rows)
    return PointsTable(
        tree.schema,
        classes,
        draft.rows,
        draft.points.astype(np.int64),
        draft.start.astype(np.int64),
        _odds(totals, _truth(tree, classes, rows, y)),
        float(np.mean(totals.argmax(axis=1) == decided.branch)),
        len(rows),
        model,
    )


def _search(
    schema: Schema,
    machine: Machine | Linear,
    X: NDArray[np.float64],
    max_rows: int,
    random: np.random.Generator,
) -> Draft:
    """Return the best of the tables that the ways to search find, in whole points."""
    decided = _decide(machine, X)
    between = _decide(machine, _rows_between(schema, X, random))
    columns = tuple(sorted({*machine.columns}))
    drafts = []
    for conditions, l2 in WAYS:
        candidates = candidate_rows(schema, X, columns, conditions=conditions)
        draft = choose_rows(candidates, decided, max_rows, l2)
        agreement = (draft.agreement(decided) + draft.agreement(between)) / 2
        drafts.append((agreement, draft))
    enough = max(agreement for agreement, _ in drafts) - WORTH
    best = next(draft for agreement, draft in drafts if agreement >= enough)
    # Rows between others tell as much of where the machine decides, and points are many.
    both = Decided(
        np.vstack([X, between.X]),
        np.concatenate([decided.branch, between.branch]),
        machine.n_branches,
    )
    return round_points(best, both)


def _decide(machine: Machine | Linear, X: NDArray[Any]) -> Decided:
    return Decided(X, machine.route(X).astype(np.int64), machine.n_branches)


def _rows_between(
    schema: Schema, X: NDArray[np.float64], random: np.random.Generator
) -> NDArray[np.float64]:
    """Return rows between neighbours: like those that will come, and not those learned from."""
    if len(X) < 3:
        return X
    known = np.where(np.isnan(X), np.nanmean(X, axis=0), X) if np.isnan(X).any() else X
    known = np.nan_to_num(known)
    scaled = (known - known.mean(axis=0)) / np.maximum(known.std(axis=0), 1e-300)
    squares = (scaled**2).sum(axis=1)
    one = random.integers(0, len(X), N_BETWEEN)
    other = np.empty_like(one)
    for first in range(0, N_BETWEEN, 200):
        own = one[first : first + 200]
        # Squared distances, but for what is the same for all neighbours of a row.
        distance = squares - 2 * scaled[own] @ scaled.T
        at = np.arange(len(own))
        distance[at, own] = np.inf
        near = np.argsort(distance, axis=1, kind="stable")[:, : min(N_NEIGHBOURS, len(X) - 1)]
        other[first : first + 200] = near[at, random.integers(0, near.shape[1], len(own))]
    made = X[one] + random.random((N_BETWEEN, 1)) * (X[other] - X[one])
    has_values = np.array([bool(column.values) for column in schema.columns])
    either = np.where(random.random(made.shape) < 0.5, X[one], X[other])
    return np.where(has_values, either, made)


def _odds(totals: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Return by what a point multiplies odds, so that the truth is most likely."""

    def loss(temper: float) -> float:
        scores = totals * temper
        shares = scores - logsumexp(scores, axis=1, keepdims=True)
        return -float((truth * shares).sum())

    # Totals that are never wrong would make a point worth infinitely much.
    found = minimize_scalar(loss, bounds=(1e-3, 3.0), method="bounded")
    return float(np.exp(found.x))


def _truth(
    tree: Tree, classes: tuple[Label, ...], rows: NDArray[Any], y: Any
) -> NDArray[np.float64]:
    """Return the probability of each class of the table for every row."""
    if y is not None:
        if len(y) != len(rows):
            raise ValueError(f"{len(y)} classes for {len(rows)} rows; give one for each")
        given = np.asarray(y, object)
        return np.column_stack([given == label for label in classes]).astype(float)
    codes = [tree.schema.classes.index(label) for label in classes]
    return tree.predict_proba(rows)[:, codes]


def _tree_of(model: Fitted | Tree) -> Tree:
    if isinstance(model, Tree):
        return model
    if not isinstance(model, Fitted):
        raise TypeError(
            f"{type(model).__name__} has no machine to make points of; give a fitted tree of "
            "Miter's, such as a LinearMachineTreeClassifier"
        )
    if len(model.trees_) > 1:
        raise ValueError(
            f"the model has {len(model.trees_)} trees; give one of them, as model.trees_[0]"
        )
    return model.trees_[0]


def _machine_at(tree: Tree, node: int) -> Machine | Linear:
    check_whole("node", node, 0)
    if node >= tree.n_nodes:
        raise ValueError(f"node is {node}; the tree has {tree.n_nodes} nodes, counted from 0")
    split = tree.splits[node]
    if isinstance(split, Machine | Linear):
        return split
    what = "is a leaf" if split is None else f"has a {split.name} test"
    raise TypeError(
        f"node {node} {what}, which counts no points; export_text says it, and "
        "LinearMachineTreeClassifier grows trees of machines"
    )


def _classes_of(tree: Tree, machine: Machine | Linear, node: int) -> list[int]:
    """Return the class that each branch speaks for."""
    if isinstance(machine, Machine):
        return list(machine.classes)
    first = int(tree.first_child[node])
    return tree.labels[first : first + 2].tolist()


def _coded(model: Any, X: Any) -> NDArray[Any]:
    if isinstance(model, FittedTrees):
        return read_rows(model, X, model.schema_)
    return np.asarray(X.X if isinstance(X, Data) else X)


def _floor_percent(share: float) -> str:
    """Return a percentage that is never rounded up."""
    return f"{np.floor(share * 1000) / 10:.1f}"
