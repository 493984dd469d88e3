"""Pruning against brute force: every possible pruning of small trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miter.data import Data, led
from miter.errors import DataError
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune import Pessimistic, ReducedError
from miter.splitters import UnivariateSplitter


def noisy_tree(seed, n_rows=60, missing=0.0, depth=3):
    data = led(n_rows, noise=0.3, seed=seed)
    X = data.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    data = Data(data.schema, X, data.labels % 2)
    return grow(data, UnivariateSplitter("gain"), Stopping(max_depth=depth))


def binary_led(seed, n_rows=40, missing=0.0):
    data = led(n_rows, noise=0.3, seed=seed)
    X = data.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    return Data(data.schema, X, data.labels % 2)


def errors(tree, data):
    """Errors on rows without missing values, by prediction alone."""
    return int((tree.predict(data.X) != data.labels).sum())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_reduced_error_gives_the_smallest_of_the_most_accurate(all_prunings, seed):
    tree, validation = noisy_tree(seed), binary_led(seed + 1)
    candidates = []
    for cuts in all_prunings(tree):
        pruned = tree.cut(np.isin(np.arange(tree.n_nodes), list(cuts)))
        candidates.append((errors(pruned, validation), pruned.n_nodes))
    result = ReducedError().prune(tree, validation)
    assert (errors(result, validation), result.n_nodes) == min(candidates)


def pessimistic_by_hand(tree, node=0):
    """Return the nodes to cut at, from the root down, by Quinlan's formula."""

    def wrong(n):
        return tree.counts[n].sum() - tree.counts[n, tree.labels[n]]

    def leaves(n):
        if tree.is_leaf[n]:
            return [n]
        first = tree.first_child[n]
        return [x for c in range(first, first + tree.splits.n_branches[n]) for x in leaves(c)]

    if tree.is_leaf[node]:
        return set()
    below = leaves(node)
    weight = tree.counts[node].sum()
    estimate = sum(wrong(n) for n in below) + len(below) / 2
    deviation = np.sqrt(max(estimate * (weight - estimate), 0) / weight)
    if wrong(node) + 0.5 <= estimate + deviation:
        return {node}
    first = tree.first_child[node]
    return set().union(
        *(pessimistic_by_hand(tree, c) for c in range(first, first + tree.splits.n_branches[node]))
    )


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.1]))
def test_pessimistic_is_the_formula_of_the_paper(seed, missing):
    tree = noisy_tree(seed, n_rows=300, missing=missing, depth=5)
    expected = tree.cut(np.isin(np.arange(tree.n_nodes), list(pessimistic_by_hand(tree))))
    result = Pessimistic().prune(tree)
    assert np.array_equal(result.counts, expected.counts)


def test_pessimistic_worked_by_hand():
    # Leaves (15,1) and (9,0) below (24,1): 1 + 1/2 against 1 + 2/2 with a deviation of
    # sqrt(2 * 23 / 25) = 1.36; 1.5 <= 3.36, so it becomes a leaf.
    from miter.data import Column, Schema
    from miter.splits import PackedSplits, Threshold
    from miter.tree import Tree

    schema = Schema((Column("x", "numeric"),), (0, 1))
    splits = PackedSplits.of([Threshold(0, (0.0,)), None, None])
    useless = Tree(schema, splits, np.array([[24.0, 1], [15, 1], [9, 0]]))
    assert Pessimistic().prune(useless).n_nodes == 1
    # (20,0) and (0,5): 5.5 against 1 + sqrt(1 * 24 / 25) = 1.98: it stays.
    useful = Tree(schema, splits, np.array([[20.0, 5], [20, 0], [0, 5]]))
    assert Pessimistic().prune(useful).n_nodes == 3


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_pruning_never_makes_more_validation_errors(missing):
    tree = noisy_tree(3, n_rows=300, missing=missing, depth=6)
    validation = binary_led(4, 200, missing)
    pruned = ReducedError().prune(tree, validation)
    assert pruned.n_nodes < tree.n_nodes
    assert errors(pruned, validation) <= errors(tree, validation) + 2  # ties of shared-out rows


def test_held_out_rows_are_a_share_of_every_class():
    data = led(300, seed=0)
    growing, held = ReducedError(share=0.2).hold_out(data, np.random.default_rng(0))
    assert np.allclose(growing.class_counts() + held.class_counts(), data.class_counts())
    assert np.allclose(held.class_counts(), 0.2 * data.class_counts(), atol=0.5)


def test_reduced_error_without_rows_to_hold_out():
    with pytest.raises(DataError, match="too few to hold out"):
        ReducedError().hold_out(led(1, seed=0), np.random.default_rng(0))


def test_reduced_error_without_validation_rows():
    with pytest.raises(DataError, match="needs validation rows"):
        ReducedError().prune(noisy_tree(0), None)


@pytest.mark.parametrize("share", [0, 1, -0.5, 2])
def test_senseless_share_is_refused(share):
    with pytest.raises(ValueError, match="share is"):
        ReducedError(share=share)


def test_reduced_error_with_empty_validation_rows():
    empty = binary_led(0).take(np.array([], int))
    with pytest.raises(DataError, match="needs validation rows"):
        ReducedError().prune(noisy_tree(0), empty)
