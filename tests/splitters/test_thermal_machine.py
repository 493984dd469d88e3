"""Thermal linear machines: the papers' own examples, and the encoding."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from miter import lmdt91, lmdt93
from miter.data import Column, Data, Schema, dnf, from_frame
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.level import Level
from miter.splitters import ThermalMachineSplitter
from miter.splitters.encoding import Encoding


def node_of(data):
    [node] = Level.root(data).nodes()
    return node


def mixed():
    """A number, a two-valued and a four-valued symbol (one value never seen), an ordered column."""
    random = np.random.default_rng(0)
    X = np.column_stack(
        [
            random.normal(5, 3, 60),
            random.integers(0, 2, 60),
            random.choice([0, 1, 3], 60),
            random.integers(0, 3, 60),
        ]
    ).astype(float)
    X[random.random(X.shape) < 0.15] = np.nan
    columns = (
        Column("x", "numeric"),
        Column("two", "symbolic", ("n", "y")),
        Column("four", "symbolic", ("a", "b", "c", "d")),
        Column("size", "ordered", ("s", "m", "l")),
    )
    return Data(Schema(columns, (0, 1, 2)), X, random.integers(0, 3, 60).astype(np.int32))


def test_encoding_is_that_of_the_paper():
    node = node_of(mixed())
    encoding = Encoding.of(node)
    names = [(v.column, v.value) for v in encoding.variables]
    assert names == [(0, None), (1, 0), (2, 0), (2, 1), (2, 3), (3, None)]
    known = ~np.isnan(node.X[:, [0, 1, 2, 2, 2, 3]])
    assert (encoding.values[~known] == 0).all()
    for column, is_known in zip(encoding.values.T, known.T, strict=True):
        assert column[is_known].mean() == pytest.approx(0, abs=1e-12)
        assert column[is_known].std() == pytest.approx(1)


def test_constant_variables_are_left_out():
    X = np.column_stack([np.ones(6), np.arange(6.0), np.full(6, np.nan)])
    node = node_of(from_frame(X, [0, 1] * 3))
    assert [v.column for v in Encoding.of(node).variables] == [1]


@pytest.mark.parametrize("seed", range(5))
def test_folded_weights_are_the_scaled_ones(seed):
    """The machine in the user's units gives the very scores of the encoded rows."""
    data = mixed()
    encoding = Encoding.of(node_of(data))
    random = np.random.default_rng(seed)
    weights = random.normal(size=(3, len(encoding.variables) + 1))
    kept = random.random(len(encoding.variables)) < 0.6
    kept[0] = True
    weights[:, :-1] *= kept
    constants, terms = encoding.fold(weights, kept, [0, 2, 4, 0])
    scores = constants + sum(term.of(data.X) for term in terms)
    assert scores == pytest.approx(encoding.values @ weights[:, :-1].T + weights[:, -1])
    used = {encoding.variables[i].column for i in np.flatnonzero(kept)}
    assert {term.column for term in terms} == used


def test_a_value_not_seen_at_the_node_is_missing_there():
    data = mixed()
    encoding = Encoding.of(node_of(data))
    weights = np.ones((2, len(encoding.variables) + 1))
    _, terms = encoding.fold(weights, np.ones(len(encoding.variables), bool), [0, 2, 4, 0])
    [four] = [term for term in terms if term.column == 2]
    assert four.weights[2] == four.missing == (0.0, 0.0)


def test_dnf_has_the_structure_of_the_paper():
    """Table 4: two machines, the root on a and b, the second on c, d and e, all rows right."""
    data, n_exact = dnf(), 0
    for seed in range(20):
        tree = grow(data, ThermalMachineSplitter(), seed=seed)
        columns = [tree.splits[i].columns for i in np.flatnonzero(~tree.is_leaf).tolist()]
        is_right = np.array_equal(tree.predict(data.X), data.y)
        n_exact += is_right and columns == [(0, 1), (2, 3, 4)]
    assert n_exact >= 18


def test_elimination_of_columns_keeps_a_symbol_whole():
    data = mixed()
    for seed in range(3):
        tree = grow(data, ThermalMachineSplitter(eliminate="columns"), Stopping(1), seed=seed)
        for term in tree.splits[0].terms:
            used = np.array(term.weights).any(axis=1)
            expected = {0: 1, 1: 2, 2: 3, 3: 1}[term.column]
            assert used.sum() == expected


def test_noise_variables_are_eliminated():
    X, y = load_iris(return_X_y=True)
    noisy = np.column_stack([X, np.random.default_rng(0).normal(size=(150, 6))])
    tree = grow(from_frame(noisy, y), ThermalMachineSplitter(), Stopping(1), seed=0)
    assert len(tree.splits[0].columns) <= 5
    full = grow(from_frame(noisy, y), ThermalMachineSplitter(eliminate=None), Stopping(1), seed=0)
    assert len(full.splits[0].columns) == 10


@pytest.mark.parametrize("learner", [lmdt91, lmdt93])
def test_named_settings(learner):
    X, y = load_iris(return_X_y=True)
    model = learner(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.93
    assert model.get_n_leaves() <= 9
    again = learner(random_state=0).fit(X, y)
    assert np.array_equal(model.predict_proba(X), again.predict_proba(X))


def test_settings_reach_splitter_and_tree():
    model = lmdt91(eliminate=None, max_depth=3)
    assert (model.eliminate, model.max_depth, model.pruning) == (None, 3, "pessimistic")
    [splitter] = model.make_splitters()
    assert splitter.eliminate is None
    assert lmdt93().schedule == "passes"


@pytest.mark.parametrize(
    "settings",
    [
        {"schedule": "pass"},
        {"eliminate": "all"},
        {"a": 1.0},
        {"b": -0.1},
        {"eliminate_significance": 0.0},
        {"delta": 1.0},
        {"early_start": 2},
    ],
)
def test_senseless_settings_are_refused(settings):
    with pytest.raises(ValueError, match=f"{next(iter(settings))} is"):
        ThermalMachineSplitter(**settings)


@pytest.mark.parametrize("factor", [1e-200, 1e-13, 1.0, 1e160])
def test_units_do_not_matter(factor):
    X, y = load_iris(return_X_y=True)
    trees = [
        grow(from_frame(X * k, y), ThermalMachineSplitter(), Stopping(2), seed=1).predict(X * k)
        for k in (1.0, factor)
    ]
    assert np.mean(trees[0] == trees[1]) > 0.97


def test_weights_count_in_the_significance_test():
    """A row with weight 20 is as good as 20 rows: elimination goes as far."""
    random = np.random.default_rng(0)
    X = random.normal(size=(150, 6))
    y = (X[:, 0] + X[:, 1] + 0.5 * X[:, 2] + 0.5 * random.normal(size=150) > 0).astype(np.int32)
    schema = Schema(tuple(Column(name, "numeric") for name in "abcdef"), (0, 1))
    weighted = Data(schema, X, y, np.full(150, 20.0))
    repeated = Data(schema, np.repeat(X, 20, axis=0), np.repeat(y, 20))
    kept = [
        np.mean(
            [
                len(grow(data, ThermalMachineSplitter(), Stopping(1), seed=s).splits[0].columns)
                for s in range(5)
            ]
        )
        for data in (weighted, repeated)
    ]
    assert abs(kept[0] - kept[1]) <= 1
