"""The rows that a model is fitted to, in memory or in parts, as estimators see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from miter.checks import is_whole
from miter.data.schema import Schema
from miter.data.table import Data
from miter.estimators.weights import scale_costs
from miter.growing.growth import Drawn, Growth, Judges
from miter.growing.growth_in_parts import GrowthInParts, judges_in_parts
from miter.growing.parts import Parts
from miter.growing.sampling import sampling_in_force
from miter.growing.stopping import Stopping
from miter.growing.workers import Here
from miter.level import Sample
from miter.splitters import Splitter

__all__ = [
    "FitsToRows",
    "Training",
    "TrainingInMemory",
    "TrainingInParts",
    "amount_of",
    "training_of",
]

#: So many rows of a table in parts estimate how good a forest is on rows that it has not seen.
JUDGING_ROWS = 100_000

Model = TypeVar("Model", bound="FitsToRows")


class FitsToRows(Protocol):
    """An estimator that can be fitted once its rows are read."""

    def fit_to(self, training: Training, **others: Any) -> Any:
        """Fit the model."""


class Training(Protocol):
    """Rows to fit a model to, wherever they are: weighed, and with costs of which the mean is 1."""

    @property
    def like(self) -> Data:
        """The rows, or none of them: their schema, and whether there are costs."""

    @property
    def costs(self) -> NDArray[np.float64] | None:
        """The cost matrix as the user gave it; None where there is none."""

    @property
    def mean_cost(self) -> float:
        """What a mistake costs in the mean, in the user's units."""

    def fit(self, model: Model, **others: Any) -> Model:
        """Fit a model to them, where they are; `others` is for its `fit_to`."""

    def growth(self, ways: Sequence[Splitter], stopping: Stopping, **settings: Any) -> Growth:
        """Return what grows trees on them; for the settings see `Growth`."""

    def some_rows(self, most: int) -> NDArray[Any]:
        """Return rows from everywhere, so many at most."""

    def draw(
        self, n_trees: int, size: float, random: np.random.Generator, *, replace: bool
    ) -> Sequence[Drawn]:
        """Draw the rows of each tree: a number of them, or a share."""

    def judges(self, samples: Sequence[Drawn]) -> Judges:
        """Return rows, and for each tree those that it has not seen."""


@dataclass(frozen=True, eq=False)
class TrainingInMemory:
    """Rows in memory.

    Parameters
    ----------
    data : Data
        Rows with labels.
    costs : ndarray, optional
        The cost matrix.
    mean_cost : float
        What a mistake costs in the mean, in the user's units.
    unlabelled : Data, optional
        Rows without labels.
    """

    data: Data
    costs: NDArray[np.float64] | None = None
    mean_cost: float = 1.0
    unlabelled: Data | None = None

    @property
    def like(self) -> Data:
        """The rows."""
        return self.data

    def fit(self, model: Model, **others: Any) -> Model:
        """Fit a model here."""
        fitted: Model = model.fit_to(self, **others)
        return fitted

    def growth(self, ways: Sequence[Splitter], stopping: Stopping, **settings: Any) -> Growth:
        """Return what grows trees on the rows."""
        return Growth(self.data, ways, stopping, unlabelled=self.unlabelled, **settings)

    def some_rows(self, most: int) -> NDArray[Any]:
        """Return all rows that count, or a sample."""
        rows = np.flatnonzero(self.data.weight_of() > 0)
        if len(rows) > most:
            rows = rows[np.linspace(0, len(rows) - 1, most).astype(np.intp)]
        return self.data.X[rows]

    def draw(
        self, n_trees: int, size: float, random: np.random.Generator, *, replace: bool
    ) -> list[Sample]:
        """Return the rows of each tree, ascending."""
        n_rows = self.data.n_rows
        n_drawn = amount_of("max_samples", size, n_rows)
        return [
            Sample(np.sort(random.choice(n_rows, n_drawn, replace=replace)).astype(np.int32))
            for _ in range(n_trees)
        ]

    def judges(self, samples: Sequence[Drawn]) -> Judges:
        """Return all rows, and for each tree those that it has not seen."""
        return Judges.of_samples(self.data, samples)


@dataclass(frozen=True, eq=False)
class TrainingInParts:
    """Rows in parts, too many for one place.

    Parameters
    ----------
    parts : Parts
        The rows; those without labels come last.
    costs : ndarray, optional
        The cost matrix.
    labelled : Schema, optional
        Where some rows have no label: the schema without the class that stands for them.
    n_labelled : int, optional
        How many rows have a label, where some have none.
    """

    parts: Parts
    costs: NDArray[np.float64] | None = None
    labelled: Schema | None = None
    n_labelled: int | None = None

    @cached_property
    def like(self) -> Data:
        """No rows."""
        return self.parts.like

    @property
    def mean_cost(self) -> float:
        """What a mistake costs in the mean, in the user's units."""
        return self.parts.mean_cost

    def fit(self, model: Model, **others: Any) -> Model:
        """Fit a model: what it asks of its rows goes to them."""
        fitted: Model = model.fit_to(self, **others)
        return fitted

    def growth(self, ways: Sequence[Splitter], stopping: Stopping, **settings: Any) -> Growth:
        """Return what grows trees on the rows."""
        settings |= {"parts": self.parts, "labelled": self.labelled}
        return GrowthInParts(self.like, ways, stopping, **settings)

    def some_rows(self, most: int) -> NDArray[Any]:
        """Return rows with labels from everywhere."""
        return self.parts.take(self.parts.spaced(most, self.n_labelled)).X

    def draw(
        self, n_trees: int, size: float, random: np.random.Generator, *, replace: bool
    ) -> Sequence[Drawn]:
        """Return which rows each tree has, by a hash; no more than may be in one place."""
        n_drawn = amount_of("max_samples", size, self.parts.n_rows)
        seed = int(random.integers(2**31))
        return self.parts.drawn(n_trees, n_drawn, seed, replace=replace)

    def judges(self, samples: Sequence[Drawn]) -> Judges:
        """Return some rows, and for each tree those that it has not seen."""
        return judges_in_parts(self.parts, samples, JUDGING_ROWS)


def training_of(
    data: Data, costs: NDArray[np.float64] | None = None, unlabelled: Data | None = None
) -> TrainingInMemory | TrainingInParts:
    """Return rows in memory as `sampled` says: in parts, or not.

    Parameters
    ----------
    data : Data
        Rows with labels, weighed, with costs in the user's units.
    costs : ndarray, optional
        The cost matrix.
    unlabelled : Data, optional
        Rows without labels.
    """
    sampling = sampling_in_force()
    rows = data if unlabelled is None else data.with_unlabelled(unlabelled)
    if sampling is not None:
        most = sampling.for_width(data.schema.n_columns).finish_rows
        if most is not None and rows.n_rows > most:
            parts = Parts.of(Here(), [rows], ["the table"], rows.take(np.arange(0)), sampling)
            known = (None, None) if unlabelled is None else (data.schema, data.n_rows)
            return TrainingInParts(parts, costs, *known)
    data, mean_cost = scale_costs(data)
    return TrainingInMemory(data, costs, mean_cost, unlabelled)


def amount_of(name: str, value: float, whole: int) -> int:
    """Return a number of rows or columns that is given as such, or as a share of all."""
    if is_whole(value):
        if 1 <= value <= whole:
            return int(value)
    elif isinstance(value, float) and 0 < value <= 1:
        return max(1, round(value * whole))
    raise ValueError(
        f"{name} is {value!r}; give a whole number up to {whole}, or a share above 0 and up to 1"
    )
