"""What would change the answer to some of the rows of a page."""

from __future__ import annotations

from typing import Any

import numpy as np

from miter.data.schema import Schema
from miter.errors import DataError
from miter.explaining import counterfactual
from miter.reporting.rows import ReportRows

__all__ = ["change_contents"]

#: So many terms are looked through for all rows together, and so many rows at most and at least.
EFFORT, MOST_ROWS, FEWEST_ROWS = 40_000, 150, 6
#: Of a tree with more leaves one row takes seconds.
MOST_LEAVES = 1000


def change_contents(model: Any, rows: ReportRows) -> dict[str, Any]:
    """Return the nearest row with another answer, for some of the rows of a page.

    Parameters
    ----------
    model : Fitted
        One tree: of forests the search takes too long for many rows.
    rows : ReportRows
        Mistakes come first, then rows of every answer.

    Returns
    -------
    dict
        By the place of a row in the page: the new class, what changes in words, and the changed
        columns with what their cells become.
    """
    tree = model.trees_[0]
    effort = max(int(tree.terms.sum()) * tree.n_leaves, 1)
    fewest = FEWEST_ROWS if tree.n_leaves <= MOST_LEAVES else 0
    n_rows = int(np.clip(EFFORT // effort, fewest, MOST_ROWS))
    schema = tree.schema
    names = {name: place for place, name in enumerate(schema.names)}
    found = {}
    for place in _chosen(rows, n_rows):
        row = rows.data.take(rows.shown[place : place + 1])
        try:
            answer = counterfactual(model, row)
        except DataError:  # every row gets the same answer
            continue
        found[str(place)] = {
            "label": schema.classes.index(answer.label),
            "words": list(answer.words),
            "columns": [names[name] for name in answer.changes],
            "to": [_cell(schema, names[name], to) for name, (_, to) in answer.changes.items()],
            "is_nearest": answer.gap == 0,
        }
    return found


def _cell(schema: Schema, column: int, value: Any) -> float | int | None:
    """Return a cell as a page holds it: a number, or the code of a value."""
    values = schema.columns[column].values
    return values.index(value) if values and value is not None else value


def _chosen(rows: ReportRows, n_rows: int) -> list[int]:
    answers = rows.answers[rows.shown]
    wrong = np.zeros(len(answers), bool)
    if rows.data.y is not None:
        wrong = answers != rows.data.y[rows.shown]
    # The first row is what a page opens with.
    order = [0, *np.flatnonzero(wrong)[: n_rows // 2].tolist()]
    even = np.linspace(0, len(answers) - 1, min(n_rows, len(answers))).astype(int).tolist()
    return list(dict.fromkeys([*order, *even]))[:n_rows]
