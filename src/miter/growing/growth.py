"""All that it takes to grow, in one piece: a pruning grows with it as often as it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.loop import Progress, grow, grow_forest
from miter.growing.sampling import HashedSample
from miter.growing.stopping import Stopping
from miter.level import Sample
from miter.splitters.splitter import Splitter
from miter.tree import Tree

__all__ = ["Drawn", "Growth", "Judges", "PruneWithRows", "Simpler", "Variants"]

#: From a splitter to one that finds simpler splits; None: there is none.
Simpler = Callable[[Splitter], Splitter | None]
#: From a splitter to others that may do better.
Variants = Callable[[Splitter], Sequence[Splitter]]
#: Takes splits out of a tree again, with the rows that it was grown on; None: they are not at hand.
PruneWithRows = Callable[[Tree, Data | None], Tree]


#: The rows of one of many trees.
Drawn = Sample | HashedSample


@dataclass(frozen=True, eq=False)
class Judges:
    """Rows that judge trees.

    Parameters
    ----------
    data : Data
        The rows.
    unseen : list of ndarray
        For each tree the positions of rows that it was not grown on.
    n_rows : int
        How many rows a tree may have.
    row_weight : float
        What a row weighs in the mean.
    """

    data: Data
    unseen: list[NDArray[np.intp]]
    n_rows: int
    row_weight: float

    @classmethod
    def of(cls, data: Data, unseen: list[NDArray[np.intp]]) -> Judges:
        """Let all rows judge."""
        weight = data.weight_of()
        n_rows = int(np.count_nonzero(weight))
        return cls(data, unseen, n_rows, float(weight.sum() / max(n_rows, 1)))

    @classmethod
    def of_samples(cls, data: Data, samples: Sequence[Drawn]) -> Judges:
        """Let all rows judge the trees that were not grown on them."""
        drawn = (one for one in samples if isinstance(one, Sample))
        return cls.of(data, [one.left_out(data.n_rows) for one in drawn])


@dataclass(frozen=True, eq=False)
class Growth:
    """Rows, ways to find splits, and how to run.

    Parameters
    ----------
    data : Data
        Training rows, with labels.
    ways : sequence of Splitter
        Ways to find splits; where nothing is chosen the first is used, and many trees take turns.
    stopping : Stopping
        When nodes become leaves.
    variants : sequence of callable
        Questions for a choice to ask, one after the other: each returns others to try in place of
        the best way so far.
    simpler : callable, optional
        Returns a variant of a way that finds simpler splits, for a choice to try.
    unlabelled : Data, optional
        Rows without labels that take part in growing.
    validation : Data, optional
        The user's own rows for pruning.
    max_features : int, optional
        How many columns, drawn anew for every node, a split may test.
    smoothing : float
        See `Tree`.
    seed, n_threads, progress
        As for `miter.growing.loop.grow`.
    """

    data: Data
    ways: Sequence[Splitter]
    stopping: Stopping = field(default_factory=Stopping)
    variants: Sequence[Variants] = ()
    simpler: Simpler | None = None
    unlabelled: Data | None = None
    validation: Data | None = None
    max_features: int | None = None
    smoothing: float = 0.0
    seed: int = 0
    n_threads: int | None = None
    progress: Progress | None = None

    def grow(
        self,
        splitter: Splitter | None = None,
        stopping: Stopping | None = None,
        prune: PruneWithRows | None = None,
    ) -> Tree:
        """Grow a tree on all rows, in the first way unless another is given.

        Parameters
        ----------
        splitter, stopping : optional
            In place of the growth's own.
        prune : callable, optional
            Takes splits out again, with the rows that the tree was grown on.
        """
        tree = grow(
            self.data,
            splitter or self.ways[0],
            stopping or self.stopping,
            unlabelled=self.unlabelled,
            smoothing=self.smoothing,
            seed=self.seed,
            n_threads=self.n_threads,
            progress=self.progress,
        )
        return tree if prune is None else prune(tree, self.data)

    def in_one_place(self, function: Callable[[Growth], Any], n_rows: int | None = None) -> Any:
        """Return what a function makes of the growth: its rows are in one place."""
        return function(self)

    def counted(self, trees: Sequence[Tree]) -> list[Tree]:
        """Return trees that were grown on some of the rows, with the counts of all: here as is."""
        return list(trees)

    def grow_samples(
        self,
        samples: Sequence[Drawn],
        splitter: Splitter | None = None,
        stopping: Stopping | None = None,
        *,
        prune: PruneWithRows | None = None,
        with_unseen: bool = False,
    ) -> list[Tree]:
        """Grow a tree for each sample of the rows, in the ways by turns unless one is given.

        Parameters
        ----------
        samples : sequence of Sample
            The rows of each tree.
        splitter, stopping : optional
            In place of the growth's own.
        prune : callable, optional
            Takes splits out again, with the rows that the tree was grown on.
        with_unseen : bool
            Prune with the rows that the tree has not seen.
        """
        own = [sample for sample in samples if isinstance(sample, Sample)]
        if splitter is None:
            trees = self._grow_by_turns(own, stopping)
        else:
            trees = self._grow_in_one_way(own, splitter, stopping)
        if prune is None:
            return trees
        rows = (
            self.data.take(one.left_out(self.data.n_rows)) if with_unseen else one.of(self.data)
            for one in own
        )
        return [prune(tree, some) for tree, some in zip(trees, rows, strict=True)]

    def judges(self, samples: Sequence[Drawn], most: int) -> Judges:
        """Return rows that judge trees, and for each tree those that it has not seen."""
        return Judges.of_samples(self.data, samples)

    def _grow_in_one_way(
        self, samples: Sequence[Sample], splitter: Splitter, stopping: Stopping | None
    ) -> list[Tree]:
        return grow_forest(
            self.data,
            splitter,
            samples,
            stopping or self.stopping,
            max_features=self.max_features,
            smoothing=self.smoothing,
            seed=self.seed,
            n_threads=self.n_threads,
            progress=self.progress,
        )

    def _grow_by_turns(self, samples: Sequence[Sample], stopping: Stopping | None) -> list[Tree]:
        """Grow as many trees in each of the ways; one that is there twice has twice as many."""
        trees: dict[int, Tree] = {}
        turns = range(len(samples))
        for way in dict.fromkeys(self.ways):
            own = [turn for turn in turns if self.ways[turn % len(self.ways)] == way]
            grown = self._grow_in_one_way([samples[turn] for turn in own], way, stopping)
            trees.update(zip(own, grown, strict=True))
        return [trees[turn] for turn in turns]
