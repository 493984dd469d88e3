import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import (
    BaggedTreesClassifier,
    DataError,
    ReducedError,
    TreeClassifier,
    UnivariateTreeClassifier,
    id3,
)
from miter.data import led
from miter.growing.loop import grow, grow_forest
from miter.growing.stopping import Stopping
from miter.level import Sample
from miter.splits import Linear, Term
from miter.splitters import Splitter, UnivariateSplitter

WHY_NOT = {
    "check_sample_weight_equivalence_on_dense_data": (
        "which rows a bootstrap draws depends on their number and order"
    ),
}


@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@parametrize_with_checks(
    [BaggedTreesClassifier(n_estimators=10, random_state=0)],
    expected_failed_checks=lambda _: WHY_NOT,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def same(one, other):
    return all(
        np.array_equal(a, b) for a, b in zip(one.splits.arrays, other.splits.arrays, strict=True)
    ) and np.array_equal(one.counts, other.counts)


@pytest.mark.parametrize("depth", [None, 0, 1, 4])
def test_trees_grown_together_are_the_trees_grown_alone(depth):
    data = led(400, noise=0.2, seed=0)
    random = np.random.default_rng(0)
    samples = [Sample(np.sort(random.choice(400, 200)).astype(np.int32)) for _ in range(7)]
    samples.append(Sample(np.flatnonzero(data.labels == 3).astype(np.int32)))  # a root that is pure
    stopping, splitter = Stopping(max_depth=depth), UnivariateSplitter("gain")
    together = grow_forest(data, splitter, samples, stopping)
    alone = [grow(sample.of(data), splitter, stopping) for sample in samples]
    assert [tree.n_nodes for tree in together] == [tree.n_nodes for tree in alone]
    assert all(map(same, together, alone))


def test_threads_do_not_matter():
    X, y = load_breast_cancer(return_X_y=True)
    forests = [
        BaggedTreesClassifier(n_estimators=8, max_features=5, random_state=3, n_threads=n).fit(X, y)
        for n in (1, 3)
    ]
    for one, other in zip(forests[0].estimators_, forests[1].estimators_, strict=True):
        assert same(one.tree_, other.tree_)


def test_bagging_beats_a_tree():
    X, y = load_breast_cancer(return_X_y=True)
    tree = UnivariateTreeClassifier("gain", pruning=None)
    bagged = BaggedTreesClassifier(tree, n_estimators=50, max_features="sqrt", random_state=0)
    assert cross_val_score(bagged, X, y).mean() > cross_val_score(tree, X, y).mean() + 0.01


def test_votes_and_averages():
    X, y = load_iris(return_X_y=True)
    tree = UnivariateTreeClassifier(max_depth=1)
    votes = BaggedTreesClassifier(tree, n_estimators=10, random_state=0).fit(X, y)
    mean = clone(votes).set_params(voting="average").fit(X, y)
    by_tree = [estimator.predict(X) for estimator in votes.estimators_]
    shares = np.mean([np.eye(3)[labels] for labels in by_tree], axis=0)
    assert votes.predict_proba(X) == pytest.approx(shares)
    probabilities = np.mean([e.predict_proba(X) for e in mean.estimators_], axis=0)
    assert mean.predict_proba(X) == pytest.approx(probabilities)
    assert np.array_equal(votes.predict(X), shares.argmax(axis=1))


def test_out_of_bag_estimate_is_honest():
    data, fresh = led(1000, noise=0.1, seed=1), led(4000, noise=0.1, seed=2)
    forest = BaggedTreesClassifier(id3(), n_estimators=60, oob_score=True, random_state=0).fit(data)
    truth = (forest.predict(fresh) == np.array(fresh.schema.classes)[fresh.labels]).mean()
    assert forest.oob_score_ == pytest.approx(truth, abs=0.04)
    assert forest.oob_decision_function_.shape == (1000, 10)
    assert np.allclose(forest.oob_decision_function_.sum(axis=1), 1)


def test_rows_seen_by_every_tree_are_not_counted():
    X, y = load_iris(return_X_y=True)
    forest = BaggedTreesClassifier(n_estimators=1, oob_score=True, random_state=0).fit(X, y)
    unseen = ~np.isnan(forest.oob_decision_function_[:, 0])
    assert 0.2 < unseen.mean() < 0.5
    tree = forest.estimators_[0]
    assert forest.oob_score_ == (tree.predict(X[unseen]) == y[unseen]).mean()


def test_pruning_uses_the_rows_left_out():
    data = led(500, noise=0.2, seed=0)
    plain = BaggedTreesClassifier(id3(), n_estimators=5, random_state=0).fit(data)
    pruned = BaggedTreesClassifier(id3(pruning=ReducedError()), n_estimators=5, random_state=0).fit(
        data
    )
    for large, small in zip(plain.estimators_, pruned.estimators_, strict=True):
        # Nothing was held out of the sample itself.
        assert small.tree_.counts[0].sum() == 500
        assert small.tree_.n_nodes < large.tree_.n_nodes


def test_each_node_draws_its_columns():
    X, y = load_breast_cancer(return_X_y=True)
    forest = BaggedTreesClassifier(n_estimators=30, max_features=1, random_state=0).fit(X, y)
    roots = [tree.tree_.splits[0].column for tree in forest.estimators_]
    assert len(set(roots)) > 12


def test_a_node_is_not_given_up_when_its_columns_are_constant():
    random = np.random.default_rng(0)
    X = np.column_stack([np.zeros((200, 9)), random.normal(size=200)])
    y = (X[:, 9] > 0).astype(int)
    forest = BaggedTreesClassifier(n_estimators=10, max_features=1, random_state=0).fit(X, y)
    assert all(tree.get_depth() == 1 for tree in forest.estimators_)


def test_any_splitter_can_be_bagged():
    class Pair(Splitter):
        """Cuts the sum of the columns that the node was given at its median."""

        def find_split(self, node):
            terms = tuple(Term.number(int(c), 1.0) for c in node.columns)
            return Linear(terms, float(np.median(node.X[:, node.columns].sum(axis=1))))

    X, y = load_iris(return_X_y=True)
    forest = BaggedTreesClassifier(
        TreeClassifier(Pair()), n_estimators=9, max_features=2, random_state=0
    )
    forest.fit(X, y)
    assert forest.score(X, y) > 0.95
    assert {len(tree.tree_.splits[0].terms) for tree in forest.estimators_} == {2}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_estimators": 0}, "n_estimators is 0"),
        ({"max_samples": 0.0}, "max_samples is 0.0"),
        ({"max_samples": 1000}, "max_samples is 1000"),
        ({"max_features": "log2"}, "max_features is 'log2'"),
        ({"max_features": 9}, "max_features is 9"),
        ({"voting": "soft"}, "voting is 'soft'"),
        ({"estimator": "tree"}, "give a tree of Miter's"),
        ({"oob_score": True, "bootstrap": False}, "oob_score needs rows"),
    ],
)
def test_wrong_parameters_are_named(parameters, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=words):
        BaggedTreesClassifier(**parameters).fit(X, y)


def test_nothing_left_out_is_an_error():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="oob_score needs rows"):
        BaggedTreesClassifier(n_estimators=2, bootstrap=False, max_samples=150, oob_score=True).fit(
            X, y
        )
    pruned = UnivariateTreeClassifier(pruning="reduced_error")
    with pytest.raises(DataError, match="needs validation rows"):
        BaggedTreesClassifier(pruned, n_estimators=2, bootstrap=False).fit(X, y)
