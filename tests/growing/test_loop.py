import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.datasets import load_iris

from miter.data import Column, Data, Schema, from_frame, led, monks
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splits import Threshold
from miter.splitters import Splitter, UnivariateSplitter


def iris():
    return from_frame(*load_iris(return_X_y=True))


def test_depth_is_limited():
    for depth in range(4):
        tree = grow(iris(), UnivariateSplitter("gain"), Stopping(max_depth=depth))
        assert tree.depth == depth


def test_five_percent_of_the_training_set():
    random = np.random.default_rng(0)
    data = from_frame(random.normal(size=(400, 3)), random.integers(0, 3, 400))
    tree = grow(data, UnivariateSplitter("gain"), Stopping(min_samples_split=0.05))
    weight = tree.counts.sum(axis=1)
    mixed = tree.is_leaf & (tree.counts.max(axis=1) < weight)
    assert weight[~tree.is_leaf].min() >= 20
    assert weight[mixed].max() < 20
    assert mixed.sum() > 10


def test_minimum_rows_in_a_leaf():
    tree = grow(iris(), UnivariateSplitter("gain"), Stopping(min_samples_leaf=7))
    assert tree.counts[tree.is_leaf].sum(axis=1).min() >= 7
    assert tree.n_leaves > 3


def test_minimum_leaf_holds_for_two_branches_of_many():
    # C4.5's rule: a value with a single row does not stop the split when two others are large.
    schema = Schema((Column("s", "symbolic", ("a", "b", "c")),), (0, 1))
    X = np.array([[0]] * 5 + [[1]] * 5 + [[2]], float)
    data = Data(schema, X, np.array([0] * 5 + [1] * 6, np.int32))
    assert grow(data, UnivariateSplitter("gain"), Stopping(None, 2, 5)).n_nodes == 4
    assert grow(data, UnivariateSplitter("gain"), Stopping(None, 2, 6)).n_nodes == 1


def test_splits_are_significant():
    data = led(500, noise=0.3, seed=3)
    tree = grow(data, UnivariateSplitter("gain"), Stopping(significance=0.01))
    assert 1 < tree.n_nodes < grow(data, UnivariateSplitter("gain")).n_nodes
    for node in np.flatnonzero(~tree.is_leaf):
        first = tree.first_child[node]
        table = tree.counts[first : first + tree.splits.n_branches[node]]
        table = table[:, table.sum(axis=0) > 0]
        assert chi2_contingency(table, correction=False).pvalue <= 0.01


def test_noise_grows_nothing_when_significance_is_asked():
    random = np.random.default_rng(0)
    n_grown = 0
    for _ in range(100):
        X = random.integers(0, 2, (200, 1)).astype(float)
        schema = Schema((Column("s", "symbolic", ("a", "b")),), (0, 1))
        data = Data(schema, X, random.integers(0, 2, 200).astype(np.int32))
        n_grown += grow(data, UnivariateSplitter("gain"), Stopping(significance=0.05)).n_nodes > 1
    assert n_grown <= 12  # 5 expected; 12 or more has a chance of 0.4 %


@pytest.mark.parametrize(
    "settings",
    [
        {"max_depth": -1},
        {"max_depth": 1.5},
        {"min_samples_split": 1},
        {"min_samples_split": 1.5},
        {"min_samples_leaf": 0},
        {"min_samples_leaf": float("nan")},
        {"significance": 0},
        {"significance": 1.0},
    ],
)
def test_senseless_stopping_is_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        Stopping(**settings)


def test_a_split_that_divides_nothing_becomes_a_leaf():
    class Useless(Splitter):
        def find_split(self, node):
            return Threshold(0, (1e9,))

    assert grow(iris(), Useless()).n_nodes == 1


def test_a_split_of_an_unknown_column_is_refused():
    class Wrong(Splitter):
        def find_split(self, node):
            return Threshold(7, (0.0,))

    with pytest.raises(ValueError, match="no column 7"):
        grow(iris(), Wrong())


def test_progress_is_told_level_by_level():
    told = []
    grow(monks(2), UnivariateSplitter("gain"), progress=lambda *now: told.append(now))
    assert [depth for depth, _, _ in told] == list(range(1, len(told) + 1))
    settled = [share for _, _, share in told]
    assert settled == sorted(settled)
    assert 0 <= settled[0] < settled[-1] <= 1


INTERRUPTED = """
import numpy as np, time
from miter.data import from_frame
from miter.growing.loop import grow
from miter.splitters import UnivariateSplitter
random = np.random.default_rng(0)
X, y = random.normal(size=(400_000, 20)), random.integers(0, 2, 400_000)
data = from_frame(X, y)
print("growing", flush=True)
try:
    grow(data, UnivariateSplitter("gain", thresholds="exact"))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
@pytest.mark.parametrize("delay", [0.05, 0.7])
def test_interrupt_is_answered(delay):
    """Ctrl-C while coding the columns, and while searching; to the end it takes many seconds."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "growing\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    assert output == "stopped\n"
