"""Rows that are made in the partitions, the same whatever the partitions are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import dask.array as da
import numpy as np
from dask import delayed
from numpy.typing import NDArray

#: Rows are drawn in blocks of so many, each from a seed of its own.
BLOCK_ROWS = 10_000
N_COLUMNS = 20


def block(number: int, n_rows: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Return the rows of a block: a curved surface of four columns, an oblique one, and noise."""
    random = np.random.default_rng([7, number])
    X = random.standard_normal((n_rows, N_COLUMNS), np.float32)
    score = X[:, 0] + 0.8 * X[:, 1] - 0.6 * X[:, 2] + np.where(X[:, 3] > 0.3, X[:, 4], -X[:, 5])
    y = (score > 0).astype(np.int8) + (np.abs(X[:, 6]) > 1.2)
    is_noise = random.random(n_rows) < 0.05
    y[is_noise] = random.integers(0, 3, is_noise.sum())
    return X, y


def piece(start: int, stop: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Return neighbouring rows, from whole blocks or parts of them."""
    first, last = start // BLOCK_ROWS, -(-stop // BLOCK_ROWS)
    X, y = np.empty((stop - start, N_COLUMNS), np.float32), np.empty(stop - start, np.int8)
    for number in range(first, last):
        own_X, own_y = block(number, BLOCK_ROWS)
        begin = number * BLOCK_ROWS
        a, b = max(start, begin), min(stop, begin + BLOCK_ROWS)
        X[a - start : b - start] = own_X[a - begin : b - begin]
        y[a - start : b - start] = own_y[a - begin : b - begin]
    return X, y


def collections(n_rows: int, n_partitions: int, *, with_empty: bool = False) -> tuple[Any, Any]:
    """Return rows and labels as Dask arrays, made when they are asked for."""
    ends = np.linspace(0, n_rows, n_partitions + 1).astype(int).tolist()
    if with_empty and n_partitions > 1:
        ends[2] = ends[1]
    tables, labels = [], []
    for start, stop in pairwise(ends):
        both = delayed(piece, nout=2, pure=True)(start, stop)
        shape = stop - start
        tables.append(da.from_delayed(both[0], (shape, N_COLUMNS), np.float32))
        labels.append(da.from_delayed(both[1], (shape,), np.int8))
    return da.concatenate(tables), da.concatenate(labels)


def rows_to_test(n_rows: int = 200_000) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Return rows that no training set has."""
    first = 10**6 * BLOCK_ROWS
    return piece(first, first + n_rows)
