"""One face for the tables that users hold: arrays, and frames of any library.

Frames are read through narwhals; pandas, polars and pyarrow are never imported here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.data.files.cells import MISSING, Cells, Codes, Numbers, Symbols, number_text, to_symbols
from miter.data.labels import is_missing
from miter.data.schema import first_repeated
from miter.errors import DataError

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = ["ArraySource", "FrameSource", "open_source"]

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class ArraySource:
    """A two-dimensional array: columns by position, called x0, x1, ...

    Parameters
    ----------
    array : ndarray of shape (n_rows, n_columns)
        Of any type.
    """

    has_names = False

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        self.n_rows, n_columns = array.shape
        self.names = [f"x{position}" for position in range(n_columns)]

    def cells(self, position: int) -> Cells:
        """Return the cells of a column."""
        return cells_of_array(self.names[position], self.array[:, position])


class FrameSource:
    """A frame: columns by name.

    Parameters
    ----------
    frame : narwhals DataFrame
        Of any library that narwhals knows.
    """

    has_names = True

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self.frame = frame
        self.n_rows = len(frame)
        self.keys = frame.columns
        # pandas allows any object as a name.
        self.names = [str(key) for key in self.keys]
        name = first_repeated(self.names)
        if name is not None:
            raise DataError(f"two columns are called {name!r}; rename one of them")

    def cells(self, position: int) -> Cells:
        """Return the cells of a column."""
        return _cells_of_series(self.names[position], self.frame.get_column(self.keys[position]))


def open_source(X: Any) -> ArraySource | FrameSource:
    """Take a table as users hold it: a frame, an array, or a list of rows.

    Examples
    --------
    >>> from miter.data.files.sources import open_source
    >>> open_source([[1, "a"], [2, "b"]]).names
    ['x0', 'x1']
    """
    if isinstance(X, np.ndarray):
        return ArraySource(_checked_array(X))
    if hasattr(X, "tocsr"):
        raise DataError("X is a sparse matrix; give it as a dense one, X.toarray()")
    frame = None if isinstance(X, Sequence) else _as_frame(X)
    if frame is None:
        return ArraySource(_checked_array(_array_of_rows(X)))
    return FrameSource(frame)


def _as_frame(X: Any) -> nw.DataFrame[Any] | None:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(X, pass_through=True)
    except DuplicateError as error:
        names = getattr(X, "column_names", None) or X.columns
        name = first_repeated(map(str, names))
        raise DataError(f"two columns are called {name!r}; rename one of them") from error
    if isinstance(frame, nw.LazyFrame):
        raise DataError("X is a lazy frame; give its rows, X.collect()")
    return frame if isinstance(frame, nw.DataFrame) else None


def _array_of_rows(rows: Any) -> NDArray[Any]:
    try:
        array = np.asarray(rows)
    except ValueError as error:
        raise DataError("the rows of X differ in length; give each one cell a column") from error
    if array.dtype.kind in "US":
        # NumPy writes numbers among texts as texts; objects keep what they were.
        array = np.asarray(rows, dtype=object)
    return array


def _checked_array(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 2:
        raise DataError(
            f"X has the shape {array.shape}; give two dimensions, rows and columns "
            "(a single column: X.reshape(-1, 1), a single row: X.reshape(1, -1))"
        )
    if isinstance(array, np.ma.MaskedArray):
        array = np.ma.filled(array.astype(np.float64), np.nan)
    return array


def cells_of_array(name: str, array: NDArray[Any]) -> Cells:
    """Return the cells of a one-dimensional array of any type.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.files.sources import cells_of_array
    >>> cells_of_array("wind", np.array(["Weak", "Strong"])).texts
    ('Strong', 'Weak')
    """
    kind = array.dtype.kind
    if kind == "f" and array.dtype in FLOATS:
        return Numbers(array)
    if kind in "fiub":
        return Numbers(array.astype(np.float64), is_boolean=kind == "b")
    if kind == "O":
        return _cells_of_objects(name, array.tolist())
    if kind in "UT":
        return _cells_of_texts(array.tolist(), np.ones(len(array), bool))
    raise _unusable(name, _describe_array_type(kind))


def _cells_of_series(name: str, series: nw.Series[Any]) -> Cells:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _cells_of_categories(series)
    if isinstance(dtype, nw.String):
        is_known = ~series.is_null().to_numpy().astype(bool)
        if not is_known.any():
            return Numbers(np.full(len(series), np.nan))
        return _cells_of_texts(list(compress(series.to_list(), is_known)), is_known)
    if dtype.is_nested():
        raise _unusable(name, f"nested cells ({dtype})")
    return cells_of_array(name, series.to_numpy())


def _cells_of_texts(texts: list[str], is_known: NDArray[np.bool_]) -> Symbols:
    codes = Codes()
    coded = np.full(len(is_known), MISSING, np.int32)
    coded[is_known] = codes.encode(texts)
    return to_symbols(codes, coded, numerically=False)


def _cells_of_categories(series: nw.Series[Any]) -> Symbols:
    import narwhals.stable.v2 as nw

    categories = series.cat.get_categories().to_list()
    position = {category: code for code, category in enumerate(categories)}
    is_known = ~series.is_null().to_numpy().astype(bool)
    coded = np.full(len(series), MISSING, np.int32)
    cells = list(compress(series.to_list(), is_known))
    coded[is_known] = np.fromiter(map(position.__getitem__, cells), np.int32, len(cells))
    # Arrow marks an ordered dictionary in its type, which narwhals does not pass on.
    is_ordered = isinstance(series.dtype, nw.Enum) or bool(
        getattr(getattr(series.to_native(), "type", None), "ordered", False)
    )
    return Symbols(tuple(map(_text_of, categories)), coded, has_order=True, is_ordered=is_ordered)


def _cells_of_objects(name: str, cells: list[Any]) -> Cells:
    is_known = np.array([not is_missing(cell) for cell in cells], dtype=bool)
    present = list(compress(cells, is_known))
    # One cell of each type stands for all of that type.
    examples = {type(cell): cell for cell in present}
    groups = {_group_of(name, cell) for cell in examples.values()}
    if groups <= {"number"} or groups == {"boolean"}:
        values = np.full(len(cells), np.nan)
        values[is_known] = np.fromiter(map(float, present), np.float64, len(present))
        return Numbers(values, is_boolean=groups == {"boolean"})
    return _cells_of_texts(list(map(_text_of, present)), is_known)


def _group_of(name: str, cell: object) -> str:
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool | np.bool_):
        return "boolean"
    if isinstance(cell, int | float | np.integer | np.floating | Decimal):
        return "number"
    if isinstance(cell, date | time | timedelta | np.datetime64 | np.timedelta64):
        raise _unusable(name, "dates or times")
    raise _unusable(name, f"{type(cell).__name__} objects")


def _text_of(cell: Any) -> str:
    if isinstance(cell, float | np.floating | Decimal):
        return number_text(cell)
    return str(cell)


def _describe_array_type(kind: str) -> str:
    described = {"M": "dates", "m": "durations", "S": "bytes", "V": "records"}
    if kind == "c":
        # The words that scikit-learn's own checks look for.
        return "complex numbers. Complex data not supported"
    return described.get(kind, "cells of an unknown type")


def _unusable(name: str, what: str) -> DataError:
    return DataError(
        f"column {name!r} holds {what}; turn it into numbers or texts, "
        f"or leave it out with kinds={{{name!r}: 'ignored'}}"
    )
