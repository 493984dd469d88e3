"""Delimited files: how each is written, its header, and where its rows are."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from miter.data.columns.where import Where
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
from miter.data.files.names import say_title, tell_apart
from miter.data.remarks import Remark
from miter.errors import DataError

__all__ = ["DelimitedFile", "DelimitedWhere", "check_header_is_first", "open_delimited"]

#: A header stands within so many bytes, if there is one.
SEARCHED_BYTES = 1 << 13


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
            width, n_passed_over = len(self.names), self.dialect.n_passed_over
            try:
                for line, cells in found:
                    if cells == [""] and width > 1:
                        continue
                    if n_passed_over:
                        n_passed_over -= 1
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
    names, remarks = tell_apart(sample.first)
    if dialect.n_above:
        remarks = [say_title(sample.title, dialect.n_above), *remarks]
    return DelimitedFile(content, dialect, tuple(names), sample, tuple(remarks))


def check_header_is_first(file: DelimitedFile, target: str | None) -> None:
    """Refuse a file whose header, the line that names the class, has lines above it."""
    if target is None or target in file.names or not file.dialect.has_header:
        return
    for number, line in enumerate(file.content.read(SEARCHED_BYTES).splitlines(), 1):
        cells = re.split(r"[,;\t|]", line.decode("utf-8", errors="replace"))
        if target in {cell.strip().strip('"') for cell in cells} and number > 1:
            raise DataError(
                f"{file.path}: the class {target!r} is named in line {number}, not in the first; "
                "delete the lines above the header"
            )


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
