"""Reduced-error pruning: splits that do not help on rows kept back are taken out.

Quinlan 1987, section 3.2; *Lecture 3: Decision Tree Learning* (2D5362), 'Reduced-Error Pruning'.

Differs from the lecture: the lecture removes the one best node at a time until that is harmful. One
pass from the leaves up gives what that search is after, the smallest of the most accurate subtrees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from miter.checks import check_number
from miter.data.table import Data
from miter.errors import DataError
from miter.growing.folds import hold_out
from miter.prune.pruning import Pruning, best_below, cost_as_leaf, cost_that_stays
from miter.tree import RowsElsewhere, Tree

__all__ = ["ReducedError"]


@dataclass(frozen=True)
class ReducedError(Pruning):
    """Replace a subtree by a leaf unless it makes fewer errors on rows it was not grown on.

    Where mistakes differ in cost, it must cost less.

    Parameters
    ----------
    share : float
        Part of each class that is held out when no validation rows are given.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import ReducedError
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(300, seed=1), UnivariateSplitter(criterion="gain"))
    >>> ReducedError().prune(tree, led(100, seed=2)).n_leaves < tree.n_leaves
    True
    """

    share: float = 1 / 3

    def __post_init__(self) -> None:
        check_number("share", self.share, above=0, below=1)

    @property
    def kept_back(self) -> float:
        """The share of the rows that are kept back."""
        return self.share

    def hold_out(self, data: Data, random: np.random.Generator) -> tuple[Data, Data | None]:
        """Hold out the share of every class, at least one row of it growing on."""
        fold = hold_out(data, self.share, random)
        if len(fold.left_out.rows) == 0:
            raise DataError(
                f"{data.n_rows} rows are too few to hold out {self.share:.0%} of them for "
                "reduced-error pruning; give validation rows, or another pruning"
            )
        return fold.grown.of(data), fold.left_out.of(data)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None) -> Tree:
        """Return the pruned tree."""
        if validation is None or validation.n_rows == 0:
            raise DataError(
                "reduced-error pruning needs validation rows; give some, or prune in another way"
            )
        losses = tree.losses_of(validation)
        cost = cost_as_leaf(tree, losses)
        least_below = best_below(tree, cost, cost_that_stays(tree, losses))
        return tree.cut(cost <= least_below + 1e-9)
