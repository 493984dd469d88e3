"""Redundant leaves are merged, and no answer changes."""

import numpy as np
import pytest

from miter import LinearMachineTreeClassifier, UnivariateTreeClassifier
from miter.data import Data, led
from miter.prune import SameAnswer


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize(
    "costs", [None, {0: {1: 5, 2: 3}, 1: {0: 1, 2: 1}, 2: {0: 1, 1: 1}}], ids=["plain", "costs"]
)
@pytest.mark.parametrize("learner", [UnivariateTreeClassifier, LinearMachineTreeClassifier])
def test_no_answer_changes(learner, costs, missing):
    data = led(400, noise=0.3, seed=0)
    X = data.X.copy()
    X[np.random.default_rng(0).random(X.shape) < missing] = np.nan
    data = Data(data.schema, X, data.labels % 3)
    data = Data(type(data.schema)(data.schema.columns, (0, 1, 2)), X, data.y)
    tree = learner(pruning=None, costs=costs, random_state=0).fit(data).tree_
    merged = SameAnswer().prune(tree)
    whole = ~np.isnan(X).any(axis=1)
    assert np.array_equal(merged.predict(X[whole]), tree.predict(X[whole]))
    for node in np.flatnonzero(~merged.is_leaf):
        first = merged.first_child[node]
        below = slice(first, first + merged.splits.n_branches[node])
        same = merged.is_leaf[below] & (merged.labels[below] == merged.labels[node])
        assert not same.all()


def test_there_was_something_to_merge():
    tree = UnivariateTreeClassifier(pruning=None).fit(led(400, noise=0.3, seed=0)).tree_
    assert SameAnswer().prune(tree).n_leaves < tree.n_leaves
