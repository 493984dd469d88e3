"""What makes two experiments the same: a plain description of the data and the learners.

Nothing in a description depends on the machine, the session or the number of workers, nor on the
file that a class is written in: classes go by the names that users know.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from inspect import Parameter, signature
from math import isfinite
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from miter.data.table import Data

__all__ = ["describe_estimator", "differences", "fingerprint", "hash_data"]

#: How the machine is used changes times, not results.
MACHINE = frozenset({"n_jobs", "n_threads", "verbose"})

_ADDRESS = re.compile(r" at 0x[0-9a-f]+", re.IGNORECASE)
# Classes of Miter and scikit-learn are known by their names alone, wherever they were written.
_OWN_PLACE = re.compile(r"(miter|sklearn)\.(?:\w+\.)*(\w+)")


def hash_data(data: Data) -> str:
    """Return the SHA-256 of columns, classes, cells, labels and weights.

    Parameters
    ----------
    data : Data
        With labels, or without.

    Returns
    -------
    str
        64 hexadecimal digits. Ignored columns do not count.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.lab.experiments.fingerprint import hash_data
    >>> len(hash_data(play_tennis()))
    64
    """
    schema = data.schema
    columns = [[column.name, column.kind, column.values] for column in schema.columns]
    head = json.dumps([columns, schema.classes, data.X.shape], ensure_ascii=True)
    # The same bytes for the same values: one width, one order, one NaN, one zero.
    cells = np.ascontiguousarray(data.X, np.float64) + 0.0
    cells[np.isnan(cells)] = np.nan
    digest = hashlib.sha256(head.encode())
    digest.update(cells.astype("<f8", copy=False).tobytes())
    if data.y is not None:
        digest.update(data.y.astype("<i4").tobytes())
    if data.weight is not None:
        digest.update(data.weight.astype("<f8").tobytes())
    return digest.hexdigest()


def describe_estimator(estimator: BaseEstimator) -> dict[str, Any]:
    """Return the class of an estimator and the parameters that are not at their defaults.

    Parameters
    ----------
    estimator : estimator
        Of scikit-learn's kind.

    Returns
    -------
    dict
        'class' and 'parameters', ready for JSON.

    Examples
    --------
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.lab.experiments.fingerprint import describe_estimator
    >>> describe_estimator(UnivariateTreeClassifier("gain", max_depth=3))["parameters"]
    {'criterion': 'gain', 'max_depth': 3}
    """
    kind = type(estimator)
    defaults = {name: p.default for name, p in signature(kind).parameters.items()}
    parameters = {}
    for name, value in sorted(estimator.get_params(deep=False).items()):
        default = defaults.get(name, Parameter.empty)
        if name not in MACHINE and _plain(value) != _plain(default):
            parameters[name] = _plain(value)
    return {"class": public_name(kind), "parameters": parameters}


def public_name(kind: type) -> str:
    """Return the name of a class at the shortest place where users find it.

    Parameters
    ----------
    kind : type
        Any class. One that is in none of the packages around its module goes by the module.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from miter import id3
    >>> from miter.lab.experiments.fingerprint import public_name
    >>> public_name(type(id3())), public_name(DecisionTreeClassifier)
    ('miter.UnivariateTreeClassifier', 'sklearn.tree.DecisionTreeClassifier')
    """
    parts = kind.__module__.split(".")
    packages = (".".join(parts[:depth]) for depth in range(1, len(parts)))
    for package in packages:
        if getattr(sys.modules.get(package), kind.__qualname__, None) is kind:
            return f"{package}.{kind.__qualname__}"
    return f"{kind.__module__}.{kind.__qualname__}"


def fingerprint(description: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a description.

    Examples
    --------
    >>> from miter.lab.experiments.fingerprint import fingerprint
    >>> fingerprint({"seed": 1, "sets": []}) == fingerprint({"sets": [], "seed": 1})
    True
    """
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Say in what two descriptions of experiments differ, one clause each.

    Parameters
    ----------
    there, here : mapping
        What `miter.lab.experiment.Experiment.describe` returns, now or in an earlier version, whose
        names of classes tell their modules.

    Returns
    -------
    list of str
        Empty if they are the same.

    Examples
    --------
    >>> from miter.lab.experiments.fingerprint import differences
    >>> differences({"seed": 1, "sets": []}, {"seed": 2, "sets": []})
    ['seed is 1 there and 2 here']
    """
    there, here = _without_places(there), _without_places(here)
    clauses: list[str] = []
    for name in sorted(there.keys() | here.keys()):
        old, new = there.get(name), here.get(name)
        if old == new:
            continue
        if isinstance(old, list) and isinstance(new, list):
            clauses += _list_differences(name.removesuffix("s"), old, new)
        else:
            clauses.append(f"{name} is {old!r} there and {new!r} here")
    return clauses


def _without_places(described: Any) -> Any:
    """Leave the modules out of the names of classes."""
    if isinstance(described, Mapping):
        return {name: _without_places(value) for name, value in described.items()}
    if isinstance(described, list):
        return [_without_places(value) for value in described]
    if isinstance(described, str) and (known := _OWN_PLACE.fullmatch(described)):
        return ".".join(known.groups())
    return described


def _list_differences(noun: str, there: list[Any], here: list[Any]) -> Iterable[str]:
    old, new = ({item["name"]: item for item in items} for items in (there, here))
    if old == new:
        yield f"the {noun}s come in another order"
    for name in (name for name in old if name not in new):
        yield f"{noun} {name!r} is only there"
    for name in (name for name in new if name not in old):
        yield f"{noun} {name!r} is only here"
    for name in (name for name in old if name in new):
        for part in dict.fromkeys([*old[name], *new[name]]):
            if old[name].get(part) != new[name].get(part):
                yield _say_part(noun, name, part, old[name].get(part), new[name].get(part))


def _say_part(noun: str, name: str, part: str, old: object, new: object) -> str:
    if part == "hash":
        return f"{noun} {name!r} has other rows or columns there"
    if part == "costs":
        return f"{noun} {name!r} has {'no' if old is None else 'other'} costs there"
    return f"{noun} {name!r} has the {part} {old!r} there and {new!r} here"


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; what it has no form for as text without addresses."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else repr(value)
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, BaseEstimator):
        return describe_estimator(value)
    if isinstance(value, type):
        return public_name(value)
    if is_dataclass(value):
        own = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"class": _plain(type(value)), **own}
    return _ADDRESS.sub("", repr(value))
