"""Measures of answers beyond accuracy, each with the interval that it is uncertain by.

An interval is that of 95 %. Shares of rows have Wilson's. All others follow from what each row adds
to the measure (its influence): the measure is a mean but for terms that vanish, so its deviation is
that of the influences divided by the square root of their number. For the area under the ROC curve
that is the method of DeLong, DeLong and Clarke-Pearson 1988.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

__all__ = ["ClassScore", "Score", "confusion_scores", "probability_scores", "share_of"]

#: Of the normal distribution, for 95 %.
WIDTH = 1.959964
#: A probability of 0 that turns out to be true would cost infinitely much.
SMALLEST = 1e-15


@dataclass(frozen=True)
class Score:
    """A measure and its 95 % interval.

    Parameters
    ----------
    value : float
        Of the measure.
    low, high : float
        The interval.

    Examples
    --------
    >>> from miter.lab.estimates.scores import Score
    >>> print(Score(0.912, 0.871, 0.953))
    0.912 [0.871 - 0.953]
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f} - {self.high:.3f}]"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {"value": self.value, "interval": [self.low, self.high]}


@dataclass(frozen=True)
class ClassScore:
    """How well one class is found; None where there is nothing to divide by.

    Parameters
    ----------
    n_rows : int
        Test rows of the class.
    precision, recall, f1 : Score, optional
        Of the rows taken for the class, the share that is; of its rows, the share that is found;
        their harmonic mean.
    """

    n_rows: int
    precision: Score | None
    recall: Score | None
    f1: Score | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        own = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {"rows": self.n_rows} | {
            name: None if score is None else score.to_dict() for name, score in own.items()
        }


def share_of(part: int, whole: int) -> Score | None:
    """Return a share of rows; None of no rows.

    Examples
    --------
    >>> from miter.lab.estimates.scores import share_of
    >>> print(share_of(9, 10))
    0.900 [0.596 - 0.982]
    """
    if not whole:
        return None
    bounds = binomtest(part, whole).proportion_ci(method="wilson")
    return Score(part / whole, float(bounds.low), float(bounds.high))


def confusion_scores(confusion: NDArray[np.int64]) -> tuple[Score, Score, tuple[ClassScore, ...]]:
    """Return balanced accuracy, the mean F1 of the classes, and how well each class is found.

    Parameters
    ----------
    confusion : ndarray of shape (n_classes, n_classes)
        Rows by true and predicted class. Classes without rows do not count in the means.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab.estimates.scores import confusion_scores
    >>> balanced, _, (no, yes) = confusion_scores(np.array([[40, 2], [8, 50]]))
    >>> print(balanced, no.recall)
    0.907 [0.852 - 0.962] 0.952 [0.842 - 0.987]
    """
    n_rows, found = int(confusion.sum()), confusion.diagonal()
    actual, taken = confusion.sum(axis=1), confusion.sum(axis=0)
    there = actual > 0
    recall = found[there] / actual[there]
    spread = sqrt(float((recall * (1 - recall) / actual[there]).sum())) / max(there.sum(), 1)
    balanced = _around(float(recall.mean()), spread, 1.0)
    scores, f1_influences = [], []
    for code in range(len(confusion)):
        f1, influence = _f1(confusion, code)
        scores.append(
            ClassScore(
                int(actual[code]),
                share_of(int(found[code]), int(taken[code])),
                share_of(int(found[code]), int(actual[code])),
                f1,
            )
        )
        if there[code]:
            f1_influences.append(influence)
    means = [score.f1.value for score in scores if score.n_rows and score.f1 is not None]
    influence = np.mean(f1_influences, axis=0)
    # Cells of the matrix stand for rows: each as often as it counts.
    spread = sqrt(float((confusion * influence**2).sum())) / n_rows
    return balanced, _around(float(np.mean(means)), spread, 1.0), tuple(scores)


def _f1(confusion: NDArray[np.int64], code: int) -> tuple[Score | None, NDArray[np.float64]]:
    """Return F1 of a class, and what a row of each cell of the matrix adds to it."""
    n_rows = int(confusion.sum())
    once = np.zeros(confusion.shape)
    once[code, :] += 1
    once[:, code] += 1  # twice where both are the class
    weight = float((confusion * once).sum())
    if not weight:
        return None, np.zeros(confusion.shape)
    value = 2 * float(confusion[code, code]) / weight
    hit = np.zeros(confusion.shape)
    hit[code, code] = 2
    influence = (hit - value * once) * n_rows / weight
    spread = sqrt(float((confusion * influence**2).sum())) / n_rows
    return _around(value, spread, 1.0), influence


def probability_scores(
    truth: NDArray[np.integer[Any]],
    shares: NDArray[np.float64],
    times: NDArray[np.integer[Any]] | None = None,
) -> dict[str, Score | None]:
    """Return what probabilities are worth: ROC AUC, log loss and Brier score.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        Class codes.
    shares : ndarray of shape (n_rows, n_classes)
        Probabilities.
    times : ndarray of int, optional
        How many rows each of them stands for; None: for itself.

    Returns
    -------
    dict
        ``roc_auc``: the mean area of the classes, each against the rest; None where all rows are
        of one class. ``log_loss``: the mean of -log of the true class's probability.
        ``brier``: the mean square of what the probabilities of all classes are off by.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab.estimates.scores import probability_scores
    >>> shares = np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.55, 0.45]])
    >>> scores = probability_scores(np.array([0, 0, 1, 1]), shares)
    >>> scores["roc_auc"].value, round(scores["brier"].value, 3)
    (1.0, 0.281)
    """
    own = shares[np.arange(len(truth)), truth]
    off = (shares**2).sum(axis=1) - 2 * own + 1
    times = np.ones(len(truth), np.int64) if times is None else times
    return {
        "roc_auc": _area(truth, shares, times),
        "log_loss": _mean(-np.log(np.clip(own, SMALLEST, 1)), times, inf),
        "brier": _mean(np.maximum(off, 0), times, 2.0),
    }


def _area(
    truth: NDArray[np.integer[Any]],
    shares: NDArray[np.float64],
    times: NDArray[np.integer[Any]],
) -> Score | None:
    present = np.unique(truth)
    if len(present) < 2:
        return None
    n_rows = int(times.sum())
    areas, influence = [], np.zeros(len(truth))
    for code in present:
        is_own = truth == code
        n_own = int(times[is_own].sum())
        n_others = n_rows - n_own
        # Of the others, the share that a row lies above, counting equals as half.
        _, place = np.unique(shares[:, code], return_inverse=True)
        below_own, below_others = _below(place, times * is_own), _below(place, times * ~is_own)
        above = np.where(is_own, below_others / n_others, 1 - below_own / n_own)
        area = float(np.average(above[is_own], weights=times[is_own]))
        areas.append(area)
        influence += (above - area) * n_rows / np.where(is_own, n_own, n_others)
    spread = sqrt(np.average(influence**2, weights=times)) / len(present) / sqrt(n_rows)
    return _around(float(np.mean(areas)), spread, 1.0)


def _below(place: NDArray[np.intp], times: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Return for each row how many others have smaller values, counting equals as half."""
    counts = np.bincount(place, times)
    below: NDArray[np.float64] = (np.cumsum(counts) - counts / 2)[place]
    return below


def _mean(values: NDArray[np.float64], times: NDArray[np.integer[Any]], most: float) -> Score:
    n_rows, mean = int(times.sum()), float(np.average(values, weights=times))
    squares = float((times * (values - mean) ** 2).sum())
    spread = sqrt(squares / (n_rows - 1) / n_rows) if n_rows > 1 else 0.0
    return _around(mean, spread, most)


def _around(value: float, spread: float, most: float) -> Score:
    return Score(value, max(value - WIDTH * spread, 0.0), min(value + WIDTH * spread, most))
