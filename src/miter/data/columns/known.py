"""Cells of new rows, under the columns known from training."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.choose import Cells, check_all
from miter.data.columns.numbers import read_durations, read_numbers
from miter.data.columns.texts import Context, Texts, texts_of
from miter.data.columns.times import Moments, part_values, read_moments
from miter.data.columns.words import FALSE_WORDS, TRUE_WORDS
from miter.data.files.cells import MISSING, Numbers, Symbols, as_symbols, check_finite
from miter.data.remarks import Remark
from miter.data.schema import Column, Form
from miter.errors import DataError

__all__ = ["Encoder", "spellings"]

_CURE = "clean it, or write ? if it is missing"
_WHOLE = Form()
_SHOWN = 3


class Encoder:
    """Encodes the columns of one table, and keeps what there is to say.

    Parameters
    ----------
    context : Context
        What holds for the table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data import Column
    >>> from miter.data.columns.known import Encoder
    >>> from miter.data.columns.texts import Context, texts_of
    >>> encoder = Encoder(Context())
    >>> wind = Column("wind", "symbolic", ("Weak", "Strong"))
    >>> encoder.encode(wind, texts_of(pa.array(["Strong", "Gale"])))
    array([ 1., nan])
    >>> encoder.remarks[0].sentence
    "1 cell holds a value that training never saw, 'Gale'; it is missing"
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.remarks: list[Remark] = []
        # A date is read once, not once for each of its parts.
        self._days: dict[str, NDArray[np.float64]] = {}

    def encode(self, column: Column, cells: Cells, since: Cells | None = None) -> NDArray[Any]:
        """Return the matrix column of cells.

        Parameters
        ----------
        column : Column
            Known from training.
        cells : Numbers, Symbols, Texts or Moments
            Of its source in the table.
        since : as cells, optional
            Of the column that holds the first day, of 'days since'.
        """
        form = column.form or _WHOLE
        if form.part == "days since":
            assert since is not None
            first = self._days_of(Column(form.since, "numeric", form=form), form.since, since)
            return self._days_of(column, column.source, cells) - first
        if form.part not in {"number", "duration"}:
            return part_values(self._days_of(column, column.source, cells), form.part)
        if column.kind == "numeric":
            return self._numbers(column, cells, form)
        return self._symbols(column, cells)

    def _days_of(self, column: Column, source: str, cells: Cells) -> NDArray[np.float64]:
        if source not in self._days:
            self._days[source] = self._read_days(column, source, cells)
        return self._days[source]

    def _read_days(self, column: Column, source: str, cells: Cells) -> NDArray[np.float64]:
        if isinstance(cells, Moments):
            return cells.days
        if isinstance(cells, Numbers) and np.isnan(cells.values).all():
            return np.full(len(cells.values), np.nan)
        if not isinstance(cells, Texts):
            raise DataError(f"column {source!r} holds no dates, but did in training; give dates")
        notation = (column.form or _WHOLE).notation
        days = read_moments(cells.distinct, notation, compact=True).days
        self._check(source, cells, ~np.isnan(days), "date")
        return cells.spread(days)

    def _numbers(self, column: Column, cells: Cells, form: Form) -> NDArray[Any]:
        name = column.name
        if isinstance(cells, Symbols):
            cells = _texts_of_symbols(cells)
        if isinstance(cells, Moments):
            raise DataError(f"column {name!r} holds dates, but held numbers in training")
        if isinstance(cells, Numbers):
            if not cells.is_finite:
                check_finite(name, cells.values, self.context.where)
            return cells.values
        if form.part == "duration":
            values = read_durations(cells.distinct)
            self._check(name, cells, ~np.isnan(values), "duration")
            return cells.spread(values)
        notation = form.notation or self.context.notation
        found = read_numbers(cells.distinct, notation, only_bounds=True)
        is_good = found.is_number & (found.unit in {"", form.unit})
        self._check(name, cells, is_good, "number")
        values = cells.spread(np.where(is_good, found.values, np.nan))
        check_finite(name, values, self.context.where)
        return values

    def _check(self, name: str, texts: Texts, is_good: NDArray[np.bool_], what: str) -> None:
        """Let a few odd cells be missing, as in training; refuse many."""
        if texts.share(~is_good) > self.context.odd_share:
            kind = "text" if what == "number" else what
            check_all(name, texts, is_good, _CURE, self.context, kind)
        n_odd = int(texts.counts[~is_good].sum())
        if n_odd:
            row, text = texts.first(~is_good)
            verb = "is" if n_odd == 1 else "are"
            sentence = (
                f"{n_odd:,} of {texts.n_known:,} cells {verb} no {what}{'s'[: n_odd > 1]}, the "
                f"first {text!r} in {self.context.where.say(row)}; taken as missing"
            )
            self.remarks.append(Remark(name, "odd cells", sentence, n_cells=n_odd))

    def _symbols(self, column: Column, cells: Cells) -> NDArray[Any]:
        known = {text: code for code, text in enumerate(column.values)}
        if isinstance(cells, Moments):
            raise DataError(f"column {column.name!r} holds dates, but held names in training")
        if isinstance(cells, Texts):
            texts, codes = cells.distinct.to_pylist(), cells.codes
        else:
            symbols = as_symbols(cells)
            texts, codes = list(symbols.texts), symbols.codes
        spelled = spellings(column.values)
        rank = [known.get(text, spelled.get(text.casefold(), MISSING)) for text in texts]
        unseen = [text for text, code in zip(texts, rank, strict=True) if code == MISSING]
        if unseen:
            self._say_unseen(column.name, unseen, texts, codes)
        if rank == list(range(len(rank))) and codes.min(initial=0) >= 0:
            return codes  # they become floats on their way into the matrix
        table = np.array([*rank, MISSING], np.float64)
        table[table == MISSING] = np.nan
        return table[codes]

    def _say_unseen(
        self, name: str, unseen: list[str], texts: list[str], codes: NDArray[np.int32]
    ) -> None:
        counts = np.bincount(codes[codes >= 0], minlength=len(texts))
        by_text = dict(zip(texts, counts.tolist(), strict=True))
        unseen = [text for text in unseen if by_text[text]]
        n_cells = sum(by_text[text] for text in unseen)
        if not n_cells:
            return
        shown = ", ".join(map(repr, unseen[:_SHOWN])) + (", ..." if len(unseen) > _SHOWN else "")
        cells = "1 cell holds" if n_cells == 1 else f"{n_cells:,} cells hold"
        values = "a value" if len(unseen) == 1 else f"{len(unseen):,} values"
        end = "it is missing" if n_cells == 1 else "they are missing"
        sentence = f"{cells} {values} that training never saw, {shown}; {end}"
        self.remarks.append(Remark(name, "unseen", sentence, n_cells=n_cells))


def spellings(values: tuple[str, ...]) -> dict[str, int]:
    """Return other spellings of yes and no, where the two values are such."""
    if len(values) != 2:
        return {}
    folded = [value.casefold() for value in values]
    for words, other in ((FALSE_WORDS, TRUE_WORDS), (TRUE_WORDS, FALSE_WORDS)):
        if folded[0] in words and folded[1] in other:
            return dict.fromkeys(words, 0) | dict.fromkeys(other, 1)
    return {}


def _texts_of_symbols(symbols: Symbols) -> Texts:
    import pyarrow as pa

    array = pa.array(np.array([*symbols.texts, None], object)[symbols.codes], pa.string())
    return texts_of(array)
