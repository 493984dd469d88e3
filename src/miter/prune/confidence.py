"""How many errors rows are feared to bring: the upper confidence limit of the binomial.

Quinlan 1993, *C4.5: programs for machine learning*, chapter 4.

Differs from C4.5: the limit is exact, also for parts of rows, where C4.5 takes a normal
approximation from one error on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

__all__ = ["feared_errors"]


def feared_errors(
    errors: ArrayLike, weight: ArrayLike, confidence: float = 0.25
) -> NDArray[np.float64]:
    """Return the errors that as many new rows may well bring.

    The error rate is the largest at which so few errors among the rows seen would still have the
    probability `confidence`.

    Parameters
    ----------
    errors : array
        Errors among the rows seen, or their cost; more than there are rows count as all of them.
    weight : array
        How many rows were seen.
    confidence : float
        A smaller one fears more.

    Examples
    --------
    >>> from miter.prune.confidence import feared_errors
    >>> (feared_errors([0, 0, 1], [6, 9, 16]) / [6, 9, 16]).round(3)
    array([0.206, 0.143, 0.16 ])
    """
    n = np.asarray(weight, float)
    e = np.clip(errors, 0.0, n)
    right = n - e
    rate = np.ones(np.broadcast(e, n).shape)
    some = right > 0
    rate[some] = betaincinv(e[some] + 1.0, right[some], 1.0 - confidence)
    return rate * n
