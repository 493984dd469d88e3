"""Where rows end in a tree, so that a page can count answers anew without the rows.

Rows that end alike are one group with the number of its rows of each class: those that end at one
node, and those that missing values share out over the same nodes in the same parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.reporting.plain import plain_numbers, sparse
from miter.splits import SHARE
from miter.threads import resolve_threads
from miter.tree import Tree

__all__ = ["ending_contents"]

#: So many groups of shared-out rows are in a page at most; what is left out is counted.
MOST_SHARED = 4000


def ending_contents(tree: Tree, data: Data) -> dict[str, Any]:
    """Return the groups of rows that end alike, with their rows of each class.

    Parameters
    ----------
    tree : Tree
        Where they end.
    data : Data
        With labels.

    Returns
    -------
    dict
        `whole`: pairs of a node and counts. `shared`: triples of the node where the sharing begins,
        nodes and shares one after the other, and counts. `left_out`: rows that are in neither.
    """
    ends = tree.router.end_nodes(data.X, False, resolve_threads())
    is_whole = ends >= 0
    counts = np.zeros((tree.n_nodes, tree.schema.n_classes), np.int64)
    np.add.at(counts, (ends[is_whole], data.labels[is_whole]), 1)
    nodes = np.flatnonzero(counts.any(axis=1))
    shared = data.take(np.flatnonzero(~is_whole))
    groups, n_left = _shared_groups(tree, shared)
    return {
        "whole": [[node, sparse(counts[node])] for node in nodes.tolist()],
        "shared": groups,
        "left_out": n_left,
    }


def _shared_groups(tree: Tree, data: Data) -> tuple[list[Any], int]:
    if not data.n_rows:
        return [], 0
    begins, row, node, share = _parts(tree, data.X)
    signature = _signatures(tree.n_nodes, data.n_rows, row, node, share)
    _, first, group, sizes = np.unique(
        signature, return_index=True, return_inverse=True, return_counts=True
    )
    counts = np.zeros((len(sizes), tree.schema.n_classes), np.int64)
    np.add.at(counts, (group, data.labels), 1)
    order = np.argsort(row, kind="stable")
    starts = np.searchsorted(row[order], np.arange(data.n_rows + 1))
    kept = np.argsort(-sizes, kind="stable")[:MOST_SHARED]
    groups = []
    for one in kept.tolist():
        own = order[starts[first[one]] : starts[first[one] + 1]]
        parts = [value for pair in zip(node[own], share[own], strict=True) for value in pair]
        begin = int(begins[first[one]])
        groups.append([begin, plain_numbers(np.array(parts)), sparse(counts[one])])
    return groups, int(sizes.sum() - sizes[kept].sum())


def _parts(
    tree: Tree, X: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return where the sharing of each row begins, and all parts: row, node where it ends, share.

    Parts of a row come in the order in which the router adds them up.
    """
    begins = np.full(len(X), -1)
    found: list[tuple[NDArray[Any], int, NDArray[Any]]] = []
    stack = [(0, np.arange(len(X)), np.ones(len(X)))]
    while stack:
        node, rows, shares = stack.pop()
        split = tree.splits[node]
        if split is None:
            found.append((rows, node, shares))
            continue
        branch = split.route(X[rows])
        is_shared = branch == SHARE
        fresh = rows[is_shared]
        begins[fresh[begins[fresh] < 0]] = node
        stays = branch < SHARE
        if stays.any():
            found.append((rows[stays], node, shares[stays]))
        first = int(tree.first_child[node])
        for b in reversed(range(split.n_branches)):
            part = float(tree.share[first + b])
            goes = (branch == b) | (is_shared & (part > 0))
            if goes.any():
                own = shares[goes] * np.where(is_shared[goes], part, 1.0)
                stack.append((first + b, rows[goes], own))
    row = np.concatenate([rows for rows, _, _ in found])
    nodes = np.concatenate([np.full(len(rows), node) for rows, node, _ in found])
    return begins, row, nodes, np.concatenate([shares for _, _, shares in found])


def _signatures(
    n_nodes: int, n_rows: int, row: NDArray[Any], node: NDArray[Any], share: NDArray[Any]
) -> NDArray[np.uint64]:
    """Return a number for each row, the same for rows with the same parts."""
    random = np.random.default_rng(0)
    of_node = random.integers(1, 2**63, n_nodes, dtype=np.uint64)
    bits = share.astype(np.float64).view(np.uint64)
    bits = (bits ^ (bits >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    total = np.zeros(n_rows, np.uint64)
    np.add.at(total, row, (bits ^ of_node[node]) * of_node[node])
    return total
