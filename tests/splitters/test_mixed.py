"""Machines and random cuts of one column, by lot."""

import numpy as np
import pytest

from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.level import Level, Sample
from miter.splits import Machine, Threshold
from miter.splitters import AnnealedMachineSplitter, MixedSplitter, RandomCutSplitter


def slanted(n_rows=2000, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 3))
    y = np.clip(np.floor(X.sum(axis=1) + 2 + random.normal(size=n_rows)), 0, 3).astype(np.int32)
    return Data(Schema(tuple(Column(name, "numeric") for name in "abc"), (0, 1, 2, 3)), X, y)


def kinds(tree):
    return [type(split) for split in tree.splits if split is not None]


def test_about_the_asked_share_of_nodes_tests_one_column():
    tree = grow(
        slanted(), MixedSplitter(univariate_share=0.3), Stopping(min_samples_split=20), seed=1
    )
    found = kinds(tree)
    assert set(found) == {Machine, Threshold}
    # Machines that would not divide their rows are replaced by tests of one column too.
    assert 0.2 < found.count(Threshold) / len(found) < 0.5


@pytest.mark.parametrize(
    ("share", "alone"),
    [
        (0, AnnealedMachineSplitter(1.0, anneal=True, bent=True, tolerance=1e-3)),
        (1, RandomCutSplitter()),
    ],
)
def test_each_kind_is_as_it_is_alone(share, alone):
    data, stopping = slanted(500), Stopping(max_depth=3)
    mixed, plain = (
        grow(data, splitter, stopping)
        for splitter in (MixedSplitter(univariate_share=share), alone)
    )
    assert str(list(mixed.splits)) == str(list(plain.splits))


def test_the_seed_draws():
    data = slanted(200)
    roots = set()
    for seed in range(20):
        level = Level.roots(data, [Sample.whole(data)], seed=seed, n_threads=1)
        roots.add(type(MixedSplitter().begin(data, 1, 1)(level).splits[0]))
    assert roots == {Machine, Threshold}


@pytest.mark.parametrize("share", [-0.1, 1.5, "half", None, float("nan")])
def test_a_share_that_is_none_is_named(share):
    with pytest.raises(ValueError, match="univariate_share is"):
        MixedSplitter(univariate_share=share)


@pytest.mark.parametrize("share", [0, -0.5, 1.5, "half", None])
def test_a_share_of_columns_that_is_none_is_named(share):
    with pytest.raises(ValueError, match="column_share is"):
        MixedSplitter(column_share=share)


@pytest.mark.parametrize(
    ("n_columns", "n_few", "share", "n_drawn"),
    [
        (8, None, 0.5, 8),  # nothing is drawn
        (8, 3, 1.0, 8),
        (8, 3, 0.5, 4),
        (8, 5, 0.5, 5),  # never fewer than others have
        (60, 8, 1.0, 30),
        (200, 14, 1.0, 42),
        (200, 14, 0.1, 20),
    ],
)
def test_machines_draw_more_columns_than_tests_of_one(n_columns, n_few, share, n_drawn):
    random = np.random.default_rng(0)
    X = random.normal(size=(300, n_columns))
    columns = tuple(Column(f"x{place}", "numeric") for place in range(n_columns))
    data = Data(Schema(columns, (0, 1)), X, (X.sum(axis=1) > 0).astype(np.int32))
    level = Level.roots(data, [Sample.whole(data)], seed=0, n_threads=1).allow(n_few)
    find = MixedSplitter(univariate_share=0, column_share=share).begin(data, 1, 1)
    assert len(set(find(level).splits[0].columns)) == n_drawn
