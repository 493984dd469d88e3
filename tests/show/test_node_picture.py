"""Nodes looked at closely: each panel for each kind of test, against numbers worked out apart."""

import numpy as np
import pytest

import miter
from miter import id3, plot_node
from miter.data import Column, Schema, play_tennis
from miter.errors import DataError
from miter.show import save_picture
from miter.splits import Category, Linear, Machine, Network, PackedSplits, Term, Threshold
from miter.tree import Tree

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot
from matplotlib.colors import to_hex

from miter.show.colours import class_style

LENGTH, WIDTH = Column("length", "numeric"), Column("width", "numeric")
COLOUR = Column("colour", "symbolic", ("red", "green", "blue"))
SIZE = Column("size", "ordered", ("S", "M", "L"))
SCHEMA = Schema((LENGTH, WIDTH, COLOUR, SIZE), ("no", "yes", "perhaps"))


def make(split):
    counts = np.ones((split.n_branches + 1, 3))
    return Tree(SCHEMA, PackedSplits.of([split, *[None] * split.n_branches]), counts)


@pytest.fixture
def rows():
    random = np.random.default_rng(0)
    X = np.column_stack(
        [random.normal(size=(200, 2)), random.integers(0, 3, 200), random.integers(0, 3, 200)]
    ).astype(float)
    return X, np.array(["no", "yes", "perhaps"])[(X[:, 0] > 0) + (X[:, 1] > 0.5).astype(int)]


def bars(ax):
    """Return for each class the heights, or lengths, of its bars, in their order."""
    found = {}
    for patch in ax.patches:
        colour = to_hex(patch.get_facecolor()).upper()
        found.setdefault(colour, []).append((patch.get_x(), patch.get_y(), patch))
    return found


TERMS = Term.number(0, 2.0), Term.number(1, -1.0), Term.symbol(2, (0.0, 1.0, -1.0))
KINDS = {
    "threshold": (Threshold(0, (0.25,)), ["distribution"]),
    "cuts": (Threshold(0, (-0.5, 0.25, 1.0)), ["distribution"]),
    "ordered": (Threshold(3, (0.5,)), ["distribution"]),
    "category": (Category(2, (0, 1, 0)), ["distribution"]),
    "column machine": (
        Machine((0.0, 0.5, 0.0), (Term.number(0, 1.0, -1.0, 0.0),), (0, 1, 2)),
        ["distribution"],
    ),
    "linear": (Linear(TERMS, 0.5), ["contributions", "projection", "margins"]),
    "machine": (
        Machine((0.0, 0.1, 0.0), (Term.number(0, 1.0, -1.0, 0.0), Term.number(1, 0.0, 0.5, 2.0)),
                (0, 1, 2)),
        ["contributions", "projection", "margins"],
    ),
    "network": (
        Network((0.0, 1.0), (Term.number(0, 2.0, -1.0), Term.symbol(2, ((1, 0), (0, 1), (2, 2)))),
                (3.0, -2.0), 0.5),
        ["response", "contributions", "margins"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_test_has_its_panels(kind, rows, looks_well, tmp_path):
    split, panels = KINDS[kind]
    axes = plot_node(make(split), *rows)
    assert len(axes) == len(panels)
    looks_well(axes)
    save_picture(axes, tmp_path / "node.pdf")
    for panel in panels:
        [ax] = plot_node(make(split), *rows, panels=panel)
        assert ax.has_data()


def test_the_rows_along_a_column_and_its_cut(rows):
    X, y = rows
    [ax] = plot_node(make(Threshold(0, (0.25,))), X, y)
    heights = {c: sum(p.get_height() for *_, p in own) for c, own in bars(ax).items()}
    for code, label in enumerate(SCHEMA.classes):
        assert heights[class_style(code).colour] == (y == label).sum()
    [cut] = [line for line in ax.lines if line.get_xdata()[0] == line.get_xdata()[1]]
    assert cut.get_xdata()[0] == 0.25
    # No bar lies on both sides of the cut.
    patches = [p for own in bars(ax).values() for *_, p in own]
    left = [p for p in patches if p.get_x() < 0.25 - 1e-9]
    assert max(p.get_x() + p.get_width() for p in left) <= 0.25 + 1e-9
    assert sum(p.get_height() for p in left) == (X[:, 0] <= 0.25).sum()


def test_a_bar_for_each_value_those_of_a_branch_together(rows):
    X, y = rows
    [ax] = plot_node(make(Category(2, (0, 1, 0))), X, y)
    names = [label.get_text() for label in ax.get_xticklabels()]
    assert names == ["red", "blue", "green"]
    total = np.zeros(3)
    for own in bars(ax).values():
        for place, (*_, patch) in enumerate(own):
            total[place] += patch.get_height()
    assert total.tolist() == [(X[:, 2] == code).sum() for code in (0, 2, 1)]


def test_missing_values_are_counted(rows):
    X, y = rows
    X[:7, 0] = np.nan
    [ax] = plot_node(make(Threshold(0, (0.25,))), X, y)
    assert ax.get_title(loc="right") == "7 rows have no value"


def test_far_values_do_not_decide_on_the_scale(rows):
    X, y = rows
    X[0, 0] = 1e6
    [ax] = plot_node(make(Threshold(0, (0.25,))), X, y)
    assert ax.get_xlim()[1] < 10
    assert ax.get_title() == "1 rows beyond are in the last bars"
    total = sum(p.get_height() for own in bars(ax).values() for *_, p in own)
    assert total == len(X)


def test_contributions_to_one_sum_are_those_of_the_mean_row_of_each_class(rows):
    X, y = rows
    ax, *_ = plot_node(make(Linear(TERMS, 0.5)), X, y)
    added = np.column_stack(
        [2 * X[:, 0], -X[:, 1], np.array([0.0, 1.0, -1.0])[X[:, 2].astype(int)]]
    )
    added -= added.mean(axis=0)
    names = [label.get_text() for label in ax.get_yticklabels()]
    order = [["length", "width", "colour"].index(name) for name in names]
    for code, label in enumerate(SCHEMA.classes):
        lengths = [patch.get_width() for *_, patch in bars(ax)[class_style(code).colour]]
        np.testing.assert_allclose(lengths, added[y == label].mean(axis=0)[order], atol=1e-9)


def test_the_key_of_many_long_names_has_room(make_rows, looks_well):
    classes = [
        f"class {k:2} whose name has sixty characters, as any may have".ljust(60, "x")
        for k in range(19)
    ]
    X, y = make_rows(["a", "b", "c"], classes, n=600)
    model = miter.lmdt93(max_depth=1, pruning=None, random_state=0).fit(X, y)
    looks_well(plot_node(model, X, y), dots=80)
    looks_well(miter.plot_regions(model, X, y), dots=80)


def test_many_classes_are_shades(make_rows, looks_well):
    X, y = make_rows(["a", "b", "c"], [f"class {k}" for k in range(7)], n=400)
    tree = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    axes = plot_node(tree, X, y)
    looks_well(axes)
    [image] = axes[0].images
    assert image.get_array().shape == (3, 7)
    # What speaks for a class is, in the sum over the columns, more than what speaks against it.
    assert (image.get_array().sum(axis=0) > 0).all()


def test_rows_of_three_sums_are_seen_where_they_belong(rows):
    split = KINDS["machine"][0]
    axes = plot_node(make(split), *rows)
    assert axes[1].get_xlabel() == "all differences of the sums"


def test_margins_of_a_sum_are_on_the_side_of_their_branch(rows):
    X, y = rows
    tree = make(Linear(TERMS, 0.5))
    *_, ax = plot_node(tree, X, y)
    left = sum(p.get_height() for own in bars(ax).values() for x, _, p in own if x < 0.5 - 1e-9)
    assert left == (tree.apply(X) == 1).sum()


def test_the_two_strongest_columns_of_a_network_are_shown():
    random = np.random.default_rng(0)
    X = random.uniform(-2, 2, (300, 3))
    y = np.where((X[:, [0, 2]] ** 2).sum(axis=1) < 1.5, "in", "out")
    tree = miter.NetworkTreeClassifier(random_state=0).fit(X, y)
    ax, *_ = plot_node(tree, X, y)
    assert {ax.get_xlabel(), ax.get_ylabel()} == {"x0", "x2"}


def test_only_rows_that_come_there_are_shown():
    data = play_tennis()
    [ax] = plot_node(id3().fit(data), data, node=1)
    assert ax.get_xlabel() == "Humidity"
    assert sum(p.get_height() for own in bars(ax).values() for *_, p in own) == 5


def test_clusters_have_no_classes_but_answers():
    from sklearn.datasets import load_iris

    X = load_iris().data
    axes = plot_node(miter.ICATree(random_state=0).fit(X), X)
    assert len(axes) == 3
    key = axes[0].figure.axes[-1]
    assert key.get_legend().get_title().get_text() == "answer"
    [density] = [line for line in axes[2].lines if len(line.get_xdata()) > 2]
    cut = next(line.get_xdata()[0] for line in axes[2].lines if len(line.get_xdata()) == 2)
    at = np.interp(cut, *density.get_data())
    assert at < 0.1 * max(density.get_ydata())  # the cut is in the valley


def test_classes_may_be_a_column_of_the_table():
    from sklearn.datasets import load_iris

    iris = load_iris(as_frame=True)
    tree = miter.c45().fit(iris.data, iris.target)
    [ax] = plot_node(tree, iris.frame)
    assert ax.figure.axes[-1].get_legend().get_title().get_text() == "class"


def test_axes_that_are_given(rows, looks_well):
    figure, (left, right) = pyplot.subplots(2, 1, figsize=(14, 8), layout="constrained")
    [ax] = plot_node(make(KINDS["linear"][0]), *rows, panels="projection", ax=left)
    assert ax is left
    axes = plot_node(make(KINDS["linear"][0]), *rows, ax=right)
    assert len(axes) == 3
    looks_well(axes)
    alone = figure.add_axes((0, 0, 0.1, 0.1))
    with pytest.raises(DataError, match="ax has no place in a grid"):
        plot_node(make(KINDS["linear"][0]), *rows, ax=alone)


@pytest.mark.parametrize("learner", ["LinearMachineTreeClassifier", "UnivariateTreeClassifier"])
def test_hostile_names_are_text(learner, hostile, make_rows, looks_well, tmp_path):
    classes = [name for name in hostile if name]
    X, y = make_rows([name or "empty" for name in hostile], classes[:6], values=classes)
    tree = getattr(miter, learner)(random_state=0, max_depth=2).fit(X, y)
    axes = plot_node(tree, X, y)
    looks_well(axes)
    for suffix in ("png", "svg", "pdf"):
        save_picture(axes, tmp_path / f"node.{suffix}")
    assert "<script" not in (tmp_path / "node.svg").read_text("utf-8")


def test_hostile_values_are_text(hostile, looks_well):
    values = tuple(name for name in hostile if name)
    column = Column("$c$", "symbolic", values)
    schema = Schema((column,), ("<b>", "_no"))
    split = Category(0, tuple(range(len(values))))
    tree = Tree(schema, PackedSplits.of([split, *[None] * len(values)]), np.ones((12, 2)))
    X = np.arange(len(values), dtype=float).repeat(5)[:, None]
    looks_well(plot_node(tree, X, np.array(["<b>", "_no"])[np.arange(len(X)) % 2]))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"node": 1}, "node 1 is a leaf; nodes with a test are 0"),
        ({"node": 99}, "node 99 is not there; nodes with a test are 0"),
        ({"panels": "margin"}, "there is no panel 'margin'; did you mean 'margins'"),
        ({"panels": "margins"}, "'margins' does not suit this test; these do: distribution"),
        ({"panels": []}, "there is no panel to draw; suitable are distribution"),
    ],
)
def test_wrong_wishes_are_refused(wrong, sentence, rows):
    with pytest.raises(DataError, match=sentence):
        plot_node(make(Threshold(0, (0.25,))), *rows, **wrong)


def test_rows_that_do_not_come_are_told(rows):
    X, y = rows
    tree = make(Threshold(0, (0.25,)))
    with pytest.raises(DataError, match="there are no rows to show"):
        plot_node(tree, X[:0], y[:0])
    deep = Tree(
        SCHEMA,
        PackedSplits.of([Threshold(0, (0.0,)), Threshold(0, (1.0,)), None, None, None]),
        np.ones((5, 3)),
    )
    with pytest.raises(DataError, match="none of the 200 rows comes to node 1"):
        plot_node(deep, np.abs(X) + 1, y, node=1)
    with pytest.raises(DataError, match="3 classes for 200 rows"):
        plot_node(tree, X, y[:3])


def test_a_forest_is_refused_with_the_cure():
    data = play_tennis()
    forest = miter.BaggedTreesClassifier(id3(), n_estimators=3).fit(data)
    with pytest.raises(ValueError, match=r"has 3 trees; give one of them"):
        plot_node(forest, data)


def test_without_matplotlib_the_extra_is_named(without_matplotlib, rows):
    with without_matplotlib():
        plot_node(make(Threshold(0, (0.25,))), *rows)
