"""What spoke for the branch that a row took, and what against: contributions to a margin.

A column's contribution is what its value adds to the margin between the branch taken and the next
best, compared with not knowing the value. Together with the margin of a row of which nothing is
known they sum to the margin. Units of networks pass on what they get in the same parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from miter.splits.expression import (
    Constant,
    Expression,
    IfMissing,
    Largest,
    Sigmoid,
    Step,
    Sum,
    columns_of,
    evaluate,
)

__all__ = ["Reasons", "reasons_of"]


@dataclass(frozen=True, eq=False)
class Reasons:
    """Why a row took a branch.

    Parameters
    ----------
    branch : int
        The branch taken.
    rival : int
        The branch that is next best; the same where there is no measure.
    margin : float
        How far the row is from taking that, in the units of the test; NaN where there is none.
    without : float
        The margin of a row of which nothing is known.
    contributions : mapping of int to float
        What each column's value adds to that.
    """

    branch: int
    rival: int
    margin: float
    without: float
    contributions: Mapping[int, float]


def reasons_of(expression: Expression, row: NDArray[np.float64]) -> Reasons:
    """Return why a row takes the branch that a test sends it to.

    Parameters
    ----------
    expression : Expression
        What a split computes; the row must take one of its branches.
    row : ndarray of shape (n_columns,)
        Numbers and codes.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.explaining.reasons import reasons_of
    >>> from miter.splits import Linear, Term
    >>> test = Linear((Term.number(0, 2.0, missing=1.0), Term.number(1, -1.0)), 3.0)
    >>> reasons = reasons_of(test.expression, np.array([4.0, 2.0]))
    >>> reasons.branch, reasons.margin, reasons.without, dict(reasons.contributions)
    (1, 3.0, -2.0, {0: 7.0, 1: -2.0})
    """
    branch = int(evaluate(expression, row[None])[0])
    if isinstance(expression, IfMissing) and isinstance(expression.missing, Constant):
        expression = expression.known
    match expression:
        case Step(of, cuts):
            return _of_step(of, cuts, row, branch)
        case Largest(of):
            sums = [_divide(part, row) for part in of]
            totals = np.array([known for known, _, _ in sums])
            totals[branch] = -np.inf
            rival = int(np.argmax(totals))
            return _between(sums[branch], sums[rival], branch, rival)
    return Reasons(branch, branch, np.nan, np.nan, dict.fromkeys(columns_of(expression), np.nan))


#: A value, its value where nothing is known, and each column's part of the difference.
Divided = tuple[float, float, Counter[int]]


def _of_step(
    of: Expression, cuts: tuple[float, ...], row: NDArray[np.float64], branch: int
) -> Reasons:
    known, unknown, parts = _divide(of, row)
    ways = []
    if branch > 0:
        ways.append((known - cuts[branch - 1], 1.0, branch - 1))
    if branch < len(cuts):
        ways.append((cuts[branch] - known, -1.0, branch + 1))
    margin, sign, rival = min(ways)
    cut = cuts[branch - 1] if sign > 0 else cuts[branch]
    if len(columns_of(of)) == 1:  # all of it is the one column's
        return Reasons(branch, rival, margin, 0.0, {columns_of(of)[0]: margin})
    contributions = {column: sign * part for column, part in parts.items()}
    return Reasons(branch, rival, margin, sign * (unknown - cut), contributions)


def _between(best: Divided, other: Divided, branch: int, rival: int) -> Reasons:
    contributions = Counter(best[2])
    contributions.subtract(other[2])
    margin, without = best[0] - other[0], best[1] - other[1]
    return Reasons(branch, rival, margin, without, dict(contributions))


def _divide(expression: Expression, row: NDArray[np.float64]) -> Divided:
    columns = columns_of(expression)
    if len(columns) <= 1:
        nothing = np.full_like(row, np.nan)
        known = float(evaluate(expression, row[None])[0])
        unknown = float(evaluate(expression, nothing[None])[0])
        unknown = known if np.isnan(unknown) else unknown
        return known, unknown, Counter(dict.fromkeys(columns, known - unknown))
    match expression:
        case Sum(parts):
            total: Divided = 0.0, 0.0, Counter()
            for factor, part in parts:
                known, unknown, shares = _divide(part, row)
                summed = Counter(total[2])
                summed.update({column: factor * share for column, share in shares.items()})
                total = total[0] + factor * known, total[1] + factor * unknown, summed
            return total
        case Sigmoid(of):
            known, unknown, shares = _divide(of, row)
            before, after = float(expit(unknown)), float(expit(known))
            gone = known - unknown
            steep = (after - before) / gone if gone else before * (1 - before)
            return after, before, Counter({c: steep * share for c, share in shares.items()})
    raise TypeError(f"{type(expression).__name__} cannot be divided among its columns")
