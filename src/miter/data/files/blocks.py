"""New rows in blocks, so that a file larger than memory passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from miter.data.assemble import Source, encode, find_sources
from miter.data.columns.choose import Cells
from miter.data.columns.texts import Context, texts_of
from miter.data.columns.where import Where
from miter.data.files.cells import Numbers
from miter.data.files.content import STANDARD_INPUT, Content
from miter.data.files.delimited import DelimitedFile, DelimitedWhere, open_delimited
from miter.data.files.delimited_source import is_plain_number
from miter.data.files.dialect import Asked
from miter.data.files.parquet import without_objects
from miter.data.files.pieces import OddCellError, Piece, Plan, read_pieces
from miter.data.files.reading import (
    DELIMITERS,
    TYPED,
    check_how_written,
    find_files,
    loader_of,
    read,
    suffix_of,
)
from miter.data.files.typed import Loaded, TypedFiles
from miter.data.frames import missing_words
from miter.data.remarks import Reading, Remark
from miter.data.schema import Notation, Schema
from miter.data.sources import ColumnsSource, open_source
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["Block", "choose_columns", "read_blocks"]

#: So many rows of a Parquet file at a time.
BLOCK_ROWS = 1 << 16


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a file.

    Parameters
    ----------
    data : Data
        The rows under the schema of the training rows, without their classes.
    kept : dict of str to Arrow array
        The columns that the user wants to see again, as they are written.
    """

    data: Data
    kept: dict[str, Any] = field(default_factory=dict)


def read_blocks(
    path: str | PathLike[str],
    schema: Schema,
    *,
    keep: Sequence[str] = (),
    missing: Iterable[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    sheet: str | int | None = None,
) -> Iterator[Block]:
    r"""Read new rows block by block: delimited text and Parquet; other formats are one block.

    Parameters
    ----------
    path, missing, separator, decimal, encoding, header, sheet
        As for `read`.
    schema : Schema
        Of the training rows.
    keep : sequence of str
        Columns to keep as they are; ``*`` in a name stands for any letters.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.data import Column, Schema
    >>> from miter.data.files.blocks import read_blocks
    >>> schema = Schema((Column("age", "numeric"),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "new.csv")
    ...     _ = path.write_text("id,age\n007,31\n008,?\n")
    ...     [block] = read_blocks(path, schema, keep=["id"])
    >>> block.data.X.ravel(), block.kept["id"].to_pylist()
    (array([31., nan]), ['007', '008'])
    """
    places = find_files(Path(path))
    suffix, words = suffix_of(places[0]), missing_words(missing)
    asked = Asked(separator, decimal, encoding, header)
    check_how_written(places[0], suffix, asked, sheet)
    if suffix in DELIMITERS or str(path) == STANDARD_INPUT:
        for place in places:
            file = open_delimited(place, DELIMITERS.get(suffix, ","), asked, schema.sources)
            yield from _delimited(file, DELIMITERS.get(suffix, ","), schema, keep, words)
    elif suffix in TYPED:
        for place in places:
            if suffix == ".parquet" and place.suffix.lower() == suffix:
                yield from _parquet(place, schema, keep, words)
            else:
                yield _whole(
                    place, loader_of(suffix, sheet)(Content.of(place)), schema, keep, words
                )
    else:
        data = read(path, schema=schema)
        yield Block(data, _said(data, choose_columns(keep, schema.names, places[0])))


def choose_columns(keep: Sequence[str], names: Sequence[str], path: Path) -> list[str]:
    """Return the columns that are called as the user says, each once, in the user's order."""
    chosen: dict[str, None] = {}
    for pattern in keep:
        found = [name for name in names if name == pattern or fnmatchcase(name, pattern)]
        if not found:
            raise DataError(
                f"{path} has no column {pattern!r} to keep; {did_you_mean(pattern, names)}"
            )
        chosen |= dict.fromkeys(found)
    return list(chosen)


# ---- delimited text --------------------------------------------------------------------------


def _delimited(
    file: DelimitedFile, usual: str, schema: Schema, keep: Sequence[str], missing: frozenset[str]
) -> Iterator[Block]:
    kept = choose_columns(keep, file.names, file.path)
    positions = find_sources(file.names, schema, str(file.path))
    needed = [name for name in file.names if name in positions or name in kept]
    plain = {column.name for column in schema.columns if column.is_number}
    # What is kept must come out as it is written, 007 and 1.50 included.
    as_numbers = [name for name in plain - {*kept} if is_plain_number(file, name)]
    numbers = {name: place for place, name in enumerate(sorted(as_numbers))}
    notation: Notation = "decimal comma" if file.dialect.decimal == "," else ""
    done = 0
    for piece in _pieces(file, Plan(needed, numbers, len(numbers), missing)):
        where = _From(DelimitedWhere([file], [np.iinfo(np.int64).max]), done)
        source = _PieceSource(list(file.names), piece, numbers)
        data = _encode(source, positions, schema, Context(where, missing, notation), file.path)
        if done == 0:
            said = Reading(file.dialect.say(usual), (*file.remarks, *data.reading.remarks))
            data = Data(schema, data.X, reading=said)
        yield Block(data, {name: piece.texts[name] for name in kept})
        done += piece.n_rows
    if done == 0:
        raise DataError(f"{file.path} has no rows; give at least one")


def _pieces(file: DelimitedFile, plan: Plan) -> Iterator[Piece]:
    """Yield pieces; once a number turns out to be something else, all columns as texts."""
    done = 0
    try:
        for piece in read_pieces(file, plan):
            if piece.n_rows:
                yield piece
                done += piece.n_rows
        return
    except OddCellError:
        pass
    for piece in read_pieces(file, replace(plan, numbers={}, width=0)):
        again = min(piece.n_rows, done)
        done -= again
        if piece.n_rows > again:
            texts = {name: array.slice(again) for name, array in piece.texts.items()}
            yield Piece(piece.n_rows - again, texts)


class _PieceSource:
    """Rows of a delimited file as a source of columns."""

    def __init__(self, names: list[str], piece: Piece, numbers: Mapping[str, int]) -> None:
        self.names, self.n_rows, self.piece, self.numbers = names, piece.n_rows, piece, numbers
        self.matrix: NDArray[Any] | None = None

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        name = self.names[position]
        if name in self.piece.texts:
            return texts_of(self.piece.texts[name], missing)
        assert self.piece.block is not None
        return Numbers(self.piece.block[:, self.numbers[name]])


class _From(Where):
    """Says where a row of a block is that begins somewhere in a file."""

    def __init__(self, whole: Where, start: int) -> None:
        self.whole, self.start = whole, start

    def say(self, row: int) -> str:
        return self.whole.say(row + self.start)

    def text(self, row: int, name: str) -> str | None:
        return self.whole.text(row + self.start, name)

    def fail(self, row: int, what: str, cure: str) -> NoReturn:
        self.whole.fail(row + self.start, what, cure)


# ---- files whose cells have types ------------------------------------------------------------


def _parquet(
    path: Path, schema: Schema, keep: Sequence[str], missing: frozenset[str]
) -> Iterator[Block]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise DataError(f"{path} cannot be read as Parquet ({error}); check the file") from error
    with file:
        names = without_objects(file.schema_arrow.empty_table()).column_names
        kept, done = choose_columns(keep, names, path), 0
        find_sources(names, schema, str(path))
        needed = [name for name in names if name in schema.sources or name in kept]
        for batch in file.iter_batches(BLOCK_ROWS, columns=needed):
            table = without_objects(pa.Table.from_batches([batch]))
            columns = dict(zip(table.column_names, table.columns, strict=True))
            numbers = range(done, done + table.num_rows)
            if numbers:
                yield _whole(path, Loaded(columns, numbers), schema, keep, missing)
            done += table.num_rows
    if done == 0:
        raise DataError(f"{path} has no rows; give at least one")


def _whole(
    path: Path,
    loaded: Loaded,
    schema: Schema,
    keep: Sequence[str],
    missing: frozenset[str],
) -> Block:
    import pyarrow as pa

    columns = loaded.columns
    kept = {name: columns[name] for name in choose_columns(keep, list(columns), path)}
    if any(isinstance(cells, list) for cells in columns.values()):
        source: Source = ColumnsSource(columns)
        kept = {name: _plain_array(cells) for name, cells in kept.items()}
    else:
        source = open_source(pa.table(columns))
    positions = find_sources(source.names, schema, str(path))
    context = Context(TypedFiles([path], [loaded.numbers]), missing)
    return Block(_encode(source, positions, schema, context, path), kept)


def _plain_array(cells: list[Any]) -> Any:
    """Return cells of one type as an Arrow array, mixed ones as texts."""
    import pyarrow as pa

    try:
        return pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if cell is None else str(cell) for cell in cells])


def _said(data: Data, names: Sequence[str]) -> dict[str, Any]:
    """Return columns in the words of their values, where the file is known only as read."""
    import pyarrow as pa

    kept = {}
    for name in names:
        position = data.schema.names.index(name)
        column = data.schema.columns[position]
        cells = data.X[:, position].tolist()
        kept[name] = pa.array([None if cell != cell else column.say(cell) for cell in cells])
    return kept


def _encode(
    source: Source, positions: dict[str, int], schema: Schema, context: Context, path: Path
) -> Data:
    try:
        matrix, remarks = encode(source, positions, schema, context)
    except DataError as error:
        if str(error).startswith(str(path)):
            raise
        raise DataError(f"{path}: {error}") from error
    said: tuple[Remark, ...] = remarks
    return Data(schema, matrix, reading=Reading(remarks=said))
