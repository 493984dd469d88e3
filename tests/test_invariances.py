"""What learners that leave nothing to chance promise: the order of names and rows is nothing."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from miter.registry import make_learner

#: `docs/trust.md` names them, and what the others promise.
WITHOUT_CHANCE = {
    "univariate": {"pruning": None},
    "c45": {},
    "id3": {},
}
X, Y = load_iris(return_X_y=True)
# Without ties, which the first column, or class, wins.
X = X + np.random.default_rng(0).normal(0, 0.01, X.shape)
without_chance = pytest.mark.parametrize(
    ("learner", "settings"), WITHOUT_CHANCE.items(), ids=WITHOUT_CHANCE
)


def answers(learner, settings, rows, labels, asked=X, **more):
    return make_learner(learner, settings).fit(rows, labels, **more).predict(asked)


@without_chance
def test_columns_in_another_order(learner, settings):
    other = X[:, [2, 0, 3, 1]]
    assert np.array_equal(
        answers(learner, settings, X, Y), answers(learner, settings, other, Y, other)
    )


@without_chance
def test_classes_by_other_names(learner, settings):
    names = np.array(["c", "a", "b"])
    expected = names[answers(learner, settings, X, Y)]
    assert np.array_equal(expected, answers(learner, settings, X, names[Y]))


@without_chance
def test_rows_in_another_order(learner, settings):
    order = np.random.default_rng(1).permutation(len(X))
    expected = answers(learner, settings, X, Y)
    assert np.array_equal(expected, answers(learner, settings, X[order], Y[order]))


@without_chance
def test_a_weight_of_two_is_the_row_twice(learner, settings):
    weight = np.random.default_rng(2).integers(1, 3, len(X))
    twice = np.repeat(X, weight, axis=0), np.repeat(Y, weight)
    expected = answers(learner, settings, X, Y, sample_weight=weight)
    assert np.array_equal(expected, answers(learner, settings, *twice))
