"""All weights of a grown tree trained together."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits

from miter import LinearMachineTreeClassifier, PerceptronTreeClassifier
from miter.data import Column, Data, Schema, from_frame, monks
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splits import Category, PackedSplits, Threshold
from miter.splitters import (
    AnnealedMachineSplitter,
    LinearCombinationSplitter,
    MachineOrColumnSplitter,
    PerceptronSplitter,
    WholeTreeSplitter,
    whole_tree,
)
from miter.tree import Tree

INNER = {
    "linear": AnnealedMachineSplitter(),
    "bent": AnnealedMachineSplitter(bent=True),
    "machine or column": MachineOrColumnSplitter(machine_rows=60),
    "perceptron": PerceptronSplitter(),
    "combination": LinearCombinationSplitter(),
}
every_inner = pytest.mark.parametrize("inner", INNER.values(), ids=INNER.keys())


def dirty(n_rows=400, seed=0, weight=None):
    """Numbers and symbols, some missing; three noisy classes."""
    random = np.random.default_rng(seed)
    a, b = random.normal(size=(2, n_rows)).round(1)
    c, d = random.integers(0, 4, n_rows), random.integers(0, 2, n_rows)
    y = (a + (c == 2) > 0.3).astype(int) + ((b > 0.5) & (d == 1))
    X = np.column_stack([a, b, c, d]).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    columns = (
        Column("a", "numeric"),
        Column("b", "numeric"),
        Column("c", "symbolic", ("p", "q", "r", "s")),
        Column("d", "symbolic", ("no", "yes")),
    )
    return Data(Schema(columns, (0, 1, 2)), X, y.astype(np.int32), weight)


def rings(n_rows, seed):
    """A ring around a disc: machines cut it from several sides."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 2))
    return from_frame(X, (np.hypot(*X.T) > 1.1).astype(int))


def error(tree, data):
    return float(np.mean(tree.predict(data.X) != data.labels))


def same_splits(one, other):
    return all(map(np.array_equal, one.splits.arrays, other.splits.arrays))


@every_inner
@pytest.mark.parametrize(
    "data", [dirty(), monks(1), rings(300, 0)], ids=["dirty", "monks", "rings"]
)
def test_without_training_nothing_changes(inner, data, monkeypatch):
    """What is trained begins at the grown tree: numbers, bent ones, symbols and missing values."""
    monkeypatch.setattr(whole_tree, "RATE", 0.0)
    grown, whole = grow(data, inner), grow(data, WholeTreeSplitter(inner))
    rows = data.X
    if isinstance(inner, LinearCombinationSplitter):  # whose missing symbols add something
        rows = rows[~np.isnan(rows).any(axis=1)]
    assert np.array_equal(grown.apply(rows), whole.apply(rows))


@every_inner
def test_the_shape_stays_and_rows_are_counted_anew(inner):
    data = dirty()
    grown, whole = grow(data, inner), grow(data, WholeTreeSplitter(inner))
    assert np.array_equal(grown.splits.kind, whole.splits.kind)
    assert np.array_equal(grown.splits.n_branches, whole.splits.n_branches)
    assert not np.array_equal(grown.splits.reals, whole.splits.reals)
    assert np.allclose(whole.counts, whole.count(data))


def test_fewer_errors_on_other_rows():
    random = np.random.default_rng(0)
    X = random.uniform(size=(3000, 8))
    # Eight classes between three hyperplanes.
    y = 1 * (X[:, 0] + X[:, 1] > 1) + 2 * (X[:, 2] > X[:, 3]) + 4 * (X[:, 4:7].sum(axis=1) > 1.5)
    train, test = from_frame(X[:1500], y[:1500]), from_frame(X[1500:], y[1500:])
    machines = AnnealedMachineSplitter()
    grown, whole = grow(train, machines), grow(train, WholeTreeSplitter(machines))
    assert error(whole, test) < 0.95 * error(grown, test)


def test_tests_of_one_column_stay():
    data = dirty()
    inner = MachineOrColumnSplitter(machine_rows=60)
    grown, whole = grow(data, inner), grow(data, WholeTreeSplitter(inner))
    kept = [
        (one, other)
        for one, other in zip(grown.splits, whole.splits, strict=True)
        if isinstance(one, Threshold | Category)
    ]
    assert kept
    assert all(one == other for one, other in kept)
    only_columns = MachineOrColumnSplitter(machine_rows=0)
    assert same_splits(grow(data, only_columns), grow(data, WholeTreeSplitter(only_columns)))


@every_inner
def test_a_weight_of_two_is_nearly_the_row_twice(inner):
    """Sums are made in single precision, in another order."""
    data = rings(300, 0)
    random = np.random.default_rng(1)
    weight = random.integers(1, 4, data.n_rows)
    weighted = replace(data, weight=weight.astype(float))
    twice = data.take(random.permutation(np.repeat(np.arange(data.n_rows), weight)))
    one, other = (
        grow(rows, WholeTreeSplitter(inner), Stopping(max_depth=2)) for rows in (weighted, twice)
    )
    assert np.mean(one.predict(data.X) == other.predict(data.X)) > 0.97


def test_rows_without_weight_do_not_count():
    data = rings(400, 0)
    weight = np.ones(400)
    weight[300:] = 0
    splitter = WholeTreeSplitter()
    one = grow(replace(data, weight=weight), splitter, Stopping(max_depth=1))
    other = grow(data.take(np.arange(300)), splitter, Stopping(max_depth=1))
    assert np.mean(one.predict(data.X) == other.predict(data.X)) > 0.97


def test_dear_mistakes_are_avoided():
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 3))
    y = (X.sum(axis=1) + random.normal(size=600) > 0).astype(int)
    data = from_frame(X, y)
    dear = np.where(data.labels[:, None] == 1, [[20.0, 0.0]], [[0.0, 1.0]])
    tree = grow(replace(data, costs=dear), WholeTreeSplitter(), Stopping(max_depth=1))
    missed = np.mean(tree.apply(X[y == 1]) == tree.apply(X[[X.sum(axis=1).argmin()]]))
    plain = grow(data, WholeTreeSplitter(), Stopping(max_depth=1))
    missed_else = np.mean(plain.apply(X[y == 1]) == plain.apply(X[[X.sum(axis=1).argmin()]]))
    assert missed < missed_else


def test_a_strong_penalty_makes_weights_small():
    data = rings(500, 0)
    sizes = [
        np.abs(grow(data, WholeTreeSplitter(l2=l2)).splits.reals).sum() for l2 in (0.01, 1.0, 100.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_any_unit_will_do(scale):
    data = rings(300, 0)
    splitter = WholeTreeSplitter(AnnealedMachineSplitter(bent=True))
    scaled = replace(data, X=data.X * scale)
    one, other = grow(data, splitter), grow(scaled, splitter)
    assert abs(error(one, data) - error(other, scaled)) < 0.05


def test_a_row_that_has_no_branch_ends_where_it_is():
    """A symbol that no training row had at a test of one column, above machines."""
    schema = Schema((Column("s", "symbolic", ("a", "b", "c")), Column("x", "numeric")), (0, 1))
    random = np.random.default_rng(0)
    X = np.column_stack([random.integers(0, 3, 90), random.normal(size=90)]).astype(float)
    data = Data(schema, X, (X[:, 1] > 0).astype(np.int32))
    below = grow(data, AnnealedMachineSplitter(), Stopping(max_depth=1)).splits[0]
    splits = PackedSplits.of([Category(0, (0, 1, -1)), below, None, None, None])
    tree = Tree(schema, splits, np.ones((5, 2))).recounted(data)
    whole = WholeTreeSplitter().finish(tree, data, 1)
    assert np.array_equal(whole.counts, whole.count(data))
    assert whole.apply(np.array([[2.0, 1.0]]))[0] == 0


def test_rows_held_out_choose_it_where_it_helps():
    X, y = load_digits(return_X_y=True)
    settings = {"terms": "linear", "anneal": False, "univariate": False, "random_state": 0}
    settings |= {"eliminate": False}
    X, y, test, truth = X[::2], y[::2], X[1::2], y[1::2]
    apart = LinearMachineTreeClassifier(whole_tree=False, **settings).fit(X, y)
    chosen = LinearMachineTreeClassifier(**settings).fit(X, y)
    assert chosen.score(test, truth) >= apart.score(test, truth) - 0.005


def test_settings_say_whether_it_is_tried():
    def kinds(model):
        splitters, _, _ = model.check_settings()
        return [isinstance(splitter, WholeTreeSplitter) for splitter in splitters]

    for whole, n_questions in (("auto", 3), (True, 2), (False, 2)):
        model = LinearMachineTreeClassifier(whole_tree=whole)
        assert set(kinds(model)) == {whole is True}
        assert len(model._variants(rings(10, 0))) == n_questions
    assert kinds(PerceptronTreeClassifier()) == [False, True]
    assert kinds(PerceptronTreeClassifier(whole_tree=True)) == [True]
    with pytest.raises(ValueError, match="whole_tree is 'yes'; give 'auto', True or False"):
        LinearMachineTreeClassifier(whole_tree="yes").check_settings()


@pytest.mark.parametrize("l2", [0, -1.0, "much", True])
def test_senseless_settings_are_refused(l2):
    with pytest.raises(ValueError, match="l2 is"):
        WholeTreeSplitter(l2=l2)
