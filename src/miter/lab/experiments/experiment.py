"""An experiment: which learners, on which sets, resampled how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from miter.data.costs import cost_matrix
from miter.data.files.reading import read
from miter.data.kinds import Kinds
from miter.data.labels import check_classes
from miter.data.remarks import tell_remarks
from miter.data.schema import Label, first_repeated
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.estimators.tree import TreeEstimator
from miter.lab.estimates.minimum_cost import MinimumCostClassifier
from miter.lab.estimates.resampling import parse_resampling
from miter.lab.experiments.fingerprint import describe_estimator
from miter.lab.experiments.task import wants_costs
from miter.registry import make_classifier

__all__ = ["Experiment", "ExperimentError", "LearnerChoice", "SetChoice"]

#: How the file of a set is written, as for `miter.data.read`.
HOW_WRITTEN = ("missing", "separator", "decimal", "encoding", "header", "sheet")
SET_KEYS = ("name", "path", "target", "kinds", "costs", *HOW_WRITTEN)
#: What the name of a learner that uses the costs of each set ends with.
WITH_COSTS = "+costs"


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
    costs : as for `miter.data.costs.cost_matrix`, or True, optional
        What errors cost. True: the file of the same name that ends with .costs.
    how_written : mapping, optional
        Further arguments of `miter.data.read`: separator, decimal, encoding and so on.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.lab import SetChoice
    >>> costs = {"Yes": {"No": 5}, "No": {"Yes": 1}}
    >>> choice = SetChoice("tennis", data=play_tennis(), costs=costs)
    >>> choice.read().schema.classes
    ('Yes', 'No')
    >>> choice.read_costs(("Yes", "No"))
    array([[0., 5.],
           [1., 0.]])
    """

    name: str
    path: Path | None = None
    target: str | None = None
    kinds: Kinds | None = None
    data: Data | None = None
    costs: Any = None
    how_written: Mapping[str, Any] | None = None

    def read(self) -> Data:
        """Return the rows."""
        if self.data is not None:
            return self.data
        assert self.path is not None  # one of both is always given
        how_written = self.how_written or {}
        data = read(self.path, target=self.target, kinds=self.kinds, **how_written)
        check_classes(data.schema.target, data.schema.classes, data.n_rows)
        tell_remarks(data.reading.changes, begin=f"{self.path}: ")
        return data

    def read_costs(self, classes: Sequence[Label]) -> NDArray[np.float64] | None:
        """Return what errors cost, in the order of the classes; None where nothing is said."""
        if self.costs is None:
            return None
        try:
            costs = self._file_beside() if self.costs is True else self.costs
            return cost_matrix(costs, classes)
        except DataError as error:
            raise ExperimentError(f"set {self.name!r}: {error}") from None

    def _file_beside(self) -> Path:
        if self.path is None:
            raise DataError("its rows come from no file with costs beside it; give SetChoice costs")
        plain = self.path.with_name(f"{_stem(self.path)}.costs")
        for path in (plain, plain.with_name(f"{plain.name}.gz")):
            if path.is_file():
                return path
        raise DataError(f"there is no file {plain}; write what errors cost into it")


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
    >>> from miter.lab import LearnerChoice
    >>> LearnerChoice("small", id3(max_depth=1)).describe()["class"]
    'miter.UnivariateTreeClassifier'
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
        Each a path, a dict with 'path' and, if needed, 'name', 'target', 'kinds', 'costs' and how
        the file is written ('separator', 'missing' and so on), or a `SetChoice`. A set
        without a name is called after its file.
    learners : mapping or sequence
        Name to learner, which is a name for `miter.registry.make_classifier`, a pair of
        such a name and a dict of parameters, or an estimator. In a sequence of names each stands
        for itself.
        A name that ends with ``+costs`` makes a learner that uses the costs of each set: it is
        trained with them if it can be, else its answers are those of least expected cost. An
        estimator does so if its parameter `costs` is True.
    resampling : str
        How rows are divided into training and test rows; see `miter.lab.parse_resampling`.
    seed : int
        Decides how rows are divided, and what learners leave to chance.
    costs : bool
        Whether each set that is given no costs has them in a file beside its rows: german.costs for
        german.data. So it is too where a learner uses them. The mean cost of a row is told for
        sets that have costs.
    train_with_costs : bool
        Whether learners that have a parameter `costs` and were given none use those of each set.
        Others are used as they are.

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
        costs: bool = False,
        train_with_costs: bool = False,
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
        self._settle_costs(costs, train_with_costs)

    def _settle_costs(self, costs: bool, train_with_costs: bool) -> None:
        for name, value in (("costs", costs), ("train_with_costs", train_with_costs)):
            if not isinstance(value, bool):
                raise ExperimentError(f"{name} is {value!r}; give true or false")
        if train_with_costs:
            _train_with_costs(self.learners)
        if costs or train_with_costs or any(wants_costs(c.estimator) for c in self.learners):
            self.sets = tuple(_with_file_of_costs(choice) for choice in self.sets)

    @property
    def has_costs(self) -> bool:
        """Whether some set has costs."""
        return any(choice.costs is not None for choice in self.sets)

    def describe(
        self,
        set_hashes: Sequence[str],
        set_costs: Sequence[NDArray[np.float64] | None] | None = None,
    ) -> dict[str, Any]:
        """Return what results depend on, as plain values.

        Parameters
        ----------
        set_hashes : sequence of str
            What `miter.lab.fingerprint.hash_data` returns for the rows of each set.
        set_costs : sequence of ndarray or None, optional
            What `SetChoice.read_costs` returns for each set.
        """
        set_costs = [None] * len(self.sets) if set_costs is None else set_costs
        return {
            "sets": [
                {"name": choice.name, "hash": digest}
                | ({} if costs is None else {"costs": costs.tolist()})
                for choice, digest, costs in zip(self.sets, set_hashes, set_costs, strict=True)
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
    name = str(item.get("name") or _stem(path))
    how_written = {key: item[key] for key in HOW_WRITTEN if item.get(key) is not None}
    return SetChoice(
        name,
        path,
        item.get("target"),
        item.get("kinds"),
        costs=item.get("costs"),
        how_written=how_written,
    )


def _stem(path: Path) -> str:
    """Return the name of a file without what says its form."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def _with_file_of_costs(choice: SetChoice) -> SetChoice:
    return replace(choice, costs=True) if choice.costs is None else choice


def _train_with_costs(learners: Sequence[LearnerChoice]) -> None:
    """Make all learners that can be trained with costs use those of each set."""
    able = [c for c in learners if "costs" in c.estimator.get_params(deep=False)]
    if not able:
        raise ExperimentError(
            "no learner can be trained with costs; name one that uses them, as in "
            f"'{learners[0].name}{WITH_COSTS}'"
        )
    for choice in able:
        if choice.estimator.get_params(deep=False)["costs"] is None:
            choice.estimator.set_params(costs=True)


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
        estimator = make_classifier(learner.removesuffix(WITH_COSTS), parameters)
        if isinstance(estimator, TreeEstimator):
            estimator.check_settings()  # better now than after every run has failed
        if learner.endswith(WITH_COSTS):
            estimator = _using_costs(estimator)
        return LearnerChoice(name, estimator)
    except ValueError as error:
        place = "" if name == learner else f"learner {name!r}: "
        raise ExperimentError(f"{place}{error}") from None


def _using_costs(estimator: BaseEstimator) -> BaseEstimator:
    """Return a learner that uses the costs of each set."""
    parameters = estimator.get_params(deep=False)
    if "costs" not in parameters:
        return MinimumCostClassifier(estimator, costs=True)
    if parameters["costs"] is not None:
        raise ExperimentError(
            f"it is given costs, and '{WITH_COSTS}' says to use those of each set; leave one out"
        )
    return estimator.set_params(costs=True)


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
