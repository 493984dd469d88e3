"""Dataclasses to plain values, as JSON has them, and back by their type hints.

A new kind of split is a dataclass, so it can be written and read without a line about it here.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

__all__ = ["FieldError", "check_keys", "inside", "plain", "reader_of", "shown"]

Reader = Callable[[Any], Any]

#: Whole numbers beyond this cannot be counted with, in the core or in NumPy.
LARGEST = 2**63 - 1


class FieldError(ValueError):
    """A value is not what its place needs.

    Parameters
    ----------
    why : str
        What is wrong.
    place : str
        Where, seen from the value that is being read.
    """

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(f"{place}: {why}" if place else why)
        self.why = why
        self.place = place

    def inside(self, part: str) -> FieldError:
        """Return the same complaint, seen from one step further out."""
        joint = "" if not self.place or self.place.startswith("[") else "."
        return FieldError(self.why, f"{part}{joint}{self.place}")


@contextmanager
def inside(part: str) -> Iterator[None]:
    """Say of what is wrong in here that it is in this part."""
    try:
        yield
    except FieldError as error:
        raise error.inside(part) from None


def plain(value: Any) -> Any:
    """Return a dataclass as a dictionary of its fields, a tuple as a list, all the way down.

    Examples
    --------
    >>> from miter.model_file.fields import plain
    >>> from miter.splits import Threshold
    >>> plain(Threshold(column=2, cuts=(2.45,)))
    {'column': 2, 'cuts': [2.45], 'missing': -1}
    """
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


@cache
def reader_of(hint: Any) -> Reader:
    """Return the function that reads a plain value as a type hint says, or raises `FieldError`.

    Examples
    --------
    >>> from miter.model_file.fields import reader_of
    >>> from miter.splits import Threshold
    >>> reader_of(Threshold)({"column": 2, "cuts": [2.45], "missing": -1})
    Threshold(column=2, cuts=(2.45,), missing=-1)
    >>> reader_of(Threshold)({"column": 2, "cuts": ["low"], "missing": -1})
    Traceback (most recent call last):
    miter.model_file.fields.FieldError: cuts[0]: 'low' is not a number
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    arguments = get_args(hint)
    origin = get_origin(hint)
    if origin is Literal:
        return partial(_read_choice, arguments)
    if origin is tuple and arguments[1:] == (...,):
        return partial(_read_tuple, reader_of(arguments[0]))
    if origin is Mapping and arguments[0] is str:
        return partial(_read_mapping, reader_of(arguments[1]))
    if origin in {Union, UnionType}:
        # Every whole number is a number, so that numbers get their turn last.
        return partial(
            _read_any, [reader_of(a) for a in sorted(arguments, key=lambda a: a is float)]
        )
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        own = {field.name: reader_of(hints[field.name]) for field in fields(hint)}
        return partial(_read_dataclass, hint, own)
    raise TypeError(f"a field of the type {hint!r} cannot be read from a model file")


def check_keys(value: Any, expected: set[str], *, optional: frozenset[str] = frozenset()) -> None:
    """Complain unless a value is a dictionary with these keys and no others."""
    if type(value) is not dict:
        raise FieldError(f"{shown(value)} stands where an object with named fields is expected")
    keys = value.keys()
    missing, extra = expected - keys, keys - expected - optional
    if missing:
        raise FieldError(f"the field {min(missing)!r} is missing")
    if extra:
        raise FieldError(f"there is a field {min(extra)!r}, which has no meaning here")


def shown(value: Any) -> str:
    """Return a value as it can stand in a sentence: a file may hold a million where one belongs."""
    return reprlib.repr(value)


def _read_whole(value: Any) -> int:
    if type(value) is not int:
        raise FieldError(f"{shown(value)} is not a whole number")
    if abs(value) > LARGEST:
        raise FieldError("a whole number is too large")
    return value


def _read_number(value: Any) -> float:
    if type(value) is int:
        return float(_read_whole(value))
    if type(value) is not float:
        raise FieldError(f"{shown(value)} is not a number")
    if not isfinite(value):
        raise FieldError("a number is not finite")
    return value


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise FieldError(f"{shown(value)} is not a text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise FieldError(f"{shown(value)} is not valid Unicode") from None
    return value


def _read_exactly(wanted: type, value: Any) -> Any:
    if type(value) is not wanted:
        raise FieldError(f"{shown(value)} is not of the type {wanted.__name__}")
    return value


def _read_choice(choices: tuple[Any, ...], value: Any) -> Any:
    for choice in choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise FieldError(f"{shown(value)} is none of {', '.join(map(repr, choices))}")


def _read_mapping(read: Reader, value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise FieldError(f"{shown(value)} stands where an object with named fields is expected")
    items = {}
    for key, item in value.items():
        try:
            items[_read_text(key)] = read(item)
        except FieldError as error:
            raise error.inside(key) from None
    return items


def _read_tuple(read: Reader, value: Any) -> tuple[Any, ...]:
    if type(value) is not list:
        raise FieldError(f"{shown(value)} is not a list")
    items = []
    for item in value:
        try:
            items.append(read(item))
        except FieldError as error:
            raise error.inside(f"[{len(items)}]") from None
    return tuple(items)


def _read_any(readers: list[Reader], value: Any) -> Any:
    reasons = []
    for read in readers:
        try:
            return read(value)
        except FieldError as error:
            reasons.append(str(error))
    raise FieldError("; ".join(dict.fromkeys(reasons)))


def _read_dataclass(kind: type, own: dict[str, Reader], value: Any) -> Any:
    if type(value) is not dict or value.keys() != own.keys():
        # A file may be older than a field that has a default.
        optional = frozenset(f.name for f in fields(kind) if f.default is not MISSING)
        check_keys(value, own.keys() - optional, optional=optional)
    arguments = {}
    for name in value:
        try:
            arguments[name] = own[name](value[name])
        except FieldError as error:
            raise error.inside(name) from None
    return kind(**arguments)


_PLAIN: dict[Any, Reader] = {
    int: _read_whole,
    float: _read_number,
    str: _read_text,
    bool: partial(_read_exactly, bool),
    NoneType: partial(_read_exactly, NoneType),
}
