"""What is said decides as the test does, and where it is rounded the agreement is told."""

import numpy as np
import pytest

from miter.data import Column, Schema
from miter.splits import Linear, Machine, Network, Term
from miter.splits.pieces import Pieces
from miter.splits.spoken import _route, simplify, speak
from miter.splits.words import Wording, say_branch

SCHEMA = Schema(
    (
        Column("height", "numeric"),
        Column("weight", "numeric"),
        Column("colour", "symbolic", ("red", "green", "blue")),
        Column("vote", "symbolic", ("n", "y")),
        Column("size", "ordered", ("S", "M", "L")),
    ),
    ("a", "b", "c"),
)


def draw_rows(random, n_rows=200):
    X = random.normal(3.0, 2.0, size=(n_rows, 5))
    X[:, 2:] = np.column_stack([random.integers(0, n, n_rows) for n in (3, 2, 3)])
    return X


def draw_terms(random, n_outputs, columns):
    def draw(*shape):
        return random.normal(size=(*shape, n_outputs)).tolist()

    kinds = {
        0: lambda: Term.number(0, *draw(), missing=draw()),
        1: lambda: Term.bent(1, 3.0, draw(), draw(), missing=draw()),
        2: lambda: Term.symbol(2, draw(3), missing=draw()),
        3: lambda: Term.symbol(3, draw(2), missing=draw()),
        4: lambda: Term.number(4, *draw(), missing=draw()),
    }
    return tuple(kinds[column]() for column in columns)


def draw_split(random, columns):
    kind = random.integers(4)
    if kind == 0:
        return Linear(draw_terms(random, 1, columns), random.normal())
    if kind == 1:
        terms = draw_terms(random, 2, columns)
        return Network(tuple(random.normal(size=2)), terms, tuple(random.normal(size=2)), 0.1)
    n_outputs = int(random.integers(2, 4))
    terms = draw_terms(random, n_outputs, columns)
    return Machine(tuple(random.normal(size=n_outputs)), terms, tuple(range(n_outputs)))


@pytest.mark.parametrize("seed", range(60))
def test_the_simplest_form_decides_alike(seed):
    random = np.random.default_rng(seed)
    n_columns = int(random.integers(1, 6)) if seed % 2 else 1
    columns = random.permutation(5)[:n_columns].tolist()
    split, X = draw_split(random, columns), draw_rows(random)
    simple = simplify(split.expression, SCHEMA)
    assert (_route(simple, X) == split.route(X)).all()
    if not isinstance(simple, Pieces):  # which words say of known values only
        X[random.random(X.shape) < 0.2] = np.nan
        assert (_route(simple, X) == split.route(X)).all()


@pytest.mark.parametrize("seed", range(20))
def test_agreement_is_that_of_what_is_said(seed):
    random = np.random.default_rng(seed)
    split, X = draw_split(random, [0, 1, 2, 3]), draw_rows(random)
    spoken = speak(split.expression, SCHEMA, X)
    assert spoken.is_rounded
    assert spoken.n_rows == len(X)
    assert spoken.agreement == np.mean(_route(spoken.test, X) == split.route(X)) > 0.97
    assert {0, 1, 2, 3} == set(spoken.order)


def test_no_rows_no_agreement():
    split = Linear((Term.number(0, 1.23456), Term.number(1, 2.0)), 3.0)
    spoken = speak(split.expression, SCHEMA)
    assert (spoken.is_rounded, spoken.agreement, spoken.n_rows) == (True, None, 0)


def test_short_numbers_are_said_as_they_are():
    split = Linear((Term.number(0, 1.25), Term.number(1, -17.0)), 10.4)
    for rows in (None, draw_rows(np.random.default_rng(0))):
        spoken = speak(split.expression, SCHEMA, rows)
        assert not spoken.is_rounded
        assert say_branch(spoken.test, SCHEMA, 1) == "1.25 height - 17 weight > 10.4"


def test_a_constant_keeps_the_middle_where_it_was():
    # Years: a weight in three digits is off by more than the years differ.
    split = Linear((Term.number(0, 0.33333, missing=0.33333 * 2015), Term.number(1, 1.0)), 671.66)
    years = np.column_stack([np.arange(2005, 2026), np.zeros(21), *np.zeros((3, 21))])
    spoken = speak(split.expression, SCHEMA)
    assert (_route(spoken.test, years) == split.route(years)).all()
    assert say_branch(spoken.test, SCHEMA, 0) == "0.333 height + weight <= 671"


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_machine_of_one_symbol_asks_for_it(n_classes):
    constants, classes = (0.1, 0.0, -9.0)[:n_classes], tuple(range(n_classes))
    table = [(1.0, 0.0, 0.0)[:n_classes], (0.0, 1.0, 0.0)[:n_classes]]
    split = Machine(constants, (Term.symbol(3, table),), classes)
    assert [split.say(SCHEMA, b) for b in (0, 1)] == ["vote = n", "vote = y"]
    if n_classes == 3:
        assert split.say(SCHEMA, 2) == "no value of vote"


def test_a_machine_of_one_number_says_intervals():
    terms = (Term.number(0, -1.0, 0.0, 1.0),)
    split = Machine((2.0, 1.5, -1.0), terms, (0, 1, 2))
    said = [split.say(SCHEMA, branch) for branch in range(3)]
    assert said == ["height <= 0.5", "0.5 < height <= 2.5", "height > 2.5"]


def test_an_ordered_column_is_said_by_its_values():
    split = Linear((Term.number(4, -1.0),), -0.7)
    assert [split.say(SCHEMA, b) for b in (0, 1)] == ["size > S", "size <= S"]


def test_two_values_are_one_term():
    split = Linear((Term.number(0, 2.0), Term.symbol(3, (1.0, -1.0))), 3.0)
    assert split.say(SCHEMA, 1) == "2 height - 2 [vote = y] > 2"


def test_values_that_add_the_same_are_said_together():
    split = Linear((Term.number(0, 2.0), Term.symbol(2, (3.0, 0.0, 3.0))), 3.0)
    assert split.say(SCHEMA, 1) == "2 height + 3 [colour in {red, blue}] > 3"


def test_bent_numbers_count_from_their_centre():
    split = Linear((Term.bent(1, 40.0, -0.25, 1.0), Term.number(0, 3.0)), 3.0)
    words = "0.25 for each [weight below 40] + 1 for each [weight above 40] + 3 height > 3"
    assert split.say(SCHEMA, 1) == words


def test_the_strongest_come_first_and_the_rest_is_counted():
    split = Linear((Term.number(0, 0.1), Term.number(1, -5.0), Term.symbol(2, (1.0, 2, 3))), 0.0)
    spoken = speak(split.expression, SCHEMA, draw_rows(np.random.default_rng(0)))
    assert spoken.order == (1, 2, 0)
    folded = say_branch(spoken.test, SCHEMA, 0, Wording(spoken.order, most=2))
    assert folded == "5 weight - [colour = red] + 3 more terms >= 0"
    by_tree = speak(split.expression, SCHEMA, None, np.array([0.5, 0.1, 0.4, 0, 0]))
    assert by_tree.order == (0, 2, 1)
