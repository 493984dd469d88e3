"""A forest of linear machine trees.

Breiman 2001, *Random forests*: every tree sees some of the rows, every node some of the columns.
Menze et al. 2011, *On oblique random forests*: with linear splits.

Differs from them: rows are drawn without replacement, because a row that is there twice pulls a
machine twice as hard; machines are annealed and bent, as `AnnealedMachineSplitter` has it; half of
the nodes, by lot, test one column, as `MixedSplitter` has it.
"""

from __future__ import annotations

from dataclasses import field

from miter.estimators.ensemble import TreeEnsemble
from miter.estimators.parameters import RowParameters, SizeParameters, estimator
from miter.estimators.tree import TreeEstimator
from miter.estimators.tree_classifier import TreeClassifier
from miter.splitters import MixedSplitter

__all__ = ["LinearMachineForestClassifier"]


@estimator
class LinearMachineForestClassifier(SizeParameters, RowParameters, TreeEnsemble):
    """Trees on random rows and columns; the mean of their probabilities decides.

    Each node is a linear machine or tests one column, as the lot falls; see `MixedSplitter`.

    Parameters
    ----------
    l2 : float
        Half of this times the squared weights is added to a machine's loss.

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

    n_estimators: int = field(default=100, kw_only=False)
    l2: float = 1.0
    max_samples: float = 0.9
    bootstrap: bool = False
    max_features: float | str | None = "sqrt"

    def make_tree(self) -> TreeEstimator:
        """Return a tree of machines and of tests of one column."""
        return TreeClassifier(
            MixedSplitter(self.l2),
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            costs=self.costs,
            class_weight=self.class_weight,
            kinds=self.kinds,
            categorical_features=self.categorical_features,
        )
