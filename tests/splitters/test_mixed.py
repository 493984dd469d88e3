"""Machines and tests of one column, by lot."""

import numpy as np
import pytest

from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.level import Level, Sample
from miter.splits import Machine, Threshold
from miter.splitters import AnnealedMachineSplitter, MixedSplitter, UnivariateSplitter


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
        (1, UnivariateSplitter("gain", symbolic="groups", missing="node")),
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
