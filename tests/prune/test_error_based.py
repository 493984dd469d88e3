"""Error-based pruning against brute force, and against C4.5's recursion written down plainly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miter import BaggedTreesClassifier, UnivariateTreeClassifier, id3
from miter.data import Column, Data, Schema, led
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune import ErrorBased
from miter.prune.confidence import feared_errors
from miter.splits import SHARE, PackedSplits, Threshold
from miter.splitters import UnivariateSplitter
from miter.tree import Tree


def noisy(seed, n_rows=80, missing=0.0, n_classes=2):
    data = led(n_rows, noise=0.3, seed=seed)
    X = data.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    return Data(data.schema, X, data.labels % n_classes)


def grown(data, depth=3):
    return grow(data, UnivariateSplitter("gain"), Stopping(max_depth=depth))


def feared(tree):
    """The errors feared of the leaves of a tree in which every row ends in a leaf."""
    counts = tree.counts[tree.is_leaf]
    return feared_errors(counts.sum(axis=1) - counts.max(axis=1), counts.sum(axis=1)).sum()


def test_the_limit_is_that_of_the_book():
    # U(0, 6) = .206, U(0, 9) = .143, U(0, 1) = .75: C4.5, chapter 4.
    assert feared_errors([0, 0, 0], [6, 9, 1]) / [6, 9, 1] == pytest.approx(
        [0.206, 0.143, 0.75], abs=5e-4
    )
    # At that rate so few errors have the probability of the confidence.
    from scipy.stats import binom

    for errors, n, confidence in ((3, 40, 0.25), (0, 5, 0.1), (17, 30, 0.01)):
        rate = feared_errors(errors, n, confidence) / n
        assert binom.cdf(errors, n, rate) == pytest.approx(confidence)
    assert feared_errors([4, 7, 0], [4, 4, 0]).tolist() == [4, 4, 0]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), missing=st.sampled_from([0.0, 0.1]))
def test_without_raising_the_least_feared_of_all_prunings_is_found(all_prunings, seed, missing):
    data = noisy(seed, missing=missing, n_classes=3)
    tree = grown(data)
    candidates = [
        tree.cut(np.isin(np.arange(tree.n_nodes), list(nodes))) for nodes in all_prunings(tree)
    ]
    least = min(map(feared, candidates))
    smallest = min(t.n_nodes for t in candidates if feared(t) <= least + 1e-9)
    for pruned in (ErrorBased(raising=False).prune(tree, data), ErrorBased().prune(tree, None)):
        assert feared(pruned) == pytest.approx(least)
        assert pruned.n_nodes == smallest
    assert feared(ErrorBased().prune(tree, data)) <= least + 1e-6


def c45(node, X, y, weight, n_classes):
    """C4.5's recursion over a tree of nested tuples (split, shares, children); leaves are None."""

    def as_leaf(y, weight):
        counts = np.bincount(y, weight, minlength=n_classes)
        return float(feared_errors(counts.sum() - counts.max(), counts.sum()))

    def sent(node, X, y, weight):
        split, shares, children = node
        route = split.route(X)
        for b, child in enumerate(children):
            own = (route == b) | (route == SHARE)
            part = np.where(route == SHARE, shares[b], 1.0) * weight
            yield child, X[own], y[own], part[own]

    def estimate(node, X, y, weight):
        if node is None:
            return as_leaf(y, weight)
        return sum(estimate(*part) for part in sent(node, X, y, weight))

    def prune(node, X, y, weight):
        if node is None:
            return None, as_leaf(y, weight)
        parts = list(sent(node, X, y, weight))
        done = [prune(*part) for part in parts]
        node = (node[0], node[1], [child for child, _ in done])
        below = sum(errors for _, errors in done)
        largest = int(np.argmax([part[3].sum() for part in parts]))
        leaf, risen = as_leaf(y, weight), estimate(node[2][largest], X, y, weight)
        if leaf <= min(below, risen) + 1e-9:
            return None, leaf
        if risen <= below + 1e-9:
            return prune(node[2][largest], X, y, weight)
        return node, below

    return prune(node, X, y, weight)


def nested(tree, node=0):
    split = tree.splits[node]
    if split is None:
        return None
    first = tree.first_child[node]
    children = range(first, first + split.n_branches)
    return split, tree.share[list(children)], [nested(tree, c) for c in children]


def same_shape(one, other):
    if one is None or other is None:
        return one is other
    return one[0] == other[0] and all(map(same_shape, one[2], other[2]))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    missing=st.sampled_from([0.0, 0.1]),
    weighted=st.booleans(),
)
def test_raising_is_the_recursion_of_c45(seed, missing, weighted):
    data = noisy(seed, 150, missing)
    if weighted:
        weight = np.random.default_rng(seed).uniform(0.2, 3, data.n_rows)
        data = Data(data.schema, data.X, data.y, weight)
    tree = grown(data, depth=6)
    expected, errors = c45(nested(tree), data.X, data.labels, data.weight_of(), 2)
    pruned = ErrorBased().prune(tree, data)
    assert same_shape(nested(pruned), expected)
    if missing == 0:  # else shares differ after a branch rose
        assert feared(pruned) == pytest.approx(errors)
        assert np.allclose(pruned.counts, pruned.count(data))


def test_a_branch_rises():
    """The root tells little; what its larger branch asks tells all."""
    schema = Schema((Column("x", "numeric"), Column("z", "numeric")), (0, 1))
    random = np.random.default_rng(0)
    X = random.uniform(size=(200, 2))
    y = (X[:, 1] > 0.5).astype(np.int32)
    data = Data(schema, X, y)
    small = X[:, 0] <= 0.02
    assert 0 < small.sum() < 10
    splits = [Threshold(0, (0.02,)), None, Threshold(1, (0.5,)), None, None]
    tree = Tree(schema, PackedSplits.of(splits), np.ones((5, 2))).recounted(data)
    pruned = ErrorBased().prune(tree, data)
    assert pruned.splits[0] == Threshold(1, (0.5,))
    assert pruned.n_nodes == 3
    assert pruned.counts[0].sum() == 200
    assert ErrorBased(raising=False).prune(tree, data).n_nodes == 5


def test_costs_are_feared():
    """Mistakes about one class cost nine times as much, so that its few rows are worth a split."""
    schema = Schema((Column("x", "numeric"),), (0, 1))
    splits = PackedSplits.of([Threshold(0, (0.0,)), None, None])
    x = np.linspace(-1, 1, 40)[:, None]
    y = ((x[:, 0] > 0) & (np.arange(40) % 5 == 0)).astype(np.int32)
    plain = Data(schema, x, y)
    dear = Data(
        schema, x, y, costs=np.where(y[:, None] == [0, 1], 0.0, np.where(y, 9.0, 1.0)[:, None])
    )
    for data, n_nodes in ((plain, 1), (dear, 3)):
        tree = Tree(schema, splits, np.ones((3, 2)))
        losses = None if data.costs is None else tree.losses_of(data)
        tree = Tree(schema, splits, tree.count(data), losses=losses)
        for raising in (True, False):
            assert ErrorBased(raising=raising).prune(tree, data).n_nodes == n_nodes


def test_a_deep_tree_is_no_trouble():
    n = 3000
    schema = Schema((Column("x", "numeric"),), (0, 1))
    x = np.arange(n, dtype=float)[:, None]
    data = Data(schema, x, (np.arange(n) % 2).astype(np.int32))
    tree = id3().fit(data).tree_
    chain = []
    for cut in range(n - 1):
        chain += [Threshold(0, (cut + 0.5,)), None]
    splits = PackedSplits.of([*([] if not chain else [chain[0]]), *_level_by_level(n)])
    deep = Tree(schema, splits, np.ones((len(splits), 2))).recounted(data)
    assert deep.depth == n - 1
    assert tree.n_leaves == n
    assert ErrorBased().prune(deep.cut(np.arange(deep.n_nodes) > 1200), data).n_nodes >= 1


def _level_by_level(n):
    """A chain below its root: a leaf and the next split, and so on; at the end two leaves."""
    for cut in range(1, n - 1):
        yield None
        yield Threshold(0, (cut + 0.5,))
    yield None
    yield None


def test_by_name_and_in_forests():
    data = noisy(1, 300, n_classes=3)
    full = UnivariateTreeClassifier(pruning=None).fit(data)
    pruned = UnivariateTreeClassifier(pruning="error_based").fit(data)
    assert pruned.get_n_leaves() < full.get_n_leaves()
    forest = BaggedTreesClassifier(id3(pruning="error_based"), n_estimators=3, random_state=0)
    whole = BaggedTreesClassifier(id3(), n_estimators=3, random_state=0)
    sizes = [sum(t.n_nodes for t in f.fit(data).trees_) for f in (forest, whole)]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("confidence", [0, 1, -1, "a", np.nan])
def test_senseless_confidence_is_refused(confidence):
    with pytest.raises(ValueError, match="confidence is"):
        ErrorBased(confidence)
