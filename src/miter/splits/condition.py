"""What holds for the rows that take a branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.splits.split import Split

__all__ = ["Condition"]


@dataclass(frozen=True)
class Condition:
    """A split and one of its branches.

    Of the conditions of a split at most one holds for a row. None holds for a row that is shared
    out over all branches, because a value is missing, or that no branch fits.

    Parameters
    ----------
    split : Split
        What is tested.
    branch : int
        Where it leads.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema
    >>> from miter.splits import Condition, Threshold
    >>> is_tall = Condition(Threshold(0, (1.8,)), 1)
    >>> is_tall.holds(np.array([[1.7], [1.9], [np.nan]]))
    array([False,  True, False])
    >>> is_tall.say(Schema((Column("height", "numeric"),)))
    'height > 1.8'
    """

    split: Split
    branch: int

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""
        return self.split.columns

    def holds(self, X: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for every row whether all of it takes the branch."""
        return self.split.route(X) == self.branch

    def say(self, schema: Schema) -> str:
        """Say the condition in words."""
        return self.split.say(schema, self.branch)
