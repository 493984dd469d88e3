"""The rows of a delimited file in pieces.

The native core reads a piece of whole records: numbers into a block of the matrix, texts by codes.
Only columns aligned by spaces, or by a mark that is none of ASCII, go through the `csv` module, and
what the core refuses, for that module finds the line.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.data.files.delimited import DelimitedFile
from miter.errors import DataError
from miter.threads import resolve_threads

__all__ = ["PIECE_BYTES", "OddCellError", "Piece", "Plan", "read_pieces"]

CHUNK_ROWS = 50_000
PIECE_BYTES = 1 << 22

#: As the native core calls them.
_SKIPPED, _TEXT = -1, -2
_FINE, _NO_NUMBER = 0, 3


class OddCellError(ValueError):
    """A column that began with numbers holds something else."""


@dataclass(frozen=True)
class Plan:
    """What to read of a file.

    Parameters
    ----------
    kept : list of str
        The columns that are read; all that are no numbers as texts.
    numbers : mapping of str to int
        The columns of numbers, and where each goes in the matrix.
    width : int
        How many columns the matrix has.
    missing : frozenset of str
        Words that stand for a missing number.
    """

    kept: list[str]
    numbers: Mapping[str, int]
    width: int
    missing: frozenset[str]


@dataclass(frozen=True, eq=False)
class Piece:
    """Some rows of a file.

    Parameters
    ----------
    n_rows : int
        How many.
    texts : dict of str to pyarrow.DictionaryArray
        The columns of texts.
    block : ndarray of shape (n_rows, width), optional
        Rows of the matrix with the numbers in their places; None where none are read.
    infinite : set of int
        The places of columns that hold an infinite number.
    """

    n_rows: int
    texts: dict[str, Any]
    block: NDArray[np.float64] | None = None
    infinite: set[int] = field(default_factory=set)


def read_pieces(file: DelimitedFile, plan: Plan) -> Iterator[Piece]:
    """Yield the rows of a file in pieces.

    Raises
    ------
    OddCellError
        When a column of numbers holds something else.
    """
    separator = file.dialect.separator
    if separator == " " or not separator.isascii():
        if plan.numbers:
            raise OddCellError("this way all cells are texts")
        yield from _read_by_python(file, plan.kept)
        return
    n_threads = resolve_threads()

    def parse(text: memoryview, is_first: bool) -> Piece:
        return _parse(file, plan, text, is_first)

    # One piece is being cut while one more than there are threads is in their hands.
    yield from _in_threads(parse, _cut(file, n_threads + 2), n_threads)


def _cut(file: DelimitedFile, n_buffers: int) -> Iterator[memoryview]:
    """Yield a text in pieces of whole records, which lie in a few buffers by turns."""
    buffers = [bytearray(PIECE_BYTES) for _ in range(n_buffers)]
    rest = b""
    with file.content.open() as stream:
        for number in itertools.count():
            buffer = buffers[number % n_buffers]
            if 2 * len(rest) > len(buffer):
                buffer = bytearray(2 * len(rest))
            buffer[: len(rest)] = rest
            size = len(rest) + _read_into(stream, memoryview(buffer)[len(rest) :])
            if size == len(rest):
                break
            end = _end_of_records(file, memoryview(buffer)[:size])
            rest = bytes(memoryview(buffer)[end:size])
            if end:
                yield memoryview(buffer)[:end]
    if rest:
        yield memoryview(rest)


def _end_of_records(file: DelimitedFile, text: memoryview) -> int:
    if file.content.has_quotes:
        return core.end_of_records(np.frombuffer(text, np.uint8), file.dialect.separator)
    # Without quotes every end of a line ends a record.
    whole = text.obj
    assert isinstance(whole, bytearray)
    return whole.rfind(b"\n", 0, len(text)) + 1


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


def _parse(file: DelimitedFile, plan: Plan, text: memoryview, is_first: bool) -> Piece:
    texts = [name for name in plan.kept if name not in plan.numbers]
    is_text, dialect = {*texts}, file.dialect
    block, coded, has_infinite, trouble = core.read_delimited(
        np.frombuffer(text, np.uint8),
        dialect.separator,
        dialect.decimal,
        [plan.numbers.get(n, _TEXT if n in is_text else _SKIPPED) for n in file.names],
        plan.width,
        sorted(plan.missing),
        dialect.n_passed_over if is_first else 0,
    )
    if trouble == _NO_NUMBER:
        raise OddCellError("a column of numbers holds something else")
    if trouble != _FINE:
        for _ in _read_by_python(file, plan.kept):
            pass  # which says better what is wrong
        raise DataError(f"{file.path} cannot be read; check its quotes and separators")
    in_order = [name for name in file.names if name in is_text]
    columns = {n: _dictionary(*own) for n, own in zip(in_order, coded, strict=True)}
    return Piece(len(block), columns, block, {*np.flatnonzero(has_infinite).tolist()})


def _dictionary(codes: NDArray[np.int32], offsets: NDArray[np.int32], data: NDArray[Any]) -> Any:
    import pyarrow as pa

    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    texts = pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)
    return pa.DictionaryArray.from_arrays(codes, texts, safe=False)


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
    return Piece(len(rows), dict(zip(kept, coded, strict=True)))
