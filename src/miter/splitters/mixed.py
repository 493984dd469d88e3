"""Linear machines at some nodes and tests of one column at the others, by lot: for forests.

Breiman 2001, *Random forests*: a forest is right where its trees are wrong about different rows.
Trees of both kinds of tests differ more from each other than trees of one, and where a single
column tells, they have it. Forests with half of each were 0.2 points better on 26 sets than those
of machines alone (`python experiments/lmdt.py --only forest`), and fit faster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from miter.checks import check_number
from miter.data.table import Data
from miter.level import Level
from miter.splits import PackedSplits
from miter.splitters.annealed_machine import AnnealedMachineSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter
from miter.splitters.univariate import UnivariateSplitter

__all__ = ["MixedSplitter"]

#: Machines of a forest need not be trained to the last digit.
TOLERANCE = 1e-3


@dataclass(frozen=True)
class MixedSplitter(Splitter):
    """Takes a bent, annealed linear machine or the best test of one column, as the lot falls.

    Parameters
    ----------
    l2 : float
        Half of this times the squared weights is added to a machine's loss.
    univariate_share : float
        The share of nodes, in the mean, that test one column.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import MixedSplitter
    >>> tree = grow(led(300), MixedSplitter())
    >>> sorted({type(split).__name__ for split in tree.splits if split is not None})
    ['Category', 'Machine']
    """

    l2: float = 1.0
    univariate_share: float = 0.5

    def __post_init__(self) -> None:
        check_number("univariate_share", self.univariate_share, least=0, most=1)
        self._splitters()  # complain now, not when a tree is grown

    def _splitters(self) -> tuple[Splitter, Splitter]:
        return (
            AnnealedMachineSplitter(self.l2, anneal=True, bent=True, tolerance=TOLERANCE),
            UnivariateSplitter("gain", symbolic="groups", missing="node"),
        )

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that draws the kind of every node of a level and finds its split."""
        finders = [splitter.begin(data, min_leaf, n_threads) for splitter in self._splitters()]

        def find(level: Level) -> FoundSplits:
            random = np.random.default_rng([level.seed, level.n_before])
            which = (random.random(len(level)) < self.univariate_share).astype(np.int64)
            parts = [
                finder(level.only(which == k)).splits if (which == k).any() else PackedSplits.of([])
                for k, finder in enumerate(finders)
            ]
            return FoundSplits(PackedSplits.merge(parts, which))

        return find
