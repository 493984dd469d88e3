"""What must hold of the arrays of a table before anything is learned from them.

Whoever builds a `Data` by hand meets these sentences; what the readers make always passes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.errors import DataError

__all__ = ["check_amounts", "check_arrays", "check_cells", "check_codes"]

#: Codes are compared with whole numbers in blocks of so many cells, not all in one copy.
BLOCK_CELLS = 2**18


def check_arrays(arrays: dict[str, Any], n_rows: int) -> None:
    """Refuse what is no array of numbers, and what has not an entry for every row."""
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iufb":
            kind = getattr(array, "dtype", type(array).__name__)
            raise DataError(f"the {name} are of the type {kind}; give a NumPy array of numbers")
        if array.ndim == 0 or len(array) != n_rows:
            given = len(array) if array.ndim else "no"
            raise DataError(f"{given} {name} for {n_rows} rows")


def check_cells(schema: Schema, X: NDArray[Any]) -> None:
    """Refuse infinite numbers, and codes of symbols that are no positions in the values."""
    if not X.size:
        return
    # Two passes without an array of the size of the table; a missing value is skipped.
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    n_values = np.array(schema.n_values)
    is_symbol = n_values > 0
    with np.errstate(invalid="ignore"):
        odd = np.where(is_symbol, (low < 0) | (high >= n_values), np.isinf(low) | np.isinf(high))
    if odd.any():
        _complain_of_cell(schema, X, int(odd.argmax()))
    symbols = np.flatnonzero(is_symbol)
    step = max(BLOCK_CELLS // max(len(symbols), 1), 1)
    for first in range(0, len(X) if len(symbols) else 0, step):
        cells = X[first : first + step, symbols]
        odd = ((cells != np.floor(cells)) & ~np.isnan(cells)).any(axis=0)
        if odd.any():
            _complain_of_cell(schema, X, int(symbols[odd.argmax()]))


def _complain_of_cell(schema: Schema, X: NDArray[Any], position: int) -> None:
    column, cells = schema.columns[position], X[:, position]
    n_values = schema.n_values[position]
    if not n_values:
        row = int(np.isinf(cells).argmax())
        raise DataError(
            f"column {column.name!r} holds {cells[row]} in row {row}; give finite numbers, and NaN "
            "where a value is missing"
        )
    sound = np.isnan(cells) | ((cells >= 0) & (cells < n_values) & (cells == np.floor(cells)))
    row = int((~sound).argmax())
    raise DataError(
        f"column {column.name!r} holds the code {cells[row]:g} in row {row}; give positions in its "
        f"{n_values} values from 0 on, and NaN where a value is missing"
    )


def check_codes(y: NDArray[Any], n_classes: int) -> None:
    """Refuse labels that are no positions in the classes; the core counts with them."""
    if y.ndim != 1:
        raise DataError(f"the labels have the shape {y.shape}; give one code for each row")
    if not len(y) or (y.dtype.kind in "iu" and y.min() >= 0 and y.max() < n_classes):
        return
    with np.errstate(invalid="ignore"):
        is_code = np.isin(y, np.arange(n_classes))
    if y.dtype.kind in "iu" or not is_code.all():
        row = int(is_code.argmin())
        raise DataError(
            f"the label of row {row} is {y[row]!s}; give whole codes, positions in the "
            f"{n_classes} classes from 0 on"
        )
    raise DataError(f"the labels are of the type {y.dtype}; give whole codes, as y.astype('int32')")


def check_amounts(what: str, amounts: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Refuse weights, costs and copies that are not finite or are negative."""
    if amounts.shape != shape:
        raise DataError(f"the {what}s have the shape {amounts.shape}, not {shape}")
    # A minimum and a maximum tell, NaN included, without an array of their own.
    if not amounts.size or (amounts.min() >= 0 and amounts.max() < np.inf):
        return
    odd = ~(np.isfinite(amounts) & (amounts >= 0))
    row = int(odd.reshape(len(odd), -1).any(axis=1).argmax())
    value = amounts[row][odd[row]][0] if amounts.ndim > 1 else amounts[row]
    raise DataError(f"the {what} of row {row} is {value}; give a finite number, 0 or more")
