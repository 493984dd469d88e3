"""Texts that are numbers, in the spellings that people use.

A sign, thousands, a decimal point or comma, an exponent; a currency or a percent sign before or
after; a unit after, the same in the whole column; accountants' parentheses for what is below zero.
And durations: 1:30:00, 2 h 5 min.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Notation

__all__ = ["NumberTexts", "find_bounds", "read_durations", "read_numbers", "to_mask"]

#: A number too, but one that no learner can use.
INFINITE = r"^[+-]?(?i:inf|infinity)$"
_PLAIN = r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$|" + INFINITE
_PLAIN_COMMA = r"^[+-]?(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d+)?$"
_CURRENCY = r"[$\x{20ac}\x{a3}\x{a5}\x{20b9}]|US\$|USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|SEK|NOK|DKK|kr"
# 75 kg, 37.2 °C, 12 mg/dl: letters and signs of units, but no word of a sentence.
_WORD = r"[\pL\x{b0}\x{b5}][\pL\x{b0}\x{b2}\x{b3}\x{b5}/]{0,9}"
_DRESSED = (
    r"^(?P<open>\()?\s*(?P<sign>[+\x{2212}-])?\s*(?P<before>" + _CURRENCY + r")?\s*"
    r"(?P<second>[+\x{2212}-])?(?P<body>[\d.,'\x{2019}\x{a0}\x{202f} ]*\d[\d.,]*"
    r"(?:[eE][+-]?\d+)?)\s*(?P<after>%|" + _CURRENCY + "|" + _WORD + r")?\s*(?P<close>\))?$"
)
_SPACES = r"'\x{2019}\x{a0}\x{202f} "
_EXPONENT = r"(?:[eE][+-]?\d+)?$"
_POINT = rf"^(?:\d*|[1-9]\d{{0,2}}(?:[,{_SPACES}]\d{{3}})+)(?:\.\d*)?{_EXPONENT}"
_COMMA = rf"^(?:\d*|[1-9]\d{{0,2}}(?:[.{_SPACES}]\d{{3}})+)(?:,\d*)?{_EXPONENT}"
# What only the one notation allows, where a lone group of three digits may be either.
_GROUPS_ONLY = r"^[1-9]\d{0,2}[.,]\d{3}$"


@dataclass(frozen=True, eq=False)
class NumberTexts:
    """Distinct texts, read as numbers.

    Parameters
    ----------
    values : ndarray of shape (n_texts,), float64
        NaN where a text is no number.
    is_number : ndarray of shape (n_texts,), bool
        Which texts are.
    unit : str
        What stands beside them: a currency, '%', a unit, or nothing.
    notation : {"", "decimal comma"}
        How they are written.
    is_dressed : bool
        Whether some are more than the plain number: a unit, thousands, parentheses.
    """

    values: NDArray[np.float64]
    is_number: NDArray[np.bool_]
    unit: str = ""
    notation: Notation = ""
    is_dressed: bool = False


def read_numbers(texts: Any, notation: Notation = "", *, only_bounds: bool = False) -> NumberTexts:
    """Read distinct texts as numbers; a bound such as <0.5 is read as the number that it names.

    Parameters
    ----------
    texts : pyarrow.StringArray
        Without spaces around them.
    notation : {"", "decimal comma"}
        What ``1,234`` means where the texts do not tell: one thousand and more, or 1.234.
    only_bounds : bool
        Take bounds for numbers also where most are bounds: <50 and >50 may be names of groups.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.columns.numbers import read_numbers
    >>> found = read_numbers(pa.array(["$1,200.50", "($7)", "free"]))
    >>> found.values, found.unit
    (array([1200.5,   -7. ,    nan]), '$')
    """
    import pyarrow.compute as pc

    plain = to_mask(pc.match_substring_regex(texts, _PLAIN))
    if plain.all() and notation != "decimal comma":
        return NumberTexts(_cast(texts), plain)
    if notation == "decimal comma" and to_mask(pc.match_substring_regex(texts, _PLAIN_COMMA)).all():
        values = _cast(pc.replace_substring(texts, ",", "."))
        return NumberTexts(values, np.ones(len(texts), bool), notation=notation)
    is_bound = find_bounds(texts)
    if is_bound.any() and (only_bounds or 2 * is_bound.sum() <= len(texts)):
        texts = pc.replace_substring_regex(texts, _BOUND, "")
    return _read_dressed(texts, notation)


def find_bounds(texts: Any) -> NDArray[np.bool_]:
    """Return which texts begin like a bound: <0.5, >= 1000, ~7."""
    import pyarrow.compute as pc

    return to_mask(pc.match_substring_regex(texts, _BOUND))


def _read_dressed(texts: Any, notation: Notation) -> NumberTexts:
    import pyarrow.compute as pc

    parts = pc.extract_regex(texts, _DRESSED)
    is_number = to_mask(pc.is_valid(parts))
    opened, closed = (to_mask(pc.equal(pc.struct_field(parts, p), s)) for p, s in _PARENTHESES)
    is_number &= opened == closed
    units, unit = _find_unit(parts, is_number)
    is_number &= (units == unit) | (units == "")
    body = pc.struct_field(parts, "body")
    notation = _find_notation(body, is_number, notation)
    is_number &= to_mask(pc.match_substring_regex(body, _COMMA if notation else _POINT))
    values = np.full(len(texts), np.nan)
    chosen = body.filter(is_number)
    chosen = pc.replace_substring_regex(chosen, f"[{'.' if notation else ','}{_SPACES}]", "")
    values[is_number] = _cast(pc.replace_substring(chosen, ",", ".") if notation else chosen)
    minus = opened.copy()
    for sign in ("sign", "second"):
        field = pc.struct_field(parts, sign)
        minus ^= to_mask(pc.is_in(field, _minus_signs()))
    values[minus] *= -1
    infinite = to_mask(pc.match_substring_regex(texts, INFINITE))
    is_number |= infinite
    values[infinite] = np.inf
    plain = to_mask(pc.match_substring_regex(texts, _PLAIN_COMMA if notation else _PLAIN))
    is_dressed = bool((is_number & ~plain & ~infinite).any())
    return NumberTexts(values, is_number, unit, notation, is_dressed)


_BOUND = r"^(?:[<>]=?|[\x{2264}\x{2265}\x{2248}~])\s*"

_PARENTHESES = (("open", "("), ("close", ")"))


def _minus_signs() -> Any:
    import pyarrow as pa

    return pa.array(["-", "\u2212"])


def _find_unit(parts: Any, is_number: NDArray[np.bool_]) -> tuple[NDArray[Any], str]:
    """Return what stands beside each number, and what stands beside most."""
    import pyarrow.compute as pc

    before, after = (pc.struct_field(parts, part).fill_null("") for part in ("before", "after"))
    units = pc.binary_join_element_wise(before, after, "").to_numpy(zero_copy_only=False)
    names, codes = np.unique(units.astype(str), return_inverse=True)
    totals = np.bincount(codes, is_number, minlength=len(names))
    totals[names == ""] = 0
    is_word = _are_words(names) & (totals > 0)
    if is_word.any() and not _is_one_unit(names[is_word], totals[is_word].max() / is_number.sum()):
        totals[is_word] = 0
    return units, str(names[totals.argmax()]) if totals.any() else ""


def _are_words(units: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which units are more than a currency or a percent sign."""
    import pyarrow as pa
    import pyarrow.compute as pc

    signs = f"^(?:%|{_CURRENCY})*$"
    return ~to_mask(pc.match_substring_regex(pa.array(units.tolist(), pa.string()), signs))


def _is_one_unit(words: NDArray[Any], share: float) -> bool:
    """Whether words beside numbers are a unit: 12A and 12B are names, 90 min is a duration."""
    import pyarrow as pa

    if len(words) > 1 or share <= 0.5:
        return False
    return bool(np.isnan(read_durations(pa.array([f"1 {words[0]}"])))[0])


def _find_notation(body: Any, is_number: NDArray[np.bool_], notation: Notation) -> Notation:
    """Tell a decimal comma from thousands by the cells that allow only one of them."""
    import pyarrow.compute as pc

    telling = ~to_mask(pc.match_substring_regex(body, _GROUPS_ONLY)) & is_number
    point, comma = (
        int((to_mask(pc.match_substring_regex(body, pattern)) & telling).sum())
        for pattern in (_POINT, _COMMA)
    )
    if point == comma:
        return notation
    return "decimal comma" if comma > point else ""


_CLOCK = r"^(?P<sign>-)?(?:(?P<days>\d+) days?,? )?(?P<hours>\d+):(?P<minutes>[0-5]?\d)"
_CLOCK += r"(?::(?P<seconds>[0-5]?\d(?:\.\d+)?))?$"
_NUMBER = r"\d+(?:\.\d+)?"
_SPELLED = (
    r"^(?:(?P<weeks>N)\s*(?:w|weeks?))?\s*(?:(?P<days>N)\s*(?:d|days?))?\s*"
    r"(?:(?P<hours>N)\s*(?:h|hrs?|hours?))?\s*(?:(?P<minutes>N)\s*(?:min|mins|minutes?))?\s*"
    r"(?:(?P<seconds>N)\s*(?:s|sec|secs|seconds?))?$"
).replace("N", _NUMBER)
_ISO = (
    r"^P(?:(?P<weeks>N)W)?(?:(?P<days>N)D)?"
    r"(?:T(?:(?P<hours>N)H)?(?:(?P<minutes>N)M)?(?:(?P<seconds>N)S)?)?$"
).replace("N", _NUMBER)
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1}


def read_durations(texts: Any) -> NDArray[np.float64]:
    """Return the seconds of distinct texts such as 1:30:00, 2 h 5 min and PT5M; NaN otherwise.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.columns.numbers import read_durations
    >>> read_durations(pa.array(["1:30", "2 h 5 min", "PT5M", "soon"]))
    array([5400., 7500.,  300.,   nan])
    """
    import pyarrow.compute as pc

    seconds = np.full(len(texts), np.nan)
    for pattern in (_CLOCK, _SPELLED, _ISO):
        parts = pc.extract_regex(texts, pattern)
        names = [field.name for field in parts.type if field.name in _SECONDS]
        found = np.zeros(len(texts))
        has_any = np.zeros(len(texts), bool)
        for name in names:
            number = pc.struct_field(parts, name)
            known = to_mask(pc.not_equal(number, ""))
            has_any |= known
            found[known] += _SECONDS[name] * _cast(number.filter(known))
        if "sign" in parts.type.names:
            found[to_mask(pc.equal(pc.struct_field(parts, "sign"), "-"))] *= -1
        seconds[has_any] = found[has_any]
    return seconds


def to_mask(array: Any) -> NDArray[np.bool_]:
    """Return booleans of Arrow, nulls as False."""
    mask: NDArray[np.bool_] = array.fill_null(False).to_numpy(zero_copy_only=False)
    return mask.copy() if not mask.flags.writeable else mask


def _cast(texts: Any) -> NDArray[np.float64]:
    import pyarrow as pa
    import pyarrow.compute as pc

    # Arrow knows no leading plus, and no digits that end with the point.
    bare = pc.replace_substring_regex(texts, r"^\+", "")
    numbers: NDArray[np.float64] = pc.cast(bare, pa.float64()).to_numpy(zero_copy_only=False)
    return numbers
