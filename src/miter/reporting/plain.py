"""Numbers as JSON has them: whole where they are, nothing where they are missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["few_digits", "plain_numbers", "sparse"]


def plain_numbers(values: NDArray[Any]) -> list[float | int | None]:
    """Return numbers that JSON can hold without loss; None for those that are missing.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.reporting.plain import plain_numbers
    >>> plain_numbers(np.array([1.0, 0.5, np.nan]))
    [1, 0.5, None]
    """
    return [_plain(value) for value in np.asarray(values, float).tolist()]


def _plain(value: float) -> float | int | None:
    if value != value:
        return None
    # Also above this, a whole number written as one is read as the same float.
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def few_digits(values: Iterable[float], digits: int = 4) -> list[float | int | None]:
    """Return numbers that are only drawn, in few digits.

    Examples
    --------
    >>> from miter.reporting.plain import few_digits
    >>> few_digits([0.123456, 2.0])
    [0.1235, 2]
    """
    return [_plain(float(f"{value:.{digits}g}")) for value in values]


def sparse(counts: NDArray[Any]) -> list[float | int | None]:
    """Return counts as pairs of place and count, one after the other, without those that are 0.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.reporting.plain import sparse
    >>> sparse(np.array([0.0, 12.0, 0.0, 1.5]))
    [1, 12, 3, 1.5]
    """
    places = np.flatnonzero(counts)
    numbers = plain_numbers(counts[places])
    return [part for pair in zip(places.tolist(), numbers, strict=True) for part in pair]
