"""How far probabilities can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from miter.checks import check_whole
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.show.canvas import axes_for, check_axes, tidy_axes
from miter.show.colours import CLASS_COLOURS, FAINT, LINE, class_style
from miter.show.lettering import PLAIN, fold, plain
from miter.show.rows import ShownRows, code_of_class, true_classes
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_calibration"]


def plot_calibration(
    model: Fitted | Tree,
    X: Any,
    y: Any = None,
    *,
    class_: Any = None,
    n_bins: int = 10,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often answers are right against how probable the model finds them.

    Rows are put together by their probability, as many at each point. Where the model can be
    believed the points are on the diagonal; bars are Wilson's intervals of 95 %. Below, it is drawn
    how often each probability comes.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted tree or forest with probabilities.
    X : DataFrame, array or Data
        Rows; best those that the model was not grown on.
    y : sequence, optional
        Their classes. By default those in `X`, if it has the column that the model predicts.
    class_ : label, optional
        Whose probability is looked at; by default that of the answer to each row.
    n_bins : int
        How many points at most.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.show import plot_calibration
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = UnivariateTreeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> plot_calibration(tree, X[1::2], y[1::2], class_=1).get_xlabel()
    'probability of class 1'
    """
    check_axes(ax)
    check_whole("n_bins", n_bins, 1)
    rows = true_classes(model, X, y)
    shares = _shares(model, rows)
    if class_ is None:
        probability, is_right = shares.max(axis=1), shares.argmax(axis=1) == rows.codes
        colour, words = CLASS_COLOURS[0], "probability of the answer"
        share_of = "how often it is right"
    else:
        code = code_of_class(rows.schema, class_)
        probability, is_right = shares[:, code], rows.codes == code
        colour = class_style(code).colour
        words, share_of = f"probability of class {rows.class_name(code)}", "how often it is true"
    ax = axes_for(ax, (5.0, 4.8))
    _draw(ax, probability, is_right, n_bins, colour)
    ax.set_xlabel("\n".join(fold(words, 280.0, 10.0, most=3)), **PLAIN)
    ax.set_ylabel(share_of)
    return ax


def _shares(model: Fitted | Tree, rows: ShownRows) -> NDArray[np.float64]:
    """Return the class probabilities of rows; an error where the model has none."""
    answer: Any = getattr(
        model, "predict_proba" if isinstance(model, Tree) else "predict_shares", None
    )
    try:
        if answer is not None:
            return np.asarray(answer(rows.matrix), float)
    except NotImplementedError:
        pass
    raise DataError(
        f"{plain(type(model).__name__)} gives no probabilities; give a tree or a forest"
    )


def _draw(
    ax: Axes,
    probability: NDArray[np.float64],
    is_right: NDArray[np.bool_],
    n_bins: int,
    colour: str,
) -> None:
    ax.plot([0, 1], [0, 1], color=LINE, linestyle=":", linewidth=1, zorder=1)
    counts, edges = np.histogram(probability, 20, (0.0, 1.0))
    heights = 0.15 * counts / counts.max()
    ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=FAINT, zorder=0)
    for own in _groups(probability, n_bins):
        mean, share, n = probability[own].mean(), is_right[own].mean(), int(own.sum())
        interval = binomtest(int(is_right[own].sum()), n).proportion_ci(method="wilson")
        ax.plot([mean, mean], [interval.low, interval.high], color=colour, linewidth=1.2)
        ax.plot(mean, share, "o", color=colour, markersize=6)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    tidy_axes(ax)


def _groups(probability: NDArray[np.float64], n_bins: int) -> list[NDArray[np.bool_]]:
    """Return rows of like probability together, about as many in each group."""
    edges = np.unique(np.quantile(probability, np.linspace(0, 1, n_bins + 1)))
    place = np.searchsorted(edges[1:-1], probability, side="right")
    return [place == k for k in np.unique(place)]
