"""Networks with one hidden layer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import Sigmoid, Step, Sum
from miter.splits.terms import Term, TermSplit, pack_terms, sum_of_terms, unpack_terms

__all__ = ["Network"]


@dataclass(frozen=True)
class Network(TermSplit):
    """Tests the output of a network with one hidden layer: a curved boundary, two branches.

    A hidden unit is the sigmoid of a linear combination of columns, written s(...) in words.

    Parameters
    ----------
    constants : tuple of float
        One a hidden unit.
    terms : tuple of Term
        What the columns add to each hidden unit.
    weights : tuple of float
        What each hidden unit is multiplied with.
    threshold : float
        Branch 0 takes rows whose weighted hidden units sum to at most this.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Network, Term
    >>> inside = Network((9.0, 9.0), (Term.number(0, 9.0, -9.0),), (1.0, 1.0), 1.5)
    >>> inside.route(np.array([[-2.0], [0.0], [2.0]]))
    array([0, 1, 0], dtype=int32)
    """

    constants: tuple[float, ...]
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    threshold: float

    code: ClassVar[int] = 5
    name: ClassVar[str] = "network"

    @property
    def n_branches(self) -> int:
        """Two."""
        return 2

    @cached_property
    def expression(self) -> Step:
        """Whether the weighted sigmoids of the hidden units are above the threshold."""
        units = (sum_of_terms(self.terms, h, c) for h, c in enumerate(self.constants))
        total = Sum(tuple((w, Sigmoid(u)) for w, u in zip(self.weights, units, strict=True)))
        return Step(total, (self.threshold,))

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        ints, reals = pack_terms(self.terms)
        head = [len(self.constants), len(self.terms)]
        return [*head, *ints], [*self.constants, *reals, *self.weights, self.threshold]

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        n_hidden = int(ints[0])
        terms = unpack_terms(ints[2:], reals[n_hidden:], n_hidden)
        *weights, threshold = reals[len(reals) - n_hidden - 1 :].tolist()
        return cls(tuple(reals[:n_hidden].tolist()), terms, tuple(weights), threshold)
