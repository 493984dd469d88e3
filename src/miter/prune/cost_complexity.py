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

from miter.data.table import Data
from miter.prune.pruner import Pruner, best_below, errors_as_leaf, errors_that_stay
from miter.tree import Tree

__all__ = ["CostComplexity", "leaves_at", "validation_errors"]


@dataclass(frozen=True)
class CostComplexity(Pruner):
    """Find the subtree with the least training errors plus a price for every decision node.

    Parameters
    ----------
    price : float
        Training errors that a decision node must save.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.grow import grow
    >>> from miter.prune import CostComplexity
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(300, seed=1), UnivariateSplitter(criterion="gain"))
    >>> CostComplexity(2.0).prune(tree).n_leaves < tree.n_leaves
    True
    """

    price: float = 1.0

    def __post_init__(self) -> None:
        if not (isinstance(self.price, int | float | np.number) and 0 <= self.price < np.inf):
            raise ValueError(f"price is {self.price!r}; give a number from 0 on")

    def prune(self, tree: Tree, validation: Data | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        return tree.cut(leaves_at(tree, [self.price])[:, 0])


def leaves_at(tree: Tree, prices: ArrayLike) -> NDArray[np.bool_]:
    """Return which nodes are leaves, or below one, at each price: nodes x prices."""
    prices = np.asarray(prices, float)
    errors = errors_as_leaf(tree, tree.counts)[:, None]
    stay = errors_that_stay(tree, tree.counts)[:, None]
    below = best_below(tree, np.tile(errors, len(prices)), stay + prices)
    # Rounding in sums of fractional rows must not decide.
    return tree.is_leaf[:, None] | (errors <= below + 1e-9)


def validation_errors(
    tree: Tree, leaves: NDArray[np.bool_], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the errors of a tree on other rows when these nodes are its leaves.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    leaves : ndarray of shape (n_nodes, n_prunings)
        Which nodes are leaves; what is below them does not count.
    counts : ndarray of shape (n_nodes, n_classes)
        The other rows, as `Tree.count` gives them.
    """
    as_leaf = errors_as_leaf(tree, counts)[:, None]
    total = np.tile(errors_that_stay(tree, counts)[:, None], leaves.shape[1])
    for first, last in reversed(tree.levels_below_root):
        own = np.where(leaves[first:last], as_leaf[first:last], total[first:last])
        np.add.at(total, tree.parent[first:last], own)
    result: NDArray[np.float64] = np.where(leaves[0], as_leaf[0], total[0])
    return result
