"""The data sets, as Miter reads them and as learners of numbers do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import read_joined
from sklearn.datasets import load_breast_cancer

from miter.data import Data, from_frame

#: The sets on which trees of many families were compared before.
SETS = (
    *("iris", "zoo", "wine", "sonar", "glass", "ecoli", "bupa", "ionosphere", "dermatology"),
    *("vote", "breast-cancer", "pima", "vehicle", "german", "vowel"),
)
#: Others, of other kinds.
OTHER_SETS = (
    *("heart-statlog", "hepatitis", "horse-colic", "cylinder-bands", "flare", "car", "monks-1"),
    *("monks-2", "monks-3", "breast", "soybean-large", "segment", "kr-vs-kp"),
)


def read_set(name: str) -> Data:
    """Return the rows of a set."""
    if name == "breast-cancer":
        X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        return from_frame(X, y)
    return read_joined(name)


def as_numbers(data: Data) -> NDArray[np.float64]:
    """Return numbers with their mean where missing, and a column of 0 and 1 for each value."""
    parts: list[Any] = []
    for c, column in enumerate(data.schema.columns):
        x = data.X[:, c].astype(float)
        if column.is_symbolic:
            parts += [(x == value).astype(float) for value in range(len(column.values))]
        else:
            mean = np.nanmean(x) if np.isfinite(x).any() else 0.0
            parts.append(np.where(np.isnan(x), mean, x))
    return np.column_stack(parts)
