"""The tree estimator of which every family is a face."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from miter.checks import check_number, draw_seed
from miter.data.costs import cost_matrix
from miter.data.table import Data
from miter.errors import DataError
from miter.estimators.fitted import OneTree, TreesClassifier
from miter.estimators.parameters import RowParameters, RunParameters, SizeParameters, estimator
from miter.estimators.reading import needed, read_training, read_validation
from miter.estimators.training import Training, training_of
from miter.estimators.weights import weigh, weigh_rows, with_costs
from miter.growing.growth import Growth, Simpler, Variants
from miter.growing.stopping import Stopping
from miter.prune import Pruning, make_pruning
from miter.registry import collection_room
from miter.splitters import Splitter
from miter.tree import Tree

__all__ = ["SmoothedTreeEstimator", "TreeEstimator", "splitter_of"]

#: So many training rows tell what columns are worth.
ROWS_FOR_IMPORTANCES = 10_000


@estimator
class TreeEstimator(SizeParameters, RowParameters, RunParameters, OneTree, TreesClassifier):
    """A decision tree; a family is a subclass that says how splits are found.

    Parameters
    ----------
    pruning : Pruning, name of one, or None
        What takes splits out again after growing: "cross_validated", "pessimistic", "error_based",
        "mdl", "reduced_error", "cost_complexity", "cut_to_size", "same_answer" or, for many trees,
        "out_of_bag"; see `miter.prune`.
    significance : float, optional
        Keep a split only if it is significant at this level in a chi-squared test.
    """

    pruning: Pruning | str | None = None
    significance: float | None = None

    #: The splitter whose settings are the family's own parameters.
    splitter_class: ClassVar[type[Splitter]]
    #: Whether rows without a label take part in growing.
    takes_unlabelled: ClassVar[bool] = False

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
        self.check_settings()
        training = self._training(X, y, sample_weight, row_costs)
        return training.fit(self, X_val=X_val, y_val=y_val)

    def _training(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, row_costs: ArrayLike | None
    ) -> Training:
        """Return the rows to fit to, weighed, and with what mistakes about them cost."""
        if (room := collection_room(X)) is not None:
            given = {"y": y, "sample_weight": sample_weight, "row_costs": row_costs}
            partly = self.takes_unlabelled
            return room.training_on(self, self, X, needed(self, given), partly=partly)
        data, sample_weight, unlabelled = self._read_training(X, y, sample_weight)
        costs = None if self.costs is None else cost_matrix(self.costs, data.schema.classes)
        data = with_costs(data, costs, row_costs)
        return training_of(weigh(data, sample_weight, self.class_weight), costs, unlabelled)

    def fit_to(self, training: Training, X_val: Any = None, y_val: Any = None) -> Self:
        """Grow and prune a tree on rows that are read, wherever they are.

        Parameters
        ----------
        training : Training
            The rows.
        X_val, y_val : optional
            As for `fit`.
        """
        _, pruning, stopping = self.check_settings()
        data, costs, mean_cost = training.like, training.costs, training.mean_cost
        with self._progress_line() as progress:
            growth = training.growth(
                self.make_splitters(data),
                stopping,
                variants=self._variants(data),
                simpler=self._simpler(data),
                validation=self._read_validation(data, costs, mean_cost, X_val, y_val),
                smoothing=0.0 if data.costs is None else self._smoothing(has_costs=True),
                seed=draw_seed(self.random_state),
                n_threads=self.n_threads,
                progress=progress,
            )
            tree = self._grow(pruning, growth)
        self.costs_ = costs
        rows = training.some_rows(ROWS_FOR_IMPORTANCES)
        self._set_fitted([self._answering(tree, mean_cost, rows)])
        return self

    def predict_codes(
        self, rows: NDArray[Any], costs: NDArray[np.float64] | None = None
    ) -> NDArray[np.int32]:
        """Return the position in `classes_` of the answer to each row, coded as the schema says."""
        tree = self.tree_ if costs is None else self.tree_.answering_for(costs)
        return tree.predict(rows, self.n_threads)

    def predict_shares(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the class probabilities of each row, coded as the schema says."""
        return self.tree_.predict_proba(rows, self.n_threads)

    def pruned(
        self,
        by: Pruning | str,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Return a copy with its tree pruned; this one stays as it is.

        Parameters
        ----------
        by : Pruning or name of one
            How; see `miter.prune`.
        X, y, sample_weight : optional
            Rows for prunings that need some: rows that the tree was not grown on for
            "reduced_error", those that it was grown on for the branches that "error_based" raises.

        Examples
        --------
        >>> from miter import CutToSize, id3
        >>> from miter.data import play_tennis
        >>> tree = id3().fit(play_tennis())
        >>> tree.pruned(CutToSize(3)).get_n_leaves()
        3
        """
        pruning, tree = make_pruning(by), self.tree_
        # As while growing, a mistake of average cost counts 1.
        mean_cost = tree.mean_cost
        losses = None if tree.losses is None else tree.losses / mean_cost
        rows = self._rows_for_pruning(mean_cost, X, y, sample_weight)
        cut = pruning.prune(replace(tree, losses=losses), rows)
        if cut.losses is not None:
            cut = replace(cut, losses=cut.losses * mean_cost)
        result = copy(self)
        result._set_fitted([cut.with_importances(None if rows is None else rows.X)])
        return result

    def _rows_for_pruning(
        self, mean_cost: float, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> Data | None:
        schema, tree = self.schema_, self.tree_
        none = np.empty((0, schema.n_columns))
        costs = None if tree.losses is None else np.empty((0, schema.n_classes))
        like = Data(schema, none, np.empty(0, np.int32), costs=costs)
        rows = self._read_validation(like, self.costs_, mean_cost, X, y)
        return rows if rows is None else weigh_rows(rows, sample_weight)

    # ---- from the parameters to the engine -------------------------------------------------

    def check_settings(self) -> tuple[Sequence[Splitter], Pruning, Stopping]:
        """Return what the parameters mean to the engine; an error names one that means nothing."""
        return self.make_splitters(), self.make_pruning(), self._stopping()

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return ways to find splits: cross-validation chooses, without it the first is used.

        They may depend on the training rows; None where these are not known yet.
        """
        return [splitter_of(self, self.splitter_class)]

    def make_pruning(self) -> Pruning:
        """Return what takes splits out again."""
        return make_pruning(self.pruning)

    def _variants(self, data: Data) -> Sequence[Variants]:
        """Return questions about the best way so far, for cross-validation to ask."""
        return ()

    def _grow(self, pruning: Pruning, growth: Growth) -> Tree:
        return pruning.grow(growth)

    def _simpler(self, data: Data) -> Simpler | None:
        """Return how to make a splitter simpler, for cross-validation to try; None: not at all."""
        return None

    def _stopping(self) -> Stopping:
        return Stopping(
            self.max_depth, self.min_samples_split, self.min_samples_leaf, self.significance
        )

    def _smoothing(self, *, has_costs: bool) -> float:
        """Return how many rows of its parent are added to a node when it answers.

        Where one mistake costs far more than another, a leaf of two rows must not be sure.
        """
        return 1.0 if has_costs else 0.0

    def _answering(self, tree: Tree, mean_cost: float, rows: NDArray[Any]) -> Tree:
        """Return a tree as it answers: smoothed, its losses in the user's units.

        Some of the training rows tell what its columns are worth.
        """
        losses = None if tree.losses is None else tree.losses * mean_cost
        smoothing = self._smoothing(has_costs=losses is not None)
        if tree.sums_terms:
            tree = tree.with_importances(rows, self.n_threads)
        return replace(tree, losses=losses, smoothing=smoothing)

    def _read_training(
        self, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> tuple[Data, ArrayLike | None, Data | None]:
        """Return rows with labels, their weights, and rows without labels; None: there are none."""
        return read_training(self, X, y, self), sample_weight, None

    def _read_validation(
        self, data: Data, costs: NDArray[np.float64] | None, mean_cost: float, X: Any, y: Any
    ) -> Data | None:
        validation = read_validation(self, data, X, y)
        if validation is None or data.costs is None:
            return validation
        if costs is None:
            raise DataError(
                "validation rows have no costs of their own; leave X_val out, or give costs"
            )
        return replace(validation, costs=costs.T[validation.labels] / mean_cost)


@estimator
class SmoothedTreeEstimator(TreeEstimator):
    """A tree whose leaves are as sure as `smoothing` says.

    Parameters
    ----------
    smoothing : float
        So many rows with the parent's probabilities are added to those of a leaf, and so on up to
        the root: a leaf of few rows is not sure.
    """

    smoothing: float = 1.0

    def check_settings(self) -> tuple[Sequence[Splitter], Pruning, Stopping]:
        """Return what the parameters mean to the engine; an error names one that means nothing."""
        check_number("smoothing", self.smoothing, least=0)
        return super().check_settings()

    def _smoothing(self, *, has_costs: bool) -> float:
        return float(self.smoothing)


def splitter_of(model: Any, kind: type[Splitter], **others: Any) -> Any:
    """Return a splitter whose settings are the parameters of the same names of an estimator."""
    settings = vars(model)
    shared = [field.name for field in fields(kind) if field.name in settings]  # type: ignore[arg-type]
    return kind(**{name: settings[name] for name in shared} | others)
