"""CART's search over coefficients, held against brute force and what is known by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from miter import cart_lc
from miter.criteria import entropy
from miter.data import Column, Data, Schema, monks
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.level import Level
from miter.splits import Linear
from miter.splitters import LinearCombinationSplitter, UnivariateSplitter
from miter.splitters.filling import Filling

SEARCH = LinearCombinationSplitter("gain", l2=None)


def numbers(X, y, weight=None):
    columns = tuple(Column(f"x{c}", "numeric") for c in range(X.shape[1]))
    classes = tuple(range(int(y.max()) + 1))
    return Data(Schema(columns, classes), X.astype(float), y.astype(np.int32), weight)


def find(data, splitter, min_leaf=1.0):
    return splitter.begin(data, min_leaf, 1)(Level.root(data)).splits[0]


def gain_of(split, data):
    """Return the information gain of a split, in bits a row."""
    branch = split.route(data.X)
    counts = [np.bincount(data.labels[branch == b], minlength=9) for b in range(split.n_branches)]
    rest = sum(own.sum() * float(entropy(own)) for own in counts)
    return float(entropy(np.sum(counts, axis=0))) - rest / data.n_rows


def diagonal(n_rows=400, n_noise=0, flipped=0.0, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 2 + n_noise))
    y = (X[:, 0] > X[:, 1]) ^ (random.random(n_rows) < flipped)
    return numbers(X, y)


@pytest.mark.parametrize("criterion", ["gini", "gain"])
def test_a_slanted_line_is_found(criterion):
    data = diagonal()
    split = find(data, LinearCombinationSplitter(criterion, l2=None))
    assert isinstance(split, Linear)
    assert gain_of(split, data) > 0.95
    [[[first]], [[second]]] = (term.weights for term in split.terms)
    assert first / second == pytest.approx(-1, abs=0.1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("l2", [None, 1.0])
def test_it_gains_at_least_what_one_column_gains(seed, l2):
    random = np.random.default_rng(seed)
    X = random.normal(size=(60, 4))
    data = numbers(X, (X[:, 0] + X[:, 1] ** 2 > 1) + (X[:, 2] > 0.8))
    best_column = find(data, UnivariateSplitter("gain"))
    split = find(data, LinearCombinationSplitter("gain", l2=l2, deletion=0))
    assert gain_of(split, data) >= gain_of(best_column, data) - 1e-9


def test_no_hyperplane_of_a_grid_is_better():
    # Two columns: all angles and thresholds can be tried.
    data = diagonal(80, flipped=0.15, seed=3)
    best = 0.0
    for angle in np.linspace(0, np.pi, 361):
        v = data.X @ [np.cos(angle), np.sin(angle)]
        for c in np.sort(v)[:-1]:
            left = np.bincount(data.labels[v <= c], minlength=2)
            right = np.bincount(data.labels[v > c], minlength=2)
            rest = left.sum() * float(entropy(left)) + right.sum() * float(entropy(right))
            best = max(best, 1 - rest / data.n_rows)
    all_gain = float(entropy(np.bincount(data.labels)))
    best -= 1 - all_gain
    found = gain_of(find(data, LinearCombinationSplitter("gain", l2=None, n_init=11)), data)
    assert found > 0.9 * best


def test_the_steps_lead_where_no_one_column_does():
    # The best single column gains little; each coefficient must change to get there.
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 6))
    data = numbers(X, X.sum(axis=1) > 0)
    assert gain_of(find(data, UnivariateSplitter("gain")), data) < 0.25
    assert gain_of(find(data, SEARCH), data) > 0.75


def test_columns_that_do_not_help_are_deleted():
    data = diagonal(n_noise=6, flipped=0.02)
    assert find(data, SEARCH).columns == (0, 1)
    everything = LinearCombinationSplitter("gain", l2=None, deletion=0)
    assert len(find(data, everything).columns) > 2


def test_logistic_regression_is_taken_where_the_search_gains_little_more():
    X, y = load_wine(return_X_y=True)
    data = numbers(X, y)
    assert len(find(data, LinearCombinationSplitter()).columns) == 13
    assert len(find(data, LinearCombinationSplitter(l2=None)).columns) < 6


def test_a_search_that_gains_clearly_more_is_taken():
    # A few rows far out turn logistic regression away from the line that divides all others.
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 2))
    y = X[:, 0] + 0.5 * X[:, 1] > 0
    X[:12] = random.normal((-40.0, 200.0), size=(12, 2))
    y[:12] = False
    data = numbers(X, y)
    with_both = find(data, LinearCombinationSplitter("gain"))
    assert gain_of(with_both, data) >= 0.9 * gain_of(find(data, SEARCH), data)


def test_symbols_are_told_apart_value_by_value():
    data = monks(1)
    tree = grow(data, SEARCH)
    assert np.array_equal(tree.predict(data.X), data.labels)
    # The root asks whether the jacket is red; other colours add nothing.
    [term] = tree.splits[0].terms
    assert np.count_nonzero(term.weights) == 1


def test_routes_are_those_of_the_search():
    # Weights went from scaled variables to the user's units, symbols and missing values included.
    random = np.random.default_rng(1)
    X = np.column_stack([1000 + 0.1 * random.normal(size=200), random.integers(3, size=200)])
    y = ((X[:, 0] > 1000) ^ (X[:, 1] == 1)).astype(np.int32)
    X[random.random(200) < 0.1, 0] = np.nan
    columns = (Column("x", "numeric"), Column("s", "symbolic", ("a", "b", "c")))
    data = Data(Schema(columns, (0, 1)), X, y)
    tree = grow(data, SEARCH, Stopping(max_depth=3))
    split = tree.splits[0]
    mean = np.nanmean(X[:, 0])
    at_mean = split.route(np.column_stack([np.where(np.isnan(X[:, 0]), mean, X[:, 0]), X[:, 1]]))
    assert np.array_equal(split.route(X), at_mean)
    assert np.array_equal(tree.predict(X), tree.predict(np.array(X)))
    assert np.mean(tree.predict(X) == y) > 0.85


def test_missing_values_are_filled_from_the_training_rows():
    data = diagonal(300)
    X = data.X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    data = Data(data.schema, X, data.y)
    filled = Filling.of(data).fill(data)
    splitter = LinearCombinationSplitter(missing="training")
    tree, other = grow(data, splitter), grow(filled, splitter)
    assert np.array_equal(tree.predict(X), other.predict(filled.X))


def test_both_branches_hold_enough_rows():
    data = diagonal(200, flipped=0.3)
    branch = find(data, SEARCH, min_leaf=60).route(data.X)
    assert np.bincount(branch).min() >= 60


def test_random_starts_depend_on_the_seed_alone():
    data = diagonal(200, n_noise=4, flipped=0.2)
    splitter = LinearCombinationSplitter(l2=None, n_init=4)
    trees = [grow(data, splitter, seed=seed, n_threads=n) for seed, n in ((1, 1), (1, 3), (2, 1))]
    assert np.array_equal(trees[0].splits.reals, trees[1].splits.reals)
    assert not np.array_equal(trees[0].splits.reals, trees[2].splits.reals)


def test_a_large_node_is_searched_on_some_of_its_rows():
    data = diagonal(25_000)
    assert gain_of(find(data, SEARCH, min_leaf=5000), data) > 0.95


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"criterion": "gain_ratio"}, "criterion is 'gain_ratio'; known are"),
        ({"missing": "nod"}, "missing is 'nod'; did you mean 'node'?"),
        ({"deletion": 1.5}, "deletion is 1.5; give a number from 0 to 1"),
        ({"l2": 0}, "l2 is 0; give a number above 0, or None"),
        ({"n_init": 0}, "n_init is 0; give a whole number from 1 on"),
        ({"n_init": True}, "n_init is True; give a whole number from 1 on"),
    ],
)
def test_wrong_settings(settings, sentence):
    with pytest.raises(ValueError, match="; ") as caught:
        LinearCombinationSplitter(**settings)
    assert str(caught.value).startswith(sentence)


def test_numbers_near_the_largest_make_no_split_that_is_infinite():
    """In the user's units a weight of such a number, or the threshold, can be infinite."""
    X = [[2.0**53], [5e-324], [1e308], [1e-30], [0.0], [-3.5], [1e30], [1.0], [np.nan]]
    tree = cart_lc(pruning=None).fit(X, [0, 1, 1, 0, 1, 1, 1, 1, 0]).tree_
    assert np.isfinite(tree.splits.reals).all()
