import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

from miter.data import Column, Schema
from miter.estimators.univariate import c45
from miter.show import export_text
from miter.splits import Category, Linear, PackedSplits, Term, Threshold
from miter.tree import Tree

SCHEMA = Schema(
    (
        Column("length", "numeric"),
        Column("colour", "symbolic", ("red", "green", "blue")),
        Column("size", "ordered", ("S", "M", "L")),
    ),
    ("no", "yes"),
)


def make_tree(splits, counts, schema=SCHEMA):
    return Tree(schema, PackedSplits.of(splits), np.array(counts, float))


def test_iris_as_c45_prints_it():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = load_iris().target_names[y]
    model = c45().fit(X, names)
    assert export_text(model).splitlines() == [
        "'petal length (cm)' <= 2.45: setosa (50)",
        "'petal length (cm)' > 2.45",
        "|   'petal width (cm)' <= 1.75: versicolor (54/5)",
        "|   'petal width (cm)' > 1.75: virginica (46/1)",
    ]
    assert export_text(model, max_depth=1).splitlines() == [
        "'petal length (cm)' <= 2.45: setosa (50)",
        "'petal length (cm)' > 2.45: versicolor (100/50) ...",
    ]
    assert export_text(model, max_depth=0) == "setosa (150/100) ..."
    assert export_text(model, max_depth=9) == export_text(model)


def test_every_kind_of_split():
    splits = [
        Category(1, (0, 1, 0)),
        Threshold(2, (0.5, 1.5)),
        Linear((Term.number(0, 2.0), Term.symbol(1, (0.0, -1.0, 3.0))), 0.5),
        *[None] * 5,
    ]
    counts = [[5, 5], [3, 2], [2, 3], [1, 0], [2, 0], [0, 2], [2, 0.5], [0, 2.5]]
    assert export_text(make_tree(splits, counts)).splitlines() == [
        "colour in {red, blue}",
        "|   size <= S: no (1)",
        "|   S < size <= M: no (2)",
        "|   size > M: yes (2)",
        "colour = green",
        "|   2 length - [colour = green] + 3 [colour = blue] <= 0.5: no (2.5/0.5)",
        "|   2 length - [colour = green] + 3 [colour = blue] > 0.5: yes (2.5)",
    ]


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ([50, 0], "no (50)"),
        ([50, 4], "no (54/4)"),
        ([1.25, 3.04], "yes (4.3/1.2)"),
        ([3 - 1e-12, 1e-12], "no (3)"),
        ([2e7, 1], "no (20000001/1)"),
    ],
)
def test_root_that_is_a_leaf(counts, text):
    assert export_text(make_tree([None], [counts])) == text


def test_leaf_without_rows_says_what_its_parent_says():
    tree = make_tree([Category(1, (0, 1, 2)), None, None, None], [[3, 1], [3, 0], [0, 1], [0, 0]])
    assert export_text(tree).splitlines()[2] == "colour = blue: no (0)"


def test_labels_that_are_no_texts():
    schema = Schema((Column("x", "numeric"),), (1.0, 2.5))
    assert export_text(make_tree([None], [[2, 0]], schema)) == "1 (2)"


def test_deeper_than_python_can_call():
    depth = 1_500
    levels = [[Threshold(0, (float(-i),)), None] for i in range(1, depth)]
    splits = [Threshold(0, (0.0,)), *(split for level in levels for split in level), None, None]
    text = export_text(make_tree(splits, np.ones((2 * depth + 1, 2))))
    assert text.count("\n") == 2 * depth - 1
    assert text.splitlines()[depth].startswith("|   " * (depth - 1))


@pytest.fixture(scope="module")
def linear():
    """A tree of one sum of many columns, and rows for it."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 12))
    schema = Schema(tuple(Column(f"a long name {i}", "numeric") for i in range(12)), ("no", "yes"))
    terms = tuple(Term.number(i, float(w)) for i, w in enumerate(random.normal(size=12)))
    return make_tree([Linear(terms, 0.123456), None, None], [[9, 9], [9, 1], [0, 8]], schema), X


def test_long_sums_are_folded_and_the_rest_is_counted(linear):
    tree, X = linear
    folded, full = export_text(tree, X), export_text(tree, X, full=True)
    assert folded.splitlines()[0].count("a long name") == 8
    assert "+ 4 more terms " in folded
    assert full.splitlines()[0].count("a long name") == 12
    assert "more terms" not in full


def test_without_rows_it_is_said_that_numbers_are_rounded(linear):
    tree, X = linear
    assert export_text(tree).splitlines()[-1].startswith("Numbers are rounded; given rows")
    assert "ounded;" not in export_text(tree, X)


def test_rows_that_rounding_sends_elsewhere_are_counted():
    terms = Term.number(0, 1.23456), Term.symbol(1, (0.0, 1.0, 2.0))
    tree = make_tree([Linear(terms, 1.5), None, None], [[9, 9], [9, 1], [0, 8]])
    X = np.column_stack([np.linspace(1.2150, 1.2151, 40), np.zeros(40), np.zeros(40)])
    n_other = sum(1.23456 * X[:, 0] > 1.5)
    assert 0 < n_other < 40
    first, second = export_text(tree, X).splitlines()
    assert re.search(r" \(rounded: \d+ of 40 rows go elsewhere\): no \(10/1\)$", first)
    assert "rounded" not in second
    assert "(rounded; no row comes here)" in export_text(tree, X[:0])


def test_lines_are_no_longer_than_the_terminal(linear):
    tree, X = linear
    lines = export_text(tree, X, full=True, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert all(line.startswith("      ") for line in lines[1:3])
    assert all(line.count("'") % 2 == 0 for line in lines)  # no name is broken
    assert " ".join(" ".join(lines).split()) == " ".join(
        export_text(tree, X, full=True).replace("\n", " ").split()
    )


def test_bars_stand_before_every_part_of_a_line():
    terms = Term.number(0, 2.0), Term.symbol(1, (0.0, -1.0, 3.0))
    splits = [Category(1, (0, 1, 0)), Linear(terms, 0.5), None, None, None]
    tree = make_tree(splits, [[5, 5], [3, 2], [2, 3], [3, 0], [0, 2]])
    lines = export_text(tree, width=40).splitlines()
    assert lines[1:3] == [
        "|   2 length - [colour = green] + 3",
        "|         [colour = blue] <= 0.5: no (3)",
    ]


@pytest.mark.parametrize("width", [0, -3, 1.5])
def test_wrong_width(width):
    with pytest.raises(ValueError, match="width is"):
        export_text(make_tree([None], [[1, 0]]), width=width)


def test_probabilities_and_costs_on_wish():
    tree = make_tree([Threshold(0, (1.0,)), None, None], [[6, 4], [6, 2], [0, 2]])
    text = export_text(tree, probabilities=True, costs=True).splitlines()
    assert text[0] == "length <= 1: no (8/2) [no 0.75, yes 0.25] costs 0.25 a row"
    dear = tree.answering_for(np.array([[0.0, 5.0], [1.0, 0.0]]))
    assert (
        export_text(dear, costs=True).splitlines()[0] == "length <= 1: yes (8/6) costs 0.75 a row"
    )


def test_names_that_are_no_words_are_quoted():
    schema = Schema(
        (Column("a <= b\n", "numeric"), Column("c", "symbolic", ("x: y", "z"))), ("> 50", "{no}")
    )
    splits = [Category(1, (0, 1)), Threshold(0, (1.0,)), None, None, None]
    tree = make_tree(splits, [[5, 5], [3, 2], [2, 3], [1, 0], [2, 2]], schema)
    assert export_text(tree).splitlines() == [
        "c = 'x: y'",
        "|   'a <= b\\n' <= 1: '> 50' (1)",
        "|   'a <= b\\n' > 1: '> 50' (4/2)",
        "c = z: '{no}' (5/2)",
    ]


def test_a_pipeline_has_other_columns_than_its_user():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(PCA(2), c45()).fit(X, y)
    with pytest.raises(TypeError, match=r"cannot be said in words of its columns.*model\[-1\]"):
        export_text(model)
    assert "pca0" in export_text(model[-1]) or "x0" in export_text(model[-1])


def test_rows_of_another_width():
    tree = make_tree([None], [[1, 0]])
    with pytest.raises(TypeError, match="3 columns as numbers and codes"):
        export_text(tree, np.zeros((2, 5)))
