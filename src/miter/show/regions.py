"""Where a model answers what, in the plane of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.show.canvas import axes_for, check_axes
from miter.show.class_key import height_of_key, scatter_rows, show_classes
from miter.show.colours import INK, LINE, class_style
from miter.show.column_axis import jittered, name_axis, range_of, usual_row
from miter.show.plane import Plane, is_straight
from miter.show.polygons import rectangle
from miter.show.rows import (
    ShownRows,
    coded_rows,
    column_position,
    importances_of_model,
    rows_with_classes,
)
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_regions"]

#: So many rows are drawn; so many places along each side are asked where lines are not straight.
MOST_ROWS, N_GRID = 1500, 400


def plot_regions(
    model: Fitted | Tree,
    X: Any,
    y: Any = None,
    *,
    columns: Sequence[str | int] | None = None,
    row: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw where a model answers what, in the plane of two columns, and the rows.

    The cuts of a tree are lines at their true angles, those between classes thicker; of a forest,
    and of tests that are curved, what is drawn are the answers at many places.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted tree or forest.
    X : DataFrame, array or Data
        Rows, such as those of training.
    y : sequence, optional
        Their classes. By default those in `X`, if it has the column that the model predicts, else
        the answers of the model.
    columns : pair of str or int, optional
        The columns to the right and upward, by name or position; by default the two that matter
        most to the model.
    row : int, or DataFrame or array of one row, optional
        What all other columns are: as in the row at this position of `X`, or in this row. By
        default numbers are at their means, symbols the most frequent; so are values that the row
        lacks.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import ReadableTreeClassifier, plot_regions
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ax = plot_regions(ReadableTreeClassifier(random_state=0).fit(X, y), X, y)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('petal length (cm)', 'petal width (cm)')
    """
    check_axes(ax)
    rows = rows_with_classes(model, X, y)
    pair = _columns(model, rows.schema, columns)
    plane = _plane(model, rows, pair, row)
    ax = axes_for(ax, (6.4, max(4.6, height_of_key(rows))))
    trees = (model,) if isinstance(model, Tree) else model.trees_
    if len(trees) == 1 and not hasattr(model, "rules_") and is_straight(trees[0]):
        shown = _draw_parts(ax, plane, trees[0])
    else:
        shown = _draw_answers(ax, plane, model)
    _draw_rows(ax, rows.sample(MOST_ROWS), pair)
    ax.set_xlim(plane.frame[0, 0], plane.frame[1, 0])
    ax.set_ylim(plane.frame[0, 1], plane.frame[2, 1])
    for axis, column in zip((ax.xaxis, ax.yaxis), pair, strict=True):
        name_axis(axis, rows.schema.columns[column])
    if rows.schema.n_columns > 2:
        others = "at their means" if row is None else "as in a row"
        ax.set_title(f"others {others}", fontsize=8, color=LINE, loc="right")
    ax.spines[["top", "right"]].set_visible(False)
    show_classes(
        *(ax, rows, sorted({*shown, *rows.present})),
        marks=True,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
    )
    return ax


def _columns(
    model: Fitted | Tree, schema: Schema, columns: Sequence[str | int] | None
) -> tuple[int, int]:
    """Return the positions of the two columns; an error says what is wrong with those wanted."""
    if schema.n_columns < 2:
        raise DataError("regions are of two columns, and the model has one; plot_node shows it")
    if columns is None:
        _, worth = importances_of_model(model)
        first, second = np.argsort(-worth, kind="stable")[:2].tolist()
        return first, second
    if isinstance(columns, str) or len(columns) != 2:
        raise DataError(f"columns is {columns!r}; give two, as ['age', 'height']")
    first, second = (column_position(schema, column) for column in columns)
    if first == second:
        raise DataError(f"columns names {schema.names[first]!r} twice; give two different ones")
    return first, second


def _plane(model: Fitted | Tree, rows: ShownRows, pair: tuple[int, int], row: Any) -> Plane:
    schema = rows.schema
    fixed = usual_row(rows.matrix, schema.columns)
    if row is not None:
        own = _row(model, rows, row)
        fixed = np.where(np.isnan(own), fixed, own)
    first, second = (schema.columns[column] for column in pair)
    n_values = len(first.values), len(second.values)
    right = range_of(first, rows.matrix[:, pair[0]])
    up = range_of(second, rows.matrix[:, pair[1]])
    return Plane(fixed, pair, n_values, rectangle(*right, *up))


def _row(model: Fitted | Tree, rows: ShownRows, row: Any) -> NDArray[np.float64]:
    """Return the cells of the row that is given, or at a position."""
    if isinstance(row, int | np.integer):
        if not 0 <= row < len(rows.matrix):
            raise DataError(f"row is {row}; X has rows 0 to {len(rows.matrix) - 1}")
        return rows.matrix[row].astype(float)
    own = coded_rows(model, np.asarray(row)[None] if np.ndim(row) == 1 else row)
    if len(own) != 1:
        raise DataError(f"row has {len(own)} rows; give one of them")
    return own[0].astype(float)


def _draw_parts(ax: Axes, plane: Plane, tree: Tree) -> set[int]:
    """Draw the parts of the plane as polygons and the cuts as lines; return the classes."""
    from matplotlib.collections import LineCollection

    parts = list(plane.parts(tree))
    for node, polygon in parts:
        _fill(ax, polygon, int(tree.labels[node]))
    by_class: tuple[list[Any], list[Any]] = [], []
    for line in plane.boundaries(tree, parts):
        codes = tree.labels[list(line.nodes)]
        by_class[int(codes[0] != codes[1])].append((line.start, line.end))
    for lines, width in zip(by_class, (0.7, 1.6), strict=True):
        ax.add_collection(
            LineCollection(lines, colors=INK, linewidths=width, capstyle="round", zorder=1)
        )
    return {int(tree.labels[node]) for node, _ in parts}


def _fill(ax: Axes, polygon: NDArray[np.float64], code: int) -> None:
    style = class_style(code)
    # A line of the same colour closes the seams between neighbours.
    ax.fill(*polygon.T, facecolor=style.tint, edgecolor=style.tint, linewidth=0.4, zorder=0)
    if style.hatch:
        over: dict[str, Any] = {"facecolor": "none", "edgecolor": "white", "hatch": style.hatch}
        ax.fill(*polygon.T, linewidth=0, zorder=0, **over)


def _draw_answers(ax: Axes, plane: Plane, model: Fitted | Tree) -> set[int]:
    """Draw the answers at many places; return the classes."""
    from matplotlib.colors import ListedColormap

    (x0, y0), (x1, y1) = plane.frame[0], plane.frame[2]
    xs, ys = np.linspace(x0, x1, N_GRID), np.linspace(y0, y1, N_GRID)
    places = np.column_stack([np.tile(xs, N_GRID), np.repeat(ys, N_GRID)])
    answer = model.predict if isinstance(model, Tree) else model.predict_codes
    codes = np.asarray(answer(plane.rows_at(places))).reshape(N_GRID, N_GRID)
    n_classes = int(codes.max()) + 1
    tints = ListedColormap([class_style(code).tint for code in range(n_classes)])
    ax.pcolormesh(
        *(xs, ys, codes),
        cmap=tints,
        vmin=-0.5,
        vmax=n_classes - 0.5,
        shading="nearest",
        rasterized=True,
        zorder=0,
    )
    present = np.unique(codes).tolist()
    for code in present[1:]:
        ax.contour(xs, ys, codes == code, [0.5], colors=INK, linewidths=1.2, zorder=1)
    return set(present)


def _draw_rows(ax: Axes, rows: ShownRows, pair: tuple[int, int]) -> None:
    x, y = (jittered(rows.schema.columns[c], rows.matrix[:, c], c) for c in pair)
    is_known = ~(np.isnan(x) | np.isnan(y))
    scatter_rows(ax, x[is_known], y[is_known], rows.codes[is_known])
