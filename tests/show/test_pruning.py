"""The path of prunings as a picture, against the trees themselves."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import miter
from miter.errors import DataError
from miter.prune import cost_complexity_path
from miter.show import plot_pruning
from miter.show.pruning import pruned_sizes

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot


@pytest.fixture(scope="module")
def rows():
    X, y = load_breast_cancer(return_X_y=True)
    return X[::2], y[::2], X[1::2], y[1::2]


@pytest.fixture(scope="module")
def readable(rows):
    X, y, *_ = rows
    return miter.ReadableTreeClassifier(random_state=0).fit(X[:, :6], y)


def lines(ax):
    return {line.get_label(): line.get_xydata() for line in ax.get_lines()}


def test_prunings_by_price_are_measured_on_both_kinds_of_rows(rows, looks_well):
    X, y, X_new, y_new = rows
    tree = miter.id3().fit(X, y)
    path = pruned_sizes(tree, X_new, y_new)
    cuts = cost_complexity_path(tree.tree_).leaves[:, ::-1]
    assert len(path.size) == cuts.shape[1]
    for place in range(cuts.shape[1]):
        pruned = tree.tree_.cut(cuts[:, place])
        assert path.size[place] == pruned.n_leaves
        assert path.train[place] == pytest.approx(np.mean(pruned.predict(X) != y))
        assert path.given[place] == pytest.approx(np.mean(pruned.predict(X_new) != y_new))
    assert path.chosen == np.argmin(path.given)
    ax = plot_pruning(tree, X_new, y_new)
    looks_well(ax)
    drawn = lines(ax)
    np.testing.assert_allclose(drawn["other rows"][:, 1], 100 * path.given)
    np.testing.assert_allclose(drawn["training rows"][:, 0], path.size)
    best = 100 * path.given.min()
    assert f"chosen: {path.size[path.chosen]:.0f} leaves, {best:.1f} %" in drawn


def test_without_other_rows_the_choice_is_the_tree_as_it_is(rows):
    X, y, *_ = rows
    tree = miter.id3().fit(X, y)
    assert pruned_sizes(tree).size[pruned_sizes(tree).chosen] == tree.get_n_leaves()


def test_trees_that_cross_validation_chose_from(readable, rows, looks_well):
    _, _, X_new, y_new = rows
    path = pruned_sizes(readable, X_new[:, :6], y_new)
    own = readable.path_
    assert path.size.tolist() == [tree.n_terms for tree in own.trees]
    assert path.left_out.tolist() == [tree.error for tree in own.trees]
    assert path.chosen == own.chosen
    for place, one in enumerate(own.trees):
        assert path.given[place] == np.mean(one.tree.predict(X_new[:, :6]) != y_new)
    ax = plot_pruning(readable, X_new[:, :6], y_new)
    looks_well(ax)
    assert ax.get_xlabel() == "terms to read"
    assert {"rows left out", "training rows", "other rows"} <= {*lines(ax)}


def test_a_model_from_a_file_knows_the_errors_alone(readable, rows, tmp_path):
    miter.save(readable, tmp_path / "tree.miter")
    loaded = miter.load(tmp_path / "tree.miter")
    path = pruned_sizes(loaded)
    assert np.isnan(path.train).all()
    assert path.left_out.tolist() == [tree.error for tree in readable.path_.trees]
    assert "training rows" not in lines(plot_pruning(loaded))


def test_costs_count_in_average_mistakes(rows, looks_well):
    X, y, X_new, y_new = rows
    costs = [[0, 10], [2, 0]]
    tree = miter.id3(costs=costs).fit(X, y)
    path = pruned_sizes(tree, X_new, y_new)
    assert path.is_cost
    matrix = np.array(costs, float)
    answer = tree.predict_codes(X_new)
    mean = matrix[answer, y_new].mean() / tree.tree_.mean_cost
    assert path.given[-1] == pytest.approx(mean)
    ax = plot_pruning(tree, X_new, y_new)
    looks_well(ax)
    assert "cost" in ax.get_ylabel()


def test_a_leaf_alone(rows):
    X, y, *_ = rows
    tree = miter.id3(max_depth=0).fit(X, y)
    assert pruned_sizes(tree).size.tolist() == [1]
    assert plot_pruning(tree).has_data()


def test_classes_are_needed(rows):
    X, y, X_new, _ = rows
    with pytest.raises(DataError, match="the classes are not there; give y, or a column 'class'"):
        plot_pruning(miter.id3().fit(X, y), X_new)


def test_costs_of_rows_are_not_known_of_others(rows):
    X, y, X_new, y_new = rows
    own = np.where(np.eye(2)[y] > 0, 0.0, np.linspace(1, 5, len(X))[:, None])
    tree = miter.id3().fit(X, y, row_costs=own)
    with pytest.raises(DataError, match="grown with costs of rows, which new rows do not have"):
        plot_pruning(tree, X_new, y_new)
    assert plot_pruning(tree).has_data()


def test_axes_that_are_given(rows):
    X, y, *_ = rows
    _, ax = pyplot.subplots()
    assert plot_pruning(miter.id3().fit(X, y), ax=ax) is ax


def test_without_matplotlib_the_extra_is_named(without_matplotlib, readable):
    with without_matplotlib():
        plot_pruning(readable)
