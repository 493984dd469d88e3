"""The tree: flat arrays, for any number of branches.

Nodes are numbered level by level, so the children of a node are neighbours and every child has a
larger number than its parent. A tree is never changed: pruning returns another one.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.criteria import entropy
from miter.data.costs import ROUNDING, first_of_largest
from miter.data.schema import Schema
from miter.data.table import Data
from miter.splits import SPLIT_KINDS, PackedSplits
from miter.splits.terms import TermSplit
from miter.threads import resolve_threads

__all__ = ["RowsElsewhere", "Tree", "take_notes"]

#: Divides nothing by more than nothing.
TINY = 1e-300

TERM_SPLITS = [kind for kind in SPLIT_KINDS.values() if issubclass(kind, TermSplit)]


class RowsElsewhere(Protocol):
    """Rows that are not in memory, and can be counted all the same."""

    @property
    def n_rows(self) -> int:
        """How many there are, about."""

    def losses_at(self, tree: Tree) -> NDArray[np.float64]:
        """Return what each class costs as the answer to them at every node of a tree."""

    def take(self, most: int | None = None) -> Data:
        """Return the rows themselves, all or so many."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A finished tree.

    Parameters
    ----------
    schema : Schema
        The columns that splits test, the classes that leaves name.
    splits : PackedSplits
        One for each node; a leaf has none.
    counts : ndarray of shape (n_nodes, n_classes)
        Weight of the training rows of each class that came to each node.
    smoothing : float
        So many rows with the parent's probabilities are added to those of a node when it answers.
    losses : ndarray of shape (n_nodes, n_classes), optional
        What each class costs as the answer to the training rows of each node; None: every mistake
        costs 1.
    notes : tuple of str, optional
        What the splitter has to say about its choice at each node; nothing for a leaf.
    importances : ndarray of shape (n_columns,), optional
        Each column's part of the information gained by all splits; see `with_importances`.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(play_tennis(), UnivariateSplitter(criterion="gain"))
    >>> tree.splits[0].say(tree.schema, 0)
    'Outlook = Sunny'
    """

    schema: Schema
    splits: PackedSplits
    counts: NDArray[np.float64]
    smoothing: float = 0.0
    losses: NDArray[np.float64] | None = None
    notes: tuple[str, ...] | None = None
    importances: NDArray[np.float64] | None = None

    @property
    def n_nodes(self) -> int:
        """Decision nodes and leaves."""
        return len(self.splits)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return self.splits.n_branches == 0

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return int(self.is_leaf.sum())

    @cached_property
    def terms(self) -> NDArray[np.int64]:
        """How many terms a person reads at each node; 0 for leaves."""
        terms = np.where(self.is_leaf, 0, 1)
        for node in np.flatnonzero(np.isin(self.splits.kind, [kind.code for kind in TERM_SPLITS])):
            split = self.splits[int(node)]
            assert split is not None  # only leaves have none
            terms[node] = split.n_terms
        return terms

    @property
    def path_terms(self) -> float:
        """How many terms a person reads on the way of a training row, in the mean."""
        weight = self.counts.sum(axis=1)
        return float(self.terms @ weight / max(float(weight[0]), TINY))

    @cached_property
    def first_child(self) -> NDArray[np.int32]:
        """The first child of each node; its others follow. -1 for leaves."""
        n = self.splits.n_branches
        first = 1 + np.concatenate([[0], np.cumsum(n[:-1])])
        return np.where(n > 0, first, -1).astype(np.int32)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """The parent of each node; -1 for the root."""
        parents = np.repeat(np.arange(self.n_nodes, dtype=np.int32), self.splits.n_branches)
        return np.concatenate([np.array([-1], np.int32), parents])

    @cached_property
    def level_starts(self) -> list[int]:
        """Number of the first node of each level, and at the end the number of nodes."""
        starts = [0, 1]
        while starts[-1] < self.n_nodes:
            starts.append(starts[-1] + int(self.splits.n_branches[starts[-2] : starts[-1]].sum()))
        return starts

    @property
    def levels_below_root(self) -> list[tuple[int, int]]:
        """First node of each level below the root, and the node after its last."""
        return list(zip(self.level_starts[1:-1], self.level_starts[2:], strict=True))

    @property
    def depth(self) -> int:
        """Number of splits on the longest path."""
        return len(self.level_starts) - 2

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """The part of its parent's weight that each node got; 1 for the root."""
        weight = self.counts.sum(axis=1)
        share = np.ones(self.n_nodes)
        siblings = np.bincount(self.parent[1:], weight[1:], minlength=self.n_nodes)
        total = siblings[self.parent[1:]]
        share[1:] = np.divide(weight[1:], total, out=np.zeros(self.n_nodes - 1), where=total > 0)
        return share

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Share of each class at each node, smoothed; a node without rows has its parent's."""
        return self._mean_of(self.counts)

    def _mean_of(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide sums over the rows of each node by their weight, smoothed."""
        total = self.counts.sum(axis=1, keepdims=True)
        result = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
        for first, last in self.levels_below_root if self.smoothing > 0 else []:
            own = slice(first, last)
            added = self.smoothing * result[self.parent[own]]
            result[own] = (sums[own] + added) / (total[own] + self.smoothing)
        empty = np.flatnonzero(total[:, 0] <= 0)
        result[empty] = result[self.parent[empty]]
        return result

    @cached_property
    def merit(self) -> NDArray[np.float64]:
        """How good each class is as the answer of each node: its probability, or what it saves."""
        return self.probabilities if self.losses is None else -self._mean_of(self.losses)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The most probable, or the cheapest, class of each node; in a tie rather its parent's."""
        best = self.merit.argmax(axis=1).astype(np.int32)
        highest = self.merit.max(axis=1)
        slack = ROUNDING * max(1.0, float(np.abs(self.merit).max()))
        for first, last in self.levels_below_root:
            nodes = np.arange(first, last)
            inherited = best[self.parent[first:last]]
            tied = self.merit[nodes, inherited] >= highest[first:last] - slack
            best[first:last] = np.where(tied, inherited, best[first:last])
        return best

    def answering_for(self, costs: NDArray[np.float64]) -> Tree:
        """Return the tree with labels for other costs: predicted classes x true ones."""
        return replace(self, losses=self.counts @ costs.T)

    @cached_property
    def native_splits(self) -> core.Splits:
        """The splits as the native core reads them."""
        return core.Splits(*self.splits.arrays, self.splits.n_branches, self.schema.n_values)

    @cached_property
    def router(self) -> core.Router:
        """What sends rows down the tree."""
        return core.Router(self.native_splits, self.share)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """The columns that any split tests, ascending."""
        no_rows, start = np.empty(0, np.int32), np.zeros(self.n_nodes + 1, np.int64)
        nothing = np.empty((0, self.schema.n_columns))
        _, tested, _ = self.native_splits.influences(nothing, no_rows, start, 1)
        return np.unique(tested).astype(np.int64)

    def __getstate__(self) -> dict[str, Any]:
        # Everything else is made again when it is needed; the router is native and cannot travel.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def apply(self, X: NDArray[Any], n_threads: int | None = None) -> NDArray[np.int32]:
        """Return the node where each row ends.

        That is a leaf, or a node that tests a symbol whose value no training row had there. A row
        that a missing value shares out over several branches follows the largest part.
        """
        return self.router.end_nodes(X, True, resolve_threads(n_threads))

    def predict_proba(self, X: NDArray[Any], n_threads: int | None = None) -> NDArray[np.float64]:
        """Return the class probabilities of every row; shared-out rows blend their parts."""
        return self.router.blend(X, self.probabilities, resolve_threads(n_threads))

    def predict(self, X: NDArray[Any], n_threads: int | None = None) -> NDArray[np.int32]:
        """Return the class code of every row."""
        node = self.router.end_nodes(X, False, resolve_threads(n_threads))
        result = self.labels[node]
        shared = np.flatnonzero(node < 0)
        if len(shared):
            merit = self.router.blend(X[shared], self.merit, resolve_threads(n_threads))
            result[shared] = first_of_largest(merit)
        return result

    def paths(self, X: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the nodes that each row visits: row i's are ``nodes[start[i]:start[i + 1]]``."""
        return self.router.paths(X)

    def rows_of_nodes(self, X: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the rows that visit each node: node i's are ``rows[start[i]:start[i + 1]]``."""
        path_start, nodes = self.paths(X)
        row = np.repeat(np.arange(len(X), dtype=np.int32), np.diff(path_start))
        start = np.concatenate([[0], np.cumsum(np.bincount(nodes, minlength=self.n_nodes))])
        return row[np.argsort(nodes, kind="stable")], start

    def count(self, data: Data) -> NDArray[np.float64]:
        """Return the class weights of other rows at every node."""
        return self._sums(data, None)

    def losses_of(self, data: Data | RowsElsewhere) -> NDArray[np.float64]:
        """Return what each class costs as the answer to other rows at every node."""
        if not isinstance(data, Data):
            return data.losses_at(self)
        if data.costs is None:
            counts = self.count(data)
            losses: NDArray[np.float64] = counts.sum(axis=1, keepdims=True) - counts
            return losses
        return self._sums(data, data.costs)

    def _sums(self, data: Data, costs: NDArray[np.float64] | None) -> NDArray[np.float64]:
        schema = self.schema
        table = core.Table(data.X, data.labels, costs, schema.n_classes, schema.n_values)
        return self.router.count(table, data.weight)

    @property
    def training_losses(self) -> NDArray[np.float64]:
        """What each class costs as the answer to the training rows of each node."""
        if self.losses is not None:
            return self.losses
        losses: NDArray[np.float64] = self.counts.sum(axis=1, keepdims=True) - self.counts
        return losses

    @property
    def mean_cost(self) -> float:
        """What a mistake about a training row costs in the mean: 1 where all cost the same."""
        if self.losses is None:
            return 1.0
        n_wrong = max(self.schema.n_classes - 1, 1) * float(self.counts[0].sum())
        return float(self.losses[0].sum()) / n_wrong or 1.0

    def sum_over_leaves(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each node the sum of a value over the leaves below it (or itself)."""
        total = np.where(self.is_leaf, values, 0.0)
        for first, last in reversed(self.levels_below_root):
            np.add.at(total, self.parent[first:last], total[first:last])
        return total

    def cut(
        self, becomes_leaf: NDArray[np.bool_], raised: NDArray[np.integer[Any]] | None = None
    ) -> Tree:
        """Return the tree in which some nodes are leaves, and branches stand in others' place.

        Parameters
        ----------
        becomes_leaf : ndarray of bool
            Nodes that become leaves: everything below them is gone.
        raised : ndarray of int, optional
            For each node the child whose subtree takes its place, or -1. The rows of the other
            branches then go through that subtree too: `recounted` counts them.
        """
        becomes_leaf = becomes_leaf | self.is_leaf
        source = np.arange(self.n_nodes)
        if raised is not None:
            for node in np.flatnonzero(raised >= 0)[::-1]:  # children before their parents
                source[node] = source[raised[node]]
        levels, level = [], source[:1]
        while len(level):
            levels.append(level)
            inner = level[~becomes_leaf[level]]
            n_branches = self.splits.n_branches[inner]
            first = np.repeat(self.first_child[inner], n_branches)
            before = np.repeat(np.cumsum(n_branches) - n_branches, n_branches)
            level = source[first + np.arange(len(first)) - before]
        keep = np.concatenate(levels)
        losses = None if self.losses is None else self.losses[keep]
        notes = take_notes(self.notes, np.where(becomes_leaf, -1, np.arange(self.n_nodes))[keep])
        splits = self.splits.take(keep, becomes_leaf[keep])
        return replace(
            self,
            splits=splits,
            counts=self.counts[keep],
            losses=losses,
            notes=notes,
            importances=None,
        )

    def with_rows(self, data: Data) -> Tree:
        """Return the tree with other rows counted too."""
        losses = None if self.losses is None else self.losses + self.losses_of(data)
        return replace(self, counts=self.counts + self.count(data), losses=losses, importances=None)

    def recounted(self, data: Data) -> Tree:
        """Return the tree with the counts and losses of other rows, such as after a branch rose."""
        losses = None if self.losses is None else self.losses_of(data)
        return replace(self, counts=self.count(data), losses=losses, importances=None)

    def with_importances(self, X: NDArray[Any] | None = None, n_threads: int | None = None) -> Tree:
        """Return the tree that knows each column's part of the information gained by all splits.

        What it takes to name a split is taken from its gain, so that splits of few rows at random
        columns are worth nothing. The gain of a split that tests several columns is divided among
        them by the variance of what each adds to the decisions about the rows of its node: of a
        machine, to the margin between the two largest discriminants. A node without rows credits
        its columns equally.

        Parameters
        ----------
        X : ndarray, optional
            Training rows, or a sample of them; None: there are none.
        n_threads : int, optional
            None: all cores.
        """
        if X is None or not self.sums_terms:
            X = np.empty((0, self.schema.n_columns))
        first, column, influence = self.native_splits.influences(
            X, *self.rows_of_nodes(X), resolve_threads(n_threads)
        )
        node = np.repeat(np.arange(self.n_nodes), np.diff(first))
        influence = np.nan_to_num(influence, posinf=0.0)
        influence[np.bincount(node, influence, minlength=self.n_nodes)[node] <= 0] = 1.0
        share = influence / np.bincount(node, influence, minlength=self.n_nodes)[node]
        gained = np.bincount(column, share * self._gains[node], minlength=self.schema.n_columns)
        return replace(self, importances=gained / max(float(gained.sum()), TINY))

    @property
    def sums_terms(self) -> bool:
        """Whether any split tests more than one column, so that rows divide what it gains."""
        return bool(np.isin(self.splits.kind, [kind.code for kind in TERM_SPLITS]).any())

    @property
    def _gains(self) -> NDArray[np.float64]:
        """The information that each split gains, in bits, less what it takes to name a split.

        The best of many splits gains something where there is nothing to gain: about the bits that
        tell a column and a row to cut at. Where nothing else was gained, all of it counts.
        """
        weight = self.counts.sum(axis=1)
        bits = weight * entropy(self.counts)
        gained = np.where(self.is_leaf, 0.0, bits)
        np.subtract.at(gained, self.parent[1:], bits[1:])
        n_cuts = np.maximum(self.splits.n_branches - 1, 0)
        named = n_cuts * np.log2(np.maximum(weight, 1.0) * self.schema.n_columns)
        rest = np.maximum(gained - named, 0.0)
        return rest if rest.any() else np.maximum(gained, 0.0)


def take_notes(
    notes: tuple[str, ...] | None, nodes: NDArray[np.integer[Any]]
) -> tuple[str, ...] | None:
    """Return the notes of some nodes; -1 stands for one of which there is nothing to say."""
    if notes is None:
        return None
    return tuple(notes[node] if node >= 0 else "" for node in nodes)
