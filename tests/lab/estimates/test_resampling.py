import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import LeaveOneOut as LeaveOneOutOfScikitLearn
from sklearn.model_selection import StratifiedKFold

from miter.data import read
from miter.lab.estimates.resampling import (
    Bootstrap,
    Folds,
    Holdout,
    LeaveOneOut,
    Resampling,
    parse_resampling,
)

EVERY_RESAMPLING = [
    Folds(10),
    Folds(3, stratified=False),
    Folds(3, n_repeats=4),
    Folds(2, n_repeats=5),
    Folds(2, n_repeats=5, stratified=False),
    Holdout(0.3),
    Holdout(1 / 3, stratified=False),
    LeaveOneOut(),
    Bootstrap(7),
]
by_name = pytest.mark.parametrize("resampling", EVERY_RESAMPLING, ids=lambda each: each.name)

labels = st.lists(st.integers(0, 4), min_size=10, max_size=60)
seeds = st.integers(0, 2**32 - 1)


@by_name
@given(y=labels, seed=seeds)
def test_no_row_is_tested_with_itself(resampling, y, seed):
    rows = np.arange(len(y))
    for train, test in resampling.splits(y, seed):
        assert len(train) > 0
        assert len(test) > 0
        assert train.dtype == test.dtype == np.intp
        assert (np.union1d(train, test) == rows).all()
        assert len(np.intersect1d(train, test)) == 0
        assert len(np.unique(test)) == len(test)


@by_name
@given(y=labels, seed=seeds)
def test_the_seed_decides(resampling, y, seed):
    first, second = resampling.splits(y, seed), resampling.splits(np.array(y), seed)
    for once, again in zip(first, second, strict=True):
        assert all(map(np.array_equal, once, again))


@pytest.mark.parametrize("resampling", [each for each in EVERY_RESAMPLING if each != LeaveOneOut()])
def test_other_seeds_divide_otherwise(resampling):
    tests = {tuple(resampling.splits(np.arange(60) % 3, seed)[0][1]) for seed in range(10)}
    assert len(tests) == 10


@given(labels, seeds, st.integers(2, 10), st.integers(1, 3), st.booleans())
def test_folds_of_a_repetition_test_every_row_once(y, seed, n_folds, n_repeats, stratified):
    parts = Folds(n_folds, n_repeats, stratified).splits(y, seed)
    assert len(parts) == n_folds * n_repeats
    for start in range(0, len(parts), n_folds):
        tests = [test for _, test in parts[start : start + n_folds]]
        assert (np.sort(np.concatenate(tests)) == np.arange(len(y))).all()
        sizes = [len(test) for test in tests]
        assert max(sizes) - min(sizes) <= 1


def count_classes(y, parts):
    return np.array([np.bincount(np.asarray(y)[test], minlength=5) for _, test in parts])


@given(labels, seeds, st.integers(2, 10))
def test_strata_are_as_even_as_can_be(y, seed, n_folds):
    counts = count_classes(y, Folds(n_folds).splits(y, seed))
    assert (np.ptp(counts, axis=0) <= 1).all()


@given(labels, seeds, st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.8]))
def test_strata_of_a_holdout(y, seed, share):
    [(train, test)] = Holdout(share).splits(y, seed)
    n_test = round(share * len(y))
    assert len(test) == n_test
    expected = np.bincount(y, minlength=5) * n_test / len(y)
    assert (np.abs(count_classes(y, [(train, test)])[0] - expected) < 1 + 1e-9).all()


def test_strata_are_scikit_learns():
    y = np.repeat([0, 1, 2, 3], [31, 18, 12, 11])
    theirs = StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)
    ours = Folds(5).splits(y, 0)
    assert np.array_equal(
        np.sort(count_classes(y, ours), axis=0), np.sort(count_classes(y, theirs), axis=0)
    )


def test_leave_one_out_is_scikit_learns():
    y = np.zeros(7)
    for ours, theirs in zip(
        LeaveOneOut().splits(y), LeaveOneOutOfScikitLearn().split(y), strict=True
    ):
        assert all(map(np.array_equal, ours, theirs))


def test_every_row_is_as_likely_to_be_held_out():
    y = [0] * 9 + [1]
    counts = np.zeros(10)
    for seed in range(2000):
        counts[Holdout(0.3).splits(y, seed)[0][1]] += 1
    # Four deviations of a binomial count.
    assert np.abs(counts - 600).max() < 4 * np.sqrt(2000 * 0.3 * 0.7)


def test_five_times_two():
    y = np.arange(100) % 4
    parts = parse_resampling("5x2").splits(y, 3)
    assert len(parts) == 10
    for first, second in zip(parts[::2], parts[1::2], strict=True):
        # Each half is once what is learned from and once what is tested.
        assert np.array_equal(first[0], second[1])
        assert np.array_equal(first[1], second[0])
    assert len({tuple(test) for _, test in parts}) == 10


@pytest.mark.parametrize("name", ["glass", "ecoli", "zoo"])
def test_classes_with_fewer_rows_than_folds(dataset, name):
    y = read(dataset(name)).labels
    assert np.bincount(y)[np.bincount(y) > 0].min() < 10
    for text in ("10-fold", "5x2", "holdout 0.3"):
        parse_resampling(text).splits(y, 0)


def test_every_class_has_fewer_rows_than_folds():
    parts = Folds(10).splits(["a", "b", "c"] * 4)
    assert sorted(len(test) for _, test in parts) == [1] * 8 + [2] * 2


def test_samples_are_drawn_with_replacement():
    y = np.zeros(1000)
    parts = Bootstrap(50).splits(y, 0)
    assert {len(train) for train, _ in parts} == {1000}
    assert all((np.diff(train) >= 0).all() for train, _ in parts)
    left_out = np.mean([len(test) for _, test in parts]) / 1000
    assert left_out == pytest.approx(np.exp(-1), abs=0.01)


def test_samples_of_two_rows_leave_one_out():
    for train, test in Bootstrap(20).splits([0, 1]):
        assert len(test) == 1
        assert set(train) | set(test) == {0, 1}


@by_name
def test_name_gives_it_back(resampling):
    assert parse_resampling(resampling.name) == resampling
    assert isinstance(resampling, Resampling)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5x2", Folds(2, 5)),
        ("5x2-fold", Folds(2, 5)),
        ("5x2 unstratified", Folds(2, 5, stratified=False)),
        ("10-fold", Folds(10)),
        ("10 folds", Folds(10)),
        ("10-fold unstratified", Folds(10, stratified=False)),
        ("5x10-fold", Folds(10, 5)),
        ("5x10", Folds(10, 5)),
        ("Leave-One-Out", LeaveOneOut()),
        ("leave one out", LeaveOneOut()),
        ("holdout 0.3", Holdout(0.3)),
        ("  holdout   .25 ", Holdout(0.25)),
        ("holdout 0.3 unstratified", Holdout(0.3, stratified=False)),
        ("holdout 1e-05", Holdout(1e-5)),
        ("bootstrap 20", Bootstrap(20)),
    ],
)
def test_words_that_users_type(text, expected):
    assert parse_resampling(text) == expected


@pytest.mark.parametrize(
    "text", ["", 10, "10", "x2", "fold", "5x", "10-folds-fold", "bootstrap", "holdout", "ten-fold"]
)
def test_words_that_are_not_known(text):
    with pytest.raises(ValueError, match=r"there is no resampling .*; known are '10-fold'.*'5x2'"):
        parse_resampling(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1-fold", "n_folds is 1; give 2 or more"),
        ("0x5", "n_repeats is 0; give 1 or more"),
        ("holdout 1.5", "share is 1.5; give a number between 0 and 1"),
        ("holdout 0", r"share is 0.0; give"),
        ("bootstrap 0", "n_samples is 0; give 1 or more"),
    ],
)
def test_numbers_that_make_no_sense(text, message):
    with pytest.raises(ValueError, match=message):
        parse_resampling(text)


def test_rows_that_cannot_be_divided():
    with pytest.raises(
        ValueError, match=r"shape \(7,\) cannot be divided into 10 folds; .* 10 rows"
    ):
        Folds(10).splits([0] * 7)
    for resampling in (Holdout(), LeaveOneOut(), Bootstrap()):
        with pytest.raises(ValueError, match=r"shape \(1,\) cannot be divided"):
            resampling.splits([0])
        with pytest.raises(ValueError, match=r"shape \(4, 1\) cannot be divided"):
            resampling.splits(np.zeros((4, 1)))


@pytest.mark.parametrize(("share", "n_test"), [(0.01, 1), (0.99, 4)])
def test_both_sides_of_a_holdout_have_rows(share, n_test):
    [(train, test)] = Holdout(share).splits([0, 1, 0, 1, 0])
    assert (len(train), len(test)) == (5 - n_test, n_test)
