"""A node of a tree, looked at closely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_whole
from miter.errors import DataError, did_you_mean
from miter.estimators.fitted import Fitted
from miter.show.canvas import axes_for, check_axes, divide_axes
from miter.show.class_key import height_of_key, show_classes
from miter.show.lettering import as_printed, fold, plain
from miter.show.node_column import draw_distribution
from miter.show.node_sums import (
    MOST_BARS,
    draw_contributions,
    draw_margins,
    draw_projection,
    draw_response,
)
from miter.show.node_test import NodeTest
from miter.show.outline import only_tree
from miter.show.rows import rows_with_classes
from miter.splits.spoken import speak
from miter.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_node"]

#: The panels by name.
PANELS: dict[str, Callable[[Axes, NodeTest], None]] = {
    "distribution": draw_distribution,
    "contributions": draw_contributions,
    "projection": draw_projection,
    "margins": draw_margins,
    "response": draw_response,
}
#: Of a panel, of one that names many classes, and of the legend beside them, in inches.
WIDTH, HEIGHT, HIGH, KEY = 4.0, 3.6, 5.0, 1.7


def plot_node(
    model: Fitted | Tree,
    X: Any,
    y: Any = None,
    *,
    node: int = 0,
    panels: str | Sequence[str] | None = None,
    ax: Axes | None = None,
) -> NDArray[Any]:
    """Draw what the test of a node does to the rows that come there.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted model of one tree, or a tree.
    X : DataFrame, array or Data
        Rows, such as those of training.
    y : sequence, optional
        Their classes. By default those in `X`, if it has the column that the model predicts, else
        the answers of the model.
    node : int
        Which node: `plot_tree` shows the numbers with ``node_ids=True``.
    panels : str or sequence of str, optional
        What to draw; by default what suits the test.

        - "distribution", of a test of one column: the rows along it, and where it is cut;
        - "contributions", of sums: what each column adds to the sum, in the mean of each class; of
          several sums, to that of the class, more than to the others;
        - "projection", of sums: the rows where the sums put them, with the boundary;
        - "margins", of sums: how far rows are from the boundary, and how densely they lie there;
        - "response", of a network: what it says over its two strongest columns.
    ax : Axes, optional
        Where to draw: it is divided where there are several panels. By default a new figure.

    Returns
    -------
    ndarray of Axes
        Of the panels, in their order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import LinearMachineTreeClassifier, plot_node
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> axes = plot_node(LinearMachineTreeClassifier(random_state=0).fit(X, y), X, y)
    >>> [ax.get_title() for ax in axes][1]
    'rows by the sums, and where each is largest'
    """
    check_axes(ax)
    tree = only_tree(model)
    test = _test_of(model, tree, node, X, y)
    drawn = _choose(test, panels)
    height = HEIGHT if len(test.rows.present) <= MOST_BARS else max(HIGH, height_of_key(test.rows))
    host = axes_for(ax, (WIDTH * len(drawn) + KEY, height))
    if ax is not None and len(drawn) == 1:
        axes, key, place = [host], host, {}
    else:
        *axes, key = divide_axes(host, [*[WIDTH] * len(drawn), KEY], _title(test, node, len(drawn)))
        key.set_axis_off()
        place = {"loc": "center left"}
    for own, name in zip(axes, drawn, strict=True):
        PANELS[name](own, test)
    show_classes(key, test.rows, test.rows.present, marks=test.column is None, **place)
    return np.array(axes, object)


def _test_of(model: Fitted | Tree, tree: Tree, node: int, X: Any, y: Any) -> NodeTest:
    check_whole("node", node, 0)
    inner = np.flatnonzero(~tree.is_leaf)
    if node not in inner:
        some = ", ".join(map(str, inner[:8].tolist())) + ", ..." * (len(inner) > 8)
        what = "is a leaf" if node < tree.n_nodes else "is not there"
        cure = f"nodes with a test are {some}" if len(inner) else "the tree has no test at all"
        raise DataError(f"node {node} {what}; {cure}")
    shown = rows_with_classes(model, X, y)
    visits, start = tree.rows_of_nodes(shown.matrix)
    own = shown.take(visits[start[node] : start[node + 1]])
    if not len(own.codes):
        raise DataError(f"none of the {len(shown.codes):,} rows comes to node {node}; give others")
    split = tree.splits[node]
    assert split is not None
    return NodeTest(split, speak(split.expression, tree.schema, own.matrix), own)


def _choose(test: NodeTest, panels: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the panels to draw; an error names those that suit the test."""
    suitable = _suitable(test)
    if panels is None:
        return suitable
    wanted = (panels,) if isinstance(panels, str) else tuple(panels)
    for name in wanted:
        if name not in PANELS:
            raise DataError(f"there is no panel {name!r}; {did_you_mean(name, PANELS)}")
        if name not in suitable:
            raise DataError(
                f"the panel {name!r} does not suit this test; these do: {', '.join(suitable)}"
            )
    if not wanted:
        raise DataError(f"there is no panel to draw; suitable are {', '.join(suitable)}")
    return wanted


def _suitable(test: NodeTest) -> tuple[str, ...]:
    if test.column is not None:
        return ("distribution",)
    if test.is_curved:
        return ("response", "contributions", "margins")
    return ("contributions", "projection", "margins")


def _title(test: NodeTest, node: int, n_panels: int) -> str:
    """Say which node it is, and what it asks, above so many panels."""
    subject = [as_printed(word) for word in test.question.subject]
    words = " ".join(subject)
    if test.column is not None:
        words = plain(test.rows.schema.columns[test.column].name)
    elif test.question.sums:
        words = f"largest of {len(test.question.sums)} sums of {', '.join(subject)}"
    elif test.is_curved:
        names = (plain(test.rows.schema.columns[column].name) for column in test.columns)
        words = f"network over {', '.join(names)}"
    n_rows = len(test.rows.codes)
    width = min(500.0, 65.0 * (WIDTH * n_panels + KEY))
    return "\n".join(fold(f"node {node}, {n_rows:,} rows: {words}", width, 10.0, most=2))
