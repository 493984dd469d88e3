"""What a split computes, as a small tree of a few kinds of node.

Every kind of split gives its expression, whose value is a branch number (or `SHARE` or `STAY`).
Words, code in another language or a formula are one function over these nodes each, as `evaluate`
is, and none of them knows the kinds of split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = [
    "Cell",
    "Constant",
    "Distance",
    "Expression",
    "IfMissing",
    "Largest",
    "Lookup",
    "Sigmoid",
    "Step",
    "Sum",
    "columns_of",
    "evaluate",
]


@dataclass(frozen=True, slots=True)
class Constant:
    """The same number for every row."""

    value: float


@dataclass(frozen=True, slots=True)
class Cell:
    """What a row has in a column."""

    column: int


@dataclass(frozen=True, slots=True)
class Distance:
    """How far a column's number is above a centre, or below it; 0 on the other side."""

    column: int
    centre: float
    is_above: bool


@dataclass(frozen=True, slots=True)
class Lookup:
    """The number that belongs to a symbol; another one where it is missing or never seen."""

    column: int
    values: tuple[float, ...]
    otherwise: float


@dataclass(frozen=True, slots=True)
class IfMissing:
    """One expression where a column's value is missing, another where it is known."""

    column: int
    missing: Expression
    known: Expression


@dataclass(frozen=True, slots=True)
class Sum:
    """Expressions, each times its factor, added from left to right."""

    parts: tuple[tuple[float, Expression], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """How many of the cuts, which ascend, an expression is above."""

    of: Expression
    cuts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """1 / (1 + exp(-x)) of an expression."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Largest:
    """The position of the first of the largest expressions, each of which speaks for a class."""

    of: tuple[Expression, ...]
    classes: tuple[int, ...]


Expression = Constant | Cell | Distance | Lookup | IfMissing | Sum | Step | Sigmoid | Largest


def evaluate(expression: Expression, X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the value of an expression for every row.

    Parameters
    ----------
    expression : Expression
        What to compute.
    X : ndarray of shape (n_rows, n_columns)
        Numbers, codes of symbols, NaN where missing.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits.expression import Cell, Step, Sum, evaluate
    >>> difference = Sum(((1.0, Cell(0)), (-1.0, Cell(1))))
    >>> evaluate(Step(difference, (0.0,)), np.array([[1.0, 2.0], [2.0, 1.0]]))
    array([0., 1.])
    """
    match expression:
        case Constant(number):
            return np.full(len(X), float(number))
        case Cell(column):
            return X[:, column].astype(float)
        case Distance(column, centre, is_above):
            beyond = X[:, column].astype(float) - centre
            return np.maximum(beyond if is_above else -beyond, 0.0)
        case Lookup(column, values, otherwise):
            return _look_up(X[:, column], np.array(values, float), otherwise)
        case IfMissing(column, missing, known):
            value, rows = evaluate(known, X), np.isnan(X[:, column])
            if rows.any():
                value[rows] = evaluate(missing, X[rows])
            return value
        case Sum(parts):
            total = np.zeros(len(X))
            # Of numbers near the largest that there are, a sum is infinite, as in the core.
            with np.errstate(over="ignore", invalid="ignore"):
                for factor, part in parts:
                    total += factor * evaluate(part, X)
            return total
        case Step(of, cuts):
            return (evaluate(of, X)[:, None] > np.array(cuts)).sum(axis=1, dtype=float)
        case Sigmoid(of):
            return np.asarray(expit(evaluate(of, X)))
        case Largest(of):
            return np.argmax([evaluate(part, X) for part in of], axis=0).astype(float)
    assert_never(expression)


def _look_up(x: NDArray[Any], values: NDArray[np.float64], otherwise: float) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        known = (x >= 0) & (x < len(values))
    return np.where(known, values[np.where(known, x, 0).astype(int)], otherwise)


def columns_of(expression: Expression) -> tuple[int, ...]:
    """Return the positions of the columns that an expression reads, each once."""
    match expression:
        case Constant():
            return ()
        case Cell(column) | Distance(column) | Lookup(column):
            return (column,)
        case IfMissing(column, missing, known):
            return tuple(dict.fromkeys((column, *columns_of(missing), *columns_of(known))))
        case Sum(parts):
            return tuple(dict.fromkeys(c for _, part in parts for c in columns_of(part)))
        case Step(of) | Sigmoid(of):
            return columns_of(of)
        case Largest(of):
            return tuple(dict.fromkeys(c for part in of for c in columns_of(part)))
    assert_never(expression)
