"""What perceptrons and networks share: two groups of classes, and a unit that tells them apart.

Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*, sections 3.1 and 3.2. The groups
are found by the exchange method: the two classes farthest apart begin, each other class joins the
group that is nearest, then classes change sides as long as the trained unit leaves less entropy.

Differs from the paper:

- All partitions of up to four classes are tried.
- A change must lower the entropy, so that ties and cycles end; the paper also accepts equals.
- Default training reaches its optimum on variables scaled by the node's own rows, a missing value
  at the mean; ``training="gradient"`` is the paper's.
- Where a unit would send all rows one way it is trained again with groups of equal weight; if that
  does not help the node gets the best univariate split. With ``training="gradient"`` it is a leaf.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.checks import check_choice, check_number, check_whole
from miter.data.table import Data
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.fall_back import FallBack
from miter.splitters.filling import Filling
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["FoundUnits", "Parts", "UnitFinder", "UnitSplitter", "begin_units"]

TRAINING = ("optimal", "gradient")
#: A node with more rows is trained on a sample of this many.
MAX_ROWS = 10_000
#: Training ends when a step lowers the loss by less than this part of it.
TOLERANCE = 1e-4
#: Steps of training, at most.
MAX_ITERATIONS = 100


@dataclass(frozen=True, eq=False)
class FoundUnits:
    """The units of a level.

    Parameters
    ----------
    splits : PackedSplits
        A leaf where the unit would send all rows one way.
    groups : ndarray of shape (n_nodes, n_classes)
        The group of each class, 0 or 1; 2 where the node has none of it.
    l2 : ndarray of shape (n_nodes,)
        The penalty that was chosen.
    loss : ndarray of shape (n_nodes,)
        The logistic loss of all rows, without the penalty.
    n_weights : ndarray of shape (n_nodes,)
        How many weights a unit has.
    """

    splits: PackedSplits
    groups: NDArray[np.uint8]
    l2: NDArray[np.float64]
    loss: NDArray[np.float64]
    n_weights: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Parts:
    """How the rows of a level are dealt over parts, several times over.

    Of each of `spread` parts, from `first` on, an equal share of a row is left out: a row of the
    weight 2, or one that is there twice, is in two parts.

    Parameters
    ----------
    first : ndarray of shape (n_repeats, n_entries)
        The first part of every entry of the level.
    spread : ndarray of shape (n_entries,)
        Over how many parts it is dealt.
    n_parts : int
        How many parts there are.
    """

    first: NDArray[np.int32]
    spread: NDArray[np.int32]
    n_parts: int

    def share(self, repeat: int, part: int) -> NDArray[np.float64]:
        """Return the share of every entry that a part leaves out."""
        is_in = (part - self.first[repeat]) % self.n_parts < self.spread
        return np.where(is_in, 1 / self.spread, 0.0)

    def only_repeat(self, repeat: int) -> Parts:
        """Return one of the repetitions."""
        return replace(self, first=self.first[[repeat]])

    def only(self, entries: NDArray[np.bool_]) -> Parts:
        """Return the parts of some entries."""
        first = np.ascontiguousarray(self.first[:, entries])
        return replace(self, first=first, spread=self.spread[entries])


class UnitFinder:
    """Trains units for the nodes of a level, with the settings of one splitter.

    Parameters
    ----------
    data : Data
        All training rows.
    options : core.UnitOptions
        See `src/core/two_groups.hpp`.
    """

    def __init__(self, data: Data, options: core.UnitOptions) -> None:
        self.table = table_of(data)
        self.options = options

    def find(
        self, level: Level, groups: NDArray[np.uint8] | None = None, *, exchange: bool = True
    ) -> FoundUnits:
        """Find groups and units; from given groups if there are any, which may be fixed."""
        packed, found_groups, l2, loss, n_weights = core.find_units(
            self.table, level.native, groups, exchange, self.options
        )
        return FoundUnits(PackedSplits(*packed), found_groups, l2, loss, n_weights)

    def part_errors(
        self,
        level: Level,
        groups: NDArray[np.uint8],
        l2: NDArray[np.float64],
        parts: Parts,
    ) -> NDArray[np.float64]:
        """Return the share of wrong rows in each part by units that are trained on the others.

        The answer has the shape nodes x repeats x parts.
        """
        dealt = parts.first, parts.spread, parts.n_parts
        return core.part_errors(self.table, level.native, groups, l2, *dealt, self.options)


class UnitSplitter(Splitter):
    """What the splitters of perceptrons and of networks have in common."""

    training: str
    learning_rate: float
    epochs: int

    @property
    def is_published(self) -> bool:
        """Whether units are trained as the paper does."""
        return self.training == "gradient"

    @property
    def asks_of_all_rows(self) -> bool:
        """Whether means and ranges of all training rows are wanted."""
        return self.is_published

    def unit_options(self) -> dict[str, Any]:
        """Return the settings in which perceptrons and networks differ."""
        raise NotImplementedError(f"{type(self).__name__} must define unit_options")

    def finder(self, data: Data) -> UnitFinder:
        """Return what trains units on these rows."""
        scales = core.ColumnScales()
        if self.is_published:
            low, high = _ranges(data)
            # Numbers near the largest that there are can lie further apart than any number.
            with np.errstate(over="ignore"):
                spread = np.minimum(high - low, np.finfo(np.float64).max)
            scales = core.ColumnScales(low=low.tolist(), range=spread.tolist())
        options = core.UnitOptions(
            max_iterations=MAX_ITERATIONS,
            tolerance=TOLERANCE,
            max_rows=MAX_ROWS,
            by_gradient=self.is_published,
            gradient=core.GradientOptions(rate=float(self.learning_rate), epochs=int(self.epochs)),
            scales=scales,
            **self.unit_options(),
        )
        return UnitFinder(data, options)

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that trains the units of all nodes of a level at a time."""

        def begin(data: Data) -> LevelFinder:
            finder = self.finder(data)
            return lambda level: FoundSplits(finder.find(level).splits)

        return begin_units(begin, data, min_leaf, n_threads, is_published=self.is_published)

    def check(self) -> None:
        """Complain about settings that mean nothing."""
        check_choice("training", self.training, TRAINING)
        check_number("learning_rate", self.learning_rate, above=0)
        check_whole("epochs", self.epochs, 1)


def _ranges(data: Data) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest and the largest number of every column, among all training rows."""
    if data.whole is not None:
        return data.whole.least, data.whole.most
    return data.X.min(axis=0).astype(float), data.X.max(axis=0).astype(float)


def begin_units(
    begin: Callable[[Data], LevelFinder],
    data: Data,
    min_leaf: float,
    n_threads: int,
    *,
    is_published: bool,
) -> LevelFinder:
    """Return what finds the splits of a level, rows counting by what mistakes about them cost.

    As published they are found on rows without missing values, and told where the filling goes;
    else a node without a unit gets a univariate split.
    """
    filling = Filling.of(data) if is_published else None
    find = begin(data if filling is None else filling.fill(data))
    fall_back = FallBack(data, min_leaf, n_threads)
    importance = data.importance()

    def find_units(level: Level) -> FoundSplits:
        found = find(level if importance is None else level.emphasised(importance))
        if filling is not None:
            return replace(found, splits=filling.fold_all(found.splits))
        return replace(found, splits=fall_back.complete(found.splits, level))

    return find_units
