"""What univariate trees choose by themselves, and the settings that have a name."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from miter import UnivariateTreeClassifier, c45
from miter.data import Column, Data, Schema, from_frame, monks
from miter.splits import Category


def noisy(n_rows, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n_rows, 8))
    y = 2 * (X[:, 0] > 0.5) + (X[:, 1] > 0.3)
    return from_frame(X, np.where(random.random(n_rows) < 0.35, random.integers(0, 4, n_rows), y))


def test_noise_is_not_learned():
    train, test = noisy(2000, 0), noisy(2000, 1)
    default, quinlan = UnivariateTreeClassifier(random_state=0).fit(train), c45().fit(train)
    assert default.get_n_leaves() < 12 < quinlan.get_n_leaves()
    assert default.score(test.X, test.labels) > quinlan.score(test.X, test.labels) + 0.04


def test_no_leaf_is_sure():
    train, test = noisy(500, 0), noisy(500, 1)
    model = UnivariateTreeClassifier(random_state=0, pruning=None).fit(train)
    unsmoothed = UnivariateTreeClassifier(random_state=0, pruning=None, smoothing=0).fit(train)
    assert model.predict_proba(test).min() > 0
    losses = [log_loss(test.labels, each.predict_proba(test)) for each in (model, unsmoothed)]
    assert losses[0] < losses[1] / 2


def with_a_symbol(n_values, n_rows=1000):
    """Every other value of a symbol is of one class; a number has nothing to say."""
    random = np.random.default_rng(0)
    symbol = random.integers(0, n_values, n_rows)
    values = tuple(f"v{i}" for i in range(n_values))
    schema = Schema((Column("s", "symbolic", values), Column("x", "numeric")), ("no", "yes"))
    X = np.column_stack([symbol, random.normal(size=n_rows)])
    y = (symbol % 2) ^ (random.random(n_rows) < 0.1)
    return Data(schema, X, y.astype(np.int32))


def test_values_of_a_symbol_are_grouped_where_that_is_no_worse():
    model = UnivariateTreeClassifier(random_state=0).fit(with_a_symbol(40))
    split = model.tree_.splits[0]
    assert isinstance(split, Category)
    assert split.n_branches == 2
    assert model.get_n_leaves() == 2


def test_ways_to_find_tests():
    def ways(tree, data):
        return [(way.criterion, way.symbolic) for way in tree.make_splitters(data)]

    tree, groups = UnivariateTreeClassifier(), [("gain_ratio", "groups"), ("gain", "groups")]
    assert ways(tree, monks(1)) == [*groups, ("gain_ratio", "values")]
    assert ways(tree, noisy(20, 0)) == groups
    assert ways(UnivariateTreeClassifier("gini"), noisy(20, 0)) == [("gini", "groups")]
    assert ways(c45(), monks(1)) == [("gain_ratio", "values")]
    with pytest.raises(ValueError, match="symbolic is 'group'; did you mean 'groups'"):
        UnivariateTreeClassifier(symbolic="group").check_settings()


def test_gain_is_taken_where_the_ratio_is_led_astray():
    """Among very many columns there is always one that cuts off a small pure part by chance."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 400))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
    y = np.where(random.random(300) < 0.1, random.integers(3, size=300), y)
    right = {
        criterion: UnivariateTreeClassifier(criterion, random_state=0)
        .fit(X[:120], y[:120])
        .score(X[120:], y[120:])
        for criterion in ("gain_ratio", "auto")
    }
    assert right["gain_ratio"] < 0.6 < 0.8 < right["auto"]


def test_c45():
    assert c45(max_depth=3).get_params() == c45().set_params(max_depth=3).get_params()
    changed = {
        name: value
        for name, value in c45().get_params().items()
        if value != UnivariateTreeClassifier().get_params()[name]
    }
    assert changed == {
        "criterion": "gain_ratio",
        "symbolic": "values",
        "pruning": "pessimistic",
        "smoothing": 0.0,
    }
