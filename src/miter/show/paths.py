"""Each leaf as a rule: the conditions on the way to it."""

from __future__ import annotations

from miter.data.labels import label_text
from miter.estimators.fitted import Fitted
from miter.show.outline import Outline
from miter.tree import Tree

__all__ = ["leaf_rules"]


def leaf_rules(model: Fitted | Tree) -> list[str]:
    """Return a sentence for each leaf, from left to right: what leads there, and its answer.

    Parameters
    ----------
    model : Fitted or Tree
        What to describe: a fitted model of one tree, or a tree.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.show import leaf_rules
    >>> leaf_rules(id3().fit(play_tennis()))[2]
    'IF Outlook = Overcast THEN Yes (4 rows)'
    """
    outline = Outline(model)
    reasons: dict[int, list[str]] = {}
    rules = []
    for entry in outline:
        above = [] if entry.parent is None else reasons[entry.parent]
        own = above if entry.condition is None else [*above, entry.say(outline.schema)]
        reasons[entry.node] = own
        if entry.is_leaf:
            rule = f"IF {' AND '.join(own)} THEN " if own else ""
            rules.append(f"{rule}{label_text(entry.label)} ({entry.weight:g} rows)")
    return rules
