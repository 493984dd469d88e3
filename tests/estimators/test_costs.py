"""Costs of mistakes in training, splits, labels and pruning of every tree."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from miter import (
    BaggedTreesClassifier,
    HybridTreeClassifier,
    LinearCombinationTreeClassifier,
    LinearMachineForestClassifier,
    LinearMachineTreeClassifier,
    NetworkTreeClassifier,
    PerceptronTreeClassifier,
    TreeClassifier,
    UnivariateTreeClassifier,
    id3,
    id_lp,
    lmdt91,
    lmdt93,
    load,
    save,
)
from miter.data import led
from miter.data.costs import cost_of_predictions, focus
from miter.errors import DataError
from miter.estimators.weights import scale_costs, with_costs
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune import CostComplexity, Pessimistic, ReducedError
from miter.prune.cost_complexity import validation_cost
from miter.prune.pruning import cost_as_leaf
from miter.splitters import AnnealedMachineSplitter, UnivariateSplitter

LEARNERS = {
    "univariate": lambda **p: UnivariateTreeClassifier(**p),
    "gini": lambda **p: UnivariateTreeClassifier("gini", pruning="cross_validated", **p),
    "reduced_error": lambda **p: UnivariateTreeClassifier(pruning="reduced_error", **p),
    "id3": lambda **p: id3(**p),
    "linear_machine": lambda **p: LinearMachineTreeClassifier(**p),
    "annealed": lambda **p: TreeClassifier(AnnealedMachineSplitter(anneal=True), **p),
    "eliminated": lambda **p: TreeClassifier(AnnealedMachineSplitter(eliminate=True), **p),
    "linear_combination": lambda **p: LinearCombinationTreeClassifier(**p),
    "perceptron": lambda **p: PerceptronTreeClassifier(**p),
    "network": lambda **p: NetworkTreeClassifier(**p),
    "hybrid": lambda **p: HybridTreeClassifier(univariate=True, **p),
    "id_lp": lambda **p: id_lp(**p),
    "lmdt91": lambda **p: lmdt91(**p),
    "lmdt93": lambda **p: lmdt93(**p),
}


def noisy_classes(n=300, seed=0):
    """Three classes along a line, with a wide overlap."""
    random = np.random.default_rng(seed)
    y = random.integers(3, size=n)
    X = y[:, None] + random.normal(size=(n, 2))
    return X, np.array(["low", "middle", "high"])[y]


def matrix_of(predicted_by_true):
    """Costs in the order of the sorted classes."""
    return np.array(predicted_by_true, float)


@pytest.mark.parametrize("cost", [1.0, 0.7])
@pytest.mark.parametrize("name", LEARNERS)
def test_equal_costs_change_nothing(name, cost):
    X, y = noisy_classes(150)
    plain = LEARNERS[name](random_state=3).fit(X, y)
    equal = LEARNERS[name](random_state=3, costs=cost * (1 - np.eye(3))).fit(X, y)
    assert np.array_equal(plain.tree_.counts, equal.tree_.counts)
    assert [str(split) for split in plain.tree_.splits] == [
        str(split) for split in equal.tree_.splits
    ]
    assert plain.predict(X).tolist() == equal.predict(X).tolist()


@pytest.mark.parametrize("make", [BaggedTreesClassifier, LinearMachineForestClassifier])
def test_equal_costs_change_no_forest(make):
    X, y = noisy_classes(100)
    costs = 2.0 * (1 - np.eye(3))
    if make is BaggedTreesClassifier:
        plain = make(id3(), n_estimators=5, random_state=0)
        equal = make(id3(costs=costs), n_estimators=5, random_state=0)
    else:
        plain, equal = make(5, random_state=0), make(5, costs=costs, random_state=0)
    assert plain.fit(X, y).predict(X).tolist() == equal.fit(X, y).predict(X).tolist()


@pytest.mark.parametrize("name", LEARNERS)
def test_a_class_that_is_dear_to_miss_is_missed_less(name):
    X, y = noisy_classes()
    X_test, y_test = noisy_classes(seed=1)
    missed = []
    for ratio in (1, 20):
        model = LEARNERS[name](random_state=0, costs=focus("middle", ratio, others=1.0))
        answers = model.fit(X, y).predict(X_test)
        missed.append(np.sum((y_test == "middle") & (answers != "middle")))
    assert missed[1] < 0.6 * missed[0]


@pytest.mark.parametrize("name", ["univariate", "linear_machine", "gini"])
def test_training_with_costs_is_cheaper_than_relabelling(name):
    costs = focus("middle", 5, others=0.1)
    total = np.zeros(2)
    for seed in range(3):
        X, y = noisy_classes(seed=seed)
        X_test, y_test = noisy_classes(1000, seed=100 + seed)
        trained = LEARNERS[name](random_state=0, costs=costs).fit(X, y).predict(X_test)
        only = LEARNERS[name](random_state=0).fit(X, y).predict(X_test, costs=costs)
        total += [cost_of_predictions(y_test, p, costs).sum() for p in (trained, only)]
    assert total[0] < total[1]


def test_labels_cost_least_by_smoothed_probabilities():
    X, y = noisy_classes()
    costs = matrix_of([[0, 3, 1], [1, 0, 1], [8, 1, 0]])
    model = UnivariateTreeClassifier(costs=costs).fit(X, y)
    expected = model.predict_proba(X) @ costs.T
    answer = np.searchsorted(model.classes_, model.predict(X))
    assert expected[np.arange(len(X)), answer] == pytest.approx(expected.min(axis=1))
    assert model.tree_.smoothing == 1


def test_predict_answers_for_other_costs_at_once():
    X, y = load_iris(return_X_y=True)
    X, y = X[:, :2], y
    model = LinearMachineTreeClassifier(random_state=0).fit(X, y)
    costs = matrix_of([[0, 1, 1], [1, 0, 9], [1, 1, 0]])
    expected = model.predict_proba(X) @ costs.T
    assert model.predict(X, costs=costs).tolist() == expected.argmin(axis=1).tolist()
    assert np.sum(model.predict(X, costs=costs) == 2) > np.sum(model.predict(X) == 2)


def test_rows_that_are_shared_out_answer_by_cost():
    X = np.array([[0.0], [0], [0], [1], [1], [1]])
    y = np.array(["a", "a", "a", "b", "b", "b"])
    model = UnivariateTreeClassifier(costs={"a": {"b": 5}, "b": {"a": 1}}, pruning=None).fit(X, y)
    assert model.predict([[np.nan]]).tolist() == ["b"]
    dear_a = {"a": {"b": 1}, "b": {"a": 5}}
    assert model.predict([[np.nan]], costs=dear_a).tolist() == ["a"]


def test_costs_of_rows_like_those_of_a_matrix_grow_the_same_tree():
    X, y = noisy_classes(200)
    costs = matrix_of([[0, 3, 1], [1, 0, 1], [8, 1, 0]])
    classes = np.unique(y)
    by_row = costs[:, np.searchsorted(classes, y)].T
    for name in ("univariate", "linear_machine", "lmdt91"):
        one = LEARNERS[name](random_state=0, costs=costs).fit(X, y)
        other = LEARNERS[name](random_state=0).fit(X, y, row_costs=by_row)
        assert np.array_equal(one.tree_.counts, other.tree_.counts)
        assert one.tree_.losses == pytest.approx(other.tree_.losses)
        assert one.predict(X).tolist() == other.predict(X).tolist()


def test_costs_of_rows_decide_a_leaf():
    """Two rows say a and one says b, but the mistake about that one costs more."""
    X, y = np.zeros((3, 1)), ["a", "a", "b"]
    model = UnivariateTreeClassifier().fit(X, y, row_costs=[[0, 1], [0, 1], [3, 0]])
    assert model.predict([[0.0]]).tolist() == ["b"]
    assert model.tree_.losses.tolist() == [[3.0, 2.0]]


@pytest.mark.parametrize(
    ("name", "settings"),
    # Annealing has many minima: which one is found may hang on the last digit of a sum.
    [("univariate", {}), ("linear_machine", {"anneal": False})],
)
def test_weights_count_rows_also_with_costs(name, settings):
    X, y = noisy_classes(120)
    weight = np.arange(120) % 3
    repeated = np.repeat(np.arange(120), weight)
    costs = focus("middle", 4, others=0.5)
    settings = {"random_state": 0, "costs": costs, **settings}
    one = LEARNERS[name](**settings).fit(X, y, sample_weight=weight)
    other = LEARNERS[name](**settings).fit(X[repeated], y[repeated])
    assert one.predict_proba(X) == pytest.approx(other.predict_proba(X))


def costly_tree(seed=0):
    data = led(60, noise=0.3, seed=seed)
    random = np.random.default_rng(seed)
    matrix = random.random((10, 10)) * (1 - np.eye(10))
    data, _ = scale_costs(with_costs(data, matrix))
    return data, grow(data, UnivariateSplitter("gini"), Stopping(max_depth=3), smoothing=1.0)


def all_prunings(tree):
    """Every set of nodes that can be leaves."""
    inner = np.flatnonzero(~tree.is_leaf)
    for choice in product([False, True], repeat=len(inner)):
        becomes_leaf = tree.is_leaf.copy()
        becomes_leaf[inner] = choice
        yield becomes_leaf


def test_costs_of_a_pruning_are_those_of_its_answers():
    _data, tree = costly_tree()
    other, _ = costly_tree(1)
    losses = tree.losses_of(other)
    for leaves in all_prunings(tree):
        pruned = tree.cut(leaves)
        expected = other.cost_of(pruned.predict(other.X)).sum()
        assert validation_cost(tree, leaves[:, None], losses)[0] == pytest.approx(expected)


def test_pruning_finds_the_cheapest_subtree():
    _data, tree = costly_tree()
    other, _ = costly_tree(1)

    def cost_of(pruned):
        return other.cost_of(pruned.predict(other.X)).sum()

    best = min(cost_of(tree.cut(leaves)) for leaves in all_prunings(tree))
    assert cost_of(ReducedError().prune(tree, other)) == pytest.approx(best)

    def priced(pruned):
        leaf_cost = cost_as_leaf(pruned, pruned.training_losses)[pruned.is_leaf].sum()
        return leaf_cost + 2.0 * np.sum(~pruned.is_leaf)

    best = min(priced(tree.cut(leaves)) for leaves in all_prunings(tree))
    assert priced(CostComplexity(2.0).prune(tree)) == pytest.approx(best)


def test_pessimistic_pruning_counts_cost():
    """A split that saves much cost stays, though it saves few errors."""
    X = np.repeat([[0.0], [1.0]], [40, 6], axis=0)
    y = np.array(["a"] * 40 + ["b"] * 2 + ["a"] * 4)
    plain = UnivariateTreeClassifier(pruning=Pessimistic()).fit(X, y)
    dear = UnivariateTreeClassifier(
        pruning=Pessimistic(), costs={"a": {"b": 20}, "b": {"a": 1}}
    ).fit(X, y)
    assert (plain.get_n_leaves(), dear.get_n_leaves()) == (1, 2)
    assert dear.predict([[1.0]]).tolist() == ["b"]


def test_two_classes_weighed_by_cost_are_as_if_they_were_more():
    """With two classes a logistic machine under costs is that of rows repeated by their cost."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:150, :3]
    y = y[:150]
    splitter = AnnealedMachineSplitter(l2=1.0)
    costs = matrix_of([[0, 3], [1, 0]])
    dear = TreeClassifier(splitter, costs=costs, max_depth=1).fit(X, y)
    unit = np.average(np.where(y == 1, 3, 1))
    same = TreeClassifier(splitter, max_depth=1)
    same.fit(X, y, sample_weight=np.where(y == 1, 3, 1) / unit)
    assert dear.apply(X).tolist() == same.apply(X).tolist()


def test_annealing_lowers_the_expected_cost_of_training_rows():
    X, y = load_wine(return_X_y=True)
    X = X[:, :2]
    costs = matrix_of([[0, 10, 1], [1, 0, 1], [1, 10, 0]])
    cost = {}
    for anneal in (False, True):
        model = TreeClassifier(AnnealedMachineSplitter(anneal=anneal), costs=costs, max_depth=1)
        cost[anneal] = cost_of_predictions(y, model.fit(X, y).predict(X), costs).mean()
    plain = TreeClassifier(AnnealedMachineSplitter(anneal=True), max_depth=1).fit(X, y)
    assert cost[True] < cost_of_predictions(y, plain.predict(X, costs=costs), costs).mean()
    assert cost[True] <= cost[False]


def test_the_same_tree_with_any_number_of_threads():
    X, y = noisy_classes(400)
    costs = focus("high", 5)
    one, many = (
        LinearMachineTreeClassifier(costs=costs, random_state=0, n_threads=n).fit(X, y)
        for n in (1, 3)
    )
    assert np.array_equal(one.tree_.losses, many.tree_.losses)


def test_a_frame_and_a_mapping_are_matched_by_name():
    X, y = noisy_classes()
    names = ["middle", "low", "high"]
    frame = pd.DataFrame([[0, 1, 1], [9, 0, 1], [9, 1, 0]], index=names, columns=names)
    mapping = {p: {t: frame.loc[p, t] for t in names} for p in names}
    by_frame = UnivariateTreeClassifier(costs=frame).fit(X, y)
    by_mapping = UnivariateTreeClassifier(costs=mapping).fit(X, y)
    assert by_frame.costs_.tolist() == by_mapping.costs_.tolist()
    # Sorted: high, low, middle. Missing the middle costs 9.
    assert by_frame.costs_[:, 2].tolist() == [9, 9, 0]


@pytest.mark.parametrize("costs", [None, focus("middle", 7)], ids=["rows", "focus"])
def test_a_tree_with_costs_can_be_saved(tmp_path, costs):
    X, y = noisy_classes()
    row_costs = None
    if costs is None:
        row_costs = np.ones((len(y), 3)) * np.linspace(1, 5, len(y))[:, None]
        row_costs[np.arange(len(y)), np.searchsorted(np.unique(y), y)] = 0
    model = LinearMachineTreeClassifier(costs=costs, random_state=0)
    model.fit(X, y, row_costs=row_costs)
    save(model, tmp_path / "a.miter")
    loaded = load(tmp_path / "a.miter")
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert np.array_equal(loaded.tree_.losses, model.tree_.losses)
    if costs is not None:
        assert loaded.costs_.tolist() == model.costs_.tolist()
        assert loaded.fit(X, y).predict(X).tolist() == model.predict(X).tolist()


def test_forests_weigh_mean_probabilities():
    X, y = noisy_classes()
    costs = matrix_of([[0, 1, 9], [1, 0, 9], [1, 1, 0]])  # missing "middle" is dear
    forest = LinearMachineForestClassifier(10, costs=costs, random_state=0).fit(X, y)
    expected = forest.predict_proba(X) @ costs.T
    assert forest.predict(X).tolist() == forest.classes_[expected.argmin(axis=1)].tolist()
    plain = LinearMachineForestClassifier(10, random_state=0).fit(X, y)
    assert np.sum(forest.predict(X) == "middle") > np.sum(plain.predict(X) == "middle")


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (np.ones((2, 2)) - np.eye(2), "has shape \\(2, 2\\); there are 3 classes"),
        (np.ones((3, 3)), "is no mistake, but costs 1; give 0"),
        (-1.0 * (1 - np.eye(3)), "is -1.0; give a number, 0 or more"),
        (np.full((3, 3), np.nan), "is nan; give a number, 0 or more"),
        (np.zeros((3, 3)), "all costs are 0"),
        ({"lov": {"high": 1}}, "costs name 'lov', which is not a class; did you mean 'low'"),
        ({"low": 3}, "the costs of predicting 'low' are 3; give a mapping"),
        ({"low": {"high": "much"}}, "is nan; give a number"),
        ("nowhere.costs", "nowhere.costs"),
        (object(), "give a matrix, a mapping of mappings"),
        (focus("rod"), "costs name 'rod', which is not a class"),
    ],
)
def test_costs_that_make_no_sense(costs, message):
    X, y = noisy_classes(50)
    model = UnivariateTreeClassifier(costs=costs)
    with pytest.raises((DataError, OSError), match=message):
        model.fit(X, y)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(
    ("row_costs", "message"),
    [
        (np.zeros((49, 3)), "have shape \\(49, 3\\); there are 50 rows and 3 classes"),
        (np.full((50, 3), -1.0), "the costs of row 0"),
        (np.ones((50, 3)), "the right answer to row 0 has a cost"),
        (np.zeros((50, 3)), "all costs are 0"),
    ],
)
def test_costs_of_rows_that_make_no_sense(row_costs, message):
    X, y = noisy_classes(50)
    with pytest.raises(DataError, match=message):
        UnivariateTreeClassifier().fit(X, y, row_costs=row_costs)


@pytest.mark.parametrize(("name", "value"), [("ratio", -1), ("others", np.nan), ("ratio", "a")])
def test_a_focus_that_makes_no_sense(name, value):
    with pytest.raises(ValueError, match=f"{name} is"):
        focus("low", **{name: value})


def test_a_class_that_is_free_to_predict_is_warned_of():
    X, y = noisy_classes(100)
    costs = {"low": {"high": 1}, "high": {"low": 1}}
    with pytest.warns(UserWarning, match="predicting 'middle' costs nothing"):
        model = UnivariateTreeClassifier(costs=costs).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert set(model.predict(X)) == {"middle"}


def test_validation_rows_cost_too():
    X, y = noisy_classes(seed=0)
    X_val, y_val = noisy_classes(seed=1)
    costs = focus("middle", 10)
    model = UnivariateTreeClassifier(pruning="reduced_error", costs=costs)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    whole = UnivariateTreeClassifier(pruning=None, costs=costs).fit(X, y)

    def cost(tree):
        return cost_of_predictions(y_val, tree.predict(X_val), costs).sum()

    assert cost(model) < cost(whole)
    with pytest.raises(DataError, match="validation rows have no costs of their own"):
        UnivariateTreeClassifier(pruning="reduced_error").fit(
            X,
            y,
            row_costs=model.costs_.T[np.searchsorted(model.classes_, y)],
            X_val=X_val,
            y_val=y_val,
        )
