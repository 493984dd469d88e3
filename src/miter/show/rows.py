"""The rows that a picture shows, coded as the model reads them, and their classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.labels import label_text, match_labels
from miter.data.schema import Schema
from miter.data.sources import open_source
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.estimators.fitted import Fitted, FittedTrees, importances_of
from miter.estimators.reading import read_rows
from miter.show.lettering import plain
from miter.tree import Tree

__all__ = [
    "ShownRows",
    "code_of_class",
    "coded_rows",
    "column_position",
    "importances_of_model",
    "rows_with_classes",
    "true_classes",
]


@dataclass(frozen=True, eq=False)
class ShownRows:
    """Rows of a picture.

    Parameters
    ----------
    schema : Schema
        Of the model.
    matrix : ndarray of shape (n_rows, n_columns)
        Numbers and codes.
    codes : ndarray of shape (n_rows,)
        The class of each row, as a position among the model's.
    are_true : bool
        Whether classes are those of the rows; else they are the model's answers.
    """

    schema: Schema
    matrix: NDArray[Any]
    codes: NDArray[np.int64]
    are_true: bool

    def take(self, rows: NDArray[Any]) -> ShownRows:
        """Return some of the rows."""
        return ShownRows(self.schema, self.matrix[rows], self.codes[rows], self.are_true)

    def sample(self, most: int) -> ShownRows:
        """Return at most so many rows, the same every time."""
        if len(self.codes) <= most:
            return self
        chosen = np.random.default_rng(0).choice(len(self.codes), most, replace=False)
        return self.take(np.sort(chosen))

    @property
    def present(self) -> list[int]:
        """The classes that some row has."""
        return np.unique(self.codes).tolist()

    def class_name(self, code: int) -> str:
        """Return the name of a class as it can be drawn."""
        return plain(label_text(self.schema.classes[code]))


def coded_rows(model: Fitted | Tree, X: Any) -> NDArray[Any]:
    """Return rows as the splits of a model read them.

    Parameters
    ----------
    model : Fitted or Tree
        What reads them.
    X : DataFrame, array or Data
        Rows like those of training; for a tree without its estimator they are coded already.
    """
    if isinstance(model, FittedTrees):
        return read_rows(model, X, model.schema_)
    schema = model.schema if isinstance(model, Tree) else model.schema_
    rows = np.asarray(X.X if isinstance(X, Data) else X)
    if rows.ndim != 2 or rows.shape[1] != schema.n_columns or rows.dtype.kind != "f":
        raise TypeError(
            f"{type(model).__name__} cannot read such rows itself; give a matrix of its "
            f"{schema.n_columns} columns as numbers and codes, or the estimator that has the tree"
        )
    return rows


def rows_with_classes(model: Fitted | Tree, X: Any, y: Any = None) -> ShownRows:
    """Return rows with their classes: those given, or those in a column of the table.

    Where there are none, a row has the class that the model answers.

    Parameters
    ----------
    model : Fitted or Tree
        What reads them.
    X : DataFrame, array or Data
        Rows like those of training.
    y : sequence, optional
        Their classes.
    """
    schema = model.schema if isinstance(model, Tree) else model.schema_
    matrix = coded_rows(model, X)
    if not len(matrix):
        raise DataError("there are no rows to show; give at least one")
    labels = _labels(schema, X, y)
    codes = None if labels is None else match_labels(labels, schema.classes)
    if codes is None:
        answer = model.predict if isinstance(model, Tree) else model.predict_codes
        return ShownRows(schema, matrix, answer(matrix).astype(np.int64), False)
    if len(codes) != len(matrix):
        raise DataError(f"{len(codes)} classes for {len(matrix)} rows; give one for each")
    return ShownRows(schema, matrix, codes.astype(np.int64), True)


def true_classes(model: Fitted | Tree, X: Any, y: Any = None) -> ShownRows:
    """Return rows with the classes that they have; an error where they are not there."""
    schema = model.schema if isinstance(model, Tree) else model.schema_
    if X is None:
        raise DataError("there are no rows to ask the model about; give X")
    rows = rows_with_classes(model, X, y)
    if not rows.are_true:
        raise DataError(f"the classes are not there; give y, or a column {schema.target!r}")
    return rows


def importances_of_model(model: Fitted | Tree) -> tuple[Schema, NDArray[np.float64]]:
    """Return the columns of a model and what each is worth to its trees, in the mean."""
    trees = (model,) if isinstance(model, Tree) else model.trees_
    worth = [importances_of(tree) for tree in trees]
    return trees[0].schema, np.mean(worth, axis=0)


def _labels(schema: Schema, X: Any, y: Any) -> Any:
    """Return classes as the user wrote them; None where there are none."""
    if isinstance(X, Data):
        if y is not None:
            raise DataError("a Data brings its own labels; leave y out")
        return None if X.y is None else np.array(X.schema.classes, object)[X.labels]
    if y is not None or isinstance(X, np.ndarray | list | tuple):
        return y
    source = open_source(X)
    if source.has_names and schema.target in source.names:
        return source.column(source.names.index(schema.target))
    return None


def column_position(schema: Schema, column: str | int) -> int:
    """Return the position of a column, given by name or position; an error names those there are.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.show.rows import column_position
    >>> column_position(Schema((Column("age", "numeric"), Column("height", "numeric"))), "hight")
    Traceback (most recent call last):
    miter.errors.DataError: there is no column 'hight'; did you mean 'height'?
    """
    if isinstance(column, str):
        if column not in schema.names:
            raise DataError(f"there is no column {column!r}; {did_you_mean(column, schema.names)}")
        return schema.names.index(column)
    if not isinstance(column, int | np.integer) or not 0 <= column < schema.n_columns:
        raise DataError(
            f"there is no column {column!r}; give a name, or a position from 0 to "
            f"{schema.n_columns - 1}"
        )
    return int(column)


def code_of_class(schema: Schema, label: Any) -> int:
    """Return the position of a class; an error names those there are.

    Examples
    --------
    >>> from miter.data import Schema
    >>> from miter.show.rows import code_of_class
    >>> code_of_class(Schema((), ("no", "yes")), "yse")
    Traceback (most recent call last):
    miter.errors.DataError: there is no class 'yse'; did you mean 'yes'?
    """
    names = [label_text(own) for own in schema.classes]
    if label_text(label) not in names:
        raise DataError(f"there is no class {label!r}; {did_you_mean(str(label), names)}")
    return names.index(label_text(label))
