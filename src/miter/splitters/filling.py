"""What a missing value counts as in the whole tree.

Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*, section 2: the mean of a number
and the most probable value of a symbol, as they are in the training set, stored so that rows to
predict are filled alike. Here they are stored in the splits: a split that was found on filled rows
is told where the filling goes, and nothing else is needed to route a row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column
from miter.data.table import Data
from miter.splits import PackedSplits

__all__ = ["Filling"]


@dataclass(frozen=True, eq=False)
class Filling:
    """The mean of every number and the most common value of every symbol.

    Parameters
    ----------
    values : ndarray of shape (n_columns,)
        What a missing value counts as; 0 in a column without any value.

    Examples
    --------
    >>> import numpy as np
    >>> from miter import from_frame
    >>> from miter.splits import PackedSplits, Threshold
    >>> from miter.splitters.filling import Filling
    >>> data = from_frame([[1.0], [2.0], [6.0], [np.nan]], [0, 0, 1, 1])
    >>> filling = Filling.of(data)
    >>> filling.fill(data).X.ravel()
    array([1., 2., 6., 3.])
    >>> filling.fold_all(PackedSplits.of([Threshold(0, (2.5,))]))[0]
    Threshold(column=0, cuts=(2.5,), missing=1)
    """

    values: NDArray[np.float64]

    @classmethod
    def of(cls, data: Data) -> Filling:
        """Return the means and modes of all training rows, each as often as its weight says."""
        if data.whole is not None:
            return cls(data.whole.typical)
        weight = data.weight_of()
        values = [
            _most_typical(column, data.X[:, c], weight)
            for c, column in enumerate(data.schema.columns)
        ]
        return cls(np.array(values))

    def fill(self, data: Data) -> Data:
        """Return the rows without missing values, in double precision where there were any."""
        if not data.missing_counts().any():
            return data
        return replace(data, X=np.where(np.isnan(data.X), self.values, data.X))

    def fold_all(self, splits: PackedSplits) -> PackedSplits:
        """Return the splits of filled rows, each told where the filling of a missing value goes.

        Where no training row of a node had a symbol's most common value there is no such branch,
        and a missing value is shared out.
        """
        return PackedSplits.of([split and split.with_missing_as(self.values) for split in splits])


def _most_typical(column: Column, x: NDArray[Any], weight: NDArray[np.float64]) -> float:
    known = ~np.isnan(x)
    own, weights = x[known].astype(float), weight[known]
    if not weights.sum() > 0:
        return 0.0
    if column.is_symbolic:
        return float(np.bincount(own.astype(int), weights).argmax())
    # In units of the largest number the sum does not overflow.
    unit = float(np.abs(own).max()) or 1.0
    return float(np.average(own / unit, weights=weights) * unit)
