"""The best univariate split, for nodes where a splitter found none of its own."""

from __future__ import annotations

import numpy as np

from miter.data.table import Data
from miter.level import Level
from miter.splits import PackedSplits
from miter.splitters.splitter import LevelFinder
from miter.splitters.univariate import UnivariateSplitter

__all__ = ["FallBack"]


class FallBack:
    """Finds univariate splits; nothing is prepared before they are needed.

    Parameters
    ----------
    data, min_leaf, n_threads
        As for `Splitter.begin`.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.level import Level
    >>> from miter.splits import PackedSplits
    >>> from miter.splitters.fall_back import FallBack
    >>> data = play_tennis()
    >>> FallBack(data, 1, 1).complete(PackedSplits.of([None]), Level.root(data))[0].columns
    (0,)
    """

    def __init__(self, data: Data, min_leaf: float, n_threads: int) -> None:
        self.arguments = data, min_leaf, n_threads
        self._find: LevelFinder | None = None

    def complete(self, splits: PackedSplits, level: Level) -> PackedSplits:
        """Return the splits of a level, with a univariate one where there is none."""
        failed = splits.n_branches == 0
        if not failed.any():
            return splits
        if self._find is None:
            self._find = UnivariateSplitter("gini", missing="node").begin(*self.arguments)
        others = self._find(level.only(failed)).splits
        position = np.arange(len(splits))
        position[failed] = len(splits) + np.arange(len(others))
        return PackedSplits.join([splits, others]).take(position)
