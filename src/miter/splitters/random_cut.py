"""Tests of one column whose cut is drawn by lot: for forests.

Geurts, Ernst and Wehenkel 2006, *Extremely randomized trees*: a number is cut at a place drawn
evenly between the least and the largest of the node's rows; of the cuts of the node's columns the
one with the least Gini index is taken.

Differs from the paper: the values of a symbol are dealt to two groups by a coin for each; the paper
draws the size of a group first. A missing value goes with the larger side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from miter import core
from miter.data.table import Data
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["RandomCutSplitter"]


@dataclass(frozen=True)
class RandomCutSplitter(Splitter):
    """Draws a cut of every column and takes the one that divides the classes best.

    Where a node may test some columns only, one that has a single value there is replaced by
    another: it is no choice.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import BaggedTreesClassifier, TreeClassifier
    >>> from miter.splitters import RandomCutSplitter
    >>> X, y = load_iris(return_X_y=True)
    >>> extra = BaggedTreesClassifier(
    ...     TreeClassifier(RandomCutSplitter()),
    ...     max_features="sqrt",
    ...     max_samples=0.9,
    ...     bootstrap=False,
    ...     oob_score=True,
    ...     random_state=0,
    ... )
    >>> extra.fit(X, y).oob_score_ > 0.9
    True
    """

    is_fast: ClassVar[bool] = True

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that draws cuts for all nodes of a level at a time."""
        table = table_of(data)
        importance = data.importance()

        def find(level: Level) -> FoundSplits:
            if importance is not None:
                level = level.emphasised(importance)
            return FoundSplits(PackedSplits(*core.find_random_cuts(table, level.native, min_leaf)))

        return find
