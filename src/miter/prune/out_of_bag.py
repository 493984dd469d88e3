"""Leaves as large as the rows that trees have not seen want them: for forests.

Breiman 2001, *Random forests*, section 3.1: rows that were not drawn for a tree test it for
nothing. On tables whose classes are clear a forest of leaves of one row is best; where labels are
noisy it learns the noise by heart. All sizes are judged on the same trees, cut back: growing
happens once.

Forests are judged by how much of the classes their mean probabilities explain. With p the
probabilities of a row less the shares of the classes, and y the same of its class (1 for that, 0
for others), that is the least mean of |y - a p|^2 over all a: how sure a forest is does not count,
since larger leaves make it less sure and no worse. The few trees that have not seen a row differ
more from their mean than the many of the forest do; what |p|^2 has too much for that is taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number
from miter.data.table import Data
from miter.errors import DataError
from miter.growing.folds import hold_out
from miter.growing.growth import Drawn, Growth, Judges
from miter.prune.pruning import Pruning
from miter.tree import RowsElsewhere, Tree

__all__ = ["OutOfBag"]

#: Sizes double from here on; the last is a quarter of the rows.
LEAST_SIZE = 5
#: So many rows judge, and fewer where classes are many.
JUDGING_ROWS, JUDGING_NUMBERS = 5000, 2**22


@dataclass(frozen=True)
class OutOfBag(Pruning):
    """Make leaves of nodes with few rows; how few, rows that trees have not seen decide.

    All trees of a forest are cut at the same size, in multiples of a row's mean weight, and only
    where that is better by more than a standard error.

    Parameters
    ----------
    share : float
        Part of each class that is held out where a single tree is pruned.

    Examples
    --------
    >>> from miter import BaggedTreesClassifier, TreeClassifier
    >>> from miter.data import led
    >>> from miter.splitters import RandomCutSplitter
    >>> noisy = led(300, noise=0.3, seed=1)
    >>> leaves = []
    >>> for pruning in (None, "out_of_bag"):
    ...     tree = TreeClassifier(RandomCutSplitter(), pruning=pruning)
    ...     forest = BaggedTreesClassifier(tree, n_estimators=20, random_state=0).fit(noisy)
    ...     leaves.append(sum(tree.n_leaves for tree in forest.trees_))
    >>> leaves[0] > 2 * leaves[1]
    True
    """

    share: float = 1 / 3

    def __post_init__(self) -> None:
        check_number("share", self.share, above=0, below=1)

    def grow_many(self, growth: Growth, samples: Sequence[Drawn]) -> list[Tree]:
        """Return a tree for each sample of the rows, all of them cut at one size."""
        trees = growth.grow_samples(samples)
        return _cut(trees, growth.judges(samples, JUDGING_ROWS))

    @property
    def kept_back(self) -> float:
        """The share of the rows that are kept back."""
        return self.share

    def hold_out(self, data: Data, random: np.random.Generator) -> tuple[Data, Data | None]:
        """Hold out the share of every class, at least one row of it growing on."""
        fold = hold_out(data, self.share, random)
        return fold.grown.of(data), fold.left_out.of(data)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None) -> Tree:
        """Return the pruned tree."""
        if validation is None or validation.n_rows == 0:
            raise DataError(
                "out-of-bag pruning needs rows that the tree has not seen; give validation rows, "
                "or prune in another way"
            )
        if not isinstance(validation, Data):
            validation = validation.take(JUDGING_ROWS)
        return _cut([tree], Judges.of(validation, [np.arange(validation.n_rows)]))[0]


def _cut(trees: list[Tree], judges: Judges) -> list[Tree]:
    """Return the trees without nodes below the size that is best for rows they have not seen."""
    n_sizes = max(0, int(np.log2(max(judges.n_rows / 4 / LEAST_SIZE, 0.5))) + 1)
    sizes = judges.row_weight * np.concatenate([[0.0], LEAST_SIZE * 2.0 ** np.arange(n_sizes)])
    # Fractions of rows do not add up exactly; a node of five whole rows must not fail for that.
    size = _best_size(trees, judges, sizes * (1 - 1e-9))
    return [tree.cut(tree.counts.sum(axis=1) < size) for tree in trees] if size > 0 else trees


def _best_size(trees: list[Tree], judges: Judges, sizes: NDArray[np.float64]) -> float:
    """Return the size that explains the classes best, if it is clearly better than the first."""
    data, unseen = judges.data, judges.unseen
    n_classes = data.schema.n_classes
    most = min(JUDGING_ROWS, max(100, JUDGING_NUMBERS // (len(sizes) * n_classes)))
    rows = np.flatnonzero(data.weight_of() > 0)
    rows = rows[np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.intp)]
    place = np.full(data.n_rows, -1)
    place[rows] = np.arange(len(rows))
    shares = data.class_counts() / data.class_counts().sum()
    total = np.zeros((len(sizes), len(rows), n_classes))
    squares = np.zeros((len(sizes), len(rows)))
    n_trees = np.zeros(len(rows))
    for tree, own in zip(trees, unseen, strict=True):
        at = place[own]
        own, at = own[at >= 0], at[at >= 0]
        n_trees[at] += 1
        probabilities = tree.probabilities - shares
        for k, node in enumerate(_ends(tree, data.X[own], sizes)):
            total[k, at] += probabilities[node]
            squares[k, at] += (probabilities[node] ** 2).sum(axis=1)
    known = n_trees >= min(2, len(trees))
    if not known.any():
        return 0.0
    rows, n = rows[known], n_trees[known]
    mean, square = total[:, known] / n[:, None], squares[:, known] / n
    of_mean = (mean**2).sum(axis=2)
    # |p|^2 of the mean of so many trees as the forest has.
    variance = (square - of_mean) * (n / np.maximum(n - 1, 1))
    norm = of_mean + variance * (1 / len(trees) - 1 / n)
    truth = np.eye(n_classes)[data.labels[rows]] - shares
    agreement = (mean * truth).sum(axis=2)
    weight = data.weight_of(rows)
    if (importance := data.importance()) is not None:
        weight = weight * importance[rows]
    return float(sizes[_clearly_best(agreement, norm, weight / weight.mean())])


def _ends(
    tree: Tree, X: NDArray[np.float64], sizes: NDArray[np.float64]
) -> list[NDArray[np.int32]]:
    """Return for each size, ascending, the node where each row ends if smaller nodes are leaves."""
    weight = tree.counts.sum(axis=1)
    node, ends = tree.apply(X, 1), []
    for size in sizes:
        while True:
            above = tree.parent[node]
            climbs = (above >= 0) & (weight[above] < size)
            if not climbs.any():
                break
            node = np.where(climbs, above, node)
        ends.append(node)
    return ends


def _clearly_best(
    agreement: NDArray[np.float64], norm: NDArray[np.float64], weight: NDArray[np.float64]
) -> int:
    """Return which of several p (first axis) explains y best; the first unless one is clearly so.

    Parameters
    ----------
    agreement, norm : ndarray of shape (n_sizes, n_rows)
        Of p and y, and |p|^2.
    weight : ndarray of shape (n_rows,)
        How much each row counts.
    """
    agreeing, length = agreement @ weight, np.maximum(norm @ weight, 1e-12)
    explained = np.where(agreeing > 0, agreeing**2 / length, 0.0)
    best = int(explained.argmax())
    factor = np.maximum(agreeing / length, 0.0)[:, None]
    loss = factor * factor * norm - 2 * factor * agreement
    gain = loss[0] - loss[best]
    return best if weight @ gain > np.sqrt(weight @ gain**2) else 0
