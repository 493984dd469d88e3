"""Counts in, goodness out: how mixed classes are, and what a division of rows gains.

The same formulas run inside the native search (src/core/impurity.hpp); these are for whole arrays
of nodes and for splitters written in Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CRITERIA", "entropy", "gini"]

#: Names of the criteria, in the order of `enum class Criterion` in src/core/univariate.hpp.
CRITERIA = ("gain", "normalised_gain", "gain_ratio", "gini", "tan_schlimmer", "nunez")


def entropy(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return the entropy in bits of class counts along the last axis; 0 where there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.criteria import entropy
    >>> entropy(np.array([29, 35])).round(2)
    np.float64(0.99)
    """
    share = _shares(counts)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    result: NDArray[np.float64] = -(share * logs).sum(axis=-1) + 0.0
    return result


def gini(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return the Gini index of class counts along the last axis; 0 where there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.criteria import gini
    >>> gini(np.array([1, 1]))
    np.float64(0.5)
    """
    share = _shares(counts)
    result: NDArray[np.float64] = share.sum(axis=-1) - (share**2).sum(axis=-1)
    return result


def _shares(counts: NDArray[Any]) -> NDArray[np.float64]:
    counts = np.asarray(counts, float)
    total = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
