"""The boxes of a tree's picture: what each says, folded and measured, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from miter.data.labels import label_text
from miter.rules.points import PointsTable, points
from miter.show.lettering import as_printed, fold, plain, width_of
from miter.show.outline import Entry, Outline
from miter.show.scales import counted_columns, say_scales
from miter.splits import Linear, Machine
from miter.splits.expression import Constant, Expression, IfMissing, Largest, Lookup
from miter.splits.names import say_name
from miter.splits.split import SHARE
from miter.splits.words import Question, Wording, say_question

__all__ = ["HINTING", "MOST_NODES", "Box", "PointsBlock", "boxes_of", "footnotes"]

#: A larger tree is shown down to a level where there are fewer nodes, unless a depth is given.
MOST_NODES = 100
#: Of a node with more branches, those with the most rows are shown.
MOST_BRANCHES = 30
#: Of names, answers and terms so many lines are shown.
MOST_LINES = 4
#: Widths of a text in a box and of an answer above it, in sizes of letters.
BOX_WIDTH, ANSWER_WIDTH = 15.0, 13.0
#: Small letters, as a part of the others; the height of a line, of a bar, and what is around.
SMALL, LINE_HEIGHT, BAR, PADDING = 0.85, 1.25, 0.75, 0.55
#: Where there are few dots, letters are set on whole ones, which makes words so much wider.
HINTING = 1.08
#: A sum of so few letters stands on one line, a longer one with a line for each term.
SHORT = 24
#: Of a points table at most so many rows.
POINTS_ROWS = 6
#: Where the largest of several sums decides, so many terms of each are said; of more sums none.
SUM_TERMS, MOST_SUMS = 3, 6


@dataclass(frozen=True, eq=False)
class PointsBlock:
    """A points table, measured.

    Parameters
    ----------
    table : PointsTable
        What it shows.
    codes : tuple of int
        The class of each column of points.
    size : float
        Of the letters.
    """

    table: PointsTable
    codes: tuple[int, ...]
    size: float

    @cached_property
    def rows(self) -> list[tuple[list[str], list[str]]]:
        """What counts, folded, and the points of each class."""
        table = self.table
        words = ["start", *(as_printed(row.say(table.schema)) for row in table.rows)]
        numbers = [table.start.tolist(), *table.points.tolist()]
        return [
            (
                fold(said, 1.6 * BOX_WIDTH * self.size, self.size, most=2),
                [as_printed(str(n)) for n in own],
            )
            for said, own in zip(words, numbers, strict=True)
        ]

    @cached_property
    def first_width(self) -> float:
        """How wide the words are."""
        return HINTING * max(width_of(line, self.size) for lines, _ in self.rows for line in lines)

    @cached_property
    def column_width(self) -> float:
        """How wide a column of points is."""
        widest = max(width_of(number, self.size) for _, own in self.rows for number in own)
        return max(widest, 1.2 * self.size) + 0.7 * self.size

    @property
    def width(self) -> float:
        """How wide the table is."""
        return self.first_width + 0.5 * self.size + len(self.codes) * self.column_width

    @property
    def height(self) -> float:
        """How high it is, with a row of colours above it."""
        n_lines = 1 + sum(len(lines) for lines, _ in self.rows)
        return n_lines * LINE_HEIGHT * self.size


@dataclass(eq=False)
class Box:
    """A node as it is drawn: an answer, below it a frame with a title, a bar and a caption.

    Parameters
    ----------
    parent : int
        Position of the box above; -1 for the root.
    size : float
        Of its letters.
    answer, details : list of str
        Lines above the frame: what leads here, and the sum that was largest.
    title : list of str
        What the node asks, or the class that it answers.
    caption : list of str
        How many rows came here, and the like.
    entry : Entry, optional
        The node; None for what stands for several branches.
    is_end : bool
        Whether rows get an answer here, as far as the picture shows.
    points : PointsBlock, optional
        In place of the title.
    """

    parent: int
    size: float
    answer: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    title: list[str] = field(default_factory=list)
    caption: list[str] = field(default_factory=list)
    entry: Entry | None = None
    is_end: bool = True
    points: PointsBlock | None = None

    @property
    def small(self) -> float:
        """The size of small letters."""
        return SMALL * self.size

    @cached_property
    def answer_height(self) -> float:
        """Of what stands above the frame."""
        lines = len(self.answer) + len(self.details)
        return lines * LINE_HEIGHT * self.small + (0.35 * self.size if lines else 0.0)

    @cached_property
    def title_height(self) -> float:
        """Of the title, or the table in its place."""
        if self.points is not None:
            return self.points.height
        return len(self.title) * LINE_HEIGHT * self.size

    @cached_property
    def frame_width(self) -> float:
        """Of the frame."""
        widths = [width_of(line, self.size, bold=self.is_end) for line in self.title]
        widths += [width_of(line, self.small) for line in self.caption]
        widths += [self.points.width] if self.points is not None else []
        return max(5.0 * self.size, *(HINTING * own for own in widths)) + 2 * PADDING * self.size

    @cached_property
    def frame_height(self) -> float:
        """Of the frame."""
        bar = (BAR + 0.3) * self.size if self.entry is not None else 0.0
        caption = len(self.caption) * LINE_HEIGHT * self.small
        return self.title_height + bar + caption + 2 * PADDING * self.size

    @cached_property
    def width(self) -> float:
        """Of all of it."""
        above = [width_of(line, self.small, bold=True) for line in self.answer]
        above += [width_of(line, self.small) for line in self.details]
        return max([self.frame_width, *(HINTING * own for own in above)])

    @property
    def height(self) -> float:
        """Of all of it."""
        return self.answer_height + self.frame_height


@dataclass(frozen=True)
class Wish:
    """How boxes are to look.

    Parameters
    ----------
    size : float
        Of the letters.
    tests : {"words", "points"}
        How sums are said.
    max_terms : int
        So many terms of a sum, and values of a set, are said.
    node_ids : bool
        Whether the numbers of nodes are told.
    """

    size: float
    tests: str
    max_terms: int
    node_ids: bool


def boxes_of(outline: Outline, wish: Wish) -> list[Box]:
    """Return the boxes of a tree, parents before children, children in their order.

    Parameters
    ----------
    outline : Outline
        The tree, perhaps down to some depth only.
    wish : Wish
        How they are to look.
    """
    entries = list(outline)
    children: dict[int | None, list[Entry]] = {}
    for entry in entries:
        children.setdefault(entry.parent, []).append(entry)
    write = _Writer(outline, wish, _count_below(outline))
    boxes: list[Box] = []
    # A stack, because a tree may be deeper than Python can call.
    stack: list[tuple[int, list[Entry], Question | None]] = [(-1, entries[:1], None)]
    while stack:
        parent, own, asked = stack.pop()
        if len(own) > 1:
            boxes.append(write.rest(parent, own))
            continue
        below = children.get(own[0].node, [])
        question = write.question(below)
        stack += [(len(boxes), some, question) for some in reversed(_gathered(below))]
        boxes.append(write.box(parent, own[0], asked, question))
    return boxes


def _gathered(entries: list[Entry]) -> list[list[Entry]]:
    """Return branches one by one; of too many the smallest, and leaves without rows, together."""
    by_weight = sorted(entries, key=lambda entry: -entry.weight)
    shown = by_weight if len(entries) <= MOST_BRANCHES else by_weight[: MOST_BRANCHES - 1]
    nodes = {entry.node for entry in shown if entry.weight > 0 or not entry.is_leaf}
    rest = [entry for entry in entries if entry.node not in nodes]
    if len(rest) < 2:
        return [[entry] for entry in entries]
    return [*([entry] for entry in entries if entry.node in nodes), rest]


def _count_below(outline: Outline) -> list[int]:
    """Return how many nodes are below each."""
    tree = outline.tree
    below = np.zeros(tree.n_nodes, int)
    for first, last in reversed(tree.levels_below_root):
        np.add.at(below, tree.parent[first:last], below[first:last] + 1)
    return below.tolist()


@dataclass(frozen=True, eq=False)
class _Writer:
    """Says what boxes hold."""

    outline: Outline
    wish: Wish
    n_below: list[int]

    def question(self, children: list[Entry]) -> Question | None:
        """Say what the node above these branches asks; None where there are none."""
        if not children:
            return None
        spoken = children[0].spoken
        assert spoken is not None
        most = self.wish.max_terms
        if isinstance(spoken.test, Largest):
            most = min(most, SUM_TERMS if len(children) <= MOST_SUMS else most)
        wording = Wording(spoken.order, most)
        return say_question(spoken.test, self.outline.schema, len(children), wording)

    def box(
        self, parent: int, entry: Entry, asked: Question | None, question: Question | None
    ) -> Box:
        """Return the box of a node, below the answer to what its parent asked."""
        box = Box(parent, self.wish.size, entry=entry, is_end=question is None)
        if asked is not None:
            self._answer(box, asked, entry)
        label = plain(label_text(entry.label))
        if question is None:
            box.title = self._fold(label, BOX_WIDTH, bold=True)
        else:
            box.points = self._points(entry)
            box.title = [
                line for term in self._asked(question) for line in self._fold(term, 1.4 * BOX_WIDTH)
            ]
        box.caption = [f"#{entry.node}  " * self.wish.node_ids + _rows(entry, box.is_end)]
        if box.is_end and not entry.is_leaf:
            box.caption.append(f"{self.n_below[entry.node]:,} nodes below")
        return box

    def _asked(self, question: Question) -> list[str]:
        """Return the lines of what a node asks."""
        if question.column is not None:
            return [plain(self.outline.schema.columns[question.column].name)]
        subject = [as_printed(word) for word in question.subject]
        if question.sums:
            return [f"largest of {len(question.sums)} sums of", ", ".join(subject)]
        whole = " ".join(subject)
        return [whole] if len(whole) <= SHORT else subject

    def rest(self, parent: int, entries: list[Entry]) -> Box:
        """Return the box that stands for branches that are not shown."""
        weight = sum(entry.weight for entry in entries)
        rows = f"{_amount(weight)} rows" if weight > 0 else "no training rows"
        return Box(
            parent, self.wish.size, title=[f"{len(entries):,} more branches"], caption=[rows]
        )

    def _answer(self, box: Box, asked: Question, entry: Entry) -> None:
        assert entry.branch is not None
        assert entry.condition is not None
        words = asked.answers[entry.branch]
        label = say_name(label_text(entry.label), may_be_number=True)
        if not (asked.sums and box.is_end and words == label):  # the title says it
            box.answer = self._fold(as_printed(words), ANSWER_WIDTH, small=True, bold=True)
        split = entry.condition.split
        if missing_branch(split.expression) == entry.branch and self._may_be_missing(split.columns):
            box.details = ["or missing"]
        if 0 < len(asked.sums) <= MOST_SUMS and self.wish.tests == "words":
            terms = map(as_printed, asked.sums[entry.branch])
            box.details = [
                line
                for term in terms
                for line in self._fold(term, 1.5 * ANSWER_WIDTH, small=True, most=2)
            ]

    def _may_be_missing(self, columns: tuple[int, ...]) -> bool:
        """Whether values of columns may be missing; where rows are given, these tell."""
        rows = self.outline.rows
        return rows is None or bool(np.isnan(rows[:, list(columns)]).any())

    def _fold(
        self, words: str, width: float, *, small: bool = False, bold: bool = False, most: int = 0
    ) -> list[str]:
        size = self.wish.size * (SMALL if small else 1)
        return fold(words, width * self.wish.size, size, bold=bold, most=most or MOST_LINES)

    def _points(self, entry: Entry) -> PointsBlock | None:
        """Return the points table of a node, where it is wanted and there can be one."""
        tree, outline = self.outline.tree, self.outline
        split = tree.splits[entry.node]
        if self.wish.tests != "points" or not isinstance(split, Machine | Linear):
            return None
        if len(set(split.columns)) == 1 or outline.rows is None:
            return None  # a question about one column is shorter
        rows = outline.rows[outline.rows_at(entry.node)]
        if not len(rows):
            return None
        table = points(tree, rows, max_rows=min(self.wish.max_terms, POINTS_ROWS), node=entry.node)
        classes = outline.schema.classes
        codes = tuple(classes.index(label) for label in table.classes)
        return PointsBlock(table, codes, self.wish.size * SMALL)


def missing_branch(expression: Expression) -> int | None:
    """Return the branch of a missing value, or `SHARE`; None for sums, where it adds something."""
    match expression:
        case IfMissing(_, Constant(branch), _):
            return int(branch)
        case Lookup(_, _, otherwise):
            return int(otherwise)
    return None


def _rows(entry: Entry, is_end: bool) -> str:
    total = _amount(entry.weight)
    right = _amount(entry.counts[entry.class_code])
    is_mixed = is_end and right != total
    return f"{right} of {total} rows" if is_mixed else f"{total} row{'s' * (total != '1')}"


def _amount(rows: float) -> str:
    return f"{rows:,.1f}".removesuffix(".0")


def footnotes(outline: Outline, boxes: list[Box]) -> Iterator[str]:
    """Say what stands below the tree: what is left out, where missing values go, what is rounded.

    Parameters
    ----------
    outline : Outline
        What was drawn.
    boxes : list of Box
        How.
    """
    n_shown = sum(box.entry is not None for box in boxes)
    n_hidden = outline.tree.n_nodes - n_shown
    if n_hidden:
        yield f"{n_hidden:,} of {outline.tree.n_nodes:,} nodes are left out."
    entries = [box.entry for box in boxes if box.entry is not None and box.entry.spoken is not None]
    tests = {entry.parent: entry for entry in entries}.values()
    yield from _say_missing(outline, tests)
    columns = {c for e in tests if e.spoken is not None for c in counted_columns(e.spoken.test)}
    yield from map(as_printed, say_scales(sorted(columns), outline.schema))
    yield from _say_rounding(outline, tests)
    for box in boxes:
        if box.points is not None:
            yield "The class with the most points wins; tables decide as the tree does for " + (
                f"{_agreement(boxes):.1%} of the rows there."
            )
            break


def _agreement(boxes: list[Box]) -> float:
    tables = [box.points.table for box in boxes if box.points is not None]
    alike = sum(table.agreement * table.n_compared for table in tables)
    return alike / max(sum(table.n_compared for table in tables), 1)


def _say_missing(outline: Outline, tests: Any) -> Iterator[str]:
    """Say where a row goes whose value is missing; nothing where the rows given lack none."""
    if outline.rows is not None and not np.isnan(outline.rows).any():
        return
    ways = {missing_branch(entry.condition.split.expression) for entry in tests}
    if SHARE in ways:
        other = "Else a" if ways - {SHARE, None} else "A"
        yield f"{other} row whose value is missing goes down all branches, in parts."
    if None in ways:
        yield "In a sum a missing value counts as a fixed amount."


def _say_rounding(outline: Outline, tests: Any) -> Iterator[str]:
    rounded = [entry.spoken for entry in tests if entry.spoken.is_rounded]
    if not rounded:
        return
    if outline.rows is None:
        yield "Numbers are rounded."
        return
    n_other = sum(round((1 - (s.agreement or 0.0)) * s.n_rows) for s in rounded if s.n_rows)
    if n_other:
        yield f"Numbers are rounded, which would send {n_other:,} rows elsewhere."
