"""Files with one JSON object a line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from miter.data.files.content import Content
from miter.data.files.names import tell_apart
from miter.data.files.parquet import without_objects
from miter.data.files.typed import Loaded
from miter.errors import DataError

__all__ = ["load_json_lines"]


def load_json_lines(content: Content) -> Loaded:
    """Return the columns of a file with one JSON object a line."""
    raw = content.read().removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataError(f"{content.path}, line {line}: this is not UTF-8; save it so") from None
    table = _by_arrow(raw)
    if table is None:
        columns = _by_python(content.path, text)
        return Loaded(columns, _line_numbers(raw, len(next(iter(columns.values()), []))))
    names, remarks = tell_apart(table.column_names)
    columns = dict(zip(names, table.columns, strict=True))
    return Loaded(columns, _line_numbers(raw, table.num_rows), remarks)


def _line_numbers(raw: bytes, n_rows: int) -> Sequence[int]:
    """Return in which line each row is: blank lines are none."""
    if n_rows == raw.count(b"\n") + (not raw.endswith(b"\n")):
        return range(1, n_rows + 1)
    return [n for n, line in enumerate(raw.split(b"\n"), 1) if line and not line.isspace()]


def _by_arrow(raw: bytes) -> Any:
    """Return an Arrow table; None where Arrow cannot read the file."""
    """Return the columns where every cell of one is of one type; None where Python must look."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    def read(schema: Any) -> Any:
        return arrow_json.read_json(
            pa.BufferReader(raw),
            parse_options=arrow_json.ParseOptions(explicit_schema=schema),
        )

    try:
        table = read(None)
        # Texts that look like moments stay texts: what they are, the rules for all files say.
        moments = [f.name for f in table.schema if pa.types.is_timestamp(f.type)]
        if moments:
            order = table.column_names
            table = read(pa.schema([(name, pa.string()) for name in moments])).select(order)
    except pa.ArrowException:
        return None
    return without_objects(table)


def _by_python(path: Path, text: str) -> dict[str, Any]:
    rows = []
    for number, line_text in enumerate(text.splitlines(), 1):
        if not line_text.strip():
            continue
        try:
            row = json.loads(line_text)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"{path}, line {number}: this is no JSON ({error}); give one object a line"
            ) from None
        if not isinstance(row, dict):
            raise DataError(
                f"{path}, line {number}: {line_text.strip()[:40]!r} is no object; give one "
                'a line, as {"age": 31, "class": "yes"}'
            )
        rows.append(_flat(row))
    # Not a set, for the order: columns stand where they first turn up.
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return an object without objects in it: their fields are called 'user.age'."""
    flat: dict[str, Any] = {}
    for name, cell in row.items():
        inner = _flat(cell) if isinstance(cell, dict) else None
        flat |= {name: cell} if inner is None else {f"{name}.{k}": v for k, v in inner.items()}
    return flat
