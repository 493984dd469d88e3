"""Many trees as plain values, and back.

Nobody reads a hundred trees, and their numbers would fill a book: the nodes of all trees stand one
after the other in a few arrays, the numbers of their splits as the native core reads them
(`src/core/packed.hpp`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.model_file.arrays import plain_array, plain_matrix, read_array, read_matrix
from miter.model_file.fields import FieldError, check_keys, inside, reader_of
from miter.model_file.soundness import checked_tree
from miter.splits import PackedSplits
from miter.tree import Tree

__all__ = ["plain_trees", "read_trees"]

#: The arrays of the splits.
ARRAYS: dict[str, type[np.generic]] = {
    "kinds": np.uint8,
    "n_branches": np.int32,
    "n_ints": np.int32,
    "ints": np.int32,
    "n_reals": np.int32,
    "reals": np.float64,
}


def plain_trees(trees: Sequence[Tree]) -> dict[str, Any]:
    """Return trees as plain values.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.estimators.univariate import id3
    >>> from miter.model_file.packed import plain_trees
    >>> tree = id3().fit(play_tennis()).tree_
    >>> plain_trees([tree, tree])["n_nodes"]
    [12, 12]
    """
    splits = PackedSplits.join([tree.splits for tree in trees])
    arrays: tuple[NDArray[Any], ...] = (
        splits.kind,
        splits.n_branches,
        np.diff(splits.int_start),
        splits.ints,
        np.diff(splits.real_start),
        splits.reals,
    )
    packed: dict[str, Any] = {
        "smoothing": [tree.smoothing for tree in trees],
        "n_nodes": [tree.n_nodes for tree in trees],
        **dict(zip(ARRAYS, map(plain_array, arrays), strict=True)),
        "counts": plain_matrix(np.concatenate([tree.counts for tree in trees])),
    }
    losses = [tree.losses for tree in trees if tree.losses is not None]
    if losses:
        packed["losses"] = plain_matrix(np.concatenate(losses))
    if any(tree.notes for tree in trees):
        packed["notes"] = [note for tree in trees for note in tree.notes or [""] * tree.n_nodes]
    if any(tree.importances is not None for tree in trees):
        packed["importances"] = [
            None if tree.importances is None else tree.importances.tolist() for tree in trees
        ]
    return packed


def read_trees(schema: Schema, value: Any) -> list[Tree]:
    """Return the trees that `plain_trees` gave the values of, or raise `FieldError`."""
    needed = {"smoothing", "n_nodes", "counts", *ARRAYS}
    check_keys(value, needed, optional=frozenset({"losses", "notes", "importances"}))
    with inside("smoothing"):
        smoothing = reader_of(tuple[float, ...])(value["smoothing"])
    with inside("n_nodes"):
        n_nodes = np.array(reader_of(tuple[int, ...])(value["n_nodes"]), np.int64)
    splits = _read_splits(value)
    if len(smoothing) != len(n_nodes) or len(n_nodes) < 1 or n_nodes.min() < 1:
        raise FieldError("every tree needs its smoothing and its number of nodes")
    if n_nodes.max() > len(splits) or n_nodes.sum() != len(splits):
        raise FieldError(f"the trees do not have {len(splits)} nodes together", "n_nodes")
    with inside("counts"):
        counts = read_matrix(value["counts"], (len(splits), schema.n_classes))
    losses = None
    if "losses" in value:
        with inside("losses"):
            losses = read_matrix(value["losses"], (len(splits), schema.n_classes))
    notes = value.get("notes", [])
    if type(notes) is not list or len(notes) not in (0, len(splits)):
        raise FieldError("every node needs a note, which may be empty", "notes")
    importances = value.get("importances", [None] * len(n_nodes))
    if type(importances) is not list or len(importances) != len(n_nodes):
        raise FieldError("every tree needs its own", "importances")
    trees = []
    end = 0
    for number, size in enumerate(n_nodes.tolist()):
        own = slice(end, end := end + size)
        with inside(f"[{number}]"):
            trees.append(
                checked_tree(
                    schema,
                    splits.take(np.arange(own.start, own.stop)),
                    counts[own],
                    smoothing[number],
                    None if losses is None else losses[own],
                    tuple(notes[own]),
                    importances[number],
                )
            )
    return trees


def _read_splits(value: dict[str, Any]) -> PackedSplits:
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind in ARRAYS.items():
        with inside(name):
            arrays[name] = read_array(value[name], kind)
    n_splits = len(arrays["kinds"])
    if any(len(arrays[name]) != n_splits for name in ("n_branches", "n_ints", "n_reals")):
        raise FieldError("the arrays of the nodes differ in length")
    starts = []
    for sizes, numbers in (("n_ints", "ints"), ("n_reals", "reals")):
        start = np.concatenate([[0], np.cumsum(arrays[sizes], dtype=np.int64)])
        if (arrays[sizes] < 0).any() or start[-1] != len(arrays[numbers]):
            raise FieldError(f"they do not fit the {len(arrays[numbers])} {numbers}", sizes)
        starts.append(start)
    return PackedSplits(
        arrays["kinds"], starts[0], arrays["ints"], starts[1], arrays["reals"], arrays["n_branches"]
    )
