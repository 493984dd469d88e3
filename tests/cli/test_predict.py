import csv
import io
import json
import subprocess

import numpy as np
import pandas as pd
import pytest

from miter import ICATree, save
from miter.data import read
from miter.model_file import load


def test_csv(run, model, weather):
    result = run("predict", model, weather)
    assert (result.code, result.err) == (0, "")
    header, *rows = csv.reader(io.StringIO(result.out))
    assert header == ["class", "p(no)", "p(yes)"]
    estimator = load(model)
    data = read(weather, schema=estimator.tree_.schema)
    assert [row[0] for row in rows] == estimator.predict(data).tolist()
    assert [[float(cell) for cell in row[1:]] for row in rows] == estimator.predict_proba(
        data
    ).tolist()


def test_json(run, model, weather):
    answers = json.loads(run("predict", model, weather, "--json").out)
    assert len(answers) == 14
    assert answers[0] == {"class": "no", "probabilities": {"no": 1.0, "yes": 0.0}}


def test_tabs(run, model, weather, tmp_path):
    path = tmp_path / "out.tsv"
    assert run("predict", model, weather, "-o", path).code == 0
    assert path.read_text().splitlines()[0] == "class\tp(no)\tp(yes)"


@pytest.mark.parametrize("name", ["out.pdf", "out.csv.gz"])
def test_a_suffix_that_promises_another_format_is_refused(run, model, weather, tmp_path, name):
    result = run("predict", model, weather, "-o", tmp_path / name)
    assert result.code == 2
    assert "predictions are written as .csv, .tsv, .parquet or .xlsx, not as ." in result.err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_file(run, model, weather, tmp_path, arguments):
    path = tmp_path / "out"
    result = run("predict", model, weather, "-o", path, *arguments)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"Wrote 14 predictions to {path}\n"
    assert path.read_text() == run("predict", model, weather, *arguments).out
    assert run("predict", model, weather, "-o", path, "-q", *arguments).err == ""


def test_rows_without_class_and_with_more_columns_in_another_order(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text("id,wind,outlook,humidity\n1,weak,overcast,80\n2,strong,rain,80\n")
    result = run("predict", model, rows)
    assert result.code == 0, result.err
    assert [line.split(",")[0] for line in result.out.splitlines()] == ["class", "yes", "no"]


def test_symbol_never_seen_is_no_error(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text("outlook,humidity,wind\nhail,80,weak\n?,80,weak\n")
    result = run("predict", model, rows)
    assert result.code == 0, result.err
    assert len(result.out.splitlines()) == 3


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("outlook,wind\nrain,weak\n", ["has no column 'humidity'"]),
        ("outlook,humidity,wind\nrain,wet,weak\n", ["line 2", "'wet'", "'humidity'"]),
        ("outlook,humidity,wind\nrain,80\n", ["line 2", "2 cells where 3 are expected"]),
        ("outlook,humidity,wind\n", ["has no rows"]),
        ("outlook\nrain\n", ["lacks 2 columns: 'humidity', 'wind'"]),
        ("", ["new.csv"]),
    ],
    ids=repr,
)
def test_rows_that_cannot_be_used(run, model, tmp_path, rows, words):
    path = tmp_path / "new.csv"
    path.write_text(rows)
    result = run("predict", model, path, "-o", tmp_path / "out.csv")
    assert result.code == 1
    for word in words:
        assert word in result.sentence
    assert not (tmp_path / "out.csv").exists()


def test_file_that_is_no_model(run, weather, tmp_path):
    for path in (weather, tmp_path / "nowhere.miter", tmp_path):
        result = run("predict", path, weather)
        assert result.code == 1
        assert str(path) in result.sentence


def test_inputs_are_not_overwritten(run, model, weather):
    for path in (model, weather):
        before = path.read_bytes()
        result = run("predict", model, weather, "-o", path)
        assert (result.code, path.read_bytes()) == (2, before)
        assert "would overwrite an input" in result.sentence


def test_no_place_for_the_result(run, model, weather, tmp_path):
    path = tmp_path / "nowhere" / "out.csv"
    result = run("predict", model, weather, "-o", path)
    assert (result.code, result.sentence) == (1, f"{path.parent}: there is no such folder")


def test_reader_that_has_read_enough(program, model, tmp_path):
    rows = tmp_path / "many.csv"
    rows.write_text("outlook,humidity,wind\n" + "rain,80,weak\n" * 50_000)
    process = program("predict", model, rows, "-q")
    assert process.stdout.readline() == "class,p(no),p(yes)\n"
    process.stdout.close()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.stderr.read() == ""


def test_answers_for_other_costs(run, weather, tmp_path):
    model = tmp_path / "stump.miter"
    settings = ["-p", "max_depth=0", "-q"]
    assert run("fit", weather, "--target", "play", "-o", model, *settings).code == 0
    costs = tmp_path / "weather.costs"
    answers = {}
    # Five of 14 rows are no, so no is answered where missing it costs more than 9/5.
    for price in ("1.7", "1.9"):
        costs.write_text(f"yes, no: {price}\nno, yes: 1\n")
        by_file = run("predict", model, weather, "--costs", costs)
        assert (by_file.code, by_file.err) == (0, "")
        assert run("predict", model, weather, "--focus", f"no={price}").out == by_file.out
        header, *rows = csv.reader(io.StringIO(by_file.out))
        assert header == ["class", "p(no)", "p(yes)"]
        assert {float(row[1]) for row in rows} == {5 / 14}
        answers[price] = {row[0] for row in rows}
    assert answers == {"1.7": {"yes"}, "1.9": {"no"}}


def test_costs_are_not_overwritten(run, model, weather, tmp_path):
    costs = tmp_path / "weather.costs"
    costs.write_text("yes, no: 5\nno, yes: 1\n")
    result = run("predict", model, weather, "--costs", costs, "-o", costs)
    assert (result.code, costs.read_text()) == (2, "yes, no: 5\nno, yes: 1\n")
    assert "would overwrite an input" in result.sentence


# ---- what is kept, and where it goes ----------------------------------------------------------


def test_kept_columns_come_first(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text(
        "id,wind,outlook,humidity,class\n007,weak,overcast,80,x\n008,strong,rain,80,y\n"
    )
    out = run("predict", model, rows, "--id", "id", "--keep", "class").out
    lines = [line.split(",")[:3] for line in out.splitlines()]
    assert lines == [["id", "class", "predicted class"], ["007", "x", "yes"], ["008", "y", "no"]]
    [first, _] = json.loads(run("predict", model, rows, "--id", "id", "--json").out)
    assert list(first) == ["id", "class", "probabilities"]
    assert run("predict", model, rows, "--keep", "*").out.startswith("id,wind,outlook,humidity,")


def test_unseen_symbols_are_one_line(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text("outlook,humidity,wind\nhail,80,weak\nfog,80,weak\nfog,80,weak\n")
    result = run("predict", model, rows)
    assert result.err == (
        "column 'outlook': 3 cells hold 2 values that training never saw, 'hail', 'fog'; "
        "they are missing\n"
    )
    assert run("predict", model, rows, "-q").err == ""


def test_remarks_on_many_blocks_are_one(run, model, tmp_path, monkeypatch):
    monkeypatch.setattr("miter.data.files.pieces.PIECE_BYTES", 1 << 10)
    rows = tmp_path / "new.csv"
    rows.write_text("outlook,humidity,wind\n" + "hail,80,weak\n" * 1000)
    result = run("predict", model, rows, "-o", tmp_path / "out.csv")
    said, wrote = result.err.splitlines()
    assert said.endswith("they are missing; 1,000 such cells in all")
    assert wrote.startswith("Wrote 1,000 predictions")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 1001


def test_labels_that_training_never_saw_do_not_matter(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text("outlook,humidity,wind,play\nrain,80,weak,perhaps\n")
    assert run("predict", model, rows).code == 0


def test_a_model_of_clusters(run, tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0], [9]], 30, axis=0)
    save(ICATree().fit(pd.DataFrame(X, columns=["a", "b"])), tmp_path / "clusters.miter")
    rows = tmp_path / "rows.csv"
    pd.DataFrame(X, columns=["a", "b"]).to_csv(rows, index=False)
    out = run("predict", tmp_path / "clusters.miter", rows).out
    assert out.splitlines()[0] == "class"
    assert len(set(out.splitlines()[1:])) == 2
