"""One tree as plain values, a line for each node, and back."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.model_file.fields import FieldError, check_keys, inside, plain, reader_of, shown
from miter.model_file.soundness import checked_tree
from miter.splits import SPLIT_KINDS, PackedSplits, Split
from miter.tree import Tree

__all__ = ["plain_tree", "read_tree"]

_KIND_BY_NAME: dict[str, type[Split]] = {kind.name: kind for kind in SPLIT_KINDS.values()}


def plain_tree(tree: Tree) -> dict[str, Any]:
    """Return a tree as a person can read it.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.estimators.univariate import id3
    >>> from miter.model_file.nodes import plain_tree
    >>> tree = plain_tree(id3().fit(play_tennis()).tree_)
    >>> tree["nodes"][0]["split"]
    {'kind': 'category', 'column': 0, 'branches': [0, 1, 2], 'missing': 0}
    """
    nodes = []
    for number, counts in enumerate(tree.counts.tolist()):
        node: dict[str, Any] = {"counts": [_plain_count(count) for count in counts]}
        if tree.losses is not None:
            node["losses"] = [_plain_count(loss) for loss in tree.losses[number].tolist()]
        if tree.notes is not None and tree.notes[number]:
            node["note"] = tree.notes[number]
        split = tree.splits[number]
        if split is not None:
            first = int(tree.first_child[number])
            node["split"] = {"kind": split.name, **plain(split)}
            node["children"] = list(range(first, first + split.n_branches))
        nodes.append(node)
    plain_values: dict[str, Any] = {"smoothing": tree.smoothing, "nodes": nodes}
    if tree.importances is not None:
        plain_values["importances"] = tree.importances.tolist()
    return plain_values


def _plain_count(count: float) -> float:
    """Write a whole number without its decimals, where that is exact."""
    return int(count) if count.is_integer() and count < 2**53 else count


def read_tree(schema: Schema, value: Any) -> Tree:
    """Return the tree that `plain_tree` gave the values of, or raise `FieldError`."""
    check_keys(value, {"smoothing", "nodes"}, optional=frozenset({"importances"}))
    with inside("smoothing"):
        smoothing = reader_of(float)(value["smoothing"])
    nodes = value["nodes"]
    if type(nodes) is not list or not nodes:
        raise FieldError("not a list of nodes", "nodes")
    splits = _read_splits(nodes)
    counts = _read_numbers(nodes, "counts", schema.n_classes)
    has_losses = any("losses" in node for node in nodes)
    losses = _read_numbers(nodes, "losses", schema.n_classes) if has_losses else None
    notes = tuple(node.get("note", "") for node in nodes)
    amounts = counts, smoothing, losses, notes, value.get("importances")
    tree = checked_tree(schema, PackedSplits.of(splits), *amounts)
    for number, split in enumerate(splits):
        # Rows of weights that differ in length can have the right number of weights.
        if tree.splits[number] != split:
            raise FieldError("terms and weights differ in number", f"nodes[{number}].split")
    return tree


def _read_splits(nodes: list[Any]) -> list[Split | None]:
    splits: list[Split | None] = []
    n_reached = 1
    for number, node in enumerate(nodes):
        with inside(f"nodes[{number}]"):
            splits.append(_read_split(node, n_reached))
            n_reached += len(node.get("children", ()))
    return splits


def _read_split(node: Any, n_reached: int) -> Split | None:
    if type(node) is dict and {"counts"} <= node.keys() <= {"counts", "losses"}:
        return None
    check_keys(node, {"counts", "split", "children"}, optional=frozenset({"losses", "note"}))
    settings = node["split"]
    if type(settings) is not dict:
        raise FieldError("not an object with named fields", "split")
    settings = dict(settings)
    name = settings.pop("kind", None)
    if type(name) is not str or name not in _KIND_BY_NAME:
        raise FieldError(f"there is no split of the kind {shown(name)}", "split")
    with inside("split"):
        split: Split = reader_of(_KIND_BY_NAME[name])(settings)
    children = reader_of(tuple[int, ...])(node["children"])
    if children != tuple(range(n_reached, n_reached + len(children))):
        raise FieldError(f"the children must be numbered from {n_reached} on, in order", "children")
    if len(children) < 2 or len(children) != split.n_branches:
        raise FieldError(f"{len(children)} do not fit the split", "children")
    return split


def _read_numbers(nodes: list[Any], field: str, n_classes: int) -> NDArray[np.float64]:
    rows = [node.get(field) for node in nodes]
    if any(type(row) is not list or len(row) != n_classes for row in rows):
        raise FieldError(f"every node needs {n_classes} {field}, one for each class", "nodes")
    if not set(map(type, chain.from_iterable(rows))) <= {int, float}:
        raise FieldError(f"one of the {field} is not a number", "nodes")
    return np.array(rows, np.float64)
