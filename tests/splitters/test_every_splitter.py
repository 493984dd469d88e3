"""What every splitter must do, whatever tree family it makes."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splitters import (
    AnnealedMachineSplitter,
    HybridSplitter,
    ICASplitter,
    LabelledICASplitter,
    LinearCombinationSplitter,
    MachineOrColumnSplitter,
    MixedSplitter,
    NetworkSplitter,
    PerceptronSplitter,
    RandomCutSplitter,
    SparseSplitter,
    ThermalMachineSplitter,
    UnivariateSplitter,
    WholeTreeSplitter,
)
from miter.tree import Tree

SPLITTERS = {
    "gain": UnivariateSplitter(criterion="gain"),
    "gain_ratio": UnivariateSplitter(criterion="gain_ratio"),
    "normalised_gain": UnivariateSplitter(criterion="normalised_gain"),
    "gini": UnivariateSplitter(criterion="gini"),
    "tan_schlimmer": UnivariateSplitter(criterion="tan_schlimmer", attribute_costs={"a": 3.0}),
    "nunez": UnivariateSplitter(criterion="nunez", attribute_costs={"a": 3.0}, cost_weight=0.5),
    "histogram": UnivariateSplitter(criterion="gain", thresholds="histogram"),
    "intervals": UnivariateSplitter(criterion="gain", numeric="intervals"),
    "groups": UnivariateSplitter(criterion="gain", symbolic="groups"),
    "missing at node": UnivariateSplitter(criterion="gain", missing="node"),
    "missing in class": UnivariateSplitter(criterion="gain", missing="class"),
    "missing filled before": UnivariateSplitter(criterion="gain", missing="training"),
    "random cut": RandomCutSplitter(),
}

# These draw rows by chance, so their trees depend on the order and the number of the rows.
DRAWING = {
    "thermal draws": ThermalMachineSplitter(),
    "thermal passes": ThermalMachineSplitter(schedule="passes", a=0.9, eliminate="columns"),
    "perceptron by gradient": PerceptronSplitter("gradient"),
    "network by gradient": NetworkSplitter("gradient", learning_rate=2.0),
}
# These sum in single precision: the last bits depend on the order and the number of the rows.
ANNEALED = {
    "logistic": AnnealedMachineSplitter(),
    "annealed": AnnealedMachineSplitter(anneal=True),
    "machine or column": MachineOrColumnSplitter(machine_rows=20),
    "bent": AnnealedMachineSplitter(bent=True),
    "combination": LinearCombinationSplitter(),
    "searched combination": LinearCombinationSplitter("gain", l2=None, missing="training"),
    "perceptron": PerceptronSplitter(),
    "mixed": MixedSplitter(),
    "whole tree": WholeTreeSplitter(AnnealedMachineSplitter(bent=True)),
    "whole tree of perceptrons": WholeTreeSplitter(PerceptronSplitter()),
    "sparse": SparseSplitter(),
    "sparse numbers": SparseSplitter(3, conditions=False),
}
# These draw the parts of a node's rows by chance.
ELIMINATING = {
    "eliminating": AnnealedMachineSplitter(eliminate=True),
    "two variables": AnnealedMachineSplitter(max_features=2),
    "network": NetworkSplitter(),
    "hybrid": HybridSplitter(),
    "omnivariate": HybridSplitter("t_test", univariate=True),
    "by criterion": HybridSplitter("bic", univariate=True),
}
# These look at the shape of the rows, whatever their classes.
STRUCTURAL = {"ica": ICASplitter(), "labelled ica": LabelledICASplitter()}
EVERY = SPLITTERS | DRAWING | ANNEALED | ELIMINATING | STRUCTURAL
LEARNING = SPLITTERS | DRAWING | ANNEALED | ELIMINATING

searching_splitter = pytest.mark.parametrize("splitter", SPLITTERS.values(), ids=SPLITTERS.keys())
annealed_splitter = pytest.mark.parametrize("splitter", ANNEALED.values(), ids=ANNEALED.keys())
every_splitter = pytest.mark.parametrize("splitter", EVERY.values(), ids=EVERY.keys())


def mixed_data(n_rows=300, missing=0.1, seed=0, weight=None):
    """Two numbers, two symbols and an ordered column, some cells missing; three noisy classes."""
    random = np.random.default_rng(seed)
    # One decimal: fewer than 255 distinct values, so that a histogram is exact.
    a, b = random.normal(size=(2, n_rows)).round(1)
    c, d = random.integers(0, 4, n_rows), random.integers(0, 2, n_rows)
    e = random.integers(0, 3, n_rows)
    y = (a + (c == 2) > 0.3).astype(int) + ((b > 0.5) & (d == 1) & (e > 0))
    y = np.where(random.random(n_rows) < 0.1, random.integers(0, 3, n_rows), y)
    X = np.column_stack([a, b, c, d, e]).astype(float)
    X[random.random(X.shape) < missing] = np.nan
    columns = (
        Column("a", "numeric"),
        Column("b", "numeric"),
        Column("c", "symbolic", ("p", "q", "r", "s")),
        Column("d", "symbolic", ("no", "yes")),
        Column("e", "ordered", ("low", "middle", "high")),
    )
    return Data(Schema(columns, (0, 1, 2)), X, y.astype(np.int32), weight)


def same_tree(one: Tree, other: Tree) -> bool:
    return all(
        np.array_equal(a, b) for a, b in zip(one.splits.arrays, other.splits.arrays, strict=True)
    ) and np.allclose(one.counts, other.counts)


def accuracy(tree: Tree, data: Data) -> float:
    return float((tree.predict(data.X) == data.labels).mean())


@every_splitter
def test_separable_rows_are_separated(splitter):
    X, y = load_iris(return_X_y=True)
    rows = y < 2
    schema = Schema(tuple(Column(name, "numeric") for name in "abcd"), (0, 1))
    data = Data(schema, X[rows], y[rows].astype(np.int32))
    assert accuracy(grow(data, splitter), data) == 1.0


@searching_splitter
def test_a_weight_of_two_is_the_row_twice(splitter):
    # Sums of fractional rows depend on their order in the last bit, which can decide a tie.
    data = mixed_data(missing=0.0)
    random = np.random.default_rng(1)
    weight = random.integers(1, 4, data.n_rows)
    twice = data.take(np.repeat(np.arange(data.n_rows), weight))
    weighted = Data(data.schema, data.X, data.y, weight.astype(float))
    stopping = Stopping(min_samples_leaf=3, min_samples_split=8)
    one, other = grow(weighted, splitter, stopping), grow(twice, splitter, stopping)
    assert one.n_nodes > 5
    assert same_tree(one, other)


@searching_splitter
def test_the_order_of_rows_does_not_matter(splitter):
    # Without missing values all sums are of whole numbers, so even the last bit must agree.
    data = mixed_data(missing=0.0)
    shuffled = data.take(np.random.default_rng(2).permutation(data.n_rows))
    assert same_tree(grow(data, splitter), grow(shuffled, splitter))


@annealed_splitter
def test_machines_hardly_depend_on_repetition_and_order(splitter):
    data = mixed_data(missing=0.0)
    random = np.random.default_rng(1)
    weight = random.integers(1, 4, data.n_rows)
    twice = np.repeat(np.arange(data.n_rows), weight)
    weighted = Data(data.schema, data.X, data.y, weight.astype(float))
    expected = grow(weighted, splitter, Stopping(max_depth=1)).predict(data.X)
    for rows in (twice, random.permutation(twice)):
        other = grow(data.take(rows), splitter, Stopping(max_depth=1)).predict(data.X)
        assert np.mean(expected == other) > 0.99


@pytest.mark.parametrize("splitter", (ANNEALED | ELIMINATING).values())
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_machines_are_the_same_with_any_number_of_threads(splitter, missing):
    data = mixed_data(500, missing=missing)
    one = grow(data, splitter, n_threads=1)
    for n_threads in (2, 3):
        assert same_tree(one, grow(data, splitter, n_threads=n_threads))


@every_splitter
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_threads_do_not_matter(splitter, missing):
    # Large enough for nodes that are shared out column by column.
    slow = DRAWING | ELIMINATING
    data = mixed_data(2_000 if splitter in slow.values() else 20_000, missing=missing)
    stopping = Stopping(max_depth=5)
    one = grow(data, splitter, stopping, n_threads=1)
    other = grow(data, splitter, stopping, n_threads=4)
    assert one.n_nodes > 5
    assert same_tree(one, other)
    assert np.array_equal(one.counts, other.counts)


@every_splitter
def test_the_same_seed_gives_the_same_tree(splitter):
    data = mixed_data()
    assert same_tree(grow(data, splitter, seed=7), grow(data, splitter, seed=7))


@every_splitter
def test_missing_values_in_training_and_prediction(splitter):
    data = mixed_data(500, missing=0.15)
    tree = grow(data, splitter, Stopping(min_samples_leaf=5))
    assert accuracy(tree, data) > (0.6 if splitter.learns_from_classes else 0.4)
    empty = np.full((1, 5), np.nan)
    probabilities = tree.predict_proba(empty)
    assert np.isclose(probabilities.sum(), 1.0)
    assert tree.predict(empty)[0] == probabilities.argmax()


@pytest.mark.parametrize("splitter", LEARNING.values(), ids=LEARNING.keys())
def test_one_class_is_a_leaf(splitter):
    data = mixed_data()
    alone = data.take(np.flatnonzero(data.labels == 1))
    tree = grow(alone, splitter)
    assert tree.n_nodes == 1
    assert tree.labels[0] == 1


@every_splitter
def test_constant_columns_cannot_be_split(splitter):
    data = mixed_data()
    constant = Data(data.schema, np.ones_like(data.X), data.y)
    assert grow(constant, splitter).n_nodes == 1
    missing = Data(data.schema, np.full_like(data.X, np.nan), data.y)
    assert grow(missing, splitter).n_nodes == 1


@every_splitter
def test_one_row_is_a_leaf(splitter):
    data = mixed_data().take(np.array([3]))
    assert grow(data, splitter).n_nodes == 1


@every_splitter
def test_float32_is_read_as_it_is(splitter):
    data = mixed_data()
    narrow = Data(data.schema, data.X.astype(np.float32), data.y)
    wide = Data(data.schema, narrow.X.astype(np.float64), data.y)
    assert same_tree(grow(narrow, splitter), grow(wide, splitter))


@every_splitter
def test_any_strides_are_read(splitter):
    data = mixed_data()
    columns_first = Data(data.schema, np.asfortranarray(data.X), data.y)
    every_other = np.repeat(np.repeat(data.X, 2, axis=0), 3, axis=1)[::2, ::3]
    strided = Data(data.schema, every_other, data.y)
    expected = grow(data, splitter)
    assert same_tree(expected, grow(columns_first, splitter))
    assert same_tree(expected, grow(strided, splitter))
    assert np.array_equal(expected.predict(data.X), expected.predict(every_other))


@searching_splitter
def test_no_split_leaves_a_branch_without_rows(splitter):
    tree = grow(mixed_data(), splitter)
    assert tree.counts.sum(axis=1).min() > 0


@every_splitter
def test_counts_of_children_add_up(splitter):
    tree = grow(mixed_data(), splitter)
    total = np.zeros_like(tree.counts)
    np.add.at(total, tree.parent[1:], tree.counts[1:])
    inner = ~tree.is_leaf
    assert np.allclose(total[inner], tree.counts[inner])
