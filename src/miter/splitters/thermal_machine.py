"""Linear machines, trained thermally: LMDT as published.

Utgoff and Brodley 1991, *Linear Machine Decision Trees*: encoding (2.2), thermal training (2.3,
Table 2), elimination of variables (2.4, Table 3). Draper, Brodley and Utgoff 1993, *Goal-directed
classification using linear machine decision trees*: training in passes (Table 1), elimination that
starts early (2.2).

Differs from the papers, or settles what they leave open:

- 'Significantly worse' (Table 3, step 6) compares the drop in accuracy with Student's t at .01
  times the standard error of the best machine's accuracy: with a perfect machine any drop counts.
- 'P(LM is correct on all instances) > 0.99' is a moving average of being right over as many draws
  as there are rows. Training also ends when no row is left that the temperature allows to correct.
- Weights of rows decide how often rows are drawn; passes go through every row once all the same.
- With `keep_best` the best machine seen in training is kept, looked at once in as many draws as
  there are rows; the papers keep the last.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from miter import core
from miter.checks import check_choice, check_flag, check_number
from miter.data.table import Data
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["ThermalMachineSplitter"]

SCHEDULES = ("draws", "passes")
#: In the order of `enum class Elimination` in src/core/thermal.hpp.
ELIMINATION = (None, "variables", "columns")


@dataclass(frozen=True)
class ThermalMachineSplitter(Splitter):
    """Trains a linear machine at the node, one discriminant for each class there.

    Parameters
    ----------
    schedule : {"draws", "passes"}
        Correct rows drawn at random (1991), or go through all of them again and again (1993).
    a, b : float
        The temperature beta falls to a beta - b.
    eliminate : {"variables", "columns"} or None
        Take variables out one by one, all variables of a symbol together, or not at all.
    eliminate_significance : float
        Level of the test that a smaller machine must pass against the best.
    delta : float
        Stop eliminating when accuracy has fallen by this much.
    early_start : float
        Eliminate once the magnitude of the machine stays within this part of its greatest; 0: when
        training has ended.
    keep_best : bool
        Keep the best machine seen in training in place of the last.

    Examples
    --------
    >>> from miter.data import dnf
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import ThermalMachineSplitter
    >>> tree = grow(dnf(), ThermalMachineSplitter(), seed=1)
    >>> [tree.schema.names[c] for c in tree.splits[0].columns]
    ['a', 'b']
    """

    schedule: str = "draws"
    a: float = 0.995
    b: float = 0.0005
    eliminate: str | None = "variables"
    eliminate_significance: float = 0.01
    delta: float = 0.10
    early_start: float = 0.0
    keep_best: bool = True

    def __post_init__(self) -> None:
        check_choice("schedule", self.schedule, SCHEDULES)
        check_choice("eliminate", self.eliminate, ELIMINATION)
        for name in ("a", "eliminate_significance"):
            check_number(name, getattr(self, name), above=0, below=1)
        for name in ("b", "delta", "early_start"):
            check_number(name, getattr(self, name), least=0, below=1)
        check_flag("keep_best", self.keep_best)

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that trains the machines of all nodes of a level at a time."""
        table = table_of(data)
        options = core.ThermalOptions(
            in_passes=self.schedule == "passes",
            a=self.a,
            b=self.b,
            keep_best=self.keep_best,
            eliminate=ELIMINATION.index(self.eliminate),
            delta=self.delta,
            early_start=self.early_start,
        )

        def find(level: Level) -> FoundSplits:
            freedom = np.maximum(level.counts.sum(axis=1) - 1, 1.0)
            quantiles = student.isf(self.eliminate_significance, freedom)
            packed = core.find_thermal_machines(
                table, level.native, level.node_seeds(), quantiles, options
            )
            return FoundSplits(PackedSplits(*packed))

        return find
