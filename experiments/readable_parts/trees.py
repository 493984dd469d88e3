"""Ten trees, as a page shows them."""

from __future__ import annotations

from typing import Any

import miter
from readable_parts.sets import read_set

TEN_SETS = (
    *("iris", "pima", "wine", "vote", "heart-statlog", "breast-cancer", "hepatitis", "ionosphere"),
    *("german", "glass"),
)
QUICK_SETS = ("iris", "wine")


def grow_tree(name: str) -> dict[str, Any]:
    """Grow a tree on all rows of a set, and say it and its figures."""
    data = read_set(name)
    model = miter.ReadableTreeClassifier(random_state=0).fit(data)
    chosen = model.path_.trees[model.path_.chosen]
    figures = {"error": chosen.error, "deviation": chosen.deviation, "rows": data.n_rows}
    reading = {"terms": miter.terms(model), "path": model.tree_.path_terms}
    return {**figures, **reading, "text": miter.export_text(model, width=120).rstrip()}


def say_tree(name: str, own: dict[str, Any]) -> str:
    """Write a tree in Markdown, below its figures."""
    return (
        f"**{name}** ({own['rows']} rows; {own['terms']} term{'s'[: own['terms'] != 1]}, "
        f"{own['path']:.1f} on a path, "
        f"cross-validated error {own['error']:.3f} ± {own['deviation']:.3f})\n\n"
        f"```\n{own['text']}\n```\n"
    )
