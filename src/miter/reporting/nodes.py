"""The nodes of a tree as plain values: what leads to each, what it asks, and who came."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from miter.explaining.explanation import say_together
from miter.reporting.plain import plain_numbers, sparse
from miter.show.outline import Outline
from miter.splits.expression import (
    Cell,
    Constant,
    Distance,
    Expression,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    Sum,
)
from miter.tree import Tree

__all__ = ["answer_contents", "node_contents", "plain_test", "within_page"]

#: So many nodes are in a page at most: those that most training rows came to.
MOST_NODES = 22_000


def within_page(tree: Tree, most: int = MOST_NODES) -> tuple[Tree, list[int]]:
    """Return a tree of which a page can hold every node, and its leaves that are none.

    Parameters
    ----------
    tree : Tree
        Of any size. What lies below nodes of few training rows is left out of a page, and the page
        says where.
    most : int
        So many nodes can be in it.
    """
    if tree.n_nodes <= most:
        return tree, []
    weight = tree.counts.sum(axis=1)
    # In the order of their weight, and parents before children, as many splits as there is place.
    order = np.lexsort((np.arange(tree.n_nodes), -weight))
    order = order[~tree.is_leaf[order]]
    n_nodes = 1 + np.cumsum(tree.splits.n_branches[order])
    becomes_leaf = np.ones(tree.n_nodes, bool)
    becomes_leaf[order[n_nodes <= most]] = False
    goes_on = _kept(tree, becomes_leaf)
    return tree.cut(becomes_leaf), np.flatnonzero(goes_on).tolist()


def _kept(tree: Tree, becomes_leaf: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each node that `Tree.cut` keeps, in its order, whether it was a split before."""
    levels, level = [], np.zeros(1, np.int64)
    while len(level):
        levels.append(level)
        inner = level[~becomes_leaf[level]]
        children = [
            np.arange(tree.first_child[node], tree.first_child[node] + tree.splits.n_branches[node])
            for node in inner
        ]
        level = np.concatenate(children) if children else np.empty(0, np.int64)
    keep = np.concatenate(levels)
    kept: NDArray[np.bool_] = becomes_leaf[keep] & ~tree.is_leaf[keep]
    return kept


def node_contents(
    tree: Tree, rows: NDArray[Any], counts: NDArray[np.float64] | None
) -> dict[str, Any]:
    """Return the nodes of a tree, a list for each thing to know of them, in the order of numbers.

    Parameters
    ----------
    tree : Tree
        Of any kind.
    rows : ndarray of shape (n_rows, n_columns)
        Rows that tell in how many digits tests are said.
    counts : ndarray of shape (n_nodes, n_classes), optional
        The rows of the report at each node; None where they are those of training.
    """
    schema = tree.schema
    words, short = [""] * tree.n_nodes, [""] * tree.n_nodes
    for entry in Outline(tree, rows if tree.sums_terms else None):
        if entry.condition is not None:
            words[entry.node] = entry.say(schema)
            split, branch = entry.condition.split, entry.condition.branch
            short[entry.node] = say_together(split, branch, schema)
    splits = (tree.splits[node] for node in range(tree.n_nodes))
    return answer_contents(tree) | {
        "rows": None if counts is None else [sparse(row) for row in counts],
        "words": words,
        "short": short if any(short) else None,
        "tests": [None if split is None else plain_test(split.expression) for split in splits],
        "notes": None if tree.notes is None else list(tree.notes),
    }


def answer_contents(tree: Tree) -> dict[str, Any]:
    """Return what is needed to answer rows of which it is known where they end."""
    return {
        "parent": tree.parent.tolist(),
        "counts": [sparse(row) for row in tree.counts],
        "labels": tree.labels.tolist(),
        "losses": None if tree.losses is None else [plain_numbers(row) for row in tree.losses],
        "smoothing": tree.smoothing,
    }


def plain_test(expression: Expression) -> list[Any]:
    """Return an expression as lists, of which the page reads what is asked, and reasons.

    The commonest, a number held against cuts, is said shortly, with the branch of a missing one.

    Examples
    --------
    >>> from miter.reporting.nodes import plain_test
    >>> from miter.splits import Threshold
    >>> plain_test(Threshold(3, (1.5,)).expression)
    ['cut', 3, [1.5], -1]
    """
    match expression:
        case IfMissing(column, Constant(missing), Step(Cell(own), cuts)) if own == column:
            return ["cut", column, list(cuts), missing]
        case Constant(value):
            return ["constant", value]
        case Cell(column):
            return ["cell", column]
        case Distance(column, centre, is_above):
            return ["distance", column, centre, is_above]
        case Lookup(column, values, otherwise):
            return ["lookup", column, list(values), otherwise]
        case IfMissing(column, missing, known):
            return ["missing", column, plain_test(missing), plain_test(known)]
        case Sum(parts):
            return ["sum", *([factor, plain_test(part)] for factor, part in parts)]
        case Step(of, cuts):
            return ["step", plain_test(of), list(cuts)]
        case Sigmoid(of):
            return ["sigmoid", plain_test(of)]
        case Largest(of):
            return ["largest", *map(plain_test, of)]
    assert_never(expression)
