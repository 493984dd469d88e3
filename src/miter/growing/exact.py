"""Sums that do not depend on the order of what is added."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["exact_sum"]

#: Bits of a number that are summed at a time: so many numbers do not overflow.
LOW_BITS = 27


def exact_sum(values: NDArray[np.float64]) -> Fraction:
    """Return the sum of finite numbers, exactly; it may be added to others and rounded at last.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.growing.exact import exact_sum
    >>> numbers = np.array([1e16, 1.0, -1e16])
    >>> numbers.sum(), float(exact_sum(numbers))
    (np.float64(0.0), 1.0)
    """
    mantissas, exponents = np.frexp(np.asarray(values, np.float64))
    whole = (mantissas * 2.0**53).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        own = whole[exponents == exponent]
        high = int((own >> LOW_BITS).sum()) << LOW_BITS
        low = int((own & ((1 << LOW_BITS) - 1)).sum())
        total += (high + low) * Fraction(2) ** (exponent - 53)
    return total
