import bz2
import gzip
import io
import json
import lzma
import os
import tempfile
from pathlib import Path
from threading import Thread

import pyarrow as pa
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
        ("notes.doc", r"notes\.doc does not tell its format; end it with one of \.data"),
        ("notes", "notes does not tell its format"),
        ("alone.data", r"alone\.data needs the file alone\.names beside it"),
    ],
)
def test_paths_that_lead_nowhere(folder, name, message):
    (folder / "notes.doc").write_text("hello")
    (folder / "notes").write_text("hello")
    (folder / "alone.data").write_text("1,yes\n")
    (folder / "folder.csv").mkdir()
    with pytest.raises(DataError, match=message):
        read(folder / name)


PARTS = ("a,b,class\n1,x,u\n2,y,v\n", "class,b,a\nu,y,oops\n", "a,b,class\n4,x,v\n")


def test_several_files_by_a_pattern(tmp_path):
    for number, text in enumerate(PARTS):
        (tmp_path / f"part-{number}.csv").write_text(text.replace("oops", "3"))
    data = read(tmp_path / "part-*.csv", target="class")
    assert data.X.tolist() == [[1, 0], [2, 1], [3, 1], [4, 0]]
    assert data.y.tolist() == [0, 1, 0, 1]
    (tmp_path / "part-1.csv").write_text(PARTS[1])
    with pytest.raises(DataError, match=r"part-1\.csv, line 2: column 'a' holds the text 'oops'"):
        read(tmp_path / "part-*.csv", target="class", kinds={"a": "numeric"})
    (tmp_path / "part-2.csv").write_text("a,c,class\n4,x,v\n")
    with pytest.raises(DataError, match=r"part-2\.csv has no column 'b', which .*part-0\.csv has"):
        read(tmp_path / "part-*.csv", target="class")
    with pytest.raises(DataError, match="no file is called like"):
        read(tmp_path / "prat-*.csv", target="class")
    (tmp_path / "part-3.arff").write_text("@data")
    with pytest.raises(DataError, match="several formats"):
        read(tmp_path / "part-*", target="class")


def test_several_typed_files_by_a_pattern(tmp_path):
    for number in range(2):
        rows = [{"a": number, "class": "u"}, {"a": 5, "class": "v"}]
        (tmp_path / f"{number}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert read(tmp_path / "*.jsonl", target="class").X.ravel().tolist() == [0, 5, 1, 5]


def test_standard_input(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(b"a;class\n1;u\n2;v\n"))
    monkeypatch.setattr("sys.stdin", stream)
    data = read("-", target="class")
    assert data.X.tolist() == [[1], [2]]
    assert data.reading.dialect == "separated by semicolons"


def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("a|class\n1|u\n2|v\n",))
    writer.start()
    assert read(pipe, target="class").X.tolist() == [[1], [2]]
    writer.join()


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_compressed_files(tmp_path, suffix):
    text = b"a,class\n1,u\n2,v\n"
    packed = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
        ".zst": lambda raw: pa.compress(raw, "zstd", asbytes=True),
    }
    (tmp_path / f"a.csv{suffix}").write_bytes(packed[suffix](text))
    assert read(tmp_path / f"a.csv{suffix}", target="class").X.tolist() == [[1], [2]]
    assert read(tmp_path / "a.csv", target="class").n_rows == 2
    (tmp_path / f"b.csv{suffix}").write_bytes(packed[suffix](text)[:-9])
    with pytest.raises(DataError, match=r"b\.csv\.\w+ cannot be read"):
        read(tmp_path / "b.csv", target="class")


def test_options_of_delimited_text_are_for_that(folder):
    with pytest.raises(DataError, match="are for delimited text, but"):
        read(folder / "golf", separator=";")


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
