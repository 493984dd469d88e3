"""A forest of linear machine trees.

Breiman 2001, *Random forests*: every tree sees some of the rows, every node some of the columns.
Menze et al. 2011, *On oblique random forests*: with linear splits. Geurts, Ernst and Wehenkel 2006,
*Extremely randomized trees*: with cuts drawn by lot.

Differs from them: rows are drawn without replacement, because a row that is there twice pulls a
machine twice as hard; machines are annealed and bent, as `AnnealedMachineSplitter` has it; trees of
three kinds take turns, since none of them is best on every table, and a forest is right where its
trees are wrong about different rows; leaves are as large as the rows left out want them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from miter.estimators.ensemble import TreeEnsemble
from miter.estimators.parameters import RowParameters, SizeParameters, estimator
from miter.estimators.tree import TreeEstimator
from miter.estimators.tree_classifier import TreeClassifier
from miter.prune import Pruning
from miter.splitters import MixedSplitter, RandomCutSplitter, Splitter, UnivariateSplitter

__all__ = ["LinearMachineForestClassifier"]


@estimator
class LinearMachineForestClassifier(SizeParameters, RowParameters, TreeEnsemble):
    """Trees on random rows and columns; the mean of their probabilities decides.

    A third of the trees takes the best test of one column at every node, a third the best of random
    cuts, a third linear machines and random cuts as the lot falls; see `MixedSplitter`.

    Parameters
    ----------
    l2 : float
        Half of this times the squared weights is added to a machine's loss.
    pruning : Pruning, name of one, or None
        What takes splits out again after growing. By default leaves are as large as the rows that
        trees have not seen want them; see `miter.prune.OutOfBag`.

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
    pruning: Pruning | str | None = "out_of_bag"

    def make_tree(self) -> TreeEstimator:
        """Return a tree of machines and of tests of one column."""
        return TreeClassifier(
            MixedSplitter(self.l2),
            pruning=self.pruning,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            costs=self.costs,
            class_weight=self.class_weight,
            kinds=self.kinds,
            categorical_features=self.categorical_features,
        )

    def make_ways(self, tree: TreeEstimator) -> Sequence[Splitter]:
        """Return the kinds of trees; machines of half of the columns and of all take turns too."""
        best = UnivariateSplitter("gain", symbolic="groups", missing="node")
        drawn = RandomCutSplitter()
        return [
            best,
            drawn,
            MixedSplitter(self.l2, column_share=0.5),
            best,
            drawn,
            MixedSplitter(self.l2),
        ]
