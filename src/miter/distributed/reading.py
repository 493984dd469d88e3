"""From the partitions of a collection to tables under one schema: a look at all, then a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.assemble import Settled
from miter.data.frames import encode_frame
from miter.data.kinds import Wish
from miter.data.schema import Column, Schema
from miter.data.sources import ArraySource, open_source
from miter.data.table import Data
from miter.distributed.columns import ColumnFacts, add_columns, columns_of, settle_columns
from miter.distributed.labels import LabelFacts, codes_of, known_labels, labels_of
from miter.errors import DataError
from miter.estimators.weights import weigh_each, with_costs

__all__ = ["Look", "Reading", "TableFacts", "add_looks", "look_at", "read_part", "settled"]


@dataclass(frozen=True, eq=False)
class Look:
    """What to look for in a partition.

    Parameters
    ----------
    wishes : dict of str to Wish
        What the user says of columns.
    partly : bool
        Whether rows may be without a label.
    unlabelled : label, optional
        What stands for none.
    """

    wishes: Mapping[str, Wish]
    partly: bool = False
    unlabelled: Any = None


@dataclass(frozen=True, eq=False)
class TableFacts:
    """What some partitions hold.

    Parameters
    ----------
    names : tuple of str
        Of the columns.
    partition : str
        The first.
    n_rows : int
        How many.
    is_matrix : bool
        Whether all are arrays of numbers.
    is_single : bool
        Whether these are of single precision.
    columns : dict
        What each column is, unless all are arrays of numbers.
    labels : LabelFacts
        What the classes are.
    """

    names: tuple[str, ...]
    partition: str
    n_rows: int
    is_matrix: bool
    is_single: bool
    columns: dict[str, ColumnFacts] = field(default_factory=dict)
    labels: LabelFacts = field(default_factory=LabelFacts)


def look_at(look: Look, partition: str, table: Any, y: Any = None) -> TableFacts:
    """Return what a partition holds."""
    source = open_source(_as_floats(table))
    n_rows = source.n_rows
    if y is not None and len(y) != n_rows:
        raise DataError(f"{len(y)} labels for {n_rows} rows; give one for each row")
    is_matrix = isinstance(source, ArraySource) and source.array.dtype.kind == "f"
    is_matrix = is_matrix and all(wish.kind == "numeric" for wish in look.wishes.values())
    columns = {} if is_matrix else columns_of(source, look.wishes, partition)
    labels = LabelFacts()
    if y is not None:
        is_known = known_labels(y, look.unlabelled) if look.partly else None
        labels = labels_of(y, partition, is_known)
    is_single = isinstance(source, ArraySource) and source.array.dtype == np.float32
    names = tuple(source.names)
    return TableFacts(names, partition, n_rows, is_matrix, is_single, columns, labels)


def _as_floats(table: Any) -> Any:
    """Return an array of numbers as one of floats, as scikit-learn does; else what is given."""
    if isinstance(table, np.ndarray) and table.dtype.kind in "iub":
        return table.astype(np.float64)
    if isinstance(table, np.ndarray) and table.dtype == np.float16:
        return table.astype(np.float32)
    return table


def add_looks(parts: list[TableFacts]) -> TableFacts:
    """Add up what partitions hold; an error names two that do not go together."""
    first, *others = parts
    for other in others:
        _check_same_columns(first, other)
        if first.is_matrix != other.is_matrix:
            raise DataError(
                f"{first.partition} holds {_said(first)}, but {other.partition} {_said(other)}; "
                "give the array one type, as X.astype(float)"
            )
    return replace(
        first,
        n_rows=sum(part.n_rows for part in parts),
        is_single=all(part.is_single for part in parts),
        columns=add_columns([part.columns for part in parts]),
        labels=reduce(add, (part.labels for part in parts)),
    )


def _said(facts: TableFacts) -> str:
    return "numbers" if facts.is_matrix else "objects"


def _check_same_columns(first: TableFacts, other: TableFacts) -> None:
    for one, two in ((first, other), (other, first)):
        absent = [name for name in one.names if name not in two.names]
        if absent:
            shown = ", ".join(map(repr, absent[:5])) + (", ..." if len(absent) > 5 else "")
            raise DataError(
                f"{two.partition} lacks what {one.partition} has, {shown}; give all partitions "
                "the same columns, or leave these out of X"
            )


def settled(facts: TableFacts, wishes: Mapping[str, Wish]) -> tuple[Settled, bool]:
    """Return what the columns become, and whether their numbers are of single precision."""
    if facts.is_matrix:
        columns = tuple(Column(name, "numeric") for name in facts.names)
        return Settled(columns, np.empty((0, len(columns)))), facts.is_single
    known = settle_columns(facts.columns, wishes)
    numeric = [column for column in known.columns if column.kind == "numeric"]
    return known, bool(numeric) and all(
        column.is_number and facts.columns[column.source].is_single for column in numeric
    )


@dataclass(frozen=True, eq=False)
class Reading:
    """How partitions are read once it is known what all of them hold.

    Parameters
    ----------
    schema : Schema
        Of all.
    is_single : bool
        Whether numbers are of single precision.
    which : tuple of str
        What is given beside the table: "y", "sample_weight", "row_costs".
    by_class : ndarray, optional
        The weight of each class.
    costs : ndarray, optional
        The cost matrix.
    partly : bool
        Whether some rows have no label; they are a class of their own then.
    unlabelled : label, optional
        What stands for none.
    """

    schema: Schema
    is_single: bool
    which: tuple[str, ...]
    by_class: NDArray[np.float64] | None = None
    costs: NDArray[np.float64] | None = None
    partly: bool = False
    unlabelled: Any = None

    @property
    def like(self) -> Data:
        """No rows, read so."""
        none = np.empty(0)
        schema = self.schema
        given = [np.empty((0, schema.n_classes)) if w == "row_costs" else none for w in self.which]
        empty = np.empty((0, schema.n_columns))
        return self.rows(empty, dict(zip(self.which, given, strict=True)))

    def rows(self, X: NDArray[Any], given: Mapping[str, Any]) -> Data:
        """Return rows that are encoded, weighed, with what mistakes about them cost."""
        dtype = np.float32 if self.is_single else np.float64
        X = X.astype(dtype, copy=False)
        y = np.zeros(len(X), np.int32)
        if "y" in self.which:
            y = codes_of(given["y"], self.schema.classes)
        data = Data(self.schema, X, y)
        data = with_costs(data, self.costs, given.get("row_costs"), always=True)
        return weigh_each(data, given.get("sample_weight"), self.by_class)


def read_part(reading: Reading, table: Any, *given: Any) -> list[Data]:
    """Return the rows of a partition; where some have no label, those that have one first."""
    schema = reading.schema
    table = _as_floats(table)
    X = (
        encode_frame(table, schema, odd_share=1.0)
        if len(table)
        else np.empty((0, schema.n_columns))
    )
    own: dict[str, Any] = {}
    for name, values in zip(reading.which, given, strict=True):
        if len(values) != len(X):
            raise DataError(f"{len(values)} values of {name} for {len(X)} rows; give one for each")
        own[name] = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    if "sample_weight" in own:
        own["sample_weight"] = np.ravel(own["sample_weight"])
    if not reading.partly:
        return [reading.rows(X, own)]
    own["y"] = np.ravel(own["y"])
    is_known = known_labels(own["y"], reading.unlabelled)
    labelled = reading.rows(X[is_known], {name: a[is_known] for name, a in own.items()})
    without = replace(reading, which=tuple(w for w in reading.which if w == "sample_weight"))
    without = replace(without, by_class=None, costs=None)
    others = without.rows(X[~is_known], {name: a[~is_known] for name, a in own.items()})
    none = labelled.take(np.arange(0))
    both = none.with_unlabelled(others), labelled.with_unlabelled(others.take(np.arange(0)))
    return [both[1], both[0]]
