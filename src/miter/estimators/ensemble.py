"""Many trees on samples of the rows, all grown in one loop, and their answer."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from miter.checks import check_flag, check_whole, draw_seed
from miter.data.costs import cost_matrix, first_of_largest, least_cost
from miter.estimators.fitted import TreesClassifier, importances_of
from miter.estimators.parameters import RunParameters, estimator
from miter.estimators.reading import needed, read_training
from miter.estimators.training import Training, amount_of, training_of
from miter.estimators.tree import TreeEstimator
from miter.estimators.weights import weigh, with_costs
from miter.growing.growth import Drawn
from miter.registry import collection_room
from miter.splitters import Splitter
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
        for name in ("bootstrap", "oob_score"):
            check_flag(name, getattr(self, name))
        tree = self.make_tree()
        tree.check_settings()
        self.make_ways(tree)
        return self._training(tree, X, y, sample_weight).fit(self)

    def _training(
        self, tree: TreeEstimator, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> Training:
        """Return the rows to fit to, weighed, and with what mistakes about them cost."""
        if (room := collection_room(X)) is not None:
            given = needed(self, {"y": y, "sample_weight": sample_weight})
            return room.training_on(self, tree, X, given)
        data = read_training(self, X, y, tree)
        costs = None if tree.costs is None else cost_matrix(tree.costs, data.schema.classes)
        return training_of(weigh(with_costs(data, costs), sample_weight, tree.class_weight), costs)

    def fit_to(self, training: Training) -> Self:
        """Grow the trees on rows that are read, wherever they are.

        Parameters
        ----------
        training : Training
            The rows.
        """
        tree = self.make_tree()
        _, pruning, stopping = tree.check_settings()
        random = np.random.default_rng(draw_seed(self.random_state))
        drawn = self.n_estimators, self.max_samples, random
        samples = training.draw(*drawn, replace=self.bootstrap)
        with self._progress_line() as progress:
            growth = training.growth(
                self.make_ways(tree),
                stopping,
                max_features=self._n_features(training.like.schema.n_columns),
                seed=int(random.integers(2**31)),
                n_threads=self.n_threads,
                progress=progress,
            )
            trees = pruning.grow_many(growth, samples)
        self.costs_ = training.costs
        rows = training.some_rows(ROWS_FOR_IMPORTANCES)
        self._set_fitted([tree._answering(grown, training.mean_cost, rows) for grown in trees])
        if self.oob_score:
            self._estimate_out_of_bag(training, samples)
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

    def make_ways(self, tree: TreeEstimator) -> Sequence[Splitter]:
        """Return ways to find splits, in which the trees take turns."""
        return tree.make_splitters()[:1]

    @property
    def counts_votes(self) -> bool:
        """Whether trees vote; else their probabilities are averaged."""
        return False

    def _say(self, tree: Tree, rows: NDArray[Any]) -> NDArray[np.float64]:
        if self.counts_votes:
            return np.eye(len(self.classes_))[tree.predict(rows, self.n_threads)]
        return tree.predict_proba(rows, self.n_threads)

    def _n_features(self, n_columns: int) -> int | None:
        if self.max_features is None:
            return None
        if self.max_features == "sqrt":
            return max(1, round(sqrt(n_columns)))
        if isinstance(self.max_features, str):
            raise ValueError(
                f"max_features is {self.max_features!r}; give a number, 'sqrt' or None"
            )
        return amount_of("max_features", self.max_features, n_columns)

    def _estimate_out_of_bag(self, training: Training, samples: Sequence[Drawn]) -> None:
        judges = training.judges(samples)
        votes = np.zeros((judges.data.n_rows, len(self.classes_)))
        for tree, rows in zip(self.trees_, judges.unseen, strict=True):
            if len(rows):
                votes[rows] += self._say(tree, judges.data.X[rows])
        n_votes = votes.sum(axis=1)
        seen = n_votes > 0
        if not seen.any():
            raise ValueError(
                "oob_score needs rows that trees have not seen; set bootstrap=True or draw fewer"
            )
        right = votes.argmax(axis=1) == judges.data.labels
        self.oob_score_ = float(np.average(right[seen], weights=judges.data.weight_of()[seen]))
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = votes / n_votes[:, None]
