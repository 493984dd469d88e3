"""Many trees in place of one: bagging.

*Lecture 3: Decision Tree Learning* (2D5362), 'Bagging'; Breiman 1996, *Bagging predictors*. With
`max_features` every node may test only some columns, as in a random forest (Breiman 2001).

Differs from the lecture: nothing. Trees whose pruning needs validation rows get the rows that
their own sample left out; those that would be pruned by cross-validation are not pruned.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from miter.data.costs import cost_matrix, least_cost
from miter.data.table import Data
from miter.errors import did_you_mean
from miter.estimators.reading import (
    ReadsTables,
    price,
    read_rows,
    read_training,
    scale_costs,
    weigh,
)
from miter.estimators.tree import TreeClassifier
from miter.estimators.univariate import UnivariateTreeClassifier
from miter.growing.loop import grow_forest
from miter.progress import ProgressLine
from miter.prune import CrossValidated, Pruner
from miter.tree import Tree

__all__ = ["BaggedTreesClassifier"]

VOTING = ("majority", "average")


class BaggedTreesClassifier(ReadsTables, ClassifierMixin, BaseEstimator):
    """Trees grown on bootstrap samples of the rows; the majority decides.

    Parameters
    ----------
    estimator : TreeClassifier, optional
        How a tree is grown and pruned; by default an unpruned `UnivariateTreeClassifier`. Its
        `costs`, `class_weight` and `categorical_features` are those of all trees.
    n_estimators : int
        How many trees.
    max_samples : int or float
        Rows drawn for each tree; a float is a share of the training rows.
    bootstrap : bool
        Whether rows are drawn with replacement.
    max_features : int, float, "sqrt" or None
        Columns, drawn anew for every node, that a split may test; a float is a share of them.
    voting : {"majority", "average"}
        Count the trees' votes, or average their probabilities.
    oob_score : bool
        Whether to estimate accuracy on the rows that each tree has not seen.
    random_state : int, RandomState or None
        Draws rows and columns.
    n_threads : int, optional
        None: all cores. The trees do not depend on it.
    verbose : bool
        Show a line of progress once growing takes more than a second.

    Attributes
    ----------
    estimators_ : list of TreeClassifier
        The fitted trees.
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

    estimators_: list[TreeClassifier]
    classes_: NDArray[Any]
    costs_: NDArray[np.float64] | None
    n_features_in_: int

    def __init__(
        self,
        estimator: TreeClassifier | None = None,
        n_estimators: int = 100,
        *,
        max_samples: float = 1.0,
        bootstrap: bool = True,
        max_features: float | str | None = None,
        voting: str = "majority",
        oob_score: bool = False,
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_features = max_features
        self.voting = voting
        self.oob_score = oob_score
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : DataFrame, array or Data
            Training rows, as for `TreeClassifier.fit`.
        y : sequence
            Class labels.
        sample_weight : array, optional
            How much each row counts when it is drawn.

        Returns
        -------
        self
        """
        self._check_parameters()
        estimator = self._make_estimator()
        splitters, pruner, stopping = estimator.check_settings()
        data = read_training(self, X, y, estimator.categorical_features)
        costs = estimator.costs
        matrix = None if costs is None else cost_matrix(costs, data.schema.classes)
        data = weigh(price(data, matrix), sample_weight, estimator.class_weight)
        data, unit = scale_costs(data)
        random = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        samples = self._draw(data.n_rows, random)
        progress = ProgressLine() if self.verbose else None
        try:
            trees = grow_forest(
                data,
                splitters[0],
                samples,
                stopping,
                max_features=self._n_features(data.schema.n_columns),
                seed=int(random.integers(2**31)),
                n_threads=self.n_threads,
                progress=progress,
            )
        finally:
            if progress is not None:
                progress.close()
        if pruner is not None and not isinstance(pruner, CrossValidated):
            trees = _prune(pruner, trees, samples, data)
        if data.costs is not None:
            trees = [replace(tree, losses=unit * tree.training_losses) for tree in trees]
        self.estimators_ = [clone(estimator)._set_fitted(tree, matrix) for tree in trees]
        self.costs_ = matrix
        self.classes_ = np.array(data.schema.classes)
        if self.oob_score:
            self._estimate_out_of_bag(data, samples)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of votes, or the mean probability, of each class for every row."""
        check_is_fitted(self)
        matrix = read_rows(self, X, self.estimators_[0].tree_.schema)
        total = np.zeros((len(matrix), len(self.classes_)))
        for estimator in self.estimators_:
            total += self._say(estimator.tree_, matrix)
        return total / len(self.estimators_)

    def predict(self, X: Any, costs: Any = None) -> NDArray[Any]:
        """Return the class that most trees vote for; of equals the first.

        Mean probabilities are weighed by the costs; votes have been, by each tree for itself.

        Parameters
        ----------
        X : DataFrame, array or Data
            Rows like those of `fit`.
        costs : optional
            Answer for these costs, in place of those that the trees were grown for; shares of votes
            are then taken for probabilities.
        """
        shares = self.predict_proba(X)
        matrix = self.costs_ if self.voting == "average" else None
        if costs is not None:
            matrix = cost_matrix(costs, self.classes_.tolist())
        best = shares.argmax(axis=1) if matrix is None else least_cost(shares, matrix)
        return self.classes_.take(best)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the trees' importances."""
        check_is_fitted(self)
        return np.mean([tree.feature_importances_ for tree in self.estimators_], axis=0)

    def _say(self, tree: Tree, matrix: NDArray[Any]) -> NDArray[np.float64]:
        if self.voting == "average":
            return tree.predict_proba(matrix, self.n_threads)
        return np.eye(len(self.classes_))[tree.predict(matrix, self.n_threads)]

    def _check_parameters(self) -> None:
        if self.voting not in VOTING:
            raise ValueError(f"voting is {self.voting!r}; {did_you_mean(str(self.voting), VOTING)}")
        if not isinstance(self.n_estimators, int | np.integer) or self.n_estimators < 1:
            raise ValueError(f"n_estimators is {self.n_estimators!r}; give 1 or more")

    def _make_estimator(self) -> TreeClassifier:
        if self.estimator is None:
            return UnivariateTreeClassifier("gain", pruning=None, min_samples_leaf=1)
        if not isinstance(self.estimator, TreeClassifier):
            raise ValueError(
                f"estimator is {self.estimator!r}; give a tree of Miter's, such as id3()"
            )
        return clone(self.estimator)

    def _draw(self, n_rows: int, random: np.random.Generator) -> list[NDArray[np.int32]]:
        """Return the rows of each tree, ascending."""
        size = _amount("max_samples", self.max_samples, n_rows)
        return [
            np.sort(random.choice(n_rows, size, replace=self.bootstrap)).astype(np.int32)
            for _ in range(self.n_estimators)
        ]

    def _n_features(self, n_columns: int) -> int | None:
        if self.max_features is None:
            return None
        if self.max_features == "sqrt":
            return max(1, round(sqrt(n_columns)))
        if isinstance(self.max_features, str):
            raise ValueError(
                f"max_features is {self.max_features!r}; give a number, 'sqrt' or None"
            )
        return _amount("max_features", self.max_features, n_columns)

    def _estimate_out_of_bag(self, data: Data, samples: list[NDArray[np.int32]]) -> None:
        votes = np.zeros((data.n_rows, len(self.classes_)))
        for estimator, sample in zip(self.estimators_, samples, strict=True):
            rows = _left_out(sample, data.n_rows)
            if len(rows):
                votes[rows] += self._say(estimator.tree_, data.X[rows])
        n_votes = votes.sum(axis=1)
        seen = n_votes > 0
        if not seen.any():
            raise ValueError(
                "oob_score needs rows that trees have not seen; set bootstrap=True or draw fewer"
            )
        right = votes.argmax(axis=1) == data.labels
        self.oob_score_ = float(np.average(right[seen], weights=_weights(data)[seen]))
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = votes / n_votes[:, None]


def _prune(
    pruner: Pruner, trees: list[Tree], samples: list[NDArray[np.int32]], data: Data
) -> list[Tree]:
    return [
        pruner.prune(tree, data.take(_left_out(sample, data.n_rows)))
        for tree, sample in zip(trees, samples, strict=True)
    ]


def _left_out(sample: NDArray[np.int32], n_rows: int) -> NDArray[np.int64]:
    left_out = np.ones(n_rows, bool)
    left_out[sample] = False
    return np.flatnonzero(left_out)


def _weights(data: Data) -> NDArray[np.float64]:
    return np.ones(data.n_rows) if data.weight is None else data.weight


def _amount(name: str, value: float, whole: int) -> int:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if 1 <= value <= whole:
            return int(value)
    elif isinstance(value, float) and 0 < value <= 1:
        return max(1, round(value * whole))
    raise ValueError(
        f"{name} is {value!r}; give a whole number up to {whole}, or a share above 0 and up to 1"
    )
