"""Pictures of what a model answers: confusion, calibration, importances, size against accuracy."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import miter
from miter.data import monks
from miter.errors import DataError
from miter.lab import Experiment, compare, permutation_importances, run
from miter.show import (
    plot_calibration,
    plot_confusion,
    plot_frontier,
    plot_importances,
    save_picture,
)

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot


@pytest.fixture(scope="module")
def iris():
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


@pytest.fixture(scope="module")
def tree(iris):
    return miter.id3(max_depth=2).fit(*iris)


def texts(ax):
    return [text.get_text() for text in ax.texts]


# ---- confusion -------------------------------------------------------------------------------


def test_the_cells_are_counts(tree, iris, looks_well):
    counts = miter.evaluate(tree, *iris).confusion
    for ax in (plot_confusion(tree, *iris), plot_confusion(miter.evaluate(tree, *iris))):
        looks_well(ax)
        assert texts(ax) == [str(n) for n in counts.ravel().tolist()]
        shares = ax.images[0].get_array()
        np.testing.assert_allclose(shares, counts / counts.sum(axis=1, keepdims=True))
        assert [t.get_text() for t in ax.get_yticklabels()] == ["setosa", "versicolor", "virginica"]


def test_nineteen_classes_with_long_names(make_rows, looks_well):
    classes = [f"class {k:2d} {'of a rather long name that is made up of many words'}"[:60]
               for k in range(19)]  # fmt: skip
    X, y = make_rows(["a", "b", "c", "d"], classes, n=600)
    looks_well(plot_confusion(miter.c45().fit(X, y), X, y))


def test_confusion_of_hostile_names(hostile, make_rows, looks_well, tmp_path):
    X, y = make_rows(["a", "b"], [name for name in hostile if name], n=400)
    ax = plot_confusion(miter.c45().fit(X, y), X, y)
    looks_well(ax)
    save_picture(ax, tmp_path / "confusion.svg")
    assert "<script" not in (tmp_path / "confusion.svg").read_text("utf-8")


def test_confusion_needs_classes(tree, iris):
    with pytest.raises(DataError, match="there are no rows to ask the model about; give X"):
        plot_confusion(tree)
    with pytest.raises(DataError, match="the classes are not there"):
        plot_confusion(tree, iris[0])
    with pytest.raises(DataError, match="leave X out, or give the model"):
        plot_confusion(miter.evaluate(tree, *iris), iris[0])


# ---- calibration -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def forest():
    X, y = load_breast_cancer(return_X_y=True)
    model = miter.BaggedTreesClassifier(miter.c45(max_depth=3), n_estimators=15, random_state=0)
    return model.fit(X[::2], y[::2]), X[1::2], y[1::2]


def test_points_are_means_of_rows_of_like_probability(forest, looks_well):
    model, X, y = forest
    ax = plot_calibration(model, X, y, class_=1, n_bins=5)
    looks_well(ax)
    points = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"]
    p = model.predict_proba(X)[:, 1]
    edges = np.unique(np.quantile(p, np.linspace(0, 1, 6)))
    place = np.searchsorted(edges[1:-1], p, side="right")
    wanted = [(p[place == k].mean(), (y[place == k] == 1).mean()) for k in np.unique(place)]
    np.testing.assert_allclose(points, wanted)
    assert ax.get_xlabel() == "probability of class 1"


def test_the_answer_is_looked_at_by_default(forest, looks_well):
    model, X, y = forest
    ax = plot_calibration(model, X, y)
    looks_well(ax)
    points = np.array([line.get_xydata()[0] for line in ax.lines if line.get_marker() == "o"])
    assert (points[:, 0] >= 0.5).all()
    tree = model.trees_[0]
    assert plot_calibration(tree, X, y).has_data()


def test_calibration_says_what_is_wrong(forest):
    model, X, y = forest
    with pytest.raises(DataError, match="there is no class 'malignant'; known are '0', '1'"):
        plot_calibration(model, X, y, class_="malignant")
    with pytest.raises(ValueError, match="n_bins is 0; give a whole number from 1 on"):
        plot_calibration(model, X, y, n_bins=0)
    with pytest.raises(DataError, match="the classes are not there"):
        plot_calibration(model, X)


# ---- importances -----------------------------------------------------------------------------


def test_importances_of_splits(tree, iris, looks_well):
    ax = plot_importances(tree)
    looks_well(ax)
    widths = [patch.get_width() for patch in ax.patches]
    assert widths == sorted(tree.feature_importances_.tolist(), reverse=True)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[0] == iris[0].columns[np.argmax(tree.feature_importances_)]


def test_importances_by_shuffling(looks_well):
    model = miter.id3().fit(monks(1))
    ax = plot_importances(model, monks(1), n_repeats=5)
    looks_well(ax)
    worth = 100 * permutation_importances(model, monks(1), 5).mean
    assert [p.get_width() for p in ax.patches] == pytest.approx(sorted(worth, reverse=True))
    with pytest.raises(TypeError, match="give it, not its tree"):
        plot_importances(model.tree_, monks(1))
    assert plot_importances(model.tree_).has_data()


def test_of_many_columns_the_best_are_shown(make_rows, looks_well):
    X, y = make_rows([f"column {k} {'with a name of sixty letters or somewhat more'}"
                      for k in range(40)], ["a", "b"])  # fmt: skip
    ax = plot_importances(miter.c45().fit(X, y), max_columns=12)
    looks_well(ax)
    assert len(ax.patches) == 12
    assert "28 columns of less worth are not shown" in ax.get_xlabel()


def test_importances_of_hostile_names(hostile, make_rows, looks_well):
    X, y = make_rows([name or "empty" for name in hostile], ["a", "b"])
    looks_well(plot_importances(miter.c45().fit(X, y)))


# ---- size against accuracy -------------------------------------------------------------------


@pytest.fixture(scope="module")
def results():
    sets = {"one": monks(1), "three": monks(3)}
    learners = {
        "id3": miter.id3(),
        "stump": miter.id3(max_depth=1),
        "$x$ <b>": miter.c45(max_depth=2),
        "_nobody": "GaussianNB",
    }
    return run(Experiment(sets, learners, resampling="2-fold"))


def test_those_that_none_is_better_than_are_joined(results, looks_well):
    ax = plot_frontier(results)
    looks_well(ax)
    size, accuracy = (compare(results, name).overall for name in ("terms", "accuracy"))
    [line] = [one for one in ax.lines if one.get_marker() == "None" and one.get_linestyle() == "-"]
    drawn = {tuple(point) for point in line.get_xydata().tolist()}
    points = [(s, a) for s, a in zip(size, accuracy, strict=True) if s is not None]
    wanted = {
        (s, a)
        for s, a in points
        if not any((t <= s and b >= a and (t, b) != (s, a)) for t, b in points)
    }
    assert drawn == wanted
    assert {"id3", "stump", "$x$ <b>", "_nobody"} == {*texts(ax)}


def test_less_may_be_better(results, looks_well):
    ax = plot_frontier(compare(results), size="leaves", measure="log_loss")
    looks_well(ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Leaves", "Log loss")


def test_a_frontier_says_what_is_wrong(results):
    with pytest.raises(ValueError, match="size is 'term'; did you mean 'terms'"):
        plot_frontier(results, size="term")
    with pytest.raises(ValueError, match="measure is 'acc'"):
        plot_frontier(results, measure="acc")


# ---- all of them -----------------------------------------------------------------------------


def test_axes_that_are_given(tree, iris, results):
    for plot, arguments in (
        (plot_confusion, (tree, *iris)),
        (plot_calibration, (tree, *iris)),
        (plot_importances, (tree,)),
        (plot_frontier, (results,)),
    ):
        _, ax = pyplot.subplots()
        assert plot(*arguments, ax=ax) is ax
        with pytest.raises(TypeError, match="ax is a str; give axes"):
            plot(*arguments, ax="here")


def test_without_matplotlib_the_extra_is_named(tree, iris, results, without_matplotlib):
    for plot, arguments in (
        (plot_confusion, (tree, *iris)),
        (plot_calibration, (tree, *iris)),
        (plot_importances, (tree,)),
        (plot_frontier, (results,)),
    ):
        with without_matplotlib():
            plot(*arguments)
