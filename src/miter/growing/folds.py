"""Parts of the rows for cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data

__all__ = ["draw_folds"]


def draw_folds(
    data: Data, n_folds: int, random: np.random.Generator
) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """Return the rows to grow on and those left out, for every part.

    Equal rows are of one part, so that a row counts the same whether it is there twice or has the
    weight 2; classes are spread evenly over the parts.
    """
    rows = np.flatnonzero(data.weight_of() > 0)
    table = np.column_stack([data.labels[rows], np.nan_to_num(data.X[rows], nan=np.inf)])
    _, which = np.unique(table, axis=0, return_inverse=True)
    which = which.ravel()
    n_different = int(which.max()) + 1
    order = random.permutation(n_different)
    label = np.empty(n_different, np.int64)
    label[which] = data.labels[rows]
    order = order[np.argsort(label[order], kind="stable")]
    of_different = np.empty(n_different, np.int64)
    of_different[order] = np.arange(n_different) % n_folds
    part = of_different[which]
    used = range(min(n_folds, int(part.max()) + 1))
    return [(rows[part != f].astype(np.int32), rows[part == f].astype(np.int32)) for f in used]
