"""The tree as indented text."""

from __future__ import annotations

from miter.data.labels import label_text
from miter.estimators.fitted import Fitted
from miter.show.outline import Entry, Outline
from miter.tree import Tree

__all__ = ["export_text"]

INDENT = "|   "


def export_text(model: Fitted | Tree, *, max_depth: int | None = None) -> str:
    """Return a tree as text, one line a branch.

    A leaf shows its class and, in brackets, the training rows that came there and how many of them
    are of another class. Rows with missing values may count in parts.

    Parameters
    ----------
    model : Fitted or Tree
        What to show: a fitted model of one tree, or a tree.
    max_depth : int, optional
        Leave out what lies below more splits than this; three dots tell where.

    Returns
    -------
    str
        Lines without a newline at the end.

    Examples
    --------
    >>> from miter import export_text, id3
    >>> from miter.data import play_tennis
    >>> print(export_text(id3().fit(play_tennis())))
    Outlook = Sunny
    |   Humidity = High: No (3)
    |   Humidity = Normal: Yes (2)
    Outlook = Overcast: Yes (4)
    Outlook = Rain
    |   Wind = Weak: Yes (2)
    |   Wind = Strong
    |   |   Temp. = Mild
    |   |   |   Humidity = High: No (1)
    |   |   |   Humidity = Normal: Yes (1)
    |   |   Temp. = Cool: No (1)
    """
    outline = Outline(model, max_depth=max_depth)
    return "\n".join(_line(entry, outline) for entry in outline if _has_line(entry, max_depth))


def _has_line(entry: Entry, max_depth: int | None) -> bool:
    """Tell whether there is something to say: a root with branches says nothing itself."""
    return entry.depth > 0 or entry.is_leaf or max_depth == 0


def _line(entry: Entry, outline: Outline) -> str:
    condition = INDENT * (entry.depth - 1) + entry.say(outline.schema)
    is_cut = entry.depth == outline.max_depth and not entry.is_leaf
    if not (entry.is_leaf or is_cut):
        return condition
    answer = f"{label_text(entry.label)} {_rows(entry)}{' ...' if is_cut else ''}"
    return f"{condition}: {answer}" if condition else answer


def _rows(entry: Entry) -> str:
    weight, errors = _amount(entry.weight), _amount(entry.errors)
    return f"({weight})" if errors == "0" else f"({weight}/{errors})"


def _amount(rows: float) -> str:
    return f"{rows:.1f}".removesuffix(".0")
