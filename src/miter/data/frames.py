"""Tables in memory: pandas, polars, Arrow and NumPy in, `Data` out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.files.cells import check_finite, encode_cells, settle_cells
from miter.data.files.sources import FLOATS, ArraySource, FrameSource, open_source
from miter.data.kinds import Kinds, Wish, check_kinds
from miter.data.labels import encode_labels
from miter.data.schema import Column, Label, Schema
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["encode_frame", "from_frame"]


def from_frame(
    X: Any,
    y: Any = None,
    *,
    kinds: Kinds | None = None,
    target: str = "class",
    weight: Any = None,
) -> Data:
    """Make `Data` of a table in memory.

    Numbers become numeric columns; texts, categories and booleans symbolic ones; ordered
    categories ordered ones. Nulls and NaN are missing cells. A float32 or float64 array whose
    columns are all numeric is not copied.

    Parameters
    ----------
    X : DataFrame, Table or ndarray of shape (n_rows, n_columns)
        From pandas, polars, Arrow or NumPy. The columns of an array are called x0, x1, ...
    y : sequence of n_rows labels, optional
        Texts, whole numbers, booleans or floats. The classes are its distinct values, sorted.
    kinds : dict, optional
        Column name (or position, for an array) to 'numeric', 'symbolic', 'ordered' or
        'ignored', where the kind inferred is not the one meant. A list of texts makes the
        column ordered, with these values in this order.
    target : str
        What to call the column of the labels.
    weight : sequence of n_rows numbers, optional
        How often each row counts; not negative.

    Returns
    -------
    Data
        The table, with the schema found.

    Raises
    ------
    DataError
        When a column, label or weight cannot be used. Rows count from 0, as in ``X[17]``.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import from_frame
    >>> X = np.array([[20.5, "Weak"], [31.0, "Strong"]], dtype=object)
    >>> data = from_frame(X, ["Yes", "No"])
    >>> data.schema.columns[1]
    Column(name='x1', kind='symbolic', values=('Strong', 'Weak'))
    >>> data.X
    array([[20.5,  1. ],
           [31. ,  0. ]])
    """
    source = open_source(X)
    wishes = check_kinds(kinds, source.names, by_position=not source.has_names)
    _check_size(source, wishes)
    columns, matrix = _settle(source, wishes)
    classes, codes = _settle_labels(y, source.n_rows)
    ignored = tuple(name for name in source.names if _is_ignored(name, wishes))
    schema = Schema(tuple(columns), classes, target, ignored)
    return Data(schema, matrix, codes, _settle_weight(weight, source.n_rows))


def encode_frame(X: Any, schema: Schema) -> NDArray[Any]:
    """Return the matrix of rows to predict, under the schema of the training rows.

    Columns of a frame are found by name, those of an array by position. A name that the
    schema does not know becomes missing, and so does a null.

    Parameters
    ----------
    X : DataFrame, Table or ndarray
        As for `from_frame`; further columns of a frame are left alone.
    schema : Schema
        Of the training rows.

    Returns
    -------
    ndarray of shape (n_rows, schema.n_columns), float32 or float64
        Not a copy when `X` is such an array and every column is numeric.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema, encode_frame
    >>> schema = Schema((Column("wind", "symbolic", ("Weak", "Strong")),))
    >>> encode_frame(np.array([["Strong"], ["Gale"]]), schema)
    array([[ 1.],
           [nan]])
    """
    source = open_source(X)
    positions = _match_columns(source, schema)
    if schema.is_numeric and isinstance(source, ArraySource):
        whole = _whole_matrix(source, positions, schema.names)
        if whole is not None:
            return whole
    arrays = [
        encode_cells(source.cells(position), column)
        for position, column in zip(positions, schema.columns, strict=True)
    ]
    return _stack(arrays, schema.columns, source.n_rows)


def _is_ignored(name: str, wishes: dict[str, Wish]) -> bool:
    return name in wishes and wishes[name].kind == "ignored"


def _check_size(source: ArraySource | FrameSource, wishes: dict[str, Wish]) -> None:
    if source.n_rows == 0:
        raise DataError("the table has no rows; give at least one")
    if not source.names:
        raise DataError("the table has no columns; give at least one")
    if all(_is_ignored(name, wishes) for name in source.names):
        raise DataError("kinds ignores every column of the table; leave at least one")


def _settle(
    source: ArraySource | FrameSource, wishes: dict[str, Wish]
) -> tuple[list[Column], NDArray[Any]]:
    used = [i for i, name in enumerate(source.names) if not _is_ignored(name, wishes)]
    if isinstance(source, ArraySource) and not any(w.kind != "numeric" for w in wishes.values()):
        whole = _whole_matrix(source, used, source.names)
        if whole is not None:
            return [Column(name, "numeric") for name in source.names], whole
    settled = [
        settle_cells(source.names[i], source.cells(i), wishes.get(source.names[i])) for i in used
    ]
    columns = [column for column, _ in settled]
    return columns, _stack([array for _, array in settled], columns, source.n_rows)


def _whole_matrix(
    source: ArraySource, positions: list[int] | range, names: tuple[str, ...] | list[str]
) -> NDArray[Any] | None:
    """Return the array itself when it can serve as the matrix; None when it cannot."""
    array = source.array
    if array.dtype not in FLOATS or len(positions) != array.shape[1]:
        return None
    # A finite sum tells in one pass, without a second array, that no cell is infinite.
    with np.errstate(all="ignore"):
        total = array.sum()
    if not np.isfinite(total) and np.isinf(array).any():
        for name, position in zip(names, positions, strict=True):
            check_finite(name, array[:, position])
    return array


def _stack(
    arrays: list[NDArray[Any]], columns: tuple[Column, ...] | list[Column], n_rows: int
) -> NDArray[Any]:
    numeric = {a.dtype for a, c in zip(arrays, columns, strict=True) if c.kind == "numeric"}
    # Codes fit into either type; one float64 column of numbers makes the matrix float64.
    dtype = np.float32 if numeric == {np.dtype(np.float32)} else np.float64
    matrix = np.empty((n_rows, len(arrays)), dtype)
    for position, array in enumerate(arrays):
        matrix[:, position] = array
    return matrix


def _settle_labels(y: Any, n_rows: int) -> tuple[tuple[Label, ...], NDArray[np.int32] | None]:
    if y is None:
        return (), None
    classes, codes = encode_labels(y)
    if len(codes) != n_rows:
        raise DataError(f"y has {len(codes)} labels for {n_rows} rows; give one for each row")
    return classes, codes


def _settle_weight(weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    if weight is None:
        return None
    try:
        weights = np.asarray(weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("the weights are not all numbers; give one number for each row") from error
    if weights.shape != (n_rows,):
        raise DataError(
            f"the weights have the shape {weights.shape} for {n_rows} rows; give one for each row"
        )
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise DataError(
            f"the weight of row {row} is {weights[row]}; give a finite number, 0 or more"
        )
    return weights


def _match_columns(source: ArraySource | FrameSource, schema: Schema) -> list[int] | range:
    """Return where in the source each column of the schema is."""
    if source.has_names:
        return _match_names(source.names, schema)
    return _match_width(len(source.names), schema)


def _match_names(names: list[str], schema: Schema) -> list[int]:
    position = {name: i for i, name in enumerate(names)}
    for name in schema.names:
        if name not in position:
            raise DataError(
                f"the table has no column {name!r}; {did_you_mean(name, names)} "
                f"(the model was trained on {schema.n_columns} columns)"
            )
    return [position[name] for name in schema.names]


def _match_width(width: int, schema: Schema) -> list[int] | range:
    if schema.ignored and width == schema.n_columns + len(schema.ignored):
        # Columns of an array are called by their position, which tells them from the ignored.
        numbered = {f"x{i}": i for i in range(width)}
        if numbered.keys() == {*schema.names, *schema.ignored}:
            return [numbered[name] for name in schema.names]
    if width != schema.n_columns:
        raise DataError(
            f"X has {width} columns, but the model was trained on {schema.n_columns}: "
            f"{', '.join(schema.names)}; give these, in this order"
        )
    return range(width)
