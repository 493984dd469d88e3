"""Linear machines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import Largest
from miter.splits.terms import Term, TermSplit, pack_terms, sum_of_terms, unpack_terms

__all__ = ["Machine"]


@dataclass(frozen=True)
class Machine(TermSplit):
    """A linear machine: as many discriminants as branches; the largest decides.

    Parameters
    ----------
    constants : tuple of float
        One a discriminant.
    terms : tuple of Term
        The columns that count, with an output for each discriminant.
    classes : tuple of int
        The class that each discriminant speaks for.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Machine, Term
    >>> machine = Machine((0.0, 0.0), (Term.number(0, 1.0, -1.0),), (0, 1))
    >>> machine.route(np.array([[3.0], [-2.0]]))
    array([0, 1], dtype=int32)
    """

    constants: tuple[float, ...]
    terms: tuple[Term, ...]
    classes: tuple[int, ...]

    code: ClassVar[int] = 4
    name: ClassVar[str] = "machine"

    @property
    def n_branches(self) -> int:
        """One a discriminant."""
        return len(self.constants)

    @cached_property
    def expression(self) -> Largest:
        """Which discriminant is largest."""
        sums = (sum_of_terms(self.terms, k, c) for k, c in enumerate(self.constants))
        return Largest(tuple(sums), self.classes)

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        ints, reals = pack_terms(self.terms)
        head = [len(self.constants), len(self.terms), *self.classes]
        return [*head, *ints], [*self.constants, *reals]

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        n_outputs = int(ints[0])
        terms = unpack_terms(ints[2 + n_outputs :], reals[n_outputs:], n_outputs)
        constants = tuple(reals[:n_outputs].tolist())
        return cls(constants, terms, tuple(ints[2 : 2 + n_outputs].tolist()))
