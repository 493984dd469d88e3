"""Rows of a node as scaled numbers, and weights for them back in the user's units.

Utgoff and Brodley 1991, section 2.2: two-valued symbols become +-1, many-valued ones a +-1 variable
for each value; every variable is scaled by the mean and standard deviation of the node's own rows;
a missing value is 0, the mean. Variables that are constant at the node are left out, and a value
that no row has there counts as missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.level import Node
from miter.splits import Term

__all__ = ["Encoding", "Variable"]


@dataclass(frozen=True)
class Variable:
    """One scaled number: a column, or one value of a symbol (None: a number)."""

    column: int
    value: int | None
    mean: float
    deviation: float


@dataclass(frozen=True, eq=False)
class Encoding:
    """The variables of a node and its rows in terms of them.

    Parameters
    ----------
    variables : tuple of Variable
        What each column of `values` is.
    values : ndarray of shape (n_rows, n_variables)
        Scaled to mean 0 and deviation 1; missing is 0.
    seen : dict
        For each symbolic column that is used, which of its values the node's rows have.
    """

    variables: tuple[Variable, ...]
    values: NDArray[np.float64]
    seen: dict[int, NDArray[np.bool_]]

    @classmethod
    def of(cls, node: Node) -> Encoding:
        """Encode the rows of a node."""
        variables: list[Variable] = []
        columns: list[NDArray[np.float64]] = []
        seen: dict[int, NDArray[np.bool_]] = {}
        for column in node.columns.tolist():
            x = node.X[:, column].astype(float)
            known = ~np.isnan(x)
            n_values = len(node.schema.columns[column].values)
            if not node.schema.columns[column].is_symbolic:
                raw: list[tuple[int | None, NDArray[np.float64]]] = [(None, x)]
            else:
                present = np.bincount(x[known].astype(int), minlength=n_values) > 0
                seen[column] = present
                raw = [(v, np.where(x == v, 1.0, -1.0)) for v in _indicators(present)]
            for value, numbers in raw:
                scaled = _scale(numbers, known, node.weight)
                if scaled is not None:
                    variables.append(Variable(column, value, *scaled[:2]))
                    columns.append(scaled[2])
        values = np.column_stack(columns) if columns else np.empty((len(node.X), 0))
        return cls(tuple(variables), np.ascontiguousarray(values), seen)

    def groups(self, *, by_column: bool) -> NDArray[np.int32]:
        """Return the group of each variable: itself, or all variables of its column."""
        if not by_column:
            return np.arange(len(self.variables), dtype=np.int32)
        columns = [variable.column for variable in self.variables]
        return np.unique(columns, return_inverse=True)[1].astype(np.int32)

    def fold(
        self, weights: NDArray[np.float64], kept: NDArray[np.bool_], n_values: list[int]
    ) -> tuple[NDArray[np.float64], tuple[Term, ...]]:
        """Return constants and terms in the user's units for weights of the scaled variables.

        Parameters
        ----------
        weights : ndarray of shape (n_outputs, n_variables + 1)
            The constant last.
        kept : ndarray of bool
            Which variables are used.
        n_values : list of int
            Values of each column; 0 for numbers.
        """
        constants = weights[:, -1].copy()
        terms = []
        for column in dict.fromkeys(
            v.column for v, k in zip(self.variables, kept, strict=True) if k
        ):
            own = [
                (variable, weights[:, i])
                for i, variable in enumerate(self.variables)
                if variable.column == column and kept[i]
            ]
            if n_values[column] == 0:
                [(variable, w)] = own
                shift = w * variable.mean / variable.deviation
                constants -= shift
                # A missing value stands at the mean: it adds what the constant took off.
                terms.append(_term(column, [w / variable.deviation], shift, False))
            else:
                terms.append(self._fold_symbol(column, own, n_values[column]))
        return constants, tuple(terms)

    def _fold_symbol(
        self, column: int, own: list[tuple[Variable, NDArray[np.float64]]], n_values: int
    ) -> Term:
        n_outputs = len(own[0][1])
        table = np.zeros((n_values, n_outputs))
        for variable, w in own:
            sign = np.where(np.arange(n_values) == variable.value, 1.0, -1.0)
            table += np.outer((sign - variable.mean) / variable.deviation, w)
        table[~self.seen[column]] = 0  # a value not seen here is missing here
        return _term(column, list(table), np.zeros(n_outputs), True)


def _indicators(present: NDArray[np.bool_]) -> list[int]:
    """Return the values that get a variable: one of two, or each of more."""
    values = np.flatnonzero(present).tolist()
    return values[:1] if len(values) == 2 else values


def _scale(
    numbers: NDArray[np.float64], known: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[float, float, NDArray[np.float64]] | None:
    """Return mean, deviation and the scaled numbers; None if they are constant."""
    if not known.any():
        return None
    # In units of the largest number squares neither overflow nor vanish.
    unit = float(np.abs(numbers[known]).max()) or 1.0
    own, weights = numbers[known] / unit, weight[known]
    mean = float(np.average(own, weights=weights))
    deviation = float(np.sqrt(np.average((own - mean) ** 2, weights=weights)))
    # Weights of what differs by less than the least ordinary numbers would overflow.
    if own.min() == own.max() or deviation <= 1e-12 or deviation * unit < 1e-305:
        return None
    scaled = np.zeros(len(numbers))
    scaled[known] = (own - mean) / deviation
    return mean * unit, deviation * unit, scaled


def _term(
    column: int,
    rows: list[NDArray[np.float64]],
    missing: NDArray[np.float64],
    is_symbolic: bool,
) -> Term:
    weights = tuple(tuple(row.tolist()) for row in rows)
    return Term(column, weights, tuple(missing.tolist()), is_symbolic)
