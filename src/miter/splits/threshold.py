"""Tests of one number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import Cell, Constant, IfMissing, Step
from miter.splits.split import SHARE, ColumnSplit

__all__ = ["Threshold"]


@dataclass(frozen=True)
class Threshold(ColumnSplit):
    """Tests one numeric or ordered column against one cut, or several.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    cuts : tuple of float
        Ascending. Branch 0 takes ``x <= cuts[0]``, branch 1 ``cuts[0] < x <= cuts[1]``, ...
    missing : int
        The branch of a missing value, or `SHARE`.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Threshold
    >>> Threshold(column=0, cuts=(2.5,), missing=1).route(np.array([[1.0], [3.0], [np.nan]]))
    array([0, 1, 1], dtype=int32)
    """

    column: int
    cuts: tuple[float, ...]
    missing: int = SHARE

    code: ClassVar[int] = 1
    name: ClassVar[str] = "threshold"

    @property
    def n_branches(self) -> int:
        """How many branches there are."""
        return len(self.cuts) + 1

    @property
    def expression(self) -> IfMissing:
        """How many of the cuts the number is above."""
        return IfMissing(self.column, Constant(self.missing), Step(Cell(self.column), self.cuts))

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        return [self.column, self.missing], list(self.cuts)

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        return cls(int(ints[0]), tuple(reals.tolist()), int(ints[1]))
