"""How much work it takes to choose: a share of the rows that falls smoothly as they grow more.

What is tried is the same for a table of a hundred rows and of a million. On few rows chance is
large, so they are divided into parts several times over; on many, fewer parts tell as much, and at
last trees of a sample. There is no size at which another rule begins, so that neither time nor
accuracy has steps.
"""

from __future__ import annotations

import numpy as np

from miter.data.table import Data
from miter.growing.folds import Fold, draw_folds
from miter.level import Sample

__all__ = ["draw_trials", "first_look"]

#: Divided by the square root of the rows: how many parts are left out, one after the other.
PARTS = 125.0
LEAST_PARTS, MOST_PARTS = 3, 20

#: Up to so many rows trials use all of them; beyond, their number grows as n to the power 2/3.
WHOLE_ROWS = 2000


def draw_trials(data: Data, n_folds: int, random: np.random.Generator) -> list[Fold]:
    """Return rows to grow on and rows left out, for every trial.

    Parameters
    ----------
    data : Data
        Training rows; a row of weight 2 counts as two.
    n_folds : int
        Into how many parts rows are divided, each time.
    random : numpy.random.Generator
        What is drawn.
    """
    n_rows = max(float(data.copies_of(np.arange(data.n_rows)).sum()), 1.0)
    n_trials = int(np.clip(round(PARTS / np.sqrt(n_rows)), LEAST_PARTS, MOST_PARTS))
    share = min(1.0, (WHOLE_ROWS / n_rows) ** (1 / 3))
    trials: list[Fold] = []
    while len(trials) < n_trials:
        trials += _divide(data, share, n_folds, random)[: n_trials - len(trials)]
    return trials


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


def _of_all(sample: Sample, rows: np.ndarray) -> Sample:
    return Sample(rows[sample.rows].astype(np.int32), sample.weights)
