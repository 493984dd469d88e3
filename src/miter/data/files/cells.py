"""The cells of one column, free of the frame or file they came from.

Frames and files bring a column to one of two forms, `Numbers` or `Symbols`. Everything that
depends on the kind of the column is decided here, once for all sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.where import IN_MEMORY, Where
from miter.data.kinds import Wish
from miter.data.schema import Column, Kind, Notation, Part
from miter.errors import DataError

__all__ = [
    "MISSING",
    "Cells",
    "Codes",
    "Numbers",
    "Symbols",
    "as_symbols",
    "check_finite",
    "encode_cells",
    "number_text",
    "parse_number",
    "settle_cells",
    "to_symbols",
]

#: The code of a missing symbol.
MISSING = -1
#: Whole numbers from 0 up to here are told apart by counting.
CODES = 1 << 16

BOOLEANS = ("False", "True")


@dataclass(frozen=True, eq=False)
class Numbers:
    """Cells that are numbers or booleans.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float32 or float64
        NaN where missing.
    is_boolean : bool
        Whether 0 and 1 stand for False and True.
    part : str
        'duration' when they are seconds.
    is_finite : bool
        Whether it is known that no number is infinite.
    notation : {"", "decimal comma"}
        How they were written.
    """

    values: NDArray[Any]
    is_boolean: bool = False
    part: Part = "number"
    is_finite: bool = False
    notation: Notation = ""


@dataclass(frozen=True, eq=False)
class Symbols:
    """Cells that are names.

    Parameters
    ----------
    texts : tuple of str
        The distinct names.
    codes : ndarray of shape (n_rows,), integers
        Positions in `texts`, `MISSING` where missing.
    has_order : bool
        Whether the source says, or the names show, that `texts` stand in a meaningful order.
    is_ordered : bool
        Whether the source calls the column ordered.
    """

    texts: tuple[str, ...]
    codes: NDArray[np.int32]
    has_order: bool = False
    is_ordered: bool = False


Cells = Numbers | Symbols


class Codes(dict[str, int]):
    """Codes for symbols, given out in the order in which the symbols appear.

    Parameters
    ----------
    values : iterable of str
        Symbols known beforehand: codes 0, 1, ...
    missing : iterable of str
        Words that mean 'missing'.

    Examples
    --------
    >>> from miter.data.files.cells import Codes
    >>> codes = Codes(["Weak"], missing=["?"])
    >>> [codes[word] for word in ("Strong", "Weak", "?")], codes.texts
    ([1, 0, -1], ['Weak', 'Strong'])
    """

    def __init__(self, values: Iterable[str] = (), missing: Iterable[str] = ()) -> None:
        self.texts = list(values)
        super().__init__((text, code) for code, text in enumerate(self.texts))
        self.update(dict.fromkeys(missing, MISSING))

    def __missing__(self, text: str) -> int:
        code = self[text] = len(self.texts)
        self.texts.append(text)
        return code

    def encode(self, cells: Sequence[str]) -> NDArray[np.int32]:
        """Return the code of each cell, new symbols included."""
        return np.fromiter(map(self.__getitem__, cells), np.int32, len(cells))


def number_text(number: Any) -> str:
    """Write a number as a name: whole numbers without a decimal point.

    Examples
    --------
    >>> from miter.data.files.cells import number_text
    >>> number_text(3.0), number_text(0.25)
    ('3', '0.25')
    """
    # From 1e16 on Python itself writes a float with an exponent.
    if abs(number) < 1e16 and number == int(number):
        return str(int(number))
    return str(number)


def parse_number(text: str) -> float:
    """Read a number, or raise ValueError; 'nan' and Python's '1_000' are no numbers here."""
    number = float(text)
    if number != number or "_" in text:
        raise ValueError(text)
    return number


def to_symbols(codes: Codes, coded: NDArray[np.int32], *, numerically: bool) -> Symbols:
    """Sort collected symbols: as text or, when asked and all are numbers, as numbers."""
    order = _sorted_as_numbers(codes.texts) if numerically else None
    texts = sorted(codes.texts) if order is None else order
    # One place more than there are symbols: the code -1 of missing cells indexes the last.
    rank = np.full(len(texts) + 1, MISSING, np.int32)
    rank[[codes[text] for text in texts]] = np.arange(len(texts))
    return Symbols(tuple(texts), rank[coded], has_order=order is not None)


def _sorted_as_numbers(texts: Iterable[str]) -> list[str] | None:
    try:
        return sorted(texts, key=lambda text: (parse_number(text), text))
    except ValueError:
        return None


def settle_cells(
    name: str, cells: Cells, wish: Wish | None, where: Where = IN_MEMORY
) -> tuple[Column, NDArray[Any]]:
    """Make a column of the kind that the cells suggest or the user wishes.

    Parameters
    ----------
    name : str
        The column's name.
    cells : Numbers or Symbols
        Its cells.
    wish : Wish, optional
        What the user says it is; neither 'ignored' nor 'date'.
    where : Where
        Says where a row is.

    Returns
    -------
    column : Column
        The column as it goes into the schema.
    values : ndarray of shape (n_rows,), float32 or float64
        The column as it goes into the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.files.cells import Numbers, settle_cells
    >>> from miter.data.kinds import Wish
    >>> settle_cells("room", Numbers(np.array([12.0, 7.0])), Wish("symbolic"))
    (Column(name='room', kind='symbolic', values=('7', '12')), array([1., 0.]))
    """
    kind = _natural_kind(cells) if wish is None or wish.kind == "date" else wish.kind
    if kind == "numeric":
        return Column(name, kind), _as_numbers(name, cells, where)
    symbols = as_symbols(cells)
    if wish is not None and wish.values is not None:
        symbols = _under_values(name, symbols, wish.values, where)
    elif kind == "ordered" and not symbols.has_order:
        raise DataError(
            f"column {name!r} holds the texts {_shortened(symbols.texts)}, whose order is not "
            f"known; list its values in order, kinds={{{name!r}: [...]}}, or call it symbolic"
        )
    return Column(name, kind, symbols.texts), _as_codes(symbols.codes)


def encode_cells(cells: Cells, column: Column) -> NDArray[Any]:
    """Return the matrix column of cells under a column known from training.

    Names that the column does not know become missing.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.files.cells import Symbols, encode_cells
    >>> from miter.data.schema import Column
    >>> wind = Column("wind", "symbolic", ("Weak", "Strong"))
    >>> encode_cells(Symbols(("Gale", "Strong"), np.array([1, 0])), wind)
    array([ 1., nan])
    """
    if column.kind == "numeric":
        return _as_numbers(column.name, cells)
    known = {text: code for code, text in enumerate(column.values)}
    if column.values == BOOLEANS:
        # A frame that lost its boolean type on the way holds 0 and 1.
        known |= {"0": 0, "1": 1}
    symbols = as_symbols(cells)
    rank = np.array([known.get(text, MISSING) for text in symbols.texts] + [MISSING])
    return _as_codes(rank[symbols.codes])


def check_finite(name: str, values: NDArray[Any], where: Where = IN_MEMORY) -> None:
    """Raise DataError if a number is infinite."""
    # A finite sum tells without a second array that no cell is infinite.
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):
            return
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        text = where.text(row, name)
        shown, cure = f"{values[row]}", "replace it with a finite number, or with NaN if unknown"
        if text is not None:
            shown, cure = repr(text), "write a finite number, or ? if it is missing"
        where.fail(row, f"column {name!r} holds the infinite value {shown}", cure)


def _natural_kind(cells: Cells) -> Kind:
    if isinstance(cells, Numbers):
        return "symbolic" if cells.is_boolean else "numeric"
    return "ordered" if cells.is_ordered else "symbolic"


def _as_numbers(name: str, cells: Cells, where: Where = IN_MEMORY) -> NDArray[Any]:
    if isinstance(cells, Numbers):
        values = cells.values
        if cells.is_finite:
            return values
    else:
        # Each distinct text is read once; the last place serves the missing cells.
        table = np.full(len(cells.texts) + 1, np.nan)
        for code, text in enumerate(cells.texts):
            try:
                table[code] = parse_number(text)
            except ValueError:
                row = int((cells.codes == code).argmax())
                where.fail(
                    row,
                    f"column {name!r} holds the text {text!r}",
                    "give its kind as symbolic, or clean it",
                )
        values = table[cells.codes]
    check_finite(name, values, where)
    return values


def as_symbols(cells: Cells) -> Symbols:
    """Return cells as names: numbers in their order, booleans as False and True."""
    if isinstance(cells, Symbols):
        return cells
    is_known = ~np.isnan(cells.values)
    codes = np.full(len(cells.values), MISSING, np.int32)
    if cells.is_boolean:
        codes[is_known] = cells.values[is_known]
        return Symbols(BOOLEANS, codes, has_order=True)
    numbers, codes[is_known] = _distinct(cells.values[is_known])
    return Symbols(tuple(map(number_text, numbers)), codes, has_order=True)


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the different numbers, sorted, and which each value is; codes without sorting."""
    if len(values) and values.min() >= 0 and values.max() < CODES:
        codes = values.astype(np.int32)
        if (codes == values).all():
            is_there = np.bincount(codes) > 0
            return np.flatnonzero(is_there), (np.cumsum(is_there) - 1)[codes]
    return np.unique(values, return_inverse=True)


def _under_values(name: str, symbols: Symbols, values: tuple[str, ...], where: Where) -> Symbols:
    known = {text: code for code, text in enumerate(values)}
    for code, text in enumerate(symbols.texts):
        if text not in known and (symbols.codes == code).any():
            where.fail(
                int((symbols.codes == code).argmax()),
                f"column {name!r} holds the text {text!r}",
                f"it is not among its values, {_shortened(values)}: list it, or clean the cell",
            )
    rank = np.array([known.get(text, MISSING) for text in symbols.texts] + [MISSING], np.int32)
    return Symbols(values, rank[symbols.codes], has_order=True)


def _as_codes(codes: NDArray[Any]) -> NDArray[np.float64]:
    numbers = codes.astype(np.float64)
    numbers[codes == MISSING] = np.nan
    return numbers


def _shortened(texts: Sequence[str]) -> str:
    shown = ", ".join(map(repr, texts[:4]))
    return shown + ", ..." if len(texts) > 4 else shown
