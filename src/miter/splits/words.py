"""Expressions in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from miter.data.schema import Schema
from miter.splits.expression import (
    Cell,
    Constant,
    Distance,
    Expression,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    Sum,
)

__all__ = ["say_branch"]

#: A factor, and in words what it multiplies; nothing for a constant.
Product = tuple[float, str]


def say_branch(expression: Expression, schema: Schema, branch: int) -> str:
    """Say for which known values an expression is a branch number.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.splits.expression import Cell, Step, Sum
    >>> from miter.splits.words import say_branch
    >>> schema = Schema((Column("height", "numeric"), Column("weight", "numeric")))
    >>> say_branch(Step(Sum(((2.0, Cell(0)), (-0.5, Cell(1)))), (7.0,)), schema, 0)
    '2 height - 0.5 weight <= 7'
    """
    match expression:
        case IfMissing(_, _, known):
            return say_branch(known, schema, branch)
        case Step():
            return _say_step(expression, schema, branch)
        case Lookup(position, values):
            column = schema.columns[position]
            own = [v for v, b in zip(column.values, values, strict=True) if b == branch]
            return f"{column.name} {f'= {own[0]}' if len(own) == 1 else f'in {_braces(own)}'}"
        case Largest(of, classes):
            words = _say_sum(_products(of[branch], schema))
            return f"machine = {schema.classes[classes[branch]]}: {words} is largest"
    return f"{_say_sum(_products(expression, schema))} = {branch}"


def _say_step(step: Step, schema: Schema, branch: int) -> str:
    name, cuts = _name_and_cuts(step, schema)
    if branch == 0:
        return f"{name} <= {cuts[0]}"
    if branch == len(cuts):
        return f"{name} > {cuts[-1]}"
    return f"{cuts[branch - 1]} < {name} <= {cuts[branch]}"


def _name_and_cuts(step: Step, schema: Schema) -> tuple[str, list[str]]:
    if isinstance(step.of, Cell):
        column = schema.columns[step.of.column]
        return column.name, [column.say(cut) for cut in step.cuts]
    return _say_sum(_products(step.of, schema)), [f"{cut:.4g}" for cut in step.cuts]


def _products(expression: Expression, schema: Schema) -> list[Product]:
    """Return the products whose sum is the value of an expression where all values are known."""
    match expression:
        case IfMissing(_, _, known):
            return _products(known, schema)
        case Sum(parts):
            return [(f * w, word) for f, part in parts for w, word in _products(part, schema)]
        case Cell(position):
            return [(1.0, schema.columns[position].name)]
        case Constant(value):
            return [(value, "")]
        case Distance(position, centre, is_above):
            column, side = schema.columns[position], "above" if is_above else "below"
            # Dates and amounts of money are said as such.
            where = f"{centre:.4g}" if column.form is None else column.say(centre)
            return [(1.0, f"[{column.name} {side} {where}]")]
        case Lookup(position, values):
            column = schema.columns[position]
            pairs = zip(values, column.values, strict=True)
            return [(w, f"[{column.name} = {value}]") for w, value in pairs if w != 0]
        case Step():
            name, cuts = _name_and_cuts(expression, schema)
            return [(1.0, f"[{name} > {cut}]") for cut in cuts]
        case Sigmoid(of):
            # The constant is said last, though it is added first.
            inner = sorted(_products(of, schema), key=lambda product: product[1] == "")
            return [(1.0, f"s({_say_sum(inner)})")]
        case Largest(of):
            sums = [_say_sum(_products(part, schema)) for part in of]
            return [(1.0, f"[position of the largest of {_braces(sums)}]")]
    assert_never(expression)


def _say_sum(products: Sequence[Product]) -> str:
    """Say factors and what they multiply: ``0.7 height - 1.2 weight``."""
    words = []
    for i, (factor, name) in enumerate(products):
        sign = "-" if factor < 0 else "+" if i else ""
        words.append(f"{sign}{' ' if i else ''}{abs(factor):.4g} {name}".rstrip())
    return " ".join(words)


def _braces(words: Sequence[str]) -> str:
    return f"{{{', '.join(words)}}}"
