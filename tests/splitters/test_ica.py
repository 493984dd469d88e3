import numpy as np
import pytest
from scipy.special import expit

from miter.data import Column, Data, Schema, from_frame
from miter.data.schema import NO_LABEL
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splits import Linear
from miter.splitters import ICASplitter, LabelledICASplitter

FIVE = Stopping(min_samples_leaf=5)


def rows(X, y=None, weight=None):
    """Rows of one class, or of classes, where -1 is none."""
    columns = tuple(Column(f"x{c}", "numeric") for c in range(X.shape[1]))
    if y is None:
        return Data(Schema(columns, (NO_LABEL,)), X, np.zeros(len(X), np.int32), weight)
    return Data(Schema(columns, tuple(range(y.max() + 1))), X, y.astype(np.int32), weight)


def two_groups(n_rows=200, d=3, apart=6.0, share=0.5, seed=0):
    random = np.random.default_rng(seed)
    upper = np.arange(n_rows) < share * n_rows
    along = random.normal(size=d)
    along /= np.linalg.norm(along)
    X = random.normal(size=(n_rows, d)) + np.where(upper, apart, 0.0)[:, None] * along
    return X @ random.normal(size=(d, d)), upper


def is_divided_as(tree, X, upper):
    branch = tree.splits[0].route(X)
    return max(np.mean(branch == upper), np.mean(branch != upper)) > 0.98


@pytest.mark.parametrize("rule", ["mixture", "em", "gradient"])
@pytest.mark.parametrize("d", [1, 2, 10])
def test_two_groups_are_told_apart_in_any_coordinates(rule, d):
    X, upper = two_groups(d=d)
    tree = grow(rows(X), ICASplitter(rule), FIVE)
    assert tree.n_leaves == 2
    assert is_divided_as(tree, X, upper)


def test_groups_of_unequal_size():
    X, upper = two_groups(n_rows=400, d=4, apart=7.0, share=0.1)
    tree = grow(rows(X), ICASplitter(), FIVE)
    assert tree.n_leaves == 2
    assert is_divided_as(tree, X, upper)


@pytest.mark.parametrize("d", [2, 20])
def test_a_single_gaussian_is_one_leaf(d):
    leaves = [
        grow(rows(np.random.default_rng(seed).normal(size=(300, d))), ICASplitter(), FIVE).n_leaves
        for seed in range(10)
    ]
    assert leaves.count(1) >= 9


def test_nothing_stops_without_a_stop():
    X = np.random.default_rng(0).normal(size=(300, 3))
    stopping = Stopping(min_samples_leaf=20)
    tree = grow(rows(X), ICASplitter(stop=None, max_density=None), stopping)
    assert tree.n_leaves > 4
    assert tree.counts[tree.is_leaf].min() >= 20


def test_the_cut_goes_between_three_groups_not_through_one():
    random = np.random.default_rng(0)
    place = np.repeat([-5.0, 0.0, 5.0], 100)
    X = np.column_stack([place + random.normal(size=300), random.normal(size=300)])
    tree = grow(rows(X), ICASplitter(), FIVE)
    assert sorted(tree.counts[tree.is_leaf, 0]) == pytest.approx([100, 100, 100], abs=3)
    halved = grow(rows(X), ICASplitter(cut="zero", max_density=None), Stopping(max_depth=1))
    assert halved.counts[1, 0] == pytest.approx(150, abs=25)


def test_the_excess_over_the_threshold_is_the_log_odds():
    # Half of each: with unit deviations, d apart, the log odds are d times the distance from the
    # middle.
    random = np.random.default_rng(0)
    X = (random.normal(size=20_000) + np.repeat([-2.0, 2.0], 10_000))[:, None]
    split = grow(rows(X), ICASplitter(cut="posterior"), FIVE).splits[0]
    assert isinstance(split, Linear)
    assert expit(split.excess(np.array([[0.0], [0.5]]))) == pytest.approx(
        [0.5, expit(2.0)], abs=0.03
    )


def test_singular_rows_are_no_harm():
    X, upper = two_groups(d=3)
    copies = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.ones(len(X)), X * 1e9, X * 1e-9])
    tree = grow(rows(copies), ICASplitter(), FIVE)
    assert is_divided_as(tree, copies, upper)


def test_more_variables_than_are_searched():
    X, upper = two_groups(n_rows=300, d=5)
    wide = np.column_stack([X, np.random.default_rng(1).normal(size=(300, 95))])
    random = np.random.default_rng(2)
    wide = wide @ np.linalg.qr(random.normal(size=(100, 100)))[0]
    assert is_divided_as(grow(rows(wide), ICASplitter(), FIVE), wide, upper)


def test_many_rows_are_sampled():
    X, upper = two_groups(n_rows=30_000, d=4)
    tree = grow(rows(X), ICASplitter(), FIVE)
    assert tree.n_leaves == 2
    assert is_divided_as(tree, X, upper)


def test_a_weight_of_two_is_the_row_twice():
    X, _ = two_groups(d=4)
    weight = np.random.default_rng(3).integers(1, 4, len(X))
    weighted = grow(rows(X, weight=weight.astype(float)), ICASplitter(), FIVE)
    repeated = grow(rows(np.repeat(X, weight, axis=0)), ICASplitter(), FIVE)
    assert np.allclose(weighted.splits.reals, repeated.splits.reals, rtol=1e-6)
    assert np.allclose(weighted.counts, repeated.counts)


def test_symbols_and_missing_values_count():
    random = np.random.default_rng(0)
    kind = random.integers(2, size=300)
    X = np.column_stack([kind, kind, kind * 5 + random.normal(size=300)]).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    columns = (
        Column("a", "symbolic", ("p", "q")),
        Column("b", "symbolic", ("p", "q", "never")),
        Column("c", "numeric"),
    )
    data = Data(Schema(columns, (NO_LABEL,)), X, np.zeros(300, np.int32))
    tree = grow(data, ICASplitter(), Stopping(max_depth=1, min_samples_leaf=5))
    branch = tree.splits[0].route(X)
    assert max(np.mean(branch == kind), np.mean(branch != kind)) > 0.95
    assert np.array_equal(branch, tree.apply(X) - 1)


def test_labels_turn_the_direction():
    # Structure lies along x0, the classes along x1.
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 2)) + np.array([5.0, 0.0]) * random.integers(2, size=(400, 1))
    y = (X[:, 1] > 0).astype(np.int32)
    one = Stopping(max_depth=1)
    weights = {}
    for emphasis in (0.0, 20.0):
        split = grow(rows(X, y), LabelledICASplitter(emphasis=emphasis), one).splits[0]
        weights[emphasis] = np.abs([term.weights[0][0] for term in split.terms])
    assert weights[0.0][0] > 5 * weights[0.0][1]
    assert weights[20.0][1] > 5 * weights[20.0][0]


def test_rows_without_labels_grow_the_tree_but_do_not_count():
    X, upper = two_groups(n_rows=400)
    labelled = np.arange(400) % 20 == 0
    data = rows(X[labelled], upper[labelled].astype(int))
    others = rows(X[~labelled])
    for splitter in (ICASplitter(), LabelledICASplitter()):
        tree = grow(data, splitter, FIVE, unlabelled=others)
        assert tree.counts[0].tolist() == [10, 10]
        assert (tree.predict(X) == upper).mean() > 0.98


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rule": "emm"}, "rule is 'emm'; did you mean 'em'?"),
        ({"cut": 0}, "cut is 0; known are 'valley', 'posterior', 'zero'"),
        ({"stop_significance": 1.0}, "stop_significance is 1.0; give a number between 0 and 1"),
        ({"max_density": 0}, "max_density is 0; give a number above 0, or None"),
        ({"n_init": 0}, "n_init is 0; give a whole number from 1 on"),
        ({"max_rows": 1.5}, "max_rows is 1.5; give a whole number from 2 on"),
    ],
)
def test_wrong_settings(settings, sentence):
    with pytest.raises(ValueError, match="is") as caught:
        ICASplitter(**settings)
    assert str(caught.value).startswith(sentence)


def test_wrong_emphasis():
    with pytest.raises(ValueError, match="emphasis is -1; give a number from 0 on"):
        LabelledICASplitter(emphasis=-1)


def test_frames_have_the_same_tree_with_any_number_of_threads():
    X, _ = two_groups(n_rows=3000, d=6)
    data = from_frame(X, np.zeros(3000, int))
    one, two = (grow(data, ICASplitter(), FIVE, n_threads=n, seed=3) for n in (1, 2))
    assert np.array_equal(one.splits.reals, two.splits.reals)
