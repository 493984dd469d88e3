import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data.files.cells import (
    Codes,
    Numbers,
    Symbols,
    encode_cells,
    number_text,
    parse_number,
    settle_cells,
    to_symbols,
)
from miter.data.kinds import Wish
from miter.data.schema import Column
from miter.errors import DataError


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (np.float32(0.1), "0.1"),
        (7, "7"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (1e300, "1e+300"),
    ],
)
def test_numbers_as_names(number, text):
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_can_be_read_from_its_name(number):
    assert parse_number(number_text(number)) == number


@pytest.mark.parametrize("text", ["", "x", "nan", "NaN", "1_000", "1,5", "0x1"])
def test_texts_that_are_no_numbers(text):
    with pytest.raises(ValueError):  # noqa: PT011 (the caller makes the sentence)
        parse_number(text)


def test_symbols_sort_as_text_or_as_numbers():
    codes = Codes(missing=["?"])
    coded = codes.encode(["10", "9", "?", "10"])
    as_numbers = to_symbols(codes, coded, numerically=True)
    as_texts = to_symbols(codes, coded, numerically=False)
    assert (as_numbers.texts, as_numbers.codes.tolist()) == (("9", "10"), [1, 0, -1, 1])
    assert (as_texts.texts, as_texts.codes.tolist()) == (("10", "9"), [0, 1, -1, 0])
    assert as_numbers.has_order
    assert not as_texts.has_order


@given(st.lists(st.text(max_size=3)))
def test_codes_lead_back_to_the_cells(cells):
    codes = Codes(missing=["?"])
    symbols = to_symbols(codes, codes.encode(cells), numerically=False)
    back = [symbols.texts[code] if code >= 0 else "?" for code in symbols.codes]
    assert back == cells
    assert list(symbols.texts) == sorted(set(cells) - {"?"})


def test_booleans_are_symbolic_unless_wished_numeric():
    cells = Numbers(np.array([1.0, np.nan, 0.0]), is_boolean=True)
    column, values = settle_cells("b", cells, None)
    assert column == Column("b", "symbolic", ("False", "True"))
    np.testing.assert_array_equal(values, [1, np.nan, 0])
    column, values = settle_cells("b", cells, Wish("numeric"))
    assert column.kind == "numeric"
    np.testing.assert_array_equal(values, [1, np.nan, 0])


def test_an_order_must_be_known():
    cells = Symbols(("high", "low"), np.array([0, 1], np.int32))
    with pytest.raises(DataError, match=r"'high', 'low', whose order is not known.*kinds="):
        settle_cells("size", cells, Wish("ordered"))
    column, values = settle_cells("size", cells, Wish("ordered", ("low", "mid", "high")))
    assert column == Column("size", "ordered", ("low", "mid", "high"))
    assert values.tolist() == [2, 0]


def test_a_value_outside_the_list_given():
    cells = Symbols(("high", "low"), np.array([1, 0], np.int32))
    with pytest.raises(DataError, match="column 'size' holds the text 'high' in row 1"):
        settle_cells("size", cells, Wish("ordered", ("low",)))


def test_declared_values_that_do_not_occur_need_no_listing():
    cells = Symbols(("high", "low"), np.array([1, 1], np.int32), has_order=True)
    assert settle_cells("size", cells, Wish("ordered", ("low",)))[0].values == ("low",)


def test_lost_booleans_are_recognised():
    column = Column("b", "symbolic", ("False", "True"))
    cells = Numbers(np.array([1.0, 0.0, 2.0, np.nan]))
    np.testing.assert_array_equal(encode_cells(cells, column), [1, 0, np.nan, np.nan])


def test_missing_alone():
    cells = Numbers(np.full(2, np.nan))
    column, values = settle_cells("a", cells, Wish("symbolic"))
    assert column.values == ()
    assert np.isnan(values).all()
    assert np.isnan(encode_cells(cells, Column("a", "symbolic", ("x",)))).all()
