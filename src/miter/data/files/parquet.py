"""Parquet files, through pyarrow when the user has it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from miter.data.files.gather import find_target
from miter.data.files.lines import open_bytes
from miter.data.frames import encode_frame, from_frame
from miter.data.kinds import Kinds
from miter.data.labels import match_labels
from miter.data.schema import Schema
from miter.data.table import Data
from miter.errors import DataError

__all__ = ["read_parquet"]


def read_parquet(
    path: Path, target: str | None, kinds: Kinds | None, schema: Schema | None
) -> Data:
    """Read a Parquet file.

    Parameters
    ----------
    path : Path
        The file.
    target, kinds, schema
        As for `read`.
    """
    table = _load(path)
    position = find_target(path, table.column_names, target, schema)
    labels = None if position is None else table.column(position)
    inputs = table if position is None else table.remove_column(position)
    try:
        if schema is None:
            name = table.column_names[position]
            return from_frame(inputs, labels, kinds=kinds, target=name)
        codes = None if labels is None else match_labels(labels, schema.classes)
        return Data(schema, _encode(inputs, schema), codes)
    except DataError as error:
        raise DataError(f"{path}: {error}") from error


def _encode(inputs: Any, schema: Schema) -> Any:
    if inputs.num_rows == 0:
        raise DataError("the table has no rows; give at least one")
    return encode_frame(inputs, schema)


def _load(path: Path) -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise DataError(
            f"{path} needs pyarrow to be read; install it with: pip install miter[parquet]"
        ) from error
    try:
        with open_bytes(path) as stream:
            table = pyarrow.parquet.read_table(stream)
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"{path} cannot be read as Parquet ({error}); check the file") from error
    # The index of a pandas frame is stored as a column, but is no part of the table.
    index = [name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)]
    return table.drop_columns(index)
