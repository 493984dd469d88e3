import json

import pytest
from sklearn.datasets import load_iris

from miter.model_file import load


@pytest.fixture
def iris(tmp_path):
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "iris.csv"
    lines = [",".join([*map(str, row), f"c{label}"]) for row, label in zip(X, y, strict=True)]
    path.write_text("\n".join(["a,b,c,d,kind", *lines]) + "\n")
    return path


@pytest.fixture
def machines(run, iris, tmp_path):
    path = tmp_path / "iris.miter"
    options = ["--target", "kind", "--learner", "linear_machine", "-q"]
    assert run("fit", iris, "-o", path, *options).code == 0
    return path


def test_it_says_what_it_did(run, machines, iris, tmp_path):
    small = tmp_path / "small.miter"
    result = run("simplify", machines, iris, "--agreement", "0.95", "-o", small, "-q", "--json")
    assert result.code == 0, result.err
    report = json.loads(result.out)
    assert report["agreement"] >= 0.95
    assert report["terms_after"] < report["terms_before"]
    assert load(small).tree_.terms.sum() == report["terms_after"]
    text = run("simplify", machines, iris, "--agreement", "0.95", "-o", small)
    assert "150 rows are answered as before" in text.out


def test_machines_are_said_as_inequalities(run, machines, iris):
    result = run("rules", machines, iris, "--target", "kind")
    assert result.code == 0, result.err
    assert "machine" not in result.out
    assert "of 6 inequalities: every decision within the ranges" in result.err
    fewer = run("rules", machines, iris, "--target", "kind", "--fewer-terms", "--json", "-q")
    assert json.loads(fewer.out)["simplified"]
    assert "--fewer-terms needs DATA" in run("rules", machines, "--fewer-terms").sentence


def test_what_cannot_be_done(run, machines, iris, weather, tmp_path):
    small = tmp_path / "small.miter"
    wrong = run("simplify", machines, iris, "--agreement", "1.5", "-o", small)
    assert (wrong.code, small.exists()) == (2, False)
    assert "--agreement" in wrong.sentence
    forest = tmp_path / "forest.miter"
    options = ["--learner", "forest", "-p", "n_estimators=3", "-q"]
    assert run("fit", weather, "--target", "play", "-o", forest, *options).code == 0
    assert "is not one tree" in run("simplify", forest, weather, "-o", small).sentence
    assert "would overwrite" in run("simplify", machines, iris, "-o", machines).sentence
