import gzip

import numpy as np
import pandas as pd
import pytest

from miter import DataError, read
from miter.data.files import blocks, pieces
from miter.data.files.blocks import read_blocks


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    n_rows = 5000
    return pd.DataFrame(
        {
            "id": [f"{n:05}" for n in range(n_rows)],
            "x": random.normal(size=n_rows),
            "z": random.choice(["a", "b", "c"], n_rows),
            "y": random.choice(["no", "yes"], n_rows),
        }
    )


@pytest.fixture
def schema(frame, tmp_path):
    frame.to_csv(tmp_path / "train.csv", index=False)
    return read(tmp_path / "train.csv", target="y", kinds={"id": "ignored"}).schema


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1 << 12)
    monkeypatch.setattr(pieces, "CHUNK_ROWS", 700)
    monkeypatch.setattr(blocks, "BLOCK_ROWS", 700)


def write(frame, path):
    suffix = path.name.partition(".")[2]
    if suffix == "parquet":
        frame.to_parquet(path)
    elif suffix == "xlsx":
        frame.to_excel(path, index=False)
    elif suffix == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif suffix == "csv.gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    else:
        frame.to_csv(path, index=False, sep=";" if suffix == "txt" else ",")
    return path


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "txt", "parquet", "xlsx", "jsonl"])
def test_blocks_are_the_whole(frame, schema, tmp_path, suffix):
    path = write(frame, tmp_path / f"new.{suffix}")
    found = list(read_blocks(path, schema, keep=["id"]))
    whole = read(path, schema=schema)
    assert np.array_equal(np.concatenate([block.data.X for block in found]), whole.X)
    kept = [cell for block in found for cell in block.kept["id"].to_pylist()]
    assert kept == frame["id"].tolist()
    assert (len(found) > 3) == (suffix in {"csv", "csv.gz", "txt", "parquet"})


def test_what_is_kept_is_kept_as_it_is_written(schema, tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("x,z,more\n1.50,a,007\n2,b,NA\n")
    [block] = read_blocks(path, schema, keep=["x", "m*"])
    assert {name: array.to_pylist() for name, array in block.kept.items()} == {
        "x": ["1.50", "2"],
        "more": ["007", "NA"],
    }
    assert block.data.X[:, 0].tolist() == [1.5, 2]


def test_a_number_that_turns_out_to_be_something_else(frame, schema, tmp_path):
    frame["x"] = frame["x"].astype(object)
    frame.loc[4000, "x"] = "oops"
    path = write(frame, tmp_path / "new.csv")
    found = list(read_blocks(path, schema, keep=["id"]))
    matrix = np.concatenate([block.data.X for block in found])
    assert np.flatnonzero(np.isnan(matrix[:, 0])).tolist() == [4000]
    kept = [cell for block in found for cell in block.kept["id"].to_pylist()]
    assert kept == frame["id"].tolist()
    said = [remark.say() for block in found for remark in block.data.reading.remarks]
    assert len(said) == 1
    assert "'oops' in line 4002" in said[0]


def test_quotes(frame, schema, tmp_path):
    frame["note"] = 'she said "no",\nand left'
    path = write(frame, tmp_path / "new.csv")
    found = list(read_blocks(path, schema, keep=["note"]))
    assert sum(block.data.n_rows for block in found) == 5000
    assert found[-1].kept["note"].to_pylist()[-1] == 'she said "no",\nand left'


def test_several_files(frame, schema, tmp_path):
    write(frame[:3000], tmp_path / "part-1.csv")
    write(frame[3000:], tmp_path / "part-2.csv")
    found = read_blocks(tmp_path / "part-*.csv", schema)
    assert sum(block.data.n_rows for block in found) == 5000


def test_c45_files(tmp_path):
    (tmp_path / "t.names").write_text("yes, no.\nheat: continuous.\nwind: weak, strong.\n")
    path = tmp_path / "t.data"
    path.write_text("20, weak, yes\n?, strong, no\n")
    schema = read(path).schema
    [block] = read_blocks(path, schema, keep=["*"])
    assert {n: a.to_pylist() for n, a in block.kept.items()} == {
        "heat": ["20", None],
        "wind": ["weak", "strong"],
    }


@pytest.mark.parametrize(
    ("text", "keep", "words"),
    [
        ("x,z\n", [], "has no rows"),
        ("z\na\n", [], "has no column 'x'"),
        ("q\na\n", [], "lacks 2 columns: 'x', 'z'"),
        ("x,z\n1,a\n", ["zz"], "has no column 'zz' to keep; did you mean 'z'"),
        ("x,z\n1,a\n2\n", [], "line 3: 1 cells where 2 are expected"),
    ],
)
def test_bad_files(schema, tmp_path, text, keep, words):
    path = tmp_path / "new.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        list(read_blocks(path, schema, keep=keep))
