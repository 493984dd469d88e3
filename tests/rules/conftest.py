"""Data sets that tests of rules share."""

import numpy as np
import pytest

from miter.data import Column, Data, Schema


def draw(seed, n_rows=300, missing=0.1, n_classes=3):
    """Return numbers, an ordered column and symbols, some of them missing."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.normal(size=(n_rows, 2)).round(2),
            random.integers(0, 4, n_rows),
            random.integers(0, 6, n_rows),
            random.integers(0, 3, n_rows),
        ]
    )
    score = X[:, 0] + 0.5 * X[:, 2] + (X[:, 3] % 2) - 0.7 * (X[:, 4] == 1)
    y = np.digitize(score + random.normal(0, 0.4, n_rows), np.quantile(score, [0.35, 0.7]))
    X[random.random(X.shape) < missing] = np.nan
    columns = (
        Column("height", "numeric"),
        Column("weight > 3", "numeric"),
        Column("size", "ordered", ("S", "M", "L", "XL")),
        Column("colour", "symbolic", tuple("abcdef")),
        Column("shape", "symbolic", ("round", "flat", "long")),
    )
    schema = Schema(columns, tuple("xyz")[:n_classes])
    return Data(schema, X, np.minimum(y, n_classes - 1).astype(np.int32))


def points(data, n_points=2000, seed=0):
    """Return random points: within the ranges and beyond, missing values and unseen ones too."""
    random = np.random.default_rng(seed)
    X = np.empty((n_points, data.schema.n_columns))
    for column, x in enumerate(data.X.T):
        known = x[~np.isnan(x)]
        if data.schema.columns[column].kind == "numeric":
            low, high = known.min(), known.max()
            X[:, column] = random.uniform(
                low - 0.1 * (high - low), high + 0.1 * (high - low), n_points
            )
            on_cut = random.random(n_points) < 0.2
            X[on_cut, column] = random.choice(known, on_cut.sum())
        else:
            # One more than there are: a value that training never saw.
            n_values = len(data.schema.columns[column].values)
            unseen = data.schema.columns[column].kind == "symbolic"
            X[:, column] = random.integers(0, n_values + unseen, n_points)
    X[random.random(X.shape) < 0.1] = np.nan
    return X


@pytest.fixture(scope="session")
def drawn():
    return draw


@pytest.fixture(scope="session")
def random_points():
    return points
