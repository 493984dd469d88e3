"""Tests of sums: what columns add, where rows lie, and how far from the boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import gaussian_kde

from miter.show.canvas import tidy_axes
from miter.show.class_key import class_patch, scatter_rows
from miter.show.colours import INK, class_style
from miter.show.column_axis import jittered, name_axis, name_ticks, range_of, usual_row
from miter.show.lettering import as_printed, fold, plain
from miter.show.node_column import bin_edges, draw_stacked
from miter.show.node_test import NodeTest
from miter.show.polygons import largest_parts, rectangle
from miter.splits.expression import Largest, Step, evaluate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_contributions", "draw_margins", "draw_projection", "draw_response"]

#: So many columns are shown, and rows drawn one by one.
MOST_COLUMNS, MOST_ROWS = 10, 2000
#: Up to so many classes have bars of their own; beyond, shades tell what a column adds.
MOST_BARS = 4
N_GRID = 120
#: Low values orange, high ones purple, which all eyes tell apart.
SHADES = "PuOr"
LEFT, RIGHT = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"


def draw_contributions(ax: Axes, test: NodeTest) -> None:
    """Draw what each column adds, in the mean over the rows of each class."""
    by_class = _contributions(test)
    shown = by_class[:MOST_COLUMNS]
    if len(test.rows.present) <= MOST_BARS:
        _draw_bars(ax, test, shown)
        ax.set_xlabel(_toward(test))
    else:
        _draw_shades(ax, test, shown)
    name_ticks(ax.yaxis, [test.rows.schema.names[column] for column in test.columns[: len(shown)]])
    n_others = len(by_class) - len(shown)
    rest = f"\n{n_others:,} weaker columns are not shown" if n_others else ""
    ax.set_title(f"what columns add, by class{rest}", fontsize=9)


def _contributions(test: NodeTest) -> NDArray[np.float64]:
    """Return what each column adds for rows of each class, columns x classes that are there.

    To the one sum; of several, to that of the row's own class, more than to the others.
    """
    present = test.rows.present
    result = np.full((len(test.columns), len(present)), np.nan)
    classes = test.test.classes if isinstance(test.test, Largest) else ()
    for place, code in enumerate(present):
        own = test.added[test.rows.codes == code].mean(axis=0)
        if not classes:
            result[:, place] = own[:, 0]
        elif code in classes:
            result[:, place] = own[:, classes.index(code)] - own.mean(axis=1)
    return result


def _toward(test: NodeTest) -> str:
    if isinstance(test.test, Largest):
        return f"{LEFT} against the class      for it {RIGHT}"
    low, high = (as_printed(answer) for answer in test.question.answers)
    if test.question.answers[0].startswith(">"):  # the sum is said the other way round
        low, high = high, low
    return f"{LEFT} {low}      {high} {RIGHT}"


def _draw_bars(ax: Axes, test: NodeTest, by_class: NDArray[np.float64]) -> None:
    present = test.rows.present
    sign = _said_sign(test)
    height = 0.8 / len(present)
    for place, code in enumerate(present):
        y = np.arange(len(by_class)) + (place - (len(present) - 1) / 2) * height
        ax.barh(y, sign * by_class[:, place], height, **class_patch(code))
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set_ylim(len(by_class) - 0.4, -0.6)
    tidy_axes(ax)
    ax.grid(False, axis="y")


def _said_sign(test: NodeTest) -> float:
    """Return -1 where the sum is said the other way round, so that its first term is positive."""
    return -1.0 if test.question.answers[0].startswith(">") else 1.0


def _draw_shades(ax: Axes, test: NodeTest, by_class: NDArray[np.float64]) -> None:
    """Draw columns x classes, orange for what speaks against a class and purple for what for it."""
    most = float(np.nanmax(np.abs(by_class))) or 1.0
    image = ax.imshow(
        _said_sign(test) * by_class, cmap=SHADES, vmin=-most, vmax=most, aspect="auto"
    )
    names = (plain(test.rows.class_name(code)) for code in test.rows.present)
    # The legend has the whole names.
    name_ticks(ax.xaxis, [fold(name, 90.0, 7.0, most=1)[0] for name in names], size=7.0)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _explain_shades(ax, image)


def _explain_shades(ax: Axes, shades: Any) -> None:
    bar = ax.figure.colorbar(shades, ax=ax, shrink=0.8, pad=0.02)
    bar.outline.set(visible=False)
    bar.ax.tick_params(labelsize=7, length=0)


def draw_projection(ax: Axes, test: NodeTest) -> None:
    """Draw the rows where the sums put them, and the boundary between the branches."""
    if isinstance(test.test, Largest):
        _draw_plane(ax, test)
    else:
        _draw_across(ax, test)
    tidy_axes(ax)
    ax.grid(False)


def _some(test: NodeTest) -> NDArray[np.int64]:
    """Return the rows that are drawn one by one: all, or a sample."""
    n_rows = len(test.rows.codes)
    if n_rows <= MOST_ROWS:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, MOST_ROWS, replace=False))


def _draw_across(ax: Axes, test: NodeTest) -> None:
    """Draw rows by the one sum, and by the widest direction of what does not change it."""
    rest = test.added[:, :, 0]
    rest = rest - rest.mean(axis=1, keepdims=True)
    across = rest @ np.linalg.svd(rest, full_matrices=False)[2][0]
    some, sign = _some(test), _said_sign(test)
    scatter_rows(ax, sign * test.totals[some, 0], across[some], test.rows.codes[some])
    ax.axvline(sign * test.cut, color=INK, linewidth=1.4)
    ax.set_xlabel(_toward(test))
    ax.set_ylabel("what differs beside the sum")
    ax.set_title("rows by the sum, and its cut", fontsize=9)
    ax.set_yticks([])


def _draw_plane(ax: Axes, test: NodeTest) -> None:
    """Draw rows in the plane of the sums in which classes are farthest apart."""
    totals = test.totals - test.totals.mean(axis=1, keepdims=True)
    middle = totals.mean(axis=0)
    codes = test.rows.codes
    means = np.array([totals[codes == code].mean(axis=0) for code in test.rows.present]) - middle
    directions = np.linalg.svd(means if len(means) > 2 else totals - middle)[2][:2]
    places = (totals - middle) @ directions.T
    low, high = places.min(axis=0), places.max(axis=0)
    edge = 0.05 * np.maximum(high - low, 1e-9)
    frame = rectangle(*np.ravel(np.column_stack([low - edge, high + edge])))
    parts = largest_parts(frame, middle + frame @ directions)
    _fill_parts(ax, test, parts)
    some = _some(test)
    scatter_rows(ax, places[some, 0], places[some, 1], codes[some])
    seen = (middle + places @ directions).argmax(axis=1) == test.totals.argmax(axis=1)
    ax.set_xlim(frame[0, 0], frame[1, 0])
    ax.set_ylim(frame[0, 1], frame[2, 1])
    ax.set_title("rows by the sums, and where each is largest", fontsize=9)
    n_seen = f"a plane: {int(seen.sum()):,} of {len(seen):,} rows\nare seen where they belong"
    ax.set_xlabel("all differences of the sums" if seen.all() else n_seen)
    ax.set_xticks([])
    ax.set_yticks([])


def _fill_parts(ax: Axes, test: NodeTest, parts: list[NDArray[np.float64]]) -> None:
    assert isinstance(test.test, Largest)
    for part, code in zip(parts, test.test.classes, strict=True):
        if len(part):
            style = class_style(code)
            ax.fill(*part.T, facecolor=style.tint, edgecolor=INK, linewidth=1.0, zorder=0)


def draw_margins(ax: Axes, test: NodeTest) -> None:
    """Draw how far rows are from the boundary, by class, and how densely they lie."""
    sign = _said_sign(test)
    if isinstance(test.test, Largest):
        margin, cut = _own_margin(test), 0.0
        ax.set_xlabel(f"{LEFT} to another branch      to that of its class {RIGHT}")
    else:
        margin, cut = sign * test.totals[:, 0], sign * test.cut
        ax.set_xlabel(_toward(test))
    edges, _ = bin_edges(margin, (cut,))
    draw_stacked(ax, test.rows, margin, edges)
    _draw_density(ax, margin[np.isfinite(margin)], edges)
    ax.axvline(cut, color=INK, linewidth=1.4)
    ax.set_ylabel("rows")
    ax.set_title("how far rows are from the boundary", fontsize=9)
    tidy_axes(ax)
    ax.grid(False, axis="x")


def _own_margin(test: NodeTest) -> NDArray[np.float64]:
    """Return by how much the sum of a row's class is larger than the others, or smaller."""
    assert isinstance(test.test, Largest)
    is_own = np.array(test.test.classes) == test.rows.codes[:, None]
    own = np.where(is_own, test.totals, -np.inf).max(axis=1)
    others = np.where(is_own, -np.inf, test.totals).max(axis=1)
    margin = own - others
    return np.where(np.isfinite(margin), margin, np.nan)  # no branch speaks for the class


def _draw_density(ax: Axes, x: NDArray[np.float64], edges: NDArray[np.float64]) -> None:
    """Draw how densely rows lie along a line, in the units of the bars."""
    if len(x) < 10 or float(x.std()) == 0:
        return
    density = gaussian_kde(x[:: max(len(x) // MOST_ROWS, 1)], bw_method=0.2)
    at = np.linspace(edges[0], edges[-1], 300)
    ax.plot(at, density(at) * len(x) * (edges[1] - edges[0]), color=INK, linewidth=1.2)


def draw_response(ax: Axes, test: NodeTest) -> None:
    """Draw what the test answers over its two strongest columns, and the rows."""
    assert isinstance(test.test, Step)
    first, second = (test.columns * 2)[:2]
    rows, schema = test.rows, test.rows.schema
    fixed = usual_row(rows.matrix, schema.columns)
    ends = (range_of(schema.columns[c], rows.matrix[:, c]) for c in (first, second))
    xs, ys = (np.linspace(*end, N_GRID) for end in ends)
    grid = np.tile(fixed, (len(xs) * len(ys), 1))
    for column, places in ((first, np.tile(xs, len(ys))), (second, np.repeat(ys, len(xs)))):
        grid[:, column] = places.round() if schema.columns[column].values else places
    value = evaluate(test.test.of, grid).reshape(len(ys), len(xs)) - test.cut
    most = float(np.abs(value).max()) or 1.0
    shades = ax.contourf(xs, ys, value, 21, cmap="PuOr", vmin=-most, vmax=most, alpha=0.8)
    if value.min() < 0 < value.max():
        ax.contour(xs, ys, value, [0.0], colors=INK, linewidths=1.6)
    some = _some(test)
    x, y = (jittered(schema.columns[c], rows.matrix[some, c], c) for c in (first, second))
    scatter_rows(ax, x, y, rows.codes[some])
    for axis, column in ((ax.xaxis, first), (ax.yaxis, second)):
        name_axis(axis, schema.columns[column])
    _explain_shades(ax, shades)
    others = "" if len(test.columns) < 3 else ", others at their means"
    ax.set_title(f"what the network says{others}", fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
