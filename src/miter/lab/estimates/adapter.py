"""One way to fit and to ask every classifier, whether or not it can read a `Data`.

Miter's own estimators get the `Data` itself. Any other estimator of scikit-learn gets the classes
as codes and a matrix of plain numbers: a symbol as one column of 0 and 1 for each value, a missing
number as the mean of the training rows. The encoding is fitted together with the estimator, so test
rows have no part in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import has_fit_parameter

from miter.data.costs import cost_matrix
from miter.data.schema import Schema
from miter.data.table import Data
from miter.estimators.fitted import TreesClassifier
from miter.lab.estimates.minimum_cost import MinimumCostClassifier

__all__ = ["fit_on", "predict_codes", "predict_proba_of", "takes_data"]


def takes_data(estimator: Any) -> bool:
    """Tell whether an estimator reads a `Data` as it is.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.lab.estimates.adapter import takes_data
    >>> takes_data(id3())
    True
    """
    while isinstance(estimator, MinimumCostClassifier):
        estimator = estimator.estimator
    return isinstance(estimator, TreesClassifier)


def fit_on(estimator: Any, data: Data) -> Any:
    """Fit a copy of a classifier to rows.

    Parameters
    ----------
    estimator : classifier
        One of Miter or any of scikit-learn, a `Pipeline` included; it is not changed.
    data : Data
        Training rows. Where they have weights, the weights are used.

    Returns
    -------
    fitted
        For `predict_codes` and `predict_proba_of`: a tree, or a `Pipeline` that encodes the matrix
        first. Rows of one class only, or without columns, give a `DummyClassifier` that always
        answers with the most common class.

    Raises
    ------
    ValueError
        When the rows have weights and the estimator cannot use them.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from miter.data import play_tennis
    >>> from miter.lab.estimates.adapter import fit_on, predict_codes
    >>> fitted = fit_on(KNeighborsClassifier(1), play_tennis())
    >>> bool((predict_codes(fitted, play_tennis()) == play_tennis().y).all())
    True
    """
    if data.weight is not None:
        data = data.take(np.flatnonzero(data.weight > 0))
    if data.schema.n_columns == 0 or len(np.unique(data.labels)) < 2:
        return DummyClassifier(strategy="most_frequent").fit(data.X, data.labels, data.weight)
    estimator = clone(estimator)
    if takes_data(estimator):
        return estimator.fit(data)
    if isinstance(estimator, MinimumCostClassifier) and estimator.costs is not None:
        estimator.set_params(costs=_costs_of_codes(estimator.costs, data))
    pipeline = Pipeline([("encode", _encoder(data.schema)), ("learn", estimator)])
    weights = {} if data.weight is None else {_weight_parameter(pipeline): data.weight}
    return pipeline.fit(data.X, data.labels, **weights)


def predict_codes(fitted: Any, data: Data, costs: Any = None) -> NDArray[np.int64]:
    """Predict the classes of rows, as positions in `Schema.classes`.

    Parameters
    ----------
    fitted : fitted
        What `fit_on` returned.
    data : Data
        With the columns of the training rows; labels are not needed.
    costs : optional
        What a tree of Miter is to answer for, in place of what it was fitted for.

    Returns
    -------
    ndarray of shape (n_rows,), int64
        Comparable with `Data.y`.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.lab.estimates.adapter import fit_on, predict_codes
    >>> predict_codes(fit_on(id3(), play_tennis()), play_tennis())[:4]
    array([1, 1, 0, 0])
    """
    if not takes_data(fitted):
        return np.asarray(fitted.predict(data.X), np.int64)
    position = {label: code for code, label in enumerate(fitted.classes_.tolist())}
    answers = fitted.predict(data) if costs is None else fitted.predict(data, costs=costs)
    return np.array([position[label] for label in answers.tolist()], np.int64)


def predict_proba_of(fitted: Any, data: Data) -> NDArray[np.float64]:
    """Predict the probability of each class for rows.

    Parameters
    ----------
    fitted : fitted
        What `fit_on` returned.
    data : Data
        With the columns and classes of the training rows.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        In the order of `Schema.classes`; 0 for a class that no training row had.

    Raises
    ------
    TypeError
        When the classifier knows no probabilities.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.lab.estimates.adapter import fit_on, predict_proba_of
    >>> predict_proba_of(fit_on(id3(), play_tennis()), play_tennis())[:2]
    array([[0., 1.],
           [0., 1.]])
    """
    if takes_data(fitted):
        return np.asarray(fitted.predict_proba(data), float)
    if not hasattr(fitted, "predict_proba"):
        learner = fitted[-1] if isinstance(fitted, Pipeline) else fitted
        raise TypeError(
            f"{type(learner).__name__} gives no probabilities; use a learner with predict_proba"
        )
    probabilities = np.zeros((data.n_rows, data.schema.n_classes))
    probabilities[:, fitted.classes_] = fitted.predict_proba(data.X)
    return probabilities


def _costs_of_codes(costs: Any, data: Data) -> NDArray[np.float64]:
    """Return the costs of the classes that the rows have, which is all that codes tell."""
    present = np.unique(data.labels)
    return cost_matrix(costs, data.schema.classes)[np.ix_(present, present)]


def _encoder(schema: Schema) -> ColumnTransformer:
    is_symbolic = np.array([column.is_symbolic for column in schema.columns])
    # A column that is empty in all training rows is kept, as zeros; so nothing warns of it.
    imputer = SimpleImputer(keep_empty_features=True)
    indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return ColumnTransformer(
        [
            ("symbols", indicators, np.flatnonzero(is_symbolic)),
            ("numbers", imputer, np.flatnonzero(~is_symbolic)),
        ]
    )


def _weight_parameter(estimator: BaseEstimator) -> str:
    """Return by what name `fit` passes weights on to the last step of the last pipeline."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return f"{name}__{_weight_parameter(last)}"
    if isinstance(estimator, MinimumCostClassifier):
        return _weight_parameter(estimator.estimator)
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"the rows have weights, and {type(estimator).__name__} cannot use any; leave the "
            "weights out, or take a learner whose fit has sample_weight"
        )
    return "sample_weight"
