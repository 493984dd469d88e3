from math import inf, isclose

import numpy as np
import pytest
import scikit_posthocs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare
from statsmodels.stats.multitest import multipletests

from miter.lab.comparisons.many_sets import (
    WinTieLoss,
    count_wins,
    friedman_test,
    holm_correction,
    iman_davenport_test,
    mean_ranks,
    nemenyi_critical_difference,
    nemenyi_p_values,
    wilcoxon_p_values,
)
from miter.significance import Verdict, k_fold_t_test

N_SIMULATIONS = 2000

# Few distinct scores, so that there are ties.
tables = st.tuples(st.integers(2, 9), st.integers(2, 5)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9]))
)


def draw(seed, n_sets=12, n_learners=4, digits=10):
    return np.random.default_rng(seed).uniform(0.5, 1, (n_sets, n_learners)).round(digits)


def test_mean_ranks_by_hand():
    scores = [[0.9, 0.7, 0.8], [0.5, 0.5, 0.5], [0.6, 0.9, 0.9]]
    assert mean_ranks(scores) == pytest.approx([(1 + 2 + 3) / 3, (3 + 2 + 1.5) / 3, 5.5 / 3])
    lower = mean_ranks(scores, higher_is_better=False)
    assert lower == pytest.approx(4 - mean_ranks(scores))


def test_rounding_errors_are_ties():
    first, second = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert first != second
    assert mean_ranks([[first, second], [second * 1e9, first * 1e9]]).tolist() == [1.5, 1.5]
    assert (wilcoxon_p_values([[first, second], [second, first]]) == 1).all()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("digits", [10, 1])
def test_friedman_is_scipys(seed, digits):
    scores = draw(seed, digits=digits)
    expected = friedmanchisquare(*scores.T)
    verdict = friedman_test(scores)
    assert isclose(verdict.statistic, expected.statistic, rel_tol=1e-12)
    assert isclose(verdict.p_value, expected.pvalue, rel_tol=1e-12)
    assert verdict.degrees_of_freedom == (3,)


@pytest.mark.parametrize("seed", range(5))
def test_iman_davenport_follows_from_friedman(seed):
    scores = draw(seed)
    chi_squared = friedman_test(scores).statistic
    verdict = iman_davenport_test(scores)
    assert isclose(verdict.statistic, 11 * chi_squared / (12 * 3 - chi_squared), rel_tol=1e-12)
    assert verdict.degrees_of_freedom == (3, 33)


# Demsar 2006, table 6: the ranks of four trees on fourteen sets.
DEMSARS_RANKS = np.array(
    [
        *([4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1]),
        *([1, 2.5, 4, 2.5], [3, 2, 4, 1], [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5]),
        *([4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2]),
    ]
)


def test_example_of_demsar():
    ranks = mean_ranks(DEMSARS_RANKS, higher_is_better=False)
    assert ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=0.0005)
    # The paper's 9.28 is not corrected for ties: its ranks would vary by 70 without them.
    uncorrected = friedman_test(-DEMSARS_RANKS).statistic * ((DEMSARS_RANKS - 2.5) ** 2).sum() / 70
    assert uncorrected == pytest.approx(9.28, abs=0.005)
    assert nemenyi_critical_difference(14, 4, 0.05) == pytest.approx(1.25, abs=0.005)
    assert nemenyi_critical_difference(14, 4, 0.10) == pytest.approx(1.12, abs=0.005)


def test_friedman_at_its_ends():
    agreeing = np.tile([0.9, 0.8, 0.7], (6, 1))
    assert isclose(friedman_test(agreeing).statistic, 12)
    assert (iman_davenport_test(agreeing).statistic, iman_davenport_test(agreeing).p_value) == (
        inf,
        0,
    )
    for test in (friedman_test, iman_davenport_test):
        verdict = test(np.full((6, 3), 0.8))
        assert (verdict.statistic, verdict.p_value) == (0, 1)
        balanced = test([[0.9, 0.8], [0.8, 0.9]])
        assert (balanced.statistic, balanced.p_value) == (0, 1)


# Demsar 2006, table 5a, divided by the deviation of a difference of mean ranks.
@pytest.mark.parametrize(
    ("n_learners", "level", "quantile"),
    [(2, 0.05, 1.960), (5, 0.05, 2.728), (10, 0.05, 3.164), (2, 0.10, 1.645), (10, 0.10, 2.920)],
)
def test_critical_difference_is_demsars(n_learners, level, quantile):
    found = nemenyi_critical_difference(30, n_learners, level)
    deviation = np.sqrt(n_learners * (n_learners + 1) / (6 * 30))
    assert found / deviation == pytest.approx(quantile, abs=0.0011)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("digits", [10, 1])
def test_nemenyi_is_scikit_posthocs(seed, digits):
    scores = draw(seed, digits=digits)
    expected = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    assert nemenyi_p_values(scores) == pytest.approx(expected, abs=1e-12)


def test_nemenyi_agrees_with_its_critical_difference():
    ranks = np.tile([1, 2, 3, 4, 5], (7, 1))
    critical = nemenyi_critical_difference(7, 5)
    far = np.abs(np.subtract.outer(ranks[0], ranks[0])) > critical
    assert 0 < far.sum() < far.size
    assert ((nemenyi_p_values(ranks) < 0.05) == far).all()


@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_is_scikit_posthocs(seed):
    scores = draw(seed)
    for corrected in (True, False):
        expected = scikit_posthocs.posthoc_wilcoxon(
            scores.T, p_adjust="holm" if corrected else None
        )
        found = wilcoxon_p_values(scores, corrected=corrected)
        assert found == pytest.approx(expected.to_numpy(), abs=1e-12)


def test_wilcoxon_leaves_sets_without_difference_out():
    scores = draw(3, n_learners=2)
    with_ties = np.vstack([scores, [[0.7, 0.7], [0.8, 0.8]]])
    assert (wilcoxon_p_values(with_ties) == wilcoxon_p_values(scores)).all()
    assert (wilcoxon_p_values(np.full((5, 3), 0.5)) == 1).all()


@pytest.mark.parametrize("seed", range(5))
def test_holm_is_statsmodels(seed):
    p_values = np.random.default_rng(seed).random(8) ** 3
    expected = multipletests(p_values, method="holm")[1]
    assert holm_correction(p_values) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order(p_values):
    corrected = holm_correction(p_values)
    assert (corrected >= p_values).all()
    assert (corrected <= 1).all()
    assert (np.diff(corrected[np.argsort(p_values)]) >= 0).all()


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_order_of_learners_does_not_matter(scores, random):
    order = random.sample(range(scores.shape[1]), scores.shape[1])
    turned = scores[:, order]
    assert mean_ranks(turned) == pytest.approx(mean_ranks(scores)[order])
    assert friedman_test(turned) == friedman_test(scores)
    assert iman_davenport_test(turned) == iman_davenport_test(scores)
    pairs = np.ix_(order, order)
    assert nemenyi_p_values(turned) == pytest.approx(nemenyi_p_values(scores)[pairs])
    assert wilcoxon_p_values(turned) == pytest.approx(wilcoxon_p_values(scores)[pairs])


@given(tables)
@settings(max_examples=40)
def test_p_values_are_probabilities(scores):
    assert mean_ranks(scores).sum() == pytest.approx(sum(range(1, scores.shape[1] + 1)))
    assert 0 <= friedman_test(scores).p_value <= 1
    assert 0 <= iman_davenport_test(scores).p_value <= 1
    for p_values in (nemenyi_p_values(scores), wilcoxon_p_values(scores)):
        assert ((p_values >= 0) & (p_values <= 1)).all()
        assert (p_values == p_values.T).all()
        assert (p_values.diagonal() == 1).all()


# ---- wins, ties and losses -----------------------------------------------------------------

EVEN = np.full((5, 2), 0.8)
BETTER = EVEN + 0.1
# Now better, now worse than the even one: its differences vary as much as they are large.
UNSTEADY = EVEN + np.array([0.1, -0.1])


def test_wins_by_hand():
    # Three learners on four sets; a constant difference is significant, an unsteady one is not.
    counts = count_wins(
        [
            [EVEN, BETTER, EVEN],
            [EVEN, BETTER, BETTER],
            [BETTER, EVEN, EVEN],
            [EVEN, UNSTEADY, EVEN],
        ]
    )
    assert counts.wins.tolist() == [[0, 1, 1], [2, 0, 1], [1, 0, 0]]
    assert counts.losses.tolist() == [[0, 2, 1], [1, 0, 0], [1, 1, 0]]
    assert counts.ties.tolist() == [[4, 1, 2], [1, 4, 3], [2, 3, 4]]
    assert counts.of(0, 1) == (1, 1, 2)
    assert counts.of(1, 0) == (2, 1, 1)


def test_level_decides_what_a_win_is():
    differences = np.random.default_rng(0).normal(0.03, 0.02, (5, 2))
    scores = [[EVEN + differences, EVEN]]
    levels = [0.001, 0.01, 0.05, 0.1, 0.3]
    wins = [count_wins(scores, level).of(0, 1)[0] for level in levels]
    assert wins == sorted(wins)
    assert set(wins) == {0, 1}


def test_wins_by_another_test():
    folds = [[[0.8, 0.9, 0.7], [0.7, 0.8, 0.6]], [[0.8, 0.9], [0.8, 0.9]]]
    assert count_wins([folds[0]], test=k_fold_t_test).of(0, 1) == (1, 0, 0)
    # Sets may have as many runs as they like.
    assert count_wins(folds, test=k_fold_t_test).of(0, 1) == (1, 1, 0)
    always = count_wins(folds, test=lambda differences: Verdict("always", 1, 0.0, (), -1.0))
    assert always.of(0, 1) == (0, 0, 2)


def test_nothing_to_count():
    with pytest.raises(ValueError, match=r"scores of \[2, 3\] learners"):
        count_wins([[EVEN, EVEN], [EVEN, EVEN, EVEN]])
    with pytest.raises(ValueError, match=r"scores of \[\] learners"):
        count_wins([])
    with pytest.raises(ValueError, match=r"have shape \(10,\); give \(5, 2\)"):
        count_wins([[EVEN.ravel(), EVEN.ravel()]])


def test_counts_are_whole():
    counts = WinTieLoss(np.array([[0, 2], [1, 0]]), 5)
    assert (counts.wins + counts.ties + counts.losses == 5).all()


# ---- what cannot be compared ---------------------------------------------------------------

EVERY_FUNCTION = [
    mean_ranks,
    friedman_test,
    iman_davenport_test,
    nemenyi_p_values,
    wilcoxon_p_values,
]


@pytest.mark.parametrize("function", EVERY_FUNCTION)
def test_scores_that_cannot_be_used(function):
    with pytest.raises(ValueError, match=r"shape \(3,\); give a row for each of at least two sets"):
        function([0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r"shape \(3, 1\)"):
        function([[0.1], [0.2], [0.3]])
    with pytest.raises(ValueError, match=r"shape \(1, 3\)"):
        function([[0.1, 0.2, 0.3]])
    with pytest.raises(ValueError, match=r"scores\[1, 0\] is nan; leave the set out"):
        function([[0.1, 0.2], [np.nan, 0.3]])


def test_numbers_that_make_no_sense():
    with pytest.raises(ValueError, match="0 sets and 3 learners"):
        nemenyi_critical_difference(0, 3)
    with pytest.raises(ValueError, match="level is 5; give a probability"):
        nemenyi_critical_difference(10, 3, level=5)
    with pytest.raises(ValueError, match=r"the p values are \[0.5, 1.5\]"):
        holm_correction([0.5, 1.5])


# ---- how often equal learners are told apart -----------------------------------------------


def test_levels_of_the_tests():
    tables = np.random.default_rng(0).normal(size=(N_SIMULATIONS, 20, 4))
    for test in (friedman_test, iman_davenport_test):
        rate = np.mean([test(table).is_significant(0.05) for table in tables])
        assert 0.03 <= rate <= 0.07
    critical = nemenyi_critical_difference(20, 4)
    rate = np.mean([np.ptp(mean_ranks(table)) > critical for table in tables])
    assert 0.03 <= rate <= 0.07
    # Holm's correction promises a level at most; a quarter of the tables, for it takes its time.
    smallest = [wilcoxon_p_values(table).min() for table in tables[::4]]
    assert 0.01 <= np.mean(np.array(smallest) <= 0.05) <= 0.06
