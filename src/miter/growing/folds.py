"""Rows that are grown on and rows that are left out.

Equal rows are dealt together, in units of weight: a row counts the same whether it is there twice
or has the weight 2, and where there are few different rows all parts look alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.level import Sample, equal_rows

__all__ = ["Fold", "draw_folds", "hold_out"]


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to grow on, and rows that are left out; of some rows a share of each."""

    grown: Sample
    left_out: Sample


def draw_folds(data: Data, n_folds: int, random: np.random.Generator) -> list[Fold]:
    """Return the rows to grow on and those left out, for every part.

    What counts 1 is in one part, what counts 3 in three of them, a third of it in each. Classes are
    spread evenly over the parts.
    """
    groups = _Groups.shuffled(data, random)
    spread = np.clip(groups.units, 1, n_folds)
    first = (np.cumsum(spread) - spread) % n_folds
    n_used = int(min(n_folds, spread.sum()))
    return [
        groups.leave_out(np.where((f - first) % n_folds < spread, 1 / spread, 0.0))
        for f in range(n_used)
    ]


def hold_out(data: Data, share: float, random: np.random.Generator) -> Fold:
    """Leave out a share of every class, at least one row of it growing on."""
    groups = _Groups.shuffled(data, random)
    held = np.zeros(len(groups.units))
    for code in np.unique(groups.label):
        own = groups.label == code
        last = np.cumsum(groups.units[own])
        n_held = min(round(share * last[-1]), last[-1] - 1)
        # Which units they are is spread evenly over the class, whose rows are in random order.
        held[own] = np.diff(np.floor(last * (n_held / last[-1]) + 1e-9), prepend=0)
    return groups.leave_out(held / groups.units)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of equal rows, those of a class together, in random order within it."""

    rows: NDArray[np.int32]
    weight: NDArray[np.float64]
    which: NDArray[np.intp]  # the group of each row
    label: NDArray[np.int32]
    units: NDArray[np.int64]

    @classmethod
    def shuffled(cls, data: Data, random: np.random.Generator) -> _Groups:
        """Return the groups of all rows that count."""
        rows = np.flatnonzero(data.weight_of() > 0).astype(np.int32)
        weight, which = data.weight_of(rows), equal_rows(data, rows)
        label = np.empty(which.max() + 1, np.int32)
        label[which] = data.labels[rows]
        order = random.permutation(len(label))
        order = order[np.argsort(label[order], kind="stable")]
        copies = np.bincount(which, data.copies_of(rows))
        units = np.clip(np.ceil(copies - 1e-9), 1, 2**31).astype(np.int64)
        return cls(rows, weight, np.argsort(order)[which], label[order], units[order])

    def leave_out(self, share: NDArray[np.float64]) -> Fold:
        """Leave out a share of each group."""
        share = share[self.which]
        out, kept = share > 0, share < 1
        if not (out & kept).any():  # whole rows only
            return Fold(Sample(self.rows[kept]), Sample(self.rows[out]))
        grown = Sample(self.rows[kept], ((1 - share) * self.weight)[kept])
        return Fold(grown, Sample(self.rows[out], (share * self.weight)[out]))
