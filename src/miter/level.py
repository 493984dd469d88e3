"""What a splitter sees: the open nodes of one level, and each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.data.schema import Schema
from miter.data.table import Data

__all__ = ["Level", "Node", "Sample", "equal_rows", "table_of"]

#: What `core.move_rows` returns: rows, weights or None, start.
MovedRows = tuple[NDArray[np.int32], NDArray[np.float64] | None, NDArray[np.int64]]


def table_of(data: Data) -> core.Table:
    """Return the rows of data as the native core reads them; wrong labels are refused here."""
    schema = data.schema
    return core.Table(data.X, data.labels, data.costs, schema.n_classes, schema.n_values)


def equal_rows(data: Data, rows: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Return numbers from 0 on that are the same for rows of equal values and label."""
    key = data.labels[rows].astype(np.uint64)
    for column in data.X.T:
        # 0.0 and -0.0 are equal, and so are all missing values.
        cell = np.nan_to_num(column[rows].astype(np.float64), nan=np.inf) + 0.0
        key = (key ^ cell.view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return np.unique(key, return_inverse=True)[1].ravel()


@dataclass(frozen=True, eq=False)
class Sample:
    """Some of the rows.

    Parameters
    ----------
    rows : ndarray of int32
        Their numbers; a row may occur several times.
    weights : ndarray of float, optional
        How much each of them counts; None: as much as in the data.
    """

    rows: NDArray[np.int32]
    weights: NDArray[np.float64] | None = None

    @classmethod
    def whole(cls, data: Data) -> Sample:
        """Return all rows."""
        return cls(np.arange(data.n_rows, dtype=np.int32))

    def some(self, which: NDArray[np.integer[Any]]) -> Sample:
        """Return the rows at these places."""
        return Sample(self.rows[which], None if self.weights is None else self.weights[which])

    def left_out(self, n_rows: int) -> NDArray[np.intp]:
        """Return those of so many rows that are not in the sample."""
        is_left = np.ones(n_rows, bool)
        is_left[self.rows] = False
        return np.flatnonzero(is_left)

    def of(self, data: Data) -> Data:
        """Return the rows themselves."""
        is_whole = self.weights is None and len(self.rows) == data.n_rows
        if is_whole and np.array_equal(self.rows, np.arange(data.n_rows)):
            return data
        return data.take(self.rows, self.weights)


def _join_weights(data: Data, samples: Sequence[Sample]) -> NDArray[np.float64] | None:
    if data.weight is None and all(sample.weights is None for sample in samples):
        return None
    return np.concatenate(
        [data.weight_of(s.rows) if s.weights is None else s.weights for s in samples]
    )


@dataclass(frozen=True, eq=False)
class Node:
    """The rows of one open node, ready to use.

    Parameters
    ----------
    schema : Schema
        What the columns are.
    X : ndarray of shape (n_rows, n_columns)
        Numbers, codes of symbols, NaN.
    y : ndarray of shape (n_rows,)
        Class codes.
    weight : ndarray of shape (n_rows,)
        How much each row counts here.
    counts : ndarray of shape (n_classes,)
        Weight of each class.
    costs : ndarray of shape (n_rows, n_classes) or None
        What each class costs as the answer to each row; None: every mistake costs 1.
    columns : ndarray of int
        Positions of the columns that the split may test: all, or the node's random share of them.
    random : numpy.random.Generator
        The node's own source of chance: the same for the same seed, whatever else happens.
    """

    schema: Schema
    X: NDArray[Any]
    y: NDArray[np.int32]
    weight: NDArray[np.float64]
    counts: NDArray[np.float64]
    costs: NDArray[np.float64] | None
    columns: NDArray[np.intp]
    random: np.random.Generator


@dataclass(frozen=True, eq=False)
class Level:
    """All open nodes of a level. Only row numbers are stored: data do not move.

    Node i owns the entries ``start[i]`` to ``start[i + 1]`` of `rows` and `weights`; `weights` is
    None while every entry counts 1. A row with a missing value may stand in several nodes.
    `table` is the data as the native core reads them.
    `losses` (nodes x classes) says what each class costs as the answer to all rows of a node.
    `n_before` counts the nodes that were open on the levels above. `allowed` (nodes x columns) says
    which columns a node may test; None: all.
    """

    data: Data
    table: core.Table
    rows: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    start: NDArray[np.int64]
    counts: NDArray[np.float64]
    losses: NDArray[np.float64]
    n_before: int
    seed: int
    n_threads: int
    allowed: NDArray[np.uint8] | None = None

    @classmethod
    def root(cls, data: Data) -> Level:
        """Return the level that holds all rows in one node."""
        return cls.roots(data, [Sample.whole(data)], seed=0, n_threads=1)

    @classmethod
    def roots(cls, data: Data, samples: Sequence[Sample], *, seed: int, n_threads: int) -> Level:
        """Return the level of the roots of several trees, each with the rows of its sample."""
        rows = np.concatenate([sample.rows for sample in samples])
        start = np.cumsum([0, *(len(sample.rows) for sample in samples)])
        weights = _join_weights(data, samples)
        counts = np.array([data.class_counts(s.rows, s.weights) for s in samples])
        losses = np.array([data.losses(s.rows, s.weights) for s in samples])
        entries = rows, weights, start.astype(np.int64), counts, losses
        return cls(data, table_of(data), *entries, 0, seed, n_threads)

    def __len__(self) -> int:
        return len(self.counts)

    def only(self, keep: NDArray[np.bool_]) -> Level:
        """Return the level without some of its nodes."""
        if keep.all():
            return self
        sizes = np.diff(self.start)
        entries = np.repeat(keep, sizes)
        return replace(
            self,
            rows=self.rows[entries],
            weights=None if self.weights is None else self.weights[entries],
            start=np.concatenate([[0], np.cumsum(sizes[keep])]).astype(np.int64),
            counts=self.counts[keep],
            losses=self.losses[keep],
            allowed=None if self.allowed is None else self.allowed[keep],
        )

    def take(self, nodes: NDArray[np.integer[Any]]) -> Level:
        """Return the level of these nodes, of which some may occur several times."""
        sizes = np.diff(self.start)[nodes]
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        entries = np.arange(start[-1]) + np.repeat(self.start[nodes] - start[:-1], sizes)
        return replace(
            self,
            rows=self.rows[entries],
            weights=None if self.weights is None else self.weights[entries],
            start=start,
            counts=self.counts[nodes],
            losses=self.losses[nodes],
            allowed=None if self.allowed is None else self.allowed[nodes],
        )

    def allow(self, n_columns: int | None) -> Level:
        """Return the level with this many columns, drawn at random, open to each node."""
        n_all = self.data.schema.n_columns
        if n_columns is None or n_columns >= n_all:
            return self
        random = np.random.default_rng([self.seed, self.n_before, n_columns])
        order = random.random((len(self), n_all)).argpartition(n_columns - 1, axis=1)
        allowed = np.zeros((len(self), n_all), np.uint8)
        np.put_along_axis(allowed, order[:, :n_columns], 1, axis=1)
        return replace(self, allowed=allowed)

    def below(
        self, moved: MovedRows, counts: NDArray[np.float64], losses: NDArray[np.float64]
    ) -> Level:
        """Return the next level, of the rows that moved to branches that stay open."""
        rows, weights, start = moved
        n_before = self.n_before + len(self)
        run = n_before, self.seed, self.n_threads
        return Level(self.data, self.table, rows, weights, start, counts, losses, *run)

    def emphasised(self, importance: NDArray[np.float64]) -> Level:
        """Return the level with the weight of every row times its importance."""
        weights = importance[self.rows] * (1.0 if self.weights is None else self.weights)
        n_classes = self.counts.shape[1]
        node = np.repeat(np.arange(len(self)), np.diff(self.start))
        cell = node * n_classes + self.data.labels[self.rows]
        counts = np.bincount(cell, weights, minlength=self.counts.size).astype(float)
        return replace(self, weights=weights, counts=counts.reshape(self.counts.shape))

    @cached_property
    def native(self) -> core.Level:
        """The level as the native core reads it."""
        entries = self.rows, self.weights, self.start, self.counts, self.allowed
        seed = (self.seed * 1_000_003 + self.n_before) % 2**63
        return core.Level(*entries, seed, self.n_threads)

    def node_random(self, i: int) -> np.random.Generator:
        """Return a node's own source of chance."""
        return np.random.default_rng([self.seed, self.n_before + i])

    def node_seeds(self) -> NDArray[np.uint64]:
        """Return a number drawn by every node."""
        drawn = [self.node_random(i).integers(2**63) for i in range(len(self))]
        return np.array(drawn, np.uint64)

    def nodes(self) -> Iterator[Node]:
        """Go through the nodes one by one."""
        for i in range(len(self)):
            own = slice(self.start[i], self.start[i + 1])
            rows = self.rows[own]
            allowed = np.ones(self.data.X.shape[1]) if self.allowed is None else self.allowed[i]
            yield Node(
                self.data.schema,
                self.data.X[rows],
                self.data.labels[rows],
                np.ones(len(rows)) if self.weights is None else self.weights[own],
                self.counts[i],
                None if self.data.costs is None else self.data.costs[rows],
                np.flatnonzero(allowed),
                self.node_random(i),
            )
