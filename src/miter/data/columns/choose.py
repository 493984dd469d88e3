"""Which kind a column is: the rules, in the order in which they are tried.

A column of texts is the first of these that nearly all of its cells are: numbers, dates,
durations. The few cells that are not are missing. Else it is two spellings of yes and no, steps
of a known scale, or names; names are left out when most of them occur once, for nothing can be
learnt of a name that is never seen again. Whatever is not plain to see is a `Remark`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.numbers import NumberTexts, read_durations, read_numbers
from miter.data.columns.sentences import (
    say_bounds,
    say_codes,
    say_dates,
    say_durations,
    say_nearly,
    say_odd_cells,
    say_scale,
    say_spelling,
    say_spellings_of_yes,
)
from miter.data.columns.symbols import as_floats, sorted_values, symbols_of
from miter.data.columns.texts import ODD_SHARE, Context, Texts, texts_of
from miter.data.columns.times import Moments, MomentTexts, part_columns, part_values, read_moments
from miter.data.columns.words import FALSE_WORDS, TRUE_WORDS, find_scale
from miter.data.files.cells import (
    Numbers,
    Symbols,
    check_finite,
    number_text,
    settle_cells,
)
from miter.data.kinds import Wish
from miter.data.remarks import Remark
from miter.data.schema import Column, Form
from miter.errors import DataError

__all__ = ["Cells", "Chosen", "check_all", "choose", "names_the_row"]

Cells = Numbers | Symbols | Texts | Moments

#: A symbol may have so many values whatever the number of rows; above, each must come back.
FEW_VALUES = 20
SAMPLED_ROWS = 20_000
#: From so many words a cell on, a symbol is a sentence.
WORDS_OF_A_SENTENCE = 5

_NAMES_THE_ROW = re.compile(
    r"(?:^|[^a-z])(?:id|ids|index|idx|uuid|guid|key|row|rowid|record|serial|unnamed: 0)$"
    r"|[a-z](?:Id|ID)$|^column \d+$",
)


@dataclass(frozen=True, eq=False)
class Chosen:
    """What a column of the user's table becomes.

    Parameters
    ----------
    columns : list of Column
        None when it is left out, several when it holds dates.
    arrays : list of ndarray of shape (n_rows,)
        As they go into the matrix.
    remarks : list of Remark
        What there is to say.
    days : ndarray of shape (n_rows,), optional
        The dates themselves.
    """

    columns: list[Column] = field(default_factory=list)
    arrays: list[NDArray[Any]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    days: NDArray[np.float64] | None = None


def choose(name: str, cells: Cells, wish: Wish | None, context: Context) -> Chosen:
    """Choose what a column becomes.

    Parameters
    ----------
    name : str
        Its name.
    cells : Numbers, Symbols, Texts or Moments
        Its cells.
    wish : Wish, optional
        What the user says it is; then it is that, or an error.
    context : Context
        What holds for the table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.columns.choose import choose
    >>> from miter.data.columns.texts import Context, texts_of
    >>> cells = texts_of(pa.array(["1.5", "2", "oops", *"3" * 40]))
    >>> chosen = choose("size", cells, None, Context())
    >>> chosen.columns
    [Column(name='size', kind='numeric', values=())]
    >>> chosen.remarks[0].sentence
    "1 of 43 cells is no number: 'oops' in row 2; it is missing"
    """
    if isinstance(cells, Texts):
        if wish is None:
            return _choose_texts(name, cells, context)
        return _grant(name, cells, wish, context)
    if isinstance(cells, Moments):
        if wish is None or wish.kind == "date":
            return _dates(name, cells, "", [])
        raise DataError(
            f"column {name!r} holds dates, which cannot be {wish.kind}; call it 'date' or 'ignored'"
        )
    if wish is not None and wish.kind == "date":
        return _grant(name, _texts_of_numbers(cells), wish, context)
    column, array = settle_cells(name, cells, wish, context.where)
    if wish is not None or not isinstance(cells, Numbers) or cells.is_boolean:
        return Chosen([_with_form(column, cells)], [array])
    return _look_at_numbers(name, Chosen([_with_form(column, cells)], [array]))


def _with_form(column: Column, cells: Numbers | Symbols) -> Column:
    if not isinstance(cells, Numbers) or column.kind != "numeric":
        return column
    form = Form(cells.part, notation=cells.notation)
    return column if form == Form() else replace(column, form=form)


def _choose_texts(name: str, texts: Texts, context: Context) -> Chosen:
    if not texts.n_known:
        remark = Remark(name, "empty", "holds no value", changed=False)
        nothing = np.full(len(texts.codes), np.nan)
        return Chosen([Column(name, "numeric")], [nothing], [remark])
    numbers = read_numbers(texts.distinct, context.notation)
    if _is_enough(texts, numbers.is_number):
        if _has_leading_zeros(texts):
            return _codes(name, texts)
        return _numbers(name, texts, numbers, context)
    moments = read_moments(texts.distinct)
    if _is_enough(texts, ~np.isnan(moments.days)):
        return _date_texts(name, texts, moments, context)
    seconds = read_durations(texts.distinct)
    if _is_enough(texts, ~np.isnan(seconds)):
        return _durations(name, texts, seconds, context)
    return _names(name, texts, _nearly(name, texts, numbers, moments, seconds, context))


def _nearly(
    name: str,
    texts: Texts,
    numbers: NumberTexts,
    moments: MomentTexts,
    seconds: NDArray[np.float64],
    context: Context,
) -> list[Remark]:
    """Tell what half of the cells and more are, where the others forbid it."""
    for what, is_good in (
        ("number", numbers.is_number),
        ("date", ~np.isnan(moments.days)),
        ("duration", ~np.isnan(seconds)),
    ):
        if texts.share(is_good) >= 0.5:
            _, text = texts.first(~is_good)
            is_impossible = moments.is_impossible[texts.distinct.index(text).as_py()]
            why = ", which no calendar has," if what == "date" and is_impossible else ""
            return [say_nearly(name, texts, is_good, what, context, why)]
    return []


def _is_enough(texts: Texts, mask: NDArray[np.bool_]) -> bool:
    return texts.share(mask) >= 1 - ODD_SHARE


def _numbers(name: str, texts: Texts, numbers: NumberTexts, context: Context) -> Chosen:
    remarks = say_odd_cells(name, texts, numbers.is_number, "number", context)
    form = None
    if numbers.unit or numbers.notation:
        form = Form(unit=numbers.unit, notation=numbers.notation)
    remarks += say_bounds(name, texts, numbers, context)
    if numbers.is_dressed or numbers.notation != context.notation:
        remarks.append(say_spelling(name, texts, numbers))
    array = texts.spread(numbers.values)
    check_finite(name, array, context.where)
    return _look_at_numbers(name, Chosen([Column(name, "numeric", form=form)], [array], remarks))


def _has_leading_zeros(texts: Texts) -> bool:
    """Whether the texts are codes such as 00501: digits only, of one length, some with a 0."""
    import pyarrow.compute as pc

    lengths = pc.utf8_length(texts.distinct).to_numpy()
    if lengths[0] < 2 or (lengths != lengths[0]).any():
        return False
    if not pc.all(pc.match_substring_regex(texts.distinct, r"^\d+$")).as_py():
        return False
    return bool(pc.any(pc.starts_with(texts.distinct, "0")).as_py())


def _codes(name: str, texts: Texts) -> Chosen:
    chosen = _names(name, texts, [])
    return Chosen(chosen.columns, chosen.arrays, [say_codes(name, texts), *chosen.remarks])


def _date_texts(name: str, texts: Texts, found: MomentTexts, context: Context) -> Chosen:
    is_date = ~np.isnan(found.days)
    remarks = say_odd_cells(name, texts, is_date, "date", context)
    moments = Moments(texts.spread(found.days), found.has_clock, found.has_zone)
    chosen = _dates(name, moments, found.notation, remarks)
    chosen.remarks[-1] = say_dates(name, texts, found, chosen.remarks[-1])
    return chosen


def _dates(name: str, moments: Moments, notation: Any, remarks: list[Remark]) -> Chosen:
    columns = part_columns(name, moments, notation)
    arrays = []
    for column in columns:
        part = "date" if column.form is None else column.form.part
        arrays.append(part_values(moments.days, part))
    made = ", ".join(column.name for column in columns)
    zone = "; moments with a zone are taken in UTC" if moments.has_zone else ""
    sentence = f"holds dates{zone}; they become {made}"
    remark = Remark(name, "dates", sentence, "ignored", "leaves them out")
    return Chosen(columns, arrays, [*remarks, remark], moments.days)


def _durations(name: str, texts: Texts, seconds: NDArray[np.float64], context: Context) -> Chosen:
    is_good = ~np.isnan(seconds)
    remarks = say_odd_cells(name, texts, is_good, "duration", context)
    remarks.append(say_durations(name, texts, seconds))
    column = Column(name, "numeric", form=Form("duration"))
    return Chosen([column], [texts.spread(seconds)], remarks)


def _names(name: str, texts: Texts, nearly: list[Remark]) -> Chosen:
    """Take texts as names, unless they name the row; `nearly` tells what most of them are."""
    left_out = _why_left_out(name, texts)
    if left_out is not None:
        return Chosen(remarks=[*nearly, left_out])
    folded = _fold_booleans(name, texts)
    if folded is not None:
        return folded
    scale = find_scale(texts.distinct.to_pylist()) if len(texts.distinct) <= FEW_VALUES else None
    if scale is not None:
        symbols, remark = symbols_of(texts, scale), say_scale(name, scale)
        return Chosen([Column(name, "ordered", symbols.texts)], [as_floats(symbols)], [remark])
    values = sorted_values(texts)[0]
    rank = {value: float(code) for code, value in enumerate(values)}
    array = texts.spread(np.array([rank[word] for word in texts.distinct.to_pylist()]))
    return Chosen([Column(name, "symbolic", tuple(values))], [array], nearly)


def _why_left_out(name: str, texts: Texts) -> Remark | None:
    import pyarrow.compute as pc

    n_values = len(texts.distinct)
    if n_values <= FEW_VALUES:
        return None
    words = pc.count_substring_regex(texts.distinct, r"\S+").to_numpy()
    n_words = float((words * texts.counts).sum()) / texts.n_known
    if n_words >= WORDS_OF_A_SENTENCE and n_values > 0.1 * texts.n_known:
        why = f"holds free text, {n_words:.0f} words a cell"
    elif n_values > 0.5 * texts.n_known:
        why = f"has {n_values:,} different values in {texts.n_known:,} cells: it names the row"
    else:
        return None
    return Remark(name, "left out", f"{why}; left out", "symbolic", "keeps it")


def _fold_booleans(name: str, texts: Texts) -> Chosen | None:
    """Take several spellings of yes and no for two values, called by the most frequent."""
    words = texts.distinct.to_pylist()
    if not 2 < len(words) <= FEW_VALUES:
        return None
    is_true = np.array([word.casefold() in TRUE_WORDS for word in words])
    is_false = np.array([word.casefold() in FALSE_WORDS for word in words])
    if not ((is_true | is_false).all() and is_true.any() and is_false.any()):
        return None
    values = tuple(words[int((texts.counts * mask).argmax())] for mask in (is_false, is_true))
    remark = say_spellings_of_yes(name, words, values)
    array = texts.spread(is_true.astype(float))
    return Chosen([Column(name, "symbolic", values)], [array], [remark])


def _look_at_numbers(name: str, chosen: Chosen) -> Chosen:
    """Leave out numbers that name the row; name codes that may be meant as symbols."""
    values = chosen.arrays[0]
    sample = values[:1000]
    sample = sample[~np.isnan(sample)]
    if len(sample) <= FEW_VALUES or (sample != np.floor(sample)).any():
        return chosen
    n_sampled = len(np.unique(sample))
    if n_sampled <= FEW_VALUES // 2 and len(values) >= 10 * n_sampled:
        return _name_codes(name, chosen)
    if n_sampled < 0.95 * len(sample) or not names_the_row(name):
        return chosen
    known = values[~np.isnan(values)]
    n_values = len(np.unique(known))
    if n_values < 0.95 * len(known) or (known != np.floor(known)).any():
        return chosen
    why = f"has {n_values:,} different whole numbers in {len(known):,} cells: it names the row"
    remark = Remark(name, "left out", f"{why}; left out", "numeric", "keeps it")
    return Chosen(remarks=[*chosen.remarks, remark])


def names_the_row(name: str) -> bool:
    """Whether a column is called as those are that only name the row.

    Examples
    --------
    >>> from miter.data.columns.choose import names_the_row
    >>> names_the_row("customer_id"), names_the_row("width")
    (True, False)
    """
    return _NAMES_THE_ROW.search(name) is not None


def _name_codes(name: str, chosen: Chosen) -> Chosen:
    """Name whole numbers with few values; of many rows, some from everywhere are looked at."""
    values = chosen.arrays[0]
    known = values[:: max(1, len(values) // SAMPLED_ROWS)]
    known = np.unique(known[~np.isnan(known)])
    if not 2 < len(known) <= FEW_VALUES // 2 or known[0] < 0 or (known != np.floor(known)).any():
        return chosen
    shown = ", ".join(map(number_text, known[:3])) + (", ..." if len(known) > 3 else "")
    sentence = f"holds whole numbers with few values, {shown}, taken as numbers"
    effect = "takes them as names"
    remark = Remark(name, "candidate", sentence, "symbolic", effect, changed=False)
    return Chosen(chosen.columns, chosen.arrays, [*chosen.remarks, remark])


def _grant(name: str, texts: Texts, wish: Wish, context: Context) -> Chosen:
    """Make of texts what the user says, or tell which cell forbids it."""
    if wish.kind == "numeric":
        numbers = read_numbers(texts.distinct, context.notation)
        cure = "give its kind as symbolic, or clean it"
        check_all(name, texts, numbers.is_number, cure, context)
        return _numbers_as_wished(name, texts, numbers, context)
    if wish.kind == "date":
        found = read_moments(texts.distinct, compact=True)
        is_date = ~np.isnan(found.days)
        check_all(name, texts, is_date, "give its kind as symbolic, or clean it", context, "date")
        return _date_texts(name, texts, found, context)
    values = wish.values
    for value in values or ():
        if value in context.missing:
            raise DataError(
                f"among the values of column {name!r} is {value!r}, which means missing; "
                "rename the value"
            )
    if values is None and wish.kind == "ordered":
        scale = find_scale(texts.distinct.to_pylist())
        values = None if scale is None else tuple(scale)
    symbols = symbols_of(texts, values, name, context)
    column, array = settle_cells(name, symbols, Wish(wish.kind), context.where)
    return Chosen([column], [array])


def _numbers_as_wished(name: str, texts: Texts, numbers: NumberTexts, context: Context) -> Chosen:
    if not texts.n_known:
        return Chosen([Column(name, "numeric")], [np.full(len(texts.codes), np.nan)])
    chosen = _numbers(name, texts, numbers, context)
    if chosen.columns:
        return Chosen(chosen.columns, chosen.arrays, [r for r in chosen.remarks if r.changed])
    form = Form(unit=numbers.unit, notation=numbers.notation)
    form_or_none = None if form == Form() else form
    return Chosen([Column(name, "numeric", form=form_or_none)], [texts.spread(numbers.values)])


def check_all(
    name: str,
    texts: Texts,
    is_good: NDArray[np.bool_],
    cure: str,
    context: Context,
    what: str = "text",
) -> None:
    """Raise `DataError` about the first cell that is not what the column is."""
    if is_good.all():
        return
    row, text = texts.first(~is_good)
    holds = f"the text {text!r}" if what == "text" else f"{text!r}, which is no {what}"
    context.where.fail(row, f"column {name!r} holds {holds}", cure)


def _texts_of_numbers(cells: Numbers | Symbols) -> Texts:
    """Write numbers as texts, to read them as dates."""
    import pyarrow as pa

    if isinstance(cells, Symbols):
        values = np.array([*cells.texts, None], object)[cells.codes].tolist()
    else:
        values = [None if v != v else number_text(v) for v in cells.values.tolist()]
    return texts_of(pa.array(values, pa.string()))
