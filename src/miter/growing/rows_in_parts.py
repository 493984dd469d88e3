"""Growing where rows are in parts: splits go out to them, counts come back.

A large node gets its split from a sample of its rows, and its rows stay where they are. One of few
rows is brought to one place and finished there by the ordinary loop. What decides whether a split
stays, its counts and losses, is counted over all rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.growth import PruneWithRows
from miter.growing.loop import grow_forest
from miter.growing.part import (
    Piece,
    Place,
    RoutedPart,
    Sums,
    join_pieces,
    moved,
    piece_of,
    place_of,
    routed,
)
from miter.growing.parts import Parts, add_up
from miter.growing.rows import losses_of
from miter.growing.sampling import NodeSample, salt_of
from miter.growing.stopping import Stopping
from miter.growing.workers import Handle
from miter.level import Level, Sample
from miter.splits import PackedSplits
from miter.splitters.splitter import FoundSplits, Splitter
from miter.threads import resolve_threads
from miter.tree import Tree

__all__ = ["Finishing", "How", "RowsInParts"]


@dataclass(frozen=True, eq=False)
class How:
    """How a tree is grown on parts.

    Parameters
    ----------
    like : Data
        Without rows: what is known of all of them.
    splitter : Splitter
        Finds splits.
    stopping : Stopping
        When nodes become leaves; in rows, not in shares of them.
    sample_rows : int
        Of a large node so many rows are looked at.
    salt : int
        Of the hashes that choose them.
    seed : int
        For what is left to chance.
    prune : callable, optional
        Takes splits out of what was finished in one place.
    """

    like: Data
    splitter: Splitter
    stopping: Stopping
    sample_rows: int
    salt: int
    seed: int
    prune: PruneWithRows | None = None


@dataclass(eq=False)
class Finishing:
    """Nodes that are finished in one place each.

    Parameters
    ----------
    parts : Parts
        All rows.
    how : Handle
        Of a `How`.
    """

    parts: Parts
    how: Handle
    numbers: list[list[int]] = field(default_factory=list)  # of the nodes of each task
    weights: list[float] = field(default_factory=list)  # of the rows of each task
    handles: list[Handle] = field(default_factory=list)

    def add(
        self,
        places: list[Handle],
        numbers: NDArray[np.int64],
        sizes: NDArray[np.int64],
        weights: NDArray[np.float64],
        depth: int,
    ) -> None:
        """Bring the rows of nodes together, and let each be finished.

        Parameters
        ----------
        places : list of Handle
            Where the rows of these nodes are in each part.
        numbers : ndarray of int
            Of the nodes in the tree.
        sizes, weights : ndarray
            How many rows they have, and what these weigh.
        depth : int
            Of the nodes.
        """
        workers = self.parts.workers
        groups = _grouped(sizes, self.parts.sampling.finish_rows or 1)
        # Part by part, so that one that had to leave memory is fetched once.
        pieces = [
            [workers.run(piece_of, part, place, group, about=name) for group in groups]
            for part, place, name in zip(self.parts.handles, places, self.parts.names, strict=True)
        ]
        n_threads = None if len(groups) == 1 else 1
        for k, group in enumerate(groups):
            own = numbers[group].tolist()
            of_group = [of_part[k] for of_part in pieces]
            self.numbers.append(own)
            self.weights.append(float(weights[group].sum()))
            self.handles.append(
                workers.run(
                    _finish, self.how, of_group, own, depth, n_threads, about=_say_nodes(own)
                )
            )

    @property
    def weight(self) -> float:
        """What the rows of all nodes weigh that have been added."""
        return sum(self.weights)

    def trees(self) -> Iterator[tuple[float, dict[int, Tree]]]:
        """Yield trees by the numbers of their nodes as they are done, with the weight of rows."""
        for position, trees in self.parts.workers.as_they_come(self.handles):
            numbers = self.numbers[position]
            yield self.weights[position], dict(zip(numbers, trees, strict=True))


def _grouped(sizes: NDArray[np.int64], most: int) -> list[NDArray[np.int64]]:
    """Put neighbouring nodes together while they have so many rows at most."""
    groups: list[list[int]] = []
    total = most
    for node, size in enumerate(sizes.tolist()):
        if not groups or total + size > most:
            groups.append([])
            total = 0
        groups[-1].append(node)
        total += size
    return [np.array(group) for group in groups]


def _say_nodes(numbers: list[int]) -> str:
    return f"node {numbers[0]}" if len(numbers) == 1 else f"nodes {numbers[0]} to {numbers[-1]}"


def _finish(
    how: How, pieces: list[Piece], numbers: list[int], depth: int, n_threads: int | None
) -> list[Tree]:
    """Grow what is below nodes whose rows are all here."""
    stopping = how.stopping
    if stopping.max_depth is not None:
        stopping = replace(stopping, max_depth=stopping.max_depth - depth)
    trees = []
    for k, number in enumerate(numbers):
        data = join_pieces(how.like, pieces, k)
        tree = grow_forest(
            data,
            how.splitter,
            [Sample.whole(data)],
            stopping,
            seed=salt_of(how.seed, number) % 2**31,
            n_threads=n_threads,
            finish=False,
        )[0]
        trees.append(tree if how.prune is None else how.prune(tree, data))
    return trees


@dataclass(frozen=True, eq=False)
class RowsInParts:
    """The rows of large nodes, in parts of a table.

    Parameters
    ----------
    parts : Parts
        The rows.
    places : list of Handle
        Where the rows of each part are.
    how : Handle
        Of a `How`.
    salt : int
        Of the hashes that choose samples.
    looks_at_classes : bool
        Whether rare classes get more rows of a sample than are theirs by chance.
    finishing : Finishing
        Where nodes go that have few rows.
    counts, losses : ndarray of shape (n_nodes, n_classes)
        Of the open nodes.
    sizes : ndarray of shape (n_nodes,)
        How many rows they have.
    depth : int
        Of the nodes.
    n_before : int
        Nodes that were open on the levels above.
    """

    parts: Parts
    places: list[Handle]
    how: Handle
    salt: int
    looks_at_classes: bool
    finishing: Finishing
    counts: NDArray[np.float64]
    losses: NDArray[np.float64]
    sizes: NDArray[np.int64]
    depth: int = 0
    n_before: int = 0

    @classmethod
    def root(cls, parts: Parts, how: How, top: Tree) -> RowsInParts:
        """Return all rows that are grown on, in one node.

        Parameters
        ----------
        parts : Parts
            The rows.
        how : How
            How a tree is grown.
        top : Tree
            A leaf that knows their counts and losses.
        """
        workers = parts.workers
        places = parts.each(place_of, parts.left_out, False)
        sizes = workers.bring([workers.run(_size, place) for place in places])
        shared = workers.run(_same_how, how)
        return cls(
            parts,
            places,
            shared,
            how.salt,
            how.splitter.learns_from_classes,
            Finishing(parts, shared),
            top.counts,
            top.training_losses,
            np.array([sum(sizes)]),
        )

    def __len__(self) -> int:
        return len(self.counts)

    def only(self, keep: NDArray[np.bool_]) -> RowsInParts:
        """Return the rows, or none: there is one root."""
        assert len(self) == 1
        return self if keep.all() else replace(self, counts=self.counts[:0], losses=self.losses[:0])

    def find(self) -> FoundSplits:
        """Return a split for every node, each found from a sample of its rows."""
        workers = self.parts.workers
        n_groups = min(len(self), workers.n_workers)
        n_threads = None if n_groups == 1 else 1
        found = []
        for group in np.array_split(np.arange(len(self)), n_groups):
            nodes = [self._node(node) for node in group.tolist()]
            bounds = np.array([node.sample.bounds for node in nodes])
            pieces = self.parts.each_of(piece_of, self.places, group, self.salt, bounds)
            found.append(workers.run(_find, self.how, pieces, nodes, n_threads))
        return _joined(workers.bring(found))

    def _node(self, node: int) -> _Node:
        n_rows, most = int(self.sizes[node]), self.parts.sampling.sample_rows
        assert most is not None
        sample = NodeSample.of(most, n_rows, self.counts[node], rare=self.looks_at_classes)
        return _Node(self.n_before + node, n_rows, sample)

    def route(self, found: FoundSplits) -> BranchesInParts:
        """Return where these splits send the rows."""
        workers, scales = self.parts.workers, self.parts.scales
        shared = workers.run(_same_splits, found)
        of_parts = self.parts.each_of(routed, self.places, shared, scales)
        sums = add_up(workers, [workers.run(_sums_of, one) for one in of_parts], _add_sums)
        return BranchesInParts(self, found.splits.n_branches, of_parts, sums)


@dataclass(frozen=True, eq=False)
class BranchesInParts:
    """Where the rows of parts go.

    Parameters
    ----------
    rows : RowsInParts
        That are sent.
    n_branches : ndarray of shape (n_nodes,)
        Of the splits.
    of_parts : list of Handle
        The branch of each row, by part.
    sums : Sums
        Over all parts.
    """

    rows: RowsInParts
    n_branches: NDArray[np.int32]
    of_parts: list[Handle]
    sums: Sums

    @cached_property
    def node(self) -> NDArray[np.int64]:
        """The node of each branch."""
        return np.repeat(np.arange(len(self.n_branches)), self.n_branches)

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """The part of a row that is shared out which each branch gets: that of the known rows."""
        weight = self.sums.counts.sum(axis=1)
        known = np.zeros(len(self.n_branches), np.int64)
        np.add.at(known, self.node, weight)
        return np.divide(weight, known[self.node], out=np.zeros(len(weight)), where=weight > 0)

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """Weight of the classes in each branch."""
        scale = self.rows.parts.scales.weight
        return self._with_shared(self.sums.counts / scale, self.sums.shared / scale)

    @cached_property
    def losses(self) -> NDArray[np.float64]:
        """What each class costs as the answer to the rows of each branch."""
        if self.sums.losses is None or self.sums.shared_losses is None:
            return losses_of(self.counts, None)
        scale = self.rows.parts.scales.cost
        return self._with_shared(self.sums.losses / scale, self.sums.shared_losses / scale)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each branch gets, those included that are shared out."""
        shared = np.where(self.share > 0, self.sums.shared_sizes[self.node], 0)
        return self.sums.sizes + shared

    def _with_shared(
        self, own: NDArray[np.float64], shared: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        result: NDArray[np.float64] = own + self.share[:, None] * shared[self.node]
        return result

    def move(
        self, is_open: NDArray[np.bool_], number: NDArray[np.int64]
    ) -> tuple[RowsInParts, NDArray[np.bool_]]:
        """Return the next level, of branches with many rows; the others are finished elsewhere."""
        rows = self.rows
        is_large = is_open & (self.sizes > (rows.parts.sampling.finish_rows or 0))
        is_small = is_open & ~is_large
        depth = rows.depth + 1
        if is_small.any():
            weights = self.counts[is_small].sum(axis=1)
            of_small = number[is_small], self.sizes[is_small], weights
            rows.finishing.add(self._moved(is_small), *of_small, depth)
        below = replace(
            rows,
            places=self._moved(is_large) if is_large.any() else [],
            counts=self.counts[is_large],
            losses=self.losses[is_large],
            sizes=self.sizes[is_large],
            depth=depth,
            n_before=rows.n_before + len(rows),
        )
        return below, is_large

    def _moved(self, is_open: NDArray[np.bool_]) -> list[Handle]:
        parts = self.rows.parts
        how = self.n_branches, self.share, is_open
        return [
            parts.workers.run(moved, place, one, *how, about=name)
            for place, one, name in zip(self.rows.places, self.of_parts, parts.names, strict=True)
        ]


def _same_how(how: How) -> How:
    return how


def _same_splits(found: FoundSplits) -> FoundSplits:
    return found


def _size(place: Place) -> int:
    return len(place.rows)


def _sums_of(one: RoutedPart) -> Sums:
    return one.sums


def _add_sums(parts: list[Sums]) -> Sums:
    return reduce(add, parts)


@dataclass(frozen=True, eq=False)
class _Node:
    """A node that gets a split from a sample."""

    number: int  # among all that were open
    n_rows: int
    sample: NodeSample


def _find(how: How, pieces: list[Piece], nodes: list[_Node], n_threads: int | None) -> FoundSplits:
    """Find a split for each of some nodes, from the samples of all parts."""
    return _joined(
        [
            _find_one(how, join_pieces(how.like, pieces, k, node.sample, how.salt), node, n_threads)
            for k, node in enumerate(nodes)
        ]
    )


def _find_one(how: How, data: Data, node: _Node, n_threads: int | None) -> FoundSplits:
    threads = resolve_threads(n_threads)
    # So many rows must be in two branches that the sample stands for enough.
    min_leaf = how.stopping.min_samples_leaf * min(node.sample.most / node.n_rows, 1.0)
    level = Level.roots(data, [Sample.whole(data)], seed=how.seed, n_threads=threads)
    return how.splitter.begin(data, min_leaf, threads)(replace(level, n_before=node.number))


def _joined(found: list[FoundSplits]) -> FoundSplits:
    """Put the splits of several nodes one after the other."""
    splits = PackedSplits.join([one.splits for one in found])
    missing, notes = None, None
    if any(one.missing_of_class is not None for one in found):
        missing = np.concatenate([one.missing_of_class for one in found])
    if any(one.notes is not None for one in found):
        notes = tuple(note for one in found for note in one.notes or ("",) * len(one.splits))
    return FoundSplits(splits, missing, notes)
