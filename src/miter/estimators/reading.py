"""From what a user gives an estimator to `Data`: scikit-learn's checks, kinds, labels, weights."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from miter.data.costs import check_row_costs
from miter.data.frames import encode_frame, from_frame
from miter.data.labels import encode_labels, is_missing, match_labels
from miter.data.schema import Kind, Schema, first_repeated
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = [
    "ReadsTables",
    "read_partly_labelled",
    "read_rows",
    "read_training",
    "read_unlabelled",
    "read_validation",
    "scale_costs",
    "weigh",
    "weigh_rows",
    "with_costs",
]


class ReadsTables:
    """Tells scikit-learn that missing values, texts and categories are welcome."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def read_training(model: BaseEstimator, X: Any, y: Any, categorical_features: Any) -> Data:
    """Return the training rows; sets `n_features_in_` and `feature_names_in_` of the model."""
    if isinstance(X, Data):
        if y is not None:
            raise DataError("a Data brings its own labels; leave y out")
    elif y is None:
        raise ValueError(
            f"{type(model).__name__} requires y to be passed, but the target y is None"
        )
    return _read_table(model, X, y, categorical_features)


def read_unlabelled(model: BaseEstimator, X: Any, categorical_features: Any) -> Data:
    """Return training rows without labels; sets what `read_training` sets."""
    return replace(_read_table(model, X, None, categorical_features), y=None, costs=None)


def _read_table(model: BaseEstimator, X: Any, y: Any, categorical_features: Any) -> Data:
    if isinstance(X, Data):
        # A Data is matched by its schema, so names of an earlier fit on a frame must go.
        if hasattr(model, "feature_names_in_"):
            del model.feature_names_in_
        model.n_features_in_ = X.schema.n_columns
        data = X
    else:
        X = _validate(model, X, reset=True)
        labels = None if y is None else _check_labels(y)
        data = from_frame(X, labels, kinds=_kinds(model, categorical_features))
    if data.n_rows >= 2**31:
        raise DataError(f"{data.n_rows} rows are too many; at most 2,147,483,647 can be used")
    return data


def read_partly_labelled(
    model: BaseEstimator,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None,
    categorical_features: Any,
    unlabelled: Any,
) -> tuple[Data, ArrayLike | None, Data | None]:
    """Return the rows with labels, their weights, and the weighted rows without, if there are any.

    Where a label is missing, or equals `unlabelled`, there is none.
    """
    if y is None or isinstance(X, Data):
        return read_training(model, X, y, categorical_features), sample_weight, None
    y = column_or_1d(y, warn=True)
    known = np.array([not is_missing(label) and label != unlabelled for label in y.tolist()], bool)
    if known.all():
        return read_training(model, X, y, categorical_features), sample_weight, None
    if not known.any():
        raise DataError("no row has a label; ICATree is for rows without any")
    data = read_unlabelled(model, X, categorical_features)
    if len(y) != data.n_rows:
        raise DataError(f"{len(y)} labels for {data.n_rows} rows")
    classes, codes = encode_labels(_check_labels(y[known]))
    data = replace(data, schema=replace(data.schema, classes=classes))
    labelled = replace(data.take(np.flatnonzero(known)), y=codes)
    others = data.take(np.flatnonzero(~known))
    if sample_weight is None:
        return labelled, None, others
    weight = _check_weight(sample_weight, len(known))
    return labelled, weight[known], weigh_rows(others, weight[~known])


def read_validation(model: BaseEstimator, data: Data, X_val: Any, y_val: Any) -> Data | None:
    """Return the validation rows, coded like the training rows; None if there are none."""
    if X_val is None:
        return None
    if isinstance(X_val, Data):
        if X_val.schema.classes != data.schema.classes:
            raise DataError("the validation rows have other classes; read them with schema=")
        return _same_columns(X_val, data.schema)
    if y_val is None:
        raise DataError("X_val was given without y_val; give the labels too")
    matrix = encode_frame(_validate(model, X_val, reset=False), data.schema)
    return Data(data.schema, matrix, match_labels(column_or_1d(y_val), data.schema.classes))


def read_rows(model: BaseEstimator, X: Any, schema: Schema) -> NDArray[Any]:
    """Return the matrix of rows to predict."""
    if isinstance(X, Data):
        return _same_columns(X, schema).X
    if not _is_plain(model, X):
        X = _validate(model, X, reset=False)
    return encode_frame(X, schema)


def weigh_rows(data: Data, sample_weight: ArrayLike | None) -> Data:
    """Return the rows that count, with what each of them counts, whatever their labels."""
    if sample_weight is None:
        return _with_weight(data, data.weight)
    given = _check_weight(sample_weight, data.n_rows)
    return _with_weight(data, given if data.weight is None else data.weight * given)


def _with_weight(data: Data, weight: NDArray[np.float64] | None) -> Data:
    if weight is None:
        return data
    data = replace(data, weight=weight).take(np.flatnonzero(weight > 0))
    _check_total(data)
    return data


def weigh(data: Data, sample_weight: ArrayLike | None, class_weight: Any) -> Data:
    """Return the rows that count, with what each of them counts."""
    weight = data.weight
    if sample_weight is not None:
        given = _check_weight(sample_weight, data.n_rows)
        weight = given if weight is None else weight * given
    if class_weight is not None:
        by_row = _class_weights(class_weight, data)[data.labels]
        weight = by_row if weight is None else weight * by_row
    data = _with_weight(data, weight)
    n_present = len(np.unique(data.labels))
    if n_present < 2:
        raise DataError(
            f"the {data.n_rows} rows that count are of {n_present} class; "
            "a classifier needs rows of at least two classes"
        )
    return data


def with_costs(
    data: Data, matrix: NDArray[np.float64] | None, row_costs: ArrayLike | None = None
) -> Data:
    """Return the rows with what each answer to them costs; costs of rows go before the matrix.

    Where all mistakes cost the same there is nothing to add.
    """
    if row_costs is not None:
        costs = check_row_costs(row_costs, data.labels, data.schema.n_classes)
    elif matrix is not None:
        costs = np.ascontiguousarray(matrix.T[data.labels])
    else:
        return data
    is_wrong = np.arange(data.schema.n_classes) != data.labels[:, None]
    return data if np.ptp(costs[is_wrong]) == 0 else replace(data, costs=costs)


def scale_costs(data: Data) -> tuple[Data, float]:
    """Return the rows with costs of which the mean is 1, and what it was."""
    importance = data.importance()
    if data.costs is None or importance is None:
        return data, 1.0
    mean_cost = float(np.average(importance, weights=data.weight))
    if mean_cost <= 0:
        raise DataError("no mistake about these rows has a cost; leave the costs out")
    return replace(data, costs=data.costs / mean_cost), mean_cost


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") or hasattr(X, "column_names")


def _is_plain(model: BaseEstimator, X: Any) -> bool:
    """Whether scikit-learn's checks, most of the time for a few rows, have nothing to find."""
    return (
        type(X) is np.ndarray
        and X.dtype in (np.float32, np.float64)
        and X.ndim == 2
        and len(X) > 0
        and X.shape[1] == model.n_features_in_
        and not hasattr(model, "feature_names_in_")
    )


def _validate(model: BaseEstimator, X: Any, *, reset: bool) -> Any:
    """Let scikit-learn check the names and the width; frames keep their own columns."""
    if _is_frame(X):
        names = X.column_names if hasattr(X, "column_names") else X.columns
        repeated = first_repeated(map(str, names))
        if repeated is not None:
            raise DataError(f"two columns are called {repeated!r}; rename one of them")
        validate_data(model, X, reset=reset, skip_check_array=True)
        return X
    has_text = isinstance(X, np.ndarray) and X.dtype.kind in "OUS"
    return validate_data(
        model,
        X,
        reset=reset,
        dtype=None if has_text else (np.float64, np.float32),
        ensure_all_finite=False,  # missing values are welcome; infinite ones get a better word
    )


def _kinds(model: BaseEstimator, features: Any) -> dict[Any, Kind]:
    """Return the kinds that `categorical_features` asks for, by name or position."""
    if isinstance(features, str):
        if features != "from_dtype":
            raise ValueError(
                f"categorical_features is {features!r}; give 'from_dtype', or names, positions "
                "or a mask of columns"
            )
        return {}
    n_columns = model.n_features_in_
    chosen = np.asarray(features)
    if chosen.dtype == bool:
        if chosen.shape != (n_columns,):
            raise ValueError(
                f"categorical_features is a mask of shape {chosen.shape} for {n_columns} columns"
            )
        chosen = np.flatnonzero(chosen)
    return {_key(model, column, n_columns): "symbolic" for column in chosen.tolist()}


def _key(model: BaseEstimator, column: int | str, n_columns: int) -> int | str:
    if isinstance(column, str):
        return column
    if not 0 <= column < n_columns:
        raise ValueError(
            f"categorical_features has position {column}; columns are 0 to {n_columns - 1}"
        )
    names = getattr(model, "feature_names_in_", None)
    return column if names is None else str(names[column])


def _check_labels(y: Any) -> NDArray[Any]:
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f":
        if np.isnan(y).any():
            return y  # from_frame says which label is missing
        assert_all_finite(y, input_name="y")
    if y.dtype.kind == "O":
        encode_labels(y)  # says which label is missing, or that their types differ
    check_classification_targets(y)
    return y


def _check_weight(sample_weight: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    weight = np.asarray(sample_weight, float)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.shape != (n_rows,):
        raise ValueError(
            f"sample_weight.shape == {weight.shape}, expected {(n_rows,)}: one weight for each row"
        )
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight[{bad[0]}] is {weight[bad[0]]}; give finite weights of 0 or more"
        )
    return weight


def _check_total(data: Data) -> None:
    assert data.weight is not None
    with np.errstate(over="ignore"):
        total = data.weight.sum()
    if data.n_rows == 0:
        raise DataError("the weight of every row is zero; give some rows a weight above zero")
    if not total < 1e100:
        raise DataError(f"the weights sum to {total:.3g}, which is too much; scale them down")
    if total < 0.1 * data.n_rows:
        warnings.warn(
            f"the weights of {data.n_rows} rows sum to {total:.3g}; weights count rows, so the "
            "tree will be small. Scale them to sum to the number of rows",
            UserWarning,
            stacklevel=5,
        )


def _class_weights(class_weight: Any, data: Data) -> NDArray[np.float64]:
    """Return the weight of each class, as scikit-learn means it."""
    # scikit-learn's own function takes the texts '0' and '1' for numbers.
    classes = data.schema.classes
    if class_weight == "balanced":
        counts = np.bincount(data.labels, minlength=len(classes))
        return data.n_rows / (np.count_nonzero(counts) * np.maximum(counts, 1))
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight is {class_weight!r}; give 'balanced', a dict or None")
    for label, weight in class_weight.items():
        if label not in classes:
            raise ValueError(
                f"class_weight names {label!r}, which is not a class; "
                + did_you_mean(str(label), map(str, classes))
            )
        if not (np.isfinite(weight) and weight >= 0):
            raise ValueError(f"class_weight of {label!r} is {weight!r}; give 0 or more")
    return np.array([float(class_weight.get(label, 1.0)) for label in classes])


def _same_columns(data: Data, schema: Schema) -> Data:
    if data.schema.columns != schema.columns:
        raise DataError(
            "the rows have other columns than the training rows; read them with schema=, so that "
            "they are coded alike"
        )
    return data
