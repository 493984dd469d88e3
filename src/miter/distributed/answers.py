"""Answers to the rows of a collection, when they are asked for, partition by partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.distributed.collections import are_frames

__all__ = ["answers_of"]


def answers_of(
    model: Any, method: str, X: Any, others: tuple[Any, ...], settings: dict[str, Any]
) -> Any:
    """Return what a method of a fitted model answers to rows, as a collection like that of them.

    Parameters
    ----------
    model : estimator
        Fitted.
    method : str
        Of a table, and of settings; returns a row of answers, or one answer, for each of its rows.
    X : Dask DataFrame or Array
        The rows.
    others, settings
        Further arguments.
    """
    from dask import delayed

    ask = _Asked(method, others, settings)
    none = ask.of_no_rows(model)
    shared = delayed(model, pure=False, traverse=False)
    if are_frames(X):
        meta = _like_frame(none, X._meta, model)
        return X.map_partitions(_of_frame, shared, ask, none, meta=meta, enforce_metadata=False)
    X = X.rechunk({1: -1})
    shape: dict[str, Any] = {"drop_axis": 1}
    if none.ndim == 2:
        shape = {"chunks": (X.chunks[0], (none.shape[1],))}
    return X.map_blocks(_of_array, shared, ask, none, dtype=none.dtype, meta=none, **shape)


@dataclass(frozen=True)
class _Asked:
    """A method of a model, and arguments beside the rows."""

    method: str
    others: tuple[Any, ...]
    settings: dict[str, Any]

    def of(self, model: Any, rows: Any) -> NDArray[Any]:
        answers: NDArray[Any] = getattr(model, self.method)(rows, *self.others, **self.settings)
        return answers

    def of_no_rows(self, model: Any) -> NDArray[Any]:
        """Return no answers: they tell their type, and how many there are for each row."""
        schema = model.schema_
        return self.of(model, Data(schema, np.zeros((1, schema.n_columns))))[:0]


def _of_array(X: NDArray[Any], model: Any, ask: _Asked, none: NDArray[Any]) -> NDArray[Any]:
    return ask.of(model, X) if len(X) else none


def _of_frame(frame: Any, model: Any, ask: _Asked, none: NDArray[Any]) -> Any:
    return _like_frame(ask.of(model, frame) if len(frame) else none, frame, model)


def _like_frame(answers: NDArray[Any], frame: Any, model: Any) -> Any:
    """Return answers with the index of a frame: a series, or a frame with a column a class."""
    import pandas as pd

    if answers.ndim == 1:
        return pd.Series(answers, index=frame.index, name=model.schema_.target)
    classes = model.schema_.classes
    return pd.DataFrame(answers, index=frame.index, columns=[str(label) for label in classes])
