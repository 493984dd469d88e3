"""What there is to say of a column of texts: the remarks that go with the rules of `choose`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.numbers import NumberTexts, find_bounds, to_mask
from miter.data.columns.texts import ODD_SHARE, Context, Texts
from miter.data.columns.times import MomentTexts
from miter.data.files.cells import number_text
from miter.data.remarks import Remark

__all__ = [
    "say_bounds",
    "say_codes",
    "say_dates",
    "say_durations",
    "say_nearly",
    "say_odd_cells",
    "say_scale",
    "say_spelling",
    "say_spellings_of_yes",
    "shown",
]

_AS_SYMBOLS = "takes the cells as symbols"
_PLAIN = r"^[+-]?\d+\.?\d*$"


def say_odd_cells(
    name: str, texts: Texts, is_good: NDArray[np.bool_], what: str, context: Context
) -> list[Remark]:
    """Tell of the few cells that are not what the column is; nothing where there are none."""
    n_odd = int(texts.counts[~is_good].sum())
    if not n_odd:
        return []
    row, text = texts.first(~is_good)
    cells, place = f"{n_odd:,} of {texts.n_known:,} cells", context.where.say(row)
    sentence = f"{cells} is no {what}: {shown(text)} in {place}; it is missing"
    if n_odd > 1:
        first = f"the first is {shown(text)} in {place}"
        sentence = f"{cells} are no {what}s, {first}; they are missing"
    effect = "takes all cells as symbols"
    return [Remark(name, "odd cells", sentence, "symbolic", effect, n_cells=n_odd)]


def say_nearly(
    name: str, texts: Texts, is_good: NDArray[np.bool_], what: str, context: Context, why: str = ""
) -> Remark:
    """Tell of a column of which most cells are numbers, dates or durations, but not nearly all.

    Parameters
    ----------
    name, texts, context
        The column, and what holds for its table.
    is_good : ndarray of shape (n_texts,), bool
        Which texts are.
    what : str
        What they are.
    why : str
        What is wrong with the first of the others, as the end of a clause.
    """
    n_odd = int(texts.counts[~is_good].sum())
    row, text = texts.first(~is_good)
    sentence = (
        f"{texts.n_known - n_odd:,} of {texts.n_known:,} cells are {what}s, but more than "
        f"{ODD_SHARE:.0%} are not, the first is {shown(text)}{why} in {context.where.say(row)}; "
        f"taken as symbols, unless missing=[{shown(text)}] says that it stands for a missing cell"
    )
    about = "nearly numeric" if what == "number" else f"nearly {what}s"
    return Remark(name, about, sentence, n_cells=n_odd)


def say_bounds(name: str, texts: Texts, numbers: NumberTexts, context: Context) -> list[Remark]:
    """Tell of cells such as <0.5; nothing where there are none."""
    is_bound = find_bounds(texts.distinct) & numbers.is_number
    if not is_bound.any():
        return []
    row, text = texts.first(is_bound)
    n_cells = int(texts.counts[is_bound].sum())
    verb = "is a bound" if n_cells == 1 else "are bounds"
    sentence = (
        f"{n_cells:,} of {texts.n_known:,} cells {verb}: {shown(text)} in "
        f"{context.where.say(row)} is read as {_read_as(text, texts, numbers)}"
    )
    return [Remark(name, "bounds", sentence, "symbolic", _AS_SYMBOLS, n_cells=n_cells)]


def say_spelling(name: str, texts: Texts, numbers: NumberTexts) -> Remark:
    """Tell how numbers are written that are more than digits and a point."""
    is_plain = to_mask(_matches(texts.distinct, _PLAIN))
    is_dressed = numbers.is_number & ~is_plain
    _, text = texts.first(is_dressed if is_dressed.any() else numbers.is_number)
    dress = f"with {numbers.unit!r}" if numbers.unit else "with marks between thousands"
    if numbers.notation and "," in text:
        dress = f"{dress} and a decimal comma" if numbers.unit else "with a decimal comma"
    elif not is_dressed.any():  # where decimal commas were expected
        dress = "with a decimal point"
    value = _read_as(text, texts, numbers)
    sentence = f"holds numbers {dress}: {shown(text)} is read as {value}"
    return Remark(name, "spelling", sentence, "symbolic", _AS_SYMBOLS)


def say_codes(name: str, texts: Texts) -> Remark:
    """Tell of codes such as 00501."""
    _, text = texts.first(to_mask(_matches(texts.distinct, "^0")))
    sentence = f"holds codes with leading zeros such as {shown(text)}; taken as symbols"
    return Remark(name, "codes", sentence, "numeric", "takes them as numbers")


def say_dates(name: str, texts: Texts, found: MomentTexts, made: Remark) -> Remark:
    """Tell what became of dates, with one of them and in which order it is read."""
    _, text = texts.first(~np.isnan(found.days))
    order = {
        "day first": ", read with the day before the month",
        "month first": ", read with the month before the day",
    }.get(found.notation, "")
    such = f"holds dates such as {shown(text)}{order}"
    sentence = made.sentence.replace("holds dates", such, 1)
    return Remark(name, made.about, sentence, made.cure, made.effect)


def say_durations(name: str, texts: Texts, seconds: NDArray[np.float64]) -> Remark:
    """Tell how one of the durations is read."""
    row, text = texts.first(~np.isnan(seconds))
    value = seconds[texts.codes[row]]
    sentence = f"holds durations: {shown(text)} is read as {value:g} seconds"
    return Remark(name, "durations", sentence, "symbolic", _AS_SYMBOLS)


def say_scale(name: str, scale: list[str]) -> Remark:
    """Tell in which order the steps of a scale are taken."""
    sentence = f"holds steps of a scale, taken in the order {' < '.join(scale)}"
    return Remark(name, "order", sentence, "symbolic", "takes them without an order")


def say_spellings_of_yes(name: str, words: list[str], values: tuple[str, ...]) -> Remark:
    """Tell of more than two spellings of yes and no."""
    said = ", ".join(map(repr, sorted(words)))
    sentence = (
        f"spells yes and no in {len(words)} ways, {said}; taken as {values[0]} and {values[1]}"
    )
    return Remark(name, "booleans", sentence, "symbolic", "keeps the spellings apart")


def _read_as(text: str, texts: Texts, numbers: NumberTexts) -> str:
    return number_text(numbers.values[texts.distinct.index(text).as_py()])


def _matches(texts: Any, pattern: str) -> Any:
    import pyarrow.compute as pc

    return pc.match_substring_regex(texts, pattern)


def shown(text: str) -> str:
    """Return a text in quotes, shortened, in one line."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 40 else line[:37] + "...")
