"""What all text formats share, tried on CSV: chunks, and kinds found late."""

import numpy as np
import pytest

from miter.data import read
from miter.data.files import gather
from miter.data.files.gatherers import NotANumberError, parse_numbers
from miter.errors import DataError


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(gather, "CHUNK_ROWS", 4)


def write(tmp_path, cells):
    path = tmp_path / "a.csv"
    path.write_text("a,b,class\n" + "".join(f"{cell},{i},x\n" for i, cell in enumerate(cells)))
    return path


def test_many_chunks_make_one_table(tmp_path):
    data = read(write(tmp_path, range(10)), target="class")
    assert data.X.tolist() == [[i, i] for i in range(10)]
    assert data.y.tolist() == [0] * 10


def test_text_in_a_late_chunk_makes_the_whole_column_symbolic(tmp_path):
    cells = ["1", "1.0", "007", "?", "2", "2", "late", "1"]
    data = read(write(tmp_path, cells), target="class")
    values = data.schema.columns[0].values
    assert values == ("007", "1", "1.0", "2", "late")
    assert [values[int(code)] for code in data.X[:, 0] if code == code] == [
        cell for cell in cells if cell != "?"
    ]
    np.testing.assert_array_equal(data.X[:, 1], np.arange(8))


def test_symbols_of_a_late_chunk_are_sorted_in(tmp_path):
    data = read(write(tmp_path, "ddddcba"), target="class")
    assert data.schema.columns[0].values == ("a", "b", "c", "d")
    assert data.X[:, 0].tolist() == [3, 3, 3, 3, 2, 1, 0]


def test_infinity_in_an_early_chunk_is_a_symbol_if_text_follows(tmp_path):
    data = read(write(tmp_path, ["inf", "1", "2", "3", "x"]), target="class")
    assert data.schema.columns[0].kind == "symbolic"


def test_errors_in_a_late_chunk_name_their_line(tmp_path):
    path = write(tmp_path, ["1"] * 9 + ["inf"])
    with pytest.raises(DataError, match=r"a\.csv, line 11: column 'a' holds the infinite value"):
        read(path, target="class")
    path.write_text(path.read_text() + "1,2\n")
    with pytest.raises(DataError, match=r"a\.csv, line 12: 2 cells where 3 are expected"):
        read(path, target="class")


def test_wide_tables_are_read_in_chunks_of_few_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(gather, "CHUNK_CELLS", 1)
    assert read(write(tmp_path, range(3)), target="class").n_rows == 3


@pytest.mark.parametrize(
    ("cells", "position"), [(["1", "x"], 1), (["nan"], 0), (["1", "2", "1_0"], 2), ([""], 0)]
)
def test_the_first_text_among_numbers_is_found(cells, position):
    with pytest.raises(NotANumberError) as caught:
        parse_numbers(cells, frozenset("?"))
    assert caught.value.position == position


def test_numbers_as_python_writes_them():
    cells = ["1", " 2 ", "-3.5e-7", "?", "+4"]
    np.testing.assert_array_equal(parse_numbers(cells, frozenset("?")), [1, 2, -3.5e-7, np.nan, 4])
