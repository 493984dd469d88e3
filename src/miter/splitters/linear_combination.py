"""Hyperplanes found one coefficient at a time: CART with linear combinations.

Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*, 1984, section 5.2.2;
compared as CART in Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*, Tables 2-4.
The search begins at the best test of one variable and goes round the coefficients; then variables
are taken out that cost little.

Differs from the papers:

- Symbols are encoded, one indicator a value, as Yildiz and Alpaydin do; the book leaves them out. A
  change of an indicator's coefficient moves only the rows that have the value.
- Variables are scaled by mean and deviation, not by median and quartiles: an indicator of a rare
  value has no quartiles.
- A variable is tried for deletion once, those with small coefficients first, and may go while all
  deletions together cost less than a tenth of the gain. The book tries all variables before each
  deletion, which takes the square of the time.
- Logistic regression gives hyperplanes too (`l2`); what the search finds is taken only where it
  gains a tenth more. A search by impurity alone fits small nodes too well.
- A search can also begin in random directions.
"""

from __future__ import annotations

from dataclasses import dataclass

from miter import core
from miter.checks import check_choice, check_number, check_whole
from miter.data.table import Data
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.filling import Filling
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["LinearCombinationSplitter"]

CRITERIA = ("gini", "gain")
MISSING = ("node", "training")
#: Rounds over the coefficients, at most; one that gains less than this part is the last.
MAX_ROUNDS, TOLERANCE = 20, 0.01
#: A larger node is searched on so many of its rows.
MAX_ROWS = 10_000


@dataclass(frozen=True)
class LinearCombinationSplitter(Splitter):
    """Finds a hyperplane that divides the classes well.

    Parameters
    ----------
    criterion : {"gini", "gain"}
        What to maximise: the decrease of the Gini index, or information gain.
    deletion : float
        Variables are taken out while that costs no more than this part of the gain, 0 to 1.
    n_init : int
        How many searches; all but the first begin in random directions.
    l2 : float, optional
        Half of this times the squared weights is the penalty of the logistic regression that gives
        directions; None: there is only the search.
    missing : {"node", "training"}
        A missing value stands at the mean of the node; or it counts as the mean of a number and the
        most common value of a symbol among all training rows.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import LinearCombinationSplitter
    >>> tree = grow(monks(1), LinearCombinationSplitter())
    >>> tree.n_leaves < 12
    True
    """

    criterion: str = "gini"
    deletion: float = 0.1
    n_init: int = 1
    l2: float | None = 1.0
    missing: str = "node"

    def __post_init__(self) -> None:
        check_choice("criterion", self.criterion, CRITERIA)
        check_choice("missing", self.missing, MISSING)
        check_number("deletion", self.deletion, least=0, most=1)
        check_number("l2", self.l2, above=0, optional=True)
        check_whole("n_init", self.n_init, 1)

    @property
    def asks_of_all_rows(self) -> bool:
        """Whether means and most common values of all training rows are wanted."""
        return self.missing == "training"

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that searches all nodes of a level at a time."""
        filling = Filling.of(data) if self.missing == "training" else None
        table = table_of(data if filling is None else filling.fill(data))
        importance = data.importance()
        options = core.CombinationOptions(
            gini=self.criterion == "gini",
            deletion=self.deletion,
            n_init=self.n_init,
            l2=self.l2 or 0.0,
            max_rounds=MAX_ROUNDS,
            tolerance=TOLERANCE,
            min_leaf=min_leaf,
            max_rows=MAX_ROWS,
        )

        def find(level: Level) -> FoundSplits:
            if importance is not None:
                level = level.emphasised(importance)
            splits = PackedSplits(*core.find_combinations(table, level.native, options))
            splits = splits if filling is None else filling.fold_all(splits)
            return FoundSplits(splits.finite())

        return find
