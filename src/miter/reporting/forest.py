"""What a report says of many trees: how they agree, a few of them, and how many are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.costs import first_of_largest, least_cost
from miter.estimators.ensemble import TreeEnsemble
from miter.exporting.javascript import write_routing
from miter.exporting.program import program_of
from miter.reporting.nodes import answer_contents, node_contents, within_page
from miter.reporting.panels import panel_contents
from miter.reporting.plain import few_digits, plain_numbers
from miter.reporting.rows import ReportRows
from miter.tree import Tree

__all__ = ["forest_contents"]

#: So many trees are shown, and the page has no place to run a forest that is longer than this.
SHOWN_TREES, LONGEST_ROUTING = 3, 2_000_000
#: A shown tree has so many nodes at most.
MOST_NODES = 3000
#: A forest of so many nodes is not written out to see how long it is.
MOST_RUNNABLE = 40_000


def forest_contents(model: TreeEnsemble, rows: ReportRows) -> dict[str, Any]:
    """Return what is said of a forest.

    Parameters
    ----------
    model : TreeEnsemble
        Fitted.
    rows : ReportRows
        With labels or without.

    Returns
    -------
    dict
        Where the forest is small enough it `runs` in the page: `trees` are all of its trees, those
        that are `shown` with words and pictures. Where it is not, only these are there, and rows
        bring the forest's shares.
    """
    labels, sizes = _grow_up(model, rows)
    answers = rows.for_pictures_answers
    agreement = [float(np.mean(label == answers)) for label in labels]
    shown = sorted(np.argsort(agreement)[::-1][:SHOWN_TREES].tolist())
    routing = _whole_routing(model)
    runs = routing is not None
    kept = range(len(model.trees_)) if runs else shown
    cut = {k: within_page(model.trees_[k], MOST_NODES) for k in shown if not runs}
    trees = []
    for k in kept:
        tree, goes_on = cut.get(k, (model.trees_[k], []))
        trees.append(_shown(tree, rows, k, goes_on) if k in shown else _answers_only(tree))
    if routing is None:
        program = program_of(model)
        few = tuple(program_of(tree).trees[0] for tree, _ in cut.values())
        routing = write_routing(replace(program, trees=few))
    row_contents: dict[str, Any] = {"weights": plain_numbers(rows.weights)}
    if not runs:
        shares = model.predict_shares(rows.data.X[rows.shown])
        row_contents["shares"] = [few_digits(row, 5) for row in shares]
    return {
        "answer": "votes" if model.counts_votes else "mean",
        "is_training": False,
        "runs": runs,
        "trees": trees,
        "shown": [k for k, tree in enumerate(trees) if "panels" in tree],
        "n_trees": len(model.trees_),
        "n_nodes": sum(tree.n_nodes for tree in model.trees_),
        "routing": routing,
        "sizes": {"steps": sizes},
        "agreement": few_digits(agreement),
        "out_of_bag": getattr(model, "oob_score_", None),
        "endings": None,
        "changes": {},
        "row_contents": row_contents,
    }


def _whole_routing(model: TreeEnsemble) -> str | None:
    """Return the script that runs the whole forest; None where it is too long."""
    if sum(tree.n_nodes for tree in model.trees_) > MOST_RUNNABLE:
        return None
    routing = write_routing(program_of(model))
    return routing if len(routing) <= LONGEST_ROUTING else None


def _answers_only(tree: Tree) -> dict[str, Any]:
    """Return what is needed to answer by a tree that is not shown."""
    return {"nodes": answer_contents(tree)}


def _shown(tree: Tree, rows: ReportRows, number: int, goes_on: list[int]) -> dict[str, Any]:
    panels, n_panels = panel_contents(tree, rows.for_pictures, rows.data.X[rows.shown])
    counts = tree.count(rows.data) if rows.has_labels else None
    return {
        "name": f"Tree {number + 1}",
        "nodes": node_contents(tree, rows.for_pictures.X, counts),
        "panels": panels,
        "n_panels": n_panels,
        "goes_on": goes_on,
    }


def _grow_up(
    model: TreeEnsemble, rows: ReportRows
) -> tuple[list[NDArray[Any]], list[dict[str, Any]]]:
    """Return what each tree says of rows, and how often the first few, and then more, are wrong."""
    data, n_trees = rows.for_pictures, len(model.trees_)
    asked = {round(k) for k in np.geomspace(1, n_trees, 25)}
    total = np.zeros((data.n_rows, model.schema_.n_classes))
    labels, sizes = [], []
    for k, tree in enumerate(model.trees_, 1):
        labels.append(tree.predict(data.X))
        if model.counts_votes:
            total[np.arange(data.n_rows), labels[-1]] += 1
        else:
            total += tree.predict_proba(data.X)
        if k in asked:
            wrong = None if data.y is None else _wrong(model, total / k, data.y)
            sizes.append({"trees": k, "wrong": wrong})
    return labels, sizes


def _wrong(model: TreeEnsemble, shares: NDArray[np.float64], truth: NDArray[Any]) -> float:
    costs = None if model.counts_votes else model.costs_
    best = first_of_largest(shares) if costs is None else least_cost(shares, costs)
    return round(float(np.mean(best != truth)), 5)
