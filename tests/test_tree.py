import pickle
from dataclasses import replace

import numpy as np
import pytest

from miter.data import Column, Data, Schema, play_tennis
from miter.growing.loop import grow
from miter.splits import Category, PackedSplits, Threshold
from miter.splitters import UnivariateSplitter
from miter.tree import Tree

SCHEMA = Schema((Column("x", "numeric"), Column("s", "symbolic", ("a", "b", "c"))), ("no", "yes"))


def small_tree():
    """x <= 1: [s = a: no | s = b: yes]; x > 1: yes."""
    splits = [Threshold(0, (1.0,)), Category(1, (0, 1, -1)), None, None, None]
    counts = np.array([[4, 6], [4, 2], [0, 4], [3, 0], [1, 2]], float)
    return Tree(SCHEMA, PackedSplits.of(splits), counts)


def test_structure_follows_from_the_splits():
    tree = small_tree()
    assert tree.first_child.tolist() == [1, 3, -1, -1, -1]
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1]
    assert tree.level_starts == [0, 1, 3, 5]
    assert (tree.depth, tree.n_nodes, tree.n_leaves) == (2, 5, 3)
    assert tree.share.tolist() == [1, 0.6, 0.4, 0.5, 0.5]


def test_predictions():
    tree = small_tree()
    X = np.array([[0, 0], [0, 1], [2, 0], [0, 2]], float)
    assert tree.apply(X).tolist() == [3, 4, 2, 1]
    assert tree.predict(X).tolist() == [0, 1, 1, 0]
    assert tree.predict_proba(X) == pytest.approx(
        np.array([[1, 0], [1 / 3, 2 / 3], [0, 1], [2 / 3, 1 / 3]])
    )


def test_missing_values_are_shared_out():
    tree = small_tree()
    X = np.array([[np.nan, 0], [np.nan, np.nan]])
    expected = np.array([[0.6, 0.4], [0.6 * (0.5 + 0.5 / 3), 0.6 * 0.5 * 2 / 3 + 0.4]])
    assert tree.predict_proba(X) == pytest.approx(expected)
    assert tree.apply(X).tolist() == [3, 3]
    start, nodes = tree.paths(X)
    assert nodes[start[0] : start[1]].tolist() == [0, 1, 2, 3]
    assert nodes[start[1] : start[2]].tolist() == [0, 1, 2, 3, 4]


def test_counting_other_rows():
    tree = small_tree()
    data = Data(SCHEMA, np.array([[np.nan, 0], [2, 0]]), np.array([0, 1], np.int32))
    weighted = Data(data.schema, data.X, data.y, np.array([1.0, 3.0]))
    assert tree.count(data) == pytest.approx(
        np.array([[1, 1], [0.6, 0], [0.4, 1], [0.6, 0], [0, 0]])
    )
    assert tree.count(weighted)[2] == pytest.approx([0.4, 3])


def test_a_tie_takes_the_parents_class():
    splits = [Threshold(0, (1.0,)), None, None]
    tree = Tree(SCHEMA, PackedSplits.of(splits), np.array([[4.0, 5], [2, 2], [2, 3]]))
    assert tree.labels.tolist() == [1, 1, 1]


def test_a_node_without_rows_answers_like_its_parent():
    splits = [Threshold(0, (1.0,)), None, None]
    tree = Tree(SCHEMA, PackedSplits.of(splits), np.array([[1.0, 3], [0, 0], [1, 3]]))
    assert tree.probabilities[1].tolist() == [0.25, 0.75]
    assert tree.labels[1] == 1


def test_cut_removes_everything_below():
    tree = small_tree()
    at_root = tree.cut(np.array([True, False, False, False, False]))
    assert at_root.n_nodes == 1
    assert at_root.counts.tolist() == [[4, 6]]
    at_one = tree.cut(np.array([False, True, False, False, False]))
    assert at_one.n_nodes == 3
    assert at_one.splits[0] == Threshold(0, (1.0,))
    assert at_one.predict(np.array([[0.0, 1.0]])).tolist() == [0]
    assert tree.cut(np.zeros(5, bool)).n_nodes == 5


def test_importances_are_shares_of_information():
    importances = small_tree().with_importances().importances
    assert importances.sum() == pytest.approx(1)
    assert (importances > 0).all()


def test_pickling():
    tree = small_tree()
    tree.predict(np.zeros((1, 2)))  # makes the native router, which must not be pickled
    again = pickle.loads(pickle.dumps(tree))
    X = np.array([[0, 0], [0, 1], [2, 0], [np.nan, 2]], float)
    assert np.array_equal(tree.predict_proba(X), again.predict_proba(X))


def test_another_width_is_refused():
    with pytest.raises(ValueError, match="number of columns"):
        small_tree().predict(np.zeros((3, 5)))


@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 5000])
def test_fast_lane_equals_the_general_walk(n_rows):
    """A tree of thresholds only is walked several rows at a time."""
    random = np.random.default_rng(0)
    cuts = [0.0, -0.5, 0.5]
    splits = [Threshold(0, (cuts[0],)), *(Threshold(0, (c,)) for c in cuts[1:]), *[None] * 4]
    schema = Schema((Column("x", "numeric"),), ("no", "yes"))
    tree = Tree(schema, PackedSplits.of(splits), random.random((7, 2)))
    x = random.normal(size=n_rows)
    x[random.random(n_rows) < 0.1] = np.nan
    expected = 3 + np.searchsorted([-0.5, 0.0, 0.5], x, side="left")
    known = ~np.isnan(x)
    assert np.array_equal(tree.apply(x[:, None])[known], expected[known])
    assert np.array_equal(tree.predict(x[:, None])[known], tree.labels[expected[known]])
    single = x.astype(np.float32)[:, None]
    assert np.array_equal(tree.apply(single)[known], expected[known])


def test_smoothing_adds_rows_of_the_parent():
    tree = grow(play_tennis(), UnivariateSplitter(criterion="gain"))
    smooth = replace(tree, smoothing=2.0)
    for node in range(1, tree.n_nodes):
        above = smooth.probabilities[tree.parent[node]]
        expected = (tree.counts[node] + 2 * above) / (tree.counts[node].sum() + 2)
        assert np.allclose(smooth.probabilities[node], expected)
    assert np.allclose(smooth.probabilities.sum(axis=1), 1)
    assert smooth.cut(np.zeros(tree.n_nodes, bool)).smoothing == 2.0


def test_a_branch_may_take_the_place_of_its_node():
    """What C4.5 calls subtree raising: rows of the other branches go through the subtree too."""
    data = play_tennis()
    tree = grow(data, UnivariateSplitter(criterion="gain"))
    # Outlook = Sunny, below which humidity decides, takes the place of the root.
    raised = np.full(tree.n_nodes, -1)
    raised[0] = tree.first_child[0]
    risen = tree.cut(np.zeros(tree.n_nodes, bool), raised).recounted(data)
    assert risen.n_nodes == 3
    assert risen.splits[0].say(risen.schema, 0) == "Humidity = High"
    assert risen.counts.tolist() == [[9.0, 5.0], [3.0, 4.0], [6.0, 1.0]]
    assert np.array_equal(risen.counts, risen.count(data))


def test_branches_rise_over_several_levels():
    tree = grow(play_tennis(), UnivariateSplitter(criterion="gain"))
    deepest = tree.n_nodes - 1
    raised = np.full(tree.n_nodes, -1)
    node = deepest
    while tree.parent[node] >= 0:
        raised[tree.parent[node]] = node
        node = tree.parent[node]
    risen = tree.cut(np.zeros(tree.n_nodes, bool), raised)
    assert risen.n_nodes == 1
    assert np.array_equal(risen.counts, tree.counts[[deepest]])
