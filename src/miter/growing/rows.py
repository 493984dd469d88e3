"""Where the rows of a level are, and the few questions that growing asks of them.

What a split is found from, how many rows of each class go to each branch, and the rows that move
there: whoever answers this can grow a tree. Here is the answer for rows in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.level import Level
from miter.splitters.splitter import FoundSplits, LevelFinder, route

__all__ = ["Branches", "Rows", "RowsInMemory", "losses_of"]


class Branches(Protocol):
    """Where the rows of a level go; branches of all nodes are numbered through."""

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of the classes in each branch: branches x classes."""

    @property
    def losses(self) -> NDArray[np.float64]:
        """What each class costs as the answer to the rows of each branch."""

    def move(
        self, is_open: NDArray[np.bool_], number: NDArray[np.int64]
    ) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the next level, and the branches that are its nodes.

        Parameters
        ----------
        is_open : ndarray of bool
            Branches that may be divided. Some of them may be finished elsewhere: these are not
            nodes of the next level.
        number : ndarray of int
            The number that each branch has in the tree, if it is there.
        """


class Rows(Protocol):
    """The rows of the open nodes of a level, wherever they are."""

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of the classes at each node: nodes x classes."""

    @property
    def losses(self) -> NDArray[np.float64]:
        """What each class costs as the answer to the rows of each node."""

    def __len__(self) -> int: ...

    def only(self, keep: NDArray[np.bool_]) -> Rows:
        """Return the rows without those of some nodes."""

    def find(self) -> FoundSplits:
        """Return a split for every node, found from its rows or a sample of them."""

    def route(self, found: FoundSplits) -> Branches:
        """Return where these splits send the rows."""


def losses_of(
    counts: NDArray[np.float64], losses: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return what each class costs as the answer; where every mistake costs 1, that is counted."""
    if losses is not None:
        return losses
    counted: NDArray[np.float64] = counts.sum(axis=1, keepdims=True) - counts
    return counted


@dataclass(frozen=True, eq=False)
class RowsInMemory:
    """Rows of a table in memory: all of them are looked at.

    Parameters
    ----------
    nodes : Level
        The open nodes.
    finder : callable
        Finds the splits of a level.
    max_features : int, optional
        How many columns, drawn anew for every node, a split may test.
    """

    nodes: Level
    finder: LevelFinder
    max_features: int | None = None

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of the classes at each node."""
        return self.nodes.counts

    @property
    def losses(self) -> NDArray[np.float64]:
        """What each class costs as the answer to the rows of each node."""
        return self.nodes.losses

    def __len__(self) -> int:
        return len(self.nodes)

    def only(self, keep: NDArray[np.bool_]) -> RowsInMemory:
        """Return the rows without those of some nodes."""
        return RowsInMemory(self.nodes.only(keep), self.finder, self.max_features)

    def find(self) -> FoundSplits:
        """Return a split for every node."""
        return self.finder(self.level)

    def route(self, found: FoundSplits) -> BranchesInMemory:
        """Return where these splits send the rows."""
        return BranchesInMemory(self, route(self.level, found))

    @cached_property
    def level(self) -> Level:
        """The open nodes, with the columns that they may test."""
        return self.nodes.allow(self.max_features)


@dataclass(frozen=True, eq=False)
class BranchesInMemory:
    """Where the rows of a table in memory go."""

    rows: RowsInMemory
    routing: core.Routing

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """Weight of the classes in each branch."""
        return self.routing.counts

    @cached_property
    def losses(self) -> NDArray[np.float64]:
        """What each class costs as the answer to the rows of each branch."""
        return losses_of(self.counts, self.routing.losses)

    def move(
        self, is_open: NDArray[np.bool_], number: NDArray[np.int64]
    ) -> tuple[RowsInMemory, NDArray[np.bool_]]:
        """Return the next level; all branches that are open are its nodes."""
        level = self.rows.level
        moved = core.move_rows(self.routing, level.native, is_open.astype(np.uint8))
        below = level.below(moved, self.counts[is_open], self.losses[is_open])
        return RowsInMemory(below, self.rows.finder, self.rows.max_features), is_open
