from functools import partial
from math import inf, isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.evaluate import combined_ftest_5x2cv, mcnemar, paired_ttest_5x2cv
from mlxtend.evaluate import paired_ttest_kfold_cv as paired_ttest_k_fold
from scipy.stats import ttest_1samp

from miter.significance import (
    Verdict,
    corrected_resampled_t_test,
    five_by_two_f_test,
    five_by_two_t_test,
    k_fold_t_test,
    mcnemar_test,
)

N_SIMULATIONS = 2000

five_by_two = arrays(float, (5, 2), elements=st.floats(-1, 1, width=16))
by_run = arrays(float, st.integers(2, 12), elements=st.floats(-1, 1, width=16))


class Recorded:
    """An estimator whose scores are known beforehand."""

    def __init__(self, scores):
        self.scores = iter(np.ravel(scores).tolist())

    def fit(self, X, y):
        return self


def ask_mlxtend(test, scores, **settings):
    """Let a test of mlxtend compare two learners with these scores."""
    first, second = map(Recorded, scores)
    rows = np.zeros((40, 1))
    return test(
        first,
        second,
        rows,
        np.zeros(40),
        scoring=lambda estimator, X, y: next(estimator.scores),
        **settings,
    )


def as_pair(verdict):
    return verdict.statistic, verdict.p_value


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(five_by_two_f_test, combined_ftest_5x2cv), (five_by_two_t_test, paired_ttest_5x2cv)],
)
def test_five_by_two_is_mlxtends(ours, theirs, seed):
    scores = np.random.default_rng(seed).uniform(0.6, 0.9, (2, 5, 2))
    expected = ask_mlxtend(theirs, scores, random_seed=1)
    assert as_pair(ours(scores[0] - scores[1])) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_k_fold_is_mlxtends(seed):
    scores = np.random.default_rng(seed).uniform(0.6, 0.9, (2, 10))
    expected = ask_mlxtend(paired_ttest_k_fold, scores, cv=10)
    verdict = k_fold_t_test(scores[0] - scores[1])
    assert as_pair(verdict) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("counts", [(3, 9), (0, 5), (12, 12), (0, 24), (10, 15), (40, 20), (7, 93)])
def test_mcnemar_is_mlxtends(counts):
    only_first, only_second = counts
    table = np.array([[50, only_first], [only_second, 30]])
    verdict = mcnemar_test(*make_answers(only_first, only_second))
    is_exact = sum(counts) < 25
    statistic, p_value = mcnemar(table, exact=is_exact)
    # mlxtend has no statistic where the p value is exact; ours is the smaller count.
    expected = min(counts) if is_exact else statistic
    assert as_pair(verdict) == pytest.approx((expected, p_value), rel=1e-12)
    assert verdict.name.endswith("exact binomial" if is_exact else "chi-squared")
    assert verdict.degrees_of_freedom == (() if is_exact else (1,))
    assert isclose(verdict.difference, (only_first - only_second) / (80 + sum(counts)))


def make_answers(only_first, only_second, both=50, neither=30):
    kinds = [[True, False], [False, True], [True, True], [False, False]]
    return np.repeat(kinds, [only_first, only_second, both, neither], axis=0).T


def test_mcnemar_without_a_difference():
    assert mcnemar_test([True, False], [True, False]).p_value == 1
    # The continuity correction must not make a difference out of none.
    assert as_pair(mcnemar_test(*make_answers(20, 20))) == (0, 1)
    assert as_pair(mcnemar_test(*make_answers(5, 5))) == (5, 1)


def test_corrected_resampled_by_hand():
    # Mean 2, variance 1, so t = 2 / sqrt((1/3 + 1/9) 1) = 3.
    verdict = corrected_resampled_t_test([1, 2, 3], n_train=90, n_test=10)
    assert isclose(verdict.statistic, 3)
    assert verdict.degrees_of_freedom == (2,)
    # With 2 degrees of freedom the two-sided p is 1 - t / sqrt(2 + t^2).
    assert isclose(verdict.p_value, 1 - 3 / sqrt(11))


@given(by_run.filter(lambda differences: np.ptp(differences) > 1e-3))
def test_t_tests_are_scipys(differences):
    expected = ttest_1samp(differences, 0)
    verdict = k_fold_t_test(differences)
    assert as_pair(verdict) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    # With hardly any test rows nothing has to be corrected.
    barely = corrected_resampled_t_test(differences, n_train=2**31 - 1, n_test=1)
    assert as_pair(barely) == pytest.approx(as_pair(verdict), rel=1e-7, abs=1e-9)


CORRECTED = partial(corrected_resampled_t_test, n_train=90, n_test=10)
EVERY_TEST = [
    (five_by_two_f_test, (5, 2)),
    (five_by_two_t_test, (5, 2)),
    (k_fold_t_test, (10,)),
    (CORRECTED, (10,)),
]


@pytest.mark.parametrize(("test", "shape"), EVERY_TEST)
def test_differences_that_do_not_vary(test, shape):
    assert as_pair(test(np.zeros(shape))) == (0, 1)
    assert test(np.zeros(shape)).winner() == 0
    # Ten times 0.1 has a mean that is not 0.1 in floating point.
    assert as_pair(test(np.full(shape, 0.1))) == (inf, 0)
    assert test(np.full(shape, 0.1)).winner(0.0001) == 1
    assert test(np.full(shape, -0.1)).p_value == 0
    assert test(np.full(shape, -0.1)).winner(0.0001) == -1


def test_first_fold_without_a_difference():
    differences = np.full((5, 2), 0.1)
    differences[0] = 0
    assert as_pair(five_by_two_t_test(differences)) == (0, 1)


@given(five_by_two)
def test_five_by_two_does_not_depend_on_sides(differences):
    for test in (five_by_two_f_test, five_by_two_t_test):
        verdict, turned = test(differences), test(-differences)
        assert 0 <= verdict.p_value <= 1
        assert verdict.p_value == turned.p_value
        assert verdict.winner(0.2) == -turned.winner(0.2)
    shuffled = differences[[3, 1, 4, 0, 2], ::-1]
    expected = as_pair(five_by_two_f_test(differences))
    assert as_pair(five_by_two_f_test(shuffled)) == pytest.approx(expected, rel=1e-9)


@given(by_run)
def test_correction_never_makes_p_smaller(differences):
    plain = k_fold_t_test(differences)
    assert 0 <= plain.p_value <= CORRECTED(differences).p_value <= 1
    assert plain.winner() == -k_fold_t_test(-differences).winner()


@pytest.mark.parametrize(("test", "shape"), EVERY_TEST)
@pytest.mark.parametrize("bad", [np.nan, inf])
def test_scores_that_are_missing(test, shape, bad):
    differences = np.zeros(shape)
    differences[1] = bad
    with pytest.raises(ValueError, match=r"differences\[1(, 0)?\] is (nan|inf); give finite"):
        test(differences)


@pytest.mark.parametrize("test", [five_by_two_f_test, five_by_two_t_test])
@pytest.mark.parametrize("shape", [(10,), (2, 5), (5, 2, 1), (0,)])
def test_other_shapes_than_five_by_two(test, shape):
    with pytest.raises(ValueError, match=r"have shape .*; give \(5, 2\)"):
        test(np.zeros(shape))


@pytest.mark.parametrize("test", [k_fold_t_test, CORRECTED])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (5, 2)])
def test_other_shapes_than_a_list(test, shape):
    with pytest.raises(ValueError, match=r"have shape .*; give a list of at least two"):
        test(np.zeros(shape))


def test_corrected_resampled_needs_rows():
    with pytest.raises(ValueError, match="n_train is 0; give a whole number from 1 on"):
        corrected_resampled_t_test([0.1, 0.2], n_train=0, n_test=10)
    with pytest.raises(ValueError, match="n_test is nan; give a whole number"):
        corrected_resampled_t_test([0.1, 0.2], n_train=10, n_test=np.nan)


def test_mcnemar_needs_answers():
    with pytest.raises(ValueError, match="3 rows, second_right of 2"):
        mcnemar_test([1, 0, 1], [1, 0])
    with pytest.raises(ValueError, match=r"second_right\[1\] is .*0\.5.*; give True where"):
        mcnemar_test([1, 0], [1, 0.5])
    with pytest.raises(ValueError, match=r"first_right\[0\] is .*nan"):
        mcnemar_test([np.nan, 0], [1, 0])
    with pytest.raises(ValueError, match=r"first_right has shape \(0,\)"):
        mcnemar_test([], [])
    with pytest.raises(ValueError, match=r"second_right has shape \(1, 2\)"):
        mcnemar_test([1, 0], [[1, 0]])


def test_verdict_in_words():
    exact = Verdict("McNemar's test, exact binomial", 3, 0.25)
    assert str(exact) == "McNemar's test, exact binomial: statistic 3, p = 0.25"
    assert str(Verdict("F", inf, 0.0, (10, 5))).startswith(
        "F: statistic inf, degrees of freedom 10 "
    )
    assert Verdict("at the level", 2.0, 0.05, (), 1.0).winner(0.05) == 1
    assert Verdict("more than two", 9.0, 0.0).winner() == 0


# ---- how often equal learners are told apart -----------------------------------------------
#
# Two learners of nearest centroids, each with its own columns, all of them drawn alike: neither is
# better in the long run. Every simulation draws its rows anew and resamples them, so that the
# differences depend on each other as they do in an experiment.


def draw_rows(random, n_rows=60, n_columns=5):
    """Return rows (simulation, row, learner, column) and their classes."""
    y = random.integers(2, size=(N_SIMULATIONS, n_rows))
    X = random.normal(size=(N_SIMULATIONS, n_rows, 2, n_columns)) + y[..., None, None] - 0.5
    return X, y


def draw_training_rows(random, shape, share):
    """Mark a random share of the rows of every simulation."""
    places = np.argsort(random.random(shape), axis=1)
    return places < share * shape[1]


def find_right(X, y, is_train):
    """Return which rows (simulation, row, learner) the nearest centroid gets right."""
    distance = []
    for code in (0, 1):
        share = (is_train & (y == code)).astype(float)
        share /= np.maximum(share.sum(axis=1, keepdims=True), 1)
        centroid = np.einsum("sr,srlc->slc", share, X)
        distance.append(((X - centroid[:, None]) ** 2).sum(axis=3))
    return (distance[1] < distance[0]) == (y == 1)[..., None]


def differ(X, y, is_train):
    """Return the difference of accuracies on the rows that are not for training."""
    right = (find_right(X, y, is_train) & ~is_train[..., None]).sum(axis=1)
    return (right[:, 0] - right[:, 1]) / (~is_train).sum(axis=1)


def rejection_rate(test, differences):
    return np.mean([test(of_simulation).is_significant(0.05) for of_simulation in differences])


def test_level_of_five_by_two():
    random = np.random.default_rng(1)
    X, y = draw_rows(random)
    halves = [draw_training_rows(random, y.shape, 0.5) for _ in range(5)]
    differences = np.array([[differ(X, y, half), differ(X, y, ~half)] for half in halves])
    by_simulation = differences.transpose(2, 0, 1)
    assert 0.03 <= rejection_rate(five_by_two_f_test, by_simulation) <= 0.07
    assert 0.03 <= rejection_rate(five_by_two_t_test, by_simulation) <= 0.07


def test_level_of_resampled_tests():
    random = np.random.default_rng(2)
    X, y = draw_rows(random)
    runs = (draw_training_rows(random, y.shape, 0.9) for _ in range(15))
    by_simulation = np.array([differ(X, y, run) for run in runs]).T
    corrected = partial(corrected_resampled_t_test, n_train=54, n_test=6)
    assert 0.03 <= rejection_rate(corrected, by_simulation) <= 0.07
    # What the correction is for: runs that share rows are not independent.
    assert rejection_rate(k_fold_t_test, by_simulation) > 0.15


def test_level_of_k_folds():
    random = np.random.default_rng(3)
    X, y = draw_rows(random)
    fold = np.argsort(random.random(y.shape), axis=1) % 10
    by_simulation = np.array([differ(X, y, fold != number) for number in range(10)]).T
    assert 0.03 <= rejection_rate(k_fold_t_test, by_simulation) <= 0.10


@pytest.mark.parametrize(("n_rows", "name"), [(40, "exact"), (600, "chi-squared")])
def test_level_of_mcnemar(n_rows, name):
    random = np.random.default_rng(4)
    # Fixed models that are equally good: the sign of one column each, of rows drawn alike.
    X, y = draw_rows(random, n_rows, 1)
    right = (X[..., 0] > 0) == (y == 1)[..., None]
    verdicts = [mcnemar_test(*of_simulation.T) for of_simulation in right]
    assert np.mean([name in verdict.name for verdict in verdicts]) > 0.5
    # Counts are whole numbers, so the test errs on the safe side.
    assert 0.01 <= np.mean([verdict.is_significant(0.05) for verdict in verdicts]) <= 0.05
