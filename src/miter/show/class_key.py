"""Which colour and mark is which class, beside a picture or in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from miter.show.colours import class_style
from miter.show.lettering import fold, plain, show_legend
from miter.show.rows import ShownRows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["class_patch", "height_of_key", "scatter_rows", "show_classes"]


def class_patch(code: int, **style: Any) -> dict[str, Any]:
    """Return how an area of a class is filled, as arguments of matplotlib's patches."""
    own = class_style(code)
    edge = {"edgecolor": "white", "hatch": own.hatch} if own.hatch else {"edgecolor": "none"}
    return {"facecolor": own.colour, "linewidth": 0.0} | edge | style


def scatter_rows(ax: Axes, x: Any, y: Any, codes: Any, size: float = 18.0) -> None:
    """Draw rows as marks of their classes, a class that has few rows above those that have many."""
    by_weight = sorted(set(codes.tolist()), key=lambda code: -(codes == code).sum())
    for code in by_weight:
        own, style = codes == code, class_style(code)
        ax.scatter(
            *(x[own], y[own], size),
            color=style.colour,
            marker=style.marker,
            edgecolors="white",
            linewidths=0.4,
            alpha=0.85,
        )


def height_of_key(rows: ShownRows) -> float:
    """Return how high a legend of the classes of rows is, in inches, with its title."""
    names = [fold(plain(rows.class_name(code)), 150.0, 7.0, most=3) for code in rows.present]
    return (9.4 * sum(map(len, names)) + 4.0 * len(names) + 60.0) / 72.0


def show_classes(
    ax: Axes, rows: ShownRows, codes: Sequence[int], *, marks: bool = False, **style: Any
) -> None:
    """Tell by a legend which class is which.

    Parameters
    ----------
    ax : Axes
        Where.
    rows : ShownRows
        What knows the names.
    codes : sequence of int
        Which classes.
    marks : bool
        Whether rows are shown as marks; else areas are filled.
    **style
        Of matplotlib's legend.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(**class_patch(code)) for code in codes]
    if marks:
        styles = map(class_style, codes)
        handles = [Line2D([], [], linestyle="", color=s.colour, marker=s.marker) for s in styles]
    names = [rows.class_name(code) for code in codes]
    title = "class" if rows.are_true else "answer"
    show_legend(ax, handles, names, size=8.0 if len(codes) <= 12 else 7.0, title=title, **style)
