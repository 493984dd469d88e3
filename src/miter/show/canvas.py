"""What pictures are drawn on, and how they become files."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from miter.errors import DataError, need
from miter.show.colours import INK, LINE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "axes_for",
    "check_axes",
    "check_suffix",
    "divide_axes",
    "save_picture",
    "show_in_powers",
    "tidy_axes",
]

SUFFIXES = (".png", ".svg", ".pdf")
#: Points of a picture of dots, per inch; fewer where it would have more of them along a side.
DOTS, MOST_DOTS = 150, 30_000


def axes_for(ax: Any, size: tuple[float, float] = (6.4, 4.4), *, bare: bool = False) -> Axes:
    """Return the axes that were given, or new ones.

    Parameters
    ----------
    ax : Axes or None
        What the user gave.
    size : tuple of float
        Of a new picture, in inches.
    bare : bool
        Whether new axes fill the picture and show nothing of themselves.
    """
    check_axes(ax)
    if ax is not None:
        return ax
    from matplotlib import pyplot

    if bare:
        return pyplot.figure(figsize=size).add_axes((0.0, 0.0, 1.0, 1.0))
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def check_axes(ax: Any) -> None:
    """Complain where matplotlib is not installed, or what was given is no axes of its."""
    try:
        from matplotlib.axes import Axes
    except ImportError:
        raise need("matplotlib", "plot", "pictures") from None
    if not isinstance(ax, Axes | None):
        raise TypeError(
            f"ax is a {type(ax).__name__}; give axes of matplotlib, as plt.subplots()[1] is, or "
            "None for new ones"
        )


def divide_axes(host: Axes, widths: Sequence[float], title: str) -> list[Axes]:
    """Return new axes side by side in the place of others, with words above all of them.

    Parameters
    ----------
    host : Axes
        Whose place is divided; itself it shows nothing any more.
    widths : sequence of float
        Of the new ones, compared with each other.
    title : str
        Words that can be drawn.
    """
    place = host.get_subplotspec()
    if place is None:
        raise DataError(
            "ax has no place in a grid, so that it cannot be divided; give axes of plt.subplots, "
            "or one panel"
        )
    host.set_axis_off()
    inner = host.figure.add_subfigure(place)
    if title:
        inner.suptitle(title, fontsize=10, parse_math=False)
    room = {"wspace": 0.4, "left": 0.1, "bottom": 0.15, "top": 0.82}
    if host.figure.get_layout_engine() is not None:
        room = {}  # it knows better
    grid = inner.add_gridspec(1, len(widths), width_ratios=widths, **room)
    return [inner.add_subplot(grid[place]) for place in range(len(widths))]


def tidy_axes(ax: Axes) -> None:
    """Give axes the looks that all pictures share."""
    ax.grid(alpha=0.3)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LINE)
    ax.tick_params(colors=LINE, labelcolor=INK)


def show_in_powers(ax: Axes, low: float, high: float) -> None:
    """Let equal steps to the right multiply, with numbers such as 1, 2, 5, 10, 20.

    Parameters
    ----------
    ax : Axes
        Where.
    low, high : float
        The smallest and the largest number that is drawn, above 0.
    """
    ax.set_xscale("log")
    ax.set_xlim(low / 1.2, high * 1.2)
    numbers = [step * 10.0**power for power in range(-6, 12) for step in (1, 2, 5)]
    ticks = [number for number in numbers if low / 1.2 <= number <= high * 1.2]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_xticks([], minor=True)


def save_picture(picture: Any, path: str | PathLike[str]) -> None:
    """Write a picture into a file; words in .svg and .pdf stay words.

    The same picture gives the same file every time.

    Parameters
    ----------
    picture : Axes, array of Axes, or Figure
        What a function of `miter.show` returned.
    path : str or path
        Its suffix decides on the format: .png, .svg or .pdf.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter import id3, plot_tree
    >>> from miter.data import play_tennis
    >>> from miter.show import save_picture
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "tennis.svg")
    ...     save_picture(plot_tree(id3().fit(play_tennis())), path)
    ...     "Outlook" in path.read_text("utf-8")
    True
    """
    suffix = check_suffix(path)
    figure = _figure_of(picture)
    drawn = BytesIO()
    from matplotlib import rc_context  # there, since something was drawn

    # Dates and random names would make every file another one.
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "miter", "pdf.fonttype": 42}):
        figure.savefig(
            drawn,
            format=suffix[1:],
            dpi=min(DOTS, MOST_DOTS / max(figure.get_size_inches())),
            bbox_inches="tight",
            pad_inches=0.05,
            metadata=undated,
        )
    Path(path).write_bytes(drawn.getvalue())


def check_suffix(path: str | PathLike[str]) -> str:
    """Return the suffix of a picture's file; an error where there is no such format."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        what = f"ends in {suffix!r}" if suffix else "has no suffix"
        raise DataError(f"{path} {what}, but pictures are .png, .svg or .pdf; name one of these")
    return suffix


def _figure_of(picture: Any) -> Figure:
    one = picture.flat[0] if hasattr(picture, "flat") else picture
    figure = getattr(one, "figure", None)  # a figure is its own
    if figure is None:
        raise TypeError(f"a {type(picture).__name__} is no picture; give what was drawn, its axes")
    return figure.figure
