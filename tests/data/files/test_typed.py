import gzip
import json
import sys
from datetime import datetime

import numpy as np
import pandas as pd
import pytest

from miter.data import Column, read
from miter.errors import DataError

FRAME = pd.DataFrame(
    {"wind": ["Weak", None, "Strong"], "humidity": [85, 70.5, 60], "play": [1, 2, 1]}
)


def write(tmp_path, frame=FRAME):
    path = tmp_path / "a.parquet"
    frame.to_parquet(path)
    return path


def test_a_file_with_labels(tmp_path):
    data = read(write(tmp_path), target="play", kinds={"humidity": "numeric"})
    assert data.schema.columns == (
        Column("wind", "symbolic", ("Strong", "Weak")),
        Column("humidity", "numeric"),
    )
    assert (data.schema.target, data.schema.classes) == ("play", (1, 2))
    np.testing.assert_array_equal(data.X, [[1, 85], [np.nan, 70.5], [0, 60]])
    assert data.y.tolist() == [0, 1, 0]


def test_gzipped(tmp_path):
    path = write(tmp_path)
    packed = tmp_path / "b.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read(packed, target="play").n_rows == 3


def test_the_index_of_pandas_is_no_column(tmp_path):
    frame = FRAME.set_index(pd.Index([7, 8, 9]))
    assert read(write(tmp_path, frame), target="play").schema.names == ("wind", "humidity")


def test_rows_under_a_known_schema(tmp_path):
    schema = read(write(tmp_path), target="play").schema
    rows = pd.DataFrame({"play": ["2", "1"], "humidity": [1, 2], "wind": ["Gale", "Weak"]})
    data = read(write(tmp_path, rows), schema=schema)
    np.testing.assert_array_equal(data.X, [[np.nan, 1], [1, 2]])
    assert data.y.tolist() == [1, 0]
    assert read(write(tmp_path, rows.drop(columns="play")), schema=schema).y is None


@pytest.mark.parametrize(
    ("frame", "arguments", "message"),
    [
        (FRAME, {}, "which column of .* holds the class.*'wind', 'humidity', 'play'"),
        (FRAME, {"target": "pay"}, "did you mean 'play'"),
        (FRAME.head(0), {"target": "play"}, r"a\.parquet: the table has no rows"),
        (FRAME[["play"]], {"target": "play"}, "no columns"),
        (FRAME.replace(60, np.inf), {"target": "play"}, r"a\.parquet: .*'humidity'.*inf in row 2"),
        (FRAME.replace("Weak", None), {"target": "wind"}, "the label of row 0 is missing"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, frame, arguments, message):
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, frame), **arguments)


def test_rows_that_do_not_fit_a_schema(tmp_path):
    schema = read(write(tmp_path), target="play").schema
    with pytest.raises(DataError, match="the label of row 0 is 3; the classes are 1, 2"):
        read(write(tmp_path, FRAME.assign(play=3)), schema=schema)
    with pytest.raises(DataError, match=r"a\.parquet: the table has no column 'wind'"):
        read(write(tmp_path, FRAME.drop(columns="wind")), schema=schema)
    with pytest.raises(DataError, match="no rows"):
        read(write(tmp_path, FRAME.head(0)), schema=schema)


def test_a_file_that_is_no_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"not parquet at all")
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read(path, target="play")


ROWS = [
    {"age": 31, "size": "S", "class": "yes"},
    {"age": None, "size": "L", "class": "no"},
    {"age": "n/a", "size": "S", "class": "yes"},
]


def test_json_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)) + "\n\n")
    data = read(path, target="class")
    np.testing.assert_array_equal(data.X, [[31, 1], [np.nan, 0], [np.nan, 1]])
    assert data.schema.classes == ("no", "yes")
    again = read(path, schema=data.schema)
    np.testing.assert_array_equal(again.X, data.X)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "class": 2}\n{"a": 1', "line 2: this is no JSON"),
        ("[1, 2]\n", "line 1: .* is no object"),
        ("", "which column"),
    ],
)
def test_json_lines_that_cannot_be_read(tmp_path, text, message):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read(path, target="class" if text else None)


def excel(tmp_path, rows, title="first"):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    other = book.create_sheet("second")
    other.append(["b", "class"])
    other.append([7, "u"])
    path = tmp_path / "a.xlsx"
    book.save(path)
    return path


def test_excel(tmp_path):
    header = ["age", "when", "paid", "class"]
    rows = [[30 + i, datetime(2020, 1 + i % 3, 2), i % 2 == 0, "uv"[i % 2]] for i in range(40)]
    rows[5][0] = "n/k"
    path = excel(tmp_path, [header, *rows])
    data = read(path, target="class")
    assert data.schema.names == ("age", "when", "when.month", "when.weekday", "paid")
    assert np.isnan(data.X[5, 0])
    assert data.X[4].tolist() == [34, 18294, 1, 6, 1]
    assert "'n/k' in row 7;" in data.reading.changes[0].sentence
    assert read(path, target="class", sheet="second").X.tolist() == [[7]]
    assert read(path, target="class", sheet=1).X.tolist() == [[7]]
    with pytest.raises(DataError, match="no sheet 'secon'; did you mean 'second'"):
        read(path, target="class", sheet="secon")


def test_excel_without_the_library(tmp_path, monkeypatch):
    path = excel(tmp_path, [["a", "class"], [1, "u"]])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(DataError, match=r"need openpyxl.*miter\[excel\]"):
        read(path, target="class")


def test_a_file_that_is_no_excel(tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"not Excel at all")
    with pytest.raises(DataError, match="cannot be read as Excel"):
        read(path, target="play")


def test_rows_above_the_header_of_a_sheet_are_named(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["Sales of 2024", None], [None, None], ["units", "good"], [3, "y"], [4, "n"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(DataError, match=r"the class 'good' is named in row .* delete the rows"):
        read(tmp_path / "a.xlsx", target="good")
