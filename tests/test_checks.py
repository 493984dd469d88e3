from __future__ import annotations

import numpy as np
import pytest

from miter.checks import check_choice, check_flag, check_number, check_whether, check_whole


def test_a_whole_number_is_not_a_flag_nor_a_fraction():
    check_whole("n", np.int64(3), 1)
    check_whole("n", None, 1, optional=True)
    for bad in (True, 1.0, "1", None, 0):
        with pytest.raises(ValueError, match=f"n is {bad!r}; give a whole number from 1 on"):
            check_whole("n", bad, 1)


@pytest.mark.parametrize(
    ("bounds", "good", "bad", "wanted"),
    [
        ({"above": 0}, 0.1, 0, "a number above 0"),
        ({"least": 0}, 0, -1, "a number from 0 on"),
        ({"above": 0, "below": 1}, 0.5, 1, "a number between 0 and 1"),
        ({"least": 0, "most": 1}, 1, 1.5, "a number from 0 to 1"),
        ({"least": 0, "below": 1}, 0, 1, "a number from 0 and below 1"),
        ({"above": 0, "most": 1}, 1, 0, "a number above 0 and up to 1"),
        ({}, -3.5, np.inf, "a number"),
    ],
)
def test_bounds_are_kept_and_said(bounds, good, bad, wanted):
    check_number("x", good, **bounds)
    for value in (bad, np.nan, np.inf, True, "0.5", None):
        with pytest.raises(ValueError, match="x is .*; give " + wanted + "$"):
            check_number("x", value, **bounds)
    check_number("x", None, **bounds, optional=True)


def test_a_choice_names_what_is_near():
    check_choice("rule", None, ("em", None))
    with pytest.raises(ValueError, match="rule is 'mixtur'; did you mean 'mixture'"):
        check_choice("rule", "mixtur", ("em", "mixture", None))
    for bad in ([], 0, True):
        with pytest.raises(ValueError, match="rule is "):
            check_choice("rule", bad, ("em",))


def test_numbers_that_are_too_large_are_refused_in_a_line():
    for value in (2**31, 10**400, 10**5000):
        with pytest.raises(ValueError, match=r"^n is .{,80}; give a whole number from 1 to 21474"):
            check_whole("n", value, 1)
    for value in (10**400, 10**5000, 1j):
        with pytest.raises(ValueError, match=r"^x is .{,80}; give a number from 0 on$"):
            check_number("x", value, least=0)


def test_it_can_be_found_out():
    for good in ("auto", True, False):
        check_whether("anneal", good)
    for bad in ("yes", 1, 0.0, None, np.array([1, 2]), np.True_):
        with pytest.raises(ValueError, match=r"anneal is .*; give 'auto', True or False"):
            check_whether("anneal", bad)


def test_a_flag_is_true_or_false():
    check_flag("bent", np.True_)
    with pytest.raises(ValueError, match="bent is 1; give True or False"):
        check_flag("bent", 1)
