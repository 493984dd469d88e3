"""What every pruner can do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.tree import Tree

__all__ = ["Pruner", "best_below", "cost_as_leaf", "cost_that_stays"]


class Pruner:
    """Takes splits out of a tree again. Subclass it and write `prune`."""

    def hold_out(self, data: Data, random: np.random.Generator) -> tuple[Data, Data | None]:
        """Return the rows to grow on, and those kept back for pruning; None if it needs none."""
        return data, None

    def prune(self, tree: Tree, validation: Data | None) -> Tree:
        """Return the pruned tree.

        Parameters
        ----------
        tree : Tree
            As it was grown.
        validation : Data or None
            Rows that the tree was not grown on: the user's, or those that were held out.
        """
        raise NotImplementedError(f"{type(self).__name__} must define prune")


def cost_as_leaf(tree: Tree, losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the label of each node costs: where all mistakes are equal, its errors.

    Parameters
    ----------
    tree : Tree
        Whose labels they are.
    losses : ndarray of shape (n_nodes, n_classes)
        What each class costs as the answer, as `Tree.losses_of` gives it.
    """
    return losses[np.arange(tree.n_nodes), tree.labels]


def cost_that_stays(tree: Tree, losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each split the cost of rows that end there: no branch fits their value."""
    passed_on = np.zeros_like(losses)
    np.add.at(passed_on, tree.parent[1:], losses[1:])
    return cost_as_leaf(tree, np.where(tree.is_leaf[:, None], 0.0, losses - passed_on))


def best_below(
    tree: Tree, as_leaf: NDArray[np.float64], as_split: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each node the least cost of a pruning in which it stays a split.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    as_leaf : ndarray of shape (n_nodes, ...)
        What each node costs if it is a leaf.
    as_split : ndarray of the same shape
        What it costs beside its branches if it is not.
    """
    below = as_split.copy()
    is_leaf = tree.is_leaf.reshape(-1, *[1] * (as_leaf.ndim - 1))
    for first, last in reversed(tree.levels_below_root):
        own = slice(first, last)
        best = np.where(is_leaf[own], as_leaf[own], np.minimum(as_leaf[own], below[own]))
        np.add.at(below, tree.parent[own], best)
    return np.where(is_leaf, as_leaf, below)
