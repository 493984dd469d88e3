"""Sums as what they are made of: a constant, and factors with what each multiplies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

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
    evaluate,
)

__all__ = [
    "FlatSum",
    "Is",
    "Part",
    "added_by",
    "column_of",
    "columns_of",
    "count_terms",
    "flatten",
]


@dataclass(frozen=True, slots=True)
class Is:
    """1 where a symbol has this value, 0 elsewhere."""

    column: int
    value: int
    n_values: int


#: What a factor multiplies; a step has one cut.
Part = Cell | Distance | Is | Step | Sigmoid | Largest


@dataclass
class FlatSum:
    """A constant, and what is added to it: parts, each times its factor.

    Parameters
    ----------
    constant : float
        What is added for every row.
    factors : dict
        The factor of each part, in the order of the sum; none of them is 0.
    missing : dict
        What is added in place of a column's parts where its value is missing.
    """

    constant: float = 0.0
    factors: dict[Part, float] = field(default_factory=dict)
    missing: dict[int, float] = field(default_factory=dict)

    def add(self, part: Part, factor: float) -> None:
        """Add a part, or more of one that is there."""
        total = self.factors.pop(part, 0.0) + factor
        if total != 0:
            self.factors[part] = total

    def add_missing(self, column: int, amount: float) -> None:
        """Add more where a column's value is missing."""
        self.missing[column] = self.missing.get(column, 0.0) + amount

    @property
    def expression(self) -> Sum:
        """The sum as an expression: the constant, then what each column adds, then the rest."""
        by_column: dict[int, list[Part]] = {column: [] for column in self.missing}
        rest: list[tuple[float, Expression]] = [(1.0, Constant(self.constant))]
        for part, factor in self.factors.items():
            column = column_of(part)
            if column in by_column:
                by_column[column].append(part)
            else:
                rest.append((factor, _as_expression(part)))
        own = ((1.0, self._of_column(column, parts)) for column, parts in by_column.items())
        return Sum((rest[0], *own, *rest[1:]))

    def _of_column(self, column: int, parts: list[Part]) -> Expression:
        missing = self.missing[column]
        symbols = [part for part in parts if isinstance(part, Is)]
        if symbols:
            values = np.zeros(symbols[0].n_values)
            values[[part.value for part in symbols]] = [self.factors[part] for part in symbols]
            return Lookup(column, tuple(values.tolist()), missing)
        known = tuple((self.factors[part], _as_expression(part)) for part in parts)
        return IfMissing(column, Constant(missing), Sum(known))


def column_of(part: Part) -> int | None:
    """Return the one column that a part is about; None for what is made of sums."""
    match part:
        case Cell(column) | Distance(column) | Is(column) | Step(Cell(column)):
            return column
    return None


def _as_expression(part: Part) -> Expression:
    if not isinstance(part, Is):
        return part
    values = [0.0] * part.n_values
    values[part.value] = 1.0
    return Lookup(part.column, tuple(values), 0.0)


def flatten(*weighted: tuple[float, Expression]) -> FlatSum:
    """Return the sum of expressions, each times its factor, where all values are known.

    Examples
    --------
    >>> from miter.splits.expression import Cell, Constant, Sum
    >>> from miter.splits.sums import flatten
    >>> inner = Sum(((3.0, Cell(0)), (1.0, Constant(5.0))))
    >>> flatten((1.0, Sum(((2.0, inner), (1.0, Cell(1))))))
    FlatSum(constant=10.0, factors={Cell(column=0): 6.0, Cell(column=1): 1.0}, missing={})
    """
    total = FlatSum()
    for factor, expression in weighted:
        _add(total, factor, expression)
    return total


def _add(total: FlatSum, factor: float, expression: Expression) -> None:
    match expression:
        case Constant(value):
            total.constant += factor * value
        case IfMissing(column, missing, known):
            _add(total, factor, known)
            if isinstance(missing, Constant):
                total.add_missing(column, factor * missing.value)
        case Sum(parts):
            for own, part in parts:
                _add(total, factor * own, part)
        case Lookup(column, values, otherwise):
            for value, weight in enumerate(values):
                total.add(Is(column, value, len(values)), factor * weight)
            total.add_missing(column, factor * otherwise)
        case Step(of, cuts):
            for cut in cuts:
                total.add(Step(of, (cut,)), factor)
        case Cell() | Distance() | Sigmoid() | Largest():
            total.add(expression, factor)
        case _:
            assert_never(expression)


def added_by(total: FlatSum, column: int, rows: NDArray[Any]) -> NDArray[np.float64]:
    """Return what a column adds to a sum; to a hidden unit, what it is by this column alone.

    Parameters
    ----------
    total : FlatSum
        The sum.
    column : int
        One of its columns.
    rows : ndarray of shape (n_rows, n_columns)
        Numbers and codes.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits.expression import Cell, Sum
    >>> from miter.splits.sums import added_by, flatten
    >>> total = flatten((1.0, Sum(((2.0, Cell(0)), (3.0, Cell(1))))))
    >>> added_by(total, 1, np.array([[5.0, 7.0]]))
    array([21.])
    """
    own = FlatSum()
    for part, factor in total.factors.items():
        if column_of(part) == column:
            own.add(part, factor)
        elif isinstance(part, Sigmoid) and column in columns_of(part):
            own.add(Sigmoid(_only(part, column)), factor)
    if column in total.missing:
        own.add_missing(column, total.missing[column])
    return evaluate(own.expression, rows)


def _only(unit: Sigmoid, column: int) -> Expression:
    """Return a hidden unit's sum with one of its columns only."""
    total = flatten((1.0, unit.of))
    own = {part: f for part, f in total.factors.items() if column_of(part) == column}
    return FlatSum(0.0, own, {column: total.missing.get(column, 0.0)}).expression


def columns_of(expression: Expression) -> frozenset[int]:
    """Return the columns that an expression reads.

    Examples
    --------
    >>> from miter.splits.expression import Cell, Step, Sum
    >>> from miter.splits.sums import columns_of
    >>> sorted(columns_of(Step(Sum(((1.0, Cell(4)), (-1.0, Cell(2)))), (0.0,))))
    [2, 4]
    """
    match expression:
        case Constant():
            return frozenset()
        case Cell(column) | Distance(column) | Lookup(column):
            return frozenset([column])
        case IfMissing(column, missing, known):
            return columns_of(missing) | columns_of(known) | {column}
        case Sum(parts):
            return frozenset().union(*(columns_of(part) for _, part in parts))
        case Step(of) | Sigmoid(of):
            return columns_of(of)
        case Largest(of):
            return frozenset().union(*map(columns_of, of))
    assert_never(expression)


def count_terms(expression: Expression) -> int:
    """Return how many terms a person reads in a test.

    One for a test of one column; for a sum one for each number, condition, side of a bent number
    and value of a symbol in it; for the largest of K sums K - 1 times the terms of one, because one
    of them can be taken from all; for a network the terms of all hidden units.

    Parameters
    ----------
    expression : Expression
        What a split computes.

    Examples
    --------
    >>> from miter.splits import Linear, Term, Threshold
    >>> from miter.splits.sums import count_terms
    >>> count_terms(Threshold(0, (1.5,)).expression)
    1
    >>> count_terms(Linear((Term.number(0, 1.0), Term.bent(1, 40.0, -1.0, 2.0)), 3.0).expression)
    3
    """
    match expression:
        case IfMissing(_, _, known):
            return count_terms(known)
        case Lookup():
            return 1
        case Step(of) if _is_of_one_column(of):
            return 1
        case Largest(of):
            if _is_of_one_column(expression):
                return 1
            parts = dict.fromkeys(part for one in of for part in flatten((1.0, one)).factors)
            return max(len(of) - 1, 1) * sum(map(_terms_of_part, parts))
        case Step(of):
            expression = of
    return sum(map(_terms_of_part, flatten((1.0, expression)).factors))


def _terms_of_part(part: Part) -> int:
    match part:
        case Sigmoid(of):
            return sum(map(_terms_of_part, flatten((1.0, of)).factors))
        case Step() | Largest():
            return count_terms(part)
    return 1


def _is_of_one_column(expression: Expression) -> bool:
    """Whether a person need not add anything: a curve of one column is still one to be added up."""
    return len(columns_of(expression)) <= 1 and not _has_curve(expression)


def _has_curve(expression: Expression) -> bool:
    match expression:
        case Sigmoid():
            return True
        case Sum(parts):
            return any(_has_curve(part) for _, part in parts)
        case Largest(of):
            return any(map(_has_curve, of))
        case Step(of) | IfMissing(_, _, of):
            return _has_curve(of)
    return False
