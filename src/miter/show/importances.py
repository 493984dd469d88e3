"""What columns are worth to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miter.checks import check_whole
from miter.data.table import Data
from miter.estimators.fitted import Fitted
from miter.lab import permutation_importances
from miter.show.canvas import axes_for, check_axes, tidy_axes
from miter.show.colours import CLASS_COLOURS, INK
from miter.show.column_axis import name_ticks
from miter.show.rows import importances_of_model, true_classes
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_importances"]


def plot_importances(
    model: Fitted | Tree,
    X: Any = None,
    y: Any = None,
    *,
    max_columns: int = 20,
    n_repeats: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """Draw what each column is worth, the best above.

    Without rows that is its part of the information gained by all splits; with rows, what accuracy
    it costs there to shuffle the column, with the deviation over the repetitions.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted tree or forest.
    X : DataFrame, array or Data, optional
        Rows; best those that the model was not grown on.
    y : sequence, optional
        Their classes. By default those in `X`, if it has the column that the model predicts.
    max_columns : int
        So many columns are shown; it is told how many are not.
    n_repeats : int
        How often each column is shuffled.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import monks
    >>> from miter.show import plot_importances
    >>> ax = plot_importances(id3().fit(monks(1)), monks(1))
    >>> ax.get_xlabel()
    'accuracy lost when the column is shuffled, %'
    """
    check_axes(ax)
    check_whole("max_columns", max_columns, 1)
    check_whole("n_repeats", n_repeats, 1)
    schema, worth = importances_of_model(model)
    deviation, words = None, "part of the information gained"
    if X is not None:
        if isinstance(model, Tree):
            raise TypeError("columns are shuffled for a fitted estimator; give it, not its tree")
        rows = true_classes(model, X, y)
        data = Data(rows.schema, rows.matrix, rows.codes.astype(np.int32))
        found = permutation_importances(model, data, n_repeats)
        worth, deviation = 100 * found.mean, 100 * found.deviation
        words = "accuracy lost when the column is shuffled, %"
    order = np.argsort(-worth, kind="stable")
    shown = order[:max_columns]
    ax = axes_for(ax, (6.4, 1.2 + 0.3 * len(shown)))
    place = np.arange(len(shown))
    ax.barh(place, worth[shown], 0.7, color=CLASS_COLOURS[0])
    if deviation is not None:
        ax.errorbar(
            *(worth[shown], place), xerr=deviation[shown], fmt="none", ecolor=INK, capsize=2.5
        )
    name_ticks(ax.yaxis, [schema.names[column] for column in shown])
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.axvline(0, color=INK, linewidth=0.8)
    n_others = len(order) - len(shown)
    rest = f"\n{n_others:,} columns of less worth are not shown" if n_others else ""
    ax.set_xlabel(words + rest)
    tidy_axes(ax)
    ax.grid(False, axis="y")
    return ax
