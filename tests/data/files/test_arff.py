import tempfile
from pathlib import Path

import arff as liac_arff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data import Column, read
from miter.errors import DataError

HEADER = """% a comment
@RELATION 'golf club'

@attribute "Temp., degrees" Real
@attribute outlook {sunny, 'very sunny', "it's", 50\\%}   % a comment
@ATTRIBUTE note STRING
@attribute 'Class'{yes,no}
@attribute count integer
@DATA
"""
HEADER = HEADER.replace("50\\%", "'50\\%'")


def write(tmp_path, rows, header=HEADER):
    path = tmp_path / "golf.arff"
    path.write_text(header + rows, encoding="utf-8")
    return path


def test_dense_rows(tmp_path):
    rows = "30.5, sunny, 'a, b', yes, 1\n% a comment\n\n?,'50\\%',?,no,? % another\n"
    data = read(write(tmp_path, rows))
    assert data.schema.columns == (
        Column("Temp., degrees", "numeric"),
        Column("outlook", "symbolic", ("sunny", "very sunny", "it's", "50%")),
        Column("note", "symbolic", ("a, b",)),
        Column("count", "numeric"),
    )
    assert (data.schema.target, data.schema.classes) == ("Class", ("yes", "no"))
    nan = np.nan
    np.testing.assert_array_equal(data.X, [[30.5, 0, 0, 1], [nan, 3, nan, nan]])
    assert data.y.tolist() == [0, 1]


def test_sparse_rows(tmp_path):
    rows = "{0 2.5, 1 'very sunny',3 no}\n{ }\n{4 ?, 2 \"x, y\"}\n"
    data = read(write(tmp_path, rows))
    assert data.schema.columns[2].values == ("0", "x, y")
    np.testing.assert_array_equal(data.X, [[2.5, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, np.nan]])
    assert data.y.tolist() == [1, 0, 0]


def test_the_class_is_the_last_attribute_unless_one_is_called_so(tmp_path):
    header = "@relation r\n@attribute a real\n@attribute b {u, v}\n@data\n"
    assert read(write(tmp_path, "1,u\n", header)).schema.target == "b"
    other = read(write(tmp_path, "1,sunny,x,yes,1\n"), target="outlook")
    assert other.schema.classes == ("sunny", "very sunny", "it's", "50%")
    assert "Class" in other.schema.names


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,foggy,x,yes,1", "column 'outlook' holds 'foggy'.*declare it in line 5"),
        ("warm,sunny,x,yes,1", "column 'Temp., degrees' holds the text 'warm'"),
        (",sunny,x,yes,1", "column 'Temp., degrees' has an empty cell"),
        ("1e999,sunny,x,yes,1", "column 'Temp., degrees' holds the infinite value '1e999'"),
        ("1,sunny,x,?,1", "the class 'Class' is missing"),
        ("1,sunny,x,yes", "4 cells where 5 are expected"),
        ("{5 1}", "the row mentions column 5 but there are 5, from 0 on"),
        ("{0 1, 0 2}", "the row mentions column 0 twice"),
        ("{0 1", "'0 1' cannot be read"),
        ("1,'sunny,x,yes,1", '"\'sunny,x,yes,1" cannot be read'),
    ],
)
def test_rows_that_cannot_be_read(tmp_path, row, message):
    rows = "1,sunny,x,yes,1\n" + row + "\n"
    with pytest.raises(DataError, match=rf"golf\.arff, line 11: {message}"):
        read(write(tmp_path, rows))


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("@relation r\n%", "has no @data line"),
        ("@data\n", "declares no attributes"),
        ("hello\n", "line 1: 'hello' is not part of an ARFF header"),
        ("@attribute a\n", "line 1: '@attribute a' lacks a name or a type"),
        ("@attribute a numerik\n", "line 1: attribute 'a' has the type 'numerik'.*'numeric'"),
        ("@attribute a relational\n", "has the type 'relational', which Miter does not read"),
        ("@attribute a {x, y\n", "line 1: ' y' cannot be read"),
        ("@attribute a {x, x}\n", "line 1: 'a' lists 'x' twice"),
        ("@attribute a real\n@attribute a real\n@data\n", "line 2: two attributes are called 'a'"),
        ("@attribute a {x, '?'}\n@attribute c {u}\n@data\n", r"is '\?', which means missing"),
    ],
)
def test_headers_that_cannot_be_read(tmp_path, header, message):
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, "x,u\n", header))


def test_no_rows(tmp_path):
    with pytest.raises(DataError, match="has no rows"):
        read(write(tmp_path, "% nothing\n"))


def test_dates_must_be_ignored(tmp_path):
    header = '@attribute when date "yyyy"\n@attribute a real\n@attribute c {u}\n@data\n'
    path = write(tmp_path, "2020,1,u\n", header)
    with pytest.raises(DataError, match=r"line 1: column 'when' holds dates.*'ignored'"):
        read(path)
    assert read(path, kinds={"when": "ignored"}).schema.names == ("a",)


def test_rows_to_predict(tmp_path):
    schema = read(write(tmp_path, "1,sunny,x,yes,1\n")).schema
    header = "@attribute count real\n@attribute note string\n@attribute outlook {foggy}\n"
    header += '@attribute "Temp., degrees" real\n@data\n'
    data = read(write(tmp_path, "3,new,foggy,20\n", header), schema=schema)
    np.testing.assert_array_equal(data.X, [[20, np.nan, np.nan, 3]])
    assert data.y is None


def decode(data):
    """Write the rows of a table as liac-arff does, the class last."""
    rows = []
    for cells, label in zip(data.X, data.y, strict=True):
        row = [
            None if np.isnan(cell) else cell if not column.values else column.values[int(cell)]
            for column, cell in zip(data.schema.columns, cells, strict=True)
        ]
        rows.append([*row, data.schema.classes[label]])
    return rows


# liac-arff 2.5 does not quote a brace, a comma-less empty text, or a lone question mark.
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=6)
texts = texts.filter(
    lambda text: text.strip() == text and text != "?" and not set("{}") & set(text)
)
numbers = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))


@given(st.data(), st.lists(texts, unique=True, min_size=1, max_size=4))
def test_files_of_liac_arff_are_read_as_it_reads_them(data, values):
    nominal = st.one_of(st.none(), st.sampled_from(values))
    row = st.tuples(numbers, nominal, st.one_of(st.none(), texts), st.sampled_from(values))
    rows = [list(row) for row in data.draw(st.lists(row, min_size=1))]
    content = {
        "relation": "r",
        "attributes": [
            ("a number", "REAL"),
            ("a nominal", values),
            ("text", "STRING"),
            ("class", values),
        ],
        "data": rows,
    }
    written = liac_arff.dumps(content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.arff")
        path.write_text(written, encoding="utf-8", newline="")
        back = read(path)
    assert back.schema.classes == tuple(values)
    assert decode(back) == rows == liac_arff.loads(written)["data"]


@given(st.lists(st.dictionaries(st.integers(0, 2), st.integers(1, 9)), min_size=1))
def test_sparse_files_are_read_as_liac_arff_reads_them(rows):
    header = "@RELATION r\n" + "".join(f"@ATTRIBUTE a{i} NUMERIC\n" for i in range(3))
    header += "@ATTRIBUTE class {u, v}\n@DATA\n"
    lines = [
        "{" + ", ".join(f"{index} {value}" for index, value in sorted(row.items())) + "}\n"
        for row in rows
    ]
    written = header + "".join(lines)
    with tempfile.TemporaryDirectory() as folder:
        back = read(write(Path(folder), "", written))
    assert decode(back) == liac_arff.loads(written)["data"]
