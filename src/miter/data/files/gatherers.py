"""How the cells of one column of text are taken in, chunk by chunk.

Each gatherer converts a chunk in one go; only when that fails is the cell sought that is to
blame, so that the error can name its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from miter.data.files.cells import MISSING, Codes, Numbers, Symbols, parse_number, to_symbols
from miter.data.schema import Kind
from miter.errors import DataError, did_you_mean

__all__ = ["Declaration", "Gatherer", "make_gatherer"]


@dataclass(frozen=True)
class Declaration:
    """What is known of one column before its cells are read.

    Parameters
    ----------
    name : str
        As the file calls it.
    kind : {"numeric", "symbolic", "ordered", "ignored"}, optional
        None when the cells are to tell.
    values : tuple of str, optional
        All values that the column may have, in order; None when the cells are to tell.
    limit : int, optional
        How many different values the cells may have.
    trouble : str
        What makes the column unusable unless it is ignored, as 'dates'.
    line : int
        Where in the file it is declared.
    cure : str
        What to do about a cell that does not fit.
    """

    name: str
    kind: Kind | None = None
    values: tuple[str, ...] | None = None
    limit: int | None = None
    trouble: str = ""
    line: int = 1
    cure: str = "give its kind as symbolic, or clean it"


@dataclass(frozen=True)
class Place:
    """A file, and the words that mean 'missing' in it."""

    path: Path
    missing: frozenset[str]

    def fail(self, line: int, sentence: str) -> NoReturn:
        """Raise a `DataError` that begins with the place."""
        raise DataError(f"{self.path}, line {line}: {sentence}")


class NotANumberError(ValueError):
    """The cell at `position` is neither a number nor missing."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def parse_numbers(cells: Sequence[str], missing: frozenset[str]) -> NDArray[np.float64]:
    """Read cells as numbers, missing ones as NaN; infinite ones stay infinite.

    Raises
    ------
    NotANumberError
        With the position of the first cell that is text.
    """
    try:
        numbers = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        return _parse_one_by_one(cells, missing)
    # float() also takes 'nan', 'inf' and '1_000', which deserve a closer look.
    if not np.isfinite(numbers).all() or "_" in "".join(cells):
        return _parse_one_by_one(cells, missing)
    return numbers


def _parse_one_by_one(cells: Sequence[str], missing: frozenset[str]) -> NDArray[np.float64]:
    numbers = np.full(len(cells), np.nan)
    for position, cell in enumerate(cells):
        if cell not in missing:
            try:
                numbers[position] = parse_number(cell)
            except ValueError:
                raise NotANumberError(position) from None
    return numbers


class NumberGatherer:
    """Takes in a column of numbers.

    Parameters
    ----------
    declaration : Declaration
        Of the column.
    place : Place
        The file.
    """

    def __init__(self, declaration: Declaration, place: Place) -> None:
        self.declaration = declaration
        self.place = place
        self.chunks: list[NDArray[np.float64]] = []
        self.first_infinite: tuple[int, str] | None = None

    def add(self, cells: Sequence[str], lines: Sequence[int]) -> None:
        """Take in the cells of a chunk, or fail on the first text among them."""
        try:
            numbers = parse_numbers(cells, self.place.missing)
        except NotANumberError as error:
            self.place.fail(
                lines[error.position],
                _say_unexpected(self.declaration, cells[error.position]),
            )
        infinite = np.isinf(numbers)
        if self.first_infinite is None and infinite.any():
            position = int(infinite.argmax())
            self.first_infinite = lines[position], cells[position]
        self.chunks.append(numbers)

    def finish(self) -> Numbers:
        """Return the whole column."""
        if self.first_infinite is not None:
            line, cell = self.first_infinite
            self.place.fail(
                line,
                f"column {self.declaration.name!r} holds the infinite value {cell!r}; "
                "write a finite number, or ? if it is missing",
            )
        return Numbers(np.concatenate(self.chunks))


class SymbolGatherer:
    """Takes in a column of symbols; a declared value or number of values is held to.

    Parameters
    ----------
    declaration : Declaration
        Of the column.
    place : Place
        The file.
    """

    def __init__(self, declaration: Declaration, place: Place) -> None:
        self.declaration = declaration
        self.place = place
        self.codes = Codes(declaration.values or (), place.missing)
        self.limit = declaration.limit if declaration.values is None else len(declaration.values)
        self.chunks: list[NDArray[np.int32]] = []
        self.first_missing: int | None = None

    def add(self, cells: Sequence[str], lines: Sequence[int]) -> None:
        """Take in the cells of a chunk, or fail on the first symbol too many."""
        coded = self.codes.encode(cells)
        texts = self.codes.texts
        if self.limit is not None and len(texts) > self.limit:
            text = texts[self.limit]
            self.place.fail(lines[cells.index(text)], _say_unexpected(self.declaration, text))
        missing = coded == MISSING
        if self.first_missing is None and missing.any():
            self.first_missing = lines[int(missing.argmax())]
        self.chunks.append(coded)

    def finish(self) -> Symbols:
        """Return the whole column: declared values in their order, others sorted."""
        coded = np.concatenate(self.chunks)
        if self.declaration.values is None:
            return to_symbols(self.codes, coded, numerically=True)
        is_ordered = self.declaration.kind == "ordered"
        return Symbols(self.declaration.values, coded, has_order=True, is_ordered=is_ordered)

    @property
    def is_all_missing(self) -> bool:
        """Whether no cell holds a symbol."""
        return all((coded == MISSING).all() for coded in self.chunks)


Gatherer = NumberGatherer | SymbolGatherer


def make_gatherer(declaration: Declaration, place: Place) -> Gatherer:
    """Choose how a column is taken in by what is known of it."""
    if declaration.kind == "numeric":
        return NumberGatherer(declaration, place)
    return SymbolGatherer(declaration, place)


def _say_unexpected(declaration: Declaration, cell: str) -> str:
    """Say what is wrong with a cell, and what to do about it."""
    name, values = declaration.name, declaration.values
    if not cell:
        return f"column {name!r} has an empty cell; write ? if it is missing"
    if declaration.kind == "numeric":
        return f"column {name!r} holds the text {cell!r}; {declaration.cure}"
    if values is None:
        return (
            f"column {name!r} holds {cell!r}, one value more than 'discrete {declaration.limit}' "
            "allows; raise the number, or list the values"
        )
    return (
        f"column {name!r} holds {cell!r}, which is not among its values "
        f"({did_you_mean(cell, values)}); {declaration.cure}"
    )
