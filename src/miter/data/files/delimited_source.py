"""The columns of delimited files.

Columns of which the first rows are plain numbers are read as numbers, all others as texts coded
by a dictionary, which is what the rules for kinds look at. When a number turns out to be something
else further down, the file is read once more, all as texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.choose import Cells
from miter.data.columns.texts import texts_of
from miter.data.columns.words import MISSING_WORDS
from miter.data.files import pieces
from miter.data.files.cells import Numbers
from miter.data.files.delimited import DelimitedFile, DelimitedWhere
from miter.data.schema import Notation

__all__ = ["DelimitedSource", "is_plain_number"]

_LEADING_ZERO = re.compile(r"0\d+")


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
        is_comma = first.dialect.decimal == ","
        self.notation: Notation = "decimal comma" if is_comma else ""
        self.kept = [name for name in self.names if name in needed]
        inputs = [name for name in self.kept if name != class_name]
        self.position = {name: position for position, name in enumerate(inputs)}
        numbers = {n for n in inputs if n not in as_text and is_plain_number(first, n)}
        try:
            self._gather(files, numbers, missing)
        except pieces.OddCellError:
            self._gather(files, set(), missing)

    def _gather(
        self, files: Sequence[DelimitedFile], numbers: set[str], missing: frozenset[str]
    ) -> None:
        """Read all files piece by piece.

        Numbers go straight to their place in the matrix: fresh memory costs as much as reading.
        """
        import pyarrow as pa

        n_bytes = sum(file.content.size for file in files)
        places = {name: self.position[name] for name in numbers}
        plan = pieces.Plan(self.kept, places, len(self.position), missing)
        matrix = np.empty((0, plan.width))
        chunks: dict[str, list[Any]] = {name: [] for name in self.kept if name not in numbers}
        self.is_finite = dict.fromkeys(places.values(), True)
        ends, end = [], 0
        for file in files:
            for piece in pieces.read_pieces(file, plan):
                if end + piece.n_rows > len(matrix):
                    # As many rows as the whole has if it goes on like its first piece.
                    expected = int(piece.n_rows * n_bytes / pieces.PIECE_BYTES * 1.02)
                    size = max(expected, end + piece.n_rows, 2 * end)
                    matrix = _grown(matrix, end, size)
                if piece.block is not None:
                    matrix[end : end + piece.n_rows] = piece.block
                for name, array in piece.texts.items():
                    chunks[name].append(array)
                self.is_finite.update(dict.fromkeys(piece.infinite, False))
                end += piece.n_rows
            ends.append(end)
        self.n_rows, self.matrix = end, matrix[:end]
        self.where = DelimitedWhere(files, ends)
        self.texts = {name: pa.chunked_array(own) if own else None for name, own in chunks.items()}

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column; once, for texts are not kept."""
        name = self.names[position]
        own = self.position.get(name, -1)
        if own in self.is_finite:
            values = self.matrix[:, own]
            return Numbers(values, is_finite=self.is_finite[own], notation=self.notation)
        return texts_of(self.texts.pop(name), missing)


def _grown(matrix: NDArray[np.float64], n_rows: int, size: int) -> NDArray[np.float64]:
    larger = np.empty((size, matrix.shape[1]))
    larger[:n_rows] = matrix[:n_rows]
    return larger


def is_plain_number(file: DelimitedFile, name: str) -> bool:
    """Whether the first cells of a column are plain numbers, and none is a code such as 007."""
    mark = re.escape(file.dialect.decimal)
    number = re.compile(rf"[+-]?(\d+{mark}?\d*|{mark}\d+)([eE][+-]?\d+)?")
    position = file.names.index(name)
    cells = [row[position] for row in file.sample.rows if position < len(row)]
    known = [cell for cell in cells if cell not in MISSING_WORDS]
    return bool(known) and all(
        number.fullmatch(cell) and not _LEADING_ZERO.fullmatch(cell) for cell in known
    )
