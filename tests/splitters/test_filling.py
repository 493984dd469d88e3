"""Missing values that count as means and most common values of all training rows."""

import numpy as np
import pytest

from miter import id3
from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.splits import (
    SHARE,
    Category,
    Linear,
    Machine,
    Network,
    PackedSplits,
    Term,
    Threshold,
)
from miter.splitters import UnivariateSplitter
from miter.splitters.filling import Filling

nan = float("nan")
SYMBOL = ((1.0, 0.0), (-1.0, 2.0), (0.5, 1.5))


def rows(weight=None, dtype=float):
    """Return a number with mean 3, a symbol whose most common value is r, and an empty column."""
    X = np.array(
        [[1, 2, nan], [2, 2, nan], [6, 0, nan], [nan, 1, nan], [3, nan, nan]],
        dtype,
    )
    columns = (
        Column("x", "numeric"),
        Column("s", "symbolic", ("p", "q", "r")),
        Column("e", "numeric"),
    )
    return Data(Schema(columns, (0, 1)), X, np.array([0, 0, 1, 1, 0], np.int32), weight)


def fold(filling, split):
    return filling.fold_all(PackedSplits.of([split]))[0]


def test_means_and_modes():
    assert Filling.of(rows()).values.tolist() == [3.0, 2.0, 0.0]


def test_weights_count_rows():
    # 1 + 2 + 4 x 6 + 3 in 7 rows; p four times.
    weighted = rows(np.array([1.0, 1, 4, 1, 1]))
    assert Filling.of(weighted).values == pytest.approx([30 / 7, 0, 0])


def test_rows_are_filled_in_double_precision():
    # Else single precision would round the mean, and the tree would depend on it.
    data = rows(dtype=np.float32)
    filled = Filling.of(data).fill(data)
    assert filled.X.dtype == np.float64
    assert filled.X[3:].tolist() == [[3, 1, 0], [3, 2, 0]]
    assert np.isnan(data.X[3, 0])


def test_rows_without_missing_values_are_not_copied():
    data = Data(rows().schema, np.ones((2, 3)), np.array([0, 1], np.int32))
    assert Filling.of(data).fill(data) is data


@pytest.mark.parametrize(
    "split",
    [
        Threshold(0, (2.0,)),
        Threshold(0, (1.0, 4.0, 5.0)),
        Category(1, (0, 0, 1)),
        Linear((Term.number(0, 2.0), Term.symbol(1, (1.0, -1.0, 5.0))), 10.5),
        Linear((Term.bent(0, 2.5, 1.0, -3.0), Term.symbol(1, (1.0, -1.0, 5.0))), 3.0),
        Machine((0.0, 8.5), (Term.number(0, 3.0, 0.5), Term.symbol(1, SYMBOL)), (0, 1)),
        Network((0.5, 1.0), (Term.number(0, 3.0, -0.5), Term.symbol(1, SYMBOL)), (1.0, 2.0), 1.9),
    ],
)
def test_a_missing_value_goes_where_its_filling_goes(split):
    data = rows()
    filling = Filling.of(data)
    folded = fold(filling, split)
    assert folded != split
    assert folded.route(data.X).tolist() == split.route(filling.fill(data).X).tolist()


def test_a_most_common_value_without_a_branch_is_shared_out():
    assert fold(Filling.of(rows()), Category(1, (0, 1, -1))).missing == SHARE


def test_a_level_with_a_leaf():
    folded = Filling.of(rows()).fold_all(PackedSplits.of([None, Threshold(0, (2.0,))]))
    assert [folded[0], folded[1]] == [None, Threshold(0, (2.0,), missing=1)]


def test_a_tree_is_that_of_the_filled_rows():
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=(200, 2)), random.integers(3, size=200)])
    y = ((X[:, 0] > 0) ^ (X[:, 2] == 1)).astype(np.int32)
    X[random.random(X.shape) < 0.2] = nan
    data = Data(Schema((*rows().schema.columns[::2], rows().schema.columns[1]), (0, 1)), X, y)
    splitter = UnivariateSplitter("gain", missing="training")
    filled = Filling.of(data).fill(data)
    tree, other = grow(data, splitter), grow(filled, splitter)
    assert np.array_equal(tree.counts, other.counts)
    assert np.array_equal(tree.predict(data.X), other.predict(filled.X))
    ranked = splitter.rank_columns(data)
    assert ranked == UnivariateSplitter("gain").rank_columns(filled)


def test_the_settings_of_yildiz_and_alpaydin():
    X = np.concatenate([np.arange(19.0), [nan]])[:, None]
    model = id3(min_samples_split=0.05, missing="training").fit(X, (np.arange(20) > 12).astype(int))
    # The mean is 9: the last row stays among those of the other class, where 12 rows are enough
    # for a split and one row is not.
    assert model.tree_.splits[0] == Threshold(0, (12.5,), missing=0)
    assert model.predict([[nan]]).tolist() == [0]
