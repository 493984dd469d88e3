"""Tests of one symbol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from miter.splits.expression import Lookup
from miter.splits.split import SHARE, STAY, ColumnSplit

__all__ = ["Category"]


@dataclass(frozen=True)
class Category(ColumnSplit):
    """Tests one symbolic column: a branch for each value, or for each group of values.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    branches : tuple of int
        The branch of each value of the column; -1 for a value that no training row had here: such a
        row ends at this node.
    missing : int
        The branch of a missing value, or `SHARE`.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Category
    >>> Category(column=0, branches=(0, 1, 0)).route(np.array([[0.0], [1.0], [2.0]]))
    array([0, 1, 0], dtype=int32)
    """

    column: int
    branches: tuple[int, ...]
    missing: int = SHARE

    code: ClassVar[int] = 2
    name: ClassVar[str] = "category"

    @property
    def n_branches(self) -> int:
        """How many branches there are."""
        return max(self.branches) + 1

    @property
    def expression(self) -> Lookup:
        """The branch of the value."""
        branches = tuple(branch if branch >= 0 else STAY for branch in self.branches)
        return Lookup(self.column, branches, self.missing)

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        # Only values with a branch are packed: a column may have many thousands of others.
        pairs = [(v, b) for v, b in enumerate(self.branches) if b != -1]
        head = [self.column, self.missing, len(self.branches)]
        return [*head, *(number for pair in pairs for number in pair)], []

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        branches = np.full(ints[2], -1)
        branches[ints[3::2]] = ints[4::2]
        return cls(int(ints[0]), tuple(branches.tolist()), int(ints[1]))
