"""The 43 classic sets, read from their files and counted."""

from __future__ import annotations

import csv
import gzip
from itertools import islice

import pytest

from miter.data import read

WITHOUT_TEST_ROWS = {
    *("breast", "bupa", "car", "covtype", "cylinder-bands", "dermatology", "ecoli", "flare"),
    *("german", "glass", "heart-statlog", "hepatitis", "ionosphere", "iris", "kr-vs-kp"),
    *("letter", "magic", "mushroom", "pima", "play-tennis", "play-tennis-mitchell", "segment"),
    *("sonar", "vehicle", "vote", "waveform", "waveform-noise", "wine", "zoo"),
}
WITH_TEST_ROWS = {
    *("adult", "higgs-small", "horse-colic", "monks-1", "monks-2", "monks-3", "oil-flow"),
    *("optdigits", "pendigits", "satimage", "segment-split", "shuttle", "soybean-large", "vowel"),
}
NAMES = sorted(WITHOUT_TEST_ROWS | WITH_TEST_ROWS)


@pytest.fixture(scope="module")
def index(data_folder):
    with (data_folder / "index.csv").open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def counts(data):
    kinds = [column.kind for column in data.schema.columns]
    return {
        "classes": data.schema.n_classes,
        "features_numeric": kinds.count("numeric"),
        "features_symbolic": kinds.count("symbolic"),
        "ignored_columns": len(data.schema.ignored),
    }


def test_the_index_lists_these_sets(index):
    assert sorted(index) == NAMES
    assert {name for name in index if int(index[name]["test_instances"])} == WITH_TEST_ROWS


@pytest.mark.parametrize("name", [name for name in NAMES if name != "covtype"])
def test_counts_equal_the_index(name, dataset, index):
    known = index[name]
    data = read(dataset(name))
    assert counts(data) == {key: int(known[key]) for key in counts(data)}
    assert data.n_rows == int(known["instances"])
    assert data.missing_counts().sum() == int(known["missing_cells"])
    assert (data.class_counts() > 0).sum() > 1


@pytest.mark.parametrize("name", sorted(WITH_TEST_ROWS))
def test_the_rows_held_back_fit_the_schema(name, dataset, index):
    known = index[name]
    parts = {".test": int(known["test_instances"]), ".val": int(known["validation_instances"])}
    schema = read(dataset(name)).schema
    for suffix, n_rows in parts.items():
        if n_rows:
            data = read(dataset(name, suffix), schema=schema)
            assert data.n_rows == len(data.labels) == n_rows
        if suffix == ".test":
            assert data.missing_counts().sum() == int(known["missing_cells_test"])


def test_the_first_rows_of_covtype(tmp_path, dataset, index):
    """Its first 15,120 rows hold 2,160 of each class; reading all of it takes too long here."""
    path = dataset("covtype")
    (tmp_path / "covtype.names").write_bytes(path.with_name("covtype.names").read_bytes())
    with gzip.open(path) as lines:
        (tmp_path / "covtype.data").write_bytes(b"".join(islice(lines, 15_120)))
    data = read(tmp_path / "covtype")
    assert counts(data) == {key: int(index["covtype"][key]) for key in counts(data)}
    assert data.class_counts().tolist() == [2160] * 7
    assert data.X[0, :10].tolist() == [2596, 51, 3, 258, 0, 510, 221, 232, 148, 6279]
