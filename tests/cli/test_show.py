import json

import numpy as np
import pandas as pd

from miter.model_file import load
from miter.show import Outline, export_text


def test_text(run, model):
    result = run("show", model)
    assert (result.code, result.err) == (0, "")
    assert result.out == export_text(load(model)) + "\n"
    assert "outlook = overcast: yes (4)" in result.out.splitlines()


def test_max_depth(run, model):
    out = run("show", model, "--max-depth", "1").out
    assert out == export_text(load(model), max_depth=1) + "\n"
    assert "|" not in out


def test_json(run, model):
    shown = json.loads(run("show", model, "--json").out)
    assert shown["classes"] == ["no", "yes"]
    outline = Outline(load(model))
    words = [entry.say(outline.schema) for entry in outline]
    assert [node["condition"] for node in shown["nodes"]] == words
    assert list(shown["nodes"][0]) == [
        *("node", "parent", "branch", "depth", "condition", "counts", "class_code", "label"),
        *("is_leaf", "note", "weight", "errors", "agreement"),
    ]
    assert shown["nodes"][0]["counts"] == [5, 9]
    assert (shown["nodes"][0]["weight"], shown["nodes"][0]["errors"]) == (14, 5)


def test_damaged_model(run, model):
    model.write_bytes(model.read_bytes()[:-20])
    result = run("show", model)
    assert result.code == 1
    assert f"{model} is not a model file, or is damaged" in result.sentence


def test_rows_full_probabilities_and_costs(run, model, weather):
    out = run("show", model, "--rows", weather, "--full", "--probabilities", "--costs", "-q").out
    fitted = load(model)
    assert out == export_text(fitted.tree_, probabilities=True, costs=True, full=True) + "\n"
    assert "outlook = overcast: yes (4) [yes 1.00] costs 0 a row" in out.splitlines()


def test_points(run, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    rows = tmp_path / "rows.csv"
    pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "class": X.sum(axis=1) > 0}).to_csv(rows, index=False)
    model = tmp_path / "machine.miter"
    assert (
        run("fit", rows, "--target", "class", "--learner", "linear_machine", "-o", model, "-q").code
        == 0
    )
    text = run("show", model, "--rows", rows, "--points", 2, "-q").out
    assert text.splitlines()[1].startswith("start")
    assert "It decides as the machine does for" in text
    markdown = run("show", model, "--rows", rows, "--points", 2, "--markdown", "-q").out
    assert markdown.splitlines()[1].startswith("| ---")
    plain = json.loads(run("show", model, "--rows", rows, "--points", 2, "--json", "-q").out)
    assert len(plain["rows"]) == 2


def test_points_of_a_tree_without_machines(run, model, weather):
    result = run("show", model, "--rows", weather, "--points", 3, "-q")
    assert result.code == 1
    assert "counts no points" in result.err
    assert "mistake in Miter" not in result.err


def test_a_list_of_rules_is_not_taken_for_its_tree(run, weather, tmp_path):
    rules = tmp_path / "rules.miter"
    run("fit", weather, "--target", "play", "--learner", "rules", "-o", rules, "-q")
    assert "answers by rules" in run("show", rules).err
    assert "first rule that holds" in run("explain", rules, weather).sentence


def test_points_need_rows(run, model):
    assert "give them with --rows" in run("show", model, "--points", 3).sentence
    assert "--markdown is for --points" in run("show", model, "--markdown").sentence
