import gzip
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from miter.data import read
from miter.errors import DataError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "golf.names").write_text("yes, no.\na: continuous.\n")
    (tmp_path / "golf.data").write_text("1,yes\n2,no\n")
    (tmp_path / "golf.test").write_text("3,no\n")
    (tmp_path / "golf.val").write_text("4,no\n")
    (tmp_path / "big.names.gz").write_bytes(gzip.compress(b"yes, no.\na: continuous.\n"))
    (tmp_path / "big.data.gz").write_bytes(gzip.compress(b"5,no\n"))
    (tmp_path / "a.CSV").write_text("a,class\n6,no\n")
    (tmp_path / "b.tsv.gz").write_bytes(gzip.compress(b"a\tclass\n7\tno\n"))
    (tmp_path / "c.arff.gz").write_bytes(
        gzip.compress(b"@attribute a real\n@attribute class {no}\n@data\n8,no\n")
    )
    (tmp_path / "v1.2.names").write_text("yes, no.\na: continuous.\n")
    (tmp_path / "v1.2.data").write_text("9,yes\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("golf.data", 1),
        ("golf.names", 1),
        ("golf", 1),
        ("golf.test", 3),
        ("golf.val", 4),
        ("big", 5),
        ("big.data", 5),
        ("big.data.gz", 5),
        ("big.names", 5),
        ("c.arff", 8),
        ("c.arff.gz", 8),
        ("v1.2", 9),
        ("v1.2.data", 9),
    ],
)
def test_the_file_that_is_meant(folder, name, first):
    assert read(folder / name).X[0, 0] == first


@pytest.mark.parametrize(("name", "first"), [("a.CSV", 6), ("b.tsv", 7), ("b.tsv.gz", 7)])
def test_the_suffix_tells_the_format(folder, name, first):
    assert read(os.fspath(folder / name), target="class").X[0, 0] == first


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gulf.data", r"there is no file .*gulf\.data; did you mean 'golf\.data'"),
        ("gulf", r"there is no file .*gulf\.data"),
        ("nowhere/x.csv", r"there is no file .*x\.csv; name a file that is there"),
        ("golf.dat", r"there is no file .*golf\.dat; did you mean 'golf\.data'"),
        ("", "is a folder"),
        ("folder.csv", r"folder\.csv is a folder"),
        ("notes.txt", r"notes\.txt does not tell its format; end it with one of \.data"),
        ("notes", "notes does not tell its format"),
        ("alone.data", r"alone\.data needs the file alone\.names beside it"),
    ],
)
def test_paths_that_lead_nowhere(folder, name, message):
    (folder / "notes.txt").write_text("hello")
    (folder / "notes").write_text("hello")
    (folder / "alone.data").write_text("1,yes\n")
    (folder / "folder.csv").mkdir()
    with pytest.raises(DataError, match=message):
        read(folder / name)


def test_schema_and_kinds_exclude_each_other(folder):
    schema = read(folder / "golf").schema
    with pytest.raises(DataError, match="both schema and kinds"):
        read(folder / "golf.test", schema=schema, kinds={"a": "numeric"})
    assert read(folder / "golf.test", schema=schema).y.tolist() == [1]


# Pieces that mean something to one format or another.
pieces = st.sampled_from(
    [
        *"ab1.?,;:|%\\'\"{}[]\n\r\t @-_\0",
        *("@attribute a ", "@data\n", "real\n", "yes", "a,class\n", "a: continuous.\n"),
        *("yes, no.\n", "inf", "nan", "NA", "discrete 2", "1e999", "\ufeff", "é"),
    ]
)
content = st.one_of(st.lists(pieces).map(lambda some: "".join(some).encode()), st.binary())


@given(content, st.sampled_from(["a.csv", "a.tsv", "a.arff", "a.data", "a.names", "a.csv.gz"]))
@example(b"a,class\n" + b'"' * 200_000, "a.csv")
def test_whatever_a_file_holds_it_is_read_or_refused_with_a_sentence(content, name):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.names").write_text("yes, no.\na: continuous.\n")
        Path(folder, "a.data").write_text("1,yes\n")
        Path(folder, name).write_bytes(content)
        try:
            outcome = read(Path(folder, name), target=None if "arff" in name else "class")
        except DataError as error:
            outcome = error
    if isinstance(outcome, DataError):
        assert folder in str(outcome)
    else:
        assert outcome.n_rows > 0
        assert outcome.schema.n_classes > 0
