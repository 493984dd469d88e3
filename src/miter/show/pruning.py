"""What a tree loses by being smaller: the path of prunings, and the one that was chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.errors import DataError
from miter.estimators.fitted import Fitted
from miter.prune import TreePath, cost_complexity_path
from miter.prune.cost_complexity import validation_cost
from miter.show.canvas import axes_for, check_axes, show_in_powers, tidy_axes
from miter.show.colours import CLASS_COLOURS, INK, LINE
from miter.show.outline import only_tree
from miter.show.rows import ShownRows, true_classes
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PrunedSizes", "plot_pruning", "pruned_sizes"]


@dataclass(frozen=True, eq=False)
class PrunedSizes:
    """Trees of growing size, and what they get wrong.

    Parameters
    ----------
    size : ndarray of shape (n_trees,)
        Ascending.
    unit : str
        What size counts: terms or leaves.
    train : ndarray of shape (n_trees,)
        Error on training rows, or what a row costs in the mean, where a mistake of average cost
        counts 1; NaN where it is not known.
    left_out, deviation : ndarray of shape (n_trees,), optional
        Error on rows that cross-validation left out, and its standard error.
    given : ndarray of shape (n_trees,), optional
        Error on rows that were given; NaN for trees that are not known.
    chosen : int, optional
        Position of the tree that was taken, or would be: the best on the rows given.
    is_cost : bool
        Whether errors are costs.
    """

    size: NDArray[np.float64]
    unit: str
    train: NDArray[np.float64]
    left_out: NDArray[np.float64] | None = None
    deviation: NDArray[np.float64] | None = None
    given: NDArray[np.float64] | None = None
    chosen: int | None = None
    is_cost: bool = False


def plot_pruning(
    model: Fitted | Tree, X: Any = None, y: Any = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the error of a tree's prunings against their size, and mark the choice.

    Of a `ReadableTreeClassifier` these are the trees that cross-validation chose from, with their
    errors on the rows that it left out. Of others they are the prunings that are best at some price
    of a split, from the tree as it is down to its root; the choice is the smallest that does best
    on the rows given.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted model of one tree, or a tree. One grown without pruning has the longest path.
    X : DataFrame, array or Data, optional
        Rows that the tree was not grown on.
    y : sequence, optional
        Their classes. By default those in `X`, if it has the column that the model predicts.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import id3
    >>> from miter.show import plot_pruning
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_pruning(id3().fit(X[::2], y[::2]), X[1::2], y[1::2])
    >>> ax.get_xlabel()
    'leaves'
    """
    check_axes(ax)
    path = pruned_sizes(model, X, y)
    ax = axes_for(ax)
    _draw_lines(ax, path)
    if path.chosen is not None:
        _mark(ax, path, path.chosen)
    if path.size[0] > 0 and path.size[-1] > 30 * path.size[0]:
        show_in_powers(ax, float(path.size[0]), float(path.size[-1]))
    cost = "mean cost of a row, in average mistakes"
    ax.set(xlabel=path.unit, ylabel=cost if path.is_cost else "error, %")
    ax.set_ylim(bottom=0)
    tidy_axes(ax)
    ax.legend(frameon=False)
    return ax


def pruned_sizes(model: Fitted | Tree, X: Any = None, y: Any = None) -> PrunedSizes:
    """Return the prunings of a tree and what they get wrong, as `plot_pruning` draws them.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted model of one tree, or a tree.
    X : DataFrame, array or Data, optional
        Rows that the tree was not grown on.
    y : sequence, optional
        Their classes.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.show.pruning import pruned_sizes
    >>> path = pruned_sizes(id3().fit(play_tennis()))
    >>> path.size.tolist(), path.train.round(2).tolist()
    ([1.0, 4.0, 5.0, 7.0], [0.36, 0.14, 0.07, 0.0])
    """
    tree = only_tree(model)
    costs = getattr(model, "costs_", None)
    if costs is None and tree.losses is not None and X is not None:
        raise DataError("the tree was grown with costs of rows, which new rows do not have")
    rows = None
    if X is not None:
        shown = true_classes(model, X, y)
        rows = _data(shown, None if costs is None else costs / tree.mean_cost)
    readable: TreePath | None = getattr(model, "path_", None)
    if readable is not None:
        return _of_terms(readable, rows, tree.losses is not None)
    return _of_leaves(tree, rows)


def _data(shown: ShownRows, costs: NDArray[np.float64] | None) -> Data:
    data = Data(shown.schema, shown.matrix, shown.codes.astype(np.int32))
    return data if costs is None else replace(data, costs=costs.T[data.labels])


def _of_terms(path: TreePath, rows: Data | None, is_cost: bool) -> PrunedSizes:
    train = [np.nan if one.tree is None else _training_error(one.tree) for one in path.trees]
    given = None
    if rows is not None:
        given = np.array(
            [np.nan if o.tree is None else _error_on(o.tree, rows) for o in path.trees]
        )
    return PrunedSizes(
        np.array([one.n_terms for one in path.trees], float),
        "terms to read",
        np.array(train),
        np.array([one.error for one in path.trees]),
        np.array([one.deviation for one in path.trees]),
        given,
        path.chosen,
        is_cost,
    )


def _training_error(tree: Tree) -> float:
    leaves = np.flatnonzero(tree.is_leaf)
    losses = tree.training_losses[leaves, tree.labels[leaves]]
    return float(losses.sum() / max(tree.counts[0].sum(), 1e-300))


def _error_on(tree: Tree, rows: Data) -> float:
    return float(rows.cost_of(tree.predict(rows.X)).mean())


def _of_leaves(tree: Tree, rows: Data | None) -> PrunedSizes:
    path = cost_complexity_path(tree)
    leaves = path.leaves[:, ::-1]  # the smallest first
    size = [tree.cut(leaves[:, k]).n_leaves for k in range(leaves.shape[1])]
    given, chosen = None, len(size) - 1
    if rows is not None:
        losses = tree.losses_of(rows)
        given = validation_cost(tree, leaves, losses) / rows.n_rows
        chosen = int(np.argmin(np.round(given, 9)))
    total = max(float(tree.counts[0].sum()), 1e-300) * tree.mean_cost
    return PrunedSizes(
        np.array(size, float),
        "leaves",
        path.costs[::-1] / total,
        given=given,
        chosen=chosen,
        is_cost=tree.losses is not None,
    )


def _draw_lines(ax: Axes, path: PrunedSizes) -> None:
    scale = 1.0 if path.is_cost else 100.0
    first, second, third = CLASS_COLOURS[0], CLASS_COLOURS[1], CLASS_COLOURS[2]
    if path.left_out is not None and path.deviation is not None:
        low, high = path.left_out - path.deviation, path.left_out + path.deviation
        ax.fill_between(path.size, scale * low, scale * high, color=first, alpha=0.15, linewidth=0)
        ax.plot(path.size, scale * path.left_out, "o-", color=first, label="rows left out")
    if not np.isnan(path.train).all():
        ax.plot(path.size, scale * path.train, "s:", color=second, label="training rows")
    if path.given is not None:
        ax.plot(path.size, scale * path.given, "^-", color=third, label="other rows")


def _mark(ax: Axes, path: PrunedSizes, chosen: int) -> None:
    """Mark the tree that was chosen on the best of the lines."""
    line = path.left_out if path.left_out is not None else path.given
    line = path.train if line is None else line
    x, error = float(path.size[chosen]), float(line[chosen])
    ax.axvline(x, color=LINE, linewidth=0.8, linestyle="--", zorder=0)
    scaled = error if path.is_cost else 100 * error
    amount = f"{scaled:.3g}" if path.is_cost else f"{scaled:.1f} %"
    ring: dict[str, Any] = {
        "markersize": 13,
        "fillstyle": "none",
        "color": INK,
        "markeredgewidth": 1.5,
    }
    words = f"chosen: {x:.0f} {path.unit.split()[0]}, {amount}"
    ax.plot(x, scaled, "o", linestyle="", label=words, **ring)
