"""Redundant leaves: branches that all give the same answer become one leaf."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from miter.data.table import Data
from miter.prune.pruning import Pruning
from miter.tree import RowsElsewhere, Tree

__all__ = ["SameAnswer"]


@dataclass(frozen=True)
class SameAnswer(Pruning):
    """Make a leaf of every node below which all answers are the same, its own included.

    No answer to a row that goes one way changes. Probabilities may, because a leaf has one for all
    its rows; and with them answers to rows that a missing value shares out over several leaves.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import SameAnswer
    >>> from miter.splitters import UnivariateSplitter
    >>> data = led(300, seed=1)
    >>> tree = grow(data, UnivariateSplitter(criterion="gain"))
    >>> merged = SameAnswer().prune(tree)
    >>> merged.n_leaves < tree.n_leaves, (merged.predict(data.X) == tree.predict(data.X)).all()
    (True, np.True_)
    """

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        is_same = np.ones(tree.n_nodes, bool)
        for first, last in reversed(tree.levels_below_root):
            nodes = np.arange(first, last)
            above = tree.parent[first:last]
            agrees = is_same[nodes] & (tree.labels[nodes] == tree.labels[above])
            np.logical_and.at(is_same, above, agrees)
        return tree.cut(is_same)
