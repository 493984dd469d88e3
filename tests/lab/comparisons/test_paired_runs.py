import numpy as np
import pytest

from miter.lab.comparisons.measures import MEASURES
from miter.lab.comparisons.paired_runs import hold_against
from miter.lab.experiments.results import Run
from miter.significance import corrected_resampled_t_test, five_by_two_f_test, k_fold_t_test

FIRST = np.array([0.9, 0.95, 0.94, 0.88, 0.91, 0.93, 0.97, 0.9, 0.92, 0.9])
SECOND = np.array([0.8, 0.86, 0.8, 0.85, 0.79, 0.9, 0.81, 0.83, 0.8, 0.81])


def make_runs(values, column="accuracy", **others):
    return [
        Run("iris", "ab", "x", "T", {}, 0, 0, place, 90, 10, **{column: value}, **others)
        for place, value in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("resampling", "expected"),
    [
        ("5x2", five_by_two_f_test((FIRST - SECOND).reshape(5, 2))),
        ("5x2 unstratified", five_by_two_f_test((FIRST - SECOND).reshape(5, 2))),
        ("10-fold", k_fold_t_test(FIRST - SECOND)),
        ("leave-one-out", k_fold_t_test(FIRST - SECOND)),
        ("2x5-fold", corrected_resampled_t_test(FIRST - SECOND, 90, 10)),
        ("bootstrap 10", corrected_resampled_t_test(FIRST - SECOND, 90, 10)),
    ],
)
def test_the_resampling_decides_the_test(resampling, expected):
    runs, held = make_runs(FIRST), make_runs(SECOND)
    assert hold_against(runs, held, MEASURES["accuracy"], resampling) == expected


def test_less_is_better_for_sizes_and_times():
    runs, held = (make_runs(values, "fit_seconds") for values in (SECOND, FIRST))
    verdict = hold_against(runs, held, MEASURES["fit"], "10-fold")
    assert verdict.winner() == 1


def test_no_test_without_all_runs():
    whole, part = make_runs(FIRST), make_runs(FIRST[:9])
    failed = [*part, make_runs([None], error="no")[0]]
    for runs, held in ((whole, failed), (failed, whole), (whole, part), (part, part)):
        assert hold_against(runs, held, MEASURES["accuracy"], "5x2") is None
    one = make_runs([0.9])
    assert hold_against(one, one, MEASURES["accuracy"], "holdout 0.3") is None
    assert hold_against(one, one, MEASURES["accuracy"], "bootstrap 1") is None
    assert hold_against(whole, whole, MEASURES["nodes"], "5x2") is None
