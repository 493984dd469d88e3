"""Parquet files."""

from __future__ import annotations

import io
import re
from typing import Any

from miter.data.files.content import Content
from miter.data.files.names import tell_apart
from miter.data.files.typed import Loaded
from miter.errors import DataError

__all__ = ["load_parquet", "without_objects"]


def load_parquet(content: Content) -> Loaded:
    """Return the columns of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(content.read()))
    except (OSError, ValueError, pa.ArrowException) as error:
        raise DataError(
            f"{content.path} cannot be read as Parquet ({error}); check the file"
        ) from error
    # The index of a pandas frame is stored as a column, but is no part of the table.
    index = [name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)]
    table = without_objects(table.drop_columns(index))
    names, remarks = tell_apart(table.column_names)
    columns = dict(zip(names, table.columns, strict=True))
    return Loaded(columns, range(table.num_rows), remarks)


def without_objects(table: Any) -> Any:
    """Return an Arrow table whose columns of objects are columns for each of their fields.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.files.parquet import without_objects
    >>> without_objects(pa.table({"user": [{"age": 31, "city": "Rome"}]})).column_names
    ['user.age', 'user.city']
    """
    import pyarrow as pa

    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    return table
