"""Files whose cells have types, once they are loaded: Parquet, JSON lines and Excel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from miter.data.assemble import encode, find_sources
from miter.data.columns.texts import Context
from miter.data.columns.where import Where
from miter.data.files.content import Content
from miter.data.files.names import check_target_is_one
from miter.data.files.tables import find_target
from miter.data.frames import settle_source
from miter.data.kinds import Kinds
from miter.data.labels import match_labels
from miter.data.remarks import Reading, Remark
from miter.data.schema import Schema
from miter.data.sources import AnySource, ColumnsSource, open_source
from miter.data.table import Data
from miter.errors import DataError

__all__ = ["Load", "Loaded", "TypedFiles", "check_same_columns", "read_typed"]


@dataclass(frozen=True, eq=False)
class Loaded:
    """What a file holds.

    Parameters
    ----------
    columns : dict
        Lists of cells, or Arrow arrays, by name.
    numbers : sequence of int
        The number that each row has in the file.
    remarks : sequence of Remark
        What there is to say of the names.
    """

    columns: dict[str, Any]
    numbers: Sequence[int]
    remarks: Sequence[Remark] = ()


Load = Callable[[Content], Loaded]


class TypedFiles(Where):
    """Says in which row of which file a row is.

    Parameters
    ----------
    paths : sequence of Path
        In the order of the rows.
    numbers : sequence of sequence of int
        What each file calls its rows.
    """

    def __init__(self, paths: Sequence[Path], numbers: Sequence[Sequence[int]]) -> None:
        self.paths, self.numbers = paths, numbers

    def _find(self, row: int) -> tuple[Path, int]:
        for path, own in zip(self.paths, self.numbers, strict=True):
            if row < len(own):
                return path, own[row]
            row -= len(own)
        raise IndexError(row)

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
    where = TypedFiles(paths, [one.numbers for one in loaded])
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
                f"{path}: the class {target!r} is named in row "
                f"{loaded.numbers[above.index(target)]}, not above the table; delete the rows "
                "above the header"
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
    codes = None if labels is None else match_labels(labels, schema.classes, context.where)
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
