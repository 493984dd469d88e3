"""The parameters of an estimator as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from miter.data.schema import Label
from miter.errors import did_you_mean
from miter.model_file.fields import LARGEST, FieldError, plain, reader_of, shown
from miter.prune import PRUNINGS
from miter.splitters import SPLITTERS

__all__ = ["plain_parameters", "read_parameters"]

#: How the machine is used says nothing about the model, and may not suit the next machine.
MACHINE = frozenset({"n_threads", "verbose"})

#: Parts of Miter's own that a parameter can hold: what they are, and what each name makes.
PARTS: dict[str, Mapping[str, type]] = {"pruner": PRUNINGS, "splitter": SPLITTERS}

# Objects with this key, or with one of the parts, are no mappings of the user's.
PAIRS = "pairs"


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that can be written; what is code or a state of chance cannot.

    Examples
    --------
    >>> from miter.model_file.parameters import plain_parameters
    >>> from miter.prune import ReducedError
    >>> plain_parameters({"pruning": ReducedError(share=0.25), "splitter": object()})
    {'pruning': {'pruner': 'reduced_error', 'share': 0.25}}
    """
    written = {}
    for name, value in parameters.items():
        if name in MACHINE:
            continue
        try:
            written[name] = _write(value)
        except TypeError:
            continue
    return written


def read_parameters(written: Any, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model file; they must be among the known ones."""
    if type(written) is not dict:
        raise FieldError("not an object with named fields")
    parameters = {}
    for name, value in written.items():
        if name not in known or name in MACHINE:
            near = did_you_mean(name, sorted(known.keys() - MACHINE))
            raise FieldError(f"there is no parameter {shown(name)}; {near}")
        try:
            parameters[name] = _read(value)
        except FieldError as error:
            raise error.inside(name) from None
    return parameters


def _write(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return [_write(item) for item in value]
    if isinstance(value, Mapping):
        return _write_mapping(value)
    for part, kinds in PARTS.items():
        for name, kind in kinds.items():
            if type(value) is kind:
                return {part: name, **plain(value)}
    raise TypeError(f"{value!r} cannot be written")


def _write_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    if all(isinstance(key, str) for key in value) and not {*PARTS, PAIRS} & value.keys():
        return {key: _write(item) for key, item in value.items()}
    return {PAIRS: [[_write(key), _write(item)] for key, item in value.items()]}


def _read(value: Any) -> Any:
    if type(value) is list:
        return [_read(item) for item in value]
    if type(value) is not dict:
        return reader_of(Label | None)(value)
    for part, kinds in PARTS.items():
        if part in value:
            return _read_part(value, part, kinds)
    if value.keys() == {PAIRS}:
        return _read_pairs(value[PAIRS])
    return {reader_of(str)(key): _read(item) for key, item in value.items()}


def _read_part(value: dict[str, Any], part: str, kinds: Mapping[str, Any]) -> Any:
    settings = dict(value)
    name = settings.pop(part)
    if type(name) is not str or name not in kinds:
        raise FieldError(f"there is no {part} {shown(name)}; {did_you_mean(shown(name), kinds)}")
    return reader_of(kinds[name])(settings)


def _read_pairs(value: Any) -> dict[Any, Any]:
    if type(value) is not list or any(type(pair) is not list or len(pair) != 2 for pair in value):
        raise FieldError("not a list of pairs", PAIRS)
    return {reader_of(Label | None)(key): _read(item) for key, item in value}
