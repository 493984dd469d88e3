"""What columns are worth to a model, by shuffling them on rows that it has not seen.

Breiman 2001, *Random forests*, section 10: a column whose values are shuffled tells nothing, and
what accuracy that costs is what it was worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.inspection import permutation_importance

from miter.data.table import Data
from miter.estimators.fitted import Fitted

__all__ = ["PermutationImportances", "permutation_importances"]


@dataclass(frozen=True, eq=False)
class PermutationImportances:
    """What accuracy it costs to shuffle each column.

    Parameters
    ----------
    mean, deviation : ndarray of shape (n_columns,)
        Over the repetitions.
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]


def permutation_importances(
    model: Fitted, data: Data, n_repeats: int = 20, seed: int = 0
) -> PermutationImportances:
    """Shuffle each column of rows in turn and measure what accuracy that costs.

    Parameters
    ----------
    model : fitted estimator
        Of Miter's.
    data : Data
        Rows with labels, better not those that were learned.
    n_repeats : int
        How often each column is shuffled.
    seed : int
        How they are shuffled.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import monks
    >>> from miter.lab import permutation_importances
    >>> worth = permutation_importances(id3().fit(monks(1)), monks(1)).mean
    >>> (worth > 0.1).tolist()
    [True, True, False, False, True, False]
    """

    def accuracy(model: Fitted, rows: NDArray[Any], labels: NDArray[np.int32]) -> float:
        return float(np.average(model.predict_codes(rows) == labels, weights=data.weight))

    # Nothing of scikit-learn's own is asked of the model but that it is one.
    found = permutation_importance(
        model, data.X, data.labels, scoring=accuracy, n_repeats=n_repeats, random_state=seed
    )
    return PermutationImportances(found.importances_mean, found.importances_std)
