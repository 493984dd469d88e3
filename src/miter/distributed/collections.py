"""Collections of Dask: their partitions, one by one, and what is done to each of them lazily."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from miter.errors import DataError

__all__ = ["Partitions", "are_frames", "partitions_of"]


@dataclass(frozen=True, eq=False)
class Partitions:
    """The partitions of collections that belong together.

    Parameters
    ----------
    names : tuple of str
        What an error calls each partition.
    pieces : tuple of list
        For each collection its partitions, not computed yet.
    columns : tuple, optional
        The keys of the columns, where the first collection is a frame.
    n_columns : int
        How many columns it has.
    """

    names: tuple[str, ...]
    pieces: tuple[list[Any], ...]
    columns: tuple[Any, ...] | None
    n_columns: int


def are_frames(X: Any) -> bool:
    """Whether the partitions of a collection are frames or series; else they are arrays."""
    return hasattr(X, "map_partitions")


def partitions_of(X: Any, others: dict[str, Any]) -> Partitions:
    """Return the partitions of a table, and of what else there is for each of its rows.

    Parameters
    ----------
    X : Dask DataFrame or Array
        The table.
    others : dict of str to Dask Series or Array
        By their names as arguments.
    """
    if not are_frames(X) and not hasattr(X, "map_blocks"):
        raise DataError(f"X is a {type(X).__name__} of Dask; give a DataFrame or an Array of it")
    if getattr(X, "ndim", 2) != 2:
        raise DataError(f"X has {X.ndim} dimension; give two: rows and columns")
    columns = tuple(X.columns) if are_frames(X) else None
    n_columns = int(X.shape[1]) if columns is None else len(columns)
    for name, other in others.items():
        if not hasattr(other, "to_delayed"):
            raise DataError(
                f"X is a collection of Dask, but {name} a {type(other).__name__}; give a "
                f"collection with the same partitions, as a column of the frame that X is from"
            )
    if others and all(map(are_frames, (X, *others.values()))):
        pieces = _side_by_side(X, others)
    else:
        X = X.rechunk({1: -1}) if columns is None else X
        pieces = [_pieces(X), *(_pieces(_as_cut(other, X)) for other in others.values())]
        for name, own in zip(others, pieces[1:], strict=True):
            _check_number(name, len(pieces[0]), len(own))
    names = tuple(f"partition {number}" for number in range(len(pieces[0])))
    return Partitions(names, tuple(pieces), columns, n_columns)


def _check_number(name: str, n_partitions: int, n_own: int) -> None:
    if n_own != n_partitions:
        raise DataError(
            f"X has {n_partitions} partitions, but {name} has {n_own}; cut them alike, "
            "as by taking both from one frame"
        )


def _side_by_side(X: Any, others: dict[str, Any]) -> list[list[Any]]:
    """Return partitions of frames that are made together: files are read once, and cut alike."""
    from dask import delayed

    for name, other in others.items():
        _check_number(name, X.npartitions, other.npartitions)
    own = tuple(others.values())
    how: dict[str, Any] = {"align_dataframes": False, "enforce_metadata": False}
    both = X.map_partitions(_beside, *own, meta=X._meta.iloc[:0], **how)
    pieces = both.to_delayed()
    take = delayed(_taken, pure=True)
    return [[take(piece, place) for piece in pieces] for place in range(1 + len(others))]


class _Beside(tuple[Any, ...]):
    """A partition of a table, and what belongs to its rows."""


def _beside(*tables: Any) -> _Beside:
    return _Beside(tables)


def _taken(tables: _Beside, place: int) -> Any:
    return tables[place]


def _as_cut(other: Any, X: Any) -> Any:
    """Return an array cut as another one, where both say how they are."""
    if are_frames(other) or are_frames(X):
        return other
    chunks = {0: X.chunks[0]} | ({1: -1} if other.ndim == 2 else {})
    if np.isnan(X.chunks[0]).any() or np.isnan(other.chunks[0]).any():
        return other
    if other.shape[0] != X.shape[0]:
        raise DataError(f"X has {X.shape[0]} rows, but what belongs to them has {other.shape[0]}")
    return other.rechunk(chunks)


def _pieces(collection: Any) -> list[Any]:
    pieces: Sequence[Any] = np.ravel(np.array(collection.to_delayed(), object)).tolist()
    return list(pieces)
