"""Expressions that no split has yet can be said too."""

import pytest

from miter.data import Column, Schema
from miter.splits.expression import Cell, Constant, IfMissing, Largest, Lookup, Sigmoid, Step, Sum
from miter.splits.words import say_branch

SCHEMA = Schema(
    (Column("height", "numeric"), Column("colour", "symbolic", ("red", "green"))), ("no", "yes")
)
LARGEST = Largest((Constant(2.0), Sum(((-1.0, Cell(0)), (3.0, Constant(0.5))))), (0, 1))
SIGMOID = Sigmoid(Sum(((1.0, Constant(2.0)), (1.0, Cell(0)))))
POINTS = Sum(((3.0, Step(Cell(0), (1.0, 2.0))), (-2.0, Lookup(1, (0.0, 1.0), 0.0))))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (
            Step(POINTS, (4.0, 5.0)),
            "4 < 3 [height > 1] + 3 [height > 2] - 2 [colour = green] <= 5",
        ),
        (LARGEST, "machine = yes: -height + 1.5 is largest"),
        (Step(LARGEST, (0.0,)), "[position of the largest of {2; -height + 1.5}] > 0"),
        (Step(SIGMOID, (0.5,)), "s(height + 2) > 0.5"),
        (IfMissing(0, Constant(0.0), Cell(0)), "height = 1"),
    ],
)
def test_words(expression, words):
    assert say_branch(expression, SCHEMA, 1) == words
