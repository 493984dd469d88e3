"""What columns add to sums: the terms that linear splits, machines and networks are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import (
    Cell,
    Constant,
    Distance,
    Expression,
    IfMissing,
    Lookup,
    Step,
    Sum,
    evaluate,
)
from miter.splits.split import Split

__all__ = ["Term", "TermSplit", "pack_terms", "sum_of_terms", "unpack_terms"]

#: In place of the number of values of a term in the native core: a bent number, a condition.
BENT, CONDITION = -1, -2


@dataclass(frozen=True)
class Term:
    """What one column adds to a sum, or to several: the outputs.

    It is made by `Term.number`, `Term.bent`, `Term.condition` or `Term.symbol`.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    weights : tuple of tuple of float
        A number's factors, one an output, as the only row; for a symbol what each of its values
        adds, one row a value; for a bent number the factors of its distance from the centre where
        it is below, and where it is above; for a condition what a number above the cut adds.
    missing : tuple of float
        What a missing value adds to each output.
    is_symbolic : bool
        Whether the column is a symbol.
    centre : float, optional
        Where the factors of a bent number change.
    cut : float, optional
        Above which a number meets a condition.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Term
    >>> Term.number(0, 2.0, -1.0).of(np.array([[3.0], [np.nan]]))
    array([[ 6., -3.],
           [ 0.,  0.]])
    """

    column: int
    weights: tuple[tuple[float, ...], ...]
    missing: tuple[float, ...]
    is_symbolic: bool
    centre: float | None = None
    cut: float | None = None

    @classmethod
    def number(cls, column: int, *weights: float, missing: float | Sequence[float] = 0.0) -> Self:
        """Return a number's term: its factor in each output.

        Parameters
        ----------
        column : int
            Position in `Schema.columns`.
        *weights : float
            One an output.
        missing : float or sequence of float
            What a missing value adds, to all outputs or to each.
        """
        return cls(column, (weights,), _row(missing, len(weights)), False)

    @classmethod
    def bent(
        cls,
        column: int,
        centre: float,
        below: float | Sequence[float],
        above: float | Sequence[float],
        *,
        missing: float | Sequence[float] = 0.0,
    ) -> Self:
        """Return the term of a number whose factors change at a centre, where it adds nothing."""
        weights = _row(below), _row(above)
        return cls(column, weights, _row(missing, len(weights[0])), False, centre)

    @classmethod
    def condition(
        cls, column: int, cut: float, *weights: float, missing: float | Sequence[float] = 0.0
    ) -> Self:
        """Return the term of a condition: what a number above a cut adds to each output."""
        return cls(column, (weights,), _row(missing, len(weights)), False, cut=cut)

    @classmethod
    def symbol(
        cls,
        column: int,
        table: Iterable[float | Sequence[float]],
        *,
        missing: float | Sequence[float] = 0.0,
    ) -> Self:
        """Return a symbol's term: what each of its values adds, to the one output or to each."""
        weights = tuple(_row(row) for row in table)
        return cls(column, weights, _row(missing, len(weights[0])), True)

    def expression(self, output: int) -> Expression:
        """Return what the column adds to one output."""
        weights, missing = [row[output] for row in self.weights], self.missing[output]
        if self.is_symbolic:
            return Lookup(self.column, tuple(weights), missing)
        if self.cut is not None:
            known = Sum(((weights[0], Step(Cell(self.column), (self.cut,))),))
        elif self.centre is None:
            known = Sum(((weights[0], Cell(self.column)),))
        else:
            below, above = (Distance(self.column, self.centre, side) for side in (False, True))
            known = Sum(((-weights[0], below), (weights[1], above)))
        return IfMissing(self.column, Constant(missing), known)

    def of(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return what the column adds for every row, rows x outputs."""
        outputs = range(len(self.missing))
        return np.column_stack([evaluate(self.expression(output), X) for output in outputs])


class TermSplit(Split):
    """A test of sums of terms, which say what their missing values add."""

    terms: tuple[Term, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""
        return tuple(term.column for term in self.terms)

    def with_missing_as(self, values: NDArray[np.float64]) -> Self:
        """Return the split whose missing values add what a value of their column adds."""
        terms = (replace(t, missing=tuple(t.of(values[None])[0].tolist())) for t in self.terms)
        # Every kind is a dataclass, which the type of `replace` cannot know here.
        return replace(self, terms=tuple(terms))  # type: ignore[type-var]


def sum_of_terms(terms: Sequence[Term], output: int, constant: float) -> Sum:
    """Return a constant and what the terms add to one output, in the order of the native core."""
    parts = (Constant(constant), *(term.expression(output) for term in terms))
    return Sum(tuple((1.0, part) for part in parts))


def pack_terms(terms: Sequence[Term]) -> tuple[list[int], list[float]]:
    """Return column and number of values of each term, and the weights of each."""
    ints: list[int] = []
    reals: list[float] = []
    for term in terms:
        ints += [term.column, len(term.weights) if term.is_symbolic else 0]
        for code, place in ((BENT, term.centre), (CONDITION, term.cut)):
            if place is not None:
                ints[-1] = code
                reals.append(place)
        for row in (*term.weights, term.missing):
            reals += row
    return ints, reals


def unpack_terms(
    ints: NDArray[np.int32], reals: NDArray[np.float64], n_outputs: int
) -> tuple[Term, ...]:
    """Return the terms that `pack_terms` gave the numbers of; more reals may follow."""
    terms, at = [], 0
    for column, n_values in ints.reshape(-1, 2).tolist():
        centre = float(reals[at]) if n_values == BENT else None
        cut = float(reals[at]) if n_values == CONDITION else None
        at += n_values < 0
        n_rows = 2 if n_values == BENT else max(n_values, 1)
        end = at + (n_rows + 1) * n_outputs
        *weights, missing = map(tuple, reals[at:end].reshape(-1, n_outputs).tolist())
        terms.append(Term(column, tuple(weights), missing, n_values > 0, centre, cut))
        at = end
    return tuple(terms)


def _row(numbers: float | Sequence[float], n_outputs: int = 1) -> tuple[float, ...]:
    return tuple(numbers) if isinstance(numbers, Sequence) else (numbers,) * n_outputs
