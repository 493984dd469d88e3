"""Pruning by a price that cross-validation finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from miter.checks import check_whole
from miter.data.table import Data
from miter.errors import DataError
from miter.growing.growth import Drawn, Growth
from miter.growing.growth_in_parts import GrowthInParts
from miter.prune.choice import LOWER, PRICES, best_price, choose, choose_way, is_asked
from miter.prune.cost_complexity import CostComplexity
from miter.prune.effort import rows_looked_at
from miter.prune.pruning import Pruning
from miter.tree import RowsElsewhere, Tree

__all__ = ["CrossValidated"]


@dataclass(frozen=True)
class CrossValidated(Pruning):
    """Cost-complexity pruning with the price that does best on rows not grown on.

    Where a learner has several ways to find splits, cross-validation also chooses among them.

    Parameters
    ----------
    n_folds : int
        Parts of the rows, each of them once not grown on. Few rows are divided several times over;
        of many fewer parts are left out, and of very many they are parts of a sample.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.prune import CrossValidated
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = UnivariateTreeClassifier(pruning=CrossValidated(n_folds=10), random_state=0)
    >>> tree.fit(X, y).get_n_leaves()
    3
    """

    n_folds: int = 5

    chooses: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_whole("n_folds", self.n_folds, 2)

    def grow(self, growth: Growth) -> Tree:
        """Choose, then grow on all rows and prune."""
        if growth.unlabelled is not None:
            raise DataError(
                f"{growth.unlabelled.n_rows} rows have no label, and cross-validation cannot use "
                "them; leave them out, or give another pruning"
            )
        if isinstance(growth, GrowthInParts):
            return self._grow_in_parts(growth)
        choice = choose(growth, self.n_folds)
        tree = growth.grow(choice.splitter, replace(growth.stopping, min_errors=choice.least))
        return CostComplexity(choice.price).prune(tree)

    def _grow_in_parts(self, growth: GrowthInParts) -> Tree:
        """Choose on a sample, then grow once: rows held out tell the price.

        They are few of many, so that the tree that tells the price is the tree of all rows.
        """
        n_rows = float(growth.parts.facts.copies)
        n_looked_at = rows_looked_at(n_rows, self.n_folds)
        grown_on, held_out = growth.keep_back(n_looked_at / self.n_folds / n_rows)
        ask = partial(choose_way, n_folds=self.n_folds, n_all=n_rows)
        splitter, lowest = grown_on.in_one_place(ask, n_looked_at)
        least = max(LOWER * lowest, PRICES[0], growth.stopping.min_errors)
        stopping = replace(growth.stopping, min_errors=float(least))
        prices = PRICES[is_asked(PRICES, stopping, growth.stopping)]
        if not len(prices):
            prices = PRICES[-1:]
        tree = grown_on.grow(splitter, stopping, prune=CostComplexity(float(prices[0])).prune)
        others = held_out.take()
        tree = CostComplexity(best_price(tree, others, prices)).prune(tree)
        return tree.with_rows(others)

    def grow_many(self, growth: Growth, samples: Sequence[Drawn]) -> list[Tree]:
        """Return trees that are not pruned: their vote makes up for what each learns by heart."""
        return growth.grow_samples(samples)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None) -> Tree:
        """Refuse: a finished tree does not tell how it was grown."""
        raise ValueError(
            "cross-validated pruning grows trees of its own, which only a single tree learner can "
            "do; use another pruning here"
        )
