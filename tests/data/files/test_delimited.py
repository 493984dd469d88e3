import csv
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data import Column, read
from miter.data.columns.words import MISSING_WORDS
from miter.data.files import dialect, pieces
from miter.errors import DataError

WEATHER = "wind,humidity,play\nWeak,85,no\nStrong,?,yes\nWeak,70.5,yes\n"


def write(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_kinds_are_inferred(tmp_path):
    data = read(write(tmp_path, WEATHER), target="play")
    assert data.schema.columns == (
        Column("wind", "symbolic", ("Strong", "Weak")),
        Column("humidity", "numeric"),
    )
    assert data.schema.classes == ("no", "yes")
    assert data.schema.target == "play"
    np.testing.assert_array_equal(data.X, [[1, 85], [0, np.nan], [1, 70.5]])
    assert data.y.tolist() == [0, 1, 1]


def test_tabs(tmp_path):
    data = read(write(tmp_path, WEATHER.replace(",", "\t"), "a.tsv"), target="play")
    np.testing.assert_array_equal(data.X, [[1, 85], [0, np.nan], [1, 70.5]])


def test_the_target_may_stand_anywhere(tmp_path):
    data = read(write(tmp_path, WEATHER), target="wind")
    assert data.schema.names == ("humidity", "play")
    assert data.schema.classes == ("Strong", "Weak")


@pytest.mark.parametrize("word", ["", "?", "NA", "NaN", "nan", "null", "  "])
def test_words_that_mean_missing(tmp_path, word):
    data = read(write(tmp_path, f"a,b,class\n1,x,u\n{word},{word},v\n"), target="class")
    assert np.isnan(data.X[1]).all()
    assert [column.kind for column in data.schema.columns] == ["numeric", "symbolic"]


def test_a_column_without_cells_is_numeric(tmp_path):
    data = read(write(tmp_path, "a,class\n?,u\n,v\n"), target="class")
    assert data.schema.columns == (Column("a", "numeric"),)


def test_quotes_line_ends_blank_lines_and_byte_order_mark(tmp_path):
    text = '\ufeff"a, b", c,class\r\n"x ""y""\r\nz", 1 ,u\r\n\r\n  \r\nw, 2,v'
    data = read(write(tmp_path, text), target="class")
    assert data.schema.columns[0] == Column("a, b", "symbolic", ("w", 'x "y"\r\nz'))
    assert data.X.tolist() == [[1, 1], [0, 2]]


def test_kinds_given(tmp_path):
    text = "zip,size,id,class\n10,S,1,u\n9,L,2,v\n"
    data = read(
        write(tmp_path, text),
        target="class",
        kinds={"zip": "symbolic", "size": ["S", "M", "L"], "id": "ignored"},
    )
    assert data.schema.columns == (
        Column("zip", "symbolic", ("9", "10")),
        Column("size", "ordered", ("S", "M", "L")),
    )
    assert data.schema.ignored == ("id",)
    assert data.X.tolist() == [[1, 0], [0, 2]]


@pytest.mark.parametrize(
    ("one", "other", "classes"),
    [("10", "9", (9, 10)), ("True", "False", (False, True)), ("01", "2", ("01", "2"))],
)
def test_labels_have_the_type_that_a_frame_would_give_them(tmp_path, one, other, classes):
    data = read(write(tmp_path, f"a,class\n1,{one}\n2,{other}\n"), target="class")
    assert data.schema.classes == classes
    assert list(map(type, data.schema.classes)) == list(map(type, classes))


ERRORS = {
    "": r"a\.csv is empty",
    "a,b,class\n": r"a\.csv has no rows",
    "a,class,class\n1,2,u\n": "two columns are called 'class'",
    "a,b,class\n1,2,u\n\n1,u\n": "line 4: 2 cells where 3 are expected, 'a' to 'class'",
    'a,b,class\n"1\n",2,u\n1,2,u,3\n': "line 4: 4 cells where 3",
    "a,b,class\n1,2,u\n2,inf,v\n": "line 3: column 'b' holds the infinite value 'inf'",
    "a,b,class\n1,2,u\n2,1e999,v\n": "line 3: column 'b' holds the infinite value '1e999'",
    "a,b,class\n1,2,u\n2,3,\n": "line 3: the class 'class' is missing",
    'a,b,class\n1,2,u\n2,"3,v\n': "line 3: the record that begins here cannot be read",
    'a,b,class\n1,2,u\n2,"3"x,v\n': "line 3: the record that begins here cannot be read",
    '"a,b,class\n1,2,u\n': "line 1: the record that begins here cannot be read",
    b"a,b,class\n1,2,u\n\x81,3,v\n": "line 3: the byte 0x81 is neither UTF-8 nor Windows-1252",
    "a,b;c,class\n1,2;u\n1;2;3\n4,5,6,7\n": r"fits no dialect: separated by \w+, record 3",
}


@pytest.mark.parametrize(("text", "message"), ERRORS.items())
def test_files_that_cannot_be_read(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, text), target="class")


PLAIN = "wind,speed,play\nWeak,1.5,no\nStrong,?,yes\nWeak,7.25,yes\n"
SEMICOLONS = PLAIN.replace(",", ";").replace(".", ",")
NO_HEADER = PLAIN.split("\n", 1)[1]
PLACES = PLAIN.replace("Weak", "Zürich")

DIALECTS = {
    "semicolons": (SEMICOLONS, "separated by semicolons, with decimal commas"),
    "tabs": (PLAIN.replace(",", "\t"), "separated by tabs"),
    "bars": (PLAIN.replace(",", "|"), "separated by bars"),
    "spaces": (PLAIN.replace(",", "  "), "separated by spaces"),
    "mark": ("\ufeff" + PLAIN, ""),
    "UTF-16": (PLACES.encode("utf-16"), "in UTF-16"),
    "UTF-16 without a mark": (PLACES.encode("utf-16-be"), "in UTF-16"),
    "Windows-1252": (PLACES.encode("cp1252"), "in Windows-1252"),
    "carriage returns": (PLAIN.replace("\n", "\r"), ""),
    "mixed line ends": (PLAIN.replace("\n", "\r\n", 2), ""),
    "blank lines": (PLAIN.replace("\n", "\n\n  \n"), ""),
    "blank line first": ("  \n" + PLAIN, ""),
    "quotes": (PLAIN.replace("Weak", '"Weak"'), ""),
    "quotes after a space": (PLAIN.replace("Weak,1.5", ' "Weak", "1.5"'), ""),
    "thousands in quotes": (PLAIN.replace("7.25", '"7,250.5"'), ""),
}


@pytest.mark.parametrize(("text", "said"), DIALECTS.values(), ids=DIALECTS)
def test_dialects_are_found(tmp_path, text, said):
    data = read(write(tmp_path, text), target="play")
    assert data.schema.names == ("wind", "speed")
    assert data.schema.columns[1].kind == "numeric"
    assert data.X[:, 0].tolist() in ([1, 0, 1], [0, 1, 0])
    assert data.X[0, 1] == 1.5
    assert np.isnan(data.X[1, 1])
    assert data.reading.dialect == said
    again = read(write(tmp_path, text), schema=data.schema)
    np.testing.assert_array_equal(again.X, data.X)
    assert again.y.tolist() == data.y.tolist()


def test_a_missing_header(tmp_path):
    data = read(write(tmp_path, NO_HEADER), target="column 3")
    assert data.schema.names == ("column 1", "column 2")
    assert data.reading.dialect.startswith("without a header")
    assert data.n_rows == 3


def test_what_is_said_of_the_dialect_is_not_questioned(tmp_path):
    path = write(tmp_path, "a;b;class\n1,234;2.000;u\n5,678;3.000;v\n")
    data = read(path, target="class")
    assert data.X.tolist() == [[1234, 2], [5678, 3]] or data.X[0, 0] in (1.234, 1234)
    assert read(path, target="class", decimal=",").X.tolist() == [[1.234, 2000], [5.678, 3000]]
    assert read(path, target="class", decimal=".").X.tolist() == [[1234, 2], [5678, 3]]
    data = read(path, target="column 3", header=False)
    assert data.n_rows == 3
    data = read(write(tmp_path, "1 2,class\n3 4,u\n"), target="2,class", separator=" ")
    assert data.schema.names == ("1",)
    data = read(write(tmp_path, PLACES.encode("latin-1")), target="play", encoding="latin-1")
    assert "Zürich" in data.schema.columns[0].values


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"separator": ";;"}, "separator is ';;'; give one character"),
        ({"decimal": "x"}, "decimal is 'x'; give '.' or ','"),
        ({"decimal": ",", "separator": ","}, "both ','"),
        ({"encoding": "klingon"}, "encoding is 'klingon', which is not known"),
        ({"encoding": "utf-16"}, "is not utf-16"),
        ({"missing": [-999]}, "missing has -999 among its texts; write '-999'"),
    ],
)
def test_dialects_that_cannot_be(tmp_path, arguments, message):
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, PLAIN), target="play", **arguments)


def test_a_column_without_a_name_is_numbered_and_said(tmp_path):
    text = ",b,class\n" + "".join(f"{i},{i % 7 / 2},{'uv'[i % 2]}\n" for i in range(40))
    data = read(write(tmp_path, text), target="class")
    assert data.schema.names == ("b",)
    assert data.schema.ignored == ("column 1",)
    assert [remark.about for remark in data.reading.changes] == ["header", "left out"]
    kept = read(write(tmp_path, text), target="class", kinds={"column 1": "numeric"})
    assert kept.schema.names == ("column 1", "b")


def test_words_that_are_said_to_mean_missing(tmp_path):
    text = "a,class\n-999,u\n1,v\nunknown,u\n"
    data = read(write(tmp_path, text), target="class", missing=["-999", "unknown"])
    np.testing.assert_array_equal(data.X[:, 0], [np.nan, 1, np.nan])


def test_one_odd_cell_is_missing_and_said(tmp_path):
    cells = [str(1000 + i) for i in range(200)]
    text = "income,class\n" + "".join(f"{cell},{'uv'[i % 2]}\n" for i, cell in enumerate(cells))
    data = read(write(tmp_path, text.replace("1007,", "n.a.,")), target="class")
    assert data.schema.columns[0].kind == "numeric"
    assert np.flatnonzero(np.isnan(data.X[:, 0])).tolist() == [7]
    (remark,) = data.reading.changes
    assert remark.sentence == "1 of 200 cells is no number: 'n.a.' in line 9; it is missing"
    assert remark.say(command_line=True).endswith(
        "--kind income=symbolic takes all cells as symbols"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_many_pieces_make_one_table(tmp_path, monkeypatch, size, end):
    monkeypatch.setattr(pieces, "PIECE_BYTES", size)
    rows = [f"{i / 4},{'name' * (i % 5)}{i % 3},{'uv'[i % 2]}" for i in range(100)]
    path = write(tmp_path, end.join(["a,b,class", *rows]))
    data = read(path, target="class")
    assert data.X[:, 0].tolist() == [i / 4 for i in range(100)]
    values = data.schema.columns[1].values
    assert [values[int(code)] for code in data.X[:, 1]] == [r.split(",")[1] for r in rows]
    assert data.y.tolist() == [i % 2 for i in range(100)]
    path = write(tmp_path, end.join(["a,b,class", *rows, "1,2", *rows]))
    with pytest.raises(DataError, match="line 102: 2 cells where 3 are expected"):
        read(path, target="class")


def test_an_odd_cell_far_down_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(dialect, "SAMPLE_ROWS", 10)
    text = "a,class\n" + "".join(f"{i / 2},{'uv'[i % 2]}\n" for i in range(100))
    data = read(write(tmp_path, text + "oops,u\n"), target="class")
    assert data.schema.columns[0].kind == "numeric"
    assert "'oops' in line 102" in data.reading.changes[0].sentence


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "which column of .* holds the class.*'wind', 'humidity', 'play'"),
        ({"target": "pay"}, r"no column 'pay' .*did you mean 'play'\? The columns are 'wind'"),
        ({"target": "xyz"}, "no column 'xyz' for the class; known are 'wind'"),
        ({"target": "play", "kinds": {"wint": "ignored"}}, "did you mean 'wind'"),
        ({"target": "play", "kinds": {"play": "ignored"}}, "unknown column 'play'"),
        (
            {"target": "play", "kinds": {"wind": "numeric"}},
            "line 2: column 'wind' holds the text 'Weak'; give its kind as symbolic, or clean it",
        ),
        (
            {"target": "play", "kinds": {"wind": ["Weak"]}},
            "line 3: column 'wind' holds the text 'Strong'; it is not among its values, 'Weak'",
        ),
        ({"target": "play", "kinds": {"wind": ["Weak", "NA"]}}, "'NA', which means missing"),
        (
            {"target": "play", "kinds": {"wind": "ordered"}},
            r"a\.csv: column 'wind' .* order is not known",
        ),
        (
            {"target": "play", "kinds": {"wind": "ignored", "humidity": "ignored"}},
            "no column but ignored ones",
        ),
    ],
)
def test_wishes_that_cannot_be_granted(tmp_path, arguments, message):
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, WEATHER), **arguments)


def test_rows_under_a_known_schema(tmp_path):
    schema = read(write(tmp_path, WEATHER), target="play").schema
    text = "play,extra,humidity,wind\nyes,1,60,Gale\nno,x,NA,Strong\n"
    data = read(write(tmp_path, text), schema=schema)
    assert data.schema is schema
    np.testing.assert_array_equal(data.X, [[np.nan, 60], [0, np.nan]])
    assert data.y.tolist() == [1, 0]


@pytest.mark.parametrize("text", ["humidity,wind\n60,Weak\n", "humidity,wind,play\n60,Weak,?\n"])
def test_rows_to_predict_need_no_class(tmp_path, text):
    schema = read(write(tmp_path, WEATHER), target="play").schema
    assert read(write(tmp_path, text), schema=schema).y is None


def test_a_numeric_looking_symbol_stays_a_symbol_under_a_schema(tmp_path):
    schema = read(
        write(tmp_path, "zip,class\n007,u\n7,v\n"), target="class", kinds={"zip": "symbolic"}
    ).schema
    data = read(write(tmp_path, "zip\n7\n007\n7.0\n"), schema=schema)
    np.testing.assert_array_equal(
        data.X[:, 0], [schema.columns[0].values.index(t) for t in ("7", "007")] + [np.nan]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wind,play\nWeak,no\n", "no column 'humidity'"),
        ("play\nno\n", "lacks 2 columns: 'wind', 'humidity'; it has no others"),
        ("wind,humidity,play\nWeak,wet,no\n", "line 2: column 'humidity' holds the text 'wet'"),
        (
            "wind,humidity,play\nWeak,1,no\nWeak,2,maybe\n",
            r"line 3: column 'play' holds 'maybe', .*known are 'no', 'yes'",
        ),
        ("wind,humidity,play\nWeak,1,no\nWeak,2,?\n", "line 3: the class 'play' is missing"),
    ],
)
def test_rows_that_do_not_fit_a_schema(tmp_path, text, message):
    schema = read(write(tmp_path, WEATHER), target="play").schema
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, text), schema=schema)


MISSING = MISSING_WORDS
texts = st.text(st.characters(codec="utf-8"), max_size=6).map(str.strip)
numbers = st.floats(allow_nan=False, allow_infinity=False)
rows = st.lists(
    st.tuples(
        st.one_of(st.none(), numbers),
        st.one_of(st.none(), texts.filter(lambda text: text not in MISSING)),
        st.sampled_from(["u", "v"]),
    ),
    min_size=1,
)


@given(rows)
def test_what_is_written_is_read(table):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["number", "text", "class"])
            writer.writerows([["" if c is None else c for c in row] for row in table])
        data = read(path, target="class", kinds={"number": "numeric", "text": "symbolic"})
    column = data.schema.columns[1]
    back = [
        (
            None if np.isnan(number) else number,
            None if np.isnan(code) else column.values[int(code)],
            data.schema.classes[label],
        )
        for (number, code), label in zip(data.X, data.y, strict=True)
    ]
    assert back == table
