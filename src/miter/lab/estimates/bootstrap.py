"""The bootstrap estimate of error, .632 and .632+.

*Lecture 3: Decision Tree Learning* (2D5362), 'Bootstrap' and 'Example Bootstrap Estimation': with
theta_i the accuracy of what the i-th of b samples taught on the rows it left out, and acc_s the
accuracy on the whole training set of what the whole taught,

    acc_boot = 1/b sum_i (0.632 theta_i + 0.368 acc_s).

Efron and Tibshirani 1997, *Improvements on cross-validation: the .632+ bootstrap method*, for
learners that know their training rows by heart: the more a learner overfits, the less the second
term counts.

Differs from the lecture: errors in place of accuracies, as its own example prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.lab.estimates.adapter import fit_on, predict_codes
from miter.lab.estimates.resampling import Bootstrap

__all__ = ["BootstrapEstimate", "bootstrap_error"]

#: How likely a row is to be in a sample, 1 - 1/e, as the texts round it.
SHARE_DRAWN = 0.632


@dataclass(frozen=True, eq=False)
class BootstrapEstimate:
    """An error with what the samples say of its precision. `str` gives the line of MLC++.

    Parameters
    ----------
    error : float
        The estimate.
    per_sample : ndarray of shape (n_samples,)
        What it would be with each sample alone.
    training_error : float
        Error on the training rows of what was learned from all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab import BootstrapEstimate
    >>> print(BootstrapEstimate(0.15, np.array([0.1, 0.2, 0.15, 0.15]), 0.0))
    15.00% +- 2.04% (10.38% - 19.62%)
    """

    error: float
    per_sample: NDArray[np.float64]
    training_error: float

    @property
    def accuracy(self) -> float:
        """One minus the error."""
        return 1 - self.error

    @property
    def deviation(self) -> float:
        """The standard deviation of the mean of the samples' estimates."""
        return float(self.per_sample.std(ddof=1)) / sqrt(len(self.per_sample))

    @property
    def interval(self) -> tuple[float, float]:
        """Between what bounds the middle 95 % of the samples' estimates lie."""
        low, high = np.percentile(self.per_sample, [2.5, 97.5])
        return float(low), float(high)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "error": self.error,
            "accuracy": self.accuracy,
            "deviation": self.deviation,
            "interval": list(self.interval),
            "training_error": self.training_error,
            "per_sample": self.per_sample.tolist(),
        }

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.error:.2%} +- {self.deviation:.2%} ({low:.2%} - {high:.2%})"


def bootstrap_error(
    estimator: Any, data: Data, n_samples: int = 20, seed: int = 0, plus: bool = False
) -> BootstrapEstimate:
    """Estimate the error of a learner on rows like these, from these rows alone.

    Parameters
    ----------
    estimator : classifier
        One of Miter or of scikit-learn, not fitted; see `miter.lab.adapter.fit_on`.
    data : Data
        Rows with their classes. Weights are used in fitting; errors count rows.
    n_samples : int
        Bootstrap samples, at least 2.
    seed : int
        Draws the samples. What the estimator leaves to chance, its own seed decides.
    plus : bool
        Whether to make the .632+ estimate: better for learners that overfit.

    Returns
    -------
    BootstrapEstimate
        The error, its deviation and the estimates of the samples.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import monks
    >>> from miter.lab import bootstrap_error
    >>> estimate = bootstrap_error(id3(), monks(1), n_samples=5)
    >>> 0 <= estimate.error < 0.1
    True
    """
    if n_samples < 2:
        raise ValueError(
            f"n_samples is {n_samples!r}; give 2 or more, so that a deviation can be told"
        )
    predicted = predict_codes(fit_on(estimator, data), data)
    training_error = float((predicted != data.labels).mean())
    left_out = _left_out_errors(estimator, data, Bootstrap(n_samples), seed)
    by_sample = np.nanmean(left_out, axis=1)
    if not plus:
        per_sample = _mix(by_sample, training_error)
        return BootstrapEstimate(float(per_sample.mean()), per_sample, training_error)
    chance = _no_information_rate(data, predicted)
    is_tested = ~np.isnan(left_out).all(axis=0)
    by_row = np.nanmean(left_out[:, is_tested], axis=0)
    return BootstrapEstimate(
        float(_mix_plus(by_row.mean(), training_error, chance)),
        _mix_plus(by_sample, training_error, chance),
        training_error,
    )


def _left_out_errors(
    estimator: Any, data: Data, resampling: Bootstrap, seed: int
) -> NDArray[np.float64]:
    """Return 1 for every row that a sample left out and got wrong, 0 if right, NaN if it had it."""
    errors = np.full((resampling.n_samples, data.n_rows), np.nan)
    for sample, (train, test) in enumerate(resampling.splits(data.labels, seed)):
        predicted = predict_codes(fit_on(estimator, data.take(train)), data.take(test))
        errors[sample, test] = predicted != data.labels[test]
    return errors


def _no_information_rate(data: Data, predicted: NDArray[np.int64]) -> float:
    """Return the error of the same answers, if they had been given to the rows at random."""
    n_classes = data.schema.n_classes
    true_share = np.bincount(data.labels, minlength=n_classes) / data.n_rows
    predicted_share = np.bincount(predicted, minlength=n_classes) / data.n_rows
    return float(true_share @ (1 - predicted_share))


def _mix(left_out: NDArray[np.float64], training: float) -> NDArray[np.float64]:
    return SHARE_DRAWN * left_out + (1 - SHARE_DRAWN) * training


def _mix_plus(left_out: Any, training: float, chance: float) -> NDArray[np.float64]:
    """Return the .632+ error, equation 32 of the paper, of an error or of many."""
    errors = np.asarray(left_out, float)
    bounded = np.minimum(errors, chance)
    # How far overfitting goes, from 0 to 1 where rows left out fare no better than chance.
    overfitting = np.zeros_like(errors)
    if chance > training:
        overfitting = np.maximum(bounded - training, 0) / (chance - training)
    rest = 1 - SHARE_DRAWN
    more = rest * SHARE_DRAWN * overfitting / (1 - rest * overfitting)
    return _mix(errors, training) + (bounded - training) * more
