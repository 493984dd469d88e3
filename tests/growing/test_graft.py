import numpy as np

from miter.data import led
from miter.growing.graft import graft
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splitters import UnivariateSplitter


def test_a_tree_grows_on_where_it_was_cut():
    """What is below the leaves of a stump, grown on their rows, makes the whole tree again."""
    data = led(500, seed=1)
    splitter = UnivariateSplitter("gain")
    whole = grow(data, splitter)
    stump = grow(data, splitter, Stopping(max_depth=2))
    leaf = stump.apply(data.X)
    below = {
        int(node): grow(data.take(np.flatnonzero(leaf == node)), splitter)
        for node in np.flatnonzero(stump.is_leaf)
    }
    grown = graft(stump, below)
    np.testing.assert_array_equal(grown.counts, whole.counts)
    assert list(grown.splits) == list(whole.splits)


def test_nothing_to_graft():
    stump = grow(led(100, seed=1), UnivariateSplitter("gain"), Stopping(max_depth=1))
    assert graft(stump, {}) is stump
