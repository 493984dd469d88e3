"""How a split is found: the one thing in which tree families differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.data.table import Data
from miter.level import Level, Node
from miter.splits import PackedSplits, Split
from miter.tree import Tree

__all__ = ["FoundSplits", "LevelFinder", "Splitter", "route"]


@dataclass(frozen=True, eq=False)
class FoundSplits:
    """The splits of a level.

    Parameters
    ----------
    splits : PackedSplits
        One for each open node; a leaf where none was found.
    missing_of_class : ndarray of shape (n_nodes, n_classes), optional
        While growing, the branch of a row with a missing value, by its class.
    notes : tuple of str, optional
        What there is to say about the choice at each node.
    """

    splits: PackedSplits
    missing_of_class: NDArray[np.int32] | None = None
    notes: tuple[str, ...] | None = None


LevelFinder = Callable[[Level], FoundSplits]


def route(level: Level, found: FoundSplits) -> core.Routing:
    """Return where the rows of a level go, and what that makes of every branch."""
    packed = *found.splits.arrays, found.splits.n_branches
    splits = core.Splits(*packed, level.data.schema.n_values)
    return core.route_level(level.table, level.native, splits, found.missing_of_class)


class Splitter:
    """Finds a split for the rows of a node. To subclass it is to make a tree family.

    Write `find_split`. A splitter holds settings only; what must be prepared once for all nodes is
    made in `begin`, which native splitters override to search all nodes of a level at once.

    Examples
    --------
    >>> from miter.splits import Threshold
    >>> class Halver(Splitter):
    ...     def find_split(self, node):
    ...         return Threshold(0, (float(node.X[:, 0].mean()),))
    """

    #: Whether classes are all there is to learn: a node is then closed as soon as its answer makes
    #: no error. Else it stays open until the splitter finds nothing.
    learns_from_classes: ClassVar[bool] = True

    @property
    def finishes(self) -> bool:
        """Whether `finish` does something."""
        return False

    @property
    def asks_of_all_rows(self) -> bool:
        """Whether `begin` wants what a `Summary` holds, where it does not get all rows."""
        return False

    def find_split(self, node: Node) -> Split | None:
        """Return a split for the node's rows, or None to make it a leaf."""
        raise NotImplementedError(f"{type(self).__name__} must define find_split")

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that finds the splits of a level of a tree for these data.

        Parameters
        ----------
        data : Data
            All training rows; or, of a table that is nowhere whole, those of a node or a sample of
            them, and `Data.whole` tells of all.
        min_leaf : float
            Weight that two branches at least must hold; the grow loop refuses other splits.
        n_threads : int
            Threads to use.
        """
        return lambda level: FoundSplits(
            PackedSplits.of([self.find_split(node) for node in level.nodes()])
        )

    def finish(self, tree: Tree, data: Data, n_threads: int) -> Tree:
        """Return a tree that is grown, with what is left to do for all its nodes together.

        Parameters
        ----------
        tree : Tree
            As it was grown.
        data : Data
            The rows that it was grown on.
        n_threads : int
            Threads to use.
        """
        return tree
