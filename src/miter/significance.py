"""Whether one learner beats another on one data set, or chance made it look so.

Every test takes differences of scores, those of the first learner minus those of the second on the
same rows, so that a positive difference speaks for the first. Where differences do not vary, the
formulas divide by zero; here no difference at all is p = 1, and one that never varies p = 0.

- Alpaydin 1999, *Combined 5x2 cv F test for comparing supervised classification learning
  algorithms*: the test of Yildiz and Alpaydin, *Univariate and multivariate decision trees*.
- Dietterich 1998, *Approximate statistical tests for comparing supervised classification learning
  algorithms*: the 5x2cv paired t test, the k-fold paired t test, McNemar's test.
- Nadeau and Bengio 2003, *Inference for the generalization error*: the corrected resampled t test.

Differs from Dietterich: McNemar's test is exact where few rows tell the learners apart, and its
continuity correction never makes a difference out of none.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

__all__ = [
    "Verdict",
    "corrected_resampled_t_test",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "k_fold_t_test",
    "mcnemar_test",
]

#: With fewer rows that only one learner has right, McNemar's test counts all outcomes.
FEW_DISCORDANT = 25


@dataclass(frozen=True)
class Verdict:
    """What a test says. `str` gives it as a line.

    Parameters
    ----------
    name : str
        Which test it was.
    statistic : float
        Its statistic; infinite where a difference never varies.
    p_value : float
        How often chance alone gives a statistic as extreme, 0 to 1.
    degrees_of_freedom : tuple of int
        Of the statistic's distribution; two for an F, none for an exact test.
    difference : float, optional
        Mean difference of the scores, first minus second; None where more than two are compared.

    Examples
    --------
    >>> from miter.significance import Verdict
    >>> verdict = Verdict("k-fold paired t test", 2.75, 0.0225, (9,), 0.031)
    >>> print(verdict)
    k-fold paired t test: statistic 2.75, degrees of freedom 9, p = 0.0225
    >>> verdict.winner(level=0.05), verdict.winner(level=0.01)
    (1, 0)
    """

    name: str
    statistic: float
    p_value: float
    degrees_of_freedom: tuple[int, ...] = ()
    difference: float | None = None

    def is_significant(self, level: float = 0.05) -> bool:
        """Whether chance alone does this at most as often as `level`."""
        return self.p_value <= level

    def winner(self, level: float = 0.05) -> int:
        """Return 1 if the first is significantly better, -1 if the second is, 0 if neither."""
        if self.difference is None or not self.is_significant(level):
            return 0
        return int(np.sign(self.difference))

    def __str__(self) -> str:
        freedom = " and ".join(map(str, self.degrees_of_freedom))
        return (
            f"{self.name}: statistic {self.statistic:.4g}"
            + (f", degrees of freedom {freedom}" if freedom else "")
            + f", p = {self.p_value:.3g}"
        )


def five_by_two_f_test(differences: ArrayLike) -> Verdict:
    """Compare two learners by the combined 5x2cv F test (Alpaydin 1999).

    Parameters
    ----------
    differences : array of shape (5, 2)
        Of the scores in five repetitions of two-fold cross-validation.

    Returns
    -------
    Verdict
        F with 10 and 5 degrees of freedom.

    Examples
    --------
    >>> from miter.significance import five_by_two_f_test
    >>> differences = [[0.05, 0.03], [0.04, 0.06], [0.02, 0.05], [0.06, 0.04], [0.05, 0.05]]
    >>> print(five_by_two_f_test(differences))
    combined 5x2cv F test: statistic 10.33, degrees of freedom 10 and 5, p = 0.0094
    """
    values = _check_differences(differences, (5, 2))
    # Twice the variance of a repetition's two differences is the square of their distance.
    statistic = _divide(float((values**2).sum()), float((np.diff(values) ** 2).sum()))
    p_value = float(stats.f.sf(statistic, 10, 5))
    return Verdict("combined 5x2cv F test", statistic, p_value, (10, 5), float(values.mean()))


def five_by_two_t_test(differences: ArrayLike) -> Verdict:
    """Compare two learners by the 5x2cv paired t test (Dietterich 1998).

    Only the very first difference is held against the variance of all, so the order of the folds
    matters; `five_by_two_f_test` uses all ten and is the better choice.

    Parameters
    ----------
    differences : array of shape (5, 2)
        Of the scores in five repetitions of two-fold cross-validation.

    Returns
    -------
    Verdict
        t with 5 degrees of freedom, two-sided.

    Examples
    --------
    >>> from miter.significance import five_by_two_t_test
    >>> differences = [[0.05, 0.03], [0.04, 0.06], [0.02, 0.05], [0.06, 0.04], [0.05, 0.05]]
    >>> print(five_by_two_t_test(differences))
    5x2cv paired t test: statistic 3.45, degrees of freedom 5, p = 0.0182
    """
    values = _check_differences(differences, (5, 2))
    variances = np.diff(values) ** 2 / 2
    statistic = _divide(float(values[0, 0]), sqrt(variances.mean()))
    return _t_verdict("5x2cv paired t test", statistic, 5, values)


def k_fold_t_test(differences: ArrayLike) -> Verdict:
    """Compare two learners by the paired t test over the folds of a cross-validation.

    The training sets of the folds overlap, so equal learners may be told apart somewhat more often
    than the level says (Dietterich 1998). It is not for runs whose test rows overlap, such as
    repeated folds; `corrected_resampled_t_test` is.

    Parameters
    ----------
    differences : array of shape (n_folds,)
        Of the scores, fold by fold; at least two.

    Returns
    -------
    Verdict
        t with n_folds - 1 degrees of freedom, two-sided.

    Examples
    --------
    >>> from miter.significance import k_fold_t_test
    >>> print(k_fold_t_test([0.05, 0.01, 0.04, 0.00, 0.03]))
    k-fold paired t test: statistic 2.804, degrees of freedom 4, p = 0.0486
    """
    values = _check_differences(differences)
    statistic = _t_statistic(values, 1 / len(values))
    return _t_verdict("k-fold paired t test", statistic, len(values) - 1, values)


def corrected_resampled_t_test(differences: ArrayLike, n_train: int, n_test: int) -> Verdict:
    """Compare two learners by the corrected resampled t test (Nadeau and Bengio 2003).

    For holdout repeated at random, and for repeated cross-validation. The variance is enlarged,
    because runs that share rows tell less than independent ones. For the folds of a single
    cross-validation, which are tested with different rows, that is more than is needed.

    Parameters
    ----------
    differences : array of shape (n_runs,)
        Of the scores, run by run; at least two.
    n_train, n_test : int
        Training and test rows of a run.

    Returns
    -------
    Verdict
        t with n_runs - 1 degrees of freedom, two-sided.

    Examples
    --------
    >>> from miter.significance import corrected_resampled_t_test
    >>> print(corrected_resampled_t_test([0.05, 0.01, 0.04, 0.00, 0.03], n_train=80, n_test=20))
    corrected resampled t test: statistic 1.869, degrees of freedom 4, p = 0.135
    """
    values = _check_differences(differences)
    for name, count in (("n_train", n_train), ("n_test", n_test)):
        if not count >= 1:
            raise ValueError(f"{name} is {count!r}; give the rows of a run, at least 1")
    statistic = _t_statistic(values, 1 / len(values) + n_test / n_train)
    return _t_verdict("corrected resampled t test", statistic, len(values) - 1, values)


def mcnemar_test(first_right: ArrayLike, second_right: ArrayLike) -> Verdict:
    """Compare two fitted models on the same test rows by McNemar's test.

    Only rows that one model has right and the other wrong tell the models apart. With fewer than
    25 of them the p value is the exact binomial one and the statistic the smaller count; else the
    statistic is chi-squared with continuity correction. The name of the verdict says which.

    Parameters
    ----------
    first_right, second_right : array of shape (n_rows,), bool
        Whether each model has the row right.

    Returns
    -------
    Verdict
        Chi-squared with 1 degree of freedom, or exact.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.significance import mcnemar_test
    >>> only_first, only_second, both = [True, False], [False, True], [True, True]
    >>> answers = np.repeat([only_first, only_second, both], [9, 1, 90], axis=0)
    >>> print(mcnemar_test(answers[:, 0], answers[:, 1]))
    McNemar's test, exact binomial: statistic 1, p = 0.0215
    """
    first, second = _check_answers(first_right, "first"), _check_answers(second_right, "second")
    if first.shape != second.shape:
        raise ValueError(
            f"first_right tells of {len(first)} rows, second_right of {len(second)}; "
            "test both models with the same rows"
        )
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    n_discordant, difference = only_first + only_second, (only_first - only_second) / len(first)
    if n_discordant < FEW_DISCORDANT:
        fewer = min(only_first, only_second)
        p_value = float(stats.binomtest(fewer, n_discordant).pvalue) if n_discordant else 1.0
        return Verdict("McNemar's test, exact binomial", fewer, p_value, (), difference)
    statistic = max(abs(only_first - only_second) - 1, 0) ** 2 / n_discordant
    p_value = float(stats.chi2.sf(statistic, 1))
    return Verdict("McNemar's test, chi-squared", statistic, p_value, (1,), difference)


def _check_differences(
    differences: ArrayLike, shape: tuple[int, ...] | None = None
) -> NDArray[np.float64]:
    values = np.asarray(differences, float)
    if shape is not None and values.shape != shape:
        raise ValueError(
            f"the differences have shape {values.shape}; give {shape}, a row for each of five "
            "repetitions, a column for each of its two folds"
        )
    if shape is None and (values.ndim != 1 or len(values) < 2):
        raise ValueError(
            f"the differences have shape {values.shape}; give a list of at least two, one a run"
        )
    bad = np.argwhere(~np.isfinite(values)).tolist()
    if bad:
        place = ", ".join(map(str, bad[0]))
        raise ValueError(
            f"differences[{place}] is {values[tuple(bad[0])]}; give finite numbers, and leave "
            "runs out that have no score"
        )
    return values


def _check_answers(right: ArrayLike, which: str) -> NDArray[np.bool_]:
    answers = np.asarray(right)
    if answers.ndim != 1 or len(answers) == 0:
        raise ValueError(
            f"{which}_right has shape {answers.shape}; give a list with an entry for each test row"
        )
    bad = np.flatnonzero((answers != 0) & (answers != 1))
    if len(bad):
        raise ValueError(
            f"{which}_right[{bad[0]}] is {answers[bad[0]]!r}; give True where the model is right, "
            "as in predicted == truth"
        )
    return answers.astype(bool)


def _t_statistic(values: NDArray[np.float64], factor: float) -> float:
    """Return the mean over its deviation, the square root of `factor` times the variance."""
    # The mean of equal numbers may differ from them in the last digit, and so seem to vary.
    variance = float(values.var(ddof=1)) if np.ptp(values) > 0 else 0.0
    return _divide(float(values.mean()), sqrt(factor * variance))


def _t_verdict(name: str, statistic: float, freedom: int, values: NDArray[np.float64]) -> Verdict:
    p_value = 2 * float(stats.t.sf(abs(statistic), freedom))
    return Verdict(name, statistic, p_value, (freedom,), float(values.mean()))


def _divide(numerator: float, denominator: float) -> float:
    """Divide, where nothing over nothing is nothing."""
    if numerator == 0:
        return 0.0
    return numerator / denominator if denominator > 0 else copysign(inf, numerator)
