"""Texts that are dates or moments, and the parts of a date that a tree can use.

A moment is the number of days from 1970-01-01, 00:00 UTC, to it. Texts with a zone, or a time of
day, are moments; where two numbers may be day and month in either order, the cells that allow
only one order tell, then the separator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.numbers import to_mask
from miter.data.schema import Column, Form, Notation, Part

__all__ = ["MomentTexts", "Moments", "part_columns", "part_values", "read_moments"]

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_CLOCK = (
    r"(?:(?:[T ]|, ?)(?P<h>\d{1,2}):(?P<n>\d{2})(?::(?P<s>\d{2}(?:[.,]\d+)?))?"
    r"\s?(?P<p>[AaPp]\.?[Mm]\.?)?\s?(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$"
)
_NAMED = r"(?P<b>[A-Za-z]{3,9})"
_YEAR = r"(?P<y>\d{4}|\d{2})"
_YEAR_FIRST = r"^(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})" + _CLOCK
_DAY_FIRST = r"^(?P<d>\d{1,2})[-/.](?P<m>\d{1,2})[-/.]" + _YEAR + _CLOCK
_MONTH_FIRST = r"^(?P<m>\d{1,2})[-/.](?P<d>\d{1,2})[-/.]" + _YEAR + _CLOCK
_WEEKDAY = r"^(?:[A-Za-z]{3,9},? )?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?"
_OTHERS = (
    _WEEKDAY + _DAY + "[- ]" + _NAMED + r"\.?,?[- ]" + _YEAR + _CLOCK,
    _WEEKDAY + _NAMED + r"\.? " + _DAY + r",? (?P<y>\d{4})" + _CLOCK,
    r"^(?P<y>\d{4})-(?P<m>\d{1,2})$",
    r"^" + _NAMED + r"\.?[- ](?P<y>\d{4})$",
)
#: Only where the user says that it is a date: else it is a number.
_COMPACT = r"^(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})$"


@dataclass(frozen=True, eq=False)
class Moments:
    """Cells that are dates or moments.

    Parameters
    ----------
    days : ndarray of shape (n_rows,), float64
        Days since 1970-01-01; NaN where missing.
    has_clock : bool
        Whether there is a time of day.
    has_zone : bool
        Whether the source says the zone.
    """

    days: NDArray[np.float64]
    has_clock: bool = False
    has_zone: bool = False


@dataclass(frozen=True, eq=False)
class MomentTexts:
    """Distinct texts, read as moments.

    Parameters
    ----------
    days : ndarray of shape (n_texts,), float64
        NaN where a text is no moment.
    is_impossible : ndarray of shape (n_texts,), bool
        Which are written as a date but are in no calendar, as 2021-02-30.
    has_clock, has_zone : bool
        Whether some are not the beginning of a day, and whether some tell the zone.
    notation : {"", "day first", "month first"}
        The order of numbers that may be either.
    """

    days: NDArray[np.float64]
    is_impossible: NDArray[np.bool_]
    has_clock: bool
    has_zone: bool
    notation: Notation = ""


def read_moments(texts: Any, notation: Notation = "", *, compact: bool = False) -> MomentTexts:
    """Read distinct texts as dates or moments.

    Parameters
    ----------
    texts : pyarrow.StringArray
        Without spaces around them.
    notation : {"", "day first", "month first"}
        The order of 3/4/2020, where it is known.
    compact : bool
        Whether 20200403 is a date.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.columns.times import read_moments
    >>> found = read_moments(pa.array(["31/1/1970", "1/2/1970", "30/2/1970"]))
    >>> found.days, found.notation
    (array([30., 31., nan]), 'day first')
    """
    patterns = [_YEAR_FIRST, *_OTHERS, *([_COMPACT] if compact else [])]
    found = [_read(texts, pattern) for pattern in patterns]
    numeric, notation = _read_numeric(texts, notation)
    if numeric is not None:
        found.append(numeric)
    days = np.full(len(texts), np.nan)
    impossible = np.zeros(len(texts), bool)
    for one in found:
        is_new = np.isnan(days) & ~np.isnan(one.days)
        days[is_new] = one.days[is_new]
        impossible |= one.is_impossible
    return MomentTexts(
        days,
        impossible & np.isnan(days),
        bool((days[~np.isnan(days)] % 1 != 0).any()),
        any(one.has_zone for one in found),
        notation,
    )


def _read_numeric(texts: Any, notation: Notation) -> tuple[MomentTexts | None, Notation]:
    """Read 3/4/2020 and 3.4.2020, in the order that the texts tell."""
    import pyarrow.compute as pc

    if not pc.any(pc.match_substring_regex(texts, _DAY_FIRST)).as_py():
        return None, ""
    day_first, month_first = _read(texts, _DAY_FIRST), _read(texts, _MONTH_FIRST)
    if notation not in {"day first", "month first"}:
        n_day, n_month = ((~np.isnan(one.days)).sum() for one in (day_first, month_first))
        has_slash = pc.any(pc.match_substring(texts, "/")).as_py()
        # Who writes slashes and leaves it open most often puts the month first.
        is_day = n_day > n_month or (n_day == n_month and not has_slash)
        notation = "day first" if is_day else "month first"
    return (day_first if notation == "day first" else month_first), notation


def _read(texts: Any, pattern: str) -> MomentTexts:
    import pyarrow.compute as pc

    parts = pc.extract_regex(texts, pattern)
    matched = to_mask(pc.is_valid(parts))
    days = np.full(len(texts), np.nan)
    impossible = np.zeros(len(texts), bool)
    if not matched.any():
        return MomentTexts(days, impossible, False, False)
    parts = parts.filter(matched)
    names = {field.name for field in parts.type}
    year = _whole(parts, "y")
    is_short = to_mask(pc.less_equal(pc.utf8_length(pc.struct_field(parts, "y")), 2))
    year = np.where(is_short, year + np.where(year < 69, 2000, 1900), year)
    month = _month_of(pc.struct_field(parts, "b")) if "b" in names else _whole(parts, "m")
    day = _whole(parts, "d") if "d" in names else np.ones(len(year), np.int64)
    whole_days, is_real = _days(year, month, day)
    clock, has_zone = _read_clock(parts) if "h" in names else (0.0, False)
    is_real &= ~np.isnan(clock)
    days[matched] = np.where(is_real, whole_days + clock, np.nan)
    # A month's name that is none makes it a text, not a wrong date.
    impossible[matched] = ~is_real & (month != 0) if "b" in names else ~is_real
    return MomentTexts(days, impossible, False, has_zone)


def _days(
    year: NDArray[Any], month: NDArray[Any], day: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the days since 1970, and which of them a calendar has."""
    in_year = (month >= 1) & (month <= 12) & (year >= 1)
    months = (np.where(in_year, year, 1970) - 1970) * 12 + np.where(in_year, month, 1) - 1
    first = months.astype("M8[M]").astype("M8[D]").astype(np.int64)
    following = (months + 1).astype("M8[M]").astype("M8[D]").astype(np.int64)
    is_real = in_year & (day >= 1) & (day <= following - first)
    return (first + day - 1).astype(np.float64), is_real


def _read_clock(parts: Any) -> tuple[NDArray[np.float64], bool]:
    """Return the time of day as a share of it, in UTC, and whether a zone is told."""
    import pyarrow.compute as pc

    hour, minute = _whole(parts, "h"), _whole(parts, "n")
    second = _numbers(pc.replace_substring(pc.struct_field(parts, "s"), ",", "."))
    half = pc.utf8_lower(pc.struct_field(parts, "p"))
    is_pm, is_am = (to_mask(pc.starts_with(half, letter)) for letter in "pa")
    hour = np.where(is_pm & (hour < 12), hour + 12, np.where(is_am & (hour == 12), 0, hour))
    clock = (hour * 3600 + minute * 60 + second) / 86_400
    clock[(hour > 24) | (minute > 59) | (second >= 61) | (clock > 1)] = np.nan
    zone = pc.struct_field(parts, "z")
    offset = pc.extract_regex(zone, r"^(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>\d{2})?$")
    ahead = _whole(offset, "hours") * 60 + _whole(offset, "minutes")
    ahead = np.where(to_mask(pc.equal(pc.struct_field(offset, "sign"), "-")), -ahead, ahead)
    return clock - ahead / 1440, bool(to_mask(pc.not_equal(zone, "")).any())


def _month_of(names: Any) -> NDArray[np.int64]:
    """Return the number of each month's name, or 0."""
    known = {month[:length].lower(): n for n, month in enumerate(MONTHS, 1) for length in (3, 4, 9)}
    known |= {month.lower(): n for n, month in enumerate(MONTHS, 1)}
    found = [known.get(name.lower(), 0) for name in names.to_pylist()]
    return np.array(found, np.int64)


def _whole(parts: Any, name: str) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    return _numbers(pc.struct_field(parts, name)).astype(np.int64)


def _numbers(texts: Any) -> NDArray[np.float64]:
    """Return numbers of texts of digits, 0 for an empty or absent one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.if_else(pc.equal(texts, ""), "0", texts).fill_null("0")
    numbers: NDArray[np.float64] = pc.cast(texts, pa.float64()).to_numpy(zero_copy_only=False)
    return numbers


def part_columns(name: str, moments: Moments, notation: Notation) -> list[Column]:
    """Return the columns that are made of a column of dates: itself, and the parts that vary.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.columns.times import Moments, part_columns
    >>> [column.name for column in part_columns("joined", Moments(np.array([0.0, 40.0])), "")]
    ['joined', 'joined.month', 'joined.weekday']
    """
    whole: Part = "moment" if moments.has_clock else "date"
    columns = [Column(name, "numeric", form=Form(whole, notation=notation))]
    parts: tuple[Part, ...] = ("year", "month", "weekday", "hour")
    for part in parts:
        values = part_values(moments.days, part)
        known = values[~np.isnan(values)]
        if len(known) and known.min() < known.max():
            columns.append(_part_column(name, part, notation))
    return columns


def _part_column(name: str, part: Part, notation: Notation) -> Column:
    form = Form(part, source=name, notation=notation)
    values = {"month": MONTHS, "weekday": WEEKDAYS}.get(part, ())
    return Column(f"{name}.{part}", "ordered" if values else "numeric", values, form)


def part_values(days: NDArray[np.float64], part: Part) -> NDArray[np.float64]:
    """Return a part of each moment: the year, the code of the month or weekday, or the hour."""
    if part in {"date", "moment"}:
        return days
    is_known = ~np.isnan(days)
    whole = np.floor(days[is_known]).astype(np.int64)
    values = np.full(len(days), np.nan)
    if part == "weekday":
        values[is_known] = (whole + 3) % 7
    elif part == "hour":
        # Rounded to seconds, so that 10:00 is not the end of the hour before.
        seconds = np.round(days[is_known] * 86_400)
        values[is_known] = np.floor(seconds / 3600) % 24
    else:
        months = whole.astype("M8[D]").astype("M8[M]").astype(np.int64)
        values[is_known] = months % 12 if part == "month" else months // 12 + 1970
    return values
