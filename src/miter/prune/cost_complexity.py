"""Cost-complexity pruning: every decision node must save its price in training errors.

Breiman, Friedman, Olshen and Stone 1984, *Classification and regression trees*, chapter 3.

Differs from the book: the price is of a decision node, not of a leaf, because a linear machine of
ten branches is one test; and it is a number of training errors, not a share of the rows, so that a
price found on some of the rows holds for all of them. Where every split has two branches the
prunings are those of the book; scikit-learn's are had with ``of="gini"`` and
``price=ccp_alpha * n_rows``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from miter.checks import check_choice, check_number
from miter.criteria import entropy, gini
from miter.data.table import Data
from miter.prune.pruning import Pruning, best_below, cost_as_leaf, cost_that_stays
from miter.tree import RowsElsewhere, Tree

__all__ = [
    "CostComplexity",
    "PruningPath",
    "cost_complexity_path",
    "leaves_at",
    "validation_cost",
    "with_all_below",
]

#: What the impurity of a node counts, by its name.
IMPURITIES = {"gini": gini, "entropy": entropy}
COSTS = ("errors", *IMPURITIES)


@dataclass(frozen=True)
class CostComplexity(Pruning):
    """Find the subtree with the least training errors plus a price for every decision node.

    Parameters
    ----------
    price : float
        Training errors that a decision node must save; where mistakes differ in cost, so many of
        average cost.
    of : {"errors", "gini", "entropy"}
        What a node must save: errors, or their cost; or the impurity of a row times their number.

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
    of: str = "errors"

    def __post_init__(self) -> None:
        check_number("price", self.price, least=0)
        check_choice("of", self.of, COSTS)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        return tree.cut(leaves_at(tree, [self.price], self.of)[:, 0])


def _costs(tree: Tree, of: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what each node costs as a leaf, and what rows cost that end at it as a split."""
    if of == "errors":
        losses = tree.training_losses
        return cost_as_leaf(tree, losses), cost_that_stays(tree, losses)
    cost = tree.counts.sum(axis=1) * IMPURITIES[of](tree.counts)
    return cost, np.zeros(tree.n_nodes)


def leaves_at(tree: Tree, prices: ArrayLike, of: str = "errors") -> NDArray[np.bool_]:
    """Return which nodes are leaves, or below one, at each price: nodes x prices."""
    prices = np.asarray(prices, float)
    cost, stays = (amount[:, None] for amount in _costs(tree, of))
    below = best_below(tree, np.tile(cost, len(prices)), stays + prices)
    # Rounding in sums of fractional rows must not decide.
    return tree.is_leaf[:, None] | (cost <= below + 1e-9)


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The prunings that are best at some price, from the whole tree to the root.

    Parameters
    ----------
    prices : ndarray
        From which price on each of them is best, ascending.
    costs : ndarray
        What the leaves of each cost: training errors, or impurity.
    leaves : ndarray of shape (n_nodes, n_prunings)
        Which nodes of the whole tree are leaves, or below one, for `Tree.cut`.
    """

    prices: NDArray[np.float64]
    costs: NDArray[np.float64]
    leaves: NDArray[np.bool_]


def cost_complexity_path(tree: Tree, of: str = "errors") -> PruningPath:
    """Return all prunings of a tree that some price makes the best: the weakest split goes first.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    of : {"errors", "gini", "entropy"}
        As for `CostComplexity`.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.growing.loop import grow
    >>> from miter.prune import cost_complexity_path
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(play_tennis(), UnivariateSplitter(criterion="gain"))
    >>> path = cost_complexity_path(tree)
    >>> path.prices, path.costs
    (array([0. , 0.5, 1. , 1.5]), array([0., 1., 2., 5.]))
    """
    check_choice("of", of, COSTS)
    as_leaf, stays = _costs(tree, of)
    leaves = [with_all_below(tree, leaves_at(tree, [0.0], of)[:, 0])]
    prices, costs = [0.0], [_cost_now(tree, leaves[0], as_leaf, stays)[0][0]]
    while not leaves[-1][0]:
        below, n_splits = _cost_now(tree, leaves[-1], as_leaf, stays)
        saved = np.full(tree.n_nodes, np.inf)
        is_split = ~leaves[-1] & (n_splits > 0)
        saved[is_split] = (as_leaf - below)[is_split] / n_splits[is_split]
        price = max(float(saved.min()), prices[-1])
        # Rounding in sums of fractional rows must not decide.
        now = with_all_below(tree, leaves[-1] | (saved <= price + 1e-9))
        prices.append(price)
        leaves.append(now)
        costs.append(_cost_now(tree, now, as_leaf, stays)[0][0])
    return PruningPath(np.array(prices), np.array(costs), np.column_stack(leaves))


def with_all_below(tree: Tree, leaves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which nodes are leaves or lie below one; of one pruning, or nodes x prunings."""
    leaves = leaves.copy()
    for first, last in tree.levels_below_root:
        leaves[first:last] |= leaves[tree.parent[first:last]]
    return leaves


def _cost_now(
    tree: Tree,
    leaves: NDArray[np.bool_],
    as_leaf: NDArray[np.float64],
    stays: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return what each node and all below it cost with these leaves, and how many splits it has."""
    cost = np.where(leaves, as_leaf, stays)
    n_splits = np.where(leaves, 0, 1)
    for first, last in reversed(tree.levels_below_root):
        above = tree.parent[first:last]
        is_seen = ~leaves[above]
        np.add.at(cost, above[is_seen], cost[first:last][is_seen])
        np.add.at(n_splits, above[is_seen], n_splits[first:last][is_seen])
    return cost, n_splits


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
