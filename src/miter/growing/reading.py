"""What there is to read of a tree: its terms."""

from __future__ import annotations

import numpy as np

from miter.splits import Linear, Split
from miter.tree import Tree

__all__ = ["n_terms", "path_length"]


def n_terms(split: Split | None) -> int:
    """Return the terms of a test: 1 for a column, of a sum one for each weight."""
    if split is None:
        return 0
    if not isinstance(split, Linear):
        return len(split.columns)
    return sum(sum(any(row) for row in term.weights) for term in split.terms)


def path_length(tree: Tree) -> float:
    """Return the mean number of terms on the way of a training row."""
    terms = np.array([n_terms(split) for split in tree.splits])
    weight = tree.counts.sum(axis=1)
    return float(terms @ weight / max(float(weight[0]), 1e-300))
