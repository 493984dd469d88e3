"""How much work it takes to choose: a share of the rows that falls smoothly as they grow more.

What is tried is the same for a table of a hundred rows and of a million. Trees of all trials of a
way are grown on as many rows together as n to the power 0.3 says: few rows are divided into parts
several times over, because chance is large there; of many, fewer parts tell as much, and at last
one tree of a sample. There is no size at which another rule begins, so that neither time nor
accuracy has steps.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.folds import Fold, draw_folds
from miter.level import Sample

__all__ = ["draw_trials", "first_look", "rows_looked_at"]

#: Rows that the trees of a way are grown on, together: so many times n to a power.
WORK, POWER = 400.0, 0.3

#: Up to so many rows a trial grows on all that are not left out, whatever the work.
WHOLE_ROWS = 1000

#: More rows than so many times those that are grown on are not looked at.
REACH = 2.5


def draw_trials(
    data: Data, n_folds: int, random: np.random.Generator, n_all: float | None = None
) -> list[Fold]:
    """Return rows to grow on and rows left out, for every trial.

    Parameters
    ----------
    data : Data
        Training rows; a row of weight 2 counts as two.
    n_folds : int
        Into how many parts rows are divided, each time.
    random : numpy.random.Generator
        What is drawn.
    n_all : float, optional
        How many rows there are to choose for, where these are a sample of them; None: these are
        all.
    """
    n_rows = max(float(data.copies_of(np.arange(data.n_rows)).sum()), 2.0)
    n_trials, n_grown_on = _effort(n_all or n_rows, n_folds)
    share = n_grown_on / n_rows
    trials: list[Fold] = []
    while len(trials) < n_trials:
        folds = _divide(data, min(1.0, REACH * share), n_folds, random)
        n_grown = round(share * data.n_rows)
        trials += [_with_fewer(fold, n_grown, random) for fold in folds[: n_trials - len(trials)]]
    return trials


def rows_looked_at(n_rows: float, n_folds: int) -> int:
    """Return how many rows trials are drawn from."""
    return ceil(min(REACH * _effort(n_rows, n_folds)[1], n_rows))


def _effort(n_rows: float, n_folds: int) -> tuple[int, float]:
    """Return how many trials there are, and how many rows each is grown on."""
    work = WORK * n_rows**POWER
    n_trials = ceil(work / (n_rows * (1 - 1 / n_folds)))
    return n_trials, n_rows if n_rows <= WHOLE_ROWS else work / n_trials


def first_look(trials: list[Fold]) -> int:
    """Return after how many trials one that is not ahead is given up: a third of them."""
    return max(1, len(trials) // 3)


def _divide(data: Data, share: float, n_folds: int, random: np.random.Generator) -> list[Fold]:
    """Divide a share of the rows into parts, each of which is left out once."""
    if share == 1:
        return draw_folds(data, n_folds, random)
    rows = np.sort(random.choice(data.n_rows, round(share * data.n_rows), replace=False))
    folds = draw_folds(data.take(rows), n_folds, random)
    return [Fold(_of_all(fold.grown, rows), _of_all(fold.left_out, rows)) for fold in folds]


def _of_all(sample: Sample, rows: NDArray[np.integer[Any]]) -> Sample:
    return Sample(rows[sample.rows].astype(np.int32), sample.weights)


def _with_fewer(fold: Fold, n_grown: int, random: np.random.Generator) -> Fold:
    n_there = len(fold.grown.rows)
    if n_there <= n_grown:
        return fold
    kept = np.sort(random.choice(n_there, n_grown, replace=False))
    return Fold(fold.grown.some(kept), fold.left_out)
