"""Pessimistic pruning: no rows are held out, half an error is added for every leaf.

Quinlan 1987, *Simplifying decision trees*, section 3.3; used by Utgoff and Brodley 1991,
section 3.2.

Differs from the paper: nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from miter.data.table import Data
from miter.prune.pruning import Pruning, cost_as_leaf
from miter.tree import RowsElsewhere, Tree

__all__ = ["Pessimistic"]


@dataclass(frozen=True)
class Pessimistic(Pruning):
    """Replace a subtree by a leaf unless it is better by more than one standard error.

    A subtree with L leaves that makes E errors on its N training rows is taken to make E + L / 2;
    its standard error is sqrt((E + L / 2) (N - E - L / 2) / N). From the root down, a node whose
    own errors plus 1/2 are within one standard error of its subtree's becomes a leaf. Where
    mistakes differ in cost, E is their cost, a mistake of average cost counting 1.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import Pessimistic
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(300, seed=1), UnivariateSplitter(criterion="gain"))
    >>> Pessimistic().prune(tree, None).n_leaves < tree.n_leaves
    True
    """

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        weight = tree.counts.sum(axis=1)
        errors = cost_as_leaf(tree, tree.training_losses)
        as_leaf = errors + 0.5
        as_subtree = tree.sum_over_leaves(errors + 0.5)
        room = np.maximum(weight - as_subtree, 0.0)
        deviation = np.sqrt(
            np.divide(as_subtree * room, weight, out=np.zeros_like(weight), where=weight > 0)
        )
        # Rounding in sums of fractional rows must not decide.
        return tree.cut(as_leaf <= as_subtree + deviation + 1e-9)
