"""Pruning: a step of growing that owns 'grow, then take away'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.growth import Drawn, Growth
from miter.growing.growth_in_parts import GrowthInParts
from miter.tree import RowsElsewhere, Tree

__all__ = ["NoPruning", "Pruning", "best_below", "cost_as_leaf", "cost_that_stays"]


class Pruning:
    """Grows a tree and takes splits out of it again. Subclass it and write `prune`.

    A pruning that needs more than one tree, such as cross-validation, overrides `grow`.

    Examples
    --------
    >>> from miter import Pruning, id3
    >>> from miter.data import play_tennis
    >>> class Stump(Pruning):
    ...     def prune(self, tree, validation):
    ...         return tree.cut(tree.parent == 0)
    >>> id3(pruning=Stump()).fit(play_tennis()).get_depth()
    1
    """

    #: Whether it chooses among several ways to find splits; else the first is used.
    chooses: ClassVar[bool] = False

    @property
    def kept_back(self) -> float:
        """The share of the rows that `hold_out` keeps back; of rows in parts these go by a hash."""
        return 0.0

    def grow(self, growth: Growth) -> Tree:
        """Return the tree, grown and pruned."""
        validation: Data | RowsElsewhere | None = growth.validation
        if validation is None and isinstance(growth, GrowthInParts):
            if self.kept_back:
                growth, validation = growth.keep_back(self.kept_back)
        elif validation is None:
            data, validation = self.hold_out(growth.data, np.random.default_rng(growth.seed))
            growth = replace(growth, data=data)
        return self.prune(growth.grow(), validation)

    def grow_many(self, growth: Growth, samples: Sequence[Drawn]) -> list[Tree]:
        """Return a tree for each sample of the rows, pruned with the rows that it has not seen."""
        return growth.grow_samples(samples, prune=self.prune, with_unseen=True)

    def hold_out(self, data: Data, random: np.random.Generator) -> tuple[Data, Data | None]:
        """Return the rows to grow on, and those kept back for pruning; None if it needs none."""
        return data, None

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None) -> Tree:
        """Return the pruned tree: `Tree.cut` makes leaves, and puts branches in their nodes' place.

        Parameters
        ----------
        tree : Tree
            As it was grown.
        validation : Data or None
            Rows that the tree was not grown on: the user's, or those that were held out.
        """
        raise NotImplementedError(f"{type(self).__name__} must define prune")


@dataclass(frozen=True)
class NoPruning(Pruning):
    """Leaves trees as they were grown."""

    def grow(self, growth: Growth) -> Tree:
        """Return the tree."""
        return growth.grow()

    def grow_many(self, growth: Growth, samples: Sequence[Drawn]) -> list[Tree]:
        """Return a tree for each sample of the rows."""
        return growth.grow_samples(samples)


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
