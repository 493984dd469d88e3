"""Linear machines, trained by minimising a smooth error.

Utgoff and Brodley 1991, section 5, ask for a faster way to train a linear machine. Here a machine
is multinomial logistic regression at first, with an L2 penalty on the weights of the node's scaled
variables. Annealing then minimises the expected error, one minus the probability of the true class,
while the temperature of the probabilities falls: rows far on the wrong side lose their pull, as
under the thermal rule.

Differs from the papers:

- Nothing is drawn at random but the rows of very large nodes.
- A number may count twice: as it is, and by its distance from the node's mean (`bent`). A machine
  can then tell the middle of a range from its ends.
- Elimination takes out a symbol's variables together, a quarter of the columns at a time, those
  with the least dispersion (1991, Table 3); the number of columns is chosen by cross-validation at
  the node, on at most 1,000 of its rows: the smallest machine that is not worse than the best by
  more than one standard error.
- Where a machine would send all rows one way it is trained again with classes of equal weight; if
  that does not help the node gets the best univariate split.
"""

from __future__ import annotations

from dataclasses import dataclass

from miter import core
from miter.checks import check_number, check_whole
from miter.data.table import Data
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.fall_back import FallBack
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["AnnealedMachineSplitter"]

#: The temperatures of annealing.
TEMPERATURES = (1.0, 0.5, 0.25)
#: Steps of each stage of training, at most.
MAX_ITERATIONS = 100
#: Parts of a node's rows for the choice of how many columns to keep.
FOLDS = 10


@dataclass(frozen=True)
class AnnealedMachineSplitter(Splitter):
    """Trains a linear machine at the node, one discriminant for each class there.

    Parameters
    ----------
    l2 : float
        Half of this times the squared weights of the scaled variables is added to the loss, which
        is a sum over rows.
    anneal : bool
        Minimise the expected error after the logistic loss, at falling temperatures.
    bent : bool
        Let the weight of a number change at its mean.
    eliminate : bool
        Take out columns that do not help.
    max_features : int, optional
        Of more columns keep so many; with `eliminate` perhaps fewer.
    max_rows : int
        A node with more rows is trained on a sample of this many.
    tolerance : float
        Training ends when a step lowers the loss by less than this part of it.

    Examples
    --------
    >>> from miter.data import dnf
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import AnnealedMachineSplitter
    >>> grow(dnf(), AnnealedMachineSplitter()).splits[0].n_branches
    2
    """

    l2: float = 0.3
    anneal: bool = False
    bent: bool = False
    eliminate: bool = False
    max_features: int | None = None
    max_rows: int = 10_000
    tolerance: float = 1e-4

    def __post_init__(self) -> None:
        check_number("l2", self.l2, above=0)
        check_number("tolerance", self.tolerance, above=0)
        check_whole("max_features", self.max_features, 1, optional=True)
        check_whole("max_rows", self.max_rows, 2)

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that trains the machines of all nodes of a level at a time."""
        options = core.MachineOptions(
            l2=self.l2,
            temperatures=list(TEMPERATURES) if self.anneal else [],
            bent=self.bent,
            max_iterations=MAX_ITERATIONS,
            tolerance=self.tolerance,
            max_rows=self.max_rows,
            folds=FOLDS,
            eliminate=self.eliminate,
            max_columns=self.max_features or 0,
        )
        table = table_of(data)
        fall_back = FallBack(data, min_leaf, n_threads)

        def find(level: Level) -> FoundSplits:
            packed = core.find_machines(table, level.native, options)
            return FoundSplits(fall_back.complete(PackedSplits(*packed), level))

        return find
