"""What is known of all rows of a table, where only some of them are at hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Summary"]


@dataclass(frozen=True, eq=False)
class Summary:
    """What splitters ask of all training rows before they begin.

    Parameters
    ----------
    typical : ndarray of shape (n_columns,)
        The mean of every number and the most common value of every symbol, each row as often as
        its weight says; 0 in a column without any value.
    least, most : ndarray of shape (n_columns,)
        The smallest and the largest number; what is typical in a column without any value.
    """

    typical: NDArray[np.float64]
    least: NDArray[np.float64]
    most: NDArray[np.float64]
