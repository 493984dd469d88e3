"""A forest of linear machine trees."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.model_selection import train_test_split
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import LinearMachineForestClassifier
from miter.data import led
from miter.registry import make_classifier

CHANCE = {
    "check_sample_weight_equivalence_on_dense_data": "which rows are drawn depends on their number"
}


@parametrize_with_checks(
    [LinearMachineForestClassifier(5, random_state=0)], expected_failed_checks=lambda _: CHANCE
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_it_is_better_than_one_of_its_trees():
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0, stratify=y)
    forest = LinearMachineForestClassifier(random_state=0).fit(X, y)
    assert forest.score(X_test, y_test) > 0.975
    assert forest.score(X_test, y_test) > forest.estimators_[0].score(X_test, y_test) + 0.05


def test_rows_left_out_estimate_the_accuracy():
    forest = LinearMachineForestClassifier(60, oob_score=True, random_state=0).fit(led(600, seed=0))
    test = led(5000, seed=1)
    right = np.mean(forest.predict(test) == np.array(test.schema.classes)[test.labels])
    assert forest.oob_score_ == pytest.approx(right, abs=0.05)


def test_nodes_use_random_columns():
    random = np.random.default_rng(0)
    X = random.normal(size=(150, 100))
    y = X[:, :3].sum(axis=1) > 0
    forest = LinearMachineForestClassifier(24, max_features=3, random_state=0).fit(X, y)
    roots = [tree.splits[0] for tree in forest.trees_]
    # Machines draw up to 30 columns, or three times as many as others.
    assert all(len(split.columns) <= 30 for split in roots)
    assert len({split.columns for split in roots}) > 8


def test_trees_of_several_kinds_take_turns():
    X, y = load_wine(return_X_y=True)
    forest = LinearMachineForestClassifier(12, random_state=0).fit(X, y)
    kinds = [{type(split).__name__ for split in tree.splits} for tree in forest.trees_]
    assert ["Machine" in own for own in kinds].count(True) >= 3
    assert all("Machine" not in kinds[turn] for turn in (0, 1, 3, 4, 6, 7, 9, 10))


def noisy(n_rows, wrong, seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 6))
    y = X[:, :3].sum(axis=1) > 0
    return X, y ^ (random.random(n_rows) < wrong)


def test_leaves_grow_with_the_noise():
    X, y = noisy(500, 0.2, 0)
    test = noisy(4000, 0.2, 1)
    own, grown = (
        LinearMachineForestClassifier(30, pruning=pruning, random_state=0).fit(X, y)
        for pruning in ("out_of_bag", None)
    )
    assert sum(tree.n_leaves for tree in own.trees_) < 0.5 * sum(
        tree.n_leaves for tree in grown.trees_
    )
    assert own.score(*test) > grown.score(*test) + 0.01


def test_clear_classes_keep_their_leaves():
    X, y = noisy(500, 0.0, 0)
    own, grown = (
        LinearMachineForestClassifier(30, pruning=pruning, random_state=0).fit(X, y)
        for pruning in ("out_of_bag", None)
    )
    assert np.array_equal(own.predict_proba(X), grown.predict_proba(X))


def test_weights_and_costs_go_through():
    X, y = noisy(400, 0.3, 0)
    plain = LinearMachineForestClassifier(20, random_state=0).fit(X, y)
    rare = LinearMachineForestClassifier(20, random_state=0).fit(X, y, np.where(y, 5.0, 1.0))
    dear = LinearMachineForestClassifier(20, random_state=0, costs=[[0, 5], [1, 0]]).fit(X, y)
    assert rare.predict(X).mean() > plain.predict(X).mean()
    assert dear.predict(X).mean() > plain.predict(X).mean()


def test_threads_do_not_change_it():
    X, y = load_wine(return_X_y=True)
    one, two = (
        LinearMachineForestClassifier(10, random_state=0, n_threads=n).fit(X, y) for n in (1, 2)
    )
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))


def test_wrong_settings_are_named():
    X, y = load_wine(return_X_y=True)
    for settings, sentence in (
        ({"l2": 0}, "l2 is 0"),
        ({"n_estimators": 0}, "n_estimators is 0"),
        ({"max_features": "log"}, "max_features is 'log'"),
        ({"max_samples": 2.0}, "max_samples is 2.0"),
        ({"pruning": "none"}, "pruning is 'none'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            LinearMachineForestClassifier(**settings).fit(X, y)


def test_it_can_be_made_by_name():
    forest = make_classifier("forest", {"n_estimators": 7})
    assert clone(forest).n_estimators == 7
