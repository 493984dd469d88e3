"""A tree cut to a wanted size, against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miter import LinearMachineTreeClassifier, UnivariateTreeClassifier
from miter.data import Data, led
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune import CutToSize
from miter.splitters import AnnealedMachineSplitter, UnivariateSplitter


def noisy(seed, n_rows=60, missing=0.0):
    data = led(n_rows, noise=0.3, seed=seed)
    X = data.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    return Data(data.schema, X, data.labels % 3)


def errors(tree):
    counts = tree.counts[tree.is_leaf]
    return float((counts.sum(axis=1) - counts.max(axis=1)).sum())


def size(tree, of):
    return tree.n_leaves if of == "leaves" else int(tree.terms.sum())


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    most=st.integers(1, 9),
    of=st.sampled_from(["leaves", "terms"]),
    machines=st.booleans(),
    missing=st.sampled_from([0.0, 0.1]),
)
def test_the_best_of_all_prunings_that_are_small_enough(
    all_prunings, seed, most, of, machines, missing
):
    splitter = AnnealedMachineSplitter() if machines else UnivariateSplitter("gain")
    if machines and of == "terms":
        most *= 7
    data = noisy(seed, missing=missing)
    tree = grow(data, splitter, Stopping(max_depth=2 if machines else 3), n_threads=1)
    candidates = [
        tree.cut(np.isin(np.arange(tree.n_nodes), list(nodes))) for nodes in all_prunings(tree)
    ]
    small = [(round(errors(t), 6), size(t, of)) for t in candidates if size(t, of) <= most]
    pruned = CutToSize(most, of).prune(tree)
    assert (round(errors(pruned), 6), size(pruned, of)) == min(small)


def test_a_long_tree_takes_no_long_time():
    data = led(3000, noise=0.3, seed=0)
    X = np.column_stack([data.X, np.random.default_rng(0).normal(size=3000)])
    model = UnivariateTreeClassifier(pruning=None, min_samples_leaf=1).fit(X, data.labels)
    assert model.get_n_leaves() > 1000
    for most in (1, 2, 50, 1000, 10_000):
        pruned = CutToSize(most).prune(model.tree_)
        assert pruned.n_leaves <= most
    assert errors(pruned) == errors(model.tree_)


def test_as_a_parameter():
    data = noisy(0, 300)
    assert UnivariateTreeClassifier(pruning=CutToSize(5)).fit(data).get_n_leaves() == 5
    assert UnivariateTreeClassifier(pruning="cut_to_size").fit(data).get_n_leaves() == 8
    model = LinearMachineTreeClassifier(pruning=CutToSize(0, "terms"), random_state=0).fit(data)
    assert model.get_n_leaves() == 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ((0,), "most is 0; give a whole number from 1 on"),
        ((-1, "terms"), "most is -1; give a whole number from 0 on"),
        (("8",), "most is '8'"),
        ((2.5,), "most is 2.5"),
        ((3, "leafs"), "of is 'leafs'; did you mean 'leaves'"),
    ],
)
def test_a_size_that_no_tree_has(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        CutToSize(*settings)
