"""The tree as indented text."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from miter.checks import check_whole
from miter.data.labels import label_text
from miter.estimators.fitted import Fitted
from miter.show.outline import Entry, Outline
from miter.show.scales import counted_columns, say_scales
from miter.splits.names import say_name
from miter.tree import Tree

__all__ = ["export_text"]

INDENT = "|   "
#: So many terms of a sum are said, and values of a set, unless all are asked for.
MOST = 8
#: What wrapped lines have at least, behind their indentation.
NARROWEST = 30

ROUNDED = (
    "Numbers are rounded; given rows (export_text(model, X), miter show --rows FILE), it is said "
    "how many of them that sends elsewhere."
)


def export_text(
    model: Fitted | Tree,
    X: Any = None,
    *,
    max_depth: int | None = None,
    full: bool = False,
    probabilities: bool = False,
    costs: bool = False,
    width: int | None = None,
) -> str:
    """Return a tree as text, one line a branch.

    A leaf shows its class and, in brackets, the training rows that came there and how many of them
    are of another class. Rows with missing values may count in parts.

    Parameters
    ----------
    model : Fitted or Tree
        What to show: a fitted model of one tree, or a tree.
    X : DataFrame, array or Data, optional
        Rows like those of training. With them the terms of a sum come in the order of what they do
        at its node, and its numbers have as few digits as decide alike for the rows that come
        there; where three are not enough, the line says for how many rows they do. Without, terms
        come in the order of the importance of their columns in the tree, numbers have three
        digits, and a last line says so.
    max_depth : int, optional
        Leave out what lies below more splits than this; three dots tell where.
    full : bool
        Say all terms of a sum, not only the strongest.
    probabilities : bool
        Show the probabilities of the classes at leaves.
    costs : bool
        Show what a row of a leaf costs in the mean; where no costs are known, an error costs 1.
    width : int, optional
        Break lines that are longer. By default as long as the terminal is wide, where the program
        writes to one.

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
    check_whole("width", width, 1, optional=True)
    if width is None and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
    text = _Text(Outline(model, X, max_depth=max_depth), full, probabilities, costs)
    return "\n".join(part for line in text for part in _wrapped(line, width))


@dataclass(frozen=True)
class _Text:
    """The lines of a tree."""

    outline: Outline
    full: bool
    probabilities: bool
    costs: bool

    def __iter__(self) -> Iterator[str]:
        is_rounded = False
        for entry in self.outline:
            if entry.depth > 0 or entry.is_leaf or self.outline.max_depth == 0:
                yield self._line(entry)
            is_rounded |= entry.spoken is not None and entry.spoken.is_rounded
        yield from say_scales(self._counted(), self.outline.schema)
        if is_rounded and self.outline.rows is None:
            yield ROUNDED

    def _counted(self) -> list[int]:
        """Return the columns that count as numbers in a sum of the tree."""
        tests = [entry.spoken.test for entry in self.outline if entry.spoken is not None]
        return sorted({column for test in tests for column in counted_columns(test)})

    def _line(self, entry: Entry) -> str:
        said = entry.say(self.outline.schema, None if self.full else MOST)
        condition = INDENT * (entry.depth - 1) + said + self._agreement(entry)
        is_cut = entry.depth == self.outline.max_depth and not entry.is_leaf
        if not (entry.is_leaf or is_cut):
            return condition
        label = say_name(label_text(entry.label), may_be_number=True)
        answer = f"{label} {_rows(entry)}{self._more(entry)}{' ...' if is_cut else ''}"
        return f"{condition}: {answer}" if condition else answer

    def _agreement(self, entry: Entry) -> str:
        """Say, once a test, how far its words can be trusted."""
        spoken = entry.spoken
        if spoken is None or entry.branch != 0 or not spoken.is_rounded:
            return ""
        if spoken.agreement is None:
            return "" if self.outline.rows is None else " (rounded; no row comes here)"
        n_other = round((1 - spoken.agreement) * spoken.n_rows)
        if n_other == 0:
            return ""
        return f" (rounded: {n_other:,} of {spoken.n_rows:,} rows go elsewhere)"

    def _more(self, entry: Entry) -> str:
        tree, node = self.outline.tree, entry.node
        words = ""
        if self.probabilities:
            shares = sorted(enumerate(tree.probabilities[node].tolist()), key=lambda pair: -pair[1])
            said = [
                f"{say_name(label_text(self.outline.schema.classes[code]), may_be_number=True)} "
                f"{share:.2f}"
                for code, share in shares
                if share >= 0.005
            ]
            words += f" [{', '.join(said)}]"
        if self.costs:
            loss = float(tree.training_losses[node, entry.class_code])
            words += f" costs {loss / entry.weight if entry.weight else 0.0:.3g} a row"
        return words


def _rows(entry: Entry) -> str:
    weight, errors = _amount(entry.weight), _amount(entry.errors)
    return f"({weight})" if errors == "0" else f"({weight}/{errors})"


def _amount(rows: float) -> str:
    return f"{rows:.1f}".removesuffix(".0")


def _wrapped(line: str, width: int | None) -> list[str]:
    """Break a line that is too long; never inside a name."""
    if width is None or len(line) <= width:
        return [line]
    bars = re.match(r"(\|   )*", line)
    indent = bars.group() if bars else ""
    # Blanks inside quotes and brackets hold together.
    whole = re.sub(r"'[^']*'|\"[^\"]*\"", lambda name: name.group().replace(" ", "\0"), line)
    parts = textwrap.wrap(
        whole[len(indent) :],
        max(width, len(indent) + NARROWEST),
        initial_indent=indent,
        subsequent_indent=f"{indent}      ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.replace("\0", " ") for part in parts]
