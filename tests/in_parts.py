"""Tables that the tests of rows in parts share, cut into parts in several ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from miter.data import Data, from_frame
from miter.growing.parts import Parts
from miter.growing.sampling import Sampling
from miter.growing.workers import Here

#: So few rows that small tables have large nodes.
SAMPLING = Sampling(sample_rows=150, finish_rows=500)


def table(n_rows=2000, *, weighted=False, costly=False, seed=0):
    """Return rows with numbers, symbols, some of them rare, and missing values of both."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(n_rows, 4)), columns=list("abcd"))
    chances = [0.5, 0.3, 0.19, 0.01]
    X["s"] = pd.Categorical(random.choice(list("uvwx"), n_rows, p=chances))
    y = (X["a"] + X["b"] * X["c"] + (X["s"] == "u") + 0.3 * random.normal(size=n_rows) > 0.5) * 1
    y += X["d"] > 1.5
    X.loc[random.random(n_rows) < 0.1, "a"] = np.nan
    X.loc[random.random(n_rows) < 0.1, "s"] = None
    data = from_frame(X, y.to_numpy())
    if weighted:
        data = replace(data, weight=random.gamma(2.0, 0.5, n_rows))
    return data if not costly else with_cost_matrix(data, cost_matrix(data))


def cost_matrix(data: Data):
    n_classes = data.schema.n_classes
    matrix = np.random.default_rng(5).integers(1, 9, (n_classes, n_classes))
    return matrix * (1.0 - np.eye(n_classes))


def with_cost_matrix(data, matrix):
    return replace(data, costs=np.ascontiguousarray(matrix.T[data.labels]))


def cut(data, n_parts):
    """Return the rows in parts of different sizes, one of them empty where there are several."""
    places = np.random.default_rng(n_parts).integers(0, data.n_rows, n_parts - 1)
    ends = np.sort(np.append(places, data.n_rows))
    if n_parts > 2:
        ends[1] = ends[0]
    starts = np.concatenate([[0], ends[:-1]])
    return [data.take(np.arange(a, b)) for a, b in zip(starts, ends, strict=True)]


def parts_of(data, n_parts, sampling=SAMPLING, workers=None):
    names = [f"partition {k}" for k in range(n_parts)]
    like = data.take(np.arange(0))
    return Parts.of(workers or Here(), cut(data, n_parts), names, like, sampling)


def assert_same_tree(one, other):
    for name in ("kind", "int_start", "ints", "real_start", "reals", "n_branches"):
        np.testing.assert_array_equal(getattr(one.splits, name), getattr(other.splits, name), name)
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(one.training_losses, other.training_losses)
    assert one.notes == other.notes
