"""Collections of Dask as rows to fit a model to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from miter.data.costs import cost_matrix
from miter.data.kinds import Wish, check_kinds
from miter.data.labels import check_classes
from miter.data.schema import NO_LABEL, Schema
from miter.data.spread import schema_with_spread, spaced_rows, with_spread
from miter.data.table import Data
from miter.distributed.client import client_in_force
from miter.distributed.collections import Partitions, are_frames, partitions_of
from miter.distributed.reading import (
    Look,
    Reading,
    TableFacts,
    add_looks,
    look_at,
    read_part,
    settled,
)
from miter.distributed.workers import DaskWorkers
from miter.errors import DataError
from miter.estimators.fitted import FittedTrees
from miter.estimators.reading import kinds_of, name_target, set_columns, tell_changes
from miter.estimators.training import FitsToRows, TrainingInMemory, TrainingInParts
from miter.estimators.weights import (
    check_present,
    check_total,
    class_weights,
    range_of_costs,
    scale_costs,
)
from miter.growing.part import Facts
from miter.growing.parts import Parts, add_up
from miter.growing.sampling import Sampling, sampling_in_force
from miter.growing.workers import Handle

__all__ = ["TrainingInOnePlace", "training_on"]

Model = TypeVar("Model", bound=FitsToRows)


def training_on(
    model: FittedTrees,
    settings: Any,
    X: Any,
    given: Mapping[str, Any],
    *,
    partly: bool = False,
) -> TrainingInParts | TrainingInOnePlace:
    """Return the rows of a collection to fit a model to.

    Parameters
    ----------
    model : estimator
        To be fitted; it gets to know the columns.
    settings : estimator
        What is said of columns, classes and costs: the model, or the tree that it is made of.
    X : Dask DataFrame or Array
        The table.
    given : dict
        "y", "sample_weight" and "row_costs", where there are any; without "y" rows are all of one
        class.
    partly : bool
        Whether rows may be without a label.
    """
    given = {name: values for name, values in given.items() if values is not None}
    partitions = partitions_of(X, dict(given))
    workers = DaskWorkers(client_in_force())
    # An array has a name, too, but none that a user gave it.
    named = given["y"] if "y" in given and are_frames(given["y"]) else None
    target = name_target(named, [str(key) for key in partitions.columns or ()])
    return _Opened(workers, partitions, tuple(given), model, settings, partly).training(target)


@dataclass(frozen=True, eq=False)
class _Opened:
    """A collection that is being read for a model."""

    workers: DaskWorkers
    partitions: Partitions
    which: tuple[str, ...]
    model: FittedTrees
    settings: Any
    partly: bool

    @property
    def names(self) -> tuple[str, ...]:
        return self.partitions.names

    def training(self, target: str) -> TrainingInParts | TrainingInOnePlace:
        wishes, kinds = self._wishes()
        pieces = self._computed()
        facts = self._look(pieces, wishes)
        schema, reading = self._reading(facts, wishes, kinds, target)
        costs = reading.costs
        tables = self._read(pieces, reading)
        del pieces  # the cluster need not keep them any more
        names = [*self.names] if len(tables) == len(self.names) else [*self.names, *self.names]
        like = reading.like
        if facts.labels.n_missing:
            like = like.with_unlabelled(like)
        tables, like = self._without_equal_costs(tables, like)
        n_labelled = facts.labels.n_missing and self._n_labelled(tables)
        known = (schema, n_labelled) if facts.labels.n_missing else (None, None)
        sampling = sampling_in_force() or Sampling()
        most = sampling.for_width(schema.n_columns).finish_rows
        n_rows = sum(self.workers.bring([self.workers.run(_n_rows, one) for one in tables]))
        if n_rows <= (most or 0):
            return TrainingInOnePlace(self.workers, tables, like, costs, *known)
        parts = Parts.of(self.workers, tables, names, like, sampling)
        _check(parts.facts, like, self._n_present(facts))
        return TrainingInParts(_with_spread(parts), costs, *known)

    def _wishes(self) -> tuple[dict[str, Wish], dict[Any, Any]]:
        keys, n_columns = self.partitions.columns, self.partitions.n_columns
        named = keys is not None and all(isinstance(key, str) for key in keys)
        names = [f"x{i}" for i in range(n_columns)] if keys is None else [str(key) for key in keys]
        set_columns(self.model, names if named else None, n_columns)
        kinds = kinds_of(self.model, self.settings)
        return check_kinds(kinds, names, by_position=keys is None), kinds

    def _computed(self) -> list[list[Handle]]:
        """Start what makes the partitions."""
        return [
            [
                self.workers.know(future, name)
                for future, name in zip(self.workers.start(pieces), self.names, strict=True)
            ]
            for pieces in self.partitions.pieces
        ]

    def _look(self, pieces: list[list[Handle]], wishes: dict[str, Wish]) -> TableFacts:
        look = Look(wishes, self.partly, getattr(self.settings, "unlabelled", None))
        seen = pieces[:2] if "y" in self.which else pieces[:1]
        looks = [
            self.workers.run(look_at, look, name, *own, about=name)
            for name, *own in zip(self.names, *seen, strict=True)
        ]
        facts: TableFacts = add_up(self.workers, looks, add_looks)
        if not facts.n_rows:
            raise DataError("the table has no rows; give at least one")
        return facts

    def _reading(
        self, facts: TableFacts, wishes: dict[str, Wish], kinds: dict[Any, Any], target: str
    ) -> tuple[Schema, Reading]:
        found, is_single = settled(facts, wishes)
        tell_changes([remark for remark in found.remarks if remark.changed], kinds)
        if "y" not in self.which:
            schema = Schema(found.columns, (NO_LABEL,), "cluster", found.left_out)
            return schema, Reading(schema, is_single, self.which)
        classes = facts.labels.classes
        if not classes:
            raise DataError("no row has a label; ICATree is for rows without any")
        schema = Schema(found.columns, classes, target, found.left_out)
        n_labels = sum(facts.labels.counts.values())
        check_classes(target, classes, n_labels)
        counts = np.array([facts.labels.counts[label] for label in classes])
        own = self.settings.class_weight
        by_class = None if own is None else class_weights(own, classes, counts)
        costs = self.settings.costs
        matrix = None if costs is None else cost_matrix(costs, classes)
        is_partly = facts.labels.n_missing > 0
        unlabelled = getattr(self.settings, "unlabelled", None)
        return schema, Reading(
            schema, is_single, self.which, by_class, matrix, is_partly, unlabelled
        )

    def _read(self, pieces: list[list[Handle]], reading: Reading) -> list[Handle]:
        """Return the tables; those of rows without a label come after all others."""
        workers = self.workers
        shared = workers.run(_same, reading)
        both = [
            workers.run(read_part, shared, *own, about=name)
            for name, *own in zip(self.names, *pieces, strict=True)
        ]
        return [
            workers.run(_nth, one, n, about=name)
            for n in range(1 + reading.partly)
            for one, name in zip(both, self.names, strict=True)
        ]

    def _without_equal_costs(self, tables: list[Handle], like: Data) -> tuple[list[Handle], Data]:
        """Forget costs where all mistakes cost the same."""
        if like.costs is None:
            return tables, like
        ends = self.workers.bring([self.workers.run(range_of_costs, one) for one in tables])
        if min(low for low, _ in ends) < max(high for _, high in ends):
            return tables, like
        return [self.workers.run(_without_costs, one) for one in tables], _without_costs(like)

    def _n_labelled(self, tables: list[Handle]) -> int:
        workers, labelled = self.workers, tables[: len(self.names)]
        return sum(workers.bring([workers.run(_n_rows, one) for one in labelled]))

    def _n_present(self, facts: TableFacts) -> int:
        return len(facts.labels.counts) if "y" in self.which else 2


def _check(facts: Facts, like: Data, n_present: int) -> None:
    if like.weight is not None:
        check_total(float(facts.weight), facts.n_rows)
    check_present(n_present, facts.n_rows)


def _with_spread(parts: Parts) -> Parts:
    """Return parts whose schema says where the numbers of each column lie."""
    some = spaced_rows(parts.n_rows)
    rows = parts.take(np.arange(some.start, some.stop, some.step))
    schema = schema_with_spread(parts.like.schema, np.array(parts.ranges()), rows.X)
    return replace(parts, like=replace(parts.like, schema=schema))


def _same(value: Any) -> Any:
    return value


def _nth(values: Sequence[Any], n: int) -> Any:
    return values[n]


def _n_rows(data: Data) -> int:
    return data.n_rows


def _without_costs(data: Data) -> Data:
    return replace(data, costs=None)


# ---- few rows --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TrainingInOnePlace:
    """Rows in parts, few enough to be fitted by one worker as rows in memory are.

    Parameters
    ----------
    workers : DaskWorkers
        One of them fits.
    tables : list of Handle
        The rows.
    like : Data
        None of them.
    costs : ndarray, optional
        The cost matrix.
    labelled : Schema, optional
        Where some rows have no label: the schema without the class that stands for them.
    n_labelled : int, optional
        How many rows have a label, where some have none.
    """

    workers: DaskWorkers
    tables: list[Handle]
    like: Data
    costs: NDArray[np.float64] | None = None
    labelled: Schema | None = None
    n_labelled: int | None = None

    def fit(self, model: Model, **others: Any) -> Model:
        """Let a worker fit a copy, and take over what it has learned."""
        copied: Any = copy(model)
        copied.verbose = False
        task = self.workers.run(_fit_there, copied, self, self.tables, others, about="the rows")
        fitted = self.workers.bring([task])[0]
        vars(model).update(vars(fitted) | {"verbose": vars(model)["verbose"]})
        return model

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"workers": None, "tables": None}


def _fit_there(
    model: Any, known: TrainingInOnePlace, tables: list[Data], others: dict[str, Any]
) -> Any:
    rows = _joined(tables)
    unlabelled = None
    if known.labelled is None:
        if rows.weight is not None:
            check_total(float(rows.weight.sum()), rows.n_rows)
        if rows.schema.classes != (NO_LABEL,):
            check_present(len(np.unique(rows.labels)), rows.n_rows)
        rows = with_spread(rows)
    else:
        rows, unlabelled = _divided(with_spread(rows), known.labelled, known.n_labelled or 0)
    rows, mean_cost = scale_costs(rows)
    return TrainingInMemory(rows, known.costs, mean_cost, unlabelled).fit(model, **others)


def _joined(tables: list[Data]) -> Data:
    def put_together(name: str) -> Any:
        arrays = [getattr(table, name) for table in tables]
        return None if arrays[0] is None else np.concatenate(arrays)

    names = ("X", "y", "weight", "copies", "costs")
    return Data(tables[0].schema, **{name: put_together(name) for name in names})


def _divided(rows: Data, schema: Schema, n_labelled: int) -> tuple[Data, Data]:
    """Return rows with labels and those without."""
    columns = rows.schema.columns
    schema = replace(schema, columns=columns)
    labelled = rows.take(np.arange(n_labelled))
    costs = None if labelled.costs is None else labelled.costs[:, :-1]
    others = rows.take(np.arange(n_labelled, rows.n_rows))
    without = replace(schema, classes=())
    return (
        replace(labelled, schema=schema, costs=costs),
        Data(without, others.X, weight=others.weight),
    )
