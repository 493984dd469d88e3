"""Pruning by a price that cross-validation finds; `miter.prune.choice` grows the trees for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from miter.data.table import Data
from miter.prune.pruner import Pruner
from miter.tree import Tree

__all__ = ["HELD_OUT_ROWS", "CrossValidated"]

#: Of very many rows so many are held out.
HELD_OUT_ROWS = 5000


@dataclass(frozen=True)
class CrossValidated(Pruner):
    """Cost-complexity pruning with the price that does best on rows not grown on.

    Where a learner has several ways to find splits, cross-validation also chooses among them.

    Parameters
    ----------
    folds : int
        Parts of the rows, each of them once not grown on.
    max_rows : int
        With more training rows than this, 5,000 that are held out decide.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.prune import CrossValidated
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = UnivariateTreeClassifier(pruning=CrossValidated(folds=10), random_state=0)
    >>> tree.fit(X, y).get_n_leaves()
    3
    """

    folds: int = 5
    max_rows: int = 20_000

    def __post_init__(self) -> None:
        for name in ("folds", "max_rows"):
            value = getattr(self, name)
            least = 2 if name == "folds" else HELD_OUT_ROWS
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name} is {value!r}; give a whole number from {least} on")

    def prune(self, tree: Tree, validation: Data | None) -> Tree:
        """Refuse: a finished tree does not tell how it was grown."""
        raise ValueError(
            "cross-validated pruning grows trees of its own, which only a single tree learner can "
            "do; use another pruning here"
        )
