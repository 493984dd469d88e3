"""A fitted model as plain values, and back; nothing that cannot be is let in."""

from __future__ import annotations

from typing import Any

from miter.data.schema import Schema
from miter.estimators.fitted import Fitted
from miter.model_file.fields import FieldError, check_keys, inside, plain, reader_of
from miter.model_file.nodes import plain_tree, read_tree
from miter.model_file.packed import plain_trees, read_trees
from miter.model_file.parameters import find_learner, plain_learner, read_learner

__all__ = ["plain_model", "read_model"]


def plain_model(model: Fitted) -> dict[str, Any]:
    """Return a fitted model as plain values.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.model_file.model import plain_model
    >>> model = plain_model(id3().fit(play_tennis()))
    >>> model["learner"], model["schema"]["classes"]
    ('UnivariateTreeClassifier', ['Yes', 'No'])
    """
    find_learner(model)
    trees, state = model.trees_, plain(model.state())
    one = {"tree": plain_tree(trees[0])} if len(trees) == 1 else {"trees": plain_trees(trees)}
    return {
        **plain_learner(model, state.get("costs")),
        "schema": plain(model.schema_),
        "state": state,
        **one,
    }


def read_model(model: Any) -> Any:
    """Return the fitted model that `plain_model` gave the values of, or raise `FieldError`."""
    needed = {"learner", "parameters", "schema", "state"}
    check_keys(model, needed, optional=frozenset({"tree", "trees"}))
    learner = read_learner({name: model[name] for name in ("learner", "parameters")})
    with inside("schema"):
        schema = _read_schema(model["schema"])
    if ("tree" in model) == ("trees" in model):
        raise FieldError("give one tree, or trees")
    if "tree" in model:
        with inside("tree"):
            trees = [read_tree(schema, model["tree"])]
    else:
        with inside("trees"):
            trees = read_trees(schema, model["trees"])
    with inside("state"):
        types = learner.state_types
        check_keys(model["state"], set(types))
        state = {}
        for name, value in model["state"].items():
            with inside(name):
                state[name] = reader_of(types[name])(value)
    return learner.restore(trees, state)


def _read_schema(value: Any) -> Schema:
    schema: Schema = reader_of(Schema)(value)
    types = {type(label) for label in schema.classes}
    if len(types) != 1 and types != {int, float}:
        raise FieldError("the classes must be all texts, all numbers or all booleans", "classes")
    if len(set(schema.classes)) < schema.n_classes:
        raise FieldError("a class is listed twice", "classes")
    if not schema.columns:
        raise FieldError("there are no columns")
    for column in schema.columns:
        if column.kind == "ignored" or (column.kind == "numeric" and column.values):
            raise FieldError(
                f"column {column.name!r} cannot be {column.kind} with {len(column.values)} values"
            )
    return schema
