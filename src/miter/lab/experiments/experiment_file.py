"""Experiments written down as TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from miter.errors import did_you_mean
from miter.lab.experiments.experiment import SET_KEYS, Experiment, ExperimentError

__all__ = ["read_experiment"]

SETTINGS = ("resampling", "seed", "costs", "train_with_costs")
KEYS = (*SETTINGS, "sets", "learners")
LEARNER_KEYS = ("learner", "parameters")


def read_experiment(path: str | PathLike[str]) -> Experiment:
    """Read an experiment from a TOML file.

    Parameters
    ----------
    path : str or path
        The file. Paths in it are relative to its folder. ``resampling`` (by default ``"5x2"``),
        ``seed`` (0), ``costs`` and ``train_with_costs`` (both false) may be left out; a table of a
        learner may be without ``learner``, if it is called like it. The ``costs`` of a set are a
        file, a table of tables, as in ``{good = {bad = 5}, bad = {good = 1}}``, or true, for the
        file beside its rows.

    Returns
    -------
    Experiment
        Its sets are not read yet.

    Raises
    ------
    ExperimentError
        With the file and the place in it, and the nearest known names where one is unknown.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.lab import read_experiment
    >>> text = '''
    ... seed = 1
    ... resampling = "10-fold"
    ... sets = ["iris/iris.data", {path = "cars.csv", target = "class"}]
    ... [learners.c45]
    ... learner = "univariate"
    ... [learners.cart]
    ... learner = "sklearn.tree.DecisionTreeClassifier"
    ... parameters = {min_samples_leaf = 5}
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.toml")
    ...     _ = path.write_text(text)
    ...     read_experiment(path)
    Experiment(sets=['iris', 'cars'], learners=['c45', 'cart'], resampling='10-fold', seed=1)
    """
    path = Path(path)
    table = _parse(path)
    with _at(f"{path}"):
        _check_keys(table, KEYS, needed=("sets", "learners"))
        folder = path.parent
        sets = [_read_set(item, number, folder) for number, item in _numbered(table["sets"])]
        learners = dict(_read_learners(table["learners"]))
        rest = {key: table[key] for key in SETTINGS if key in table}
        return Experiment(sets, learners, **rest)


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"{path}: this is not TOML: {error}") from None
    except UnicodeDecodeError as error:
        raise ExperimentError(
            f"{path}: byte {error.start} is not UTF-8, as TOML must be; save it as UTF-8"
        ) from None


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Put a place before what is wrong there."""
    try:
        yield
    except ExperimentError as error:
        raise ExperimentError(f"{place}: {error}") from None


def _check_keys(table: Mapping[str, Any], known: Iterable[str], needed: Iterable[str] = ()) -> None:
    for key in table:
        if key not in known:
            raise ExperimentError(f"there is no key {key!r}; {did_you_mean(key, known)}")
    for key in needed:
        if key not in table:
            raise ExperimentError(f"the key {key!r} is missing; add it")


def _numbered(sets: Any) -> Iterable[tuple[int, Any]]:
    if not isinstance(sets, list):
        raise ExperimentError(f"sets is {sets!r}; give a list of files in brackets")
    return enumerate(sets, 1)


def _read_set(item: Any, number: int, folder: Path) -> dict[str, Any]:
    with _at(f"set {number}"):
        table = {"path": item} if isinstance(item, str) else item
        if not isinstance(table, dict):
            raise ExperimentError(f"{item!r} is no set; give a path, or a table with a path")
        _check_keys(table, SET_KEYS, needed=("path",))
        for key in ("path", "name", "target"):
            if not isinstance(table.get(key, ""), str):
                raise ExperimentError(f"{key} is {table[key]!r}; give a text")
        if not isinstance(table.get("kinds", {}), dict):
            raise ExperimentError(f"kinds is {table['kinds']!r}; give a table of column = kind")
        return table | _read_set_costs(table, folder) | {"path": folder / table["path"]}


def _read_set_costs(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    costs = table.get("costs")
    if isinstance(costs, str):
        return {"costs": folder / costs}
    if costs is not None and costs is not True and not isinstance(costs, dict):
        raise ExperimentError(
            f"costs is {costs!r}; give the name of a file, a table of tables, or true"
        )
    return {}


def _read_learners(learners: Any) -> Iterator[tuple[str, tuple[str, dict[str, Any]]]]:
    if not isinstance(learners, dict):
        raise ExperimentError(f"learners is {learners!r}; give a table for each, [learners.name]")
    for name, item in learners.items():
        with _at(f"learners.{name}"):
            table = {"learner": item} if isinstance(item, str) else item
            if not isinstance(table, dict):
                raise ExperimentError(f"{item!r} is no learner; give its name, or a table")
            _check_keys(table, LEARNER_KEYS)
            learner, parameters = table.get("learner", name), table.get("parameters", {})
            if not isinstance(learner, str) or not isinstance(parameters, dict):
                raise ExperimentError("learner must be a text, and parameters a table")
            yield name, (learner, parameters)
