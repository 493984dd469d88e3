import sys
from datetime import datetime

import numpy as np
import pytest

from miter.data import read
from miter.errors import DataError


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


def test_rows_above_the_header_of_a_sheet_are_left_out(tmp_path):
    rows = [["Sales of 2024"], [], [None, "a note"], ["units", "price", "good"]]
    rows += [[i, i / 2, "yn"[i % 2]] for i in range(40)]
    rows[20:20] = [[]]
    rows[30][0] = "some"
    data = read(excel(tmp_path, rows), target="good")
    assert data.schema.names == ("units", "price")
    assert data.n_rows == 40
    above, odd = data.reading.changes
    assert above.sentence == "2 lines above the header, from 'Sales of 2024' on, are left out"
    assert "'some' in row 31;" in odd.sentence  # as the sheet counts, blank rows too
    rows[25][2] = None
    with pytest.raises(DataError, match="the label of row 26 is missing"):
        read(excel(tmp_path, rows), target="good")


def test_a_header_of_two_cells_may_be_below_a_title(tmp_path):
    rows = [["Sales of 2024", None], [], ["units", "good"], [3, "y"], [4, "n"]]
    with pytest.raises(DataError, match="the class 'good' is named in row 3, not above the table"):
        read(excel(tmp_path, rows), target="good")
