"""A tree does not depend on the parts that its rows come in."""

from dataclasses import replace

import numpy as np
import pytest

from miter.growing.growth_in_parts import GrowthInParts
from miter.growing.loop import grow
from miter.growing.sampling import Sampling
from miter.growing.stopping import Stopping
from miter.splits import Category, Threshold
from miter.splitters import (
    AnnealedMachineSplitter,
    HybridSplitter,
    ICASplitter,
    LinearCombinationSplitter,
    MachineOrColumnSplitter,
    MixedSplitter,
    NetworkSplitter,
    PerceptronSplitter,
    RandomCutSplitter,
    SparseSplitter,
    Splitter,
    ThermalMachineSplitter,
    UnivariateSplitter,
    WholeTreeSplitter,
)

SPLITTERS = {
    "gain ratio": UnivariateSplitter(),
    "filled before": UnivariateSplitter("gain", missing="training"),
    "missing by class": UnivariateSplitter("gain", missing="class", symbolic="groups"),
    "random cut": RandomCutSplitter(),
    "bent machine": AnnealedMachineSplitter(bent=True),
    "thermal": ThermalMachineSplitter("passes"),
    "sparse": SparseSplitter(3),
    "combination": LinearCombinationSplitter(),
    "perceptron": PerceptronSplitter(),
    "perceptron by gradient": PerceptronSplitter("gradient", epochs=10),
    "network": NetworkSplitter(hidden=2, l2=1.0, n_init=1),
    "hybrid": HybridSplitter("bic"),
    "mixed": MixedSplitter(),
    "machine or column": MachineOrColumnSplitter(),
    "whole tree": WholeTreeSplitter(),
    "ica": ICASplitter(),
}


@pytest.fixture
def growth(in_parts):
    def make(data, n_parts, splitter, stopping=None, **others):
        parts = in_parts.parts_of(data, n_parts, **others)
        stopping = stopping or Stopping(min_samples_split=20)
        return GrowthInParts(parts.like, [splitter], stopping, seed=3, parts=parts)

    return make


@pytest.mark.parametrize("splitter", SPLITTERS.values(), ids=SPLITTERS.keys())
@pytest.mark.parametrize("is_costly", [False, True], ids=["plain", "weights and costs"])
def test_parts_do_not_matter(growth, in_parts, splitter, is_costly):
    data = in_parts.table(1200, weighted=is_costly, costly=is_costly)
    trees = [growth(data, n_parts, splitter).grow() for n_parts in (1, 7, 64)]
    assert trees[0].n_nodes >= 3
    for tree in trees[1:]:
        in_parts.assert_same_tree(trees[0], tree)


def test_counts_are_those_of_all_rows(growth, in_parts):
    data = in_parts.table(3000)
    tree = growth(data, 5, UnivariateSplitter("gain", missing="node")).grow()
    np.testing.assert_allclose(tree.counts, tree.count(data), atol=1e-9)
    assert tree.counts[0].sum() == data.n_rows


def test_counts_of_rows_with_weights_and_costs(growth, in_parts):
    data = in_parts.table(3000, weighted=True, costly=True)
    g = growth(data, 5, UnivariateSplitter("gain", missing="node"))
    tree = g.grow()
    scaled = replace(data, costs=data.costs / g.parts.mean_cost)
    # A symbol that the sample of a node did not have ends there: counted, but below it is not.
    np.testing.assert_allclose(tree.counts, tree.count(scaled), rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(tree.losses, tree.losses_of(scaled), rtol=1e-9, atol=1e-8)


def test_a_sample_of_everything_is_the_ordinary_tree_at_the_top(growth, in_parts):
    """Where the sample has all rows, the split of the root is that of the loop in memory."""
    data = in_parts.table(1000)
    everything = Sampling(sample_rows=5000, finish_rows=999)
    splitter = UnivariateSplitter("gain")
    own = growth(data, 3, splitter, sampling=everything).grow()
    ordinary = grow(data, splitter, Stopping(min_samples_split=20), seed=3)
    assert own.splits[0] == ordinary.splits[0]
    np.testing.assert_allclose(own.counts[:3], ordinary.counts[:3])


def test_samples_are_as_accurate_as_all_rows(growth, in_parts):
    train, test = in_parts.table(20_000), in_parts.table(5000, seed=1)
    sampling = Sampling(sample_rows=2000, finish_rows=5000)
    stopping = Stopping(min_samples_leaf=50)
    splitter = UnivariateSplitter("gain", missing="node")
    sampled = growth(train, 4, splitter, stopping, sampling=sampling).grow()
    whole = grow(train, splitter, stopping)
    right = [(tree.predict(test.X) == test.labels).mean() for tree in (sampled, whole)]
    assert abs(right[0] - right[1]) < 0.02


def test_depth_and_leaf_size_hold_below_nodes_finished_in_one_place(growth, in_parts):
    data = in_parts.table(3000)
    stopping = Stopping(max_depth=5, min_samples_leaf=0.01)
    splitter = UnivariateSplitter("gain", missing="node", symbolic="groups")
    tree = growth(data, 3, splitter, stopping).grow()
    assert tree.depth == 5
    assert tree.counts[tree.is_leaf].sum(axis=1).min() >= 30 - 1e-9


def test_a_value_that_the_sample_had_not_ends_at_its_node(growth, in_parts):
    class FirstTwoValues(Splitter):
        def find_split(self, node):
            return Category(4, (0, 1, -1, -1))

    data = in_parts.table(2000)
    tree = growth(data, 3, FirstTwoValues(), Stopping(max_depth=1)).grow()
    known = np.isin(data.X[:, 4], [0, 1]) | np.isnan(data.X[:, 4])
    assert tree.counts[1:].sum() == pytest.approx(known.sum())
    assert tree.counts[0].sum() == 2000


def test_splits_that_divide_nothing_make_a_leaf(growth, in_parts):
    class Useless(Splitter):
        def find_split(self, node):
            return Threshold(0, (1e9,), 0)

    assert growth(in_parts.table(2000), 3, Useless()).grow().n_nodes == 1


def test_progress_is_told_with_workers(growth, in_parts):
    told = []
    g = growth(in_parts.table(4000), 3, UnivariateSplitter("gain"))
    replace(g, progress=lambda *now: told.append(now)).grow()
    settled = [share for _, _, share, _ in told]
    assert settled == sorted(settled)
    assert settled[0] < 0.5
    assert settled[-1] == pytest.approx(1.0)
    assert {n_workers for *_, n_workers in told} == {1}
