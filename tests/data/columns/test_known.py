import numpy as np
import pyarrow as pa
import pytest

from miter.data import Column, encode_frame, from_frame
from miter.data.remarks import Remark
from miter.errors import DataError

NAN = float("nan")


def train(texts):
    return from_frame(pa.table({"a": pa.array(texts, pa.string())})).schema


def encode(schema, texts):
    remarks: list[Remark] = []
    frame = pa.table({"a": pa.array(texts, pa.string())})
    return encode_frame(frame, schema, remarks=remarks), [remark.sentence for remark in remarks]


def test_spellings_of_training_are_understood():
    matrix, said = encode(train(["1.234,5", "7,25"]), ["1,234", "2"])
    assert matrix.ravel().tolist() == [1.234, 2]
    assert said == []
    matrix, _ = encode(train(["$5", "$1,200"]), ["$3", "4"])
    assert matrix.ravel().tolist() == [3, 4]


def test_the_order_of_day_and_month_is_that_of_training():
    schema = train(["25/3/2020", "1/4/2020"])
    matrix, _ = encode(schema, ["2/3/2020"])
    assert schema.columns[0].say(matrix[0, 0]) == "2020-03-02"


def test_other_spellings_of_yes_and_no():
    matrix, said = encode(train(["no", "yes"]), ["Y", "FALSE", "maybe"])
    np.testing.assert_array_equal(matrix.ravel(), [1, 0, NAN])
    assert said == ["1 cell holds a value that training never saw, 'maybe'; it is missing"]


def test_unseen_values_are_counted_and_named():
    _, said = encode(train(["a", "b"]), ["c", "d", "c", "e", "f", "a"])
    assert said == [
        "5 cells hold 4 values that training never saw, 'c', 'd', 'e', ...; they are missing"
    ]


def test_a_few_odd_cells_are_missing_and_many_are_refused():
    schema = train(["1", "2"])
    matrix, said = encode(schema, ["1"] * 39 + ["x"])
    assert np.isnan(matrix[39, 0])
    assert said == ["1 of 40 cells is no number, the first 'x' in row 39; taken as missing"]
    with pytest.raises(DataError, match="column 'a' holds the text 'x' in row 1; clean it"):
        encode(schema, ["1", "x"])
    with pytest.raises(DataError, match="holds the text '5%'"):
        encode(schema, ["5%"])


def test_dates_where_training_had_none():
    frame = pa.table({"a": pa.array([0], pa.date32())})
    with pytest.raises(DataError, match="holds dates, but held numbers"):
        encode_frame(frame, train(["1", "2"]))
    with pytest.raises(DataError, match="holds no dates, but did in training"):
        encode_frame(pa.table({"a": [1]}), train(["2020-01-01", "2020-01-02"]))


def test_all_absent_columns_are_named_at_once():
    schema = from_frame(pa.table({"a": [1], "b": [2], "c": [3]})).schema
    with pytest.raises(DataError, match="lacks 2 columns: 'a', 'c'"):
        encode_frame(pa.table({"b": [1]}), schema)


def test_a_known_column_says_itself():
    assert Column("a", "numeric").say(0.5) == "0.5"
