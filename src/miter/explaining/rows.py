"""One row, as a user has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.frames import encode_frame
from miter.data.remarks import Remark
from miter.data.schema import Schema
from miter.data.table import Data
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.rules.classifier import RuleListClassifier

__all__ = ["code_row", "code_rows", "say_cell", "say_row", "schema_of"]


def schema_of(model: Fitted) -> Schema:
    """Return what a fitted model reads; an error where it is no such model."""
    if not isinstance(model, Fitted):
        raise TypeError(f"{type(model).__name__} is not a fitted model of Miter; fit one, or load")
    if isinstance(model, RuleListClassifier):
        raise DataError(
            "a list of rules answers by the first rule that holds, not by a tree, and its rules "
            "are all there is to say (model.rules_.say(), miter rules); give a tree or a forest"
        )
    return model.schema_


def code_row(model: Fitted, row: Any) -> NDArray[np.float64]:
    """Return one row coded as the schema says; an error names columns and values nobody knows.

    Parameters
    ----------
    model : Fitted
        The model that reads it.
    row : mapping, Series, DataFrame or Data of one row, or sequence of cells
        By the names of the columns, but for a sequence, which has their order. None is a value
        that is not known.
    """
    schema = schema_of(model)
    rows = _read(schema, row)
    if len(rows) != 1:
        raise DataError(f"there are {len(rows)} rows; give one of them")
    coded: NDArray[np.float64] = rows[0].astype(float)
    return coded


def code_rows(model: Fitted, rows: Any) -> NDArray[np.float64]:
    """Return rows coded as the schema says, also in columns that no split tests."""
    schema = schema_of(model)
    coded = rows.X if isinstance(rows, Data) else encode_frame(rows, schema)
    return np.asarray(coded, float)


def _read(schema: Schema, row: Any) -> NDArray[Any]:
    if isinstance(row, Data):
        return row.X
    cells = row if isinstance(row, Mapping) else _cells(row, schema)
    if cells is not None:
        row = _table(cells, schema)
    remarks: list[Remark] = []
    coded = encode_frame(row, schema, remarks=remarks)
    if remarks:
        said = "; ".join(remark.say() for remark in remarks)
        raise DataError(f"{said}; give a value that training saw, or None if it is not known")
    return coded


def _cells(row: Any, schema: Schema) -> Mapping[str, Any] | None:
    """Return the cells of a series or a sequence by name; None where it is a table."""
    if hasattr(row, "to_dict") and getattr(row, "ndim", 2) == 1:  # a pandas series
        return {str(key): cell for key, cell in row.to_dict().items()}
    if isinstance(row, list | tuple) or (isinstance(row, np.ndarray) and row.ndim == 1):
        inputs = schema.inputs if len(row) == len(schema.inputs) else schema.sources
        if len(row) != len(inputs):
            raise DataError(
                f"the row has {len(row)} cells and the model {len(schema.sources)} columns: "
                f"{', '.join(schema.sources)}"
            )
        return dict(zip(inputs, row, strict=True))
    return None


def _table(cells: Mapping[str, Any], schema: Schema) -> Any:
    import pyarrow as pa

    known = {*schema.inputs, schema.target}
    strange = [name for name in cells if name not in known]
    absent = [name for name in schema.sources if name not in cells]
    if strange:
        raise DataError(
            f"the model has no column {strange[0]!r}; its columns are {', '.join(schema.sources)}"
        )
    if absent:
        raise DataError(f"the row has no {', '.join(map(repr, absent))}; None: it is not known")
    plain = {name: cells[name] for name in schema.sources}
    return pa.table({name: pa.array([_plain(cell)]) for name, cell in plain.items()})


def _plain(cell: Any) -> Any:
    """Return a cell that Arrow knows; None for each way to write that nothing is known."""
    cell = cell.item() if isinstance(cell, np.generic) else cell
    is_missing = type(cell).__name__ in {"NAType", "NaTType"} or (
        isinstance(cell, float) and cell != cell
    )
    return None if is_missing else cell


def say_row(row: NDArray[np.float64], schema: Schema) -> dict[str, Any]:
    """Return a coded row as the user would write it: numbers, names of values, None."""
    return {
        column.name: say_cell(value, column)
        for value, column in zip(row.tolist(), schema.columns, strict=True)
    }


def say_cell(value: float, column: Any) -> Any:
    """Return a cell as the user would write it."""
    if value != value:
        return None
    if column.values:
        return column.values[int(value)]
    if not column.is_number:
        return column.say(value)
    return int(value) if column.spread and column.spread.is_whole and value % 1 == 0 else value
