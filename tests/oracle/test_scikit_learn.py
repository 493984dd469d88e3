"""Trees for numbers against scikit-learn's entropy and Gini trees, split by split."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from miter.criteria import entropy, gini
from miter.data import from_frame
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splitters import UnivariateSplitter


def impurity_left(impurity, X, y, rows, column, threshold, n_classes):
    """Weighted impurity of both sides: equal for both trees where gains tie."""
    left = X[rows, column] <= threshold
    parts = [np.bincount(y[rows][side], minlength=n_classes) for side in (left, ~left)]
    return sum(part.sum() * float(impurity(part)) for part in parts)


def compare(ours, theirs, X, y, impurity):
    """Walk both trees together; return how many splits were the same and how many only tied."""
    same = tied = 0
    reference = theirs.tree_
    n_classes = len(theirs.classes_)
    pairs = [(0, 0, np.arange(len(X)))]
    while pairs:
        node, other, rows = pairs.pop()
        split = ours.splits[node]
        is_leaf = reference.children_left[other] < 0
        assert (split is None) == is_leaf
        if split is None:
            continue
        column, threshold = reference.feature[other], reference.threshold[other]
        # scikit-learn finds its thresholds in float32.
        if split.column != column or not np.isclose(split.cuts[0], threshold, rtol=1e-6, atol=1e-6):
            left = [
                impurity_left(impurity, X, y, rows, c, t, n_classes)
                for c, t in ((split.column, split.cuts[0]), (column, threshold))
            ]
            assert np.isclose(left[0], left[1], rtol=1e-9, atol=1e-9)
            tied += 1
            continue
        same += 1
        goes_left = X[rows, column] <= split.cuts[0]
        first = ours.first_child[node]
        pairs.append((first, reference.children_left[other], rows[goes_left]))
        pairs.append((first + 1, reference.children_right[other], rows[~goes_left]))
    return same, tied


def make_problem(seed, n_rows, n_columns, n_classes, noise):
    random = np.random.default_rng(seed)
    # No ties among values: permutations, exact in float32.
    X = np.column_stack([random.permutation(n_rows) for _ in range(n_columns)]).astype(float)
    score = X @ random.normal(size=(n_columns, n_classes)) / n_rows
    y = np.where(
        random.random(n_rows) < noise, random.integers(0, n_classes, n_rows), score.argmax(axis=1)
    )
    y[:2] = 0, 1
    return X, np.unique(y, return_inverse=True)[1]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(10, 400),
    n_columns=st.integers(1, 6),
    n_classes=st.integers(2, 5),
    noise=st.floats(0, 0.5),
    min_leaf=st.integers(1, 5),
    gini_index=st.booleans(),
)
def test_same_splits_as_scikit_learn(
    seed, n_rows, n_columns, n_classes, noise, min_leaf, gini_index
):
    X, y = make_problem(seed, n_rows, n_columns, n_classes, noise)
    name, impurity = ("gini", gini) if gini_index else ("entropy", entropy)
    theirs = DecisionTreeClassifier(
        criterion=name, min_samples_leaf=min_leaf, min_samples_split=2 * min_leaf, random_state=0
    ).fit(X, y)
    splitter = UnivariateSplitter(criterion="gini" if gini_index else "gain", thresholds="exact")
    ours = grow(from_frame(X, y), splitter, Stopping(None, 2 * min_leaf, min_leaf))
    compare(ours, theirs, X, y, impurity)


def test_hardly_any_split_is_a_tie_on_large_nodes():
    # Guards the test above: with enough rows in a leaf nearly every split must be the very same.
    X, y = make_problem(0, 5000, 6, 3, 0.2)
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=30).fit(X, y)
    ours = grow(from_frame(X, y), UnivariateSplitter("gain"), Stopping(None, 2, 30))
    same, tied = compare(ours, theirs, X, y, entropy)
    assert same > 60
    assert tied <= 2
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.99
