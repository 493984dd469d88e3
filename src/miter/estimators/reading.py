"""From what a user gives an estimator to `Data`: scikit-learn's checks, kinds, labels."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, assert_all_finite
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d, validate_data

from miter.checks import check_mapping, is_whole, said
from miter.data.columns.texts import Context
from miter.data.frames import encode_frame, settle_source
from miter.data.labels import check_classes, encode_labels, is_missing, match_labels
from miter.data.remarks import Remark, tell_remarks
from miter.data.schema import Schema
from miter.data.sources import AnySource, FrameSource, open_source
from miter.data.spread import with_spread
from miter.data.table import Data
from miter.errors import DataError, tell
from miter.estimators.weights import check_weight, weigh_rows
from miter.registry import collection_room

if TYPE_CHECKING:
    from miter.estimators.parameters import ColumnParameters

__all__ = [
    "ReadsTables",
    "check_labels",
    "kinds_of",
    "name_target",
    "needed",
    "read_partly_labelled",
    "read_rows",
    "read_training",
    "read_unlabelled",
    "read_validation",
    "set_columns",
    "tell_changes",
]

#: What labels are called where nobody says it; the first that no column is called.
TARGETS = ("class", "label", "target", "y")


class ReadsTables:
    """Tells scikit-learn that missing values, texts and categories are welcome."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def read_training(model: BaseEstimator, X: Any, y: Any, columns: ColumnParameters) -> Data:
    """Return the training rows; sets `n_features_in_` and `feature_names_in_` of the model.

    Parameters
    ----------
    model : estimator
        To be fitted.
    X, y
        As the user gives them.
    columns : ColumnParameters
        What is said of the columns: the model, or the tree that it is made of.
    """
    if collection_room(X) is not None:
        raise DataError(
            f"{type(model).__name__} is fitted to rows in one place; give some, as X.compute(), or "
            "fit a tree to rows in partitions"
        )
    if isinstance(X, Data):
        if y is not None:
            raise DataError("a Data brings its own labels; leave y out")
    else:
        needed(model, {"y": y})
    data = _read_table(model, X, y, columns)
    check_classes(data.schema.target, data.schema.classes, data.n_rows)
    return data


def needed(model: BaseEstimator, given: dict[str, Any]) -> dict[str, Any]:
    """Return what a user gives beside a table; an error where it lacks labels."""
    if given["y"] is None:
        raise ValueError(
            f"{type(model).__name__} requires y to be passed, but the target y is None"
        )
    return given


def read_unlabelled(model: BaseEstimator, X: Any, columns: ColumnParameters) -> Data:
    """Return training rows without labels; sets what `read_training` sets."""
    return replace(_read_table(model, X, None, columns), y=None, costs=None)


def _read_table(model: BaseEstimator, X: Any, y: Any, columns: ColumnParameters) -> Data:
    if isinstance(X, Data):
        if columns.kinds is not None:
            raise DataError("a Data has its kinds already; give kinds= to read or from_frame")
        set_columns(model, None, len(X.schema.sources))
        data = X
    else:
        data = _read_given(model, X, y, columns)
    if data.n_rows >= 2**31:
        raise DataError(f"{data.n_rows} rows are too many; at most 2,147,483,647 can be used")
    return with_spread(data)


def _read_given(model: BaseEstimator, X: Any, y: Any, columns: ColumnParameters) -> Data:
    source: AnySource | None = _open_frame(X)
    if isinstance(source, FrameSource):
        has_names = all(isinstance(key, str) for key in source.keys)
        set_columns(model, source.names if has_names else None, len(source.names))
    else:
        source = open_source(_validate(model, X, reset=True))
    labels = None if y is None else check_labels(y)
    kinds, target = kinds_of(model, columns), name_target(y, source.names)
    data = settle_source(source, labels, None, target, kinds, Context())
    tell_changes(data.reading.changes, kinds, end="; miter.check(X, y) tells more")
    return data


def tell_changes(changes: Sequence[Remark], kinds: Mapping[Any, Any], end: str = "") -> None:
    """Tell what was made of columns of which the user has not said what they are."""
    tell_remarks([remark for remark in changes if remark.column not in kinds], end=end)


def set_columns(model: BaseEstimator, names: Sequence[str] | None, n_columns: int) -> None:
    """Let a model know the columns that it is fitted to."""
    model.n_features_in_ = n_columns
    if names is not None:
        model.feature_names_in_ = np.array(names, object)
    elif hasattr(model, "feature_names_in_"):
        del model.feature_names_in_  # of an earlier fit


def name_target(y: Any, names: Sequence[str]) -> str:
    """Return what the labels are called: as their series is, if no column is called so."""
    name = getattr(y, "name", None)
    if name in names and isinstance(name, str):
        tell(f"y is called {name!r}, and so is a column of X; leave it out, unless it may be known")
    given = (name,) if isinstance(name, str) and name else ()
    return next((word for word in (*given, *TARGETS) if word not in names), "the class")


def read_partly_labelled(
    model: BaseEstimator,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None,
    columns: ColumnParameters,
    unlabelled: Any,
) -> tuple[Data, ArrayLike | None, Data | None]:
    """Return the rows with labels, their weights, and the weighted rows without, if there are any.

    Where a label is missing, or equals `unlabelled`, there is none.
    """
    if y is None or isinstance(X, Data):
        return read_training(model, X, y, columns), sample_weight, None
    given, y = y, column_or_1d(y, warn=True)
    known = np.array([not is_missing(label) and label != unlabelled for label in y.tolist()], bool)
    if known.all():
        return read_training(model, X, given, columns), sample_weight, None
    if not known.any():
        raise DataError("no row has a label; ICATree is for rows without any")
    data = read_unlabelled(model, X, columns)
    if len(y) != data.n_rows:
        raise DataError(f"{len(y)} labels for {data.n_rows} rows")
    classes, codes = encode_labels(check_labels(y[known]))
    data = replace(data, schema=replace(data.schema, classes=classes))
    labelled = replace(data.take(np.flatnonzero(known)), y=codes)
    others = data.take(np.flatnonzero(~known))
    if sample_weight is None:
        return labelled, None, others
    weight = check_weight(sample_weight, len(known))
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
    matrix = read_rows(model, X_val, data.schema)
    return Data(data.schema, matrix, match_labels(column_or_1d(y_val), data.schema.classes))


def read_rows(
    model: BaseEstimator, X: Any, schema: Schema, used: Iterable[int] | None = None
) -> NDArray[Any]:
    """Return the matrix of rows to predict.

    Columns of a frame are found by name, in any order and among others; a warning names the
    symbols that training never saw, and cells that are no numbers. Where it is known which columns
    are `used`, the others are not read, and hold 0.
    """
    if isinstance(X, Data):
        return _same_columns(X, schema).X
    if not _is_plain(model, X):
        source = _open_frame(X)
        if source is None:
            X = _validate(model, X, reset=False)
        else:
            X = _named_as_in_training(model, source, schema)
    remarks: list[Remark] = []
    matrix = encode_frame(X, schema, remarks=remarks, used=used)
    tell_remarks(remarks)
    return matrix


def _open_frame(X: Any) -> FrameSource | None:
    """Return a frame of any library, collected if it is lazy; None where X is no frame."""
    if isinstance(X, np.ndarray | list | tuple):
        return None
    source = open_source(X)
    return source if isinstance(source, FrameSource) else None


def _named_as_in_training(model: BaseEstimator, source: FrameSource, schema: Schema) -> Any:
    """Return a frame whose columns have names; those of a model fitted to an array are numbers."""
    names = [f"x{position}" for position in range(model.n_features_in_)]
    is_by_position = not hasattr(model, "feature_names_in_") and {*schema.sources} <= {*names}
    if not is_by_position or {*schema.sources} <= {*source.names}:
        return source.frame
    if len(source.names) != len(names):
        raise DataError(
            f"the table has {len(source.names)} columns, but the model was fitted to an array of "
            f"{len(names)}; give these, in their order"
        )
    kind = type(model).__name__
    warnings.warn(f"X has feature names, but {kind} was fitted without feature names", stacklevel=4)
    return source.frame.rename(dict(zip(source.keys, names, strict=True)))


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
    """Let scikit-learn check the width of an array, or of a list of rows."""
    has_text = isinstance(X, np.ndarray) and X.dtype.kind in "OUS"
    return validate_data(
        model,
        X,
        reset=reset,
        dtype=None if has_text else (np.float64, np.float32),
        ensure_all_finite=False,  # missing values are welcome; infinite ones get a better word
    )


def kinds_of(model: BaseEstimator, columns: ColumnParameters) -> dict[Any, Any]:
    """Return what `kinds` and `categorical_features` say of the columns, by name or position."""
    names = getattr(model, "feature_names_in_", None)
    n_columns = model.n_features_in_
    check_mapping("kinds", columns.kinds, "a mapping of columns to kinds")
    kinds = dict(columns.kinds or {})
    for position in _categorical(columns.categorical_features, n_columns):
        key = position
        if not isinstance(position, str):
            if not 0 <= position < n_columns:
                raise ValueError(
                    f"categorical_features has position {position}; "
                    f"columns are 0 to {n_columns - 1}"
                )
            key = position if names is None else str(names[position])
        if kinds.setdefault(key, "symbolic") != "symbolic":
            raise ValueError(
                f"kinds calls column {key!r} {kinds[key]!r}, and categorical_features names it too"
            )
    return kinds


def _categorical(features: Any, n_columns: int) -> Iterable[Any]:
    """Return the names or positions that `categorical_features` means."""
    if isinstance(features, str) and features == "from_dtype":
        return []
    chosen = np.asarray(features)
    is_listed = chosen.ndim == 1 and all(is_whole(f) or isinstance(f, str) for f in chosen.tolist())
    if chosen.dtype != bool and not is_listed:
        raise ValueError(
            f"categorical_features is {said(features)}; give 'from_dtype', or names, positions "
            "or a mask of columns"
        )
    if chosen.dtype != bool:
        return chosen.tolist()
    if chosen.shape != (n_columns,):
        raise ValueError(
            f"categorical_features is a mask of shape {chosen.shape} for {n_columns} columns"
        )
    return np.flatnonzero(chosen).tolist()


def check_labels(y: Any) -> NDArray[Any]:
    """Return labels as one array; an error where they are quantities or missing."""
    name = getattr(y, "name", None) or "y"
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f":
        if np.isnan(y).any():
            return y  # from_frame says which label is missing
        assert_all_finite(y, input_name="y")
    if y.dtype.kind == "O":
        encode_labels(y)  # says which label is missing, or that their types differ
    kind = type_of_target(y, input_name="y")
    if kind.startswith("continuous"):
        raise DataError(
            f"Unknown label type: {kind}. {name!r} holds fractions such as {y[y % 1 != 0][0]:g}: a "
            "quantity, and Miter learns classes; make bands of it, as pandas.qcut(y, 4) does, or "
            "texts if they are names: y.astype(str)"
        )
    return y


def _same_columns(data: Data, schema: Schema) -> Data:
    if data.schema.columns != schema.columns:
        raise DataError(
            "the rows have other columns than the training rows; read them with schema=, so that "
            "they are coded alike"
        )
    return data
