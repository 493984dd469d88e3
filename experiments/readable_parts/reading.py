"""What a person must read of a tree: terms, and terms on the way of a row.

A test of one column counts 1, a linear test its weights, a machine of K classes K - 1 times its
columns (two classes: once), a bent column twice, a symbol in a sum the values that have a weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.splits import Linear, Machine, Split
from miter.splits.terms import Term
from miter.tree import Tree


def reading_of(tree: Tree, X: NDArray[Any]) -> tuple[float, float]:
    """Return the terms of a tree, and the mean number of terms on the way of rows."""
    of_node = np.array([0 if split is None else _of_split(split) for split in tree.splits])
    start, nodes = tree.paths(X)
    return float(of_node.sum()), float(of_node[nodes].sum() / max(len(start) - 1, 1))


def reading_of_sklearn(tree: Any, X: NDArray[Any]) -> tuple[float, float]:
    """Return the same of a tree of scikit-learn."""
    is_test = tree.tree_.children_left >= 0
    return float(is_test.sum()), float(tree.decision_path(X)[:, is_test].sum() / len(X))


def _of_split(split: Split) -> int:
    if isinstance(split, Linear):
        return sum(map(_of_term, split.terms))
    if isinstance(split, Machine):
        return max(split.n_branches - 1, 1) * sum(map(_of_term, split.terms))
    return len(split.columns)


def _of_term(term: Term) -> int:
    if term.is_symbolic:
        return max(sum(any(row) for row in term.weights), 1)
    return 2 if term.centre is not None else 1
