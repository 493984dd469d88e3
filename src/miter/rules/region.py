"""Where the rows of a node can be, as linear constraints, and what is sure to hold there.

A column becomes variables between 0 and 1: how far a number is between the least and the largest,
how far it is above and below the centre of a bent term, one for each value of a symbol, and one
that says whether it is missing. Rows are the corners where the last two are 0 or 1; in between lies
more than there is, so that what holds in the region holds for all rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from miter.data.schema import Schema
from miter.splits import SHARE, Category, Condition, Linear, Machine, Split, Term, Threshold
from miter.splits.terms import TermSplit

__all__ = ["Form", "Region", "difference"]


@dataclass(frozen=True, eq=False)
class Form:
    """A linear function of the variables of a region: `weights @ v + constant`."""

    weights: NDArray[np.float64]
    constant: float

    def minus(self, other: Form) -> Form:
        """Return the difference of two."""
        return Form(self.weights - other.weights, self.constant - other.constant)

    @property
    def scaled(self) -> Form:
        """The same with its largest number 1, so that tolerances mean the same everywhere."""
        largest = max(float(np.abs(self.weights).max(initial=0.0)), abs(self.constant), 1e-300)
        return Form(self.weights / largest, self.constant / largest)


@dataclass(frozen=True, eq=False)
class _Variables:
    """Which variables stand for what."""

    n: int
    low: dict[int, float]
    width: dict[int, float]
    number: dict[int, int]
    missing: dict[int, int]
    values: dict[int, list[int]]
    #: Of a column and a centre: how far below, how far above.
    bent: dict[tuple[int, float], tuple[int, int]]

    @classmethod
    def of(cls, schema: Schema, X: NDArray[Any], splits: Iterable[Split]) -> _Variables:
        made = cls(0, {}, {}, {}, {}, {}, {})
        n = 0
        for position, column in enumerate(schema.columns):
            made.missing[position], n = n, n + 1
            if column.is_symbolic:
                made.values[position] = list(range(n, n + len(column.values)))
                n += len(column.values)
                continue
            known = X[:, position][~np.isnan(X[:, position])]
            low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
            made.low[position], made.width[position] = low, max(high - low, 1e-12)
            made.number[position], n = n, n + 1
        for term in (t for split in splits if isinstance(split, TermSplit) for t in split.terms):
            key = term.column, term.centre
            if term.centre is not None and key not in made.bent:
                made.bent[term.column, term.centre], n = (n, n + 1), n + 2
        return replace(made, n=n)


@dataclass(frozen=True, eq=False)
class Region:
    """A part of the space of rows: bounds of variables, and forms that are 0, or 0 or more.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema
    >>> from miter.rules.region import Region
    >>> from miter.splits import Condition, Linear, Term, Threshold
    >>> schema = Schema((Column("x", "numeric"), Column("z", "numeric")))
    >>> sum_of_two = Linear((Term.number(0, 1.0), Term.number(1, 1.0)), 0.5)
    >>> region = Region.of(schema, np.array([[0.0, 0.0], [1.0, 1.0]]), [sum_of_two])
    >>> form = region.form(sum_of_two.terms, 0, -0.5)
    >>> round(region.least(form), 6), round(region.within(Condition(sum_of_two, 1)).least(form), 6)
    (-0.5, 0.0)
    """

    variables: _Variables
    least_value: NDArray[np.float64]
    largest_value: NDArray[np.float64]
    zero: tuple[Form, ...]
    not_negative: tuple[Form, ...] = ()

    @classmethod
    def of(cls, schema: Schema, X: NDArray[Any], splits: Sequence[Split]) -> Region:
        """Return all that lies within the ranges of some rows.

        Parameters
        ----------
        schema : Schema
            What the columns are.
        X : ndarray of shape (n_rows, n_columns)
            Rows: between the least and the largest number of a column lies its range, and the
            values that its rows have; it may be missing if it is so in one of them.
        splits : sequence of Split
            What will be asked about.
        """
        variables = _Variables.of(schema, X, splits)
        low, high = np.zeros(variables.n), np.ones(variables.n)
        zero, not_negative = [], []
        for position in range(schema.n_columns):
            x = X[:, position]
            is_known = ~np.isnan(x)
            missing = variables.missing[position]
            low[missing], high[missing] = float(not is_known.any()), float(not is_known.all())
            if position in variables.values:
                own = variables.values[position]
                seen = np.unique(x[is_known]).astype(int)
                high[own] = np.isin(np.arange(len(own)), seen)
                if (seen >= len(own)).any():
                    high[missing] = 1.0  # a value never seen is as good as missing
                zero.append(_form(variables.n, {missing: 1.0, **dict.fromkeys(own, 1.0)}, -1.0))
            else:
                number = variables.number[position]
                not_negative.append(_form(variables.n, {missing: -1.0, number: -1.0}, 1.0))
        for (position, centre), (below, above) in variables.bent.items():
            # x - centre, where it is known, is what is above less what is below.
            width = variables.width[position]
            offset = (variables.low[position] - centre) / width
            number, missing = variables.number[position], variables.missing[position]
            weights = {number: 1.0, missing: -offset, above: -1.0, below: 1.0}
            zero.append(_form(variables.n, weights, offset))
            high[below], high[above] = max(-offset, 0.0), max(1.0 + offset, 0.0)
        return cls(variables, low, high, tuple(zero), tuple(not_negative))

    def form(self, terms: Sequence[Term], output: int, constant: float) -> Form:
        """Return what terms add to one output, and a constant."""
        weights: dict[int, float] = {}

        def add(variable: int, amount: float) -> None:
            weights[variable] = weights.get(variable, 0.0) + amount

        for term in terms:
            position, own = term.column, [row[output] for row in term.weights]
            add(self.variables.missing[position], term.missing[output])
            if term.is_symbolic:
                for variable, weight in zip(self.variables.values[position], own, strict=True):
                    add(variable, weight)
                continue
            width, low = self.variables.width[position], self.variables.low[position]
            if term.centre is None:
                add(self.variables.number[position], own[0] * width)
                # The least number counts unless the value is missing.
                add(self.variables.missing[position], -own[0] * low)
                constant += own[0] * low
            else:
                below, above = self.variables.bent[position, term.centre]
                add(below, -own[0] * width)
                add(above, own[1] * width)
        return _form(self.variables.n, weights, constant)

    def within(self, condition: Condition) -> Region:
        """Return the part of the region where a condition can hold; networks say nothing of it."""
        split, branch = condition.split, condition.branch
        if isinstance(split, Threshold):
            return self._within_cuts(split, branch)
        if isinstance(split, Category):
            return self._within_values(split, branch)
        if isinstance(split, Linear):
            form = self.form(split.terms, 0, -split.threshold)
            return self._where(form if branch == 1 else Form(-form.weights, -form.constant))
        if isinstance(split, Machine):
            forms = [self.form(split.terms, k, c) for k, c in enumerate(split.constants)]
            others = [form for k, form in enumerate(forms) if k != branch]
            return self._where(*(forms[branch].minus(other) for other in others))
        return self

    def _within_cuts(self, split: Threshold, branch: int) -> Region:
        variables, position = self.variables, split.column
        number, missing = variables.number[position], variables.missing[position]
        forms = []
        if branch > 0:  # above the cut, where it is known
            least = (split.cuts[branch - 1] - variables.low[position]) / variables.width[position]
            forms.append(_form(variables.n, {number: 1.0, missing: least}, -least))
        if branch < len(split.cuts):
            most = (split.cuts[branch] - variables.low[position]) / variables.width[position]
            forms.append(_form(variables.n, {number: -1.0, missing: -most}, most))
        return self._missing_as(split.missing, branch, missing)._where(*forms)

    def _within_values(self, split: Category, branch: int) -> Region:
        own = self.variables.values[split.column]
        high = self.largest_value.copy()
        for variable, goes in zip(own, split.branches, strict=True):
            if not (goes == branch or (goes < 0 and branch < SHARE)):
                high[variable] = 0.0
        region = replace(self, largest_value=high)
        return region._missing_as(split.missing, branch, self.variables.missing[split.column])

    def _missing_as(self, goes: int, branch: int, variable: int) -> Region:
        if goes in (branch, SHARE):
            return self
        high = self.largest_value.copy()
        high[variable] = 0.0
        return replace(self, largest_value=high)

    def _where(self, *forms: Form) -> Region:
        return replace(self, not_negative=(*self.not_negative, *(form.scaled for form in forms)))

    def least(self, form: Form, given: Sequence[Form] = ()) -> float:
        """Return a number that a form is sure not to be below, where others are 0 or more.

        The linear program (SciPy's HiGHS) finds its minimum; what is returned follows from the
        program's multipliers alone, by adding up, so that no step of the solver must be believed.
        Minus infinity if there are none; infinity where nothing can be.
        """
        bounded = [*self.not_negative, *(one.scaled for one in given)]
        A, b = _rows([Form(-f.weights, -f.constant) for f in bounded], self.variables.n)
        A_eq, b_eq = _rows(self.zero, self.variables.n)
        bounds = np.column_stack(
            [self.least_value, np.maximum(self.largest_value, self.least_value)]
        )
        if (self.largest_value < self.least_value).any():
            return np.inf
        found = linprog(form.weights, A, b, A_eq, b_eq, bounds, method="highs")
        if found.status == 2:
            return np.inf
        if found.status != 0:
            return -np.inf
        multipliers = np.maximum(-found.ineqlin.marginals, 0.0), -found.eqlin.marginals
        # The least of form + multipliers @ (A v - b) over the bounds alone, v by v.
        rest = form.weights + multipliers[0] @ A + multipliers[1] @ A_eq
        corners = np.minimum(rest * bounds[:, 0], rest * bounds[:, 1]).sum()
        return float(form.constant - multipliers[0] @ b - multipliers[1] @ b_eq + corners)

    def largest_of_least(self, forms: Sequence[Form]) -> float:
        """Return a number that the least of some forms is sure not to be above, anywhere."""
        # One more variable, which is at most every form; what it is at most is minus the least
        # of minus it.
        n = self.variables.n
        wider = Region(
            replace(self.variables, n=n + 1),
            np.append(self.least_value, -1e3),
            np.append(self.largest_value, 1e3),
            tuple(Form(np.append(f.weights, 0.0), f.constant) for f in self.zero),
            tuple(Form(np.append(f.weights, 0.0), f.constant) for f in self.not_negative),
        )
        given = [Form(np.append(f.weights, -1.0), f.constant) for f in forms]
        least = wider._least_unscaled(_form(n + 1, {n: -1.0}, 0.0), given)
        return -least

    def _least_unscaled(self, form: Form, given: Sequence[Form]) -> float:
        region = replace(self, not_negative=(*self.not_negative, *given))
        return region.least(form)


def difference(machine: Machine, one: int, other: int) -> Condition:
    """Return the inequality that makes one discriminant beat another; in a tie the first does.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.rules.region import difference
    >>> from miter.splits import Machine, Term
    >>> machine = Machine((0.0, 1.0), (Term.number(0, 3.0, 1.0),), (0, 1))
    >>> schema = Schema((Column("x", "numeric"),), ("a", "b"))
    >>> difference(machine, 0, 1).say(schema), difference(machine, 1, 0).say(schema)
    ('-2 x <= -1', '-2 x > -1')
    """
    high, low = max(one, other), min(one, other)
    # The later must be larger, the earlier may be equal: so it is in a machine.
    terms = tuple(_between(term, high, low) for term in machine.terms)
    threshold = machine.constants[low] - machine.constants[high]
    return Condition(Linear(terms, threshold), int(one == high))


def _between(term: Term, high: int, low: int) -> Term:
    weights = tuple((row[high] - row[low],) for row in term.weights)
    return replace(term, weights=weights, missing=(term.missing[high] - term.missing[low],))


def _form(n: int, weights: dict[int, float], constant: float) -> Form:
    row = np.zeros(n)
    row[list(weights)] = list(weights.values())
    return Form(row, constant)


def _rows(forms: Sequence[Form], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return matrix and right side of `weights @ v <= -constant`, or of the equation."""
    if not forms:
        return np.zeros((0, n)), np.zeros(0)
    return np.array([f.weights for f in forms]), np.array([-f.constant for f in forms])
