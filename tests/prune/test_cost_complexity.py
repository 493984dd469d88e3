"""Cost-complexity pruning against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from miter.data import Column, Data, Schema, led
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune import CostComplexity, cost_complexity_path
from miter.prune.cost_complexity import leaves_at, validation_cost
from miter.splits import PackedSplits, Threshold
from miter.splitters import UnivariateSplitter
from miter.tree import Tree


def noisy(seed, n_rows=60, missing=0.0):
    data = led(n_rows, noise=0.3, seed=seed)
    X = data.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    return Data(data.schema, X, data.labels % 3)


def noisy_tree(seed, depth=3, **settings):
    return grow(noisy(seed, **settings), UnivariateSplitter("gain"), Stopping(max_depth=depth))


def cut_at(tree, nodes):
    return tree.cut(np.isin(np.arange(tree.n_nodes), list(nodes)))


def training_errors(tree):
    """Of a tree in which every row ends in a leaf."""
    counts = tree.counts[tree.is_leaf]
    return counts.sum() - counts[np.arange(len(counts)), tree.labels[tree.is_leaf]].sum()


def n_splits(tree):
    return tree.n_nodes - tree.n_leaves


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    price=st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 3.7, 100.0]),
    missing=st.sampled_from([0.0, 0.1]),
)
def test_the_cheapest_of_all_prunings_is_found(all_prunings, seed, price, missing):
    """Of equally cheap ones the smallest."""
    tree = noisy_tree(seed, missing=missing)
    candidates = [cut_at(tree, nodes) for nodes in all_prunings(tree)]
    costs = [(training_errors(t) + price * n_splits(t), n_splits(t)) for t in candidates]
    least = min(cost for cost, _ in costs)
    smallest = min(size for cost, size in costs if cost <= least + 1e-9)
    pruned = CostComplexity(price).prune(tree)
    assert training_errors(pruned) + price * n_splits(pruned) == pytest.approx(least)
    assert n_splits(pruned) == smallest


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_a_higher_price_only_takes_more_away(missing):
    tree = noisy_tree(5, depth=None, n_rows=400, missing=missing)
    prices = np.arange(0, 30, 0.25)
    leaves = leaves_at(tree, prices)
    assert (leaves[:, 1:] >= leaves[:, :-1]).all()
    sizes = [tree.cut(leaves[:, k]).n_nodes for k in range(len(prices))]
    assert sizes == sorted(sizes, reverse=True)
    assert 1 in sizes
    assert len(set(sizes)) > 8
    for k in (0, 17, 60):
        assert CostComplexity(prices[k]).prune(tree).n_nodes == sizes[k]


def test_a_price_of_nothing_costs_no_training_error():
    tree = noisy_tree(5, depth=None, n_rows=400)
    pruned = CostComplexity(0).prune(tree)
    assert pruned.n_nodes < tree.n_nodes
    assert training_errors(pruned) == training_errors(tree)


def symbols_that_end_early():
    """A tree and other rows; some of these have values that no training row had at the node."""
    random = np.random.default_rng(0)
    X = random.integers(0, 6, (260, 4)).astype(float)
    y = ((X[:, 0] + X[:, 1] > 5) ^ (random.random(260) < 0.2)).astype(np.int32)
    columns = tuple(Column(name, "symbolic", tuple("uvwxyz")) for name in "abcd")
    data = Data(Schema(columns, (0, 1)), X, y)
    tree = grow(data.take(np.arange(60)), UnivariateSplitter("gain"))
    return tree, data.take(np.arange(60, 260))


@pytest.mark.parametrize("weighted", [False, True])
def test_errors_on_other_rows_are_those_of_the_cut_tree(weighted):
    for tree, other in (
        symbols_that_end_early(),
        (noisy_tree(1, depth=None, n_rows=300), noisy(2, n_rows=200)),
    ):
        weight = np.random.default_rng(0).uniform(0.1, 3, other.n_rows) if weighted else None
        other = Data(other.schema, other.X, other.y, weight)
        leaves = leaves_at(tree, [0, 1, 2, 5, 10, 1000])
        errors = validation_cost(tree, leaves, tree.losses_of(other))
        for k, found in enumerate(errors):
            wrong = tree.cut(leaves[:, k]).predict(other.X) != other.labels
            assert found == pytest.approx(other.weight_of()[wrong].sum())


def test_a_single_leaf_stays():
    tree = noisy_tree(0, depth=0)
    assert CostComplexity(3.0).prune(tree).n_nodes == 1
    errors = validation_cost(tree, leaves_at(tree, [0.0, 9.0]), tree.training_losses)
    assert errors.tolist() == [training_errors(tree)] * 2


@pytest.mark.parametrize("price", [-1, np.nan, np.inf])
def test_senseless_prices_are_refused(price):
    with pytest.raises(ValueError, match="price is"):
        CostComplexity(price)


def test_nodes_that_make_few_errors_are_not_divided():
    data = noisy(5, n_rows=400)
    free = grow(data, UnivariateSplitter("gain"))
    for price in (1.0, 3.0, 10.0):
        stopped = grow(data, UnivariateSplitter("gain"), Stopping(min_errors=price))
        assert stopped.n_nodes < free.n_nodes
        # Nothing is lost that pruning at this price would have kept.
        a, b = (CostComplexity(price).prune(tree) for tree in (free, stopped))
        assert np.array_equal(a.counts, b.counts)


def as_miter(model, n_features):
    """Return a tree of scikit-learn as one of ours, level by level."""
    theirs = model.tree_
    order, level = [], [0]
    while level:
        order += level
        level = [
            c for n in level for c in (theirs.children_left[n], theirs.children_right[n]) if c >= 0
        ]
    splits = [
        Threshold(int(theirs.feature[n]), (float(theirs.threshold[n]),))
        if theirs.children_left[n] >= 0
        else None
        for n in order
    ]
    counts = theirs.value[order, 0] * theirs.weighted_n_node_samples[order, None]
    columns = tuple(Column(f"x{i}", "numeric") for i in range(n_features))
    return Tree(Schema(columns, tuple(range(counts.shape[1]))), PackedSplits.of(splits), counts)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer, load_iris])
def test_the_path_is_that_of_scikit_learn(load, criterion):
    X, y = load(return_X_y=True)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    theirs = model.cost_complexity_pruning_path(X, y)
    tree = as_miter(model.fit(X, y), X.shape[1])
    path = cost_complexity_path(tree, criterion)
    alphas, last = np.unique(theirs.ccp_alphas.round(12)[::-1], return_index=True)
    impurities = theirs.impurities[::-1][last]
    assert path.prices / len(X) == pytest.approx(alphas, abs=1e-9)
    assert path.costs / len(X) == pytest.approx(impurities, abs=1e-9)
    for k in range(len(alphas)):
        between = alphas[k] + 1e-6 if k + 1 == len(alphas) else (alphas[k] + alphas[k + 1]) / 2
        pruned = DecisionTreeClassifier(criterion=criterion, random_state=0, ccp_alpha=between)
        expected = as_miter(pruned.fit(X, y), X.shape[1])
        for ours in (
            tree.cut(path.leaves[:, k]),
            CostComplexity(between * len(X), of=criterion).prune(tree),
        ):
            assert np.allclose(ours.counts, expected.counts)
            assert list(ours.splits) == list(expected.splits)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_path_holds_every_pruning_that_a_price_finds(missing):
    tree = noisy_tree(5, depth=None, n_rows=400, missing=missing)
    path = cost_complexity_path(tree)
    assert path.leaves[0, -1]
    for price in np.arange(0, 30, 0.25):
        k = int(np.flatnonzero(path.prices <= price + 1e-9)[-1])
        pruned = CostComplexity(price).prune(tree)
        assert pruned.n_nodes == tree.cut(path.leaves[:, k]).n_nodes
        assert training_errors(pruned) == pytest.approx(path.costs[k])


def test_a_senseless_measure_is_refused():
    with pytest.raises(ValueError, match="of is 'ginny'; did you mean 'gini'"):
        CostComplexity(of="ginny")
