"""Size against accuracy: which learners are worth what there is to read of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_choice
from miter.errors import DataError
from miter.lab import MEASURES, Comparison, Results, compare
from miter.show.canvas import axes_for, check_axes, show_in_powers, tidy_axes
from miter.show.colours import CLASS_COLOURS, INK, LINE
from miter.show.lettering import fold, plain, width_of, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_frontier"]

#: What counts as size.
SIZES = ("terms", "path_terms", "nodes", "leaves", "depth", "fit", "predict")

#: Where a name may stand beside its point, in points; the first place that is free is taken.
PLACES = (
    *((7, 0, "left", "center"), (-7, 0, "right", "center")),
    *((0, 7, "center", "bottom"), (0, -7, "center", "top")),
    *((7, 9, "left", "bottom"), (7, -9, "left", "top")),
    *((-7, 9, "right", "bottom"), (-7, -9, "right", "top")),
    *((0, 18, "center", "bottom"), (0, -18, "center", "top")),
)
SIZE = 8.5
#: Where the name of a line may stand.
LINE_PLACES = tuple((x, y, "right", "bottom") for x in (-2, -80, -160, -240) for y in (2, -13))


def plot_frontier(
    results: Results | Comparison,
    *,
    size: str = "terms",
    measure: str = "accuracy",
    ax: Axes | None = None,
) -> Axes:
    """Draw learners by size and accuracy, and the line of those that no other is better than.

    Parameters
    ----------
    results : Results or Comparison
        What `miter.lab.run` or `miter.lab.compare` returned. Of a learner its means over all sets
        are drawn; those without trees have no size, and are lines across.
    size : {"terms", "path_terms", "nodes", "leaves", "depth", "fit", "predict"}
        What is drawn to the right.
    measure : str
        What is drawn upward, one of `miter.lab.MEASURES`.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, run
    >>> from miter.show import plot_frontier
    >>> sets = {"monks-1": monks(1), "monks-3": monks(3)}
    >>> results = run(Experiment(sets, ["id3", "c45", "DummyClassifier"]))
    >>> plot_frontier(results).get_ylabel()
    'Accuracy in %'
    """
    check_axes(ax)
    check_choice("size", size, SIZES)
    check_choice("measure", measure, tuple(MEASURES))
    if isinstance(results, Comparison):
        results = results.results
    heights, widths = compare(results, measure).overall, compare(results, size).overall
    if all(height is None for height in heights):
        raise DataError(f"no learner has {measure!r} on all sets; run them again")
    known = [
        (name, width, height)
        for name, width, height in zip(results.learners, widths, heights, strict=True)
        if height is not None
    ]
    ax = axes_for(ax)
    _draw(ax, known, MEASURES[measure].higher_is_better)
    ax.set(xlabel=MEASURES[size].title, ylabel=MEASURES[measure].title)
    tidy_axes(ax)
    return ax


def _draw(ax: Axes, known: list[tuple[str, float | None, float]], is_high: bool) -> None:
    sized = [(name, width, height) for name, width, height in known if width is not None]
    x = np.array([width for _, width, _ in sized], float)
    y = np.array([height for *_, height in sized], float)
    best = _frontier(x, y if is_high else -y)
    order = best[np.argsort(x[best])]
    ax.plot(x[order], y[order], color=CLASS_COLOURS[0], linewidth=1.2, zorder=1)
    is_best = np.isin(np.arange(len(x)), best)
    ax.plot(x[~is_best], y[~is_best], "o", color=LINE, markersize=6, fillstyle="none")
    ax.plot(x[is_best], y[is_best], "o", color=CLASS_COLOURS[0], markersize=7)
    for _, width, height in known:
        if width is None:
            ax.axhline(height, color=LINE, linestyle=":", linewidth=1)
    ax.margins(0.14, 0.14)
    if len(x) and x.min() > 0 and x.max() > 8 * x.min():
        show_in_powers(ax, float(x.min()) / 1.3, float(x.max()) * 1.3)
    _write_names(ax, known, [*zip(x[order], y[order], strict=True)])


def _frontier(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return those that no other is both as small and as good as, and in one of both better."""
    is_beaten = [any((x <= x[i]) & (y >= y[i]) & ((x < x[i]) | (y > y[i]))) for i in range(len(x))]
    return np.flatnonzero(~np.array(is_beaten, bool))


def _write_names(
    ax: Axes, known: list[tuple[str, float | None, float]], line: list[tuple[float, float]]
) -> None:
    """Write the names of learners where they cover neither points, the line, nor each other."""
    ax.figure.figure.draw_without_rendering()
    dots = ax.figure.dpi / 72
    points = [(width, height) for _, width, height in known if width is not None]
    taken = [
        _box(ax.transData.transform(point) / dots, 8.0, 8.0, "center", "center") for point in points
    ]
    for ends in pairwise(line):
        (x0, y0), (x1, y1) = ax.transData.transform(ends) / dots
        steps = np.linspace(0, 1, max(int(np.hypot(x1 - x0, y1 - y0) / 4), 2))
        along = np.column_stack([x0 + steps * (x1 - x0), y0 + steps * (y1 - y0)])
        taken += [_box(place, 2.0, 2.0, "center", "center") for place in along]
    for name, width, height in known:
        lines = fold(plain(name), 120.0, SIZE, most=2)
        wide, high = max(width_of(line, SIZE) for line in lines), 1.25 * SIZE * len(lines)
        right = ax.get_xlim()[1]
        point = ax.transData.transform((right if width is None else width, height)) / dots
        places = PLACES if width is not None else LINE_PLACES
        options = [_box(point + place[:2], wide, high, *place[2:]) for place in places]
        clear = [k for k, box in enumerate(options) if not any(_meet(box, t) for t in taken)]
        inside = [k for k in clear if _is_inside(ax, options[k], dots)]
        chosen = (inside or clear or [0])[0]
        taken.append(options[chosen])
        dx, dy, across, up = places[chosen]
        x, y = ax.transData.inverted().transform((point + np.array([dx, dy])) * dots)
        write(ax, x, y, "\n".join(lines), ha=across, va=up, fontsize=SIZE, color=INK)


def _box(
    point: NDArray[np.float64], width: float, height: float, across: str, up: str
) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of words beside a point."""
    left = point[0] - {"left": 0.0, "center": width / 2, "right": width}[across]
    bottom = point[1] - {"bottom": 0.0, "center": height / 2, "top": height}[up]
    return left, left + width, bottom, bottom + height


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    is_beside = one[1] <= other[0] or other[1] <= one[0]
    return not (is_beside or one[3] <= other[2] or other[3] <= one[2])


def _is_inside(ax: Axes, box: tuple[float, ...], dots: float) -> bool:
    bounds = ax.get_window_extent()
    is_across = bounds.x0 / dots <= box[0] and box[1] <= bounds.x1 / dots
    return is_across and bounds.y0 / dots <= box[2] and box[3] <= bounds.y1 / dots
