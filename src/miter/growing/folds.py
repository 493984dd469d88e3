"""Parts of the rows for cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.level import Sample

__all__ = ["Fold", "draw_folds"]


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to grow on, and rows that are left out; of some rows a share of each."""

    grown: Sample
    left_out: Sample


def draw_folds(data: Data, n_folds: int, random: np.random.Generator) -> list[Fold]:
    """Return the rows to grow on and those left out, for every part.

    Equal rows are dealt over the parts together, in units of weight: what counts 1 is in one part,
    what counts 3 in three of them, a third of it in each. So a row counts the same whether it is
    there twice or has the weight 2, and where there are few different rows the parts look alike.
    Classes are spread evenly over the parts.
    """
    weight = data.weight_of()
    rows = np.flatnonzero(weight > 0)
    weight = weight[rows]
    table = np.column_stack([data.labels[rows], np.nan_to_num(data.X[rows], nan=np.inf)])
    which = np.unique(table, axis=0, return_inverse=True)[1].ravel()
    n_different = int(which.max()) + 1
    order = random.permutation(n_different)
    label = np.empty(n_different, np.int64)
    label[which] = data.labels[rows]
    order = order[np.argsort(label[order], kind="stable")]
    units = np.ceil(np.bincount(which, weight) - 1e-9)
    spread = np.clip(units, 1, n_folds).astype(np.int64)
    first = np.empty(n_different, np.int64)
    first[order] = (np.cumsum(spread[order]) - spread[order]) % n_folds
    n_used = min(n_folds, int(spread.sum()))
    return [
        _fold(rows.astype(np.int32), weight, (f - first) % n_folds < spread, spread, which)
        for f in range(n_used)
    ]


def _fold(
    rows: NDArray[np.int32],
    weight: NDArray[np.float64],
    is_left_out: NDArray[np.bool_],
    spread: NDArray[np.int64],
    which: NDArray[np.intp],
) -> Fold:
    """Leave out a part: of each group of equal rows its share."""
    share = np.where(is_left_out, 1 / spread, 0.0)[which]
    out, kept = share > 0, share < 1
    if not (out & kept).any():  # whole rows only
        return Fold(Sample(rows[kept]), Sample(rows[out]))
    grown = Sample(rows[kept], ((1 - share) * weight)[kept])
    return Fold(grown, Sample(rows[out], (share * weight)[out]))
