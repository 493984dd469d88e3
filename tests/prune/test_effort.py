"""The work of choosing: as many trials, and as many rows, as the table is worth."""

import numpy as np
import pytest

from miter.data import Data, from_frame
from miter.prune.effort import draw_trials, first_look

SIZES = np.unique(np.geomspace(20, 300_000, 60).astype(int))


def rows(n):
    random = np.random.default_rng(0)
    return from_frame(random.normal(size=(n, 2)), random.random(n) < 0.3)


def work(n):
    """Return how many rows trees are grown on, in all trials together."""
    return sum(len(trial.grown.rows) for trial in draw_trials(rows(n), 5, _random()))


def _random():
    return np.random.default_rng(1)


def test_work_has_no_steps():
    """It grows with the rows, hardly ever falls, and never by leaps."""
    done = np.array([work(n) for n in SIZES])
    growth = done[1:] / done[:-1]
    more = SIZES[1:] / SIZES[:-1]
    assert (growth > 0.8).all()
    assert (growth < 1.05 * more).all()
    assert done[-1] < SIZES[-1]


def test_few_rows_are_divided_several_times_over():
    trials = draw_trials(rows(100), 5, _random())
    left_out = np.concatenate([trial.left_out.rows for trial in trials])
    assert np.bincount(left_out, minlength=100).min() >= 2


@pytest.mark.parametrize("n", [40, 1000, 10_000])
def test_what_is_left_out_is_not_grown_on(n):
    for trial in draw_trials(rows(n), 5, _random()):
        assert not np.intersect1d(trial.grown.rows, trial.left_out.rows).size
        assert len(trial.left_out.rows) == pytest.approx(len(trial.grown.rows) / 4, rel=0.1)


def test_a_row_of_weight_two_is_two_rows():
    data = rows(50)
    twice = data.take(np.repeat(np.arange(50), 2))
    heavy = Data(data.schema, data.X, data.y, np.full(50, 2.0))
    assert len(draw_trials(twice, 5, _random())) == len(draw_trials(heavy, 5, _random()))


def test_there_is_always_a_look_before_the_rest():
    for n in (30, 1000, 20_000):
        trials = draw_trials(rows(n), 5, _random())
        assert 1 <= first_look(trials) < len(trials)
