"""Pruning by description length: the tree that tells the classes of the rows in the fewest bits.

Mehta, Rissanen and Agrawal 1995, *MDL-based decision tree pruning*: a leaf tells the classes of its
rows by their stochastic complexity. *Lecture 3: Decision Tree Learning* (2D5362): 'minimise
size(tree) + size(misclassifications(tree))', the misclassifications as the exceptions of Quinlan
and Rivest 1989, *Inferring decision trees using the minimum description length principle*.

Differs from the papers: they have tests of one column. Here a real number of any split is told to
the precision that the rows of its node can give it, half the logarithm of their number, and the
columns of a sum by naming their subset.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlogy

from miter.checks import check_choice
from miter.data.table import Data
from miter.prune.pruning import Pruning, best_below, cost_as_leaf, cost_that_stays
from miter.splits import Category, Machine, Network, Split, Threshold
from miter.splits.terms import TermSplit
from miter.tree import RowsElsewhere, Tree

__all__ = ["MinimumDescriptionLength", "bits_of_choice", "bits_of_classes", "bits_of_split"]

LEAVES = ("classes", "misclassifications")


@dataclass(frozen=True)
class MinimumDescriptionLength(Pruning):
    """Find the subtree that takes the fewest bits, together with what it does not tell of the rows.

    A node takes a bit, which says whether it is a leaf; a split what `bits_of_split` says.

    Parameters
    ----------
    leaves : {"classes", "misclassifications"}
        What a leaf tells: the classes of its rows, or its answer and which rows have another class.
        Costs count in misclassifications alone: a mistake of twice the average cost counts twice.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.prune import MinimumDescriptionLength
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(300, seed=1), UnivariateSplitter(criterion="gain"))
    >>> MinimumDescriptionLength().prune(tree).n_leaves < tree.n_leaves
    True
    """

    leaves: str = "classes"

    def __post_init__(self) -> None:
        check_choice("leaves", self.leaves, LEAVES)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None = None) -> Tree:
        """Return the pruned tree; validation rows are not used."""
        as_leaf, as_split = self.bits(tree)
        below = best_below(tree, as_leaf, as_split)
        return tree.cut(as_leaf <= below + 1e-9)

    def bits(self, tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what each node takes as a leaf, and what it takes beside its branches."""
        weight = tree.counts.sum(axis=1)
        # A row that ends at a split, because no branch fits, is told one by one.
        as_split = 1.0 + log2(max(tree.schema.n_classes, 2)) * cost_that_stays(
            tree, tree.training_losses
        )
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            split = tree.splits[node]
            assert split is not None  # only leaves have none
            as_split[node] += bits_of_split(split, tree.schema.n_columns, weight[node])
        if self.leaves == "classes":
            return 1.0 + bits_of_classes(tree.counts), as_split
        errors = cost_as_leaf(tree, tree.training_losses)
        return 1.0 + bits_of_misclassifications(errors, weight, tree.schema.n_classes), as_split


def bits_of_classes(counts: ArrayLike) -> NDArray[np.float64]:
    """Return the stochastic complexity of classes in bits, counts along the last axis.

    Examples
    --------
    >>> from miter.prune.description import bits_of_classes
    >>> bits_of_classes([[8, 0], [4, 4]]).round(2)
    array([ 2.65, 10.65])
    """
    counts = np.asarray(counts, float)
    n, k = counts.sum(axis=-1), counts.shape[-1]
    told = xlogy(n, n) - xlogy(counts, counts).sum(axis=-1)
    model = (k - 1) / 2 * np.log(np.maximum(n, 2.0) / 2) + k / 2 * np.log(pi) - gammaln(k / 2)
    result: NDArray[np.float64] = (told + np.where(n > 0, model, 0.0)) / np.log(2)
    return result


def bits_of_misclassifications(
    errors: ArrayLike, weight: ArrayLike, n_classes: int
) -> NDArray[np.float64]:
    """Return the bits of an answer and of the rows to which it does not apply, with their classes.

    Examples
    --------
    >>> from miter.prune.description import bits_of_misclassifications
    >>> bits_of_misclassifications([0, 1], [8, 8], 2).round(2)
    array([4.17, 7.17])
    """
    n = np.asarray(weight, float)
    e = np.minimum(errors, n)
    which = np.log2(n + 1) + bits_of_choice(n, e)
    result: NDArray[np.float64] = log2(max(n_classes, 2)) + which + e * log2(max(n_classes - 1, 1))
    return result


def bits_of_choice(n: ArrayLike, some: ArrayLike) -> NDArray[np.float64]:
    """Return the logarithm of the number of ways to choose some of n, also of parts of rows."""
    n, some = np.asarray(n, float), np.asarray(some, float)
    logs = gammaln(n + 1) - gammaln(some + 1) - gammaln(n - some + 1)
    result: NDArray[np.float64] = np.maximum(logs, 0.0) / np.log(2)
    return result


def bits_of_split(split: Split, n_columns: int, weight: float) -> float:
    """Return the bits that a split takes.

    One column is named among all, and so is each cut among the gaps between the rows, or the branch
    of each value. Of a sum the columns are named, and each weight and threshold takes half the
    logarithm of the number of rows; the discriminants of a machine count but one, for only their
    differences matter.

    Parameters
    ----------
    split : Split
        What to tell.
    n_columns : int
        Columns that it might have tested.
    weight : float
        Rows of its node.

    Examples
    --------
    >>> from miter.prune.description import bits_of_split
    >>> from miter.splits import Category, Linear, Term, Threshold
    >>> round(bits_of_split(Threshold(0, (1.5,)), 4, weight=17), 6)  # 2 for the column, 4 the cut
    6.0
    >>> bits_of_split(Category(0, (0, 1, 2)), n_columns=4, weight=17)  # a branch for each value
    2.0
    >>> sum_of_two = Linear((Term.number(0, 1.0), Term.number(1, -1.0)), 0.0)
    >>> round(bits_of_split(sum_of_two, n_columns=4, weight=16), 2)  # 2 + log2(6), three numbers
    10.58
    """
    if isinstance(split, Threshold):
        gaps = max(weight - 1, 2.0)
        return log2(n_columns) + float(bits_of_choice(gaps, min(len(split.cuts), gaps)))
    if isinstance(split, Category):
        known = sum(branch >= 0 for branch in split.branches)
        grouped = known * log2(split.n_branches) if split.n_branches < known else 0.0
        return log2(n_columns) + grouped
    assert isinstance(split, TermSplit)  # there are no other kinds
    columns = log2(n_columns) + float(bits_of_choice(n_columns, min(len(split.terms), n_columns)))
    return columns + _count_weights(split) * log2(max(weight, 2.0)) / 2


def _count_weights(split: TermSplit) -> int:
    rows = sum(len(term.weights) for term in split.terms)
    if isinstance(split, Machine):
        return (split.n_branches - 1) * (rows + 1)
    if isinstance(split, Network):
        return len(split.weights) * (rows + 2) + 1
    return rows + 1
