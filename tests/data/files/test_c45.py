import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data import Column, read
from miter.data.files.c45 import read_names
from miter.errors import DataError

NAMES = r"""| A comment before everything.
Yes, No.            | the classes

Day: ignore.
Outlook: Sunny, Overcast, Rain.
"Temp., degrees": continuous
Town: discrete 2.
Wind: [ordered] Weak, Strong.
"""
ROWS = """| a comment
D1, Sunny, 30.5, Ulm, Weak, No.

D2,Rain,?,Bonn,Strong,Yes | another
?,?,-1e1,?,?,Yes
"""


def write(tmp_path, rows=ROWS, names=NAMES):
    (tmp_path / "golf.names").write_text(names, encoding="utf-8")
    (tmp_path / "golf.data").write_text(rows, encoding="utf-8")
    return tmp_path / "golf.data"


def test_all_kinds_of_column(tmp_path):
    data = read(write(tmp_path))
    assert data.schema.columns == (
        Column("Outlook", "symbolic", ("Sunny", "Overcast", "Rain")),
        Column("Temp., degrees", "numeric"),
        Column("Town", "symbolic", ("Bonn", "Ulm")),
        Column("Wind", "ordered", ("Weak", "Strong")),
    )
    assert data.schema.classes == ("Yes", "No")
    assert data.schema.target == "class"
    assert data.schema.ignored == ("Day",)
    nan = np.nan
    np.testing.assert_array_equal(data.X, [[0, 30.5, 1, 0], [2, nan, 0, 1], [nan, -10, nan, nan]])
    assert data.y.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    "names",
    [
        "yes, no.\na: x, y, z.\nb: continuous.\n",
        "yes, no\na: x, y, z\nb: continuous",
        "yes,\n  no.\na: x,\n  y, | comment\n\n  z.\nb:\n  continuous.",
        "yes\nno\na: x\ny\nz\nb: continuous",
        "yes\n, no.\na: x\n, y\n, z. b: continuous.",
        "yes, no.\r\na: x, y, z.\r\nb: Continuous.\r\n",
        '"yes", no.\n"a": "x", \\y, z.\n\\b: continuous.',
    ],
)
def test_ways_to_write_the_same_names(tmp_path, names):
    path = tmp_path / "a.names"
    path.write_bytes(names.encode())
    first, second, target = read_names(path)
    assert (first.name, first.kind, first.values) == ("a", "symbolic", ("x", "y", "z"))
    assert (second.name, second.kind) == ("b", "numeric")
    assert (target.name, target.values) == ("class", ("yes", "no"))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("", "does not begin with the classes"),
        ("a: continuous.", "does not begin with the classes"),
        ("yes, no.", "declares no columns"),
        ("yes, no.\na: x.\na: y.", "line 3: 'a' is declared twice"),
        ("yes, no.\na: x, y, x.", "line 2: 'a' lists 'x' twice"),
        ("yes, yes.\na: x.", "line 1: 'class' lists 'yes' twice"),
        ("yes, no.\na: x,, y.", "line 2: a comma follows nothing"),
        ("yes, no.\na: x, b: y.", "line 2: a colon follows 'b' inside a list"),
        ("yes, no.\na:\nb: y.", "line 3: a colon follows 'b' inside a list"),
        ("yes, no.\na: x.\nfoo, bar.", "line 3: 'foo, bar' has no name before it"),
        ("yes, no.\n: x.", "line 2: there is no name before the colon"),
        ("yes, no.\na: .", "line 2: nothing follows 'a'"),
        ('yes, no.\na: "x.', "line 2: a quote is opened and not closed"),
    ],
)
def test_names_that_cannot_be_read(tmp_path, names, message):
    with pytest.raises(DataError, match=rf"golf\.names.*{message}"):
        read(write(tmp_path, names=names))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "D,Foggy,1,Ulm,Weak,No",
            "column 'Outlook' holds 'Foggy', .*known are 'Sunny'.*golf.names",
        ),
        ("D,Suny,1,Ulm,Weak,No", r"column 'Outlook' holds 'Suny', .*did you mean 'Sunny'\?"),
        ("D,,1,Ulm,Weak,No", r"column 'Outlook' has an empty cell; write \?"),
        ("D,Rain,12 y,Ulm,Weak,No", "column 'Temp., degrees' holds the text '12 y'"),
        ("D,Rain,nan,Ulm,Weak,No", "column 'Temp., degrees' holds the text 'nan'"),
        ("D,Rain,-inf,Ulm,Weak,No", "column 'Temp., degrees' holds the infinite value '-inf'"),
        ("D,Rain,1,Paris,Weak,No", "column 'Town' holds 'Paris', one value more than 'discrete 2'"),
        ("D,Rain,1,Ulm,Weak,Perhaps", "column 'class' holds 'Perhaps', .*known are 'Yes', 'No'"),
        ("D,Rain,1,Ulm,Weak,?", "the class 'class' is missing"),
        ("D,Rain,1,Ulm,Weak", "5 cells where 6 are expected, 'Day' to 'class'"),
        ("D,Rain,1,Ulm,Weak,No,", "7 cells where 6 are expected"),
        ('D,"Rain",1,Ulm,Weak,No,', "7 cells where 6 are expected"),
        ('D,"Rain,1,Ulm,Weak,No', "a quote is opened and not closed"),
    ],
)
def test_rows_that_cannot_be_read(tmp_path, row, message):
    path = write(tmp_path, ROWS + "\n" + row + "\n")
    with pytest.raises(DataError, match=rf"golf\.data, line 7: {message}"):
        read(path)


@pytest.mark.parametrize("rows", ["", "| nothing\n\n"])
def test_no_rows(tmp_path, rows):
    with pytest.raises(DataError, match=r"golf\.data has no rows"):
        read(write(tmp_path, rows))


@pytest.mark.parametrize("names", ["yes, no.\na: ?, x.", "yes, ?.\na: x."])
def test_a_value_that_means_missing(tmp_path, names):
    with pytest.raises(DataError, match=r"is '\?', which means missing"):
        read(write(tmp_path, "x,yes\n", names))


def test_the_class_cannot_be_chosen(tmp_path):
    path = write(tmp_path)
    assert read(path, target="class").n_rows == 3
    with pytest.raises(DataError, match=r"target is 'Wind', but the class of a C4\.5 file"):
        read(path, target="Wind")


def test_kinds_overrule_the_names(tmp_path):
    data = read(
        write(tmp_path),
        kinds={
            "Outlook": "ordered",
            "Wind": "symbolic",
            "Town": "ignored",
            "Day": "symbolic",
            "Temp., degrees": "symbolic",
        },
    )
    assert [(column.name, column.kind) for column in data.schema.columns] == [
        ("Day", "symbolic"),
        ("Outlook", "ordered"),
        ("Temp., degrees", "symbolic"),
        ("Wind", "symbolic"),
    ]
    assert data.schema.columns[2].values == ("-1e1", "30.5")


def test_rows_to_predict(tmp_path):
    schema = read(write(tmp_path)).schema
    without_class = read(write(tmp_path, "D9,Hail,3,Rome,Strong\n"), schema=schema)
    np.testing.assert_array_equal(without_class.X, [[np.nan, 3, np.nan, 1]])
    assert without_class.y is None
    unknown_class = read(write(tmp_path, "D9,Hail,3,Rome,Strong,?\n"), schema=schema)
    assert unknown_class.y is None
    labelled = read(write(tmp_path, "D9,Hail,3,Rome,Strong,No\n"), schema=schema)
    assert labelled.y.tolist() == [1]
    with pytest.raises(DataError, match="line 1: column 'class' holds 'Hm'"):
        read(write(tmp_path, "D9,Hail,3,Rome,Strong,Hm\n"), schema=schema)


words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=5).filter(
    lambda word: word != "?" and not word.startswith("[ordered]")
)


def quote(word):
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def escape(word):
    return "".join("\\" + c if c in '\\,.:|"' else c for c in word)


@given(
    st.data(),
    st.lists(words, unique=True, min_size=2, max_size=4),
    st.sampled_from([quote, escape]),
)
def test_what_is_written_is_read(data, values, protect):
    rows = data.draw(
        st.lists(
            st.tuples(
                st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
                st.one_of(st.none(), st.sampled_from(values)),
                st.sampled_from(values),
            ),
            min_size=1,
        )
    )
    declared = ", ".join(map(protect, values))
    with tempfile.TemporaryDirectory() as folder:
        names = f"{declared}.\nnumber: continuous.\n{protect(values[0])}x: {declared}.\n"
        if protect is quote:
            names = names.replace('"x:', 'x":')
        lines = [
            f"{'?' if number is None else repr(number)},"
            f"{'?' if value is None else protect(value)},{protect(label)}\n"
            for number, value, label in rows
        ]
        back = read(write(Path(folder), "".join(lines), names))
    assert back.schema.classes == tuple(values)
    assert back.schema.columns[1] == Column(values[0] + "x", "symbolic", tuple(values))
    expected = [
        [np.nan if n is None else n, np.nan if v is None else values.index(v)] for n, v, _ in rows
    ]
    np.testing.assert_array_equal(back.X, expected)
    assert back.y.tolist() == [values.index(label) for *_, label in rows]
