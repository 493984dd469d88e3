"""Files whose cells have types: Parquet, JSON lines and Excel."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from miter.data.assemble import encode, find_sources
from miter.data.columns.texts import Context
from miter.data.columns.where import Where
from miter.data.files.content import Content
from miter.data.files.names import check_target_is_one, tell_apart
from miter.data.files.tables import find_target
from miter.data.frames import settle_source
from miter.data.kinds import Kinds
from miter.data.labels import match_labels
from miter.data.remarks import Reading, Remark
from miter.data.schema import Schema
from miter.data.sources import AnySource, ColumnsSource, open_source
from miter.data.table import Data
from miter.errors import DataError, did_you_mean, need

__all__ = [
    "Load",
    "Loaded",
    "TypedFiles",
    "check_same_columns",
    "load_excel",
    "load_json_lines",
    "load_parquet",
    "read_typed",
]


@dataclass(frozen=True, eq=False)
class Loaded:
    """What a file holds.

    Parameters
    ----------
    columns : dict
        Lists of cells, or Arrow arrays, by name.
    first : int
        The number that its first row has in the file.
    remarks : sequence of Remark
        What there is to say of the names.
    """

    columns: dict[str, Any]
    first: int
    remarks: Sequence[Remark] = ()


Load = Callable[[Content], Loaded]


class TypedFiles(Where):
    """Says in which row of which file a row is.

    Parameters
    ----------
    paths : sequence of Path
        In the order of the rows.
    ends : sequence of int
        The number of rows up to the end of each.
    first : int
        What the file calls its first row.
    """

    def __init__(self, paths: Sequence[Path], ends: Sequence[int], first: int) -> None:
        self.paths, self.ends, self.first = paths, ends, first

    def _find(self, row: int) -> tuple[Path, int]:
        start = 0
        for path, end in zip(self.paths, self.ends, strict=True):
            if row < end:
                return path, row - start + self.first
            start = end
        return self.paths[-1], row

    def say(self, row: int) -> str:
        """Return the row as the file counts it, and the file where there are several."""
        path, number = self._find(row)
        return f"row {number}" if len(self.paths) == 1 else f"row {number} of {path}"

    def fail(self, row: int, what: str, cure: str) -> NoReturn:
        """Raise a `DataError` that begins with the file."""
        path, number = self._find(row)
        raise DataError(f"{path}: {what} in row {number}; {cure}")


def read_typed(
    paths: Sequence[Path],
    load: Load,
    target: str | None,
    kinds: Kinds | None,
    schema: Schema | None,
    missing: frozenset[str],
    labelled: bool = True,
) -> Data:
    """Read one or several files of a format.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    load : callable
        From the bytes of a file to its columns.
    target, kinds, schema, labelled
        As for `read`.
    missing : frozenset of str
        Texts that mean missing.
    """
    loaded = [load(Content.of(path)) for path in paths]
    first = loaded[0]
    check_same_columns(paths, [list(one.columns) for one in loaded])
    columns = _join([one.columns for one in loaded])
    ends, total = [], 0
    for one in loaded:
        total += len(next(iter(one.columns.values()), []))
        ends.append(total)
    where = TypedFiles(paths, ends, first.first)
    check_target_is_one(paths[0], target if schema is None else schema.target, first.remarks)
    _check_header_is_first(paths[0], first, target)
    position = find_target(paths[0], list(columns), target, schema, labelled=labelled)
    try:
        data = _settle(columns, position, kinds, schema, Context(where, missing))
        said = Reading(remarks=(*first.remarks, *data.reading.remarks))
        return replace(data, reading=said)
    except DataError as error:
        if str(error).startswith(str(paths[0])):
            raise
        raise DataError(f"{paths[0]}: {error}") from error


def _check_header_is_first(path: Path, loaded: Loaded, target: str | None) -> None:
    """Refuse a sheet whose header, the row that names the class, has rows above it."""
    if target is None or target in loaded.columns:
        return
    for cells in loaded.columns.values():
        above = cells[:20] if isinstance(cells, list) else []
        if target in above:
            raise DataError(
                f"{path}: the class {target!r} is named in row {above.index(target) + loaded.first}"
                " or nearby, not above the table; delete the rows above the header"
            )


def _settle(
    columns: dict[str, Any],
    position: int | None,
    kinds: Kinds | None,
    schema: Schema | None,
    context: Context,
) -> Data:
    source = _as_source(columns)
    labels = None if position is None else source.column(position)
    if schema is None:
        name = "class" if position is None else source.names[position]
        return settle_source(source, labels, position, name, kinds, context)
    if source.n_rows == 0:
        raise DataError("the table has no rows; give at least one")
    codes = None if labels is None else match_labels(labels, schema.classes)
    positions = find_sources(source.names, schema, "the table")
    matrix, remarks = encode(source, positions, schema, context)
    return Data(schema, matrix, codes, reading=Reading(remarks=remarks))


def _as_source(columns: dict[str, Any]) -> AnySource:
    if all(isinstance(cells, list) for cells in columns.values()):
        return ColumnsSource(columns)
    import pyarrow as pa

    return open_source(pa.table(columns))


def check_same_columns(paths: Sequence[Path], names: Sequence[Sequence[str]]) -> None:
    """Refuse files of a pattern whose columns differ; their order may."""
    for path, own in zip(paths, names, strict=True):
        lacking = [name for name in names[0] if name not in own]
        further = [name for name in own if name not in names[0]]
        if lacking or further:
            owner, other = (path, paths[0]) if lacking else (paths[0], path)
            name = (lacking or further)[0]
            raise DataError(
                f"{owner} has no column {name!r}, which {other} has; files of one pattern must "
                "have the same columns"
            )


def _join(tables: list[dict[str, Any]]) -> dict[str, Any]:
    if len(tables) == 1:
        return tables[0]
    first = tables[0]
    if all(isinstance(cells, list) for table in tables for cells in table.values()):
        return {name: [cell for table in tables for cell in table[name]] for name in first}
    import pyarrow as pa

    whole = [pa.table(table).select(list(first)) for table in tables]
    joined = pa.concat_tables(whole, promote_options="permissive")
    return dict(zip(joined.column_names, joined.columns, strict=True))


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
    table = table.drop_columns(index)
    names, remarks = tell_apart(table.column_names)
    return Loaded(dict(zip(names, table.columns, strict=True)), 0, remarks)


def load_json_lines(content: Content) -> Loaded:
    """Return the columns of a file with one JSON object a line."""
    raw = content.read().removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataError(f"{content.path}, line {line}: this is not UTF-8; save it so") from None
    columns = _json_by_arrow(raw)
    return Loaded(_json_by_python(content.path, text) if columns is None else columns, 1)


def _json_by_arrow(raw: bytes) -> dict[str, Any] | None:
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
    return dict(zip(table.column_names, table.columns, strict=True))


def _json_by_python(path: Path, text: str) -> dict[str, Any]:
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
        rows.append(row)
    # Not a set, for the order: columns stand where they first turn up.
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def load_excel(content: Content, sheet: str | int | None = None) -> Loaded:
    """Return the columns of a sheet of an Excel file, the first unless one is named.

    Parameters
    ----------
    content : Content
        The file.
    sheet : str or int, optional
        The name of the sheet, or its number from 0 on.
    """
    try:
        import openpyxl
    except ImportError:
        raise need("openpyxl", "excel", "Excel files") from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(content.read()), read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises what it meets: zip, XML, key and type errors
        raise DataError(
            f"{content.path} cannot be read as Excel ({error}); save it as .xlsx"
        ) from error
    rows = [list(row) for row in _find_sheet(content.path, book, sheet).iter_rows(values_only=True)]
    is_blank = [all(cell is None for cell in row) for row in rows]
    first = is_blank.index(False) if False in is_blank else 0
    body = [
        row
        for row, blank in zip(rows[first + 1 :], is_blank[first + 1 :], strict=True)
        if not blank
    ]
    if not rows:
        raise DataError(f"{content.path} has an empty sheet; give a header, then the rows")
    width = max(
        (i + 1 for row in rows for i, cell in enumerate(row) if cell is not None), default=0
    )
    header = ["" if cell is None else str(cell).strip() for cell in rows[first][:width]]
    names, remarks = tell_apart(header)
    return Loaded({n: [row[i] for row in body] for i, n in enumerate(names)}, first + 2, remarks)


def _find_sheet(path: Path, book: Any, sheet: str | int | None) -> Any:
    names = book.sheetnames
    if sheet is None:
        return book[names[0]]
    if isinstance(sheet, str) and sheet.isdecimal() and sheet not in names:
        sheet = int(sheet)  # as a command line writes it
    if isinstance(sheet, int) and 0 <= sheet < len(names):
        return book[names[sheet]]
    if sheet in names:
        return book[sheet]
    raise DataError(f"{path} has no sheet {sheet!r}; {did_you_mean(str(sheet), names)}")
