"""A model of many trees goes through the command line like one of a single tree."""

import csv
import io

import pytest

from miter.data import read
from miter.model_file import load
from miter.show import export_text


@pytest.fixture(params=["forest", "bagging"])
def forest(run, weather, tmp_path, request):
    path = tmp_path / "forest.miter.gz"
    few = ("--target", "play", "-p", "n_estimators=3", "-o", path, "-q")
    assert run("fit", weather, "--learner", request.param, *few).code == 0
    return path


def test_predict_and_evaluate(run, forest, weather):
    _, *rows = csv.reader(io.StringIO(run("predict", forest, weather).out))
    model = load(forest)
    data = read(weather, schema=model.schema_)
    assert [row[0] for row in rows] == model.predict(data).tolist()
    shares = [[float(cell) for cell in row[1:]] for row in rows]
    assert shares == model.predict_proba(data).tolist()
    assert "Number of test instances: 14." in run("evaluate", forest, weather).out


def test_show_one_of_them(run, forest):
    tree = load(forest).trees_[1]
    assert run("show", forest, "--tree", "2").out == export_text(tree) + "\n"
    assert "say which with --tree" in run("show", forest).sentence
    assert "--tree 4" in run("show", forest, "--tree", "4").sentence
