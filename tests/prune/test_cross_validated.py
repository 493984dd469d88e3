"""Pruning at the price that cross-validation finds."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from miter import BaggedTreesClassifier, LinearMachineTreeClassifier, UnivariateTreeClassifier
from miter.data import led
from miter.growing.loop import grow
from miter.prune import CrossValidated
from miter.splitters import UnivariateSplitter


@pytest.mark.parametrize("value", [1, 0, -3, 2.5, True, "5"])
def test_senseless_cross_validation_is_refused(value):
    with pytest.raises(ValueError, match=f"n_folds is {value!r}; give a whole number from 2"):
        CrossValidated(n_folds=value)


def test_a_finished_tree_cannot_be_cross_validated():
    tree = grow(led(50, seed=0), UnivariateSplitter())
    with pytest.raises(ValueError, match="only a single tree learner"):
        CrossValidated().prune(tree, None)


@pytest.mark.parametrize("pruning", ["cross_validated", CrossValidated(n_folds=3)])
def test_univariate_trees_are_cross_validated(pruning):
    random = np.random.default_rng(0)
    X = random.normal(size=(2400, 4))
    y = (X[:, 0] > 0) ^ (random.random(2400) < 0.2)
    plain = UnivariateTreeClassifier(pruning=None).fit(X[:400], y[:400])
    pruned = UnivariateTreeClassifier(pruning=pruning, random_state=0).fit(X[:400], y[:400])
    assert pruned.get_n_leaves() < 0.2 * plain.get_n_leaves()
    assert pruned.score(X[400:], y[400:]) > plain.score(X[400:], y[400:]) + 0.05
    # Every row was grown on in the end.
    assert pruned.tree_.counts[0].sum() == 400


def test_noise_is_pruned_to_the_root():
    n_roots = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(150, 4)), random.random(150) < 0.3
        model = UnivariateTreeClassifier(pruning="cross_validated", random_state=seed).fit(X, y)
        n_roots += model.get_n_leaves() == 1
    assert n_roots >= 8


@pytest.mark.parametrize(
    "tree",
    [
        UnivariateTreeClassifier(pruning="cross_validated"),
        LinearMachineTreeClassifier(),
    ],
    ids=["univariate", "machines"],
)
def test_bagged_trees_are_not_cross_validated(tree):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:200], y[:200]
    bagged = BaggedTreesClassifier(tree, n_estimators=5, random_state=0).fit(X, y)
    unpruned = BaggedTreesClassifier(type(tree)(pruning=None), n_estimators=5, random_state=0).fit(
        X, y
    )
    assert bagged.score(X, y) > 0.95
    for one, other in zip(bagged.estimators_, unpruned.estimators_, strict=True):
        assert np.array_equal(one.tree_.counts, other.tree_.counts)
