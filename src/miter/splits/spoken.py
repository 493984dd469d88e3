"""Tests as they are said: simple where they can be, their numbers in few digits.

What is said can be asked for branches like the test itself, so it is known how often both decide
alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.splits.digits import round_constant, round_weight
from miter.splits.expression import (
    Cell,
    Distance,
    Expression,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    evaluate,
)
from miter.splits.pieces import Pieces, pieces_of
from miter.splits.sums import FlatSum, Is, Part, added_by, column_of, columns_of, flatten

__all__ = ["Spoken", "Test", "simplify", "speak"]

#: What is said: an expression, or the pieces of a line.
Test = Expression | Pieces

#: Digits of weights and of constants, where no rows tell how many are needed.
BLIND = 3, 4
#: What is tried where they do, until the test so said decides alike for all of them.
TRIED = tuple((weight, weight + more) for weight in (2, 3) for more in (0, 1, 2))


@dataclass(frozen=True)
class Spoken:
    """A test as it is said.

    Parameters
    ----------
    test : Expression or Pieces
        What the words mean.
    is_rounded : bool
        Whether some of its numbers are rounded.
    n_rows : int
        Rows that were asked how they are decided.
    agreement : float, optional
        For which part of them the words decide as the test does; None where there are none.
    order : tuple of int
        Columns, those that matter most first.
    """

    test: Test
    is_rounded: bool = False
    n_rows: int = 0
    agreement: float | None = None
    order: tuple[int, ...] = ()


def speak(
    expression: Expression,
    schema: Schema,
    rows: NDArray[Any] | None = None,
    importances: NDArray[np.float64] | None = None,
) -> Spoken:
    """Return a test as it is said.

    Parameters
    ----------
    expression : Expression
        What a split computes.
    schema : Schema
        Its columns.
    rows : ndarray, optional
        Rows that come to the test: its numbers get as few digits as decide alike for all of them,
        two or three if that is enough.
    importances : ndarray of shape (n_columns,), optional
        What orders columns where there are no rows.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema
    >>> from miter.splits import Machine, Term
    >>> from miter.splits.spoken import speak
    >>> from miter.splits.words import say_branch
    >>> schema = Schema((Column("height", "numeric"), Column("weight", "numeric")), ("no", "yes"))
    >>> terms = Term.number(0, 1.01234, -1.0), Term.number(1, -0.5, 1.51515)
    >>> spoken = speak(Machine((0.0, 3.0), terms, (0, 1)).expression, schema)
    >>> say_branch(spoken.test, schema, 0)
    '2.01 height - 2.02 weight >= 3'
    """
    plain = simplify(expression, schema)
    told = None if rows is None else _known(plain, rows)
    order = _order(plain, told, importances)
    blind = _shorten(plain, *BLIND)
    if blind == plain:
        return Spoken(plain, order=order)
    if told is None or not len(told):
        return Spoken(blind, is_rounded=True, order=order)
    wanted, best = _route(plain, told), Spoken(blind, True, len(told), -1.0, order)
    for digits in TRIED:
        test = _shorten(plain, *digits)
        agreement = float(np.mean(_route(test, told) == wanted))
        if agreement > (best.agreement or 0.0):
            best = Spoken(test, True, len(told), agreement, order)
        if agreement == 1:
            break
    return best


def simplify(expression: Expression, schema: Schema) -> Test:
    """Return a test in its simplest form.

    One of one column as a question about that column; two sums as one inequality, with its constant
    on the right.
    """
    columns = columns_of(expression)
    if len(columns) == 1 and not _is_simple(expression):
        asked = _ask_column(expression, next(iter(columns)), schema)
        if asked is not None:
            return asked
    match expression:
        case Largest((first, second)):
            return _inequality(flatten((1.0, second), (-1.0, first)), (0.0,))
        case Largest(of, classes):
            sums = (_without_base(flatten((1.0, one))).expression for one in of)
            return Largest(tuple(sums), classes)
        case Step(of, cuts) if not isinstance(of, Cell):
            return _inequality(flatten((1.0, of)), cuts)
    return expression


def _is_simple(expression: Expression) -> bool:
    match expression:
        case IfMissing(_, _, known):
            return _is_simple(known)
        case Lookup() | Step(Cell()):
            return True
    return False


def _ask_column(expression: Expression, position: int, schema: Schema) -> Test | None:
    column = schema.columns[position]
    if not column.values:
        return pieces_of(expression, position)
    X = np.zeros((len(column.values) + 1, position + 1))
    X[:, position] = [*range(len(column.values)), np.nan]
    *branches, missing = evaluate(expression, X).tolist()
    if column.is_symbolic:
        return Lookup(position, tuple(branches), missing)
    changes = [i for i in range(len(branches) - 1) if branches[i] != branches[i + 1]]
    cuts = tuple(i + 0.5 for i in changes)
    own = (int(branches[0]), *(int(branches[i + 1]) for i in changes))
    return Pieces(position, cuts, (True,) * len(cuts), own)


def _inequality(total: FlatSum, cuts: tuple[float, ...]) -> Step:
    total = _without_base(total)
    cuts = tuple(cut - total.constant for cut in cuts)
    return Step(replace(total, constant=0.0).expression, cuts)


def _without_base(total: FlatSum) -> FlatSum:
    """Return the same sum in which a symbol of two values speaks of one of them only."""
    result = FlatSum(total.constant, dict(total.factors), dict(total.missing))
    for part in total.factors:
        if isinstance(part, Is) and part.n_values == 2 and part.value == 0:
            base = result.factors.pop(part)
            result.constant += base
            result.add(replace(part, value=1), -base)
            result.add_missing(part.column, -base)
    return result


def _known(test: Test, rows: NDArray[Any]) -> NDArray[Any]:
    """Return the rows whose branch words tell: of one column, those that have a value."""
    return rows[~np.isnan(rows[:, test.column])] if isinstance(test, Pieces) else rows


def _route(test: Test, rows: NDArray[Any]) -> NDArray[Any]:
    return test.route(rows) if isinstance(test, Pieces) else evaluate(test, rows)


def _shorten(test: Test, digits: int, constant_digits: int) -> Test:
    match test:
        case Pieces():
            cuts = tuple(round_constant(cut, constant_digits) for cut in test.cuts)
            return replace(test, cuts=cuts)
        case Step(of, cuts) if not isinstance(of, Cell):
            total = _shorten_sum(of, digits, constant_digits)
            cuts = tuple(round_constant(cut - total.constant, constant_digits) for cut in cuts)
            return Step(replace(total, constant=0.0).expression, cuts)
        case Largest(of, classes):
            sums = (_shorten_sum(one, digits, constant_digits) for one in of)
            rounded = (
                replace(one, constant=round_constant(one.constant, constant_digits)) for one in sums
            )
            return Largest(tuple(one.expression for one in rounded), classes)
    return test


def _shorten_sum(of: Expression, digits: int, constant_digits: int) -> FlatSum:
    """Return a sum in few digits; its constant is what keeps a row in the middle where it was."""
    total = flatten((1.0, of))
    result = FlatSum(total.constant, {}, dict(total.missing))
    for part, factor in total.factors.items():
        short = round_weight(factor, digits)
        result.add(_shorten_part(part, digits, constant_digits), short)
        column = column_of(part)
        if isinstance(part, Cell) and column in total.missing:
            # A missing value counts as the mean: there nothing is to change.
            middle = total.missing[column] / factor
            result.add_missing(column, (short - factor) * middle)
            result.constant -= (short - factor) * middle
    return result


def _shorten_part(part: Part, digits: int, constant_digits: int) -> Part:
    match part:
        case Distance(_, centre):
            return replace(part, centre=round_constant(centre, max(constant_digits, BLIND[1])))
        case Sigmoid(of):
            total = _shorten_sum(of, digits, constant_digits)
            constant = round_constant(total.constant, constant_digits)
            return Sigmoid(replace(total, constant=constant).expression)
    return part


def _order(
    test: Test, rows: NDArray[Any] | None, importances: NDArray[np.float64] | None
) -> tuple[int, ...]:
    """Return columns by what they add to the differences between sums, the strongest first."""
    if not isinstance(test, Step | Largest) or (rows is None and importances is None):
        return ()
    columns = sorted(columns_of(test))
    if rows is None or len(rows) < 2:
        strength = {} if importances is None else {c: float(importances[c]) for c in columns}
    else:
        strength = _strengths(test, rows)
    return tuple(sorted(columns, key=lambda column: -strength.get(column, 0.0)))


def _strengths(test: Step | Largest, rows: NDArray[Any]) -> dict[int, float]:
    sums = test.of if isinstance(test, Largest) else (test.of,)
    flat = [flatten((1.0, one)) for one in sums]
    strength = {}
    for column in columns_of(test):
        added = np.column_stack([added_by(total, column, rows) for total in flat])
        if added.shape[1] > 1:
            added = added - added.mean(axis=1, keepdims=True)
        strength[column] = float(np.nanvar(added, axis=0).sum())
    return strength
