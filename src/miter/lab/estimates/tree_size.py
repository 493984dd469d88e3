"""How large a fitted model is, if it is made of trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from miter.estimators.fitted import FittedTrees
from miter.lab.estimates.minimum_cost import MinimumCostClassifier
from miter.tree import Tree

__all__ = ["TreeSize", "measure_size"]


@dataclass(frozen=True)
class TreeSize:
    """The size of a tree, or of all trees of an ensemble together.

    Parameters
    ----------
    nodes : int
        Decision nodes and leaves.
    leaves : int
        Leaves.
    depth : int
        Splits on the longest path.
    tested : int
        Columns tested, summed over the decision nodes.
    terms : int
        Terms that a person reads, summed over the decision nodes; see `miter.terms`.

    Examples
    --------
    >>> from miter.lab.estimates.tree_size import TreeSize
    >>> TreeSize(nodes=5, leaves=3, depth=2, tested=6, terms=6).variables
    3.0
    """

    nodes: int
    leaves: int
    depth: int
    tested: int
    terms: int

    @property
    def variables(self) -> float | None:
        """Columns tested by a decision node, in the mean; None where there is none."""
        n_decisions = self.nodes - self.leaves
        return self.tested / n_decisions if n_decisions else None


def measure_size(model: Any) -> TreeSize | None:
    """Return the size of a fitted model; None if it is no tree and has none.

    Parameters
    ----------
    model : estimator
        Fitted: a tree of Miter or of scikit-learn, an ensemble of such, or a pipeline or a
        `MinimumCostClassifier` around one.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.lab.estimates.tree_size import measure_size
    >>> measure_size(id3().fit(play_tennis()))
    TreeSize(nodes=12, leaves=7, depth=4, tested=5, terms=5)
    """
    while isinstance(model, Pipeline | MinimumCostClassifier):
        model = model[-1] if isinstance(model, Pipeline) else model.estimator_
    if isinstance(model, FittedTrees) and hasattr(model, "trees_"):
        size = _together([_measure_miter(tree) for tree in model.trees_])
        if hasattr(model, "count_terms"):  # rules are read, not the tree that they were made from
            size = replace(size, terms=int(model.count_terms().sum()))
        return size
    tree: Any = getattr(model, "tree_", None)
    if hasattr(tree, "node_count"):
        leaves = int(tree.n_leaves)
        tests = int(tree.node_count) - leaves
        return TreeSize(int(tree.node_count), leaves, int(tree.max_depth), tests, tests)
    return _measure_members(getattr(model, "estimators_", None))


def _measure_miter(tree: Tree) -> TreeSize:
    tested = 0
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        split = tree.splits[node]
        assert split is not None  # only leaves have none
        tested += len(split.columns)
    return TreeSize(tree.n_nodes, tree.n_leaves, tree.depth, tested, int(tree.terms.sum()))


def _measure_members(members: Any) -> TreeSize | None:
    if members is None or len(members) == 0:
        return None
    members = members.ravel() if isinstance(members, np.ndarray) else members
    sizes = [size for member in members if (size := measure_size(member)) is not None]
    return _together(sizes) if len(sizes) == len(members) else None


def _together(sizes: Sequence[TreeSize]) -> TreeSize:
    """Return the size of all trees of a model."""
    return TreeSize(
        sum(size.nodes for size in sizes),
        sum(size.leaves for size in sizes),
        max(size.depth for size in sizes),
        sum(size.tested for size in sizes),
        sum(size.terms for size in sizes),
    )
