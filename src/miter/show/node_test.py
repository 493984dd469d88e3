"""A node's test, the rows that come to it, and what it makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.show.rows import ShownRows
from miter.splits import Split
from miter.splits.expression import IfMissing, Largest, Sigmoid, Step, evaluate
from miter.splits.spoken import Spoken, Test, simplify
from miter.splits.sums import FlatSum, added_by, columns_of, flatten
from miter.splits.words import Question, Wording, say_question

__all__ = ["NodeTest"]

#: How often the values of a column are exchanged to see what a network makes of them.
N_TRIALS = 20


@dataclass(frozen=True, eq=False)
class NodeTest:
    """A test, the rows that come to it, and what it makes of them.

    Parameters
    ----------
    split : Split
        The test.
    spoken : Spoken
        As it is said.
    rows : ShownRows
        Those that come there.
    """

    split: Split
    spoken: Spoken
    rows: ShownRows

    @cached_property
    def test(self) -> Test:
        """The test in its simplest form."""
        return _known(simplify(self.split.expression, self.rows.schema))

    @cached_property
    def question(self) -> Question:
        """What is asked, and what leads to each branch."""
        wording = Wording(self.spoken.order, 4)
        return say_question(self.spoken.test, self.rows.schema, self.split.n_branches, wording)

    @property
    def column(self) -> int | None:
        """The one column that is asked about."""
        return self.question.column

    @property
    def cut(self) -> float:
        """What the one sum is compared with."""
        assert isinstance(self.test, Step)
        return self.test.cuts[0]

    @cached_property
    def sums(self) -> list[FlatSum]:
        """The sums that are compared: with a cut, or with each other."""
        assert isinstance(self.test, Step | Largest)
        of = self.test.of if isinstance(self.test, Largest) else (self.test.of,)
        return [flatten((1.0, one)) for one in of]

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        """The sums of every row, rows x sums."""
        return self._totals(self.rows.matrix)

    def _totals(self, matrix: NDArray[Any]) -> NDArray[np.float64]:
        return np.column_stack([evaluate(total.expression, matrix) for total in self.sums])

    @cached_property
    def columns(self) -> list[int]:
        """The columns of the sums, those that do most first."""
        tested = sorted(columns_of(self.split.expression))
        if not self.is_curved:
            return list(dict.fromkeys((*self.spoken.order, *tested)))
        change = {c: float(np.mean(self._without(c) ** 2)) for c in tested}
        return sorted(tested, key=lambda column: -change[column])

    @cached_property
    def added(self) -> NDArray[np.float64]:
        """What columns add to the sums of rows, more than if their values were any row's.

        Rows x columns x sums.
        """
        return np.stack([self._without(c).mean(axis=0) for c in self.columns], axis=1)

    def _without(self, column: int) -> NDArray[np.float64]:
        """Return what the sums of rows lose with the values of other rows in a column.

        Trials x rows x sums; where columns are only added up, one trial tells the mean of all.
        """
        matrix = self.rows.matrix
        if not self.is_curved:
            added = np.column_stack([added_by(total, column, matrix) for total in self.sums])
            return (added - added.mean(axis=0))[None]
        random, lost = np.random.default_rng(0), []
        for _ in range(N_TRIALS):
            other = matrix.copy()
            other[:, column] = random.permutation(matrix[:, column])
            lost.append(self.totals - self._totals(other))
        return np.array(lost)

    @cached_property
    def is_curved(self) -> bool:
        """Whether columns go through hidden units."""
        is_sum = isinstance(self.test, Step | Largest) and self.column is None
        return is_sum and any(isinstance(part, Sigmoid) for s in self.sums for part in s.factors)


def _known(test: Test) -> Test:
    return _known(test.known) if isinstance(test, IfMissing) else test
