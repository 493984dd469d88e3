"""What a fitted model is to the rest of the house, whether it is one tree or many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from miter.data.costs import cost_matrix
from miter.data.schema import Schema
from miter.estimators.reading import ReadsTables, read_rows
from miter.registry import collection_room, notebook_html
from miter.tree import Tree

__all__ = ["Fitted", "FittedTrees", "OneTree", "TreesClassifier", "importances_of", "row_by_row"]


Answers = TypeVar("Answers", bound=Callable[..., Any])


def row_by_row(method: Answers) -> Answers:
    """Let a method that answers each row by itself take rows in partitions, too."""

    @wraps(method)
    def answer(self: Any, X: Any, *others: Any, **settings: Any) -> Any:
        room = collection_room(X)
        if room is None:
            return method(self, X, *others, **settings)
        self._check_fitted()
        return room.answers_of(self, method.__name__, X, others, settings)

    return cast(Answers, answer)


@runtime_checkable
class Fitted(Protocol):
    """A fitted model, as the laboratory, the command line, pixels and the model file see it."""

    @property
    def schema_(self) -> Schema:
        """The columns that it reads and the classes that it answers with."""

    @property
    def trees_(self) -> Sequence[Tree]:
        """Its trees."""

    def predict_codes(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        """Return the position among the classes of the answer to each row, coded as the schema."""

    @property
    def state_types(self) -> Mapping[str, Any]:
        """The names of what its state holds, and their types: a file may hold anything."""

    def state(self) -> dict[str, Any]:
        """Return what it has learned beside its trees, as plain values."""

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any] = {}) -> Self:
        """Become the fitted model that has these trees and this state."""


class ShowsItself:
    """Shows a fitted model in notebooks, below scikit-learn's own diagram."""

    @property
    def _repr_html_(self) -> Callable[[], str]:
        # An AttributeError where scikit-learn is told to draw no diagrams.
        diagram: Callable[[], str] = super()._repr_html_  # type: ignore[misc]
        return lambda: diagram() + self._shown()

    def _repr_mimebundle_(self, **wishes: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**wishes)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += self._shown()
        return bundle

    def _shown(self) -> str:
        return notebook_html(self) if hasattr(self, "trees_") else ""


class FittedTrees(ShowsItself, ReadsTables, BaseEstimator):
    """What estimators made of trees are once they are fitted: all of `Fitted` but answers."""

    state_types: ClassVar[Mapping[str, Any]] = {"has_feature_names": bool}

    @property
    def schema_(self) -> Schema:
        """The columns that it reads and the classes that it answers with."""
        self._check_fitted()
        return self.trees_[0].schema

    def state(self) -> dict[str, Any]:
        """Return what was learned beside the trees, as plain values."""
        self._check_fitted()
        return {"has_feature_names": hasattr(self, "feature_names_in_")}

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any] = {}) -> Self:
        """Become the fitted model that has these trees and this state."""
        self._set_fitted(trees)
        sources, ignored = self.schema_.sources, self.schema_.ignored
        if state.get("has_feature_names"):
            self.feature_names_in_ = np.array([*sources, *ignored], object)
        # Columns left out count where `fit` was given them: not where a file was read before.
        was_given = hasattr(self, "feature_names_in_") or all(map(_is_position, ignored))
        self.n_features_in_ = len(sources) + len(ignored) * was_given
        return self

    def _set_fitted(self, trees: Sequence[Tree]) -> None:
        self.trees_ = tuple(trees)

    def _check_fitted(self) -> None:
        if not hasattr(self, "trees_"):
            check_is_fitted(self)  # raises; it is too slow to be asked before every prediction

    def _columns_tested(self) -> list[int]:
        """Return the columns that rows are asked for, ascending."""
        columns = [tree.columns for tree in self.trees_]
        return (columns[0] if len(columns) == 1 else np.unique(np.concatenate(columns))).tolist()

    def _rows(self, X: Any) -> NDArray[Any]:
        """Return rows as the trees read them; what no split tests is not read, and holds 0."""
        return read_rows(self, X, self.schema_, used=self._columns_tested())


def _is_position(name: str) -> bool:
    """Whether it is what a column of an array is called."""
    return name[:1] == "x" and name[1:].isdecimal()


class TreesClassifier(ClassifierMixin, FittedTrees):
    """What classifiers of one tree and of many have in common.

    A subclass gives `predict_codes` and `predict_shares`.
    """

    state_types: ClassVar[Mapping[str, Any]] = {
        **FittedTrees.state_types,
        "costs": tuple[tuple[float, ...], ...] | None,
    }

    @row_by_row
    def predict(self, X: Any, costs: Any = None) -> NDArray[Any]:
        """Return the class of every row.

        Parameters
        ----------
        X : DataFrame, array or Data
            Rows like those of `fit`.
        costs : optional
            Answer for these costs, in place of those that it was fitted for.
        """
        rows = self._rows(X)
        matrix = None if costs is None else cost_matrix(costs, self.schema_.classes)
        return self.classes_.take(self.predict_codes(rows, matrix))

    @row_by_row
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class probabilities of every row, in the order of `classes_`."""
        return self.predict_shares(self._rows(X))

    @row_by_row
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithms of the class probabilities of every row."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict_codes(
        self, rows: NDArray[Any], costs: NDArray[np.float64] | None = None
    ) -> NDArray[np.int32]:
        """Return the position in `classes_` of the answer to each row, coded as the schema says."""
        raise NotImplementedError(f"{type(self).__name__} must define predict_codes")

    def predict_shares(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the class probabilities of each row, coded as the schema says."""
        raise NotImplementedError(f"{type(self).__name__} must define predict_shares")

    def state(self) -> dict[str, Any]:
        """Return what was learned beside the trees, as plain values."""
        state = super().state()
        return state | {"costs": None if self.costs_ is None else self.costs_.tolist()}

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any] = {}) -> Self:
        """Become the fitted classifier that has these trees and this state."""
        costs = state.get("costs")
        classes = trees[0].schema.classes
        self.costs_ = None if costs is None else cost_matrix(costs, classes)
        return super().restore(trees, state)

    def _set_fitted(self, trees: Sequence[Tree]) -> None:
        super()._set_fitted(trees)
        self.classes_ = np.array(self.schema_.classes)


def importances_of(tree: Tree) -> NDArray[np.float64]:
    """Return the importances of a tree; one that does not know them credits columns equally."""
    if tree.importances is None:
        tree = tree.with_importances()
    assert tree.importances is not None
    return tree.importances


class OneTree(FittedTrees):
    """What can be asked of a model that is one tree."""

    n_threads: int | None

    @property
    def tree_(self) -> Tree:
        """What was learned."""
        self._check_fitted()
        return self.trees_[0]

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any] = {}) -> Self:
        """Become the fitted model that has this tree and this state."""
        if len(trees) != 1:
            raise ValueError(f"a {type(self).__name__} has one tree, not {len(trees)}")
        return super().restore(trees, state)

    @row_by_row
    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the number of the node where every row ends; see `Tree.apply`."""
        rows = self._rows(X)
        return self.tree_.apply(rows, self.n_threads)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix, rows x nodes, with 1 for every node that a row visits."""
        rows = self._rows(X)
        start, nodes = self.tree_.paths(rows)
        shape = len(rows), self.tree_.n_nodes
        return csr_matrix((np.ones(len(nodes), np.int64), nodes, start), shape)

    def get_depth(self) -> int:
        """Return the number of splits on the longest path."""
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's part of the information gained by all splits."""
        return importances_of(self.tree_)
