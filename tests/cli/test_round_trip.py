"""A model made at one door opens at the other, with the same names, labels and answers."""

import csv

import numpy as np
import pandas as pd
import pytest

from miter import UnivariateTreeClassifier, load, save

LABELS = {
    "texts": np.array(["no", "yes"]),
    "whole numbers": np.array([3, 10]),
    "booleans": np.array([False, True]),
}


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": random.integers(18, 80, 300),
            "colour": random.choice(["red", "green", "blue"], 300),
            "joined": pd.date_range("2020-01-01", periods=300),
        }
    )


@pytest.fixture(params=LABELS, ids=str)
def labels(request, frame):
    codes = ((frame["age"] > 50) & (frame["colour"] != "red")).astype(int)
    return pd.Series(LABELS[request.param][codes], name="buys")


@pytest.mark.filterwarnings("ignore::miter.DataWarning")
def test_python_to_command_line_to_python(run, frame, labels, tmp_path):
    model = UnivariateTreeClassifier().fit(frame, labels)
    save(model, tmp_path / "tree.miter")
    rows = tmp_path / "rows.csv"
    frame.assign(buys=labels)[["joined", "buys", "colour", "age"]].to_csv(rows, index=False)
    result = run("predict", tmp_path / "tree.miter", rows, "--keep", "buys")
    assert result.code == 0, result.err
    header, *answers = csv.reader(result.out.splitlines())
    assert header[:2] == ["buys", "class"]
    assert [row[1] for row in answers] == [str(label) for label in model.predict(frame)]
    evaluated = run("evaluate", tmp_path / "tree.miter", rows)
    assert f"Accuracy: {model.score(frame, labels):.2%}" in evaluated.out
    again = load(tmp_path / "tree.miter")
    assert np.array_equal(again.predict(frame), model.predict(frame))
    assert again.predict(frame).dtype == model.predict(frame).dtype == model.classes_.dtype
    assert again.schema_ == model.schema_
    assert again.schema_.target == "buys"


def test_command_line_to_python_to_command_line(run, frame, labels, tmp_path):
    rows = tmp_path / "rows.csv"
    frame.assign(buys=labels).to_csv(rows, index=False)
    path = tmp_path / "tree.miter"
    assert run("fit", rows, "--target", "buys", "-o", path, "--seed", "7").code == 0
    model = load(path)
    assert model.random_state == 7
    assert model.classes_.tolist() == sorted(set(labels.tolist()))
    assert model.score(frame, labels) > 0.95
    save(model, tmp_path / "again.miter")
    one, other = (run("predict", tmp_path / name, rows) for name in ("tree.miter", "again.miter"))
    assert (one.code, one.out) == (0, other.out)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx"])
def test_labels_keep_their_type_in_files_that_have_types(run, frame, labels, tmp_path, suffix):
    rows = tmp_path / "rows.parquet"
    frame.assign(buys=labels).to_parquet(rows)
    path, out = tmp_path / "tree.miter", tmp_path / f"out{suffix}"
    assert run("fit", rows, "--target", "buys", "-o", path).code == 0
    result = run("predict", path, rows, "-o", out, "--id", "age")
    assert result.code == 0, result.err
    reading = {".csv": pd.read_csv, ".parquet": pd.read_parquet, ".xlsx": pd.read_excel}[suffix]
    written = reading(out)
    assert written["class"].tolist() == load(path).predict(frame).tolist()
    assert written["age"].tolist() == frame["age"].tolist()
