"""Which classes are taken for which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miter.data.labels import label_text
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.lab.estimates.evaluation import Evaluation, count_pairs
from miter.show.canvas import axes_for, check_axes
from miter.show.column_axis import name_ticks
from miter.show.lettering import write
from miter.show.rows import true_classes
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["plot_confusion"]

#: From the fewest rows to the most, in one hue.
SHADES = "Blues"


def plot_confusion(
    model: Evaluation | Fitted | Tree, X: Any = None, y: Any = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the confusion matrix: how many rows of each class get which answer.

    Shades are parts of the rows of a class.

    Parameters
    ----------
    model : Evaluation, Fitted or Tree
        What `miter.evaluate` returned; or a fitted model, and its rows.
    X : DataFrame, array or Data, optional
        Rows; best those that the model was not grown on.
    y : sequence, optional
        Their classes. By default those in `X`, if it has the column that the model predicts.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import monks
    >>> from miter.show import plot_confusion
    >>> ax = plot_confusion(id3(max_depth=2).fit(monks(1)), monks(1))
    >>> [text.get_text() for text in ax.texts]
    ['216', '0', '108', '108']
    """
    check_axes(ax)
    if isinstance(model, Evaluation):
        if X is not None:
            raise DataError("an evaluation has counted its rows; leave X out, or give the model")
        classes, counts = model.classes, model.confusion
    else:
        rows = true_classes(model, X, y)
        answer = model.predict if isinstance(model, Tree) else model.predict_codes
        classes = rows.schema.classes
        counts = count_pairs(rows.codes, answer(rows.matrix), len(classes))
    names = [label_text(label) for label in classes]
    side = min(max(2.6, 0.42 * len(names)), 9.0)
    ax = axes_for(ax, (side + 2.4, side + 1.6))
    _draw(ax, counts)
    size = 8.0 if len(names) <= 12 else 7.0
    room = 72 * side
    name_ticks(ax.xaxis, names, size=size, room=room)
    name_ticks(ax.yaxis, names, size=size)
    ax.set(xlabel="answer", ylabel="class")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def _draw(ax: Axes, counts: NDArray[np.int64]) -> None:
    of_class = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, of_class, out=np.zeros(counts.shape), where=of_class > 0)
    ax.imshow(share, cmap=SHADES, vmin=0, vmax=1.15)
    n = len(counts)
    size = 9.0 if n <= 10 else 8.0 if n <= 15 else 6.5
    for row in range(n):
        for column in range(n):
            if counts[row, column] or n <= 5:
                ink = "white" if share[row, column] > 0.6 else "#1A1A1A"
                words = _short(int(counts[row, column]))
                style = {"ha": "center", "va": "center", "fontsize": size, "color": ink}
                write(ax, column, row, words, **style)
    ax.set_xticks(np.arange(n + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(n + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=1.5)
    ax.tick_params(which="minor", length=0)


def _short(count: int) -> str:
    return str(count) if count < 10_000 else f"{count / 1000:.0f}k"
