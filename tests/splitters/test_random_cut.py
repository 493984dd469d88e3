"""Cuts of one column drawn by lot."""

import numpy as np
import pytest

from miter import BaggedTreesClassifier, TreeClassifier
from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.level import Level, Sample
from miter.splits import Category, Threshold
from miter.splitters import RandomCutSplitter


def data_of(X, y, n_values=()):
    X = np.array(X, float)
    kinds = [("symbolic", tuple(range(n))) if n else ("numeric",) for n in n_values]
    kinds += [("numeric",)] * (X.shape[1] - len(kinds))
    columns = tuple(Column(f"x{place}", *kind) for place, kind in enumerate(kinds))
    return Data(Schema(columns, tuple(range(max(y) + 1))), X, np.array(y, np.int32))


def roots(data, seeds=50, allow=None):
    find = RandomCutSplitter().begin(data, 1, 1)
    for seed in range(seeds):
        level = Level.roots(data, [Sample.whole(data)], seed=seed, n_threads=1)
        yield find(level.allow(allow)).splits[0]


def test_cuts_lie_evenly_between_the_least_and_the_largest():
    data = data_of([[10.0], [20.0], [11.0], [12.0]], [0, 1, 0, 1])
    cuts = [split.cuts[0] for split in roots(data, 300)]
    assert min(cuts) >= 10
    assert max(cuts) < 20
    assert np.mean(cuts) == pytest.approx(15, abs=0.6)
    assert np.std(cuts) == pytest.approx(10 / np.sqrt(12), rel=0.15)


def test_the_best_of_the_columns_is_taken():
    # Any cut of the first column tells the classes apart, none of the second does.
    data = data_of([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1])
    assert {split.column for split in roots(data)} == {0}


def test_a_column_of_one_value_is_no_choice():
    X = np.zeros((6, 5))
    X[:, 3] = np.arange(6)
    data = data_of(X, [0, 1] * 3)
    assert {split.column for split in roots(data, allow=1)} == {3}
    assert list(roots(data_of(np.zeros((4, 2)), [0, 1, 0, 1]), 3)) == [None] * 3


def test_values_of_a_symbol_fall_on_two_sides():
    data = data_of([[0.0], [1], [2], [4]], [0, 0, 1, 1], n_values=(5,))
    found = list(roots(data))
    assert all(type(split) is Category for split in found)
    groups = {tuple(split.branches[value] for value in (0, 1, 2, 4)) for split in found}
    assert len(groups) > 10  # of 14
    assert all(set(group) == {0, 1} for group in groups)


def test_missing_values_go_with_the_larger_side():
    X = np.array([[0.0], [np.nan], [9], [10], [10], [10]])
    for sign, larger in ((1, 1), (-1, 0)):
        data = data_of(sign * X, [0, 1, 1, 1, 0, 1])
        assert {split.missing for split in roots(data)} == {larger}


def test_branches_are_large_enough():
    data = data_of(np.arange(40.0)[:, None], [0, 1] * 20)
    tree = grow(data, RandomCutSplitter(), Stopping(min_samples_leaf=5), seed=3)
    assert tree.n_leaves > 2
    assert tree.counts.sum(axis=1).min() >= 5


def test_trees_differ_and_the_seed_decides():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 4))
    data = data_of(X, (X[:, 0] > 0).astype(int))
    one, again, other = (grow(data, RandomCutSplitter(), seed=seed) for seed in (1, 1, 2))
    assert str(list(one.splits)) == str(list(again.splits))
    assert str(list(one.splits)) != str(list(other.splits))
    assert {type(split) for split in one.splits if split is not None} == {Threshold}


def test_the_number_of_threads_does_not_matter():
    random = np.random.default_rng(0)
    X = random.normal(size=(6000, 5))
    data = data_of(X, (X[:, 0] + X[:, 1] > random.normal(size=6000)).astype(int))
    tree = TreeClassifier(RandomCutSplitter())
    one, three = (
        BaggedTreesClassifier(tree, n_estimators=4, random_state=0, n_threads=n).fit(data)
        for n in (1, 3)
    )
    assert np.array_equal(one.predict_proba(X), three.predict_proba(X))
