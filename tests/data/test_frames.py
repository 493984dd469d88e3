import subprocess
import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from miter.data import Column, Schema, encode_frame, from_frame
from miter.errors import DataError

NAN = float("nan")


def check(frame, kind, values, expected, **arguments):
    """Read a frame of one column, and encode it again under the schema found."""
    data = from_frame(frame, **arguments)
    (column,) = data.schema.columns
    assert (column.kind, column.values) == (kind, values)
    np.testing.assert_array_equal(data.X[:, 0], expected)
    np.testing.assert_array_equal(encode_frame(frame, data.schema), data.X)


NUMBERS = {
    "pandas int": pd.DataFrame({"a": [1, 2, 3]}),
    "pandas uint8": pd.DataFrame({"a": pd.Series([1, 2, 3], dtype="uint8")}),
    "pandas sparse": pd.DataFrame({"a": pd.arrays.SparseArray([1.0, 2, 3])}),
    "polars": pl.DataFrame({"a": [1, 2, 3]}),
    "arrow": pa.table({"a": [1, 2, 3]}),
    "arrow half": pa.table({"a": pa.array(np.array([1, 2, 3], np.float16))}),
    "array": np.array([[1], [2], [3]]),
    "list": [[1], [2], [3]],
    "objects": np.array([[1], [2.0], [Decimal(3)]], dtype=object),
    "decimal": pl.DataFrame({"a": pl.Series(["1", "2", "3"]).cast(pl.Decimal(10, 2))}),
    "big endian": np.array([[1], [2], [3]], ">f8"),
}


@pytest.mark.parametrize("frame", NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_numeric(frame):
    check(frame, "numeric", (), [1, 2, 3])


NUMBERS_WITH_NULLS = {
    "pandas float": pd.DataFrame({"a": [1, NAN, 3]}),
    "pandas Int64": pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64")}),
    "pandas Float64": pd.DataFrame({"a": pd.array([1, None, 3], dtype="Float64")}),
    "pandas arrow": pd.DataFrame({"a": pd.array([1, None, 3], dtype="int64[pyarrow]")}),
    "pandas object": pd.DataFrame({"a": pd.Series([1, None, 3], dtype=object)}),
    "pandas NA": pd.DataFrame({"a": pd.Series([1, pd.NA, 3], dtype=object)}),
    "polars": pl.DataFrame({"a": [1, None, 3]}),
    "polars nan": pl.DataFrame({"a": [1.0, NAN, 3.0]}),
    "arrow": pa.table({"a": [1, None, 3]}),
    "masked": np.ma.masked_equal([[1], [2], [3]], 2),
}


@pytest.mark.parametrize("frame", NUMBERS_WITH_NULLS.values(), ids=NUMBERS_WITH_NULLS)
def test_nulls_among_numbers_are_missing(frame):
    check(frame, "numeric", (), [1, NAN, 3])


BOOLEANS = {
    "pandas": pd.DataFrame({"a": pd.array([True, None, False], dtype="boolean")}),
    "pandas object": pd.DataFrame({"a": pd.Series([True, None, False], dtype=object)}),
    "pandas arrow": pd.DataFrame({"a": pd.array([True, None, False], dtype="bool[pyarrow]")}),
    "polars": pl.DataFrame({"a": [True, None, False]}),
    "arrow": pa.table({"a": [True, None, False]}),
}


@pytest.mark.parametrize("frame", BOOLEANS.values(), ids=BOOLEANS)
def test_booleans_are_symbolic(frame):
    check(frame, "symbolic", ("False", "True"), [1, NAN, 0])


def test_arrays_of_booleans_are_symbolic():
    check(np.array([[True], [False]]), "symbolic", ("False", "True"), [1, 0])


TEXTS = {
    "pandas": pd.DataFrame({"a": ["b", None, "a"]}),
    "pandas object": pd.DataFrame({"a": pd.Series(["b", NAN, "a"], dtype=object)}),
    "pandas string": pd.DataFrame({"a": pd.array(["b", None, "a"], dtype="string")}),
    "pandas arrow": pd.DataFrame({"a": pd.array(["b", None, "a"], dtype="string[pyarrow]")}),
    "polars": pl.DataFrame({"a": ["b", None, "a"]}),
    "arrow": pa.table({"a": ["b", None, "a"]}),
    "arrow view": pa.table({"a": pa.array(["b", None, "a"], pa.string_view())}),
    "objects": np.array([["b"], [None], ["a"]], dtype=object),
    "list": [["b"], [None], ["a"]],
}


@pytest.mark.parametrize("frame", TEXTS.values(), ids=TEXTS)
def test_texts_are_symbolic_with_sorted_values(frame):
    check(frame, "symbolic", ("a", "b"), [1, NAN, 0])


def test_numbers_among_texts_become_texts():
    check(np.array([["b"], [1.0], [2.5]], dtype=object), "symbolic", ("1", "2.5", "b"), [2, 0, 1])


CATEGORIES = ["z", "y", "x"]


def categorical(ordered):
    return pd.Categorical(["x", None, "z"], categories=CATEGORIES, ordered=ordered)


def dictionary(ordered):
    codes = pa.array([2, None, 0])
    return pa.DictionaryArray.from_arrays(codes, pa.array(CATEGORIES), ordered=ordered)


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pd.DataFrame({"a": categorical(ordered=False)}), "symbolic"),
        (pd.DataFrame({"a": categorical(ordered=True)}), "ordered"),
        (pa.table({"a": dictionary(ordered=False)}), "symbolic"),
        (pa.table({"a": dictionary(ordered=True)}), "ordered"),
        (pl.DataFrame({"a": pl.Series(["x", None, "z"], dtype=pl.Enum(CATEGORIES))}), "ordered"),
    ],
)
def test_categories_keep_their_order(frame, kind):
    check(frame, kind, ("z", "y", "x"), [2, NAN, 0])


def test_a_polars_categorical_knows_only_its_own_categories():
    _ = pl.Series(["foreign"], dtype=pl.Categorical)
    frame = pl.DataFrame({"a": pl.Series(["y", "x"], dtype=pl.Categorical)})
    assert set(from_frame(frame).schema.columns[0].values) == {"x", "y"}


def test_a_polars_categorical_that_shares_its_list_with_another():
    both = pl.DataFrame({"a": ["q", "r", None, "y"], "b": ["y", None, "x", "q"]})
    frame = both.cast(pl.Categorical)
    for name in "ab":
        data = from_frame(frame.select(name))
        column = data.schema.columns[0]
        cells = [None if code != code else column.values[int(code)] for code in data.X[:, 0]]
        assert cells == both[name].to_list()
        assert {*column.values} == {*both[name].drop_nulls()}


def test_categories_that_are_no_texts():
    check(pd.DataFrame({"a": pd.Categorical([3, 1, 3])}), "symbolic", ("1", "3"), [1, 0, 1])
    bins = pd.DataFrame({"a": pd.cut([1.0, 3.0], [0, 2, 4])})
    check(bins, "ordered", ("(0, 2]", "(2, 4]"), [0, 1])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [None, None]}),
        pl.DataFrame({"a": [None, None]}),
        pa.table({"a": pa.nulls(2)}),
        np.array([[None], [None]], dtype=object),
    ],
)
def test_a_column_of_nulls_is_numeric(frame):
    check(frame, "numeric", (), [NAN, NAN])


UNUSABLE = {
    "nested cells": pl.DataFrame({"a": [[1]]}),
    "nested cells ": pl.DataFrame({"a": [{"b": 1}]}),
    "list objects": pd.DataFrame({"a": [[1]]}),
    "bytes": np.array([[b"x"]]),
    "bytes objects": pl.DataFrame({"a": [b"x"]}),
    "Complex data not supported": np.array([[1j]]),
    "Period objects": pd.DataFrame({"a": pd.period_range("2020", periods=1)}),
}


@pytest.mark.parametrize(("what", "frame"), UNUSABLE.items())
def test_cells_of_no_kind(what, frame):
    name = "x0" if isinstance(frame, np.ndarray) else "a"
    with pytest.raises(DataError, match=rf"column '{name}' holds .*{what.strip()}.*'ignored'"):
        from_frame(frame)


DAYS = [date(2020, 3, 1), None, date(2021, 1, 2)]
MOMENTS = [datetime(2020, 3, 1, 6), None, datetime(2021, 1, 2, 12)]

DATES = {
    "pandas": pd.DataFrame({"a": pd.to_datetime(["2020-03-01", None, "2021-01-02"])}),
    "pandas object": pd.DataFrame({"a": pd.Series(DAYS, dtype=object)}),
    "pandas text": pd.DataFrame({"a": ["2020-03-01", None, "2021-01-02"]}),
    "polars": pl.DataFrame({"a": DAYS}),
    "arrow": pa.table({"a": DAYS}),
    "arrow 64": pa.table({"a": pa.array(DAYS, pa.date64())}),
    "array": np.array([["2020-03-01"], ["NaT"], ["2021-01-02"]], "M8[D]"),
}


@pytest.mark.parametrize("frame", DATES.values(), ids=DATES)
def test_dates_become_a_number_and_their_parts(frame):
    data = from_frame(frame)
    name = data.schema.columns[0].name
    parts = [f"{name}.{part}" for part in ("year", "month", "weekday")]
    assert data.schema.names == (name, *parts)
    assert data.schema.sources == (name,)
    np.testing.assert_array_equal(data.X, [[18322, 2020, 2, 6], [NAN] * 4, [18629, 2021, 0, 5]])
    said = [column.say(cell) for column, cell in zip(data.schema.columns, data.X[0], strict=True)]
    assert said == ["2020-03-01", "2020", "March", "Sunday"]
    np.testing.assert_array_equal(encode_frame(frame, data.schema), data.X)
    assert [remark.about for remark in data.reading.changes] == ["dates"]


ZONED = pd.DataFrame({"a": pd.to_datetime(MOMENTS).tz_localize("Europe/Berlin")})


@pytest.mark.parametrize(
    ("frame", "hour"),
    [
        (pd.DataFrame({"a": MOMENTS}), 6),
        (pl.DataFrame({"a": MOMENTS}), 6),
        (pa.table({"a": MOMENTS}), 6),
        (ZONED, 5),
        (pl.DataFrame({"a": MOMENTS}).select(pl.col("a").dt.replace_time_zone("CET")), 5),
        (pd.DataFrame({"a": ["2020-03-01T06:00+01:00", None, "2021-01-02T12:00+01:00"]}), 5),
    ],
)
def test_moments_have_an_hour_and_zones_are_taken_in_utc(frame, hour):
    data = from_frame(frame)
    assert data.schema.columns[-1].name == "a.hour"
    assert data.X[0, -1] == hour
    assert data.schema.columns[0].say(data.X[0, 0]) == f"2020-03-01 0{hour}:00"
    assert ("UTC" in data.reading.remarks[0].sentence) == (hour == 5)
    np.testing.assert_array_equal(encode_frame(frame, data.schema), data.X)


DURATIONS = {
    "pandas": pd.DataFrame({"a": pd.to_timedelta([90, None, 60], unit="s")}),
    "polars": pl.DataFrame({"a": [timedelta(seconds=90), None, timedelta(seconds=60)]}),
    "polars time": pl.DataFrame({"a": [time(0, 1, 30), None, time(0, 1)]}),
    "objects": np.array([[timedelta(seconds=90)], [None], [timedelta(seconds=60)]], dtype=object),
    "times": np.array([[time(0, 1, 30)], [None], [time(0, 1)]], dtype=object),
    "texts": pd.DataFrame({"a": ["0:01:30", None, "1 min"]}),
}


@pytest.mark.parametrize("frame", DURATIONS.values(), ids=DURATIONS)
def test_durations_are_seconds(frame):
    check(frame, "numeric", (), [90, NAN, 60])
    assert from_frame(frame).schema.columns[0].say(90) == "0:01:30"


def test_days_since_another_column():
    frame = pd.DataFrame({"out": ["2020-03-05", "2020-03-01"], "in": ["2020-03-01", "2020-02-29"]})
    data = from_frame(frame, kinds={"out": "days since in"})
    position = data.schema.names.index("out since in")
    assert data.X[:, position].tolist() == [4, 1]
    np.testing.assert_array_equal(encode_frame(frame, data.schema), data.X)
    with pytest.raises(DataError, match="no such column; did you mean 'in'"):
        from_frame(frame, kinds={"out": "days since inn"})
    with pytest.raises(DataError, match="'n' holds no dates"):
        from_frame(frame.assign(n=1), kinds={"out": "days since n"})


def lazy(frame):
    return pl.DataFrame(frame).lazy()


def relation(frame):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.from_arrow(pa.table(frame))


def stream(frame):
    return pa.table(frame).to_reader()


@pytest.mark.parametrize("library", [lazy, relation, stream])
def test_lazy_frames_relations_and_streams_are_read(library):
    frame = {"a": [1.5, None], "b": ["x", "y"]}
    data = from_frame(library(frame))
    np.testing.assert_array_equal(data.X, [[1.5, 0], [NAN, 1]])
    np.testing.assert_array_equal(encode_frame(library(frame), data.schema), data.X)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, lazy])
def test_the_target_may_be_a_column(library):
    data = from_frame(library({"a": [1, 2], "y": ["u", "v"]}), target="y")
    assert data.schema.names == ("a",)
    assert data.schema.classes == ("u", "v")
    assert data.y.tolist() == [0, 1]
    with pytest.raises(DataError, match="no column 'z' for the class; known are 'a', 'y'"):
        from_frame(library({"a": [1, 2], "y": ["u", "v"]}), target="z")


def test_an_unusable_column_may_be_ignored():
    frame = pd.DataFrame({"when": [[2020, 1]], "a": [1]})
    schema = from_frame(frame, kinds={"when": "ignored"}).schema
    assert schema.names == ("a",)
    assert schema.ignored == ("when",)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float_arrays_are_not_copied(dtype):
    X = np.array([[1, 2], [3, NAN]], dtype)
    data = from_frame(X, ["a", "b"])
    assert np.shares_memory(data.X, X)
    assert data.X.dtype == dtype
    assert np.shares_memory(encode_frame(X, data.schema), X)
    assert data.schema.names == ("x0", "x1")


def test_float32_frames_stay_float32():
    frame = pl.DataFrame({"a": [1.5], "b": ["x"]}, schema_overrides={"a": pl.Float32})
    assert from_frame(frame).X.dtype == np.float32
    assert from_frame(frame.with_columns(c=1)).X.dtype == np.float64


def test_numbers_declared_symbolic_sort_as_numbers():
    check(
        pd.DataFrame({"zip": [10.0, 9.0, NAN, 9.5]}),
        "symbolic",
        ("9", "9.5", "10"),
        [2, 0, NAN, 1],
        kinds={"zip": "symbolic"},
    )


def test_numbers_declared_ordered():
    check(np.array([[3], [1]]), "ordered", ("1", "3"), [1, 0], kinds={0: "ordered"})


def test_texts_declared_numeric():
    check(
        pd.DataFrame({"a": ["3", None, "1.5"]}),
        "numeric",
        (),
        [3, NAN, 1.5],
        kinds={"a": "numeric"},
    )


def test_text_that_is_no_number():
    frame = pd.DataFrame({"age": ["3"] * 17 + ["12 y"]})
    message = "column 'age' holds the text '12 y' in row 17; give its kind as symbolic, or clean it"
    with pytest.raises(DataError, match=f"^{message}$"):
        from_frame(frame, kinds={"age": "numeric"})


@pytest.mark.parametrize(
    "frame",
    [
        np.array([[0, 1], [2, -np.inf]]),
        np.array([[0, 1], [2, -np.inf]], dtype=object),
        pd.DataFrame({"x0": [0, 1], "x1": [2, -np.inf]}),
    ],
)
def test_infinite_values(frame):
    with pytest.raises(DataError, match="column 'x1' holds the infinite value -inf in row 1"):
        from_frame(frame)
    schema = Schema((Column("x0", "numeric"), Column("x1", "numeric")))
    with pytest.raises(DataError, match="column 'x1' holds the infinite value -inf in row 1"):
        encode_frame(frame, schema)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns are called 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "two columns are called '1'"),
        (pa.table([[1], [2]], names=["a", "a"]), "two columns are called 'a'"),
        (np.zeros((0, 2)), "no rows"),
        (np.zeros((2, 0)), "no columns"),
        (pd.DataFrame({"a": []}), "no rows"),
        (np.zeros(3), r"shape \(3,\); give two dimensions"),
        (pd.Series([1, 2]), "two dimensions"),
        (None, "two dimensions"),
        ([[1, 2], [3]], "differ in length"),
        (csr_matrix(np.eye(2)), "sparse matrix.*toarray"),
    ],
)
def test_tables_that_cannot_be_used(frame, message):
    with pytest.raises(DataError, match=message):
        from_frame(frame)


def test_every_column_ignored():
    with pytest.raises(DataError, match="ignores every column"):
        from_frame(np.zeros((2, 1)), kinds={0: "ignored"})


def test_labels_and_weights():
    data = from_frame(np.zeros((2, 1)), ["b", "a"], target="answer", weight=[1, 0.5])
    assert data.schema.classes == ("a", "b")
    assert data.schema.target == "answer"
    assert data.y.tolist() == [1, 0]
    assert data.weight.tolist() == [1, 0.5]
    assert from_frame(np.zeros((2, 1))).y is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [1]}, "y has 1 labels for 2 rows"),
        ({"weight": [1]}, r"shape \(1,\) for 2 rows"),
        ({"weight": [1, -2]}, "the weight of row 1 is -2"),
        ({"weight": [1, NAN]}, "the weight of row 1 is nan"),
        ({"weight": ["x", 1]}, "not all numbers"),
    ],
)
def test_labels_and_weights_that_do_not_fit(arguments, message):
    with pytest.raises(DataError, match=message):
        from_frame(np.zeros((2, 1)), **arguments)


WEATHER = Schema(
    (Column("wind", "symbolic", ("Weak", "Strong")), Column("humidity", "numeric")), ("no", "yes")
)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_rows_to_predict_are_matched_by_name(library):
    frame = library(
        {"humidity": [80, 70, None], "extra": ["?", "?", "?"], "wind": ["Gale", "Strong", None]}
    )
    np.testing.assert_array_equal(encode_frame(frame, WEATHER), [[NAN, 80], [1, 70], [NAN, NAN]])


def test_an_absent_column_is_named():
    with pytest.raises(DataError, match="no column 'wind'; did you mean 'winds'"):
        encode_frame(pd.DataFrame({"humidity": [1], "winds": [1]}), WEATHER)
    with pytest.raises(DataError, match="no column 'wind'; known are 'humidity'"):
        encode_frame(pd.DataFrame({"humidity": [1]}), WEATHER)


def test_rows_to_predict_of_an_array_are_matched_by_position():
    rows = np.array([["Strong", 80], ["Gale", 70]], dtype=object)
    np.testing.assert_array_equal(encode_frame(rows, WEATHER), [[1, 80], [NAN, 70]])
    with pytest.raises(DataError, match="X has 3 columns, but the model was trained on 2: wind"):
        encode_frame(np.zeros((1, 3)), WEATHER)


def test_text_where_the_model_has_numbers():
    with pytest.raises(DataError, match="column 'humidity' holds the text 'wet' in row 0"):
        encode_frame(pd.DataFrame({"humidity": ["wet"], "wind": ["Weak"]}), WEATHER)


def test_an_ignored_column_of_an_array_stays_ignored():
    X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    schema = from_frame(X, kinds={1: "ignored"}).schema
    assert schema.names == ("x0", "x2")
    assert encode_frame(X, schema).tolist() == [[1, 3], [4, 6]]
    assert encode_frame(X[:, [0, 2]], schema).tolist() == [[1, 3], [4, 6]]


def test_columns_called_by_numbers():
    frame = pd.DataFrame([[1, "a"]])
    data = from_frame(frame, kinds={0: "symbolic"})
    assert data.schema.columns == (
        Column("0", "symbolic", ("1",)),
        Column("1", "symbolic", ("a",)),
    )
    np.testing.assert_array_equal(encode_frame(frame, data.schema), data.X)


# An infinite number is refused, however it is written.
words = st.text(max_size=3).filter(lambda word: word.strip().lower() != "inf")
columns = st.one_of(
    st.lists(st.one_of(st.none(), words), min_size=3, max_size=3),
    st.lists(
        st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=3,
        max_size=3,
    ),
    st.lists(st.one_of(st.none(), st.booleans()), min_size=3, max_size=3),
)


@given(st.lists(columns, min_size=1, max_size=4))
def test_all_libraries_agree(table):
    cells = {f"c{i}": column for i, column in enumerate(table)}
    frames = [pd.DataFrame(cells, dtype=object), pl.DataFrame(cells), pa.table(cells)]
    first, *others = [from_frame(frame) for frame in frames]
    for other in others:
        assert other.schema == first.schema
        np.testing.assert_array_equal(other.X, first.X)


def test_no_frame_library_is_imported_until_a_frame_comes():
    program = (
        "import sys, numpy, miter.data; miter.data.from_frame(numpy.eye(2));"
        "print(sorted({'narwhals', 'pandas', 'polars', 'pyarrow'} & set(sys.modules)))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == "[]"
