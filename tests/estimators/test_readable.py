"""Trees that a person can hold in mind."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import ReadableTreeClassifier, from_frame, load, save
from miter.data import monks
from miter.growing.alternatives import Pricing, grow_alternatives
from miter.growing.folds import Fold, draw_folds
from miter.growing.stopping import Stopping
from miter.level import Level, Sample
from miter.splits import Linear
from miter.splitters import SparseSplitter
from miter.splitters.sparse import remembering


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


def n_terms(split):
    if split is None:
        return 0
    if not isinstance(split, Linear):
        return 1
    return sum(sum(w != 0 for (w,) in t.weights) if t.is_symbolic else 1 for t in split.terms)


def reading(model, X):
    """Terms of a tree, and terms on the way of a row."""
    of_node = np.array([n_terms(split) for split in model.tree_.splits])
    start, nodes = model.tree_.paths(np.asarray(X, float))
    return of_node.sum(), of_node[nodes].sum() / (len(start) - 1)


def test_short_and_accurate(wine):
    X, y = wine
    model = ReadableTreeClassifier(random_state=0).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    assert reading(model, X)[0] <= 12


@pytest.mark.parametrize("max_path", [0.5, 1, 2, 3.5, 6])
def test_a_wanted_path_is_obeyed(wine, max_path):
    X, y = wine
    model = ReadableTreeClassifier(max_path=max_path, random_state=0).fit(X, y)
    assert reading(model, X)[1] <= max_path + 1e-9


@pytest.mark.parametrize("max_terms", [1, 2, 5])
def test_a_wanted_number_of_terms_is_obeyed(wine, max_terms):
    X, y = wine
    model = ReadableTreeClassifier(max_terms=max_terms, random_state=0).fit(X, y)
    assert reading(model, X)[0] <= max_terms


def test_the_path_of_trees(wine):
    X, y = wine
    model = ReadableTreeClassifier(random_state=0, whole_numbers=False).fit(X, y)
    path = model.path_
    terms = [tree.n_terms for tree in path.trees]
    assert terms == sorted(set(terms))
    assert terms[0] == 0
    chosen = path.trees[path.chosen]
    worth = [tree.error + tree.n_terms / 2000 for tree in path.trees]
    assert worth[path.chosen] == min(worth)
    assert (chosen.n_terms, chosen.path_length) == pytest.approx(reading(model, X))
    assert all(tree.deviation >= 0 for tree in path.trees)


def test_whole_numbers(wine):
    X, y = wine
    model = ReadableTreeClassifier(whole_numbers=True, random_state=0).fit(X, y)
    for split in model.tree_.splits:
        for term in split.terms if isinstance(split, Linear) else ():
            for (weight,) in term.weights:
                assert len(f"{abs(weight):.12g}".replace(".", "").strip("0")) <= 3


def test_the_same_tree_with_any_number_of_threads(wine):
    X, y = wine
    one, two = (ReadableTreeClassifier(random_state=0, n_threads=n).fit(X, y) for n in (1, 3))
    assert all(
        np.array_equal(a, b)
        for a, b in zip(one.tree_.splits.arrays, two.tree_.splits.arrays, strict=True)
    )


def test_symbols_missing_values_weights_and_costs():
    data = monks(3)
    X = data.X.copy()
    X[::9, 1] = np.nan
    model = ReadableTreeClassifier(random_state=0, categorical_features=range(6))
    model.fit(X, data.labels, sample_weight=np.where(np.arange(len(X)) % 5 == 0, 2.0, 1.0))
    assert model.score(X, data.labels) > 0.85


def test_costs_move_the_answers():
    X, y = load_iris(return_X_y=True)
    costs = [[0, 1, 20], [1, 0, 20], [1, 1, 0]]
    model = ReadableTreeClassifier(costs=costs, random_state=0).fit(X, y)
    assert np.mean(model.predict(X[y == 2]) == 2) == 1.0


def test_a_rare_class_is_not_lost():
    random = np.random.default_rng(0)
    X = random.normal(size=(1000, 5))
    y = (X[:, 0] + X[:, 1] > 2.9).astype(int)
    assert 10 < y.sum() < 40
    model = ReadableTreeClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) > 1 - 0.5 * y.mean()


def test_save_and_load(wine, tmp_path):
    X, y = wine
    model = ReadableTreeClassifier(random_state=0).fit(X, y)
    save(model, tmp_path / "wine.miter")
    again = load(tmp_path / "wine.miter")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert [vars(t) for t in again.path_.trees] == [
        vars(t) | {"tree": None} for t in model.path_.trees
    ]
    assert again.path_.chosen == model.path_.chosen


def test_another_tree_of_the_path(wine):
    X, y = wine
    model = ReadableTreeClassifier(random_state=0).fit(X, y)
    short = model.with_tree(1)
    assert reading(short, X)[0] <= model.path_.trees[1].n_terms
    assert short.path_.chosen == 1
    assert short.get_params() == model.get_params()


def test_alternatives_differ(wine):
    X, y = wine
    model = ReadableTreeClassifier(random_state=0, max_terms=8).fit(X, y)
    others = model.alternatives(3)
    columns = [frozenset(o.tree_.splits[0].columns) for o in (model, *others)]
    assert len(set(columns)) == len(columns) >= 2


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"max_path": 0}, "max_path is 0"),
        ({"max_path": -1}, "max_path is -1"),
        ({"max_path": "short"}, "max_path is 'short'"),
        ({"max_terms": 0}, "max_terms is 0"),
        ({"max_features": 40}, "max_features is 40"),
        ({"whole_numbers": "yes"}, "whole_numbers is 'yes'"),
        ({"conditions": 3}, "conditions is 3"),
    ],
)
def test_wrong_settings(parameters, words):
    with pytest.raises(ValueError, match=words):
        ReadableTreeClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_a_price_gives_the_tree_that_costs_least():
    """Errors and terms of the chosen trees fall and rise with the price."""
    data = from_frame(*load_iris(return_X_y=True))
    whole = Fold(Sample.whole(data), Sample(np.empty(0, np.int32)))
    folds = [whole, *draw_folds(data, 3, np.random.default_rng(0))]
    prices = np.array([0.2, 1.0, 5.0, 50.0])
    find = SparseSplitter(3).begin_candidates(data, 1.0, 1)
    grown = grow_alternatives(data, find, folds, Stopping(), Pricing(prices, 0 * prices))
    assert (np.diff(grown.n_terms, axis=1) <= 0).all()
    assert (grown.n_terms[:, -1] == 0).all()
    for sample, fold in enumerate(folds[1:], start=1):
        for price in range(4):
            tree = grown.tree(sample, price)
            left_out = fold.left_out.of(data)
            errors = left_out.weight_of() @ (tree.predict(left_out.X) != left_out.labels)
            assert errors == pytest.approx(grown.left_out[sample, price])
            assert sum(map(n_terms, tree.splits)) == grown.n_terms[sample, price]


def test_at_the_top_tests_of_both_kinds_are_grown():
    """Two sums that are nearly the same must not hide a tree that begins with one column."""
    data = from_frame(*load_wine(return_X_y=True))
    whole = [Fold(Sample.whole(data), Sample(np.empty(0, np.int32)))]
    prices = np.array([0.1, 1.0])
    find = SparseSplitter(6).begin_candidates(data, 1.0, 1)
    top, *_ = grow_alternatives(data, find, whole, Stopping(), Pricing(prices, 0 * prices)).levels
    for of_price in top.is_chosen.T:
        assert (top.n_terms[of_price] == 1).sum() == 1
        assert len(top.n_terms[of_price]) == 3


def test_what_is_too_long_gives_way_in_every_sample():
    """Or the errors of long trees would be told of short ones."""
    data = from_frame(*load_wine(return_X_y=True))
    folds = draw_folds(data, 4, np.random.default_rng(0))
    prices = np.array([50.0, 5.0, 1.0, 0.2])
    pricing = Pricing(np.tile(prices, 2), np.repeat([0.0, 0.01], 4))
    find = SparseSplitter(3).begin_candidates(data, 1.0, 1)
    grown = grow_alternatives(data, find, folds, Stopping(), pricing)
    price = grown.within(None, 2.5)
    assert (np.take_along_axis(grown.path, price, axis=1) <= 2.5 + 1e-9).all()
    assert (grown.path > 2.5).any()
    assert (price <= np.arange(8)).all()
    assert (price[:, 4:] >= 4).all()
    is_short = grown.path <= 2.5
    assert (price[is_short] == np.broadcast_to(np.arange(8), price.shape)[is_short]).all()
    assert (np.take_along_axis(grown.n_terms, grown.within(2, None), axis=1) <= 2).all()
    assert (grown.within(None, None) == np.arange(8)).all()


def test_a_node_is_searched_once():
    data = from_frame(*load_iris(return_X_y=True))
    asked = []

    def find(level):
        asked.append(len(level))
        return search(level)

    search = SparseSplitter(3).begin_candidates(data, 1.0, 1)
    remember = remembering(find)
    nothing = Level.roots(data, [Sample.whole(data)], seed=0, n_threads=1).take(np.empty(0, int))
    assert not len(remember(nothing).node)
    asked.clear()
    samples = [Sample.whole(data), Sample(np.arange(0, 150, 2, dtype=np.int32))]
    other = Sample(np.arange(0, 150, 3, dtype=np.int32))
    remember(Level.roots(data, samples, seed=0, n_threads=1))
    level = Level.roots(data, [samples[1], other, samples[1], samples[0]], seed=0, n_threads=1)
    found, wanted = remember(level), search(level)
    assert asked == [2, 1]
    assert np.array_equal(found.node, wanted.node)
    assert np.array_equal(found.gain, wanted.gain)
    assert list(found.splits) == list(wanted.splits)


@parametrize_with_checks([ReadableTreeClassifier(random_state=0, n_threads=1)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
