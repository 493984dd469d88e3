"""The rows of a delimited file in pieces: by Arrow what is plainly written, else by Python.

Quotes that do not stand around whole cells, lines of another length and the like go through the
`csv` module, which finds the place.
"""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from miter.data.files.content import Content
from miter.data.files.delimited import DelimitedFile
from miter.errors import DataError
from miter.threads import resolve_threads

__all__ = ["PIECE_BYTES", "OddCellError", "Piece", "read_pieces"]

CHUNK_ROWS = 50_000
PIECE_BYTES = 1 << 22
_QUOTE = ord('"')

#: A number of rows, and their columns by name.
Piece = tuple[int, dict[str, Any]]


class OddCellError(ValueError):
    """A column that began with numbers holds something else."""


def read_pieces(
    file: DelimitedFile, kept: list[str], numbers: set[str], missing: frozenset[str]
) -> Iterator[Piece]:
    """Yield the rows of a file in pieces."""
    import pyarrow as pa

    has_quotes = file.content.has_quotes
    is_plain = file.dialect.separator != " " and not _begins_blank(file.content)
    if not is_plain or (has_quotes and not _quotes_whole_cells(file)):
        if numbers:
            raise OddCellError("this way all cells are texts")
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
            raise OddCellError(str(error)) from error
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
    parse: Callable[[memoryview, bool], Piece], pieces: Iterator[memoryview], n_threads: int
) -> Iterator[Piece]:
    """Yield what is made of pieces, in their order; a few are made ahead."""
    ahead: deque[Future[Piece]] = deque()
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
) -> Piece:
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


def _read_by_python(file: DelimitedFile, kept: list[str]) -> Iterator[Piece]:
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


def _as_piece(rows: list[list[str]], kept: list[str]) -> Piece:
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
