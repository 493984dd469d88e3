"""An experiment: which learners, on which sets, resampled how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator, clone

from miter.classifier import TreeClassifier
from miter.data.files import read
from miter.data.kinds import Kinds
from miter.data.schema import first_repeated
from miter.data.table import Data
from miter.errors import did_you_mean
from miter.lab.fingerprint import describe_estimator
from miter.lab.resampling import parse_resampling
from miter.learners import make_classifier

__all__ = ["Experiment", "ExperimentError", "LearnerChoice", "SetChoice"]

SET_KEYS = ("name", "path", "target", "kinds")


class ExperimentError(ValueError):
    """An experiment cannot be run as it is described; the message says where and what to do."""


@dataclass(frozen=True, eq=False)
class SetChoice:
    """One set of rows: a file to read, or rows at hand.

    Parameters
    ----------
    name : str
        As tables show it.
    path : Path, optional
        The file.
    target, kinds : optional
        As for `miter.data.read`.
    data : Data, optional
        The rows, where there is no file.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.lab.experiment import SetChoice
    >>> SetChoice("tennis", data=play_tennis()).read().n_rows
    14
    """

    name: str
    path: Path | None = None
    target: str | None = None
    kinds: Kinds | None = None
    data: Data | None = None

    def read(self) -> Data:
        """Return the rows."""
        if self.data is not None:
            return self.data
        assert self.path is not None  # one of both is always given
        return read(self.path, target=self.target, kinds=self.kinds)


@dataclass(frozen=True, eq=False)
class LearnerChoice:
    """One learner under the name that tables show.

    Parameters
    ----------
    name : str
        Of the user's choice.
    estimator : estimator
        Not fitted; every run fits a copy.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.lab.experiment import LearnerChoice
    >>> LearnerChoice("small", id3(max_depth=1)).describe()["class"]
    'miter.classifier.UnivariateTreeClassifier'
    """

    name: str
    estimator: BaseEstimator

    def describe(self) -> dict[str, Any]:
        """Return name, class and parameters as plain values."""
        return {"name": self.name, **describe_estimator(self.estimator)}


class Experiment:
    """Learners to be compared on sets, all of them on the same parts of the rows.

    Parameters
    ----------
    sets : sequence, or mapping of name to Data
        Each a path, a dict with 'path' and, if needed, 'name', 'target' and 'kinds', or a
        `SetChoice`. A set without a name is called after its file.
    learners : mapping or sequence
        Name to learner, which is a name for `miter.learners.make_classifier`, a pair of such a name
        and a dict of parameters, or an estimator. In a sequence of names each stands for itself.
    resampling : str
        How rows are divided into training and test rows; see `miter.lab.parse_resampling`.
    seed : int
        Decides how rows are divided, and what learners leave to chance.

    Raises
    ------
    ExperimentError
        With the nearest known names where one is unknown.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment
    >>> experiment = Experiment(
    ...     sets={"monks-1": monks(1), "monks-2": monks(2)},
    ...     learners={"c45": "univariate", "cart": ("DecisionTreeClassifier", {"max_depth": 5})},
    ...     resampling="5x2",
    ...     seed=1,
    ... )
    >>> [choice.name for choice in experiment.learners]
    ['c45', 'cart']
    """

    def __init__(
        self,
        sets: Sequence[Any] | Mapping[str, Data],
        learners: Mapping[str, Any] | Sequence[str],
        resampling: str = "5x2",
        seed: int = 0,
    ) -> None:
        if isinstance(sets, str | PathLike):
            sets = [sets]
        if isinstance(sets, Mapping):
            sets = [SetChoice(name, data=data) for name, data in sets.items()]
        if not isinstance(learners, Mapping):
            _check_names(learners, "learners")
            learners = {name: name for name in learners}
        self.sets = tuple(_choose_set(item) for item in sets)
        self.learners = tuple(_choose_learner(*item) for item in learners.items())
        _check_names((choice.name for choice in self.sets), "sets")
        _check_names((choice.name for choice in self.learners), "learners")
        self.resampling = _parse_resampling(resampling)
        self.seed = _check_seed(seed)

    def describe(self, set_hashes: Sequence[str]) -> dict[str, Any]:
        """Return what results depend on, as plain values.

        Parameters
        ----------
        set_hashes : sequence of str
            What `miter.lab.fingerprint.hash_data` returns for the rows of each set.
        """
        return {
            "sets": [
                {"name": choice.name, "hash": digest}
                for choice, digest in zip(self.sets, set_hashes, strict=True)
            ],
            "learners": [choice.describe() for choice in self.learners],
            "resampling": self.resampling.name,
            "seed": self.seed,
        }

    def __repr__(self) -> str:
        sets, learners = ([c.name for c in choices] for choices in (self.sets, self.learners))
        return (
            f"Experiment(sets={sets}, learners={learners}, "
            f"resampling={self.resampling.name!r}, seed={self.seed})"
        )


def _choose_set(item: Any) -> SetChoice:
    if isinstance(item, SetChoice):
        return item
    if isinstance(item, str | PathLike):
        item = {"path": item}
    if not isinstance(item, Mapping):
        raise ExperimentError(f"a set is {item!r}; give a path, or a dict with 'path' in it")
    for key in item:
        if key not in SET_KEYS:
            raise ExperimentError(f"a set has no {key!r}; {did_you_mean(str(key), SET_KEYS)}")
    if not isinstance(item.get("path"), str | PathLike):
        raise ExperimentError(f"the set {dict(item)} has no path; give it the file of its rows")
    path = Path(item["path"])
    name = item.get("name") or path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    return SetChoice(str(name), path, item.get("target"), item.get("kinds"))


def _choose_learner(name: str, item: Any) -> LearnerChoice:
    if isinstance(item, BaseEstimator):
        return LearnerChoice(name, clone(item))
    learner, parameters = item if isinstance(item, tuple) and len(item) == 2 else (item, {})
    if not isinstance(learner, str) or not isinstance(parameters, Mapping):
        raise ExperimentError(
            f"learner {name!r} is {item!r}; give a name, a pair of name and parameters, or an "
            "estimator"
        )
    try:
        estimator = make_classifier(learner, parameters)
        if isinstance(estimator, TreeClassifier):
            estimator.check_settings()  # better now than after every run has failed
        return LearnerChoice(name, estimator)
    except ValueError as error:
        place = "" if name == learner else f"learner {name!r}: "
        raise ExperimentError(f"{place}{error}") from None


def _check_names(names: Iterable[str], noun: str) -> None:
    names = list(names)
    if not names:
        raise ExperimentError(f"there are no {noun}; give at least one")
    repeated = first_repeated(names)
    if repeated is not None:
        raise ExperimentError(f"two {noun} are called {repeated!r}; give one of them another name")


def _parse_resampling(resampling: str) -> Any:
    try:
        return parse_resampling(resampling)
    except ValueError as error:
        raise ExperimentError(str(error)) from None


def _check_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise ExperimentError(f"seed is {seed!r}; give a whole number from 0 to 4294967295")
    return seed
