import json

import numpy as np
import pytest

from miter.data import Data
from miter.reporting import panels
from miter.reporting.panels import panel_contents
from miter.splits.expression import Largest, evaluate

from .conftest import MODELS, fitted, table

TREES = [name for name in MODELS if "votes" not in name and "mean" not in name]


def bars_of(panel):
    return np.array([own for _, own in panel["histogram"]["bars"]])


@pytest.mark.parametrize("name", TREES)
def test_every_node_that_rows_come_to_has_pictures(name):
    tree, data = fitted(name).tree_, table()
    drawn, n_drawn = panel_contents(tree, data, data.X)
    json.dumps(drawn, allow_nan=False)
    assert n_drawn == (~tree.is_leaf).sum()
    for node in range(tree.n_nodes):
        assert (drawn[node] is None) == bool(tree.is_leaf[node])


@pytest.mark.parametrize("name", ["univariate", "linear combination", "network", "ica"])
def test_bars_beside_the_cut_are_the_rows_of_the_branches(name):
    tree, data = fitted(name).tree_, table()
    known = data.take(np.flatnonzero(~np.isnan(data.X).any(axis=1)))
    panel = panel_contents(tree, known, known.X)[0][0]
    if "histogram" not in panel:
        pytest.skip("the root asks for a name")
    edges = np.linspace(*panel["histogram"]["ends"], bars_of(panel).shape[1] + 1)
    cut = panel["histogram"]["cuts"][0]
    below = bars_of(panel)[:, edges[1:] <= cut + 1e-6 * abs(edges[-1] - edges[0])].sum(axis=1)
    branch = tree.splits[0].route(known.X)
    if name == "network":  # drawn from some of the rows
        assert bars_of(panel).sum() == min(known.n_rows, panels.MOST_CURVED)
        return
    for place, (code, _) in enumerate(panel["histogram"]["bars"]):
        assert below[place] == ((branch == 0) & (known.labels == code)).sum()


def test_values_have_their_branch_and_their_rows():
    tree, data = fitted("id3").tree_, table()
    drawn = panel_contents(tree, data, data.X)[0]
    node = next(n for n in range(tree.n_nodes) if drawn[n] and "values" in drawn[n])
    rows, start = tree.rows_of_nodes(data.X)
    own = rows[start[node] : start[node + 1]]
    column = drawn[node]["column"]
    for code, _, counts in drawn[node]["values"]:
        is_value = data.X[own, column] == code
        assert counts == np.bincount(data.labels[own][is_value], minlength=3).tolist()


def test_points_lie_where_the_scores_put_them():
    tree, data = fitted("linear machine").tree_, table()
    panel = panel_contents(tree, data, data.X)[0][0]
    expression = tree.splits[0].expression
    assert isinstance(expression, Largest)
    assert len(expression.of) == 3
    plane = panel["plane"]
    scores = np.column_stack([evaluate(one, data.X) for one in expression.of])
    scores -= scores.mean(axis=1, keepdims=True)
    axes, centre = np.array(plane["axes"]), np.array(plane["centre"])
    for row, across, up in plane["points"]:
        wanted = (scores[row] - centre) @ axes
        assert (across, up) == pytest.approx(wanted.tolist(), abs=2e-3 * np.abs(scores).max())


def test_effects_point_where_the_column_pushes():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 4))
    X[:, 2:] = random.integers(0, 3, (400, 2))
    from miter import LinearCombinationTreeClassifier

    from .conftest import schema

    y = (X[:, 0] - 2 * X[:, 1] > 0).astype(np.int32) * 2
    model = LinearCombinationTreeClassifier(random_state=0).fit(Data(schema(), X, y))
    data = Data(schema(), X, y)
    panel = panel_contents(model.tree_, data, X)[0][0]
    effects = {column: values[0] for column, _, values in panel["effects"]}
    # Towards the second branch, wherever that is.
    first = model.tree_.splits[0].route(np.array([[5.0, -5.0, 0, 0]]))[0]
    sign = 1 if first == 1 else -1
    assert sign * effects[0] > 0 > sign * effects[1]
    assert abs(effects[1]) > abs(effects[0])


def test_pictures_are_of_the_nodes_that_most_rows_come_to(monkeypatch):
    monkeypatch.setattr(panels, "MOST_PANELS", 3)
    tree, data = fitted("id3").tree_, table()
    drawn, n_drawn = panel_contents(tree, data, data.X)
    assert n_drawn == 3
    assert sum(one is not None for one in drawn) == 3
    assert drawn[0] is not None


def test_rows_without_labels_are_drawn_by_the_answers():
    tree, data = fitted("univariate").tree_, table()
    drawn = panel_contents(tree, Data(data.schema, data.X), data.X)[0]
    total = sum(sum(own) for _, own in drawn[0]["histogram"]["bars"])
    column = drawn[0]["column"]
    assert total == (~np.isnan(data.X[:, column])).sum()
