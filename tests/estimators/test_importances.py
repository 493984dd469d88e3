"""What columns are worth: a split's gain, divided by what each adds to its decisions."""

import numpy as np
import pytest
from scipy.stats import spearmanr

import miter
from miter.data import Column, Schema, from_frame
from miter.lab import permutation_importances
from miter.splits import Linear, Machine, Network, PackedSplits, Term, Threshold
from miter.tree import Tree

LEARNERS = [
    miter.UnivariateTreeClassifier(random_state=0),
    miter.LinearMachineTreeClassifier(random_state=0),
    miter.LinearCombinationTreeClassifier(random_state=0),
    miter.PerceptronTreeClassifier(random_state=0),
    miter.NetworkTreeClassifier(random_state=0),
    miter.HybridTreeClassifier(random_state=0),
    miter.LinearMachineForestClassifier(20, random_state=0),
]
every_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)


def weighed(n_rows, seed, weights=(3, 2, 1, 0.5, 0, 0)):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, len(weights)))
    return from_frame(X, X @ weights + 0.5 * random.normal(size=n_rows) > 0)


@every_learner
def test_they_rank_columns_as_shuffling_does(learner):
    model = learner.fit(weighed(1000, 0))
    shuffled = permutation_importances(model, weighed(2000, 1), n_repeats=5).mean
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert spearmanr(model.feature_importances_, shuffled).statistic >= 0.8


@every_learner
def test_noise_is_worth_little(learner):
    found = learner.fit(weighed(1000, 0, (1, 1, -1, 0, 0))).feature_importances_
    assert found[3:].max() < 0.1 * found[:3].min()


SCHEMA = Schema(tuple(Column(name, "numeric") for name in "abc"), (0, 1))
ROWS = np.array([[-2.0, -1, 7], [2, -1, 7], [-2, 1, 7], [2, 1, 7]])


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (Threshold(1, (0.0,)), [0, 1, 0]),
        # Deviations 2 and 1: variances 4 and 1; a constant adds nothing.
        (
            Linear((Term.number(0, 1.0), Term.number(1, -1.0), Term.number(2, 5.0)), 35),
            [0.8, 0.2, 0],
        ),
        (Linear((Term.number(0, 1.0), Term.number(1, 2.0)), 0.0), [0.5, 0.5, 0]),
        # What is added to both outputs alike does not count.
        (
            Machine((0.0, 0.0), (Term.number(0, 9.0, 9.0), Term.number(1, 1.0, -1.0)), (0, 1)),
            [0, 1, 0],
        ),
        (Network((0.0,), (Term.number(0, 1.0), Term.number(1, 2.0)), (1.0,), 0.5), [0.5, 0.5, 0]),
    ],
)
def test_shares_of_a_split(split, expected):
    counts = np.array([[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]])
    tree = Tree(SCHEMA, PackedSplits.of([split, None, None]), counts)
    assert tree.with_importances(ROWS, 1).importances == pytest.approx(expected)
    # Without rows nothing is known but which columns are tested.
    equal = np.zeros(3)
    equal[list(split.columns)] = 1 / len(split.columns)
    assert tree.with_importances().importances == pytest.approx(equal)
    assert tree.with_importances(ROWS).cut(np.array([True, True, True])).importances is None


def test_files_keep_them(tmp_path):
    for learner in (LEARNERS[1], LEARNERS[-1]):
        model = learner.fit(weighed(200, 0))
        miter.save(model, tmp_path / "model")
        again = miter.load(tmp_path / "model")
        assert np.array_equal(again.feature_importances_, model.feature_importances_)


def test_a_single_leaf_is_worth_nothing():
    model = miter.UnivariateTreeClassifier(max_depth=0).fit(weighed(50, 0))
    assert model.feature_importances_.tolist() == [0] * 6
