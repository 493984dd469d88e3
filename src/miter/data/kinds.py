"""What the user says the columns are: the `kinds` argument, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from miter.data.schema import KINDS, Kind
from miter.errors import DataError, did_you_mean

__all__ = ["WISHES", "Kinds", "Wish", "check_kinds", "is_kind"]

#: What a user may call a column beside the kinds that columns have.
DATE: Literal["date"] = "date"
SINCE = "days since "
WISHES = (*KINDS, DATE, SINCE + "COLUMN")

#: Column name (or position, for an array) to a kind, or to the values of an ordered column.
Kinds = Mapping[str, str | Sequence[str]] | Mapping[int, str | Sequence[str]]


@dataclass(frozen=True)
class Wish:
    """What the user says one column is.

    Parameters
    ----------
    kind : {"numeric", "symbolic", "ordered", "ignored", "date"}
        The kind asked for.
    values : tuple of str, optional
        The values in their order, when the user lists them.
    since : str
        The column of dates from which the days to this one are wanted too.

    Examples
    --------
    >>> from miter.data.kinds import Wish
    >>> Wish("ordered", ("low", "high")).kind
    'ordered'
    """

    kind: Kind | Literal["date"]
    values: tuple[str, ...] | None = None
    since: str = ""


def check_kinds(
    kinds: Kinds | None, names: Sequence[str], *, by_position: bool = False
) -> dict[str, Wish]:
    """Return the wish for each column that `kinds` mentions.

    Parameters
    ----------
    kinds : mapping, optional
        Column name to a kind, to 'date', to 'days since' another column, or to a list of values,
        which makes the column ordered.
    names : sequence of str
        The columns that there are.
    by_position : bool
        Whether whole numbers among the keys are positions in `names`.

    Examples
    --------
    >>> from miter.data.kinds import check_kinds
    >>> check_kinds({"size": ["S", "M", "L"]}, ["size", "price"])
    {'size': Wish(kind='ordered', values=('S', 'M', 'L'), since='')}
    """
    known = set(names)
    wishes = {}
    for key, kind in (kinds or {}).items():
        name = _find_column(key, names, known, by_position)
        wishes[name] = _check_kind(name, kind)
    for name, wish in wishes.items():
        if wish.since and wish.since not in known:
            raise DataError(
                f"kinds asks for the days from {wish.since!r} to {name!r}, but there is no such "
                f"column; {did_you_mean(wish.since, names)}"
            )
    return wishes


def _find_column(key: str | int, names: Sequence[str], known: set[str], by_position: bool) -> str:
    if str(key) in known:
        return str(key)
    if by_position and isinstance(key, int) and not isinstance(key, bool):
        if 0 <= key < len(names):
            return names[key]
        raise DataError(f"kinds mentions column {key}, but the columns are 0 to {len(names) - 1}")
    raise DataError(f"kinds mentions the unknown column {key!r}; {did_you_mean(str(key), names)}")


def is_kind(text: str) -> bool:
    """Whether a user may call a column this.

    Examples
    --------
    >>> from miter.data.kinds import is_kind
    >>> is_kind("date"), is_kind("days since admitted"), is_kind("symbol")
    (True, True, False)
    """
    return text in (*KINDS, DATE) or (text.startswith(SINCE) and text != SINCE)


def _check_kind(name: str, kind: object) -> Wish:
    if isinstance(kind, str):
        if not is_kind(kind):
            raise DataError(
                f"column {name!r} cannot be of the kind {kind!r}; {did_you_mean(kind, WISHES)}"
            )
        if kind.startswith(SINCE):
            return Wish(DATE, since=kind.removeprefix(SINCE))
        return Wish(cast(Kind, kind))
    if isinstance(kind, Sequence) and all(isinstance(value, str) for value in kind):
        return Wish("ordered", tuple(kind))
    raise DataError(
        f"the kind of column {name!r} is {kind!r}; give one of {', '.join(WISHES)}, "
        "or a list of texts: its values in their order"
    )
