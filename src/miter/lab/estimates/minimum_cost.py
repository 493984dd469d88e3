"""Any classifier that knows probabilities, with answers of least expected cost."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from miter.data.costs import cost_matrix, least_cost

__all__ = ["MinimumCostClassifier"]


class MinimumCostClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier that is trained without costs and answers with the least expected cost.

    Parameters
    ----------
    estimator : classifier
        With `predict_proba`. A copy of it is fitted.
    costs : as for `miter.data.costs.cost_matrix`
        What errors cost. None: all the same, so that the most probable class is the answer.

    Attributes
    ----------
    estimator_ : classifier
        The fitted copy.
    classes_ : ndarray
        The labels, in the order of `predict_proba`.
    costs_ : ndarray of shape (n_classes, n_classes)
        Predicted classes as rows, true ones as columns.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from miter.lab import MinimumCostClassifier
    >>> X, y = [[0], [0], [0], [1]], ["good", "good", "bad", "good"]
    >>> costs = {"good": {"bad": 5}, "bad": {"good": 1}}
    >>> tree = DecisionTreeClassifier()
    >>> tree.fit(X, y).predict([[0], [1]]).tolist()
    ['good', 'good']
    >>> MinimumCostClassifier(tree, costs).fit(X, y).predict([[0], [1]]).tolist()
    ['bad', 'good']
    """

    estimator_: Any
    classes_: NDArray[Any]
    costs_: NDArray[np.float64]

    def __init__(self, estimator: Any, costs: Any = None) -> None:
        self.estimator = estimator
        self.costs = costs

    def fit(self, X: Any, y: Any = None, **parameters: Any) -> Self:
        """Fit a copy of the estimator; it knows nothing of the costs.

        Parameters
        ----------
        X, y
            What the estimator takes; a `Data` brings its own labels.
        **parameters
            For its `fit`, such as `sample_weight`.
        """
        if not hasattr(self.estimator, "predict_proba"):
            raise TypeError(
                f"{type(self.estimator).__name__} gives no probabilities, so expected costs are "
                "not known; use a learner with predict_proba"
            )
        y = y if y is None else column_or_1d(y, warn=True)
        self.estimator_ = clone(self.estimator).fit(X, y, **parameters)
        self.classes_ = self.estimator_.classes_
        self.costs_ = self._make_costs()
        return self

    def _make_costs(self) -> NDArray[np.float64]:
        if self.costs is None:
            return 1.0 - np.eye(len(self.classes_))
        return cost_matrix(self.costs, self.classes_.tolist())

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of least expected cost for every row."""
        check_is_fitted(self)
        return self.classes_[least_cost(self.predict_proba(X), self.costs_)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the estimator, in the order of `classes_`."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X), float)

    @property
    def n_features_in_(self) -> int:
        """Columns seen in `fit`."""
        check_is_fitted(self)
        return int(self.estimator_.n_features_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = self.estimator.__sklearn_tags__().input_tags
        return tags
