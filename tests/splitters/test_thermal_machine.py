"""Thermal linear machines: the papers' own examples, and what is encoded."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from miter import lmdt91, lmdt93
from miter.data import Column, Data, Schema, dnf, from_frame
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splitters import ThermalMachineSplitter


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


def machine_of(data, **settings):
    return grow(data, ThermalMachineSplitter(**settings), Stopping(1), seed=0).splits[0]


def test_a_missing_number_stands_at_the_mean_of_the_node():
    data = mixed()
    machine = machine_of(data, eliminate=None)
    for term in machine.terms:
        if not term.is_symbolic:
            mean = np.nanmean(data.X[:, term.column])
            assert term.missing == pytest.approx([w * mean for w in term.weights[0]])


def test_the_values_of_a_symbol_weigh_nothing_in_the_mean():
    data = mixed()
    for term in machine_of(data, eliminate=None).terms:
        if term.is_symbolic:
            known = data.X[~np.isnan(data.X[:, term.column])]
            assert term.of(known).mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-6)


def test_constant_variables_are_left_out():
    X = np.column_stack([np.ones(6), np.arange(6.0), np.full(6, np.nan)])
    assert machine_of(from_frame(X, [0, 1] * 3), eliminate=None).columns == (1,)


@pytest.mark.parametrize("eliminate", ["variables", "columns", None])
def test_a_value_not_seen_at_the_node_is_missing_there(eliminate):
    for term in machine_of(mixed(), eliminate=eliminate).terms:
        if term.column == 2:
            assert term.weights[2] == term.missing == (0.0, 0.0, 0.0)
            assert all(any(term.weights[value]) for value in (0, 1, 3))


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
    data = from_frame(noisy, y)
    trees = [grow(data, ThermalMachineSplitter(), Stopping(1), seed=seed) for seed in range(10)]
    n_left = [len(tree.splits[0].columns) for tree in trees]
    assert sorted(n_left)[-2] <= 4
    full = grow(data, ThermalMachineSplitter(eliminate=None), Stopping(1), seed=0)
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
