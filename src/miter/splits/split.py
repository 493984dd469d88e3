"""What every kind of split can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.splits.expression import Expression, evaluate
from miter.splits.spoken import speak
from miter.splits.sums import count_terms
from miter.splits.words import say_branch

__all__ = ["SHARE", "STAY", "ColumnSplit", "Split"]

#: The branch of a missing value that goes to every branch, with a fraction of its weight each.
SHARE = -1
#: No branch fits: the row ends at this node and gets its answer.
STAY = -2


class Split(ABC):
    """A function from a row to a branch number.

    A kind is a frozen dataclass: its fields are what model files hold. It says once what it
    computes, as an expression; routes and words follow.
    """

    #: Its number in the native core.
    code: ClassVar[int]
    #: Its name in model files.
    name: ClassVar[str]

    @property
    @abstractmethod
    def n_branches(self) -> int:
        """How many branches there are."""

    @property
    @abstractmethod
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""

    @property
    @abstractmethod
    def expression(self) -> Expression:
        """What is computed: the branch of a row, `SHARE` or `STAY`."""

    @abstractmethod
    def with_missing_as(self, values: NDArray[np.float64]) -> Self:
        """Return the split that sends a missing value where a value of its column goes.

        Parameters
        ----------
        values : ndarray of shape (n_columns,)
            What a missing value counts as in each column.
        """

    @abstractmethod
    def pack(self) -> tuple[list[int], list[float]]:
        """Return the whole and the real numbers that the core reads (src/core/packed.hpp)."""

    @classmethod
    @abstractmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row, `SHARE` or `STAY`; the native core does it faster."""
        return evaluate(self.expression, X).astype(np.int32)

    @property
    def n_terms(self) -> int:
        """How many terms a person reads in it; see `miter.terms`."""
        return count_terms(self.expression)

    def say(self, schema: Schema, branch: int) -> str:
        """Say in words what leads to a branch; numbers may be rounded, see `miter.export_text`."""
        return say_branch(speak(self.expression, schema).test, schema, branch)


class ColumnSplit(Split):
    """A test of one column, which says where its missing values go."""

    column: int
    missing: int

    @property
    def columns(self) -> tuple[int, ...]:
        """The one column."""
        return (self.column,)

    def with_missing_as(self, values: NDArray[np.float64]) -> Self:
        """Return the split that sends a missing value where a value of its column goes.

        Where no training row had that value there is no such branch: it is shared out.
        """
        branch = int(self.route(values[None])[0])
        # Every kind is a dataclass, which the type of `replace` cannot know here.
        return replace(self, missing=max(branch, SHARE))  # type: ignore[type-var]
