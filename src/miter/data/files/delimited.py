"""Delimited text: Arrow reads what is plainly written, Python's own reader what is not.

Columns of which the first rows are plain numbers are read as numbers, all others as texts coded
by a dictionary, which is what the rules for kinds look at. When a number turns out to be something
else further down, the file is read once more, all as texts. Quotes that do not stand around whole
cells, lines of another length and the like go through the `csv` module, which finds the place.
"""

from __future__ import annotations

import io
import itertools
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.choose import Cells
from miter.data.columns.texts import texts_of
from miter.data.columns.where import Where
from miter.data.columns.words import MISSING_WORDS
from miter.data.files.cells import Numbers
from miter.data.files.content import Content
from miter.data.files.dialect import (
    MEND_QUOTES,
    Asked,
    Dialect,
    RecordError,
    Sample,
    find_dialect,
    records,
    with_encoding,
)
from miter.data.files.encoding import to_utf8
from miter.data.remarks import Remark
from miter.data.schema import first_repeated
from miter.errors import DataError
from miter.threads import resolve_threads

__all__ = ["DelimitedFile", "DelimitedSource", "DelimitedWhere", "open_delimited"]

CHUNK_ROWS = 50_000
PIECE_BYTES = 1 << 22
_QUOTE = ord('"')
_LEADING_ZERO = re.compile(r"0\d+")


@dataclass(frozen=True, eq=False)
class DelimitedFile:
    """A delimited file whose dialect is known.

    Parameters
    ----------
    content : Content
        In UTF-8.
    dialect : Dialect
        How it is written.
    names : tuple of str
        Its columns.
    sample : Sample
        Its first records.
    remarks : tuple of Remark
        What there is to say of the header.
    """

    content: Content
    dialect: Dialect
    names: tuple[str, ...]
    sample: Sample
    remarks: tuple[Remark, ...] = ()

    @property
    def path(self) -> Path:
        """As errors call it."""
        return self.content.path

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the cells of each row, slowly."""
        text = io.TextIOWrapper(self.content.open(), encoding="utf-8-sig", newline="")
        with text as lines:
            found = records(iter(lines), self.dialect.separator)
            width, is_header = len(self.names), self.dialect.has_header
            try:
                for line, cells in found:
                    if cells == [""] and width > 1:
                        continue
                    if is_header:
                        is_header = False
                    else:
                        yield line, cells
            except RecordError as error:
                self.fail(
                    error.line,
                    f"the record that begins here cannot be read ({error.why}); {MEND_QUOTES}",
                )

    def fail(self, line: int, sentence: str) -> NoReturn:
        """Raise a `DataError` that begins with the place."""
        raise DataError(f"{self.path}, line {line}: {sentence}")

    def fail_on_width(self, line: int, n_cells: int) -> NoReturn:
        """Complain of a row that is longer or shorter than the header."""
        self.fail(
            line,
            f"{n_cells} cells where {len(self.names)} are expected, {self.names[0]!r} to "
            f"{self.names[-1]!r}; write ? for a missing cell, and quotes around a cell that holds "
            "the separator",
        )


def open_delimited(
    path: Path, usual: str, asked: Asked, known_names: Sequence[str]
) -> DelimitedFile:
    """Find out how a delimited file is written.

    Parameters
    ----------
    path : Path
        The file.
    usual : str
        The separator that its suffix promises.
    asked : Asked
        What the user says of it.
    known_names : sequence of str
        Names of columns that a header would hold.
    """
    content, encoding = to_utf8(Content.of(path), asked.encoding)
    dialect, sample = find_dialect(content, usual, asked, known_names)
    dialect = with_encoding(dialect, encoding)
    if not dialect.has_header:
        names = [f"column {number}" for number in range(1, len(sample.first) + 1)]
        return DelimitedFile(content, dialect, tuple(names), sample)
    names = [name or f"column {n}" for n, name in enumerate(sample.first, 1)]
    unnamed = [name for name, own in zip(names, sample.first, strict=True) if not own]
    remarks = [Remark(name, "header", f"has no name; called {name!r}") for name in unnamed]
    repeated = first_repeated(names)
    if repeated is not None:
        raise DataError(
            f"{content.path}, line 1: two columns are called {repeated!r}; rename one of them"
        )
    return DelimitedFile(content, dialect, tuple(names), sample, tuple(remarks))


class DelimitedWhere(Where):
    """Says in which line a row of one or several delimited files is.

    Parameters
    ----------
    files : sequence of DelimitedFile
        In the order of the rows.
    ends : sequence of int
        The number of rows up to the end of each.
    """

    def __init__(self, files: Sequence[DelimitedFile], ends: Sequence[int]) -> None:
        self.files = files
        self.ends = ends
        self._found: dict[int, tuple[DelimitedFile, int, list[str]]] = {}

    def _find(self, row: int) -> tuple[DelimitedFile, int, list[str]]:
        if row not in self._found:
            number = int(np.searchsorted(self.ends, row, side="right"))
            start = self.ends[number - 1] if number else 0
            file = self.files[number]
            line, cells = next(r for n, r in enumerate(file.rows(), start) if n == row)
            self._found[row] = file, line, cells
        return self._found[row]

    def say(self, row: int) -> str:
        """Return the line of a row, and the file where there are several."""
        file, line, _ = self._find(row)
        return f"line {line}" if len(self.files) == 1 else f"line {line} of {file.path}"

    def text(self, row: int, name: str) -> str | None:
        """Return a cell as it is written."""
        file, _, cells = self._find(row)
        return cells[file.names.index(name)]

    def fail(self, row: int, what: str, cure: str) -> NoReturn:
        """Raise a `DataError` that begins with the file and the line."""
        file, line, _ = self._find(row)
        file.fail(line, f"{what}; {cure}")


class DelimitedSource:
    """The columns of one or several delimited files.

    Parameters
    ----------
    files : sequence of DelimitedFile
        With the same columns.
    needed : set of str
        The columns to read.
    as_text : set of str
        Those that may not be read as numbers.
    class_name : str, optional
        The column that holds the class.
    missing : frozenset of str
        Words that mean missing.
    """

    has_names = True

    def __init__(
        self,
        files: Sequence[DelimitedFile],
        needed: set[str],
        as_text: set[str],
        class_name: str | None,
        missing: frozenset[str],
    ) -> None:
        first = files[0]
        self.names = list(first.names)
        self.kept = [name for name in self.names if name in needed]
        inputs = [name for name in self.kept if name != class_name]
        self.position = {name: position for position, name in enumerate(inputs)}
        numbers = {n for n in inputs if n not in as_text and _is_plain_number(first, n)}
        try:
            self._gather(files, numbers, missing)
        except _OddCellError:
            self._gather(files, set(), missing)

    def _gather(
        self, files: Sequence[DelimitedFile], numbers: set[str], missing: frozenset[str]
    ) -> None:
        """Read all files piece by piece.

        Numbers go straight to their place in the matrix: fresh memory costs as much as reading.
        """
        import pyarrow as pa

        n_bytes = sum(file.content.size for file in files)
        matrix = np.empty((0, len(self.position)))
        chunks: dict[str, list[Any]] = {name: [] for name in self.kept if name not in numbers}
        self.is_finite = {self.position[name]: True for name in numbers}
        ends, end = [], 0
        for file in files:
            for n_rows, columns in _read_pieces(file, self.kept, numbers, missing):
                if end + n_rows > len(matrix):
                    # As many rows as the whole has if it goes on like its first piece.
                    expected = int(n_rows * n_bytes / PIECE_BYTES * 1.02)
                    matrix = _grown(matrix, end, max(expected, end + n_rows, 2 * end))
                for name, array in columns.items():
                    if name in numbers:
                        self._move(array, matrix[end : end + n_rows], self.position[name])
                    else:
                        chunks[name].extend(array.chunks)
                end += n_rows
            ends.append(end)
        self.n_rows, self.matrix = end, matrix[:end]
        self.where = DelimitedWhere(files, ends)
        self.texts = {name: pa.chunked_array(own) if own else None for name, own in chunks.items()}

    def _move(self, array: Any, block: NDArray[np.float64], position: int) -> None:
        start = 0
        for chunk in array.chunks:
            values = chunk.to_numpy(zero_copy_only=False)
            block[start : start + len(values), position] = values
            start += len(values)
            # Looked at while it is in the cache; a finite sum tells it all.
            if not np.isfinite(values.sum()) and np.isinf(values).any():
                self.is_finite[position] = False

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column; once, for texts are not kept."""
        name = self.names[position]
        own = self.position.get(name, -1)
        if own in self.is_finite:
            return Numbers(self.matrix[:, own], is_finite=self.is_finite[own])
        return texts_of(self.texts.pop(name), missing)


def _grown(matrix: NDArray[np.float64], n_rows: int, size: int) -> NDArray[np.float64]:
    larger = np.empty((size, matrix.shape[1]))
    larger[:n_rows] = matrix[:n_rows]
    return larger


def _is_plain_number(file: DelimitedFile, name: str) -> bool:
    """Whether the first cells of a column are plain numbers, and none is a code such as 007."""
    mark = re.escape(file.dialect.decimal)
    number = re.compile(rf"[+-]?(\d+{mark}?\d*|{mark}\d+)([eE][+-]?\d+)?")
    position = file.names.index(name)
    cells = [row[position] for row in file.sample.rows if position < len(row)]
    known = [cell for cell in cells if cell not in MISSING_WORDS]
    return bool(known) and all(
        number.fullmatch(cell) and not _LEADING_ZERO.fullmatch(cell) for cell in known
    )


#: A number of rows, and their columns by name.
_Piece = tuple[int, dict[str, Any]]


class _OddCellError(ValueError):
    """A column that began with numbers holds something else."""


def _read_pieces(
    file: DelimitedFile, kept: list[str], numbers: set[str], missing: frozenset[str]
) -> Iterator[_Piece]:
    """Yield the rows of a file in pieces."""
    import pyarrow as pa

    has_quotes = file.content.has_quotes
    is_plain = file.dialect.separator != " " and not _begins_blank(file.content)
    if not is_plain or (has_quotes and not _quotes_whole_cells(file)):
        if numbers:
            raise _OddCellError("this way all cells are texts")
        yield from _read_by_python(file, kept)
        return
    parse = partial(_parse, file, kept, numbers, missing)
    # Only where there are no quotes does every end of a line end a row.
    n_threads = resolve_threads()
    # One piece is being cut while one more than there are threads is in their hands.
    whole = iter([memoryview(file.content.read())]) if has_quotes else None
    pieces = whole or _cut(file.content, n_threads + 2)
    try:
        yield from _in_threads(parse, pieces, n_threads)
    except pa.ArrowInvalid as error:
        if "conversion error" in str(error) and numbers:
            raise _OddCellError(str(error)) from error
        for _ in _read_by_python(file, kept):
            pass  # which says better what is wrong
        raise DataError(f"{file.path} cannot be read ({error}); check the file") from error


def _cut(content: Content, n_buffers: int) -> Iterator[memoryview]:
    """Yield a text in pieces of whole lines, which lie in a few buffers by turns."""
    buffers = [bytearray(PIECE_BYTES) for _ in range(n_buffers)]
    rest = b""
    with content.open() as stream:
        for number in itertools.count():
            buffer = buffers[number % n_buffers]
            if 2 * len(rest) > len(buffer):
                buffer = bytearray(2 * len(rest))
            buffer[: len(rest)] = rest
            size = len(rest) + _read_into(stream, memoryview(buffer)[len(rest) :])
            if size == len(rest):
                break
            end = buffer.rfind(b"\n", 0, size) + 1
            rest = bytes(memoryview(buffer)[end:size])
            if end:
                yield memoryview(buffer)[:end]
    if rest:
        yield memoryview(rest)


def _read_into(stream: BinaryIO, view: memoryview) -> int:
    n_bytes: int = stream.readinto(view)  # type: ignore[attr-defined]
    return n_bytes


def _in_threads(
    parse: Callable[[memoryview, bool], _Piece], pieces: Iterator[memoryview], n_threads: int
) -> Iterator[_Piece]:
    """Yield what is made of pieces, in their order; a few are made ahead."""
    ahead: deque[Future[_Piece]] = deque()
    with ThreadPoolExecutor(n_threads) as threads:
        try:
            for number, piece in enumerate(pieces):
                ahead.append(threads.submit(parse, piece, number == 0))
                if len(ahead) > n_threads:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()


def _parse(
    file: DelimitedFile,
    kept: list[str],
    numbers: set[str],
    missing: frozenset[str],
    piece: memoryview,
    is_first: bool,
) -> _Piece:
    import pyarrow as pa
    from pyarrow import csv

    text = pa.dictionary(pa.int32(), pa.string())
    has_quotes = file.content.has_quotes
    table = csv.read_csv(
        pa.BufferReader(pa.py_buffer(piece)),
        read_options=csv.ReadOptions(
            use_threads=has_quotes,  # then there is a single piece
            block_size=max(PIECE_BYTES, 1 << 22),
            column_names=list(file.names),
            skip_rows_after_names=int(is_first and file.dialect.has_header),
        ),
        parse_options=csv.ParseOptions(
            delimiter=file.dialect.separator,
            newlines_in_values=has_quotes,
            quote_char='"' if has_quotes else False,
            invalid_row_handler=lambda row: "skip" if not row.text.strip() else "error",
        ),
        convert_options=csv.ConvertOptions(
            include_columns=kept,
            column_types={name: pa.float64() if name in numbers else text for name in kept},
            null_values=sorted(missing),
            decimal_point=file.dialect.decimal,
        ),
    )
    return table.num_rows, dict(zip(kept, table.columns, strict=True))


def _read_by_python(file: DelimitedFile, kept: list[str]) -> Iterator[_Piece]:
    width, positions = len(file.names), [file.names.index(name) for name in kept]
    rows: list[list[str]] = []
    for line, row in file.rows():
        if len(row) != width:
            file.fail_on_width(line, len(row))
        rows.append([row[position] for position in positions])
        if len(rows) == CHUNK_ROWS:
            yield _as_piece(rows, kept)
            rows = []
    yield _as_piece(rows, kept)


def _as_piece(rows: list[list[str]], kept: list[str]) -> _Piece:
    import pyarrow as pa

    columns = zip(*rows, strict=True) if rows else [()] * len(kept)
    coded = (pa.array(cells, pa.string()).dictionary_encode() for cells in columns)
    return len(rows), {n: pa.chunked_array([c]) for n, c in zip(kept, coded, strict=True)}


def _begins_blank(content: Content) -> bool:
    """Whether spaces stand where Arrow would look for the header."""
    head = content.read(4096).lstrip(b"\r\n")
    return not re.split(rb"[\r\n]", head, maxsplit=1)[0].strip()


def _quotes_whole_cells(file: DelimitedFile) -> bool:
    """Whether every quote opens a cell, closes one, or is written twice inside one.

    Quotes that open and that close take turns; one that is written twice closes and opens.
    """
    raw = np.frombuffer(file.content.read(), np.uint8)
    quotes = np.flatnonzero(raw == _QUOTE)
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    ends = np.array([ord(file.dialect.separator), ord("\n"), ord("\r"), _QUOTE], np.uint8)
    before = raw[np.maximum(opening - 1, 0)]
    after = raw[np.minimum(closing + 1, len(raw) - 1)]
    is_doubled = np.zeros(len(opening), bool)
    is_doubled[1:] = opening[1:] == closing[:-1] + 1
    opens = (opening == 0) | np.isin(before, ends[:3]) | is_doubled
    closes = (closing == len(raw) - 1) | np.isin(after, ends)
    return bool(opens.all() and closes.all())
