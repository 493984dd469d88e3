"""Trees put in the place of another tree's leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from miter.splits import PackedSplits
from miter.tree import Tree

__all__ = ["graft"]


def graft(tree: Tree, below: Mapping[int, Tree]) -> Tree:
    """Return a tree that goes on with other trees at some of its leaves.

    Parameters
    ----------
    tree : Tree
        Whose counts and losses its own nodes keep.
    below : mapping of int to Tree
        What stands in the place of each leaf.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.graft import graft
    >>> from miter.growing.loop import grow
    >>> from miter.growing.stopping import Stopping
    >>> from miter.splitters import UnivariateSplitter
    >>> tree = grow(led(100, seed=1), UnivariateSplitter(), Stopping(max_depth=1))
    >>> graft(tree, {2: tree}).n_leaves
    3
    """
    if not below:
        return tree
    trees = [tree, *below.values()]
    first = np.cumsum([0, *(one.n_nodes for one in trees)])
    splits = PackedSplits.join([one.splits for one in trees])
    child = np.concatenate(
        [start + one.first_child for start, one in zip(first, trees, strict=False)]
    )
    counts = np.concatenate([one.counts for one in trees])
    losses = None if tree.losses is None else np.concatenate([one.training_losses for one in trees])
    notes = sum((one.notes or ("",) * one.n_nodes for one in trees), ())
    # The root of what is below stands where the leaf was, and is counted as that was.
    stands_for = np.arange(len(splits))
    leaves = np.array(list(below), np.int64)
    stands_for[leaves] = first[1:-1]
    counts[first[1:-1]] = tree.counts[leaves]
    if losses is not None:
        losses[first[1:-1]] = tree.training_losses[leaves]
    levels, level = [], stands_for[:1]
    while len(level):
        levels.append(level)
        n_branches = splits.n_branches[level]
        start = np.repeat(child[level], n_branches)
        before = np.repeat(np.cumsum(n_branches) - n_branches, n_branches)
        level = stands_for[start + np.arange(len(start)) - before]
    order = np.concatenate(levels)
    return replace(
        tree,
        splits=splits.take(order),
        counts=counts[order],
        losses=None if losses is None else losses[order],
        notes=tuple(notes[node] for node in order) if any(notes) else None,
        importances=None,
    )
