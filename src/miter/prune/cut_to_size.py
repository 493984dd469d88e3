"""A tree cut to a wanted size: of all its prunings that are small enough the best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_choice, check_whole
from miter.data.table import Data
from miter.prune.pruning import Pruning, cost_as_leaf, cost_that_stays
from miter.tree import RowsElsewhere, Tree

__all__ = ["CutToSize"]

SIZES = ("leaves", "terms")


@dataclass(frozen=True)
class CutToSize(Pruning):
    """Find the subtree with the fewest training errors among those that are small enough.

    Of equally good ones the smallest. Where mistakes differ in cost, with the least cost.

    Parameters
    ----------
    most : int
        Leaves, or terms, that the tree may have at most.
    of : {"leaves", "terms"}
        What is counted. Terms are what a person reads: a test of one column is one, a sum has as
        many as columns; see `miter.terms`.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import CutToSize
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(300, seed=1), UnivariateSplitter(criterion="gain"))
    >>> CutToSize(6).prune(tree).n_leaves
    6
    """

    most: int = 8
    of: str = "leaves"

    def __post_init__(self) -> None:
        check_choice("of", self.of, SIZES)
        check_whole("most", self.most, 1 if self.of == "leaves" else 0)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        losses = tree.training_losses
        as_leaf, stays = cost_as_leaf(tree, losses), cost_that_stays(tree, losses)
        own = tree.terms if self.of == "terms" else np.zeros(tree.n_nodes, int)
        of_leaf = int(self.of == "leaves")
        table = _Table(tree, self.most)
        for node in range(tree.n_nodes - 1, -1, -1):
            table.add(node, float(as_leaf[node]), of_leaf, float(stays[node]), int(own[node]))
        return tree.cut(table.leaves())


class _Table:
    """What the best pruning below each node costs at each size, and how it is made.

    At a node: `cost[s]` is the least of prunings of size s or less, `parts[k][s]` the size that the
    first k branches get of it.
    """

    def __init__(self, tree: Tree, most: int) -> None:
        self.tree, self.most = tree, most
        self.cost: list[NDArray[np.float64]] = [np.empty(0)] * tree.n_nodes
        self.parts: list[list[NDArray[np.intp]]] = [[] for _ in range(tree.n_nodes)]
        self.is_split: list[NDArray[np.bool_]] = [np.empty(0, bool)] * tree.n_nodes
        self.own = [0] * tree.n_nodes

    def add(self, node: int, as_leaf: float, of_leaf: int, stays: float, own: int) -> None:
        """Fill in a node whose branches are there: its cost and its size, as a leaf or a split."""
        n_branches = int(self.tree.splits.n_branches[node])
        # Nothing is smaller than a leaf.
        cost = np.full(of_leaf + 1, np.inf)
        cost[of_leaf] = as_leaf
        if n_branches == 0:
            self._put(node, cost, np.zeros(len(cost), bool))
            return
        first = int(self.tree.first_child[node])
        below = np.array([stays])
        for child in range(first, first + n_branches):
            below, part = _least_sums(below, self.cost[child], self.most - own)
            self.parts[node].append(part)
        if len(below) == 0:
            self._put(node, cost, np.zeros(len(cost), bool))
            return
        as_split = np.concatenate([np.full(own, np.inf), below])
        width = max(len(as_split), len(cost))
        cost = np.pad(cost, (0, width - len(cost)), constant_values=as_leaf)
        as_split = np.pad(as_split, (0, width - len(as_split)), mode="edge")
        self.own[node] = own
        # Rounding in sums of fractional rows must not decide; of equals the leaf is smaller.
        is_split = as_split < cost - 1e-9
        self._put(node, np.where(is_split, as_split, cost), is_split)

    def _put(self, node: int, cost: NDArray[np.float64], is_split: NDArray[np.bool_]) -> None:
        self.cost[node], self.is_split[node] = cost, is_split

    def leaves(self) -> NDArray[np.bool_]:
        """Return the nodes that are leaves, or below one, in the best pruning of all."""
        becomes_leaf = np.ones(self.tree.n_nodes, bool)
        best = self.cost[0]
        stack = [(0, int(np.argmax(best <= best.min() + 1e-9)))]
        while stack:
            node, size = stack.pop()
            size = min(size, len(self.is_split[node]) - 1)
            if not self.is_split[node][size]:
                continue
            becomes_leaf[node] = False
            left = size - self.own[node]
            first = int(self.tree.first_child[node])
            for k in range(len(self.parts[node]) - 1, -1, -1):
                table = self.parts[node][k]
                left = min(left, len(table) - 1)
                before = int(table[left])
                stack.append((first + k, left - before))
                left = before
        return becomes_leaf


def _least_sums(
    one: NDArray[np.float64], other: NDArray[np.float64], most: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the least sum of one and the other at each total size, and what the one has of it."""
    length = max(min(len(one) + len(other) - 1, most + 1), 0)
    cost, part = np.full(length, np.inf), np.zeros(length, np.intp)
    is_shorter = len(one) <= len(other)
    short, long = (one, other) if is_shorter else (other, one)
    for size, added in enumerate(short[:length]):
        own = added + long[: length - size]
        reach = slice(size, size + len(own))
        better = own < cost[reach] - 1e-9
        cost[reach] = np.where(better, own, cost[reach])
        of_one = size if is_shorter else np.arange(len(own))
        part[reach] = np.where(better, of_one, part[reach])
    return cost, part
