"""The tree as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from miter.checks import check_choice, check_flag, check_number, check_whole
from miter.data.labels import label_text
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.show.canvas import axes_for, check_axes
from miter.show.colours import FAINT, INK, LINE, class_style
from miter.show.layout import Layout, lay_out
from miter.show.lettering import fold, plain, width_of, write
from miter.show.outline import Outline
from miter.show.tree_boxes import (
    BAR,
    HINTING,
    LINE_HEIGHT,
    MOST_NODES,
    PADDING,
    Box,
    PointsBlock,
    Wish,
    boxes_of,
    footnotes,
)
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_tree"]

#: Distances between boxes of a level and between levels, and the margin around, in letters.
BESIDE, BELOW, MARGIN = 1.2, 2.6, 1.0
#: What lies below the tree is at least so wide, in letters.
LEGEND_WIDTH = 30.0
#: Lines to branches: the thinnest, and what all rows of the tree add to it; as parts of a letter.
THIN, THICK = 0.07, 0.55
BRANCH = "#9DA3A8"


def plot_tree(
    model: Fitted | Tree,
    X: Any = None,
    *,
    max_depth: int | None = None,
    tests: str = "words",
    max_terms: int = 5,
    node_ids: bool = False,
    fontsize: float = 9.0,
    ax: Axes | None = None,
) -> Axes:
    """Draw a tree of any kind of test and any number of branches.

    A box says what a node asks, or the class that it answers; a bar shows the classes of the
    training rows that came there, and the lines to its branches are as thick as rows took them.

    Parameters
    ----------
    model : Fitted or Tree
        What to draw: a fitted model of one tree, or a tree.
    X : DataFrame, array or Data, optional
        Rows like those of training: with them numbers have as few digits as decide alike, and the
        terms of a sum come in the order of what they do. Needed for points tables.
    max_depth : int, optional
        Leave out what lies below more splits than this. By default trees of more than 100 nodes are
        shown as far as there are no more; a line below the tree tells what was left out.
    tests : {"words", "points"}
        How sums of several columns are said: by their strongest terms, or as points tables.
    max_terms : int
        So many terms of a sum, and values of a set, are said; the others are counted.
    node_ids : bool
        Whether the numbers of nodes are told, for `plot_node`.
    fontsize : float
        Of the letters; smaller if the tree does not fit into axes that were given.
    ax : Axes, optional
        Where to draw; by default a new figure of the size that the tree needs.

    Returns
    -------
    Axes
        Whose units are points.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import ReadableTreeClassifier, plot_tree
    >>> iris = load_iris(as_frame=True)
    >>> tree = ReadableTreeClassifier(random_state=0).fit(iris.data, iris.target_names[iris.target])
    >>> ax = plot_tree(tree, iris.data)
    >>> "virginica" in [text.get_text() for text in ax.texts]
    True
    """
    check_axes(ax)
    check_choice("tests", tests, ("words", "points"))
    check_whole("max_terms", max_terms, 1)
    check_flag("node_ids", node_ids)
    check_number("fontsize", fontsize, above=0)
    outline = Outline(model, X, max_depth=max_depth)
    if tests == "points" and outline.rows is None:
        raise DataError("points tables are found by rows; give X, such as the training rows")
    if max_depth is None:
        outline.max_depth = _readable_depth(outline.tree)
    boxes = boxes_of(outline, Wish(float(fontsize), tests, max_terms, node_ids))
    drawing = _Drawing(outline, boxes, float(fontsize))
    ax = drawing.prepare(ax)
    drawing.draw(ax)
    return ax


def _readable_depth(tree: Tree) -> int | None:
    """Return the last level above which there are few enough nodes; None if all are few."""
    if tree.n_nodes <= MOST_NODES:
        return None
    shown = [depth for depth, n in enumerate(tree.level_starts[1:]) if n <= MOST_NODES]
    return max(shown[-1], 1)


class _Drawing:
    """A tree on its way into axes: down is positive, units are points before they are scaled."""

    def __init__(self, outline: Outline, boxes: list[Box], size: float) -> None:
        self.outline, self.boxes, self.size = outline, boxes, size
        self.layout = self._lay_out()
        width = max(self.layout.width, LEGEND_WIDTH * size)
        self.legend = _Legend(outline, boxes, size, width)
        margin = MARGIN * size
        self.left = margin + (width - self.layout.width) / 2
        self.width = width + 2 * margin
        self.below = self.layout.height + 2 * margin
        self.height = self.below + self.legend.height + margin
        self.scale = 1.0

    def _lay_out(self) -> Layout:
        parents = [box.parent for box in self.boxes]
        widths, heights = [b.width for b in self.boxes], [b.height for b in self.boxes]
        return lay_out(parents, widths, heights, beside=BESIDE * self.size, below=BELOW * self.size)

    def prepare(self, ax: Axes | None) -> Axes:
        """Return axes whose units are points, scaled so that all fits in."""
        is_new = ax is None
        ax = axes_for(ax, (self.width / 72, self.height / 72), bare=True)
        bounds = ax.get_window_extent()
        dots = ax.figure.dpi / 72
        wide, high = bounds.width / dots, bounds.height / dots
        self.scale = 1.0 if is_new else min(1.0, wide / self.width, high / self.height)
        spare_x = (wide / self.scale - self.width) / 2
        spare_y = (high / self.scale - self.height) / 2
        ax.set_xlim(-spare_x, self.width + spare_x)
        ax.set_ylim(self.height + spare_y, -spare_y)
        ax.set_axis_off()
        return ax

    def draw(self, ax: Axes) -> None:
        """Draw lines, then boxes, then what stands below."""
        pen = _Pen(ax, self.scale)
        root = max(self.outline.tree.counts[0].sum(), 1e-300)
        for place, box in enumerate(self.boxes):
            if box.parent >= 0:
                weight = box.entry.weight if box.entry is not None else 0.0
                self._draw_line(pen, place, float(weight / root))
        for place, box in enumerate(self.boxes):
            x, top = self.layout.x[place] + self.left, self.layout.top[place] + MARGIN * self.size
            _draw_box(pen, box, x, top)
        self.legend.draw(pen, MARGIN * self.size, self.below)

    def _draw_line(self, pen: _Pen, place: int, share: float) -> None:
        box = self.boxes[place]
        above = self.boxes[box.parent]
        margin = MARGIN * self.size
        x0, x1 = self.layout.x[[box.parent, place]] + self.left
        frame_bottom = self.layout.top[box.parent] + above.height + margin
        floor = self.layout.floor[box.parent] + margin
        top = self.layout.top[place] + margin
        pen.branch(x0, frame_bottom, floor, x1, top, self.size * (THIN + THICK * share))


@dataclass(frozen=True, eq=False)
class _Pen:
    """Draws into axes in points that are scaled."""

    ax: Axes
    scale: float

    def words(self, x: float, y: float, words: str, size: float, **style: Any) -> None:
        """Write a line whose middle is at this height."""
        style = {"color": INK, "ha": "center", "va": "center_baseline"} | style
        write(self.ax, x, y, words, fontsize=size * self.scale, **style)

    def rectangle(self, x: float, y: float, width: float, height: float, **style: Any) -> None:
        """Draw a rectangle by its upper left corner."""
        from matplotlib.patches import Rectangle

        width_of_line = style.pop("linewidth", 0.0) * self.scale
        self.ax.add_patch(Rectangle((x, y), width, height, linewidth=width_of_line, **style))

    def frame(
        self, x: float, y: float, width: float, height: float, radius: float, **style: Any
    ) -> None:
        """Draw a box with round corners by its upper left corner."""
        from matplotlib.patches import FancyBboxPatch

        width_of_line = style.pop("linewidth", 1.0) * self.scale
        shape = f"round,pad=0,rounding_size={radius}"
        patch = FancyBboxPatch(
            (x, y), width, height, boxstyle=shape, linewidth=width_of_line, **style
        )
        self.ax.add_patch(patch)

    def branch(
        self, x0: float, y0: float, floor: float, x1: float, y1: float, width: float
    ) -> None:
        """Draw the line from a box to one below it: down past its neighbours, then across."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        bend = (y1 - floor) * 0.6
        points = [(x0, y0), (x0, floor), (x0, floor + bend), (x1, y1 - bend), (x1, y1)]
        codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        line = PathPatch(
            Path(points, codes),
            fill=False,
            edgecolor=BRANCH,
            linewidth=width * self.scale,
            capstyle="butt",
            zorder=0,
        )
        self.ax.add_patch(line)

    def chip(self, x: float, y: float, width: float, height: float, code: int) -> None:
        """Draw a small rectangle in the colour of a class."""
        style = class_style(code)
        self.rectangle(
            *(x, y, width, height),
            facecolor=style.colour,
            edgecolor="white" if style.hatch else "none",
            hatch=style.hatch or None,
        )


def _draw_box(pen: _Pen, box: Box, x: float, top: float) -> None:
    """Draw the answer, and below it the frame with what it holds."""
    size, small = box.size, box.small
    y = top
    for lines, weight, colour in ((box.answer, "bold", INK), (box.details, "normal", LINE)):
        for line in lines:
            y += LINE_HEIGHT * small
            pen.words(x, y - LINE_HEIGHT * small / 2, line, small, weight=weight, color=colour)
    y, left = top + box.answer_height, x - box.frame_width / 2
    is_leaf = box.is_end and box.entry is not None
    style = class_style(box.entry.class_code) if box.entry is not None and is_leaf else None
    pen.frame(
        *(left, y, box.frame_width, box.frame_height, 0.5 * size),
        facecolor="white" if style is None else style.tint,
        edgecolor=LINE if style is None else style.colour,
        linewidth=1.0 if style is None else 1.3,
        linestyle="--" if box.entry is None or (is_leaf and not box.entry.is_leaf) else "-",
    )
    y += PADDING * size
    if box.points is not None:
        _draw_points(pen, box.points, x - box.points.width / 2, y)
        y += box.points.height
    else:
        for line in box.title:
            y += LINE_HEIGHT * size
            weight = "bold" if box.is_end else "normal"
            pen.words(x, y - LINE_HEIGHT * size / 2, line, size, weight=weight)
    if box.entry is not None:
        y += 0.15 * size
        inside = box.frame_width - 2 * PADDING * size
        _draw_bar(pen, box.entry.counts, x - inside / 2, y, inside, BAR * size)
        y += (BAR + 0.15) * size
    for line in box.caption:
        y += LINE_HEIGHT * small
        pen.words(x, y - LINE_HEIGHT * small / 2, line, small, color=LINE)


def _draw_bar(
    pen: _Pen, counts: Sequence[float], x: float, y: float, width: float, height: float
) -> None:
    """Draw how many rows of each class there are, side by side."""
    total = sum(counts)
    for code, count in enumerate(counts):
        if count > 0:
            part = width * count / total
            pen.chip(x, y, part, height, code)
            x += part
    if total == 0:
        pen.rectangle(x, y, width, height, facecolor="none", edgecolor=FAINT, linewidth=0.8)


def _draw_points(pen: _Pen, block: PointsBlock, x: float, y: float) -> None:
    """Draw a points table: a chip above the points of each class."""
    size, line_height = block.size, LINE_HEIGHT * block.size
    first = x + block.first_width + 0.5 * size
    middles = [first + (k + 0.5) * block.column_width for k in range(len(block.codes))]
    for middle, code in zip(middles, block.codes, strict=True):
        pen.chip(middle - 0.5 * size, y + 0.1 * size, size, 0.7 * size, code)
    y += line_height
    for words, numbers in block.rows:
        for middle, number in zip(middles, numbers, strict=True):
            pen.words(middle, y + line_height / 2, number, size)
        for line in words:
            pen.words(x, y + line_height / 2, line, size, ha="left")
            y += line_height


class _Legend:
    """The classes and their colours, and what is to be said, in lines below the tree."""

    def __init__(self, outline: Outline, boxes: list[Box], size: float, width: float) -> None:
        self.size, self.width = 0.9 * size, width
        counts = np.array([box.entry.counts for box in boxes if box.entry is not None])
        codes = np.flatnonzero(counts.sum(axis=0) > 0).tolist()
        classes = [plain(label_text(outline.schema.classes[code])) for code in codes]
        chip = 1.8 * self.size
        widest = max(min(width - chip, 24.0 * self.size), 8.0 * self.size)
        self.entries = [
            (code, fold(name, widest, self.size, most=4))
            for code, name in zip(codes, classes, strict=True)
        ]
        self.rows = self._in_rows(chip)
        self.notes = [
            line for note in footnotes(outline, boxes) for line in fold(note, width, self.size)
        ]

    def _in_rows(self, chip: float) -> list[list[tuple[float, int, list[str]]]]:
        """Return what stands on each row, with its place on it."""
        rows: list[list[tuple[float, int, list[str]]]] = []
        x = self.width + 1
        for code, lines in self.entries:
            widest = HINTING * max(width_of(line, self.size) for line in lines)
            own = chip + widest + 1.5 * self.size
            if x + own - 1.5 * self.size > self.width or not rows:
                rows.append([])
                x = 0.0
            rows[-1].append((x, code, lines))
            x += own
        return rows

    @property
    def height(self) -> float:
        """Of all lines."""
        n_lines = sum(max(len(lines) for _, _, lines in row) for row in self.rows)
        n_lines += len(self.notes)
        return (n_lines * LINE_HEIGHT + 0.4 * len(self.rows)) * self.size

    def draw(self, pen: _Pen, x: float, y: float) -> None:
        """Draw it below this place."""
        line_height = LINE_HEIGHT * self.size
        for row in self.rows:
            for place, code, lines in row:
                pen.chip(x + place, y + 0.2 * self.size, 1.3 * self.size, 0.85 * self.size, code)
                for number, line in enumerate(lines):
                    middle = y + (number + 0.5) * line_height
                    pen.words(x + place + 1.8 * self.size, middle, line, self.size, ha="left")
            y += max(len(lines) for _, _, lines in row) * line_height + 0.4 * self.size
        for note in self.notes:
            pen.words(x, y + line_height / 2, note, self.size, ha="left", color=LINE)
            y += line_height
