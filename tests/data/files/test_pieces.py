"""The native reader of delimited text beside the `csv` module, however the text is cut."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter import core, read
from miter.data.files import pieces

CELLS = st.text(st.sampled_from('ab1é,;"\n\r. -'), max_size=5)
FINE, WIDTH, QUOTES, NO_NUMBER = range(4)


def parse(text, places, width=0, separator=",", decimal=".", missing=(), skip=0):
    raw = np.frombuffer(text.encode(), np.uint8)
    return core.read_delimited(raw, separator, decimal, places, width, list(missing), skip)


def texts_of(coded):
    codes, offsets, data = coded
    raw = data.astype(np.uint8).tobytes()
    distinct = [raw[a:b].decode() for a, b in zip(offsets, offsets[1:], strict=False)]
    return [distinct[code] for code in codes]


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_quoted_texts_come_back(rows, end):
    written = io.StringIO()
    csv.writer(written, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    _, texts, _, trouble = parse(written.getvalue(), [-2, -2])
    assert trouble == FINE
    assert list(zip(*map(texts_of, texts), strict=True)) == rows


@given(st.lists(st.tuples(CELLS, CELLS), max_size=8), st.integers(0, 200))
def test_a_cut_leaves_whole_records(rows, size):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    raw = np.frombuffer(written.getvalue().encode(), np.uint8)
    end = core.end_of_records(raw[:size], ",")
    assert 0 <= end <= min(size, len(raw))
    whole = csv.reader(io.StringIO(written.getvalue(), newline=""))
    first = csv.reader(io.StringIO(raw[:end].tobytes().decode(), newline=""))
    second = csv.reader(io.StringIO(raw[end:].tobytes().decode(), newline=""))
    assert [*first, *second] == [*whole]


@given(
    st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["{!r}", "{:.4f}", "{:g}"])
)
def test_numbers_are_those_of_python(value, form):
    text = form.format(value)
    numbers, _, has_infinite, trouble = parse(f"{text}\n", [0], 1)
    assert trouble == FINE
    assert numbers[0, 0] == float(text)
    assert has_infinite[0] == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,5", 1.5), ("-,5", -0.5), ("+2", 2), (" 7 ", 7), ("1e3", 1000), ('"4"', 4)],
)
def test_decimal_commas(text, value):
    assert parse(text, [0], 1, separator=";", decimal=",")[0].tolist() == [[value]]


@pytest.mark.parametrize(
    "text", ["1_0", "0x1", "1.2.3", "--1", "+-1", "1 2", ".", "-", "e5", "1,5"]
)
def test_what_is_no_number(text):
    assert parse(text, [0], 1, separator=";")[3] == NO_NUMBER


def test_missing_words_may_be_numbers():
    numbers = parse("NA\n-999\n1\n", [0], 1, missing=["NA", "-999"])[0]
    np.testing.assert_array_equal(numbers[:, 0], [np.nan, np.nan, 1])


def test_infinite_numbers_are_noticed():
    numbers, _, has_infinite, _ = parse("1,inf\n2,-Infinity\n", [0, 1], 2)
    np.testing.assert_array_equal(numbers[:, 1], [np.inf, -np.inf])
    assert has_infinite.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "trouble"),
    [("a,b\nc\n", WIDTH), ("a,b,c\n", WIDTH), ('"a"b,c\n', QUOTES), ('"a,b\n', QUOTES)],
)
def test_records_that_cannot_be_read(text, trouble):
    assert parse(text, [-2, -2])[3] == trouble


def test_blank_lines_are_no_records():
    _, texts, _, trouble = parse("\n \r\na,b\r\n\n  \nc,d", [-2, -2])
    assert trouble == FINE
    assert texts_of(texts[0]) == ["a", "c"]


def test_what_is_passed_on_is_checked():
    with pytest.raises(ValueError, match="no such place"):
        parse("1\n", [3], 1)


@pytest.mark.parametrize("size", [64, 256, 1 << 20])
def test_quoted_records_in_pieces(tmp_path, monkeypatch, size):
    monkeypatch.setattr(pieces, "PIECE_BYTES", size)
    path = tmp_path / "a.csv"
    rows = [(f'"the ""{i % 3}""\nline"', i / 4, f'"u, {i % 2}"') for i in range(200)]
    rows[70] = ('5" pipe', 17.5, "u")
    path.write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in rows))
    data = read(path, target="y", kinds={"a": "symbolic"})
    assert data.n_rows == 200
    assert data.schema.columns[0].values[0] == '5" pipe'
    np.testing.assert_array_equal(data.X[:, 1], [i / 4 for i in range(200)])
    assert data.schema.classes == ("u", "u, 0", "u, 1")
