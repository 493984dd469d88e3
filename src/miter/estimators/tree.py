"""The scikit-learn estimators: thin faces of one tree estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from miter.data.costs import cost_matrix
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.estimators.reading import (
    ReadsTables,
    price,
    read_rows,
    read_training,
    read_validation,
    scale_costs,
    weigh,
)
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.progress import ProgressLine
from miter.prune import PRUNERS, CrossValidated, Pruner
from miter.prune.choice import Simpler, grow_chosen
from miter.splitters import Splitter
from miter.tree import Tree

__all__ = ["TreeClassifier"]


class TreeClassifier(ReadsTables, ClassifierMixin, BaseEstimator):
    """A decision tree whose nodes are tests of any kind.

    Parameters
    ----------
    splitter : Splitter
        Finds the split of a node; see `miter.splitters`.
    pruning : Pruner, {"cross_validated", "pessimistic", "reduced_error", "cost_complexity"} or None
        What takes splits out again after growing.
    max_depth : int, optional
        Splits on the longest path; None: as deep as it gets.
    min_samples_split : int or float
        A node with less weight is a leaf; a float is a share of the training set.
    min_samples_leaf : int or float
        Two branches at least must have this weight; a float is a share of the training set.
    significance : float, optional
        Keep a split only if it is significant at this level in a chi-squared test.
    costs : array, mapping, DataFrame, str, path, Focus or None
        What mistakes cost; see `miter.data.costs.cost_matrix`. They enter training, the choice of
        splits, the labels of leaves and pruning. None: all cost the same.
    class_weight : dict, "balanced" or None
        Weights of classes, as in scikit-learn.
    categorical_features : "from_dtype", or array of bool, int or str
        Which columns are symbolic. By default texts, categories and booleans of a frame.
    random_state : int, RandomState or None
        For splitters and pruners that use chance.
    n_threads : int, optional
        None: all cores. The tree does not depend on it.
    verbose : bool
        Show a line of progress once growing takes more than a second.

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

    tree_: Tree
    classes_: NDArray[Any]
    costs_: NDArray[np.float64] | None
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        splitter: Splitter | None = None,
        *,
        pruning: Pruner | str | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        significance: float | None = None,
        costs: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: str | Sequence[Any] = "from_dtype",
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.splitter = splitter
        self.pruning = pruning
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.significance = significance
        self.costs = costs
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        row_costs: ArrayLike | None = None,
        X_val: Any = None,
        y_val: Any = None,
    ) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : DataFrame, array or Data
            Training rows; symbols and missing values may be in it. A `Data` brings its own labels.
        y : sequence
            Class labels.
        sample_weight : array, optional
            How often each row counts.
        row_costs : array of shape (n_rows, n_classes), optional
            What each class, in sorted order, costs as the answer to each row; in place of `costs`,
            where costs depend on the row.
        X_val, y_val : optional
            Rows for pruning, where the pruning uses some; else it holds out its own.

        Returns
        -------
        self
        """
        _, pruner, stopping = self.check_settings()
        data, sample_weight, unlabelled = self._read_training(X, y, sample_weight)
        matrix = None if self.costs is None else cost_matrix(self.costs, data.schema.classes)
        data = price(data, matrix, row_costs)
        data, unit = scale_costs(weigh(data, sample_weight, self.class_weight))
        splitters = self._make_splitters(data)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        validation = self._read_validation(data, matrix, unit, X_val, y_val)
        if pruner is not None and validation is None:
            data, validation = pruner.hold_out(data, np.random.default_rng(seed))
        progress = ProgressLine() if self.verbose else None
        run: dict[str, Any] = {
            "smoothing": 0.0 if data.costs is None else self._smoothing(has_costs=True),
            "seed": seed,
            "n_threads": self.n_threads,
            "progress": progress,
        }
        try:
            if isinstance(pruner, CrossValidated):
                tree = grow_chosen(
                    data, splitters, pruner, stopping, simpler=self._simpler(data), **run
                )
            else:
                tree = grow(data, splitters[0], stopping, unlabelled=unlabelled, **run)
                tree = tree if pruner is None else pruner.prune(tree, validation)
        finally:
            if progress is not None:
                progress.close()
        if tree.losses is not None:
            tree = replace(tree, losses=tree.losses * unit)
        return self._set_fitted(tree, matrix)

    def predict(self, X: Any, costs: Any = None) -> NDArray[Any]:
        """Return the class of every row.

        Parameters
        ----------
        X : DataFrame, array or Data
            Rows like those of `fit`.
        costs : optional
            Answer for these costs, in place of those that the tree was grown for.
        """
        tree = self._fitted_tree()
        rows = read_rows(self, X, tree.schema)
        if costs is not None:
            tree = tree.answering_for(cost_matrix(costs, tree.schema.classes))
        return self.classes_.take(tree.predict(rows, self.n_threads))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class probabilities of every row, in the order of `classes_`."""
        tree = self._fitted_tree()
        matrix = read_rows(self, X, tree.schema)
        return tree.predict_proba(matrix, self.n_threads)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the number of the node where every row ends; see `Tree.apply`."""
        tree = self._fitted_tree()
        matrix = read_rows(self, X, tree.schema)
        return tree.apply(matrix, self.n_threads)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix, rows x nodes, with 1 for every node that a row visits."""
        tree = self._fitted_tree()
        matrix = read_rows(self, X, tree.schema)
        start, nodes = tree.paths(matrix)
        return csr_matrix(
            (np.ones(len(nodes), np.int64), nodes, start), (len(matrix), tree.n_nodes)
        )

    def get_depth(self) -> int:
        """Return the number of splits on the longest path."""
        return self._fitted_tree().depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self._fitted_tree().n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's part of the information gained by all splits."""
        return self._fitted_tree().importances()

    # ---- from the parameters to the engine -------------------------------------------------

    def check_settings(self) -> tuple[Sequence[Splitter], Pruner | None, Stopping]:
        """Return what the parameters mean to the engine; an error names one that means nothing."""
        return self._make_splitters(), self._make_pruner(), self._stopping()

    def _read_training(
        self, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> tuple[Data, ArrayLike | None, Data | None]:
        """Return rows with labels, their weights, and rows without labels; None: there are none."""
        return read_training(self, X, y, self.categorical_features), sample_weight, None

    def _make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return ways to find splits: cross-validation chooses, without it the first is used.

        They may depend on the training rows; None where these are not known yet.
        """
        if not isinstance(self.splitter, Splitter):
            raise ValueError(
                f"splitter is {self.splitter!r}; give a Splitter such as UnivariateSplitter()"
            )
        return [self.splitter]

    def _simpler(self, data: Data) -> Simpler | None:
        """Return how to make a splitter simpler, for cross-validation to try; None: not at all."""
        return None

    def _make_pruner(self) -> Pruner | None:
        if self.pruning is None or isinstance(self.pruning, Pruner):
            return self.pruning
        if self.pruning not in PRUNERS:
            raise ValueError(
                f"pruning is {self.pruning!r}; {did_you_mean(str(self.pruning), PRUNERS)}"
            )
        return PRUNERS[self.pruning]()

    def _stopping(self) -> Stopping:
        return Stopping(
            self.max_depth, self.min_samples_split, self.min_samples_leaf, self.significance
        )

    def _fitted_tree(self) -> Tree:
        if not hasattr(self, "tree_"):
            check_is_fitted(self)  # raises; it is too slow to be asked before every prediction
        return self.tree_

    def _smoothing(self, *, has_costs: bool) -> float:
        """Return how many rows of its parent are added to a node when it answers.

        Where one mistake costs far more than another, a leaf of two rows must not be sure.
        """
        return 1.0 if has_costs else 0.0

    def _read_validation(
        self, data: Data, matrix: NDArray[np.float64] | None, unit: float, X_val: Any, y_val: Any
    ) -> Data | None:
        validation = read_validation(self, data, X_val, y_val)
        if validation is None or data.costs is None:
            return validation
        if matrix is None:
            raise DataError(
                "validation rows have no costs of their own; leave X_val out, or give costs"
            )
        return replace(validation, costs=matrix.T[validation.labels] / unit)

    def _set_fitted(self, tree: Tree, costs: NDArray[np.float64] | None = None) -> Self:
        self.tree_ = replace(tree, smoothing=self._smoothing(has_costs=tree.losses is not None))
        self.costs_ = costs
        self.classes_ = np.array(tree.schema.classes)
        self.n_features_in_ = tree.schema.n_columns
        return self
