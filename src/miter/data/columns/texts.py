"""Cells that are texts, and what all rules ask of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.numbers import to_mask
from miter.data.columns.where import IN_MEMORY, Where
from miter.data.columns.words import MISSING_WORDS
from miter.data.files.cells import MISSING
from miter.data.schema import Notation

__all__ = ["ODD_SHARE", "Context", "Texts", "missing_numbers", "texts_of"]

#: At most this share of the cells may be odd in a column of numbers or dates. One in twenty is
#: more than slips of the pen, and fewer than a word that means something.
ODD_SHARE = 0.05

#: No code such as 007, which is a name.
_NUMBER = r"^[+-]?(?:0|[1-9]\d*)(?:[.,]\d*)?$"


@dataclass(frozen=True)
class Context:
    """What holds for all columns of a table.

    Parameters
    ----------
    where : Where
        Says where a row is.
    missing : frozenset of str
        Words that mean missing.
    notation : {"", "decimal comma"}
        What 1,234 means where the column does not tell.
    odd_share : float
        So large a part of a column's cells may be no numbers, dates or durations where the others
        are; a part of a table may have more of them than the whole.
    """

    where: Where = IN_MEMORY
    missing: frozenset[str] = MISSING_WORDS
    notation: Notation = ""
    odd_share: float = ODD_SHARE


@dataclass(frozen=True, eq=False)
class Texts:
    """Cells that are texts, of which nobody has said what they are.

    Parameters
    ----------
    distinct : pyarrow.StringArray
        The different texts, without spaces around them and without those that mean missing.
    codes : ndarray of shape (n_rows,), int32
        Positions in `distinct`, `MISSING` where missing.
    """

    distinct: Any
    codes: NDArray[np.int32]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many cells hold each text."""
        if not len(self.codes) or self.codes.min() >= 0:
            return np.bincount(self.codes, minlength=len(self.distinct))
        return np.bincount(self.codes + 1, minlength=len(self.distinct) + 1)[1:]

    @cached_property
    def n_known(self) -> int:
        """How many cells are not missing."""
        return int(np.count_nonzero(self.codes >= 0))

    def share(self, mask: NDArray[np.bool_]) -> float:
        """Return which share of the cells hold certain texts."""
        if not mask.any():
            return 0.0  # most often; counting takes as long as reading
        return float(self.counts[mask].sum()) / max(self.n_known, 1)

    def first(self, mask: NDArray[np.bool_]) -> tuple[int, str]:
        """Return the first row that holds one of certain texts, and the text."""
        row = int(np.append(mask, False)[self.codes].argmax())
        return row, self.distinct[int(self.codes[row])].as_py()

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a number for each cell from one for each text; NaN where missing."""
        return np.append(values, np.nan)[self.codes]


def missing_numbers(missing: frozenset[str]) -> NDArray[np.float64]:
    """Return the numbers among the words that mean missing: -999 is also -999.0 and -999,00.

    Examples
    --------
    >>> from miter.data.columns.texts import missing_numbers
    >>> missing_numbers(frozenset(["NA", "-999"]))
    array([-999.])
    """
    return np.array([float(w.replace(",", ".")) for w in missing if re.match(_NUMBER, w)])


def _are_numbers(texts: Any, marks: NDArray[np.float64]) -> NDArray[np.bool_]:
    import pyarrow.compute as pc

    found = to_mask(pc.match_substring_regex(texts, _NUMBER))
    plain = pc.replace_substring(texts.filter(found), ",", ".")
    found[found] = np.isin(np.array(plain.to_pylist(), float), marks)
    return found


def texts_of(array: Any, missing: frozenset[str] = MISSING_WORDS) -> Texts:
    """Return the texts of an Arrow array of strings, or of a dictionary of them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.columns.texts import texts_of
    >>> texts = texts_of(pa.array(["a ", "NA", None, "b", "a"]))
    >>> texts.distinct.to_pylist(), texts.codes
    (['a', 'b'], array([ 0, -1, -1,  1,  0], dtype=int32))
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = array if pa.types.is_dictionary(array.type) else pc.dictionary_encode(array)
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):  # without chunks
        encoded = pa.array([], encoded.type)
    indices = encoded.indices.cast(pa.int32()).fill_null(MISSING).to_numpy()
    raw = encoded.dictionary.cast(pa.string())
    trimmed = pc.utf8_trim_whitespace(raw)
    is_missing = pc.is_in(trimmed, pa.array(sorted(missing), pa.string()))
    is_missing = pc.or_(is_missing, pc.is_null(trimmed))
    marks = missing_numbers(missing)
    if len(marks):
        is_missing = pc.or_(is_missing, pa.array(_are_numbers(trimmed, marks)))
    if not pc.any(is_missing).as_py() and trimmed.equals(raw):
        return Texts(raw, indices)
    kept = pc.dictionary_encode(trimmed.filter(pc.invert(is_missing)))
    rank = np.full(len(raw) + 1, MISSING, np.int32)
    rank[:-1][~to_mask(is_missing)] = kept.indices.to_numpy()
    return Texts(kept.dictionary, rank[indices])
