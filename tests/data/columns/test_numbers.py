import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data.columns.numbers import read_durations, read_numbers

NAN = float("nan")


def read(texts, notation=""):
    return read_numbers(pa.array(texts, pa.string()), notation)


@pytest.mark.parametrize(
    ("texts", "values", "unit", "notation"),
    [
        (["1", "2.5", "+3", "1e5", ".5", "5.", "-0"], [1, 2.5, 3, 1e5, 0.5, 5, 0], "", ""),
        (["1,5", "2,25", "3"], [1.5, 2.25, 3], "", "decimal comma"),
        (["1,234", "12,345"], [1234, 12345], "", ""),
        (["0,125", "0,250"], [0.125, 0.25], "", "decimal comma"),
        (["1.234,5", "7"], [1234.5, 7], "", "decimal comma"),
        (["1 234", "12 345,5"], [1234, 12345.5], "", "decimal comma"),
        (["1'234.5"], [1234.5], "", ""),
        (["1,234,567.89", "2"], [1234567.89, 2], "", ""),
        (["12%", "3.5 %", "x"], [12, 3.5, NAN], "%", ""),
        (["$5", "€6", "$7"], [5, NAN, 7], "$", ""),
        (["-$5.00", "$-6", "($7)", "\N{MINUS SIGN}$8"], [-5, -6, -7, -8], "$", ""),
        (["USD 8", "9 USD"], [8, 9], "USD", ""),
        (["1,2,3", "", "1_000", "0x10", "(5", "1-2"], [NAN] * 6, "", ""),
        (["inf", "1"], [np.inf, 1], "", ""),
        (["75.5 kg", "80kg", "heavy", "7"], [75.5, 80, NAN, 7], "kg", ""),
        (["1,5 mg/\N{MICRO SIGN}l", "7mg/\N{MICRO SIGN}l"], [1.5, 7], "mg/µl", "decimal comma"),
        (["12A", "13B"], [NAN] * 2, "", ""),  # names
        (["12", "13", "14", "14A"], [12, 13, 14, NAN], "", ""),
        (["90 min", "5 min"], [NAN] * 2, "", ""),  # durations
        (["3 out of 5", "4 out of 5"], [NAN] * 2, "", ""),
    ],
)
def test_spellings(texts, values, unit, notation):
    found = read(texts)
    np.testing.assert_array_equal(found.values, values)
    assert (found.unit, found.notation) == (unit, notation)
    assert found.is_number.tolist() == [value == value for value in values]


def test_a_lone_group_of_three_is_what_the_table_says():
    assert read(["1,234"], "decimal comma").values.tolist() == [1.234]
    assert read(["1.234", "5"], "decimal comma").values.tolist() == [1234, 5]
    assert read(["1.5"], "decimal comma").values.tolist() == [1.5]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_what_python_writes_is_read_to_the_last_bit(numbers):
    np.testing.assert_array_equal(read(list(map(repr, numbers))).values, numbers)


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1))
def test_thousands(numbers):
    found = read([f"{number:,}" for number in numbers])
    np.testing.assert_array_equal(found.values, numbers)


@given(st.lists(st.text(max_size=6), min_size=1))
def test_any_text_is_a_number_or_not(texts):
    found = read(texts)
    assert (np.isnan(found.values) == ~found.is_number).all()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1:30:15", 5415),
        ("12:34", 45240),
        ("5 min", 300),
        ("2 h 5 min", 7500),
        ("1 day 02:00:00", 93600),
        ("90s", 90),
        ("PT1H30M", 5400),
        ("P2D", 172800),
        ("-0:30", -1800),
        ("", NAN),
        ("5 m", NAN),
        ("P", NAN),
    ],
)
def test_durations(text, seconds):
    np.testing.assert_array_equal(read_durations(pa.array([text])), [seconds])
