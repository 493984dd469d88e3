"""A linear machine or a test of one column at each node, whichever tells more.

A machine divides a node into as many branches as there are classes, all at once. Where classes
differ by sums of columns that is what one wants, from the root on. Where they live in many small
regions it spends the rows too early: there tests of one column, one after the other, find the
regions, and machines finish what is left. `machine_rows` says how large a node may be to get a
machine; which of the two a table is, rows that are held out tell (see
`LinearMachineTreeClassifier`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number
from miter.criteria import entropy
from miter.data.table import Data
from miter.level import Level
from miter.splits import PackedSplits
from miter.splitters.annealed_machine import AnnealedMachineSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter, route
from miter.splitters.univariate import UnivariateSplitter

__all__ = ["MachineOrColumnSplitter"]


@dataclass(frozen=True)
class MachineOrColumnSplitter(Splitter):
    """Takes the better of a linear machine and a test of one column at nodes that are not large.

    Better is what leaves less entropy; where mistakes differ in cost, what costs less.

    Parameters
    ----------
    machine : AnnealedMachineSplitter
        How machines are trained.
    machine_rows : float, optional
        A node of more rows tests one column; None: none is too large.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import MachineOrColumnSplitter
    >>> tree = grow(led(300), MachineOrColumnSplitter(machine_rows=100))
    >>> type(tree.splits[0]).__name__
    'Category'
    """

    machine: AnnealedMachineSplitter = field(default_factory=AnnealedMachineSplitter)
    machine_rows: float | None = 100

    def __post_init__(self) -> None:
        check_number("machine_rows", self.machine_rows, least=0, optional=True)

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that finds both tests for the nodes of a level and compares them."""
        column = UnivariateSplitter("gain_ratio", symbolic="groups", missing="node")
        find_column = column.begin(data, min_leaf, n_threads)
        find_machine = self.machine.begin(data, min_leaf, n_threads)
        most = np.inf if self.machine_rows is None else self.machine_rows

        def find(level: Level) -> FoundSplits:
            columns = find_column(level).splits
            small = level.counts.sum(axis=1) <= most
            if not small.any():
                return FoundSplits(columns)
            some = level.only(small)
            machines = find_machine(some).splits
            is_better = np.zeros(len(level), bool)
            is_better[small] = _left_after(some, machines) < _left_after(
                some, columns.take(np.flatnonzero(small))
            )
            parts = [
                columns.take(np.flatnonzero(~is_better)),
                machines.take(np.flatnonzero(is_better[small])),
            ]
            return FoundSplits(PackedSplits.merge(parts, is_better.astype(np.int64)))

        return find


def _left_after(level: Level, splits: PackedSplits) -> NDArray[np.float64]:
    """Return for each node what its branches leave: bits, or costs; all where there is no split."""
    routing = route(level, FoundSplits(splits))
    node = np.repeat(np.arange(len(splits)), splits.n_branches)
    if routing.losses is None:
        left = routing.counts.sum(axis=1) * entropy(routing.counts)
    else:
        left = routing.losses.min(axis=1)
    after = np.bincount(node, left, minlength=len(splits))
    return np.where(splits.n_branches > 0, np.round(after, 9), np.inf)
