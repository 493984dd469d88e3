"""What a splitter sees: the open nodes of one level, and each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.data.table import Data

__all__ = ["Level", "Node"]


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
    random : numpy.random.Generator
        The node's own source of chance: the same for the same seed, whatever else happens.
    """

    schema: Schema
    X: NDArray[Any]
    y: NDArray[np.int32]
    weight: NDArray[np.float64]
    counts: NDArray[np.float64]
    random: np.random.Generator


@dataclass(frozen=True, eq=False)
class Level:
    """All open nodes of a level. Only row numbers are stored: data do not move.

    Node i owns the entries ``start[i]`` to ``start[i + 1]`` of `rows` and `weights`; `weights` is
    None while every entry counts 1. A row with a missing value may stand in several nodes.
    `n_before` counts the nodes that were open on the levels above.
    """

    data: Data
    rows: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    start: NDArray[np.int64]
    counts: NDArray[np.float64]
    n_before: int
    seed: int
    n_threads: int

    @classmethod
    def root(cls, data: Data, seed: int = 0, n_threads: int = 1) -> Level:
        """Return the level that holds all rows in one node."""
        rows = np.arange(data.n_rows, dtype=np.int32)
        start = np.array([0, data.n_rows], np.int64)
        counts = data.class_counts()[None, :]
        return cls(data, rows, data.weight, start, counts, 0, seed, n_threads)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def entries(
        self,
    ) -> tuple[
        NDArray[np.int32], NDArray[np.float64] | None, NDArray[np.int64], NDArray[np.float64]
    ]:
        """What the native core reads, in its order."""
        return self.rows, self.weights, self.start, self.counts

    def nodes(self) -> Iterator[Node]:
        """Go through the nodes one by one."""
        for i in range(len(self)):
            own = slice(self.start[i], self.start[i + 1])
            rows = self.rows[own]
            yield Node(
                self.data.schema,
                self.data.X[rows],
                self.data.labels[rows],
                np.ones(len(rows)) if self.weights is None else self.weights[own],
                self.counts[i],
                np.random.default_rng([self.seed, self.n_before + i]),
            )
