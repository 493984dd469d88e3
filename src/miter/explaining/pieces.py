"""Tests as sums of what single columns add: linear in pieces for a number, a table for a symbol.

Read from the expressions of splits, so that no kind of split is known here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
    columns_of,
    evaluate,
)

__all__ = ["CurvedError", "Inequality", "Part", "SumTest", "ValueTest", "read_test"]


class CurvedError(Exception):
    """A test that is not a sum of what single columns add."""


@dataclass(frozen=True, eq=False)
class Part:
    """What one column adds to each of several sums.

    Parameters
    ----------
    column : int
        Which.
    missing : ndarray of shape (n_sums,)
        What a missing value adds.
    table : ndarray of shape (n_values, n_sums), optional
        What each value of a symbol adds; None for a number.
    knots : ndarray
        Where the pieces of a number meet, ascending.
    slope, constant : ndarray of shape (n_pieces, n_sums)
        What a number x adds in each piece is ``slope * x + constant``.
    """

    column: int
    missing: NDArray[np.float64]
    table: NDArray[np.float64] | None
    knots: NDArray[np.float64]
    slope: NDArray[np.float64]
    constant: NDArray[np.float64]

    def at(self, value: float) -> NDArray[np.float64]:
        """Return what a value adds to each sum."""
        if value != value:
            return self.missing
        if self.table is not None:
            return self.table[int(value)]
        # A number at a knot belongs to the piece below it, as everywhere in Miter.
        piece = int(np.searchsorted(self.knots, value))
        added: NDArray[np.float64] = self.slope[piece] * value + self.constant[piece]
        return added


@dataclass(frozen=True, eq=False)
class Inequality:
    """A combination of the sums of a test that is at least, or more than, a bound."""

    factors: NDArray[np.float64]
    bound: float
    is_strict: bool


@dataclass(frozen=True, eq=False)
class ValueTest:
    """A test of one column that has no measure: a branch for each value.

    Parameters
    ----------
    column : int
        Which.
    branch : ndarray of int
        Of each value; below 0 for none.
    missing : int
        The branch of a missing value; below 0 for none.
    """

    column: int
    branch: NDArray[np.intp]
    missing: int


@dataclass(frozen=True, eq=False)
class SumTest:
    """A test that compares sums of what columns add, with numbers or with each other.

    Parameters
    ----------
    parts : tuple of Part
        What the columns add.
    constants : ndarray of shape (n_sums,)
        What is added whatever the row is.
    cuts : tuple of float, optional
        What the one sum is compared with; None where the largest sum decides.
    missing : int
        The branch of a missing value of a test that shares such rows out; 0 for others.
    """

    parts: tuple[Part, ...]
    constants: NDArray[np.float64]
    cuts: tuple[float, ...] | None
    missing: int = 0

    @property
    def n_branches(self) -> int:
        """How many branches there are."""
        return len(self.constants) if self.cuts is None else len(self.cuts) + 1

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""
        return tuple(part.column for part in self.parts)

    def sums(self, row: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of a row."""
        total: NDArray[np.float64] = self.constants.copy()
        for part in self.parts:
            total += part.at(row[part.column])
        return total

    def branch(self, row: NDArray[np.float64]) -> int:
        """Return the branch that a row takes."""
        total = self.sums(row)
        return int(np.argmax(total) if self.cuts is None else (total > self.cuts).sum())

    def inequalities(self, branch: int) -> Iterator[Inequality]:
        """Say what holds for the sums of rows that take a branch."""
        if self.cuts is not None:
            if branch > 0:
                yield Inequality(np.ones(1), self.cuts[branch - 1], True)
            if branch < len(self.cuts):
                yield Inequality(-np.ones(1), -self.cuts[branch], False)
            return
        for other in range(len(self.constants)):
            if other != branch:
                factors = np.zeros(len(self.constants))
                factors[branch], factors[other] = 1.0, -1.0
                yield Inequality(factors, 0.0, other < branch)


def read_test(expression: Expression, schema: Schema) -> SumTest | ValueTest:
    """Return a test as sums of what columns add; `CurvedError` if it is no such test.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.explaining.pieces import read_test
    >>> from miter.splits import Linear, Term
    >>> schema = Schema((Column("a", "numeric"), Column("b", "numeric")))
    >>> test = read_test(Linear((Term.number(0, 2.0), Term.number(1, 3.0)), 5.0).expression, schema)
    >>> [part.slope.tolist() for part in test.parts], test.cuts
    ([[[2.0]], [[3.0]]], (5.0,))
    """
    missing = 0
    if isinstance(expression, IfMissing) and isinstance(expression.missing, Constant):
        missing, expression = int(expression.missing.value), expression.known
    match expression:
        case Lookup(column, values, otherwise):
            return ValueTest(column, np.array(values, np.intp), int(otherwise))
        case Step(of, cuts):
            return SumTest(*_read_sums([of], schema), cuts, missing)
        case Largest(of):
            return SumTest(*_read_sums(of, schema), None)
    raise CurvedError


def _read_sums(
    sums: Sequence[Expression], schema: Schema
) -> tuple[tuple[Part, ...], NDArray[np.float64]]:
    constants = np.zeros(len(sums))
    by_column: dict[int, list[list[tuple[float, Expression]]]] = {}
    for number, total in enumerate(sums):
        for factor, part in _flat(total):
            columns = columns_of(part)
            if not columns:
                constants[number] += factor * evaluate(part, np.empty((1, 0)))[0]
            elif len(columns) > 1:
                raise CurvedError
            else:
                own = by_column.setdefault(columns[0], [[] for _ in sums])
                own[number].append((factor, part))
    parts = (_read_part(column, by_column[column], schema) for column in by_column)
    return tuple(parts), constants


def _flat(expression: Expression) -> Iterator[tuple[float, Expression]]:
    if isinstance(expression, Sum):
        for factor, part in expression.parts:
            for inner, piece in _flat(part):
                yield factor * inner, piece
    else:
        yield 1.0, expression


def _read_part(column: int, sums: list[list[tuple[float, Expression]]], schema: Schema) -> Part:
    totals = [Sum(tuple(parts)) for parts in sums]
    unknown = np.full((1, schema.n_columns), np.nan)
    missing = np.array([evaluate(total, unknown)[0] for total in totals])
    nothing = np.empty(0)
    if schema.columns[column].is_symbolic:
        rows = np.full((len(schema.columns[column].values), schema.n_columns), np.nan)
        rows[:, column] = np.arange(len(rows))
        table = np.column_stack([evaluate(total, rows) for total in totals])
        return Part(column, missing, table, nothing, nothing, nothing)
    knots = np.array(sorted({knot for total in totals for knot in _knots(total)}))
    ends = np.concatenate([[-np.inf], knots, [np.inf]])
    pieces = [[_line(total, lo, hi) for total in totals] for lo, hi in itertools.pairwise(ends)]
    lines = np.array(pieces, float).reshape(len(pieces), len(totals), 2)
    return Part(column, missing, None, knots, lines[..., 0], lines[..., 1])


def _knots(expression: Expression) -> Iterator[float]:
    match expression:
        case Distance(_, centre, _):
            yield centre
        case Step(Cell(), cuts):
            yield from cuts
        case Sum(parts):
            for _, part in parts:
                yield from _knots(part)
        case IfMissing(_, _, known):
            yield from _knots(known)
        case Step() | Sigmoid() | Largest():
            raise CurvedError


def _line(expression: Expression, low: float, high: float) -> tuple[float, float]:
    """Return slope and constant of an expression of one number between two knots."""
    match expression:
        case Constant(value):
            return 0.0, value
        case Cell():
            return 1.0, 0.0
        case Distance(_, centre, is_above):
            sign = 1.0 if is_above else -1.0
            is_there = low >= centre if is_above else high <= centre
            return (sign, -sign * centre) if is_there else (0.0, 0.0)
        case Step(Cell(), cuts):
            return 0.0, float(sum(cut <= low for cut in cuts))
        case IfMissing(_, _, known):
            return _line(known, low, high)
        case Sum(parts):
            lines = [(factor, _line(part, low, high)) for factor, part in parts]
            return sum(f * line[0] for f, line in lines), sum(f * line[1] for f, line in lines)
    raise CurvedError
