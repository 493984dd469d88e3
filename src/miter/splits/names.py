"""Names and values in words: in quotes where they could be taken for something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from miter.data.schema import Column

__all__ = ["count_others", "say_codes", "say_name", "say_values"]

#: What sums, conditions and lines of a tree are written with; a hyphen or a slash inside a word
#: is none of it, unless the slash divides by a number.
_SIGNS = re.compile(r"[\s<>=+*()\[\]{}|,;:'\"\\]|^-|-$|/\d|/$")
_WORDS = frozenset({"", "and", "or", "in", "is", "for", "each", "of", "IF", "AND", "THEN", "more"})


def say_name(name: str, *, may_be_number: bool = False) -> str:
    r"""Return a name as it stands in words: between quotes unless it is one plain word.

    Parameters
    ----------
    name : str
        Of a column, a value or a class.
    may_be_number : bool
        Whether a number is no riddle here: on the right of a sign it is none, before it could be
        taken for a weight.

    Examples
    --------
    >>> from miter.splits.names import say_name
    >>> print(say_name("fee-freeze"), say_name("length (cm)"), say_name("a\nb"), say_name("1"))
    fee-freeze 'length (cm)' 'a\nb' '1'
    """
    is_plain = name.isprintable() and name not in _WORDS and not _SIGNS.search(name)
    if is_plain and (may_be_number or not name[0].isdigit()):
        return name
    if may_be_number and _is_number(name):
        return name
    return repr(name)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", text) is not None


def say_values(column: Column, codes: Sequence[int], most: int | None = None) -> str:
    """Say that a column has one of its values: ``colour = red``, ``colour in {red, blue}``.

    Parameters
    ----------
    column : Column
        With values.
    codes : sequence of int
        Positions among them.
    most : int, optional
        Count the values after so many.
    """
    said = say_codes(column, codes, most)
    if len(codes) == 1:
        return f"{say_name(column.name)} = {said[0]}"
    return f"{say_name(column.name)} in {{{', '.join(said)}}}"


def say_codes(column: Column, codes: Sequence[int], most: int | None = None) -> list[str]:
    """Say values of a column; of many the first, and how many more there are."""
    said = [say_name(column.values[code], may_be_number=True) for code in codes]
    return count_others(said, most)


def count_others(words: list[str], most: int | None) -> list[str]:
    """Return the first of many words, and how many more there are."""
    if most is None or len(words) <= most + 1:
        return words
    return [*words[:most], f"{len(words) - most:,} more"]
