"""Machines where they tell more, tests of one column where nodes are large."""

import numpy as np
import pytest

from miter import LinearMachineTreeClassifier
from miter.data import from_frame
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splits import Machine, Threshold
from miter.splitters import MachineOrColumnSplitter


def striped(n, seed=0):
    """Many small regions, in each of which two further columns decide by their sum."""
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n, 4))
    level = np.array([0.2, 1.7, 0.6, 1.4, 0.9, 0.3, 1.6, 1.1, 0.5, 1.5, 0.8, 1.3])
    return X, X[:, 2] + X[:, 3] > level[(12 * X[:, 0]).astype(int)]


def test_large_nodes_test_one_column():
    X, y = striped(1000)
    tree = grow(from_frame(X, y), MachineOrColumnSplitter(machine_rows=60))
    weight = tree.counts.sum(axis=1)
    kinds = {node: type(tree.splits[node]) for node in np.flatnonzero(~tree.is_leaf)}
    assert all(kind is Threshold for node, kind in kinds.items() if weight[node] > 60)
    assert Machine in kinds.values()


def test_the_better_of_both_is_taken():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    everywhere = MachineOrColumnSplitter(machine_rows=None)
    oblique = grow(from_frame(X, X.sum(axis=1) > 0), everywhere, Stopping(1))
    assert isinstance(oblique.splits[0], Machine)
    upright = grow(from_frame(X, X[:, 1] > 0.3), everywhere, Stopping(1))
    assert isinstance(upright.splits[0], Threshold)


def test_rows_held_out_tell_which_kind_of_table_it_is():
    """With machines from the root on the regions are found late; the default finds them."""
    X, y = striped(30_000)
    test, truth = striped(5000, seed=1)
    machines = LinearMachineTreeClassifier(univariate=False, random_state=0).fit(X, y)
    default = LinearMachineTreeClassifier(random_state=0).fit(X, y)
    errors = [np.mean(model.predict(test) != truth) for model in (default, machines)]
    assert errors[0] < 0.85 * errors[1]


@pytest.mark.parametrize("value", [-1, "many", True])
def test_senseless_settings_are_refused(value):
    with pytest.raises(ValueError, match="machine_rows is"):
        MachineOrColumnSplitter(machine_rows=value)
