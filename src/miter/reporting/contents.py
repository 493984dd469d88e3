"""What the report of a model says, as one plain dictionary."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from miter.data.labels import label_text
from miter.errors import DataError
from miter.estimators.ensemble import TreeEnsemble
from miter.estimators.fitted import Fitted, OneTree
from miter.exporting.javascript import write_routing
from miter.exporting.program import program_of
from miter.lab import evaluate
from miter.reporting.changes import change_contents
from miter.reporting.endings import ending_contents
from miter.reporting.forest import forest_contents
from miter.reporting.nodes import node_contents, within_page
from miter.reporting.origin import (
    check_contents,
    learner_words,
    model_contents,
    origin_contents,
)
from miter.reporting.panels import panel_contents
from miter.reporting.rows import ReportRows, column_contents, read_report_rows
from miter.reporting.sizes import size_contents
from miter.show.colours import CLASS_COLOURS
from miter.tree import Tree

__all__ = ["contents_of_model"]


def contents_of_model(
    model: Fitted, X: Any, y: Any = None, *, title: str = "", name: str = ""
) -> dict[str, Any]:
    """Return what the report of a fitted model says.

    Parameters
    ----------
    model : Fitted
        A tree, a forest, or a tree of clusters.
    X : DataFrame, array or Data
        Rows; those that it was grown on, or others.
    y : sequence, optional
        Their classes.
    title : str
        What stands above the page; by default what the model predicts.
    name : str
        What the table is called.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.reporting.contents import contents_of_model
    >>> contents = contents_of_model(id3().fit(play_tennis()), play_tennis())
    >>> contents["summary"][0]
    'From 4 columns it tells Play Tennis: one of 2.'
    """
    _check(model, y)
    rows = read_report_rows(model, X, y, name)
    if not rows.data.n_rows:
        raise DataError("there are no rows to report on; give at least one")
    schema = model.schema_
    is_forest = isinstance(model, TreeEnsemble)
    own = (
        forest_contents(model, rows)
        if isinstance(model, TreeEnsemble)
        else _tree_contents(model, rows)
    )
    costs = getattr(model, "costs_", None)
    is_clusters = not hasattr(model, "classes_")
    return {
        "kind": "forest" if is_forest else "tree",
        "title": title or _title(model, rows),
        "learner": learner_words(model),
        "summary": _summary(model, rows, own),
        "target": schema.target,
        "is_clusters": is_clusters,
        "classes": [
            f"cluster {label_text(label)}" if is_clusters else label_text(label)
            for label in schema.classes
        ],
        "colours": list(CLASS_COLOURS),
        "columns": _columns(model, rows),
        "costs": None if costs is None else costs.tolist(),
        "rows": rows.contents() | own.pop("row_contents", {}),
        "check": check_contents(rows.data),
        "origin": origin_contents(model, rows.data),
        "model": model_contents(model, rows.name.partition(".")[0]),
        **own,
    }


def _check(model: Any, y: Any) -> None:
    if not isinstance(model, OneTree | TreeEnsemble):
        inner = ""
        if hasattr(model, "steps"):
            inner = "; of a pipeline, give its last step and rows as that step gets them"
        elif hasattr(model, "estimator_"):
            inner = "; give its estimator_, and rows as it gets them"
        elif hasattr(model, "rules_"):
            inner = "; what a list of rules says, `miter rules` and model.rules_.say() print"
        raise DataError(
            f"there is no report of a {type(model).__name__}: give a fitted tree or forest of "
            f"Miter's, or results of the laboratory{inner}"
        )
    check_is_fitted(model)
    if y is not None and not hasattr(model, "classes_"):
        raise DataError(f"a {type(model).__name__} learns no classes; leave y out")


def _title(model: Any, rows: ReportRows) -> str:
    what = "clusters" if not hasattr(model, "classes_") else model.schema_.target
    return f"{rows.name}: {what}" if rows.name else what


def _columns(model: Any, rows: ReportRows) -> list[dict[str, Any]]:
    importances = (
        model.feature_importances_ if hasattr(model, "feature_importances_") else np.zeros(0)
    )
    used = {int(column) for tree in model.trees_ for column in tree.columns}
    return [
        column_contents(column, rows.data.X[:, place], float(importances[place]), place in used)
        for place, column in enumerate(model.schema_.columns)
    ]


def _tree_contents(model: Any, rows: ReportRows) -> dict[str, Any]:
    tree, goes_on = within_page(model.trees_[0])
    data = rows.data if rows.has_labels else replace(rows.data, y=rows.answers)
    counts = tree.count(data)
    is_training = counts.shape == tree.counts.shape and np.allclose(counts, tree.counts)
    pictures = rows.for_pictures
    panels, n_panels = panel_contents(tree, pictures, rows.data.X[rows.shown])
    return {
        "answer": "tree",
        "is_training": is_training,
        "runs": True,
        "shown": [0],
        "trees": [
            {
                "name": "The tree",
                "nodes": node_contents(tree, pictures.X, None if is_training else counts),
                "panels": panels,
                "n_panels": n_panels,
                "goes_on": goes_on,
            }
        ],
        "n_trees": 1,
        "n_nodes": model.trees_[0].n_nodes,
        "sizes": size_contents(tree, counts if rows.has_labels else None),
        "endings": ending_contents(tree, rows.data) if rows.has_labels else None,
        "changes": change_contents(model, rows),
        "routing": write_routing(program_of(tree)),
    }


def _summary(model: Any, rows: ReportRows, own: dict[str, Any]) -> list[str]:
    """Return the first things to know, in plain words."""
    schema, tree = model.schema_, model.trees_[0]
    n_columns = schema.n_columns
    columns = f"{n_columns:,} column{'s' * (n_columns != 1)}"
    if not hasattr(model, "classes_"):
        said = [f"From {columns} it divides rows into {tree.n_leaves} clusters."]
    else:
        what = "which class a row is of" if schema.target == "class" else schema.target
        said = [f"From {columns} it tells {what}: one of {schema.n_classes}."]
    if len(model.trees_) > 1:
        n_nodes = sum(tree.n_nodes for tree in model.trees_)
        said.append(f"It is a forest of {len(model.trees_)} trees with {n_nodes:,} nodes together.")
    else:
        said.append(_size_words(tree))
    if rows.has_labels and hasattr(model, "classes_"):
        said += _right_words(model, rows, own)
    return said


def _size_words(tree: Tree) -> str:
    n_splits = tree.n_nodes - tree.n_leaves
    if n_splits == 0:
        return "It asks nothing: it gives every row the same answer."
    tests = "test" if n_splits == 1 else "tests"
    path = f"a row passes {tree.depth} at most" if tree.depth > 1 else "a row passes one"
    return f"It has {n_splits:,} {tests} and {tree.n_leaves:,} leaves; {path}."


def _right_words(model: Any, rows: ReportRows, own: dict[str, Any]) -> list[str]:
    tested = evaluate(model, rows.data)
    low, high = (1 - bound for bound in reversed(tested.interval))
    which = f"of {rows.name}" if rows.name else "given"
    right = (
        f"Of the {tested.n_test:,} rows {which} it is right about {tested.n_correct:,}: "
        f"{tested.accuracy:.1%}."
    )
    if own.get("is_training"):
        return [right, "These are the rows that it was grown on; expect less of new ones."]
    return [right, f"Of rows like these it is right about {low:.1%} to {high:.1%} (95 %)."]
