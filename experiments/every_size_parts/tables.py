"""Tables that exist at every size: four that are generated, three real ones in random order.

Fewer rows of a table are the first rows of it, so that a size differs from the next by rows that
are added. Rows to test are the same for all sizes and learners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from resumable import read_joined

from miter.data import Column, Data, Schema

MOST_ROWS, N_TEST_ROWS = 200_000, 10_000
N_COLUMNS = 15
REAL = ("covtype", "adult", "letter")


@dataclass(frozen=True, eq=False)
class Table:
    """Rows to learn, of which the first so-and-so-many are taken, and rows to test."""

    train: Data
    test: Data


@lru_cache(maxsize=2)
def table(name: str, seed: int) -> Table:
    """Return a table of at most 200,000 training rows, those of a real one in random order."""
    if name in GENERATED:
        rows = GENERATED[name](MOST_ROWS + N_TEST_ROWS, seed)
        order, n_test = np.arange(rows.n_rows), N_TEST_ROWS
    else:
        rows = _rows_of(name)
        order = np.random.default_rng(seed).permutation(rows.n_rows)
        n_test = min(N_TEST_ROWS, rows.n_rows // 4)
    return Table(rows.take(order[n_test : n_test + MOST_ROWS]), rows.take(order[:n_test]))


def _numbers(n: int) -> list[Column]:
    return [Column(f"x{place}", "numeric") for place in range(n)]


def _by_chance(y: np.ndarray, share: float, n_classes: int, random: np.random.Generator):
    """Replace a share of the labels by chance."""
    is_chance = random.random(len(y)) < share
    return np.where(is_chance, random.integers(n_classes, size=len(y)), y)


def oblique(n_rows: int, seed: int) -> Data:
    """Make four regions, cut by two hyperplanes, with two or three classes each side of a third."""
    planes = np.random.default_rng(1).normal(size=(3, N_COLUMNS))
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, N_COLUMNS))
    side = X @ planes.T > 0
    y = (side[:, 0] + 2 * side[:, 1] + side[:, 2]) % 3
    return _data(_numbers(N_COLUMNS), X, _by_chance(y, 0.1, 3, random), 3)


def axis_parallel(n_rows: int, seed: int) -> Data:
    """Make a truth that is a tree of thresholds, six levels deep, over eight of the columns."""
    concept = np.random.default_rng(2)
    depth = 6
    column = concept.integers(8, size=2**depth - 1)
    cut = concept.uniform(0.25, 0.75, size=2**depth - 1)
    label = concept.integers(3, size=2**depth)
    random = np.random.default_rng(seed)
    X = random.random((n_rows, N_COLUMNS))
    node = np.zeros(n_rows, np.int64)
    for _ in range(depth):
        node = 2 * node + 1 + (X[np.arange(n_rows), column[node]] > cut[node])
    return _data(_numbers(N_COLUMNS), X, _by_chance(label[node - len(cut)], 0.1, 3, random), 3)


def gaussians(n_rows: int, seed: int) -> Data:
    """Make four classes of two clouds each that overlap."""
    centres = np.random.default_rng(3).normal(size=(8, N_COLUMNS)) * 0.8
    random = np.random.default_rng(seed)
    cloud = random.integers(8, size=n_rows)
    X = centres[cloud] + random.normal(size=(n_rows, N_COLUMNS)) * 1.2
    return _data(_numbers(N_COLUMNS), X, cloud % 4, 4)


def mixed(n_rows: int, seed: int) -> Data:
    """Make numbers and symbols of 3 to 12 values, one cell in twenty missing, two classes."""
    concept = np.random.default_rng(4)
    n_values = (3, 4, 6, 8, 12, 3, 4)
    worth = [concept.normal(size=n) for n in n_values]
    weights = concept.normal(size=8)
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_rows, 8))
    symbols = np.column_stack([random.integers(n, size=n_rows) for n in n_values])
    score = numbers @ weights * (symbols[:, 0] > 0)
    score += sum(own[symbols[:, place]] for place, own in enumerate(worth))
    score += random.logistic(size=n_rows)
    X = np.column_stack([numbers, symbols.astype(float)])
    X[random.random(X.shape) < 0.05] = np.nan
    columns = _numbers(8) + [
        Column(f"s{place}", "symbolic", tuple("abcdefghijkl"[:n]))
        for place, n in enumerate(n_values)
    ]
    return _data(columns, X, score > 0, 2)


def _data(columns: list[Column], X: np.ndarray, y: np.ndarray, n_classes: int) -> Data:
    schema = Schema(tuple(columns), tuple("ABCD"[:n_classes]))
    return Data(schema, X, np.asarray(y, np.int32))


GENERATED: dict[str, Callable[[int, int], Data]] = {
    "oblique": oblique,
    "axis-parallel": axis_parallel,
    "gaussians": gaussians,
    "mixed": mixed,
}


@cache
def _rows_of(name: str) -> Data:
    return read_joined(name)
