"""Sums in whole numbers are those of the ordinary core, and wrong arrays are refused."""

import numpy as np
import pytest

from miter import core
from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.level import Level, table_of
from miter.splits import Category, PackedSplits, Threshold
from miter.splitters import UnivariateSplitter
from miter.splitters.splitter import FoundSplits, route

SCALE = 2.0**30


def rows(n=200, *, weighted=False, costly=False):
    random = np.random.default_rng(0)
    columns = Column("a", "numeric"), Column("s", "symbolic", ("u", "v", "w"))
    X = np.column_stack([random.normal(size=n), random.integers(0, 3, n).astype(float)])
    X[random.random(X.shape) < 0.2] = np.nan
    weight = random.gamma(1.0, 1.0, n) if weighted else None
    costs = random.gamma(1.0, 1.0, (n, 2)) if costly else None
    labels = random.integers(0, 2, n).astype(np.int32)
    return Data(Schema(columns, (0, 1)), X, labels, weight, costs)


def level_of(data):
    return Level.root(data)


def native(splits, data):
    packed = PackedSplits.of(splits)
    return core.Splits(*packed.arrays, packed.n_branches, data.schema.n_values)


@pytest.mark.parametrize("is_costly", [False, True])
def test_a_tally_is_what_routing_counts(is_costly):
    data = rows(weighted=is_costly, costly=is_costly)
    level = level_of(data)
    split = Threshold(0, (0.1,))
    ordinary = route(level, FoundSplits(PackedSplits.of([split])))
    branch, sizes, shared_sizes, counts, shared, losses, shared_losses = core.tally_level(
        level.table, level.native, native([split], data), None, SCALE, SCALE
    )
    assert sizes.sum() + shared_sizes.sum() == data.n_rows == len(branch)
    share = counts.sum(axis=1) / counts.sum()
    total = (counts + share[:, None] * shared) / SCALE
    np.testing.assert_allclose(total, ordinary.counts, rtol=1e-7)
    if is_costly:
        total = (losses + share[:, None] * shared_losses) / SCALE
        np.testing.assert_allclose(total, ordinary.losses, rtol=1e-7)
    else:
        assert losses is None
        assert shared_losses is None


def test_rows_that_no_branch_fits_end_at_their_node():
    data = rows()
    level = level_of(data)
    split = Category(1, (0, 1, -1), missing=0)
    branch, sizes, shared_sizes, *_ = core.tally_level(
        level.table, level.native, native([split], data), None, SCALE, SCALE
    )
    third = data.X[:, 1] == 2
    assert (branch[third] == -2).all()
    assert sizes.sum() == (~third).sum()
    assert shared_sizes.sum() == 0
    n_branches, share = np.array([2], np.int32), np.array([0.5, 0.5])
    moved, _, start = core.move_tallied(
        level.native, branch, n_branches, share, np.ones(2, np.uint8)
    )
    assert start.tolist() == [0, sizes[0], sizes.sum()]
    assert not third[moved].any()


def test_shares_are_those_that_are_given():
    data = rows()
    level = level_of(data)
    branch, *_ = core.tally_level(
        level.table, level.native, native([Threshold(0, (0.1,))], data), None, SCALE, SCALE
    )
    share = np.array([0.25, 0.75])
    moved, weights, start = core.move_tallied(
        level.native, branch, np.array([2], np.int32), share, np.ones(2, np.uint8)
    )
    missing = np.isnan(data.X[:, 0])
    first = slice(start[0], start[1])
    np.testing.assert_array_equal(weights[first][missing[moved[first]]], 0.25)
    np.testing.assert_array_equal(weights[first][~missing[moved[first]]], 1.0)


@pytest.mark.parametrize("is_costly", [False, True])
def test_rows_that_pass_a_tree_are_counted_alike(is_costly):
    data = rows(weighted=is_costly, costly=is_costly)
    tree = grow(data, UnivariateSplitter("gain"))
    table = table_of(data)
    np.testing.assert_allclose(
        tree.router.tally(table, data.weight, SCALE) / SCALE,
        tree.router.count(table, data.weight),
        rtol=1e-6,
        atol=1e-6,
    )


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"branch": np.zeros(3, np.int32)}, "branch must have 200 places"),
        ({"branch": np.full(200, 2, np.int32)}, "no branch 2"),
        ({"branch": np.full(200, -3, np.int32)}, "no branch -3"),
        ({"n_branches": np.array([2, 2], np.int32)}, "n_branches must have 1 places"),
        ({"n_branches": np.array([-1], np.int32)}, "cannot be negative"),
        ({"share": np.ones(3)}, "share must have 2 places"),
        ({"is_open": np.ones(1, np.uint8)}, "is_open must have 2 places"),
    ],
)
def test_wrong_arrays_are_refused(other, sentence):
    level = level_of(rows())
    good = {
        "branch": np.zeros(200, np.int32),
        "n_branches": np.array([2], np.int32),
        "share": np.ones(2),
        "is_open": np.ones(2, np.uint8),
    }
    with pytest.raises(ValueError, match=sentence):
        core.move_tallied(level.native, **(good | other))


def test_splits_of_another_table_are_refused():
    data = rows()
    level = level_of(data)
    with pytest.raises(ValueError, match="a split for every node"):
        core.tally_level(
            level.table, level.native, native([Threshold(0, (0.1,)), None], data), None, 1.0, 1.0
        )
