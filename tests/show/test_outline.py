from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from miter.data import Column, Schema, play_tennis
from miter.estimators.univariate import UnivariateTreeClassifier, id3
from miter.show import Outline
from miter.splits import Condition, PackedSplits, Threshold
from miter.tree import Tree


@pytest.fixture(scope="module")
def iris():
    return UnivariateTreeClassifier(pruning=None).fit(*load_iris(return_X_y=True))


def test_every_node_once_parents_first(iris):
    entries = list(Outline(iris))
    assert sorted(entry.node for entry in entries) == list(range(iris.tree_.n_nodes))
    seen = set()
    for entry in entries:
        assert entry.parent in seen or entry.node == 0
        seen.add(entry.node)


def test_a_branch_is_finished_before_the_next_begins(iris):
    entries = list(Outline(iris))
    for before, after in pairwise(entries):
        if before.is_leaf:
            assert after.depth <= before.depth
        else:
            assert (after.parent, after.branch) == (before.node, 0)


def test_entries_tell_what_the_tree_knows(iris):
    tree = iris.tree_
    for entry in Outline(iris):
        counts = tree.counts[entry.node]
        assert entry.counts == tuple(counts)
        assert entry.weight == counts.sum()
        assert entry.label == iris.classes_[tree.labels[entry.node]]
        assert entry.errors == counts.sum() - counts[tree.labels[entry.node]]
        assert entry.is_leaf == tree.is_leaf[entry.node]
        if entry.parent is not None:
            assert entry.node == tree.first_child[entry.parent] + entry.branch
            split = tree.splits[entry.parent]
            assert entry.condition == Condition(split, entry.branch)
            assert entry.say(tree.schema) == split.say(tree.schema, entry.branch)


def test_root():
    root = next(iter(Outline(id3().fit(play_tennis()))))
    assert (root.node, root.parent, root.branch, root.depth) == (0, None, None, 0)
    assert (root.condition, root.label, root.is_leaf) == (None, "Yes", False)


def test_tree_and_estimator_are_alike(iris):
    assert list(Outline(iris)) == list(Outline(iris.tree_))


@pytest.mark.parametrize("max_depth", [0, 1, 2])
def test_max_depth(iris, max_depth):
    everything = list(Outline(iris))
    expected = [entry for entry in everything if entry.depth <= max_depth]
    assert len(expected) < len(everything)
    assert list(Outline(iris, max_depth=max_depth)) == expected


@pytest.mark.parametrize("max_depth", [-1, True])
def test_wrong_depth(iris, max_depth):
    with pytest.raises(ValueError, match="max_depth is"):
        Outline(iris, max_depth=max_depth)


def test_not_fitted():
    with pytest.raises(NotFittedError):
        Outline(UnivariateTreeClassifier())


def test_deeper_than_python_can_call():
    depth = 3_000
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    levels = [[Threshold(0, (float(-i),)), None] for i in range(1, depth)]
    splits = [Threshold(0, (0.0,)), *(split for level in levels for split in level), None, None]
    tree = Tree(schema, PackedSplits.of(splits), np.ones((2 * depth + 1, 2)))
    assert max(entry.depth for entry in Outline(tree)) == depth
