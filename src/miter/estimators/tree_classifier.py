"""A tree with any splitter, such as one of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import TreeEstimator
from miter.splitters import Splitter

__all__ = ["TreeClassifier"]


@estimator
class TreeClassifier(TreeEstimator):
    """A decision tree whose nodes are tests of any kind.

    Parameters
    ----------
    splitter : Splitter
        Finds the split of a node; see `miter.splitters`.

    Attributes
    ----------
    tree_ : Tree
        What was learned.
    classes_ : ndarray
        The labels, in the order of `predict_proba`.
    costs_ : ndarray or None
        The cost matrix, predicted classes x true ones, in the order of `classes_`.
    n_features_in_ : int
        Columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where they had any.
    feature_importances_ : ndarray
        Each column's part of the information gained.

    Notes
    -----
    Weights count rows: a row with `sample_weight` 2 is the row twice, also for the minimum numbers
    of rows and for pruning.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import TreeClassifier
    >>> from miter.splitters import UnivariateSplitter
    >>> X, y = load_iris(return_X_y=True)
    >>> TreeClassifier(UnivariateSplitter(criterion="gini"), max_depth=2).fit(X, y).get_n_leaves()
    3
    """

    splitter: Splitter | None = field(default=None, kw_only=False)

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return the one way to find splits."""
        if not isinstance(self.splitter, Splitter):
            raise ValueError(
                f"splitter is {self.splitter!r}; give a Splitter such as UnivariateSplitter()"
            )
        return [self.splitter]
