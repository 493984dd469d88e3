from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from miter.data.labels import encode_labels, label_text, match_labels
from miter.errors import DataError


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["b", "a"], ("a", "b")),
        (np.array(["b", "a"]), ("a", "b")),
        (np.array(["b", "a"], dtype=object), ("a", "b")),
        (np.array([3, 1], np.int8), (1, 3)),
        (np.array([[3], [1]]), (1, 3)),
        ([np.int64(3), np.int64(1)], (1, 3)),
        (np.array([np.int64(3), 1], dtype=object), (1, 3)),
        ([True, False], (False, True)),
        ([2.5, 1.0], (1.0, 2.5)),
        (pd.Series(["b", "a"]), ("a", "b")),
        (pd.Series(["b", "a"], dtype="category"), ("a", "b")),
        (pd.Series([3, 1], dtype="Int64"), (1, 3)),
        (pl.Series(["b", "a"]), ("a", "b")),
        (pl.Series([3, 1]), (1, 3)),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ("a", "b")),
        (pa.chunked_array([["b"], ["a"]]), ("a", "b")),
        (pa.array(["b", "a"]).dictionary_encode(), ("a", "b")),
    ],
)
def test_classes_are_sorted_plain_values(y, classes):
    found, codes = encode_labels(y)
    assert found == classes
    assert [type(label) for label in found] == [type(label) for label in classes]
    assert codes.tolist() == [1, 0]
    assert codes.dtype == np.int32


@pytest.mark.parametrize(
    "y",
    [
        ["a", None],
        [1.0, np.nan],
        ["a", float("nan")],
        pd.Series(["a", pd.NA]),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["a", None], dtype="category"),
        pl.Series([1, None]),
        pa.array(["a", None]).dictionary_encode(),
    ],
)
def test_a_missing_label_is_named_by_its_row(y):
    with pytest.raises(DataError, match="the label of row 1 is missing"):
        encode_labels(y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", 1], "the labels mix numbers and texts"),
        ([True, "a"], "the labels mix booleans and texts"),
        ([date(2020, 1, 1)], "the labels are dates"),
        ([b"a"], "the labels are bytes objects"),
        ("abc", "y is the text 'abc'"),
        (np.zeros((3, 2)), r"y has the shape \(3, 2\)"),
    ],
)
def test_labels_that_cannot_be_used(y, message):
    with pytest.raises(DataError, match=message):
        encode_labels(y)


def test_labels_match_as_text():
    assert match_labels(["2", "1"], (1, 2)).tolist() == [1, 0]
    assert match_labels([2.0, 1.0], ("1", "2")).tolist() == [1, 0]
    assert match_labels([True], (False, True)).tolist() == [1]
    assert match_labels([None, None], ("None",)) is None
    assert label_text(2.0) == "2"


@pytest.mark.parametrize(("y", "shown"), [(["a", "c"], "'c'"), (["a", None], "missing")])
def test_labels_that_do_not_match(y, shown):
    with pytest.raises(DataError, match=f"the label of row 1 is {shown}; the classes are 'a', 'b'"):
        match_labels(y, ("a", "b"))
