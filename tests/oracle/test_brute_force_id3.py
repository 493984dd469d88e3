"""Trees for symbols against ID3 written as in a textbook."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miter.criteria import entropy
from miter.data import Column, Data, Schema, monks
from miter.growing.loop import grow
from miter.splitters import UnivariateSplitter


def brute_force_id3(X, y, n_values, n_classes, normalised, columns=None, parent_label=None):
    """Return a nested tree: a label, or (column, {value: subtree}, label of the node)."""
    columns = list(range(X.shape[1])) if columns is None else columns
    counts = np.bincount(y, minlength=n_classes)
    best = np.flatnonzero(counts == counts.max())
    label = parent_label if parent_label in best else int(best[0])
    candidates = [c for c in columns if len(np.unique(X[:, c])) > 1]
    if len(np.unique(y)) == 1 or not candidates:
        return label
    gains = {}
    for c in candidates:
        gain = float(entropy(counts))
        for value in np.unique(X[:, c]):
            own = np.bincount(y[X[:, c] == value], minlength=n_classes)
            gain -= own.sum() / len(y) * float(entropy(own))
        gains[c] = gain / np.log2(n_values[c]) if normalised else gain
    most = max(gains.values())
    column = min(c for c, gain in gains.items() if gain > most - 1e-10)
    rest = [c for c in columns if c != column]
    branches = {
        int(value): brute_force_id3(
            X[X[:, column] == value],
            y[X[:, column] == value],
            n_values,
            n_classes,
            normalised,
            rest,
            label,
        )
        for value in np.unique(X[:, column])
    }
    return column, branches, label


def classify(tree, row):
    while isinstance(tree, tuple):
        column, branches, label = tree
        if row[column] not in branches:
            return label
        tree = branches[row[column]]
    return tree


def nested(tree, node=0):
    """The engine's tree in the nested form of the brute-force one."""
    split = tree.splits[node]
    if split is None:
        return int(tree.labels[node])
    branches = {
        value: nested(tree, int(tree.first_child[node]) + branch)
        for value, branch in enumerate(split.branches)
        if branch >= 0
    }
    return split.column, branches, int(tree.labels[node])


def symbolic_data(X, y, n_values, n_classes):
    columns = tuple(
        Column(f"c{i}", "symbolic", tuple(f"v{v}" for v in range(n)))
        for i, n in enumerate(n_values)
    )
    return Data(Schema(columns, tuple(range(n_classes))), X.astype(float), y.astype(np.int32))


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(2, 120),
    n_values=st.lists(st.integers(2, 5), min_size=1, max_size=5),
    n_classes=st.integers(2, 4),
    normalised=st.booleans(),
)
def test_same_tree_as_brute_force(seed, n_rows, n_values, n_classes, normalised):
    random = np.random.default_rng(seed)
    X = np.column_stack([random.integers(0, n, n_rows) for n in n_values])
    y = random.integers(0, n_classes, n_rows)
    criterion = "normalised_gain" if normalised else "gain"
    tree = grow(symbolic_data(X, y, n_values, n_classes), UnivariateSplitter(criterion))
    expected = brute_force_id3(X, y, n_values, n_classes, normalised)
    assert nested(tree) == expected
    fresh = np.column_stack([random.integers(0, n, 50) for n in n_values])
    assert tree.predict(fresh.astype(float)).tolist() == [classify(expected, r) for r in fresh]


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_are_learned_without_error(problem):
    data = monks(problem)
    tree = grow(data, UnivariateSplitter("gain"))
    assert np.array_equal(tree.predict(data.X), data.y)
