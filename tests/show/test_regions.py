"""Regions in two columns: colours are answers, lines are cuts."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import miter
from miter import plot_regions
from miter.errors import DataError
from miter.show import save_picture

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex

from miter.show.colours import class_style


@pytest.fixture(scope="module")
def iris():
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


@pytest.fixture(scope="module")
def tree(iris):
    return miter.ReadableTreeClassifier(random_state=0).fit(*iris)


def tints(ax):
    return {to_hex(patch.get_facecolor()).upper() for patch in ax.patches}


def test_colours_are_answers(tree, iris, looks_well):
    X, y = iris
    ax = plot_regions(tree, X, y)
    looks_well(ax)
    assert tints(ax) == {class_style(code).tint for code in range(3)}
    means = X.mean()
    for patch in ax.patches:
        place = patch.get_xy().mean(axis=0)
        row = means.copy()
        row[ax.get_xlabel()], row[ax.get_ylabel()] = place
        code = int(tree.predict_codes(row.to_numpy()[None])[0])
        assert to_hex(patch.get_facecolor()).upper() == class_style(code).tint


def test_lines_between_classes_are_thicker(tree, iris):
    ax = plot_regions(tree, *iris)
    thin, thick = (c for c in ax.collections if isinstance(c, LineCollection))
    assert thin.get_linewidth()[0] < thick.get_linewidth()[0]
    assert len(thick.get_segments()) == 2


def test_the_plane_goes_through_a_row(iris):
    X, y = iris
    tree = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    pair = ["sepal length (cm)", "sepal width (cm)"]
    first, last = (plot_regions(tree, X, y, columns=pair, row=row) for row in (0, 149))
    assert class_style(0).tint in tints(first)
    assert class_style(2).tint in tints(last)
    assert tints(first) != tints(last)
    given = plot_regions(tree, X, y, columns=pair, row=X.iloc[[149]])
    assert tints(given) == tints(last)
    array = plot_regions(
        miter.id3(max_depth=3).fit(X.to_numpy(), y), X.to_numpy(), y, row=X.to_numpy()[3]
    )
    assert array.has_data()


def test_missing_values_of_the_row_are_usual(iris):
    X, y = iris
    tree = miter.id3(max_depth=3).fit(X, y)
    holed = X.iloc[[149]].copy()
    holed.iloc[0] = np.nan
    assert tints(plot_regions(tree, X, y, row=holed)) == tints(plot_regions(tree, X, y))


def test_forests_and_networks_are_asked_at_many_places(iris, looks_well, tmp_path):
    X, y = iris
    forest = miter.BaggedTreesClassifier(miter.id3(), n_estimators=5, random_state=0).fit(X, y)
    ax = plot_regions(forest, X, y)
    looks_well(ax)
    mesh = ax.collections[0]
    codes = mesh.get_array().reshape(400, 400)
    x, y0 = np.mean(ax.get_xlim()), np.mean(ax.get_ylim())
    row = X.mean()
    row[ax.get_xlabel()], row[ax.get_ylabel()] = x, y0
    assert codes[200, 200] == forest.predict_codes(row.to_numpy()[None])[0]
    save_picture(ax, tmp_path / "regions.svg")
    assert (tmp_path / "regions.svg").stat().st_size < 500_000
    network = miter.NetworkTreeClassifier(random_state=0).fit(X, y)
    assert plot_regions(network, X, y).has_data()
    rules = miter.RuleListClassifier(random_state=0).fit(X, y)
    assert plot_regions(rules, X, y).has_data()


def test_symbols_are_strips(looks_well):
    random = np.random.default_rng(0)
    values = ["a value with a long name", "b", "c", "$d$", "<i>", "another long name"]
    X = pd.DataFrame({"symbol": random.choice(values, 300), "x": random.normal(size=300)})
    y = np.where((X.symbol == "b") ^ (X.x > 0), "yes", "no")
    ax = plot_regions(miter.id3().fit(X, y), X, y, columns=["symbol", "x"])
    looks_well(ax)
    assert len(ax.get_xticklabels()) == 6
    assert ax.get_xlim() == (-0.5, 5.5)


def test_hostile_names_are_text(hostile, make_rows, looks_well, tmp_path):
    classes = [name for name in hostile if name]
    X, y = make_rows([name or "empty" for name in hostile], classes[:11], n=500)
    tree = miter.id3(max_depth=4).fit(X, y)
    for pair in ((0, 1), (3, 4), (6, 7)):
        ax = plot_regions(tree, X, y, columns=pair)
        looks_well(ax)
        save_picture(ax, tmp_path / "regions.svg")
        assert "<script" not in (tmp_path / "regions.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"columns": ["petal lenght (cm)", 0]},
            "there is no column 'petal lenght \\(cm\\)'; did you",
        ),
        ({"columns": [0, 9]}, "there is no column 9; give a name, or a position from 0 to 3"),
        ({"columns": [0, 0]}, "columns names 'sepal length \\(cm\\)' twice"),
        ({"columns": "sepal"}, "columns is 'sepal'; give two"),
        ({"columns": [0, 1, 2]}, "give two"),
        ({"row": 150}, "row is 150; X has rows 0 to 149"),
    ],
)
def test_wrong_wishes_are_refused(wrong, sentence, tree, iris):
    with pytest.raises(DataError, match=sentence):
        plot_regions(tree, *iris, **wrong)


def test_one_row_is_wanted(tree, iris):
    with pytest.raises(DataError, match="row has 2 rows; give one of them"):
        plot_regions(tree, *iris, row=iris[0].iloc[:2])


def test_one_column_has_no_plane():
    X = np.arange(20.0)[:, None]
    tree = miter.id3().fit(X, X[:, 0] > 9)
    with pytest.raises(DataError, match="regions are of two columns, and the model has one"):
        plot_regions(tree, X)


def test_axes_that_are_given(tree, iris):
    _, ax = pyplot.subplots()
    assert plot_regions(tree, *iris, ax=ax) is ax


def test_without_matplotlib_the_extra_is_named(without_matplotlib, tree, iris):
    with without_matplotlib():
        plot_regions(tree, *iris)
