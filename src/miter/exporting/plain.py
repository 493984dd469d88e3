"""JSON, for programs that read trees themselves."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any

from miter.exporting.program import Program

__all__ = ["write_json"]


def write_json(program: Program) -> str:
    """Return columns, classes and trees; every split is an expression of a few kinds.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    columns = [
        {"name": column.name, "kind": column.kind, "values": list(column.values)}
        for column in program.schema.columns
    ]
    trees = []
    for tree in program.trees:
        nodes = [_plain(node) for node in tree.nodes]
        for node in nodes:
            del node["kind"]
        trees.append(nodes)
    content = {
        "columns": columns,
        "classes": list(program.schema.classes),
        "answer": program.answer,
        "costs": program.costs,
        "trees": trees,
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Return an expression as a mapping of its kind and its fields."""
    if is_dataclass(value):
        own = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__, **own}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
