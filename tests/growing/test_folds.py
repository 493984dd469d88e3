"""Rows that are grown on and rows that are left out."""

from dataclasses import replace

import numpy as np
import pytest

from miter.data import Data, from_frame, led
from miter.estimators.weights import weigh
from miter.growing.folds import draw_folds, hold_out
from miter.level import equal_rows


def parts(data, n_folds=5, seed=0):
    return draw_folds(data, n_folds, np.random.default_rng(seed))


def weight_in(sample, data):
    """How much of each row is in a sample."""
    return np.bincount(sample.rows, sample.of(data).weight_of(), minlength=data.n_rows)


def numbers(n_rows=103, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 3))
    X[random.random(X.shape) < 0.2] = np.nan
    return from_frame(X, random.integers(0, 3, n_rows))


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_all_that_counts_is_left_out_once(folds):
    data = numbers()
    weight = np.random.default_rng(1).integers(0, 4, 103) / 2
    data = replace(data, weight=weight)
    drawn = parts(data, folds)
    assert len(drawn) == folds
    assert np.allclose(sum(weight_in(fold.left_out, data) for fold in drawn), weight)
    for fold in drawn:
        assert fold.grown.rows.dtype == fold.left_out.rows.dtype == np.int32
        both = weight_in(fold.grown, data) + weight_in(fold.left_out, data)
        assert np.allclose(both, weight)


def test_different_rows_are_left_out_whole():
    for fold in parts(numbers()):
        assert fold.grown.weights is fold.left_out.weights is None
        assert not np.intersect1d(fold.grown.rows, fold.left_out.rows).size


def test_classes_are_spread_over_the_parts():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [11, 52, 200])
    data = from_frame(random.normal(size=(263, 2)), y)
    counts = np.array([data.class_counts(fold.left_out.rows) for fold in parts(data, 5)])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert np.ptp(counts.sum(axis=1)) <= 1


def test_parts_of_few_different_rows_look_alike():
    data = led(300, noise=0.0, seed=0)  # ten different rows
    which = equal_rows(data, np.arange(300))
    assert which.max() == 9
    whole = np.bincount(which)
    for fold in parts(data, 5):
        left_out = np.bincount(which, weight_in(fold.left_out, data))
        assert np.allclose(left_out, whole / 5)


@pytest.mark.parametrize(
    "deal", [lambda data: parts(data), lambda data: [hold_out(data, 0.3, np.random.default_rng(0))]]
)
def test_a_row_twice_is_a_row_of_the_weight_2(deal):
    data = numbers()
    times = np.arange(103) % 4
    rows = np.repeat(np.arange(103), times)
    weighted, repeated = replace(data, weight=times.astype(float)), data.take(rows)
    for one, other in zip(deal(weighted), deal(repeated), strict=True):
        for sample, same in ((one.grown, other.grown), (one.left_out, other.left_out)):
            of_rows = np.bincount(rows, weight_in(same, repeated), minlength=103)
            assert np.allclose(weight_in(sample, weighted), of_rows)


def test_missing_values_make_rows_equal_too():
    X = np.array([[np.nan, 1.0]] * 6 + [[0.0, np.nan]] * 3 + [[-0.0, np.nan]] * 3)
    data = from_frame(X, [0] * 6 + [1] * 6)
    assert np.bincount(equal_rows(data, np.arange(12))).tolist() == [6, 6]


def test_rows_of_other_labels_are_not_equal():
    data = from_frame(np.ones((4, 2)), [0, 1, 0, 1])
    assert equal_rows(data, np.arange(4)).tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_parts_are_drawn_by_the_seed():
    data = from_frame(np.arange(60.0)[:, None], [0, 1] * 30)
    one, same, other = (
        [fold.left_out.rows.tolist() for fold in parts(data, 5, seed)] for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.parametrize("share", [0.1, 1 / 3, 0.9])
def test_a_share_of_every_class_is_held_out(share):
    y = np.repeat([0, 1, 2], [1, 40, 200])
    data = from_frame(np.random.default_rng(0).normal(size=(241, 2)), y)
    fold = hold_out(data, share, np.random.default_rng(0))
    expected = [0, round(40 * share), round(200 * share)]
    assert data.class_counts(fold.left_out.rows).tolist() == expected
    assert data.class_counts(fold.grown.rows).tolist() == [
        1 - 0,
        *(np.array([40, 200]) - expected[1:]),
    ]


def test_of_few_different_rows_a_share_of_each_is_held_out():
    data = led(3000, noise=0.0, seed=0)
    fold = hold_out(data, 0.25, np.random.default_rng(0))
    which = equal_rows(data, np.arange(3000))
    left_out = np.bincount(which, weight_in(fold.left_out, data))
    assert (np.abs(left_out - 0.25 * np.bincount(which)) <= 1).all()


def test_weights_may_be_huge():
    data = Data(*(getattr(numbers(10), name) for name in ("schema", "X", "y")), np.full(10, 1e12))
    for fold in parts(data, 5):
        assert fold.left_out.of(data).weight_of().sum() == pytest.approx(2e12)


def test_weights_of_classes_do_not_make_copies():
    """A heavy class must not be trained on and tested with the same rows."""
    X = np.arange(40.0)[:, None]
    plain = from_frame(X, [0] * 30 + [1] * 10)
    heavy = weigh(plain, None, {0: 1.0, 1: 20.0})
    for fold in draw_folds(heavy, 5, np.random.default_rng(0)):
        assert not set(fold.grown.rows) & set(fold.left_out.rows)
    twice = weigh(plain, np.full(40, 2.0), {0: 1.0, 1: 20.0})
    assert all(
        set(fold.grown.rows) & set(fold.left_out.rows)
        for fold in draw_folds(twice, 5, np.random.default_rng(0))
    )
