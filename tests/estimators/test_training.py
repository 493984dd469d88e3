"""Every family fits to rows in parts, and its trees do not depend on the parts."""

import copy

import numpy as np
import pytest

import miter
from miter.data import led
from miter.errors import DataError
from miter.estimators.ica import of_one_class
from miter.estimators.training import TrainingInParts

FAMILIES = {
    "univariate": miter.UnivariateTreeClassifier(),
    "c45": miter.c45(),
    "reduced error": miter.c45(pruning="reduced_error"),
    "error based": miter.c45(pruning="error_based"),
    "out of bag": miter.c45(pruning="out_of_bag"),
    "readable": miter.ReadableTreeClassifier(max_features=2),
    "linear machine": miter.LinearMachineTreeClassifier(l2=0.3, terms="bent", anneal=False),
    "lmdt93": miter.lmdt93(),
    "combination": miter.LinearCombinationTreeClassifier(),
    "cart_lc": miter.cart_lc(),
    "perceptron": miter.PerceptronTreeClassifier(),
    "id_lp": miter.id_lp(),
    "network": miter.NetworkTreeClassifier(hidden=2, l2=1.0, n_init=1),
    "hybrid": miter.HybridTreeClassifier("bic"),
    "ica": miter.ICATreeClassifier(),
    "clusters": miter.ICATree(),
    "bagging": miter.BaggedTreesClassifier(n_estimators=3, oob_score=True),
    "pruned bagging": miter.BaggedTreesClassifier(
        miter.c45(pruning="reduced_error"), n_estimators=3
    ),
    "forest": miter.LinearMachineForestClassifier(3, oob_score=True),
}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("is_costly", [False, True], ids=["plain", "weights and costs"])
def test_memory_and_parts_give_the_same_trees(in_parts, name, is_costly):
    data = in_parts.table(1500, weighted=is_costly)
    model = copy.deepcopy(FAMILIES[name]).set_params(random_state=3)
    rows, matrix = data, None
    if is_costly and name != "clusters":
        matrix = in_parts.cost_matrix(data)
        rows = in_parts.with_cost_matrix(data, matrix)
        own = getattr(model, "estimator", model) or miter.id3(missing="fractions")
        own.set_params(costs=matrix)
        if "estimator" in model.get_params():
            model.set_params(estimator=own)
    if name == "clusters":
        rows = of_one_class(data)
    with miter.sampled(in_parts.SAMPLING.sample_rows, in_parts.SAMPLING.finish_rows):
        here = copy.deepcopy(model).fit(data)
    there = copy.deepcopy(model).fit_to(TrainingInParts(in_parts.parts_of(rows, 7), matrix))
    assert len(here.trees_) == len(there.trees_)
    for one, other in zip(here.trees_, there.trees_, strict=True):
        in_parts.assert_same_tree(one, other)
        assert one.smoothing == other.smoothing
    assert getattr(here, "oob_score_", None) == getattr(there, "oob_score_", None)


def test_few_rows_are_fitted_as_ever():
    data = led(300, seed=1)
    plain = miter.UnivariateTreeClassifier(random_state=0).fit(data)
    with miter.sampled(100, 300):
        sampled = miter.UnivariateTreeClassifier(random_state=0).fit(data)
    assert list(sampled.tree_.splits) == list(plain.tree_.splits)


def test_rows_without_labels_take_part(in_parts):
    data = in_parts.table(2000)
    X = data.X[:, :4]
    X = np.nan_to_num(X) + 5 * (np.arange(2000) % 2)[:, None]
    y = np.where(np.arange(2000) % 20 < 2, np.arange(2000) % 2, -1)
    model = miter.ICATreeClassifier(unlabelled=-1, random_state=0)
    with miter.sampled(200, 700):
        model.fit(X, y)
    assert model.tree_.schema.classes == (0, 1)
    assert model.tree_.counts[0].sum() == 200
    assert (model.predict(X) == np.arange(2000) % 2).mean() > 0.95


def test_costs_that_cost_nothing_are_refused(in_parts):
    data = in_parts.table(1000)
    model = miter.c45()
    row_costs = np.zeros((1000, 3))
    row_costs[0, :] = [0, 1, 2]
    row_costs[0, data.labels[0]] = 0
    weight = np.ones(1000)
    weight[0] = 0
    with miter.sampled(100, 300), pytest.raises(DataError, match="no mistake"):
        model.fit(data, sample_weight=weight, row_costs=row_costs)


def test_a_class_of_a_few_rows_is_found():
    """One row in a thousand: a sample by chance would have none of them at all."""
    random = np.random.default_rng(0)
    X = random.normal(size=(20_000, 3))
    y = np.zeros(20_000, int)
    y[::1000] = 1
    X[::1000, 2] += 20
    with miter.sampled(200, 5000):
        tree = miter.c45(min_samples_leaf=1).fit(X, y)
    assert (tree.predict(X) == y).all()
    assert tree.tree_.n_leaves == 2
