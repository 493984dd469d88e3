"""Delimited text: Arrow reads what is plainly written, Python's own reader what is not.

Columns of which the first rows are plain numbers are read as numbers, all others as texts coded
by a dictionary, which is what the rules for kinds look at. When a number turns out to be something
else further down, the file is read once more, all as texts. Quotes that do not stand around whole
cells, lines of another length and the like go through the `csv` module, which finds the place.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

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
        numbers = {
            name
            for name in self.kept
            if name not in as_text and name != class_name and _is_plain_number(first, name)
        }
        tables = _read_all(files, self.kept, numbers, missing)
        ends = np.cumsum([table[0] for table in tables]).tolist()
        self.n_rows = ends[-1]
        self.where = DelimitedWhere(files, ends)
        self.arrays = {
            name: _join([columns.pop(name) for _, columns in tables]) for name in self.kept
        }
        # Numbers go straight to their place: a copy of a large table takes as long as reading it.
        inputs = [name for name in self.kept if name != class_name]
        self.matrix = np.empty((self.n_rows, len(inputs)))
        self.position = {name: position for position, name in enumerate(inputs)}
        self._move_numbers()

    def _move_numbers(self) -> None:
        """Move the columns of numbers into the matrix, chunk by chunk."""
        import pyarrow as pa

        moved = {
            self.position[name]: self.arrays.pop(name).chunks
            for name in self.position
            if pa.types.is_floating(self.arrays[name].type)
        }
        self.moved = dict.fromkeys(moved, True)
        lengths = [len(chunk) for chunk in next(iter(moved.values()), [])]
        starts = np.cumsum([0, *lengths])

        def move(number: int) -> None:
            start = starts[number]
            block = self.matrix[start : start + lengths[number]]
            for position, chunks in moved.items():  # all are cut alike
                values = chunks[number].to_numpy(zero_copy_only=False)
                block[:, position] = values
                # Looked at while it is in the cache.
                if np.isinf(values).any():
                    self.moved[position] = False

        with ThreadPoolExecutor(resolve_threads()) as threads:
            list(threads.map(move, range(len(lengths))))

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column; once, for texts are not kept."""
        name = self.names[position]
        own = self.position.get(name, -1)
        if own in self.moved:
            return Numbers(self.matrix[:, own], is_finite=self.moved[own])
        return texts_of(self.arrays.pop(name), missing)


def _join(parts: list[Any]) -> Any:
    import pyarrow as pa

    return pa.chunked_array([c for part in parts for c in part.chunks], parts[0].type)


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


#: The number of rows of a file, and its columns by name.
_Table = tuple[int, dict[str, Any]]


def _read_all(
    files: Sequence[DelimitedFile], kept: list[str], numbers: set[str], missing: frozenset[str]
) -> list[_Table]:
    """Read all files with the same columns as numbers."""
    try:
        return [_read(file, kept, numbers, missing) for file in files]
    except _OddCellError:
        return [_read(file, kept, set(), missing) for file in files]


class _OddCellError(ValueError):
    """A column that began with numbers holds something else."""


def _read(
    file: DelimitedFile, kept: list[str], numbers: set[str], missing: frozenset[str]
) -> _Table:
    import pyarrow as pa

    has_quotes = file.content.has_quotes
    is_plain = file.dialect.separator != " " and not _begins_blank(file.content)
    if is_plain and (not has_quotes or _quotes_whole_cells(file)):
        try:
            return _read_by_arrow(file, kept, numbers, missing, has_quotes)
        except pa.ArrowInvalid as error:
            if "conversion error" in str(error) and numbers:
                raise _OddCellError(str(error)) from error
            # Whatever is wrong, the slow way says it better.
    return _read_by_python(file, kept)


def _read_by_arrow(
    file: DelimitedFile, kept: list[str], numbers: set[str], missing: frozenset[str], quotes: bool
) -> _Table:
    import pyarrow as pa
    from pyarrow import csv

    text = pa.dictionary(pa.int32(), pa.string())
    stream = file.content.open() if file.content.held is None else None
    source = pa.BufferReader(file.content.held) if stream is None else str(file.path)
    if stream is not None:
        stream.close()
    table = csv.read_csv(
        source,
        read_options=csv.ReadOptions(
            column_names=list(file.names), skip_rows_after_names=int(file.dialect.has_header)
        ),
        parse_options=csv.ParseOptions(
            delimiter=file.dialect.separator,
            newlines_in_values=quotes,
            quote_char='"' if quotes else False,
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


def _read_by_python(file: DelimitedFile, kept: list[str]) -> _Table:
    import pyarrow as pa

    width, positions = len(file.names), [file.names.index(name) for name in kept]
    chunks: dict[str, list[Any]] = {name: [] for name in kept}
    cells: list[list[str]] = [[] for _ in kept]
    n_rows = 0
    for n_rows, (line, row) in enumerate(file.rows(), 1):  # noqa: B007
        if len(row) != width:
            file.fail_on_width(line, len(row))
        for own, position in zip(cells, positions, strict=True):
            own.append(row[position])
        if len(cells[0]) == CHUNK_ROWS:
            _flush(chunks, cells)
    _flush(chunks, cells)
    return n_rows, {name: pa.chunked_array(parts) for name, parts in chunks.items()}


def _flush(chunks: dict[str, list[Any]], cells: list[list[str]]) -> None:
    import pyarrow as pa

    for parts, own in zip(chunks.values(), cells, strict=True):
        parts.append(pa.array(own, pa.string()).dictionary_encode())
        own.clear()


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
