"""One face for the tables that users hold: arrays, and frames of any library.

Frames are read through narwhals; pandas, polars and pyarrow are never imported here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.choose import Cells
from miter.data.columns.convert import cells_of_array, cells_of_objects, cells_of_series
from miter.data.schema import first_repeated
from miter.errors import DataError

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = ["AnySource", "ArraySource", "ColumnsSource", "FrameSource", "open_source"]


class ArraySource:
    """A two-dimensional array: columns by position, called x0, x1, ...

    Parameters
    ----------
    array : ndarray of shape (n_rows, n_columns)
        Of any type.
    """

    has_names = False
    matrix = None

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        self.n_rows, n_columns = array.shape
        self.names = [f"x{position}" for position in range(n_columns)]

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column."""
        return cells_of_array(self.names[position], self.array[:, position], missing)

    def column(self, position: int) -> Any:
        """Return a column as it is, for labels."""
        return self.array[:, position]


class FrameSource:
    """A frame: columns by name.

    Parameters
    ----------
    frame : narwhals DataFrame
        Of any library that narwhals knows.
    """

    has_names = True
    matrix = None

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self.frame = frame
        self.n_rows = len(frame)
        self.keys = frame.columns
        # pandas allows any object as a name.
        self.names = [str(key) for key in self.keys]
        name = first_repeated(self.names)
        if name is not None:
            raise DataError(f"two columns are called {name!r}; rename one of them")

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column."""
        series = self.frame.get_column(self.keys[position])
        return cells_of_series(self.names[position], series, missing)

    def column(self, position: int) -> Any:
        """Return a column as the user's library has it, for labels."""
        return self.frame.get_column(self.keys[position]).to_native()


class ColumnsSource:
    """Columns of Python objects, as files bring them that say the type of each cell.

    Parameters
    ----------
    columns : dict of str to list
        The cells of each column.
    """

    has_names = True
    matrix = None

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.names = list(columns)
        self.columns = list(columns.values())
        self.n_rows = len(self.columns[0]) if self.columns else 0

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column."""
        return cells_of_objects(self.names[position], self.columns[position], missing)

    def column(self, position: int) -> Any:
        """Return a column as it is, for labels."""
        return self.columns[position]


AnySource = ArraySource | FrameSource | ColumnsSource


def open_source(X: Any) -> AnySource:
    """Take a table as users hold it: a frame, an array, or a list of rows.

    Examples
    --------
    >>> from miter.data.sources import open_source
    >>> open_source([[1, "a"], [2, "b"]]).names
    ['x0', 'x1']
    """
    if isinstance(X, np.ndarray):
        return ArraySource(_checked_array(X))
    if hasattr(X, "tocsr"):
        raise DataError(
            "X is a sparse matrix, which Miter does not read; give it as a dense one, X.toarray()"
        )
    if hasattr(X, "__arrow_c_stream__") and not hasattr(X, "columns"):
        X = _read_stream(X)
    frame = None if isinstance(X, Sequence) else _as_frame(X)
    if frame is None:
        return ArraySource(_checked_array(_array_of_rows(X)))
    return FrameSource(frame)


def _read_stream(X: Any) -> Any:
    """Return the table of a stream of Arrow, or a series as it is."""
    import pyarrow as pa

    try:
        return pa.table(X)
    except (pa.ArrowInvalid, TypeError, ValueError):
        return X


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
        frame = frame.collect()  # of polars, DuckDB and others
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
