"""A forest of linear machine trees.

Breiman 2001, *Random forests*: every tree sees some of the rows, every node some of the columns.
Menze et al. 2011, *On oblique random forests*: with linear splits.

Differs from them: rows are drawn without replacement, because a row that is there twice pulls a
machine twice as hard; machines are annealed and bent, as `AnnealedMachineSplitter` has it; half of
the nodes, by lot, test one column, as `MixedSplitter` has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from miter.estimators.bagging import BaggedTreesClassifier
from miter.estimators.tree import TreeClassifier
from miter.splitters import MixedSplitter

__all__ = ["LinearMachineForestClassifier"]


class LinearMachineForestClassifier(BaggedTreesClassifier):
    """Trees on random rows and columns; the mean of their probabilities decides.

    Each node is a linear machine or tests one column, as the lot falls; see `MixedSplitter`.

    Parameters
    ----------
    n_estimators : int
        How many trees.
    l2 : float
        Half of this times the squared weights is added to a machine's loss.
    max_features : int, float, "sqrt" or None
        Columns, drawn anew for every node, that a machine may use; a float is a share of them.
    max_samples : int or float
        Rows drawn for each tree; a float is a share of the training rows.
    bootstrap : bool
        Whether rows are drawn with replacement.
    max_depth, min_samples_split, min_samples_leaf, costs, class_weight, categorical_features
        See `TreeClassifier`.
    oob_score, random_state, n_threads, verbose
        See `BaggedTreesClassifier`.

    Attributes
    ----------
    estimators_, classes_, costs_, oob_score_, oob_decision_function_
        See `BaggedTreesClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import LinearMachineForestClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> forest = LinearMachineForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> forest.oob_score_ > 0.95
    True
    """

    voting = "average"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        l2: float = 1.0,
        max_features: float | str | None = "sqrt",
        max_samples: float = 0.9,
        bootstrap: bool = False,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        costs: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: str | Sequence[Any] = "from_dtype",
        oob_score: bool = False,
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.l2 = l2
        self.max_features = max_features
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.costs = costs
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.oob_score = oob_score
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def _make_estimator(self) -> TreeClassifier:
        return TreeClassifier(
            MixedSplitter(self.l2),
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            costs=self.costs,
            class_weight=self.class_weight,
            categorical_features=self.categorical_features,
        )
