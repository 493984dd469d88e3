"""Conditions on one column become intervals and sets."""

import numpy as np
import pytest

from miter.data import Column, Schema
from miter.rules.merge import merge_conditions
from miter.splits import SHARE, STAY, Category, Condition, Threshold

SCHEMA = Schema((Column("x", "numeric"), Column("s", "symbolic", tuple("abcd"))), ("no", "yes"))
X = np.column_stack([[*np.linspace(-1, 9, 30), np.nan], [*(np.arange(30) % 5), np.nan]])


def merged(*conditions, shares=None):
    shares = shares or [0.5] * len(conditions)
    result, new_shares = merge_conditions(conditions, shares)
    expected = np.all([c.holds(X) for c in conditions], axis=0)
    assert np.array_equal(np.all([c.holds(X) for c in result], axis=0), expected)
    return [c.say(SCHEMA) for c in result], new_shares


def test_intervals():
    above, below = Condition(Threshold(0, (1.0,)), 1), Condition(Threshold(0, (5.0,)), 0)
    between = Condition(Threshold(0, (2.0, 7.0)), 1)
    assert merged(above, below) == (["1 < x <= 5"], (0.25,))
    assert merged(above, between, below) == (["2 < x <= 5"], (0.125,))
    assert merged(above, Condition(Threshold(0, (3.0,)), 1))[0] == ["x > 3"]
    assert merged(below, Condition(Threshold(0, (3.0,)), 0))[0] == ["x <= 3"]
    assert merged(above, Condition(Threshold(0, (0.5,)), 0))[0] == ["1 < x <= 1"]  # nothing


def test_sets():
    some = Condition(Category(1, (0, 0, 1, -1)), 0)
    other = Condition(Category(1, (1, 0, 0, 0)), 0)
    assert merged(some, other)[0] == ["s = b"]
    assert merged(some, Condition(Category(1, (0, 1, 1, -1)), 1))[0] == ["s = b"]
    stays = Condition(Category(1, (0, 1, -1, -1)), STAY)
    assert merged(stays, Condition(Category(1, (0, 0, 1, 0)), 0))[0] == ["s = d"]


@pytest.mark.parametrize("first", [0, 1, SHARE])
@pytest.mark.parametrize("second", [0, 1, SHARE])
def test_missing_values_go_where_they_went(first, second):
    conditions = (
        Condition(Threshold(0, (1.0,), first), 1),
        Condition(Threshold(0, (5.0,), second), 0),
    )
    _, (share,) = merged(*conditions, shares=[0.3, 0.6])
    if (first, second) == (SHARE, SHARE):
        assert share == pytest.approx(0.18)
    elif 0 in (first,) or 1 in (second,):
        assert share == 0


def test_other_columns_and_kinds_stay_apart():
    x, s = Condition(Threshold(0, (1.0,)), 1), Condition(Category(1, (0, 0, 1, 1)), 0)
    assert merged(x, s, x)[0] == ["x > 1", "s in {a, b}"]
