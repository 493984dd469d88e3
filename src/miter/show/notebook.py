"""A fitted model in a notebook: small and static, below scikit-learn's own diagram."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Any

import numpy as np

from miter.data.labels import label_text
from miter.show.colours import class_style
from miter.show.outline import Entry, Outline
from miter.splits.names import say_name
from miter.tree import Tree

__all__ = ["notebook_html"]

#: So many lines of a tree are shown, and terms of a sum, and columns of a forest.
MOST_NODES, MOST_TERMS, MOST_COLUMNS = 25, 4, 8
#: Words that are longer are cut.
LONGEST = 120

_LINE = "display:flex;gap:.7em;align-items:baseline;line-height:1.5"
_BAR = "display:inline-flex;flex:none;width:7em;height:.65em;border-radius:2px;overflow:hidden"
_SOFT = "opacity:.65;white-space:nowrap"


def notebook_html(model: Any) -> str:
    """Return a fitted model as a little HTML that needs no script and no style sheet.

    Parameters
    ----------
    model : Fitted
        One tree, of which the first nodes are shown; many, of which the columns are; or a list of
        rules.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.show.notebook import notebook_html
    >>> "Outlook = Overcast" in notebook_html(id3().fit(play_tennis()))
    True
    """
    if hasattr(model, "rules_"):
        lines = _rule_lines(model.rules_.say())
    elif len(model.trees_) == 1:
        lines = _tree_lines(model.trees_[0])
    else:
        lines = _forest_lines(model)
    style = "font-family:sans-serif;font-size:13px;margin:.6em 0;max-width:60em;overflow:auto"
    return f'<div style="{style}">{"".join(lines)}</div>'


def _tree_lines(tree: Tree) -> Iterator[str]:
    n_splits = tree.n_nodes - tree.n_leaves
    tests, leaves = (
        f"{n:,} {one if n == 1 else many}"
        for n, one, many in ((n_splits, "test", "tests"), (tree.n_leaves, "leaf", "leaves"))
    )
    yield f'<div style="{_SOFT}">{tests}, {leaves}</div>'
    for entry in islice(Outline(tree), MOST_NODES):
        yield _node_line(entry, tree)
    if tree.n_nodes > MOST_NODES:
        more = tree.n_nodes - MOST_NODES
        yield (
            f'<div style="{_SOFT}">and {more:,} more nodes; '
            "miter.report(model, X, y) writes a page of all</div>"
        )


def _node_line(entry: Entry, tree: Tree) -> str:
    words = "all rows" if entry.condition is None else entry.say(tree.schema, MOST_TERMS)
    label = say_name(label_text(entry.label), may_be_number=True)
    answer = f"<b>{_text(label)}</b>" if entry.is_leaf else ""
    weight = f"{entry.weight:,.1f}".removesuffix(".0")
    return (
        f'<div style="{_LINE};padding-left:{1.4 * entry.depth:g}em">'
        f"{_bar(entry.counts)}<span>{_text(words)}</span>{answer}"
        f'<span style="{_SOFT}">{weight}</span></div>'
    )


def _bar(counts: tuple[float, ...]) -> str:
    total = sum(counts) or 1.0
    parts = "".join(
        f'<span style="width:{100 * count / total:.1f}%;background:{class_style(code).colour}">'
        "</span>"
        for code, count in enumerate(counts)
        if count > 0
    )
    return f'<span style="{_BAR}">{parts}</span>'


def _forest_lines(model: Any) -> Iterator[str]:
    n_nodes = sum(tree.n_nodes for tree in model.trees_)
    yield f'<div style="{_SOFT}">{len(model.trees_):,} trees, {n_nodes:,} nodes</div>'
    importances = model.feature_importances_
    most = float(importances.max()) or 1.0
    for column in np.argsort(-importances, kind="stable")[:MOST_COLUMNS]:
        width = 100 * importances[column] / most
        colour = class_style(0).colour
        name = _text(say_name(model.schema_.columns[int(column)].name))
        share = f"{importances[column]:.1%}"
        yield (
            f'<div style="{_LINE}"><span style="{_BAR}">'
            f'<span style="width:{width:.1f}%;background:{colour}"></span></span>'
            f'<span>{name}</span><span style="{_SOFT}">{share}</span></div>'
        )


def _rule_lines(said: list[str]) -> Iterator[str]:
    for rule in said[:MOST_NODES]:
        yield f"<div>{_text(rule)}</div>"
    if len(said) > MOST_NODES:
        yield f'<div style="{_SOFT}">and {len(said) - MOST_NODES:,} more rules</div>'


def _text(words: str) -> str:
    cut = words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."
    return f"<bdi>{escape(cut)}</bdi>"
