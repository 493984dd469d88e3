"""Several learners on many data sets: ranks, and which differences are more than chance.

Demsar 2006, *Statistical comparisons of classifiers over multiple data sets*: mean ranks,
Friedman's test with Iman and Davenport's statistic, Nemenyi's critical difference, Wilcoxon's
signed ranks. Holm 1979 for the correction. Counts of significant wins are how Yildiz and Alpaydin,
*Univariate and multivariate decision trees*, section 4.1, sum up their table.

Differs from Demsar: Friedman's statistic is corrected for ties, and sets without a difference are
left out of Wilcoxon's test rather than shared between the sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from miter.significance import Verdict, five_by_two_f_test

__all__ = [
    "WinTieLoss",
    "count_wins",
    "friedman_test",
    "holm_correction",
    "iman_davenport_test",
    "mean_ranks",
    "nemenyi_critical_difference",
    "nemenyi_p_values",
    "wilcoxon_p_values",
]

#: Scores that agree to as many digits are ties: means of the same numbers in another order differ.
DIGITS = 12


def mean_ranks(scores: ArrayLike, *, higher_is_better: bool = True) -> NDArray[np.float64]:
    """Rank the learners on every set, and average the ranks of each learner.

    Parameters
    ----------
    scores : array of shape (n_sets, n_learners)
        Such as mean accuracies.
    higher_is_better : bool
        False for errors, sizes and times.

    Returns
    -------
    ndarray of shape (n_learners,)
        1 for a learner that is the best everywhere; learners that tie share their ranks.

    Examples
    --------
    >>> from miter.lab import mean_ranks
    >>> mean_ranks([[0.9, 0.8, 0.7], [0.6, 0.6, 0.5]])
    array([1.25, 1.75, 3.  ])
    """
    return _rank(_check_scores(scores), higher_is_better).mean(axis=0)


def friedman_test(scores: ArrayLike) -> Verdict:
    """Test whether the learners differ at all, by Friedman's chi-squared.

    Parameters
    ----------
    scores : array of shape (n_sets, n_learners)
        Such as mean accuracies.

    Returns
    -------
    Verdict
        Chi-squared with n_learners - 1 degrees of freedom; corrected for ties.

    Examples
    --------
    >>> from miter.lab import friedman_test
    >>> print(friedman_test([[0.9, 0.8, 0.7], [0.6, 0.6, 0.5], [0.8, 0.7, 0.9], [0.7, 0.6, 0.5]]))
    Friedman's test: statistic 2.8, degrees of freedom 2, p = 0.247
    """
    between, total, _, n_learners = _rank_variation(scores)
    freedom = n_learners - 1
    statistic = freedom * between / total if total > 0 else 0.0
    p_value = float(stats.chi2.sf(statistic, freedom))
    return Verdict("Friedman's test", statistic, p_value, (freedom,))


def iman_davenport_test(scores: ArrayLike) -> Verdict:
    """Test whether the learners differ at all, by Iman and Davenport's F.

    It is Friedman's statistic turned into one that is less conservative.

    Parameters
    ----------
    scores : array of shape (n_sets, n_learners)
        Such as mean accuracies.

    Returns
    -------
    Verdict
        F with n_learners - 1 and (n_learners - 1) (n_sets - 1) degrees of freedom.

    Examples
    --------
    >>> from miter.lab import iman_davenport_test
    >>> scores = [[0.9, 0.8, 0.7], [0.6, 0.6, 0.5], [0.8, 0.7, 0.9], [0.7, 0.6, 0.5]]
    >>> print(iman_davenport_test(scores))
    Iman and Davenport's test: statistic 1.615, degrees of freedom 2 and 6, p = 0.275
    """
    between, total, n_sets, n_learners = _rank_variation(scores)
    # Sums of halves and quarters are exact, so that what is left of full agreement is zero.
    left = n_sets * total - between
    statistic = 0.0
    if between > 0:
        statistic = (n_sets - 1) * between / left if left > 0 else inf
    freedom = (n_learners - 1, (n_learners - 1) * (n_sets - 1))
    p_value = float(stats.f.sf(statistic, *freedom))
    return Verdict("Iman and Davenport's test", statistic, p_value, freedom)


def nemenyi_critical_difference(n_sets: int, n_learners: int, level: float = 0.05) -> float:
    """Return by how much two mean ranks must differ to be significant, all pairs considered.

    Parameters
    ----------
    n_sets, n_learners : int
        At least one set and two learners.
    level : float
        How often chance alone may make any difference significant.

    Examples
    --------
    >>> from miter.lab import nemenyi_critical_difference
    >>> round(nemenyi_critical_difference(n_sets=20, n_learners=5), 3)
    1.364
    """
    if n_sets < 1 or n_learners < 2:
        raise ValueError(
            f"there are {n_sets} sets and {n_learners} learners; give at least 1 and 2"
        )
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}; give a probability between 0 and 1")
    quantile = float(stats.studentized_range.ppf(1 - level, n_learners, inf))
    return quantile / sqrt(2) * _rank_deviation(n_sets, n_learners)


def nemenyi_p_values(scores: ArrayLike) -> NDArray[np.float64]:
    """Compare all pairs of learners by Nemenyi's test on their mean ranks.

    Parameters
    ----------
    scores : array of shape (n_sets, n_learners)
        Such as mean accuracies.

    Returns
    -------
    ndarray of shape (n_learners, n_learners)
        The p value of each pair, with all pairs considered; 1 on the diagonal.

    Examples
    --------
    >>> from miter.lab import nemenyi_p_values
    >>> nemenyi_p_values([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.7, 0.6]]).round(3)
    array([[1.   , 0.438, 0.038],
           [0.438, 1.   , 0.438],
           [0.038, 0.438, 1.   ]])
    """
    values = _check_scores(scores)
    n_sets, n_learners = values.shape
    ranks = _rank(values).mean(axis=0)
    first, second = np.triu_indices(n_learners, 1)
    distances = np.abs(ranks[first] - ranks[second]) / _rank_deviation(n_sets, n_learners)
    p_values = stats.studentized_range.sf(distances * sqrt(2), n_learners, inf)
    return _fill_pairs(p_values, n_learners)


def wilcoxon_p_values(scores: ArrayLike, *, corrected: bool = True) -> NDArray[np.float64]:
    """Compare all pairs of learners by Wilcoxon's signed-rank test.

    Sets on which a pair does not differ are left out; a pair that never differs has p = 1.

    Parameters
    ----------
    scores : array of shape (n_sets, n_learners)
        Such as mean accuracies.
    corrected : bool
        Whether Holm's correction for the number of pairs is made.

    Returns
    -------
    ndarray of shape (n_learners, n_learners)
        The two-sided p value of each pair; 1 on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab import wilcoxon_p_values
    >>> better = np.arange(1, 9) / 100
    >>> wilcoxon_p_values(np.column_stack([0.6 + better, np.full(8, 0.6), 0.6 - better]))
    array([[1.       , 0.0234375, 0.0234375],
           [0.0234375, 1.       , 0.0234375],
           [0.0234375, 0.0234375, 1.       ]])
    """
    values = _check_scores(scores)
    n_learners = values.shape[1]
    pairs = combinations(values.T, 2)
    p_values = np.array([_wilcoxon(first, second) for first, second in pairs])
    return _fill_pairs(holm_correction(p_values) if corrected else p_values, n_learners)


def holm_correction(p_values: ArrayLike) -> NDArray[np.float64]:
    """Enlarge p values so that one below the level is significant among all of them.

    Parameters
    ----------
    p_values : array of shape (n_tests,)
        Of tests made together.

    Returns
    -------
    ndarray of shape (n_tests,)
        In the same order, each at most 1.

    Examples
    --------
    >>> from miter.lab import holm_correction
    >>> holm_correction([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(p_values, float)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"the p values are {values.tolist()}; give a list of numbers 0 to 1")
    order = np.argsort(values, kind="stable")
    enlarged = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(enlarged), 1)
    return corrected


@dataclass(frozen=True, eq=False)
class WinTieLoss:
    """On how many sets each learner is significantly better than each other.

    Parameters
    ----------
    wins : ndarray of shape (n_learners, n_learners), int64
        Sets on which the learner of the row beats that of the column.
    n_sets : int
        Sets in all.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab import WinTieLoss
    >>> counts = WinTieLoss(np.array([[0, 3], [1, 0]]), n_sets=20)
    >>> counts.of(0, 1)
    (3, 16, 1)
    """

    wins: NDArray[np.int64]
    n_sets: int

    @property
    def losses(self) -> NDArray[np.int64]:
        """Sets on which the learner of the row is beaten by that of the column."""
        return self.wins.T

    @property
    def ties(self) -> NDArray[np.int64]:
        """Sets on which neither is significantly better."""
        return self.n_sets - self.wins - self.losses

    def of(self, first: int, second: int) -> tuple[int, int, int]:
        """Return wins, ties and losses of the first learner against the second."""
        place = first, second
        return int(self.wins[place]), int(self.ties[place]), int(self.losses[place])


def count_wins(
    scores: Sequence[ArrayLike],
    level: float = 0.05,
    test: Callable[[NDArray[np.float64]], Verdict] = five_by_two_f_test,
) -> WinTieLoss:
    """Count on how many sets each learner is significantly better than each other.

    Parameters
    ----------
    scores : sequence of n_sets arrays of shape (n_learners, ...)
        A learner's scores in the runs on a set, higher is better, in the shape that the test takes:
        (5, 2) each for the 5x2cv tests.
    level : float
        How often chance alone may make a pair differ on a set.
    test : callable
        From differences of scores to a `Verdict`; see `miter.significance`.

    Returns
    -------
    WinTieLoss
        For all pairs of learners.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab import count_wins
    >>> tree, machine = np.random.default_rng(0).normal([[[0.8]], [[0.9]]], 0.01, (2, 5, 2))
    >>> count_wins([[tree, machine], [tree, tree]]).of(1, 0)
    (1, 1, 0)
    """
    sets = [np.asarray(runs, float) for runs in scores]
    sizes = {len(runs) if runs.ndim else 0 for runs in sets}
    if len(sizes) != 1:
        raise ValueError(
            f"the sets have scores of {sorted(sizes)} learners; give every set the same learners"
        )
    n_learners = sizes.pop()
    wins = np.zeros((n_learners, n_learners), np.int64)
    for runs in sets:
        for first, second in combinations(range(n_learners), 2):
            winner = test(runs[first] - runs[second]).winner(level)
            wins[first, second] += winner > 0
            wins[second, first] += winner < 0
    return WinTieLoss(wins, len(sets))


def _check_scores(scores: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(scores, float)
    if values.ndim != 2 or values.shape[0] < 2 or values.shape[1] < 2:
        raise ValueError(
            f"the scores have shape {values.shape}; give a row for each of at least two sets, a "
            "column for each of at least two learners"
        )
    bad = np.argwhere(~np.isfinite(values)).tolist()
    if bad:
        row, column = bad[0]
        raise ValueError(
            f"scores[{row}, {column}] is {values[row, column]}; leave the set out, or run the "
            "learner on it"
        )
    return values


def _rank(values: NDArray[np.float64], higher_is_better: bool = True) -> NDArray[np.float64]:
    rounded = _round(values, np.abs(values).max(axis=1, keepdims=True))
    return np.asarray(stats.rankdata(-rounded if higher_is_better else rounded, axis=1), float)


def _round(values: NDArray[np.float64], largest: ArrayLike) -> NDArray[np.float64]:
    """Return the values in units of the largest, without the digits that hold rounding errors."""
    return np.round(values / np.where(np.asarray(largest) > 0, largest, 1.0), DIGITS)


def _rank_variation(scores: ArrayLike) -> tuple[float, float, int, int]:
    """Return the squared deviations of the rank sums and of all ranks, and the shape."""
    ranks = _rank(_check_scores(scores))
    n_sets, n_learners = ranks.shape
    middle = (n_learners + 1) / 2
    between = float(((ranks.sum(axis=0) - n_sets * middle) ** 2).sum())
    return between, float(((ranks - middle) ** 2).sum()), n_sets, n_learners


def _rank_deviation(n_sets: int, n_learners: int) -> float:
    """Return the standard deviation of the difference of two mean ranks, where chance rules."""
    return sqrt(n_learners * (n_learners + 1) / (6 * n_sets))


def _wilcoxon(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    largest = max(float(np.abs(first).max()), float(np.abs(second).max()))
    difference = _round(first - second, largest)
    difference = difference[difference != 0]
    return float(stats.wilcoxon(difference).pvalue) if len(difference) else 1.0


def _fill_pairs(p_values: ArrayLike, n_learners: int) -> NDArray[np.float64]:
    matrix = np.ones((n_learners, n_learners))
    first, second = np.triu_indices(n_learners, 1)
    matrix[first, second] = matrix[second, first] = p_values
    return matrix
