import csv
import json
from dataclasses import fields, replace

import pytest

from miter.lab.experiments.results import MEASURED, Results, Run

EXPERIMENT = {
    "sets": [{"name": "vote", "hash": "1"}, {"name": "iris", "hash": "2"}],
    "learners": [
        {"name": "c45", "class": "T", "parameters": {}},
        {"name": "id3", "class": "T", "parameters": {"max_depth": 3}},
    ],
    "resampling": "2-fold",
    "seed": 0,
}


def make_run(set_name, learner, fold, **others):
    parameters = {"max_depth": 3} if learner == "id3" else {}
    own = {"n_wrong": 5, "accuracy": 0.9, "nodes": 7, "fit_seconds": 0.5} | others
    return Run(set_name, "ab", learner, "T", parameters, 1, 0, fold, 50, 50, **own)


@pytest.fixture
def runs():
    failure = {"n_wrong": None, "accuracy": None, "nodes": None, "fit_seconds": None}
    return [
        make_run("iris", "id3", 1, error="ValueError: too small", **failure),
        make_run("iris", "c45", 0),
        make_run("iris", "c45", 1),
        make_run("vote", "id3", 1),
        make_run("iris", "id3", 0),
        make_run("vote", "c45", 0),
        make_run("vote", "c45", 1),
        make_run("vote", "id3", 0),
    ]


@pytest.fixture
def results(runs):
    return Results(EXPERIMENT, runs)


def test_order_is_that_of_the_experiment(results, runs):
    assert [run.key for run in results][:3] == [
        ("vote", "c45", 0, 0),
        ("vote", "c45", 0, 1),
        ("vote", "id3", 0, 0),
    ]
    assert len(results) == 8
    assert [run.fold for run in results.of("iris", "id3")] == [0, 1]
    assert Results(EXPERIMENT, runs[::-1]) == results


def test_unknown_names(results):
    with pytest.raises(
        ValueError, match="there is no 'irsi' in these results; did you mean 'iris'"
    ):
        results.of("irsi", "id3")


def test_failed(results):
    assert [(run.key, run.error) for run in results.failed()] == [
        (("iris", "id3", 0, 1), "ValueError: too small")
    ]
    assert "1 failed" in repr(results)


def test_equality_ignores_times_and_memory(results, runs):
    slower = [
        replace(run, fit_seconds=9.0, predict_seconds=9.0, peak_megabytes=9.0) for run in runs
    ]
    assert Results(EXPERIMENT, slower) == results
    assert results != Results(EXPERIMENT, runs[1:])
    assert results != Results(EXPERIMENT | {"seed": 1}, runs)
    assert results != 3
    for field in fields(Run):
        if field.name not in {*MEASURED, "set", "learner"}:
            changed = [replace(runs[0], **{field.name: 77}), *runs[1:]]
            assert results != Results(EXPERIMENT, changed), field.name


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(results, backend):
    pytest.importorskip(backend)
    frame = results.to_frame(backend)
    columns = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert columns == [field.name for field in fields(Run)]
    assert [len(frame), frame.shape[1]] == [8, len(columns)]
    nodes = frame["nodes"].to_pylist() if backend == "pyarrow" else list(frame["nodes"])
    assert [int(n) for n in nodes[:7]] == [7] * 7
    assert (
        "int" in str(frame["nodes"].type if backend == "pyarrow" else frame["nodes"].dtype).lower()
    )
    texts = frame["parameters"].to_pylist() if backend == "pyarrow" else list(frame["parameters"])
    assert json.loads(texts[2]) == {"max_depth": 3}


def test_a_frame_of_failures_has_the_same_types(results, runs):
    polars = pytest.importorskip("polars")
    empty = Results(EXPERIMENT, runs[:1]).to_frame("polars")
    assert empty.schema == results.to_frame("polars").schema
    assert empty.schema["cost"] == polars.Float64


def test_unknown_backend(results):
    with pytest.raises(ValueError, match="backend is 'panda'; did you mean 'pandas'"):
        results.to_frame("panda")


def test_missing_library(results, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(
        ImportError, match="this needs polars, which is not here; pip install polars"
    ):
        results.to_frame("polars")


def test_csv(results, tmp_path):
    results.to_csv(tmp_path / "a.csv")
    with open(tmp_path / "a.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert (rows[0]["set"], rows[0]["accuracy"], rows[0]["cost"]) == ("vote", "0.9", "")
    assert json.loads(rows[2]["parameters"]) == {"max_depth": 3}


def test_parquet(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    results.to_parquet(tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").equals(results.to_frame("pyarrow"))


def test_dicts_are_plain(results):
    dicts = results.to_dicts()
    assert json.loads(json.dumps(dicts)) == dicts
    assert dicts[2]["parameters"] == {"max_depth": 3}
