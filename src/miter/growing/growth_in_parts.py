"""Growing on a table in parts, for prunings: as `Growth`, with rows that are nowhere together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.data.table import Data
from miter.growing.graft import graft
from miter.growing.growth import Drawn, Growth, Judges, PruneWithRows
from miter.growing.loop import grow_forest, grow_rows, of_labelled
from miter.growing.part import Part, Piece, join_pieces, rows_at
from miter.growing.parts import Parts
from miter.growing.rows_in_parts import How, RowsInParts
from miter.growing.sampling import HashedRows, HashedSample, salt_of
from miter.growing.stopping import Stopping
from miter.level import Sample
from miter.splits import PackedSplits
from miter.splitters.splitter import Splitter
from miter.threads import resolve_threads
from miter.tree import Tree

__all__ = ["GrowthInParts", "RowsLeftOut", "judges_in_parts"]

#: What hashes are for: samples of nodes, rows in one place, rows held out, rows of a forest's tree.
OF_NODES, IN_ONE_PLACE, HELD_OUT, OF_TREES = range(4)


@dataclass(frozen=True, eq=False, kw_only=True)
class GrowthInParts(Growth):
    """Rows in parts, ways to find splits, and how to run.

    Parameters
    ----------
    parts : Parts
        Training rows; `data` is like them, and has none.
    labelled : Schema, optional
        Where some rows have no label: the schema without the class that stands for them.
    """

    parts: Parts
    labelled: Schema | None = None

    def grow(
        self,
        splitter: Splitter | None = None,
        stopping: Stopping | None = None,
        prune: PruneWithRows | None = None,
    ) -> Tree:
        """Grow a tree on all rows that are not held out, in the first way unless another is given.

        Parameters
        ----------
        splitter, stopping : optional
            In place of the growth's own.
        prune : callable, optional
            Takes splits out again: first of what is finished in one place, with its rows, then of
            the whole tree without them.
        """
        splitter = splitter or self.ways[0]
        parts = self.parts.with_summary() if splitter.asks_of_all_rows else self.parts
        top = self._root()
        how = self._how(parts.like, splitter, stopping or self.stopping, top, prune)
        rows = RowsInParts.root(parts, how, top)
        weight = float(top.counts.sum())
        settled = _Settled(self, weight)
        grown = grow_rows(rows, top.schema, how.stopping, weight, settled.tell(rows))
        below: dict[int, Tree] = {}
        for done, trees in rows.finishing.trees():
            below |= trees
            settled.count(done)
        tree = graft(grown, below)
        tree = replace(tree, losses=tree.losses if self.data.costs is not None else None)
        tree = replace(tree, smoothing=self.smoothing)
        tree = tree if prune is None else prune(tree, None)
        if splitter.finishes:
            tree = self.counted([self._gather(_finish_tree, tree, splitter)])[0]
        return tree if self.labelled is None else of_labelled(tree, self.labelled)

    def _root(self) -> Tree:
        """Return a leaf with the counts of all rows that are grown on."""
        schema = self.data.schema
        leaf = Tree(schema, PackedSplits.of([None]), np.zeros((1, schema.n_classes)))
        return self.counted([leaf])[0]

    def _how(
        self,
        like: Data,
        splitter: Splitter,
        stopping: Stopping,
        top: Tree,
        prune: PruneWithRows | None,
    ) -> How:
        stopping = stopping.in_rows(float(top.counts.sum()))
        if not splitter.learns_from_classes:
            stopping = replace(stopping, divide_pure=True)
        sample_rows = self.parts.sampling.sample_rows
        assert sample_rows is not None
        salt = salt_of(self.seed, OF_NODES)
        return How(like, splitter, stopping, sample_rows, salt, self.seed, prune)

    # ---- what prunings ask -----------------------------------------------------------------

    def in_one_place(self, function: Callable[[Growth], Any], n_rows: int | None = None) -> Any:
        """Return what a function makes of the same growth with some of the rows.

        Parameters
        ----------
        function : callable
            Of a `Growth` whose rows are in memory.
        n_rows : int, optional
            So many of the rows that are not held out, and no more than may be finished in one
            place; None: that many.
        """
        asks = any(way.asks_of_all_rows for way in self.ways)
        growth = replace(self, parts=self.parts.with_summary()) if asks else self
        names = {field.name for field in fields(Growth)} - {"data", "progress", "n_threads"}
        settings = {name: getattr(self, name) for name in names}
        return growth._gather(_grow_there, settings, function, n_rows=n_rows)

    def _gather(
        self, function: Callable[..., Any], *arguments: Any, n_rows: int | None = None
    ) -> Any:
        most = self.parts.sampling.finish_rows
        assert most is not None
        salt = salt_of(self.seed, IN_ONE_PLACE)
        return self.parts.gather(min(n_rows or most, most), salt, function, *arguments)

    def counted(self, trees: Sequence[Tree]) -> list[Tree]:
        """Return trees with the counts and losses of all rows that are not held out."""
        sums = self.parts.counts_at(trees, self.parts.left_out, among=False)
        return [
            replace(tree, counts=counts, losses=losses)
            for tree, (counts, losses) in zip(trees, sums, strict=True)
        ]

    def keep_back(self, share: float) -> tuple[GrowthInParts, RowsLeftOut]:
        """Return the growth without a share of the rows, and these."""
        rows = HashedRows.share(share, salt_of(self.seed, HELD_OUT))
        parts = replace(self.parts, left_out=rows)
        return replace(self, parts=parts), RowsLeftOut(parts, rows)

    # ---- many trees ------------------------------------------------------------------------

    def grow_samples(
        self,
        samples: Sequence[Drawn],
        splitter: Splitter | None = None,
        stopping: Stopping | None = None,
        *,
        prune: PruneWithRows | None = None,
        with_unseen: bool = False,
    ) -> list[Tree]:
        """Grow a tree for each sample of the rows, each of them in one place."""
        ways = self.ways if splitter is None else [splitter]
        asks = any(way.asks_of_all_rows for way in ways)
        parts = self.parts.with_summary() if asks else self.parts
        settings = {
            "stopping": stopping or self.stopping,
            "max_features": self.max_features,
            "smoothing": self.smoothing,
        }
        workers, handles = parts.workers, []
        n_threads = None if len(samples) == 1 else 1
        for turn, sample in enumerate(samples):
            assert isinstance(sample, HashedSample)
            own = [parts.each(_drawn, sample, True, 0, 1.0)]
            if prune is not None and with_unseen:
                share = min((parts.sampling.finish_rows or 0) / parts.n_rows, 1.0)
                own.append(parts.each(_drawn, sample, False, salt_of(self.seed, HELD_OUT), share))
            seed = salt_of(self.seed, OF_TREES, turn) % 2**31
            way = ways[turn % len(ways)]
            how = parts.like, sample, way, settings | {"seed": seed, "n_threads": n_threads}
            handles.append(workers.run(_grow_drawn, *how, prune, *own, about=f"tree {turn}"))
        trees: dict[int, Tree] = {}
        for turn, tree in workers.as_they_come(handles):
            trees[turn] = tree
            if self.progress is not None:
                self.progress(tree.depth, 0, len(trees) / len(samples), workers.n_workers)
        return [trees[turn] for turn in range(len(samples))]

    def judges(self, samples: Sequence[Drawn], most: int) -> Judges:
        """Return some rows that judge trees, and for each tree those that it has not seen."""
        return judges_in_parts(self.parts, samples, most)


@dataclass(frozen=True, eq=False)
class RowsLeftOut:
    """Rows of parts that a tree was not grown on.

    Parameters
    ----------
    parts : Parts
        All rows.
    rows : HashedRows
        Which of them.
    """

    parts: Parts
    rows: HashedRows

    @property
    def n_rows(self) -> int:
        """How many there are, about."""
        return round(self.rows.bound / 2.0**64 * self.parts.n_rows)

    def losses_at(self, tree: Tree) -> NDArray[np.float64]:
        """Return what each class costs as the answer to them at every node of a tree."""
        [(counts, losses)] = self.parts.counts_at([tree], self.rows)
        if losses is not None:
            return losses
        counted: NDArray[np.float64] = counts.sum(axis=1, keepdims=True) - counts
        return counted

    def take(self, most: int | None = None) -> Data:
        """Return the rows themselves, all or so many."""
        data: Data = self.parts.gather(most, self.rows.salt, _same_rows, among=self.rows)
        return data


class _Settled:
    """Tells how many rows have come to a leaf, those included that are finished in one place."""

    def __init__(self, growth: GrowthInParts, weight: float) -> None:
        self.growth, self.weight = growth, weight
        self.depth, self.done = 0, 0.0

    def tell(self, rows: RowsInParts) -> Callable[[int, int, float], None] | None:
        """Return what the loop calls after each level."""
        if self.growth.progress is None:
            return None

        def told(depth: int, n_open: int, settled: float) -> None:
            self.depth, self.done = depth, settled - rows.finishing.weight / self.weight
            self._say(n_open)

        return told

    def count(self, weight: float) -> None:
        """Take note that rows of such a weight were finished."""
        self.done += weight / self.weight
        self._say(0)

    def _say(self, n_open: int) -> None:
        if self.growth.progress is not None:
            n_workers = self.growth.parts.workers.n_workers
            self.growth.progress(self.depth, n_open, min(self.done, 1.0), n_workers)


def _grow_there(data: Data, settings: dict[str, Any], function: Callable[[Growth], Any]) -> Any:
    return function(Growth(data, **settings))


def _finish_tree(data: Data, tree: Tree, splitter: Splitter) -> Tree:
    return splitter.finish(tree, data, resolve_threads())


def judges_in_parts(parts: Parts, samples: Sequence[Drawn], most: int) -> Judges:
    """Return some rows that judge trees, and for each tree those that it has not seen."""
    numbers = parts.spaced(most)
    drawn = [sample for sample in samples if isinstance(sample, HashedSample)]
    unseen = [np.flatnonzero(sample.times(numbers) == 0) for sample in drawn]
    n_rows = round(drawn[0].mean * parts.facts.n_rows)
    row_weight = float(parts.facts.weight / parts.facts.n_rows)
    return Judges(parts.take(numbers), unseen, n_rows, row_weight)


def _same_rows(data: Data) -> Data:
    return data


def _drawn(part: Part, sample: HashedSample, is_drawn: bool, salt: int, share: float) -> Piece:
    """Return the rows of a part that a tree has, or a share of those that it has not."""
    rows = np.arange(part.data.n_rows, dtype=np.int32)
    numbers = part.numbers(rows)
    rows = rows[
        ((sample.times(numbers) > 0) == is_drawn) & HashedRows.share(share, salt).has(numbers)
    ]
    return rows_at(part, part.numbers(rows))


def _grow_drawn(
    like: Data,
    sample: HashedSample,
    way: Splitter,
    settings: dict[str, Any],
    prune: PruneWithRows | None,
    pieces: list[Piece],
    unseen: list[Piece] | None = None,
) -> Tree:
    """Grow one of many trees, all of whose rows are here."""
    data = join_pieces(like, pieces)
    numbers = np.concatenate([piece.numbers for piece in pieces])
    rows = np.repeat(np.arange(data.n_rows, dtype=np.int32), sample.times(numbers))
    own = Sample(rows)
    tree = grow_forest(data, way, [own], **settings)[0]
    if prune is None:
        return tree
    return prune(tree, own.of(data) if unseen is None else join_pieces(like, unseen))
