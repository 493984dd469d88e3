import json

import pytest

from miter.model_file import load


def test_part_of_the_gain(run, model):
    columns = json.loads(run("importance", model, "--json").out)["columns"]
    estimator = load(model)
    expected = dict(zip(estimator.schema_.names, estimator.feature_importances_, strict=True))
    assert {column["column"]: column["importance"] for column in columns} == expected
    parts = [column["importance"] for column in columns]
    assert parts == sorted(parts, reverse=True)
    assert sum(parts) == pytest.approx(1)


def test_permutation(run, model, weather):
    result = run("importance", model, weather, "--json", "-q")
    assert (result.code, result.err) == (0, "")
    columns = json.loads(result.out)["columns"]
    assert {*columns[0]} == {"column", "importance", "permutation", "deviation"}
    lost = [column["permutation"] for column in columns]
    assert lost == sorted(lost, reverse=True)
    assert 0 < lost[0] < 1


def test_text(run, model, weather):
    lines = run("importance", model).out.splitlines()
    assert lines[0] == "column    importance"
    assert len(lines) == 4
    lines = run("importance", model, weather, "--repeats", "3", "-q").out.splitlines()
    assert lines[0] == "column    importance  accuracy lost"
    assert " ± " in lines[1]


def test_rows_without_labels(run, model, weather):
    bare = "\n".join(line.rpartition(",")[0] for line in weather.read_text().splitlines())
    weather.write_text(bare + "\n")
    assert "have no labels" in run("importance", model, weather, "-q").sentence


def test_rows_written_in_another_way(run, model, weather):
    text = run("importance", model, weather, "-q").out
    weather.write_text(weather.read_text().replace(",", "#").replace("play", "answer"))
    options = ["--separator", "#", "--target", "answer", "-q"]
    assert run("importance", model, weather, *options).out == text


def test_rules_have_no_importances(run, weather, tmp_path):
    rules = tmp_path / "rules.miter"
    run("fit", weather, "--target", "play", "--learner", "rules", "-o", rules, "-q")
    assert "which only trees and forests have" in run("importance", rules).sentence
