"""How much a person must read to follow a model: its terms, and those on the way of a row."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from miter.data.table import Data
from miter.estimators.fitted import FittedTrees
from miter.estimators.reading import read_rows
from miter.lab.estimates.minimum_cost import MinimumCostClassifier
from miter.lab.estimates.tree_size import measure_size
from miter.tree import Tree

__all__ = ["reading_length", "terms"]


@overload
def terms(model: Any) -> int: ...
@overload
def terms(model: Any, X: ArrayLike | Data | Any) -> NDArray[np.int64]: ...


def terms(model: Any, X: Any = None) -> int | NDArray[np.int64]:
    """Count what a person must read: the terms of a model, or those on the path of each row.

    A test of one column counts 1, whatever its kind; a sum one for each number, condition, side of
    a bent number and value of a symbol in it; a machine of K classes K - 1 times the terms of one
    of its sums; a network the terms of all its hidden units. An ensemble counts all of its trees.

    Parameters
    ----------
    model : estimator or Tree
        Fitted: of Miter, a tree or an ensemble of scikit-learn's, or a pipeline around one.
    X : DataFrame, array or Data, optional
        Rows like those of `fit`.

    Returns
    -------
    int, or ndarray of shape (n_rows,)
        Terms of the whole model; with `X`, those of the tests that each row meets. A row that a
        missing value shares out over several branches follows the largest part.

    Raises
    ------
    TypeError
        When the model is not made of trees.

    Examples
    --------
    >>> from miter import id3, terms
    >>> from miter.data import play_tennis
    >>> model = id3().fit(play_tennis())
    >>> terms(model)
    5
    >>> terms(model, play_tennis())[:4]
    array([2, 2, 1, 2])
    """
    if isinstance(model, Tree):
        return int(model.terms.sum()) if X is None else _on_paths(model, np.asarray(X))
    check_is_fitted(model)
    size = measure_size(model)
    if size is None:
        raise TypeError(
            f"{type(model).__name__} is not made of trees, so there are no terms to count; "
            "give a fitted tree, an ensemble of trees, or a pipeline that ends with one"
        )
    return size.terms if X is None else _of_rows(model, X)


def reading_length(model: Any, X: Any) -> dict[str, Any]:
    """Return terms of a model and mean terms on paths of rows, or nothing if it has no trees."""
    size = measure_size(model)
    if size is None:
        return {}
    return {"terms": size.terms, "path_terms": float(np.mean(_of_rows(model, X)))}


def _of_rows(model: Any, X: Any) -> NDArray[np.int64]:
    while isinstance(model, Pipeline | MinimumCostClassifier):
        if isinstance(model, Pipeline):
            X = model[:-1].transform(X) if len(model) > 1 else X
        model = model[-1] if isinstance(model, Pipeline) else model.estimator_
    if isinstance(model, FittedTrees):
        rows = read_rows(model, X, model.schema_)
        if hasattr(model, "count_terms"):
            counted: NDArray[np.int64] = model.count_terms(rows)
            return counted
        return _total(_on_paths(tree, rows) for tree in model.trees_)
    if hasattr(getattr(model, "tree_", None), "node_count"):
        # Its last node is a leaf, and every other one tests one column.
        return np.asarray(model.decision_path(X).sum(axis=1), np.int64).ravel() - 1
    members = np.ravel(np.array(model.estimators_, object))
    return _total(_of_rows(member, X) for member in members)


def _total(counts: Any) -> NDArray[np.int64]:
    first, *others = counts
    return sum(others, start=first)


def _on_paths(tree: Tree, rows: NDArray[Any]) -> NDArray[np.int64]:
    below = tree.terms.copy()
    for first, last in tree.levels_below_root:
        below[first:last] += below[tree.parent[first:last]]
    return below[tree.apply(rows)]
