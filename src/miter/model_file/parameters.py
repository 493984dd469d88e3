"""The parameters of an estimator as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from miter.data.schema import Label
from miter.errors import did_you_mean
from miter.model_file.fields import LARGEST, FieldError, check_keys, inside, plain, reader_of, shown
from miter.prune import PRUNINGS
from miter.registry import ENTRIES, find_class
from miter.splitters import SPLITTERS

__all__ = ["find_learner", "plain_learner", "read_learner"]

#: How the machine is used says nothing about the model, and may not suit the next machine.
MACHINE = frozenset({"n_threads", "verbose"})

#: Parts of Miter's own that a parameter can hold: what they are, and what each name makes.
PARTS: dict[str, Mapping[str, type]] = {"pruning": PRUNINGS, "splitter": SPLITTERS}

# Objects with one of these keys, or with one of the parts, are no mappings of the user's.
LEARNER, PAIRS = "learner", "pairs"


def find_learner(learner: Any) -> Any:
    """Return the class of an estimator, or the nearest of Miter's that it was made from."""
    for kind in type(learner).__mro__:
        if find_class(kind.__name__) is kind:
            return kind
    raise TypeError(f"a {type(learner).__name__} is none of Miter's learners")


def plain_learner(learner: Any, costs: Any = None) -> dict[str, Any]:
    """Return the class and the parameters of an estimator; what is code or chance is left out.

    A class of the user's own becomes the nearest of Miter's that it was made from, without the
    parameters that this has not.

    Parameters
    ----------
    learner : estimator
        Of a class of Miter's, or of one made from it.
    costs : list of lists, optional
        What costs came to: they may be the name of a file.

    Examples
    --------
    >>> from miter import TreeClassifier
    >>> from miter.model_file.parameters import plain_learner
    >>> from miter.prune import ReducedError
    >>> plain_learner(TreeClassifier(pruning=ReducedError(share=0.25)))["parameters"]["pruning"]
    {'pruning': 'reduced_error', 'share': 0.25}
    """
    kind = find_learner(learner)
    written = {}
    for name in sorted(kind().get_params(deep=False).keys() - MACHINE):
        with suppress(AttributeError, TypeError):
            value = getattr(learner, name)
            written[name] = _write(costs if name == "costs" and value is not None else value, costs)
    return {"learner": kind.__name__, "parameters": written}


def read_learner(value: Any) -> Any:
    """Return the estimator, not fitted, that `plain_learner` gave the values of."""
    check_keys(value, {"learner", "parameters"})
    name, written = value["learner"], value["parameters"]
    if type(name) is not str:
        raise FieldError(f"there is no learner {shown(name)}")
    kind: Any = find_class(name)
    if kind is None:
        near = did_you_mean(shown(name), [entry.public for entry in ENTRIES])
        raise FieldError(f"there is no learner {shown(name)}; {near}")
    if type(written) is not dict:
        raise FieldError("not an object with named fields", "parameters")
    known = kind().get_params(deep=False).keys() - MACHINE
    parameters = {}
    for parameter, setting in written.items():
        with inside("parameters"):
            if parameter not in known:
                near = did_you_mean(parameter, sorted(known))
                raise FieldError(f"there is no parameter {shown(parameter)}; {near}")
            with inside(parameter):
                parameters[parameter] = _read(setting)
    return kind(**parameters)


def _write(value: Any, costs: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return [_write(item, costs) for item in value]
    if isinstance(value, Mapping):
        return _write_mapping(value, costs)
    for part, kinds in PARTS.items():
        for name, kind in kinds.items():
            if type(value) is kind:
                return {part: name, **plain(value)}
    if isinstance(value, BaseEstimator):
        return plain_learner(value, costs)
    raise TypeError(f"{value!r} cannot be written")


def _write_mapping(value: Mapping[Any, Any], costs: Any) -> dict[str, Any]:
    items = [[_write(key, costs), _write(item, costs)] for key, item in value.items()]
    if all(isinstance(key, str) for key in value) and not {*PARTS, PAIRS, LEARNER} & value.keys():
        return dict(items)
    return {PAIRS: items}


def _read(value: Any) -> Any:
    if type(value) is list:
        return [_read(item) for item in value]
    if type(value) is not dict:
        return reader_of(Label | None)(value)
    for part, kinds in PARTS.items():
        if part in value:
            return _read_part(value, part, kinds)
    if LEARNER in value:
        return read_learner(value)
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
