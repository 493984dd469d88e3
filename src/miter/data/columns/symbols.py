"""Texts as symbols: their values in order, and the code of each cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.numbers import read_numbers
from miter.data.columns.texts import Context, Texts
from miter.data.files.cells import MISSING, Symbols

__all__ = ["as_floats", "sorted_values", "symbols_of"]


def symbols_of(
    texts: Texts,
    values: Sequence[str] | None = None,
    name: str = "",
    context: Context | None = None,
) -> Symbols:
    """Return texts as symbols: in the order given, else sorted, as numbers where all are."""
    words = texts.distinct.to_pylist()
    has_order = values is not None
    if values is None:
        values, has_order = sorted_values(texts)
    position = {word: code for code, word in enumerate(values)}
    rank = np.array([position.get(word, MISSING) for word in words] + [MISSING], np.int32)
    is_listed = rank[:-1] >= 0
    if context is not None and not is_listed.all():
        row, text = texts.first(~is_listed)
        shown = ", ".join(map(repr, list(values)[:4])) + (", ..." if len(values) > 4 else "")
        context.where.fail(
            row,
            f"column {name!r} holds the text {text!r}",
            f"it is not among its values, {shown}: list it, or clean the cell",
        )
    return Symbols(tuple(values), rank[texts.codes], has_order=has_order)


def sorted_values(texts: Texts) -> tuple[list[str], bool]:
    """Return the values in order, and whether that is the order of numbers."""
    words = texts.distinct.to_pylist()
    if words:
        numbers = read_numbers(texts.distinct)
        if not numbers.is_dressed and not numbers.notation and numbers.is_number.all():
            return [w for _, w in sorted(zip(numbers.values.tolist(), words, strict=True))], True
    return sorted(words), False


def as_floats(symbols: Symbols) -> NDArray[np.float64]:
    """Return the codes as they go into the matrix, NaN where missing."""
    return np.append(np.arange(len(symbols.texts), dtype=float), np.nan)[symbols.codes]
