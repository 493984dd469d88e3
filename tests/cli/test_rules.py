import csv
import json

from miter.model_file import load
from miter.rules import rules_of


def test_text(run, model):
    result = run("rules", model)
    assert (result.code, result.err) == (0, "")
    assert "IF outlook = overcast THEN yes (4 rows, 100%)" in result.out.splitlines()
    assert len(result.out.splitlines()) == len(rules_of(load(model)))


def test_json(run, model):
    shown = json.loads(run("rules", model, "--json").out)
    assert shown["classes"] == ["no", "yes"]
    [one] = [rule for rule in shown["rules"] if rule["conditions"] == ["outlook = overcast"]]
    assert (one["answer"], one["support"], one["confidence"]) == ("yes", 4, 1)


def test_csv(run, model, tmp_path):
    path = tmp_path / "rules.csv"
    result = run("rules", model, "-o", path)
    assert (result.code, result.out) == (0, "")
    assert f"Wrote 5 rules to {path}" in result.err
    rows = list(csv.DictReader(path.open()))
    assert [row["rule"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert "outlook = overcast" in {row["conditions"] for row in rows}


def test_pruned_by_rows(run, model, weather):
    result = run("rules", model, weather, "--target", "play", "--prune", "-q")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[-1].startswith(("ELSE", "yes"))
    assert len(lines) < 6


def test_other_rows_are_counted(run, model, weather):
    few = weather.with_name("few.csv")
    few.write_text("\n".join(weather.read_text().splitlines()[:4]) + "\n")
    shown = json.loads(run("rules", model, few, "--target", "play", "--json", "-q").out)
    assert sum(rule["support"] for rule in shown["rules"]) == 3


def test_a_list_of_rules(run, weather, tmp_path):
    path = tmp_path / "list.miter"
    fit = run("fit", weather, "--target", "play", "-o", path, "--learner", "rules", "-q")
    assert fit.code == 0, fit.err
    assert "ELSE" in run("rules", path, "-q").out or "(14 rows" in run("rules", path, "-q").out


def test_what_cannot_be_done(run, model, weather, tmp_path):
    forest = tmp_path / "forest.miter"
    options = ["--learner", "forest", "-p", "n_estimators=3", "-q"]
    assert run("fit", weather, "--target", "play", "-o", forest, *options).code == 0
    assert "has 3 trees, each with rules of its own; say which" in run("rules", forest).sentence
    assert run("rules", forest, "--tree", "2").code == 0
    assert "--tree 4" in run("rules", forest, "--tree", "4").sentence
    assert "--prune needs DATA" in run("rules", model, "--prune").sentence
    assert "would overwrite an input" in run("rules", model, "-o", model).sentence
    assert "confidence" in run("rules", model, weather, "--prune", "--confidence", "2").sentence
