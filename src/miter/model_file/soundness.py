"""What must hold of a tree, wherever its numbers come from.

The native core looks at every split before it routes a row; here is what it cannot know, for all
nodes at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.model_file.fields import FieldError, inside, reader_of
from miter.splits import Category, Machine, PackedSplits, Threshold
from miter.tree import Tree

__all__ = ["checked_tree"]


def checked_tree(
    schema: Schema,
    splits: PackedSplits,
    counts: NDArray[np.float64],
    smoothing: float,
    losses: NDArray[np.float64] | None = None,
    notes: tuple[str, ...] = (),
    importances: Any = None,
) -> Tree:
    """Return a tree that nothing is wrong with, or raise `FieldError`."""
    _check_branches(splits)
    if not 0 <= smoothing < np.inf:
        raise FieldError("give a number from 0 on", "smoothing")
    for name, numbers in (("counts", counts), ("losses", losses)):
        if numbers is not None:
            _check_amounts(name, numbers)
    if not all(type(note) is str for note in notes):
        raise FieldError("one of the notes is no text", "nodes")
    tree = Tree(
        schema,
        splits,
        counts,
        smoothing,
        losses,
        notes if any(notes) else None,
        _read_importances(importances, schema),
    )
    _check_weights(tree)
    try:
        # The core looks at every split before it routes the first row, even if there is none.
        tree.apply(np.empty((0, schema.n_columns)), n_threads=1)
    except ValueError as error:
        raise FieldError(str(error)) from None
    _check_names(schema, splits)
    return tree


def _read_importances(value: Any, schema: Schema) -> NDArray[np.float64] | None:
    if value is None:
        return None
    with inside("importances"):
        importances = np.array(reader_of(tuple[float, ...])(value), np.float64)
        if len(importances) != schema.n_columns:
            raise FieldError(f"there are {len(importances)} for {schema.n_columns} columns")
        if not (np.isfinite(importances).all() and (importances >= 0).all()):
            raise FieldError("they must be finite, and 0 or more")
    return importances


def _check_branches(splits: PackedSplits) -> None:
    """Complain unless each node but the root is a branch of one before it."""
    n_nodes = len(splits)
    n_reached = 1 + np.cumsum(splits.n_branches, dtype=np.int64)
    odd = np.flatnonzero(np.where(splits.kind == 0, splits.n_branches != 0, splits.n_branches < 2))
    if len(odd):
        raise FieldError("a split has two branches or more, a leaf has none", f"nodes[{odd[0]}]")
    lost = np.flatnonzero(n_reached[:-1] <= np.arange(1, n_nodes))
    if len(lost):
        raise FieldError(f"no branch leads to node {lost[0] + 1}", "nodes")
    if n_reached[-1] != n_nodes:
        raise FieldError(f"{n_nodes} are there, but the branches lead to {n_reached[-1]}", "nodes")


def _check_amounts(name: str, numbers: NDArray[np.float64]) -> None:
    with np.errstate(over="ignore"):
        is_sound = np.isfinite(numbers.sum()) and numbers.min() >= 0
    if not is_sound:
        raise FieldError(f"{name} must be finite, and 0 or more", "nodes")


def _check_weights(tree: Tree) -> None:
    is_empty = tree.counts.sum(axis=1) <= 0
    if is_empty[0]:
        raise FieldError("the root has no rows", "nodes[0]")
    if (is_empty & ~tree.is_leaf).any():
        raise FieldError("there is a split without rows", "nodes")


def _check_names(schema: Schema, splits: PackedSplits) -> None:
    """Complain about a split that names values, classes or branches that there are not.

    `src/core/packed.hpp` tells where they stand among the numbers of a split.
    """
    first = splits.int_start[:-1]
    nodes = np.flatnonzero(splits.kind == Threshold.code)
    n_values = np.array([len(c.values) if c.kind == "ordered" else -1 for c in schema.columns])
    owner, cuts = _slices(splits.reals, splits.real_start[nodes], np.diff(splits.real_start)[nodes])
    most = n_values[splits.ints[first[nodes]]][owner]
    cut = np.trunc(cuts)
    _refuse(nodes[owner[(most >= 0) & ((cut < 0) | (cut >= most))]])
    nodes = np.flatnonzero(splits.kind == Machine.code)
    owner, classes = _slices(splits.ints, first[nodes] + 2, splits.ints[first[nodes]])
    _refuse(nodes[owner[classes >= schema.n_classes]])
    nodes = np.flatnonzero(splits.kind == Category.code)
    owner, pairs = _slices(splits.ints, first[nodes] + 3, np.diff(splits.int_start)[nodes] - 3)
    is_last = pairs[1::2] == splits.n_branches[nodes[owner[1::2]]] - 1
    _refuse(np.setdiff1d(nodes, nodes[owner[1::2][is_last]]))


def _slices(
    values: NDArray[Any], first: NDArray[np.int64], sizes: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return slices one after the other, and which of them each value is of."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return owner, values[first[owner] + within]


def _refuse(nodes: NDArray[np.int64]) -> None:
    if len(nodes):
        place = f"nodes[{nodes[0]}].split"
        raise FieldError("it names values, classes or branches that there are not", place)
