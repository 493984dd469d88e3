"""What the user says the columns are: the `kinds` argument, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from miter.data.schema import KINDS, Kind
from miter.errors import DataError, did_you_mean

__all__ = ["Kinds", "Wish", "check_kinds"]

#: Column name (or position, for an array) to a kind, or to the values of an ordered column.
Kinds = Mapping[str, str | Sequence[str]] | Mapping[int, str | Sequence[str]]


@dataclass(frozen=True)
class Wish:
    """What the user says one column is.

    Parameters
    ----------
    kind : {"numeric", "symbolic", "ordered", "ignored"}
        The kind asked for.
    values : tuple of str, optional
        The values in their order, when the user lists them.

    Examples
    --------
    >>> from miter.data.kinds import Wish
    >>> Wish("ordered", ("low", "high")).kind
    'ordered'
    """

    kind: Kind
    values: tuple[str, ...] | None = None


def check_kinds(
    kinds: Kinds | None, names: Sequence[str], *, by_position: bool = False
) -> dict[str, Wish]:
    """Return the wish for each column that `kinds` mentions.

    Parameters
    ----------
    kinds : mapping, optional
        Column name to a kind, or to a list of values, which makes the column ordered.
    names : sequence of str
        The columns that there are.
    by_position : bool
        Whether whole numbers among the keys are positions in `names`.

    Examples
    --------
    >>> from miter.data.kinds import check_kinds
    >>> check_kinds({"size": ["S", "M", "L"]}, ["size", "price"])
    {'size': Wish(kind='ordered', values=('S', 'M', 'L'))}
    """
    known = set(names)
    wishes = {}
    for key, kind in (kinds or {}).items():
        name = _find_column(key, names, known, by_position)
        wishes[name] = _check_kind(name, kind)
    return wishes


def _find_column(key: str | int, names: Sequence[str], known: set[str], by_position: bool) -> str:
    if str(key) in known:
        return str(key)
    if by_position and isinstance(key, int) and not isinstance(key, bool):
        if 0 <= key < len(names):
            return names[key]
        raise DataError(f"kinds mentions column {key}, but the columns are 0 to {len(names) - 1}")
    raise DataError(f"kinds mentions the unknown column {key!r}; {did_you_mean(str(key), names)}")


def _check_kind(name: str, kind: object) -> Wish:
    if isinstance(kind, str):
        if kind not in KINDS:
            raise DataError(
                f"column {name!r} cannot be of the kind {kind!r}; {did_you_mean(kind, KINDS)}"
            )
        return Wish(cast(Kind, kind))
    if isinstance(kind, Sequence) and all(isinstance(value, str) for value in kind):
        return Wish("ordered", tuple(kind))
    raise DataError(
        f"the kind of column {name!r} is {kind!r}; give one of {', '.join(KINDS)}, "
        "or a list of texts: its values in their order"
    )
