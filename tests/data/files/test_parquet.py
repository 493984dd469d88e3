import gzip

import numpy as np
import pandas as pd
import pytest

from miter.data import Column, read
from miter.data.files.blocks import read_blocks
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


def test_fields_of_objects_are_columns(tmp_path):
    objects = [{"speed": speed, "from": {"side": side}} for speed, side in [(3, "N"), (9, "S")] * 9]
    frame = pd.DataFrame({"wind": objects, "play": [1, 2] * 9})
    path = write(tmp_path, frame)
    data = read(path, target="play")
    assert data.schema.names == ("wind.speed", "wind.from.side")
    assert data.X[:2].tolist() == [[3, 0], [9, 1]]
    [block] = read_blocks(path, data.schema, keep=["wind.speed"])
    np.testing.assert_array_equal(block.data.X, data.X)
    assert block.kept["wind.speed"].to_pylist() == [3, 9] * 9
