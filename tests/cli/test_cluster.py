"""The command line on a cluster: several Parquet files in, a file a partition out."""

import json

import numpy as np
import pandas as pd
import pytest

from miter.model_file import load

# Dask's own threads warn of what is old in pandas.
pytestmark = pytest.mark.filterwarnings("default")


COLUMNS = ["a", "b"]


@pytest.fixture
def parts(tmp_path):
    """Return a pattern for three files of rows."""
    random = np.random.default_rng(0)
    for number in range(3):
        X = pd.DataFrame(random.normal(size=(100, 2)), columns=COLUMNS)
        X["kind"] = random.choice(["ape", "bee"], 100)
        X["y"] = np.where((X["a"] > X["b"]) ^ (X["kind"] == "ape"), "yes", "no")
        X.to_parquet(tmp_path / f"part-{number}.parquet")
    return tmp_path / "part-*.parquet"


def test_fit_predict_and_evaluate(run, parts, tmp_path):
    """One cluster of one's own, then two by the address of a scheduler that is there."""
    from distributed import LocalCluster

    model, here = tmp_path / "there.miter", tmp_path / "here.miter"
    how = ["--target", "y", "--learner", "c45", "--json"]
    result = run("fit", parts, *how, "-o", model, "--dask")
    assert (result.code, result.err) == (0, "")
    own = run("fit", parts, *how, "-o", here)
    said, wanted = json.loads(result.out), json.loads(own.out)
    assert said | {"saved": ""} == wanted | {"saved": ""}
    assert list(load(model).tree_.splits) == list(load(here).tree_.splits)
    with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        at = "--dask", cluster.scheduler_address
        there = run("evaluate", model, parts, "--json", *at)
        assert there.code == 0, there.err
        found, own = (json.loads(r.out) for r in (there, run("evaluate", here, parts, "--json")))
        assert found["confusion"] == own["confusion"]
        assert found["log_loss"]["value"] == pytest.approx(own["log_loss"]["value"])
        folder = tmp_path / "answers.parquet"
        result = run("predict", model, parts, "--keep", "a", "-o", folder, *at)
        assert result.code == 0, result.err
    assert result.err.splitlines()[-1] == f"Wrote 300 predictions to 3 files in {folder}"
    answers = pd.concat(map(pd.read_parquet, sorted(folder.iterdir())))
    rows = pd.concat(map(pd.read_parquet, sorted(tmp_path.glob("part-*.parquet"))))
    assert answers["a"].tolist() == rows["a"].tolist()
    assert answers["class"].tolist() == load(here).predict(rows).tolist()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--dask", "rows.csv"], "that is no address"),
        (["--dask", "--separator", ";"], "--separator is for files that Dask does not read"),
        (["--dask", "--validation", "x.csv"], "--validation is for rows in one place"),
        (["--dask", "tcp://127.0.0.1:9"], "no Dask scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_what_cannot_be(run, parts, tmp_path, monkeypatch, arguments, said):
    monkeypatch.setattr("miter.distributed.client.PATIENCE", "1 s")
    result = run("fit", parts, "--target", "y", "-o", tmp_path / "m.miter", *arguments)
    assert result.code in {1, 2}
    assert said in result.err


def test_predict_wants_a_new_folder(run, model, parts, tmp_path):
    assert "name the folder" in run("predict", model, parts, "--dask").err
    assert "there already" in run("predict", model, parts, "-o", tmp_path, "--dask").err


def test_a_missing_extra_is_named(run, parts, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("fit", parts, "--target", "y", "-o", tmp_path / "m.miter", "--dask")
    assert 'Clusters need distributed: pip install "miter[dask]"' in result.err
