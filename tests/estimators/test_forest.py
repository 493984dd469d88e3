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
    X, y = load_wine(return_X_y=True)
    forest = LinearMachineForestClassifier(10, max_features=3, random_state=0).fit(X, y)
    roots = [tree.tree_.splits[0].columns for tree in forest.estimators_]
    assert all(len(columns) <= 3 for columns in roots)
    assert len(set(roots)) > 1


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
    ):
        with pytest.raises(ValueError, match=sentence):
            LinearMachineForestClassifier(**settings).fit(X, y)


def test_it_can_be_made_by_name():
    forest = make_classifier("forest", {"n_estimators": 7})
    assert clone(forest).n_estimators == 7
