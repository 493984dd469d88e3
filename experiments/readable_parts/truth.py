"""Rows that a tree of three sparse tests made, and whether its tests are found again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import miter
from miter.splits import Linear

N_ROWS, N_COLUMNS, NOISE = 2000, 20, 0.05


def found_again(seed: int) -> int:
    """Return how many of the three tests the tree has, up to scale."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(N_ROWS, N_COLUMNS))
    tests = [_draw_test(random) for _ in range(3)]
    side = [X @ test > 0 for test in tests]
    y = np.where(side[0], 2 + side[1], side[2])  # four leaves, a class each
    wrong = random.random(N_ROWS) < NOISE
    y[wrong] = random.integers(0, 4, wrong.sum())
    model = miter.ReadableTreeClassifier(random_state=0, n_threads=1).fit(X, y)
    found = [_direction(split) for split in model.tree_.splits if isinstance(split, Linear)]
    return sum(any(_is_same(test, other) for other in found) for test in tests)


def _draw_test(random: np.random.Generator) -> NDArray[np.float64]:
    """Return weights of -3 to 3 for three of the columns."""
    test = np.zeros(N_COLUMNS)
    columns = random.choice(N_COLUMNS, 3, replace=False)
    test[columns] = random.integers(1, 4, 3) * random.choice([-1, 1], 3)
    return test


def _direction(split: Linear) -> NDArray[np.float64]:
    weights = np.zeros(N_COLUMNS)
    for term in split.terms:
        weights[term.column] = term.weights[0][0] if term.cut is None else np.nan
    return weights


def _is_same(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    norms = np.linalg.norm(one), np.linalg.norm(other)
    cosine = abs(float(one @ other)) / (norms[0] * norms[1])
    return bool(cosine > 1 - 1e-9)
