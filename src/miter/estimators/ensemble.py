"""Many trees on samples of the rows, all grown in one loop, and their answer."""

from __future__ import annotations

from contextlib import nullcontext
from math import sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from miter.checks import check_whole, is_whole
from miter.data.costs import cost_matrix, first_of_largest, least_cost
from miter.data.table import Data
from miter.estimators.fitted import TreesClassifier, importances_of
from miter.estimators.parameters import RunParameters, estimator
from miter.estimators.reading import read_training
from miter.estimators.tree import TreeEstimator, rows_for_importances
from miter.estimators.weights import scale_costs, weigh, with_costs
from miter.growing.growth import Growth
from miter.level import Sample
from miter.progress import ProgressLine
from miter.prune.pruning import left_out
from miter.tree import Tree

__all__ = ["TreeEnsemble"]

#: So many rows tell what the columns of each tree are worth.
ROWS_FOR_IMPORTANCES = 2000


@estimator
class TreeEnsemble(RunParameters, TreesClassifier):
    """Trees on samples of the rows; a subclass says how a tree is grown.

    Parameters
    ----------
    n_estimators : int
        How many trees.
    max_samples : int or float
        Rows drawn for each tree; a float is a share of the training rows.
    bootstrap : bool
        Whether rows are drawn with replacement.
    max_features : int, float, "sqrt" or None
        Columns, drawn anew for every node, that a split may test; a float is a share of them.
    oob_score : bool
        Whether to estimate accuracy on the rows that each tree has not seen.
    """

    n_estimators: int = 100
    max_samples: float = 1.0
    bootstrap: bool = True
    max_features: float | str | None = None
    oob_score: bool = False

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
        check_whole("n_estimators", self.n_estimators, 1)
        tree = self.make_tree()
        splitters, pruning, stopping = tree.check_settings()
        data = read_training(self, X, y, tree)
        costs = None if tree.costs is None else cost_matrix(tree.costs, data.schema.classes)
        data = with_costs(data, costs)
        data, mean_cost = scale_costs(weigh(data, sample_weight, tree.class_weight))
        random = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        samples = self._draw(data.n_rows, random)
        with ProgressLine() if self.verbose else nullcontext() as progress:
            growth = Growth(
                data,
                splitters,
                stopping,
                max_features=self._n_features(data.schema.n_columns),
                seed=int(random.integers(2**31)),
                n_threads=self.n_threads,
                progress=progress,
            )
            trees = pruning.grow_many(growth, samples)
        self.costs_ = costs
        rows = rows_for_importances(data, ROWS_FOR_IMPORTANCES)
        self._set_fitted([tree._answering(grown, mean_cost, rows) for grown in trees])
        if self.oob_score:
            self._estimate_out_of_bag(data, samples)
        return self

    @property
    def estimators_(self) -> list[TreeEstimator]:
        """The trees as estimators, each with its settings."""
        tree, state = self.make_tree(), self.state()
        return [clone(tree).restore([grown], state) for grown in self.trees_]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the trees' importances."""
        self._check_fitted()
        return np.mean([importances_of(tree) for tree in self.trees_], axis=0)

    def predict_shares(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the share of votes, or the mean probability, of each class for each row."""
        total = np.zeros((len(rows), len(self.classes_)))
        for tree in self.trees_:
            total += self._say(tree, rows)
        return total / len(self.trees_)

    def predict_codes(
        self, rows: NDArray[Any], costs: NDArray[np.float64] | None = None
    ) -> NDArray[np.int32]:
        """Return the position in `classes_` of the answer to each row; of equals the first.

        Mean probabilities are weighed by the costs; votes have been, by each tree for itself. With
        costs other than those that the trees were grown for, shares of votes are probabilities.
        """
        shares = self.predict_shares(rows)
        if costs is None and not self.counts_votes:
            costs = self.costs_
        best = first_of_largest(shares) if costs is None else least_cost(shares, costs)
        return best.astype(np.int32)

    def make_tree(self) -> TreeEstimator:
        """Return how a tree is grown; its costs, class weights and symbols are those of all."""
        raise NotImplementedError(f"{type(self).__name__} must define make_tree")

    @property
    def counts_votes(self) -> bool:
        """Whether trees vote; else their probabilities are averaged."""
        return False

    def _say(self, tree: Tree, rows: NDArray[Any]) -> NDArray[np.float64]:
        if self.counts_votes:
            return np.eye(len(self.classes_))[tree.predict(rows, self.n_threads)]
        return tree.predict_proba(rows, self.n_threads)

    def _draw(self, n_rows: int, random: np.random.Generator) -> list[Sample]:
        """Return the rows of each tree, ascending."""
        size = _amount("max_samples", self.max_samples, n_rows)
        return [
            Sample(np.sort(random.choice(n_rows, size, replace=self.bootstrap)).astype(np.int32))
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

    def _estimate_out_of_bag(self, data: Data, samples: list[Sample]) -> None:
        votes = np.zeros((data.n_rows, len(self.classes_)))
        for tree, sample in zip(self.trees_, samples, strict=True):
            rows = left_out(sample, data.n_rows)
            if len(rows):
                votes[rows] += self._say(tree, data.X[rows])
        n_votes = votes.sum(axis=1)
        seen = n_votes > 0
        if not seen.any():
            raise ValueError(
                "oob_score needs rows that trees have not seen; set bootstrap=True or draw fewer"
            )
        right = votes.argmax(axis=1) == data.labels
        self.oob_score_ = float(np.average(right[seen], weights=data.weight_of()[seen]))
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = votes / n_votes[:, None]


def _amount(name: str, value: float, whole: int) -> int:
    if is_whole(value):
        if 1 <= value <= whole:
            return int(value)
    elif isinstance(value, float) and 0 < value <= 1:
        return max(1, round(value * whole))
    raise ValueError(
        f"{name} is {value!r}; give a whole number up to {whole}, or a share above 0 and up to 1"
    )
