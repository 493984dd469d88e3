"""CART as scikit-learn has it, pruned by cost-complexity with a cross-validated alpha."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier


class PrunedCart(ClassifierMixin, BaseEstimator):
    """Grows the tree fully and prunes it with the alpha that is best in cross-validation.

    Parameters
    ----------
    n_folds : int
        Of the cross-validation.
    n_alphas : int
        At most so many are tried, evenly taken from those at which the full tree changes.
    random_state : int, optional
        For the folds and the order of columns.
    """

    def __init__(self, n_folds: int = 5, n_alphas: int = 40, random_state: int | None = None):
        self.n_folds = n_folds
        self.n_alphas = n_alphas
        self.random_state = random_state

    def fit(self, X, y):
        """Choose alpha and grow the tree."""
        alphas = self._alphas(X, y)
        right = np.zeros(len(alphas))
        folds = StratifiedKFold(self.n_folds, shuffle=True, random_state=self.random_state)
        for train, test in folds.split(X, y):
            for place, alpha in enumerate(alphas):
                tree = self._tree(alpha).fit(X[train], y[train])
                right[place] += np.sum(tree.predict(X[test]) == y[test])
        best = alphas[right == right.max()].max()  # the smallest of the best trees
        self.model_ = self._tree(best).fit(X, y)
        self.tree_ = self.model_.tree_
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        """Return classes."""
        return self.model_.predict(X)

    def _tree(self, alpha: float) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(ccp_alpha=alpha, random_state=self.random_state)

    def _alphas(self, X, y) -> np.ndarray:
        """Return the geometric means of neighbouring alphas, as CART takes them, and 0."""
        path = np.unique(self._tree(0.0).cost_complexity_pruning_path(X, y).ccp_alphas.clip(0))
        between = np.sqrt(path[:-1] * path[1:])
        candidates = np.unique(np.append(between, [0.0, path[-1]]))
        places = np.linspace(0, len(candidates) - 1, min(self.n_alphas, len(candidates)))
        return candidates[np.unique(places.round().astype(int))]
