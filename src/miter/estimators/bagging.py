"""Bagging: trees of any kind on bootstrap samples.

Breiman 1996, *Bagging predictors*.
"""

from __future__ import annotations

from dataclasses import field

from sklearn.base import clone

from miter.checks import check_choice
from miter.estimators.ensemble import TreeEnsemble
from miter.estimators.parameters import estimator
from miter.estimators.tree import TreeEstimator
from miter.estimators.univariate import id3

__all__ = ["BaggedTreesClassifier"]

VOTING = ("majority", "average")


@estimator
class BaggedTreesClassifier(TreeEnsemble):
    """Trees grown on bootstrap samples of the rows; the majority decides.

    Parameters
    ----------
    estimator : TreeEstimator, optional
        How a tree is grown and pruned; by default ``id3(missing="fractions")``. Its `costs`,
        `class_weight`, `kinds` and `categorical_features` are those of all trees.
    voting : {"majority", "average"}
        Count the trees' votes, or average their probabilities.

    Attributes
    ----------
    estimators_ : list of TreeEstimator
        The fitted trees; `trees_` has them without their settings.
    classes_ : ndarray
        The labels, in the order of `predict_proba`.
    costs_ : ndarray or None
        The cost matrix, predicted classes x true ones, in the order of `classes_`.
    oob_score_ : float
        Accuracy on rows left out, where `oob_score` was asked for; rows that every tree has seen
        are not counted.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        What the trees that have not seen a row say of it; NaN where all have.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import BaggedTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = BaggedTreesClassifier(n_estimators=25, oob_score=True, random_state=0).fit(X, y)
    >>> forest.oob_score_ > 0.9
    True
    """

    estimator: TreeEstimator | None = field(default=None, kw_only=False)
    voting: str = "majority"

    def make_tree(self) -> TreeEstimator:
        """Return a copy of `estimator`."""
        check_choice("voting", self.voting, VOTING)
        if self.estimator is None:
            return id3(missing="fractions")
        if not isinstance(self.estimator, TreeEstimator):
            raise ValueError(
                f"estimator is {self.estimator!r}; give a tree of Miter's, such as id3()"
            )
        return clone(self.estimator)

    @property
    def counts_votes(self) -> bool:
        """Whether trees vote; else their probabilities are averaged."""
        return self.voting == "majority"
