"""Hyperplanes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import Step, Sum, evaluate
from miter.splits.terms import Term, TermSplit, pack_terms, unpack_terms

__all__ = ["Linear"]


@dataclass(frozen=True)
class Linear(TermSplit):
    """Tests a linear combination of columns: one hyperplane, two branches.

    Parameters
    ----------
    terms : tuple of Term
        The columns that count, with one output.
    threshold : float
        Branch 0 takes rows whose sum is at most this.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Linear, Term
    >>> split = Linear((Term.number(0, 1.0), Term.number(1, -1.0)), 0.0)
    >>> split.route(np.array([[1.0, 2.0], [2.0, 1.0]]))
    array([0, 1], dtype=int32)
    """

    terms: tuple[Term, ...]
    threshold: float

    code: ClassVar[int] = 3
    name: ClassVar[str] = "linear"

    @property
    def n_branches(self) -> int:
        """Two."""
        return 2

    @cached_property
    def expression(self) -> Step:
        """Whether the sum is above the threshold."""
        total = Sum(tuple((1.0, term.expression(0)) for term in self.terms))
        return Step(total, (self.threshold,))

    def excess(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return what the sum of every row exceeds the threshold by."""
        return evaluate(self.expression.of, X) - self.threshold

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        ints, reals = pack_terms(self.terms)
        return [len(self.terms), *ints], [self.threshold, *reals]

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        return cls(unpack_terms(ints[1:], reals[1:], 1), float(reals[0]))
