"""Linear machines at some nodes and random cuts of one column at the others, by lot: for forests.

Menze et al. 2011, *On oblique random forests*; Geurts, Ernst and Wehenkel 2006, *Extremely
randomized trees*. A machine cuts across many columns at once, and a random cut before it makes sure
that no two machines see the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from miter.checks import check_number
from miter.data.table import Data
from miter.level import Level
from miter.splits import PackedSplits
from miter.splitters.annealed_machine import AnnealedMachineSplitter
from miter.splitters.random_cut import RandomCutSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["MixedSplitter"]

#: Machines of a forest need not be trained to the last digit.
TOLERANCE = 1e-3
#: A node sums up to so many columns, or so many times what it would draw to test one of them.
MANY_COLUMNS, MANY_TIMES = 30, 3


@dataclass(frozen=True)
class MixedSplitter(Splitter):
    """Takes a bent, annealed linear machine or a random cut of one column, as the lot falls.

    Parameters
    ----------
    l2 : float
        Half of this times the squared weights is added to a machine's loss.
    univariate_share : float
        The share of nodes, in the mean, that test one column.
    column_share : float
        Where nodes may test few columns, drawn at random, the share of all columns that is drawn
        here: a sum needs more of them than a test of one. No more are drawn than 30, or three times
        the few.

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
    column_share: float = 1.0

    def __post_init__(self) -> None:
        check_number("univariate_share", self.univariate_share, least=0, most=1)
        check_number("column_share", self.column_share, above=0, most=1)
        self._splitters()  # complain now, not when a tree is grown

    def _splitters(self) -> tuple[Splitter, Splitter]:
        return (
            AnnealedMachineSplitter(self.l2, anneal=True, bent=True, tolerance=TOLERANCE),
            RandomCutSplitter(),
        )

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that draws the kind of every node of a level and finds its split."""
        finders = [splitter.begin(data, min_leaf, n_threads) for splitter in self._splitters()]

        def find(level: Level) -> FoundSplits:
            level = self._widened(level)
            random = np.random.default_rng([level.seed, level.n_before])
            which = (random.random(len(level)) < self.univariate_share).astype(np.int64)
            parts = [
                finder(level.only(which == k)).splits if (which == k).any() else PackedSplits.of([])
                for k, finder in enumerate(finders)
            ]
            return FoundSplits(PackedSplits.merge(parts, which))

        return find

    def _widened(self, level: Level) -> Level:
        """Return the level with more columns open to each node, where they are few."""
        if level.allowed is None:
            return level
        few, n_columns = int(level.allowed[0].sum()), level.data.schema.n_columns
        many = min(ceil(self.column_share * n_columns), max(MANY_COLUMNS, MANY_TIMES * few))
        return replace(level, allowed=None).allow(max(few, many))
