"""The sizes that a tree can be cut back to, from all of it to its root."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.prune.cost_complexity import (
    cost_complexity_path,
    leaves_at,
    validation_cost,
    with_all_below,
)
from miter.prune.pruning import cost_as_leaf
from miter.tree import Tree

__all__ = ["size_contents"]

#: So many sizes are offered at most.
MOST_SIZES = 60
#: Of a tree with more splits, prices are tried in place of taking the weakest split out each time.
LARGE = 500


def size_contents(tree: Tree, counts: NDArray[np.float64] | None) -> dict[str, Any]:
    """Return the prunings of a tree that some price of a split makes the best.

    Parameters
    ----------
    tree : Tree
        As the model has it.
    counts : ndarray of shape (n_nodes, n_classes), optional
        Rows of each class at each node, to count the errors of each size; None: not known.

    Returns
    -------
    dict
        `leaf_from`: for each node from which size on it is a leaf or gone. `steps`: for each size
        its splits and leaves, and the share of rows that are answered wrongly.
    """
    leaves = _thinned(tree, _prunings(tree))
    n_splits = (~leaves).sum(axis=0)
    n_nodes = 1 + tree.splits.n_branches @ ~leaves
    wrong: list[float | None] = [None] * leaves.shape[1]
    if counts is not None:
        errors = validation_cost(tree, leaves, counts.sum(axis=1, keepdims=True) - counts)
        wrong = (errors / max(float(counts[0].sum()), 1.0)).round(5).tolist()
    steps = [
        {"splits": int(splits), "leaves": int(nodes - splits), "wrong": share}
        for splits, nodes, share in zip(n_splits, n_nodes, wrong, strict=True)
    ]
    return {"leaf_from": leaves.argmax(axis=1).tolist(), "steps": steps}


def _prunings(tree: Tree) -> NDArray[np.bool_]:
    """Return which nodes are leaves, or below one, at each size: nodes x sizes, largest first."""
    whole = tree.is_leaf[:, None]
    if (~tree.is_leaf).sum() <= LARGE:
        path = cost_complexity_path(tree).leaves
    else:
        most = float(cost_as_leaf(tree, tree.training_losses)[0])
        prices = np.geomspace(1e-3, max(most, 1.0), 4 * MOST_SIZES)
        path = with_all_below(tree, leaves_at(tree, [0.0, *prices]))
    leaves = np.column_stack([whole, path])
    changes = np.concatenate([[True], (leaves[:, 1:] != leaves[:, :-1]).any(axis=0)])
    return leaves[:, changes]


def _thinned(tree: Tree, leaves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return some of many sizes: the first, the last, and between them in even ratios."""
    n_sizes = leaves.shape[1]
    if n_sizes <= MOST_SIZES:
        return leaves
    n_splits = (~leaves).sum(axis=0)
    wanted = np.geomspace(n_splits[0] + 1, 1, MOST_SIZES) - 1
    nearest = np.abs(n_splits[:, None] - wanted).argmin(axis=0)
    return leaves[:, np.unique([0, *nearest, n_sizes - 1])]
