"""All that it takes to grow, in one piece: a pruning grows with it as often as it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from miter.data.table import Data
from miter.growing.loop import Progress, grow, grow_forest
from miter.growing.stopping import Stopping
from miter.level import Sample
from miter.splitters.splitter import Splitter
from miter.tree import Tree

__all__ = ["Growth", "Simpler", "Variants"]

#: From a splitter to one that finds simpler splits; None: there is none.
Simpler = Callable[[Splitter], Splitter | None]
#: From a splitter to others that may do better.
Variants = Callable[[Splitter], Sequence[Splitter]]


@dataclass(frozen=True, eq=False)
class Growth:
    """Rows, ways to find splits, and how to run.

    Parameters
    ----------
    data : Data
        Training rows, with labels.
    ways : sequence of Splitter
        Ways to find splits; where nothing is chosen the first is used.
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

    def grow(self, splitter: Splitter | None = None, stopping: Stopping | None = None) -> Tree:
        """Grow a tree on all rows, in the first way unless another is given."""
        return grow(
            self.data,
            splitter or self.ways[0],
            stopping or self.stopping,
            unlabelled=self.unlabelled,
            smoothing=self.smoothing,
            seed=self.seed,
            n_threads=self.n_threads,
            progress=self.progress,
        )

    def grow_samples(
        self,
        samples: Sequence[Sample],
        splitter: Splitter | None = None,
        stopping: Stopping | None = None,
    ) -> list[Tree]:
        """Grow a tree for each sample of the rows."""
        return grow_forest(
            self.data,
            splitter or self.ways[0],
            samples,
            stopping or self.stopping,
            max_features=self.max_features,
            smoothing=self.smoothing,
            seed=self.seed,
            n_threads=self.n_threads,
            progress=self.progress,
        )
