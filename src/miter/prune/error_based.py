"""Error-based pruning: a subtree gives way to a leaf, or to its largest branch.

Quinlan 1993, *C4.5: programs for machine learning*, chapter 4: no rows are held out; each leaf is
feared to make as many errors as the upper confidence limit of the binomial says.

Differs from C4.5: the limit is exact (see `miter.prune.confidence`), and of trees that are feared
to make the same errors the smaller is taken, where C4.5 gives it a tenth of an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number
from miter.data.table import Data
from miter.growing.growth import Drawn, Growth
from miter.prune.confidence import feared_errors
from miter.prune.pruning import Pruning
from miter.splits import SHARE, Split
from miter.tree import RowsElsewhere, Tree

__all__ = ["ErrorBased"]


@dataclass(frozen=True)
class ErrorBased(Pruning):
    """Replace a subtree by a leaf, or by its largest branch, where fewer errors are feared of it.

    From the leaves up. Where a branch takes the place of its node (subtree raising), the rows of
    the other branches go through it too, and it is pruned anew for them. Where mistakes differ in
    cost, the cost of mistakes is feared, one of average cost counting 1.

    Parameters
    ----------
    confidence : float
        A smaller one prunes more.
    raising : bool
        Whether branches may rise. That needs the rows that the tree was grown on.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import ErrorBased
    >>> from miter.splitters import UnivariateSplitter
    >>> data = led(300, seed=1)
    >>> tree = grow(data, UnivariateSplitter(criterion="gain"))
    >>> ErrorBased().prune(tree, data).n_leaves < tree.n_leaves
    True
    """

    confidence: float = 0.25
    raising: bool = True

    def __post_init__(self) -> None:
        check_number("confidence", self.confidence, above=0, below=1)

    def grow(self, growth: Growth) -> Tree:
        """Return the tree, grown on all rows and pruned with them."""
        return growth.grow(prune=self.prune)

    def grow_many(self, growth: Growth, samples: Sequence[Drawn]) -> list[Tree]:
        """Return a tree for each sample of the rows, pruned with that sample."""
        return growth.grow_samples(samples, prune=self.prune)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None) -> Tree:
        """Return the pruned tree.

        Parameters
        ----------
        tree : Tree
            As it was grown.
        validation : Data or None
            Not other rows, but those that the tree was grown on; None: no branch rises.
        """
        if not isinstance(validation, Data) or not self.raising:
            return tree.cut(_as_leaves(tree, self.confidence))
        search = _Search(tree, validation, self.confidence)
        search.prune(0, _Part.whole(validation))
        pruned = tree.cut(search.becomes_leaf, search.raised)
        return pruned.recounted(validation) if (search.raised >= 0).any() else pruned


def _as_leaves(tree: Tree, confidence: float) -> NDArray[np.bool_]:
    """Return which nodes are feared to make no more errors as leaves than their branches."""
    weight = tree.counts.sum(axis=1)
    as_leaf = feared_errors(tree.training_losses.min(axis=1), weight, confidence)
    below = np.where(tree.is_leaf, as_leaf, 0.0)
    becomes_leaf = tree.is_leaf.copy()
    for first, last in reversed([(0, 1), *tree.levels_below_root]):
        own = slice(first, last)
        # Rounding in sums of fractional rows must not decide.
        becomes_leaf[own] |= as_leaf[own] <= below[own] + 1e-9
        below[own] = np.where(becomes_leaf[own], as_leaf[own], below[own])
        if first > 0:
            np.add.at(below, tree.parent[own], below[own])
    return becomes_leaf


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows at a node, by their numbers, and how much of each is there."""

    rows: NDArray[np.intp]
    weight: NDArray[np.float64]

    @classmethod
    def whole(cls, data: Data) -> _Part:
        return cls(np.arange(data.n_rows), data.weight_of())

    def where(self, is_in: NDArray[np.bool_], factor: NDArray[np.float64] | None = None) -> _Part:
        weight = self.weight if factor is None else self.weight * factor
        return _Part(self.rows[is_in], weight[is_in])


#: A node, and rows that come to it.
_At = tuple[int, _Part]


class _Search:
    """What becomes of the nodes of a tree, decided from the leaves up.

    `becomes_leaf` and `raised` are what `Tree.cut` takes.
    """

    def __init__(self, tree: Tree, data: Data, confidence: float) -> None:
        self.tree, self.data, self.confidence = tree, data, confidence
        self.splits: list[Split | None] = list(tree.splits)
        self.becomes_leaf = tree.is_leaf.copy()
        self.raised = np.full(tree.n_nodes, -1)

    def prune(self, top: int, part: _Part) -> float:
        """Prune what lies below a node for the rows that come to it; return the errors feared."""
        top = self._now(top)
        feared: dict[int, float] = {}
        # A stack in place of calls, because a tree may be deeper than Python can call.
        for node, own, ends, below in reversed(list(self._walk(top, part))):
            as_leaf = self._as_leaf(own)
            as_split = ends + sum(feared[child] for child, _ in below)
            feared[node] = self._settle(node, own, as_leaf, as_split, below)
        return feared[top]

    def _settle(
        self, node: int, part: _Part, as_leaf: float, as_split: float, below: list[_At]
    ) -> float:
        """Decide what becomes of a node whose branches are settled; return the errors feared."""
        if self.becomes_leaf[node]:
            return as_leaf
        largest, _ = max(below, key=lambda pair: pair[1].weight.sum())
        risen = self._estimate(largest, part)
        if as_leaf <= min(as_split, risen) + 1e-9:
            self.becomes_leaf[node] = True
            return as_leaf
        if risen <= as_split + 1e-9:
            self.raised[node] = largest
            return self.prune(largest, part)
        return as_split

    def _now(self, node: int) -> int:
        """Return the node that stands in a node's place."""
        while self.raised[node] >= 0:
            node = int(self.raised[node])
        return node

    def _estimate(self, node: int, part: _Part) -> float:
        """Return the errors feared of a branch, as it is now, if these rows came to it."""
        walk = self._walk(node, part)
        return sum(ends + (0.0 if below else self._as_leaf(own)) for _, own, ends, below in walk)

    def _walk(self, node: int, part: _Part) -> Iterator[tuple[int, _Part, float, list[_At]]]:
        """Yield the nodes below one, as they are now, before what lies below them.

        With its rows, the errors feared of those that end there, and its branches with theirs.
        """
        stack = [(self._now(node), part)]
        while stack:
            node, part = stack.pop()
            ends, below = (0.0, []) if self.becomes_leaf[node] else self._send(node, part)
            yield node, part, ends, below
            stack += below

    def _as_leaf(self, part: _Part) -> float:
        losses = self.data.losses(part.rows, part.weight)
        return self._feared(float(losses.min()), part)

    def _feared(self, errors: float, part: _Part) -> float:
        return float(feared_errors(errors, part.weight.sum(), self.confidence))

    def _send(self, node: int, part: _Part) -> tuple[float, list[_At]]:
        """Return the errors feared of rows that end at a node, and its branches with their rows."""
        split = self.splits[node]
        assert split is not None  # only leaves have none
        branch = split.route(self.data.X[part.rows])
        first = int(self.tree.first_child[node])
        below = []
        is_shared = branch == SHARE
        for b in range(split.n_branches):
            factor = np.where(is_shared, self.tree.share[first + b], 1.0)
            own = part.where((branch == b) | is_shared, factor)
            below.append((self._now(first + b), own))
        staying = part.where(branch < SHARE)
        if len(staying.rows) == 0:
            return 0.0, below
        answer = int(self.data.losses(part.rows, part.weight).argmin())
        errors = float(self.data.losses(staying.rows, staying.weight)[answer])
        return self._feared(errors, staying), below
