import numpy as np
import pytest
from sklearn.datasets import load_iris

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
