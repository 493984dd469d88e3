"""Cost-complexity pruning: every decision node must save its price in training errors.

Breiman, Friedman, Olshen and Stone 1984, *Classification and regression trees*, chapter 3.

Differs from the book: the price is of a decision node, not of a leaf, because a linear machine of
ten branches is one test; and it is a number of training errors, not a share of the rows, so that a
price found on some of the rows holds for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from miter.checks import check_number
from miter.data.table import Data
from miter.prune.pruning import Pruning, best_below, cost_as_leaf, cost_that_stays
from miter.tree import Tree

__all__ = ["CostComplexity", "leaves_at", "validation_cost"]


@dataclass(frozen=True)
class CostComplexity(Pruning):
    """Find the subtree with the least training errors plus a price for every decision node.

    Parameters
    ----------
    price : float
        Training errors that a decision node must save; where mistakes differ in cost, so many of
        average cost.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import CostComplexity
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(300, seed=1), UnivariateSplitter(criterion="gain"))
    >>> CostComplexity(2.0).prune(tree).n_leaves < tree.n_leaves
    True
    """

    price: float = 1.0

    def __post_init__(self) -> None:
        check_number("price", self.price, least=0)

    def prune(self, tree: Tree, validation: Data | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        return tree.cut(leaves_at(tree, [self.price])[:, 0])


def leaves_at(tree: Tree, prices: ArrayLike) -> NDArray[np.bool_]:
    """Return which nodes are leaves, or below one, at each price: nodes x prices."""
    prices = np.asarray(prices, float)
    cost = cost_as_leaf(tree, tree.training_losses)[:, None]
    stays = cost_that_stays(tree, tree.training_losses)[:, None]
    below = best_below(tree, np.tile(cost, len(prices)), stays + prices)
    # Rounding in sums of fractional rows must not decide.
    return tree.is_leaf[:, None] | (cost <= below + 1e-9)


def validation_cost(
    tree: Tree, leaves: NDArray[np.bool_], losses: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the errors, or their cost, of a tree on other rows when these nodes are its leaves.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    leaves : ndarray of shape (n_nodes, n_prunings)
        Which nodes are leaves; what is below them does not count.
    losses : ndarray of shape (n_nodes, n_classes)
        What answers to the other rows cost, as `Tree.losses_of` gives it.
    """
    as_leaf = cost_as_leaf(tree, losses)[:, None]
    total = np.tile(cost_that_stays(tree, losses)[:, None], leaves.shape[1])
    for first, last in reversed(tree.levels_below_root):
        own = np.where(leaves[first:last], as_leaf[first:last], total[first:last])
        np.add.at(total, tree.parent[first:last], own)
    result: NDArray[np.float64] = np.where(leaves[0], as_leaf[0], total[0])
    return result
