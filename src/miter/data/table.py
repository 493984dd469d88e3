"""The table every learner reads: `Data`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.convert import FLOATS
from miter.data.remarks import NOTHING_TO_SAY, Reading
from miter.data.schema import NO_LABEL, Schema
from miter.data.soundness import check_amounts, check_arrays, check_cells, check_codes
from miter.data.summary import Summary
from miter.errors import DataError

__all__ = ["Data"]

SHOWN_CLASSES = 6
SHOWN_CHARACTERS = 24


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """A schema with its rows. Read once, never changed.

    Parameters
    ----------
    schema : Schema
        What the columns and classes are.
    X : ndarray of shape (n_rows, n_columns), float32 or float64
        Numbers as they are, symbols as positions in `Column.values`, missing as NaN.
    y : ndarray of shape (n_rows,), int32, optional
        Positions in `Schema.classes`; None when the rows have no labels.
    weight : ndarray of shape (n_rows,), float64, optional
        How often each row counts; None when every row counts once.
    costs : ndarray of shape (n_rows, n_classes), float64, optional
        What each class costs as the answer to each row; None when every mistake costs 1.
    reading : Reading
        What was made of the table that the rows come from.
    copies : ndarray of shape (n_rows,), float64, optional
        How often each row is there, where classes have weights besides; None when the weight says.
    whole : Summary, optional
        What is known of all rows of the table, where these are some of them; None when these are
        all.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> data = play_tennis()
    >>> data.n_rows, data.schema.names
    (14, ('Outlook', 'Temp.', 'Humidity', 'Wind'))
    >>> data
    <Data: 14 rows, 4 columns, class 'Play Tennis': 9 Yes, 5 No>
    """

    schema: Schema
    X: NDArray[Any]
    y: NDArray[np.int32] | None = None
    weight: NDArray[np.float64] | None = None
    costs: NDArray[np.float64] | None = None
    reading: Reading = NOTHING_TO_SAY
    copies: NDArray[np.float64] | None = None
    whole: Summary | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.X, np.ndarray) or self.X.dtype not in FLOATS:
            kind = getattr(self.X, "dtype", type(self.X).__name__)
            raise DataError(
                f"the matrix is of the type {kind}; give a NumPy array of float32 or float64"
            )
        if self.X.ndim != 2 or self.X.shape[1] != self.schema.n_columns:
            raise DataError(
                f"the matrix has shape {self.X.shape}, the schema {self.schema.n_columns} columns"
            )
        self._check_rows()

    def _check_rows(self) -> None:
        """Refuse what is not there for every row, or makes no sense."""
        given = {
            "labels": self.y,
            "weights": self.weight,
            "costs": self.costs,
            "numbers of copies": self.copies,
        }
        check_arrays({name: a for name, a in given.items() if a is not None}, self.n_rows)
        check_cells(self.schema, self.X)
        if self.y is not None:
            check_codes(self.y, self.schema.n_classes)
        for what, amounts in (("weight", self.weight), ("number of copies", self.copies)):
            if amounts is not None:
                check_amounts(what, amounts, (self.n_rows,))
        if self.costs is not None:
            check_amounts("cost", self.costs, (self.n_rows, self.schema.n_classes))

    def __repr__(self) -> str:
        size = f"{_count(self.n_rows, 'row')}, {_count(self.schema.n_columns, 'column')}"
        if self.y is None:
            return f"<Data: {size}, no classes>"
        counts = np.bincount(self.y, minlength=self.schema.n_classes).tolist()
        shown = [f"{n:,} {_shortened(c)}" for n, c in zip(counts, self.schema.classes, strict=True)]
        more = f", and {len(shown) - SHOWN_CLASSES} more" if len(shown) > SHOWN_CLASSES else ""
        classes = ", ".join(shown[:SHOWN_CLASSES]) + more
        return f"<Data: {size}, class {_shortened(self.schema.target)!r}: {classes}>"

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.X)

    @property
    def labels(self) -> NDArray[np.int32]:
        """The class codes; an error where the rows have none."""
        if self.y is None:
            raise DataError("the rows have no labels; name the target column")
        return self.y

    def take(
        self, rows: NDArray[np.integer[Any]], weight: NDArray[np.float64] | None = None
    ) -> Data:
        """Return some of the rows, in the order given; with other weights where these are given."""
        return replace(
            self,
            X=self.X[rows],
            y=None if self.y is None else self.y[rows],
            weight=self._weight(rows, weight),
            copies=None if self.copies is None else self.copies[rows],
            costs=None if self.costs is None else self.costs[rows],
        )

    def _weight(
        self, rows: NDArray[np.integer[Any]], weight: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        return weight if weight is not None or self.weight is None else self.weight[rows]

    def with_unlabelled(self, others: Data) -> Data:
        """Return these rows and others, which are of a class of their own: they have no label."""
        schema = replace(self.schema, classes=(*self.schema.classes, NO_LABEL))
        n_labels, n = self.schema.n_classes, others.n_rows
        weighted = self.weight is not None or others.weight is not None
        costs = self.costs
        return Data(
            schema,
            np.concatenate([self.X, others.X]),
            np.concatenate([self.labels, np.full(n, n_labels, np.int32)]),
            np.concatenate([self.weight_of(), others.weight_of()]) if weighted else None,
            # No answer to a row without a label costs anything.
            None if costs is None else np.pad(costs, ((0, n), (0, 1))),
        )

    def class_counts(
        self,
        rows: NDArray[np.integer[Any]] | None = None,
        weight: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Return the weight of each class, among all rows or some, also with other weights."""
        labels = self.labels
        if rows is None:
            weight = self.weight
        else:
            labels, weight = labels[rows], self._weight(rows, weight)
        return np.bincount(labels, weight, minlength=self.schema.n_classes).astype(float)

    def losses(
        self,
        rows: NDArray[np.integer[Any]] | None = None,
        weight: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Return what each class costs as the answer to all rows, or to some of them."""
        if self.costs is None:
            counts = self.class_counts(rows, weight)
            return counts.sum() - counts
        costs = self.costs if rows is None else self.costs[rows]
        return (self.weight_of(rows) if weight is None else weight) @ costs

    def cost_of(self, answers: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """Return what an answer to each row costs."""
        if self.costs is None:
            return (answers != self.labels).astype(float)
        return self.costs[np.arange(self.n_rows), answers]

    def importance(self) -> NDArray[np.float64] | None:
        """Return the mean cost of a mistake about each row; None where every mistake costs 1."""
        if self.costs is None:
            return None
        mean: NDArray[np.float64] = self.costs.sum(axis=1) / max(self.schema.n_classes - 1, 1)
        return mean

    def weight_of(self, rows: NDArray[np.integer[Any]] | None = None) -> NDArray[np.float64]:
        """Return how often each row counts, of all rows or some."""
        weight = np.ones(self.n_rows) if self.weight is None else self.weight
        return weight if rows is None else weight[rows]

    def copies_of(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """Return how often rows are there, which is what they weigh unless classes have weights."""
        return self.weight_of(rows) if self.copies is None else self.copies[rows]

    def missing_counts(self) -> NDArray[np.int64]:
        """Return the number of missing cells of each column."""
        counts: NDArray[np.int64] = np.isnan(self.X).sum(axis=0, dtype=np.int64)
        return counts


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _shortened(text: object) -> str:
    words = " ".join(str(text).split())
    return words if len(words) <= SHOWN_CHARACTERS else words[: SHOWN_CHARACTERS - 3] + "..."
