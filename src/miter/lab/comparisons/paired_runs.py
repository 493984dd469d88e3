"""Which test tells two learners apart, given how the rows were divided."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from miter.lab.comparisons.measures import Measure
from miter.lab.estimates.resampling import Folds, Holdout, LeaveOneOut, parse_resampling
from miter.lab.experiments.results import Run
from miter.significance import (
    Verdict,
    corrected_resampled_t_test,
    five_by_two_f_test,
    k_fold_t_test,
)

__all__ = ["hold_against"]


def hold_against(
    runs: Sequence[Run], held: Sequence[Run], measure: Measure, resampling: str
) -> Verdict | None:
    """Test the runs of a learner against those of another on the same divisions of a set.

    Parameters
    ----------
    runs, held : sequence of Run
        Of the learner, and of the one that it is held against, in the same order.
    measure : Measure
        What they are compared by.
    resampling : str
        How rows were divided. It decides the test: the combined F test for 5x2, the paired t test
        for k folds, the corrected resampled t test for whatever is repeated.

    Returns
    -------
    Verdict or None
        A positive difference speaks for the learner. None where a run of either is missing or has
        failed, or where there is only one.

    Examples
    --------
    >>> from miter.lab import MEASURES
    >>> from miter.lab.comparisons.paired_runs import hold_against
    >>> from miter.lab import Run
    >>> def make(learner, accuracies):
    ...     return [Run("iris", "5e", learner, "Tree", {}, 0, 0, fold, 60, 30, accuracy=accuracy)
    ...             for fold, accuracy in enumerate(accuracies)]
    >>> first, second = make("c45", [0.9, 0.95, 0.94]), make("id3", [0.8, 0.82, 0.83])
    >>> print(hold_against(first, second, MEASURES["accuracy"], "3-fold"))
    k-fold paired t test: statistic 12.85, degrees of freedom 2, p = 0.006
    """
    own, its = measure.values(runs), measure.values(held)
    if len(own) < len(runs) or len(its) < len(held) or len(own) != len(its):
        return None
    test = _choose_test(resampling, runs)
    if test is None:
        return None
    differences = np.array(own) - np.array(its)
    return test(differences if measure.higher_is_better else -differences)


def _choose_test(
    resampling: str, runs: Sequence[Run]
) -> Callable[[NDArray[np.float64]], Verdict] | None:
    way = parse_resampling(resampling)
    if isinstance(way, Holdout) or len(runs) < 2:
        return None  # one run says nothing of how runs vary
    if isinstance(way, Folds) and (way.n_repeats, way.n_folds) == (5, 2):
        return (lambda d: five_by_two_f_test(d.reshape(5, 2))) if len(runs) == 10 else None
    if isinstance(way, LeaveOneOut) or (isinstance(way, Folds) and way.n_repeats == 1):
        return k_fold_t_test
    n_train = round(np.mean([run.n_train for run in runs]))
    n_test = round(np.mean([run.n_test for run in runs]))
    return lambda d: corrected_resampled_t_test(d, n_train, n_test)
