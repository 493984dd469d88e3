"""Where the numbers of a table lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema, Spread
from miter.data.table import Data

__all__ = ["schema_with_spread", "spaced_rows", "with_spread"]

#: Means and deviations are those of so many rows, taken evenly.
MOST_ROWS = 10_000


def with_spread(data: Data) -> Data:
    """Return the same rows, whose schema says where the numbers of each column lie.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Data, Schema
    >>> from miter.data.spread import with_spread
    >>> data = Data(Schema((Column("age", "numeric"),)), np.array([[20.0], [40.0], [np.nan]]))
    >>> with_spread(data).schema.columns[0].spread
    Spread(least=20.0, most=40.0, mean=30.0, deviation=10.0, is_whole=True)
    """
    if not data.n_rows:
        return data
    some = data.X[spaced_rows(data.n_rows)]
    return replace(data, schema=schema_with_spread(data.schema, data.X, some))


def spaced_rows(n_rows: int) -> slice:
    """Return which rows means and deviations are those of."""
    return slice(0, n_rows, -(-n_rows // MOST_ROWS))


def schema_with_spread(
    schema: Schema, rows: NDArray[np.floating], some: NDArray[np.floating]
) -> Schema:
    """Return a schema that says where the numbers of each column lie.

    Parameters
    ----------
    schema : Schema
        Of the rows.
    rows : ndarray of shape (n_rows, n_columns)
        All, or a few that have the smallest and the largest number of each column.
    some : ndarray of shape (n_some, n_columns)
        Rows from everywhere.
    """
    # In one order in memory, so that sums do not depend on where the rows are from.
    spreads = _spreads(rows, some.astype(float, order="C"), schema)
    columns = (
        replace(column, spread=spread)
        for column, spread in zip(schema.columns, spreads, strict=True)
    )
    return replace(schema, columns=tuple(columns))


def _spreads(
    rows: NDArray[np.floating], some: NDArray[np.float64], schema: Schema
) -> list[Spread | None]:
    least, most = np.fmin.reduce(rows, axis=0), np.fmax.reduce(rows, axis=0)
    known = ~np.isnan(some)
    some[~known] = 0.0
    is_whole = (some == np.rint(some)).all(axis=0)
    # In parts of the range, so that the largest numbers there are can be squared.
    scale = np.maximum(np.maximum(np.abs(least), np.abs(most)).astype(float), 1e-300)
    some /= scale
    total = np.maximum(known.sum(axis=0), 1)
    mean = some.sum(axis=0) / total
    some -= mean
    deviation = np.sqrt(np.einsum("ij,ij,ij->j", some, some, known) / total)
    arrays = least, most, mean * scale, deviation * scale, is_whole
    numbers = zip(*(array.tolist() for array in arrays), strict=True)
    return [
        None if column.is_symbolic or four[0] != four[0] else Spread(*four)
        for column, four in zip(schema.columns, numbers, strict=True)
    ]
