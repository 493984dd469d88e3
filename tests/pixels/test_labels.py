import numpy as np
import pytest

from miter.errors import DataError
from miter.pixels import read_classes
from miter.pixels.labels import LabelIds

NAMES = {0: "Sky", 3: "Road", 11: "Unlabelled"}


def test_names_and_what_counts():
    ids = LabelIds(NAMES, ["Unlabelled", 255])
    assert [ids.name(number) for number in (0, 3)] == ["Sky", "Road"]
    assert np.flatnonzero(ids.counts).tolist() == [0, 3]
    counts = ids.count(np.array([[0, 3, 3], [11, 255, 3]], np.uint8), "ids", 2)
    assert counts[[0, 3, 11, 255]].tolist() == [1, 3, 1, 1]


def test_without_a_table_ids_are_names():
    ids = LabelIds(None, [255])
    assert ids.name(7) == 7
    assert ids.counts.sum() == 255


def test_id_that_is_not_in_the_table():
    labels = np.zeros((4, 5), np.uint8)
    labels[2, 1] = 7
    with pytest.raises(DataError, match="ids has the id 7 in row 2, column 1, which the class"):
        LabelIds(NAMES).count(labels, "ids", 6)


@pytest.mark.parametrize(
    ("names", "ignore", "words"),
    [
        (NAMES, ["Unlabeled"], "no class 'Unlabeled' to ignore; did you mean 'Unlabelled'?"),
        (None, ["Road"], "give ids, or a class table"),
        (NAMES, "Road", "ignore is 'Road'; give a list"),
        (NAMES, [300], "300 is not a label id"),
        ({0: "a", 1: "a"}, [], "two ids called 'a'"),
        ({0: 1}, [], "calls 0 1; give a text"),
        ({-1: "a"}, [], "-1 is not a label id"),
        ({"0": "a"}, [], "'0' is not a label id"),
        ({}, [], "class_names is empty"),
    ],
    ids=str,
)
def test_tables_that_cannot_be_used(names, ignore, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        LabelIds(names, ignore)
    assert words in str(error.value)


def test_class_table(tmp_path):
    path = tmp_path / "classes.csv"
    path.write_text("\ufeffname,red,id\nSky,128,0\n Tram line ,0,7\n", encoding="utf-8")
    assert read_classes(path) == {0: "Sky", 7: "Tram line"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no column 'id'"),
        ("id,label\n0,Sky\n", "has no column 'name'"),
        ("id,name\n", "lists no classes"),
        ("id,name\n0,Sky\none,Road\n", "line 3: the id is 'one'"),
        ("id,name\n256,Sky\n", "line 2: the id is '256'"),
        ("id,name\n0\n", "line 2: the id 0 has no name"),
        ("id,name\n0,Sky\n0,Road\n", "line 3: the id 0 or the name 'Road' was there before"),
        ("id,name\n0,Sky\n1,Sky\n", "line 3: the id 1 or the name 'Sky' was there before"),
        ("id,name\n0,\udcff\n", "not a CSV file in UTF-8"),
    ],
    ids=repr,
)
def test_class_tables_that_cannot_be_used(tmp_path, text, words):
    path = tmp_path / "classes.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError) as error:
        read_classes(path)
    assert words in str(error.value)
    assert str(path) in str(error.value)


def test_no_class_table(tmp_path):
    with pytest.raises(DataError, match="there is no file"):
        read_classes(tmp_path / "classes.csv")
