"""A fitted estimator as plain values, and back; nothing that cannot be is let in."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.costs import cost_matrix
from miter.data.schema import Schema
from miter.errors import DataError, did_you_mean
from miter.model_file.fields import FieldError, check_keys, plain, reader_of, shown
from miter.model_file.parameters import plain_parameters, read_parameters
from miter.registry import ENTRIES, find_class
from miter.splits import SPLIT_KINDS, Machine, Network, PackedSplits, Split
from miter.tree import Tree

__all__ = ["plain_model", "read_model"]

#: What a file may say of the use of a model; who uses it reads it.
SECTIONS = frozenset({"pixels"})

_KIND_BY_NAME: dict[str, type[Split]] = {kind.name: kind for kind in SPLIT_KINDS.values()}


def plain_model(estimator: Any) -> dict[str, Any]:
    """Return a fitted estimator as plain values.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.model_file.model import plain_model
    >>> model = plain_model(id3().fit(play_tennis()))
    >>> model["nodes"][0]["split"]
    {'kind': 'category', 'column': 0, 'branches': [0, 1, 2], 'missing': 0}
    """
    parameters = estimator.get_params(deep=False)
    parameters.pop("costs", None)  # may be the name of a file; what it came to is written
    model = {
        "learner": _learner_name(estimator),
        "parameters": plain_parameters(parameters),
        "has_feature_names": hasattr(estimator, "feature_names_in_"),
        "schema": plain(estimator.tree_.schema),
        "nodes": _plain_nodes(estimator.tree_),
    }
    if getattr(estimator, "costs_", None) is not None:
        model["costs"] = estimator.costs_.tolist()
    return model


def read_model(model: Any) -> Any:
    """Return the fitted estimator that `plain_model` gave the values of, or raise `FieldError`."""
    needed = {"learner", "parameters", "has_feature_names", "schema", "nodes"}
    check_keys(model, needed, optional=SECTIONS | {"costs"})
    name = model["learner"]
    learner: Any = find_class(name) if type(name) is str else None
    if learner is None:
        known = [entry.public for entry in ENTRIES]
        raise FieldError(f"there is no learner {shown(name)}; {did_you_mean(shown(name), known)}")
    try:
        parameters = read_parameters(model["parameters"], learner().get_params(deep=False))
    except FieldError as error:
        raise error.inside("parameters") from None
    has_feature_names = model["has_feature_names"]
    if type(has_feature_names) is not bool:
        raise FieldError("neither true nor false", "has_feature_names")
    schema = _read_schema(model["schema"])
    costs = _read_costs(model["costs"], schema) if "costs" in model else None
    tree = _read_tree(schema, model["nodes"])
    given = {} if costs is None else {"costs": costs.tolist()}
    state = {"has_feature_names": has_feature_names, **given}
    estimator = learner(**parameters, **given)
    tree = replace(tree, smoothing=getattr(estimator, "smoothing", 0.0 if costs is None else 1.0))
    return estimator.restore([tree], {"costs": None} | state)


def _learner_name(estimator: Any) -> str:
    """Return the name of the class; of its nearest ancestor where the class is the user's own."""
    return next(
        kind.__name__ for kind in type(estimator).__mro__ if find_class(kind.__name__) is kind
    )


def _plain_nodes(tree: Tree) -> list[dict[str, Any]]:
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
    return nodes


def _plain_count(count: float) -> float:
    """Write a whole number without its decimals, where that is exact."""
    return int(count) if count.is_integer() and count < 2**53 else count


def _read_schema(value: Any) -> Schema:
    try:
        schema: Schema = reader_of(Schema)(value)
        _check_classes(schema)
    except FieldError as error:
        raise error.inside("schema") from None
    if not schema.columns:
        raise FieldError("there are no columns", "schema")
    for column in schema.columns:
        if column.kind == "ignored" or (column.kind == "numeric" and column.values):
            raise FieldError(
                f"column {column.name!r} cannot be {column.kind} with {len(column.values)} values",
                "schema",
            )
    return schema


def _check_classes(schema: Schema) -> None:
    types = {type(label) for label in schema.classes}
    if len(types) != 1 and types != {int, float}:
        raise FieldError("the classes must be all texts, all numbers or all booleans", "classes")
    if len(set(schema.classes)) < schema.n_classes:
        raise FieldError("a class is listed twice", "classes")


def _read_tree(schema: Schema, nodes: Any) -> Tree:
    if type(nodes) is not list or not nodes:
        raise FieldError("not a list of nodes", "nodes")
    splits: list[Split | None] = []
    n_reached = 1
    for number, node in enumerate(nodes):
        try:
            splits.append(_read_split(node, n_reached))
            n_reached += len(node.get("children", ()))
            if number + 1 >= n_reached and number + 1 < len(nodes):
                raise FieldError(f"no branch leads to node {number + 1}")
        except FieldError as error:
            raise error.inside(f"nodes[{number}]") from None
    if n_reached != len(nodes):
        raise FieldError(f"{len(nodes)} are there, but the branches lead to {n_reached}", "nodes")
    counts = _read_numbers(nodes, "counts", schema.n_classes)
    has_losses = any("losses" in node for node in nodes)
    losses = _read_numbers(nodes, "losses", schema.n_classes) if has_losses else None
    tree = Tree(schema, PackedSplits.of(splits), counts, losses=losses, notes=_read_notes(nodes))
    _check_weights(tree)
    # The core looks at every split before it routes the first row, even if there is none.
    tree.apply(np.empty((0, schema.n_columns)), n_threads=1)
    for number, split in enumerate(splits):
        _check_sayable(number, split, schema)
    return tree


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
    try:
        split: Split = reader_of(_KIND_BY_NAME[name])(settings)
    except FieldError as error:
        raise error.inside("split") from None
    children = reader_of(tuple[int, ...])(node["children"])
    if children != tuple(range(n_reached, n_reached + len(children))):
        raise FieldError(f"the children must be numbered from {n_reached} on, in order", "children")
    if len(children) < 2 or len(children) != split.n_branches:
        raise FieldError(f"{len(children)} do not fit the split", "children")
    return split


def _check_sayable(number: int, split: Split | None, schema: Schema) -> None:
    """Complain about a split that names values, classes or outputs that there are not."""
    if split is None:
        return
    has_outputs = isinstance(split, Machine | Network)
    if not has_outputs and all(schema.columns[c].kind != "ordered" for c in split.columns):
        return
    try:
        for branch in range(split.n_branches):
            split.say(schema, branch)
    except IndexError:
        raise FieldError(
            "it names values or classes that there are not", f"nodes[{number}].split"
        ) from None


def _read_notes(nodes: list[Any]) -> tuple[str, ...] | None:
    notes = tuple(node.get("note", "") for node in nodes)
    if not all(type(note) is str for note in notes):
        raise FieldError("one of the notes is no text", "nodes")
    return notes if any(notes) else None


def _read_numbers(nodes: list[Any], field: str, n_classes: int) -> NDArray[np.float64]:
    rows = [node.get(field) for node in nodes]
    if any(type(row) is not list or len(row) != n_classes for row in rows):
        raise FieldError(f"every node needs {n_classes} {field}, one for each class", "nodes")
    if not set(map(type, chain.from_iterable(rows))) <= {int, float}:
        raise FieldError(f"one of the {field} is not a number", "nodes")
    matrix = np.array(rows, np.float64)
    with np.errstate(over="ignore"):
        is_sound = np.isfinite(matrix.sum()) and matrix.min() >= 0
    if not is_sound:
        raise FieldError(f"{field} must be finite, and 0 or more", "nodes")
    return matrix


def _read_costs(value: Any, schema: Schema) -> NDArray[np.float64]:
    rows = reader_of(tuple[tuple[float, ...], ...])(value)
    try:
        return cost_matrix([list(row) for row in rows], schema.classes)
    except DataError as error:
        raise FieldError(str(error), "costs") from None


def _check_weights(tree: Tree) -> None:
    is_empty = tree.counts.sum(axis=1) <= 0
    if is_empty[0]:
        raise FieldError("the root has no rows", "nodes[0]")
    if (is_empty & ~tree.is_leaf).any():
        raise FieldError("there is a split without rows", "nodes")
