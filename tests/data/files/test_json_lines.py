import json

import numpy as np
import pytest

from miter.data import read
from miter.errors import DataError

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


@pytest.mark.parametrize("odd", [0, "n/a"])
def test_fields_of_objects_are_columns(tmp_path, odd):
    """As Arrow reads them, and as Python does where a column has cells of several types."""
    rows = [{"user": {"age": i, "at": {"city": "Rome"}}, "class": i % 2} for i in range(1, 40)]
    rows.append({"user": {"age": odd}, "class": 0})
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    data = read(tmp_path / "a.jsonl", target="class")
    assert data.schema.names == ("user.age", "user.at.city")
    assert data.X[0].tolist() == [1, 0]
    np.testing.assert_array_equal(data.X[-1], [np.nan if odd else 0, np.nan])


def test_lists_are_refused(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"tags": ["a", "b"], "class": 1}\n')
    with pytest.raises(DataError, match=r"'tags' holds nested cells.*kinds=\{'tags': 'ignored'\}"):
        read(tmp_path / "a.jsonl", target="class")


def test_the_line_of_a_row_is_told(tmp_path):
    """Also where lines are blank."""
    lines = [json.dumps({"a": i, "class": "uv"[i % 2]}) for i in range(40)]
    lines[30] = '{"a": "much", "class": "u"}'
    (tmp_path / "a.jsonl").write_text("\n\n".join(lines))
    [remark] = read(tmp_path / "a.jsonl", target="class").reading.changes
    assert "'much' in row 61;" in remark.sentence
