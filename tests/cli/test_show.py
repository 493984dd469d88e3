import json

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
        *("is_leaf", "note", "weight", "errors"),
    ]
    assert shown["nodes"][0]["counts"] == [5, 9]
    assert (shown["nodes"][0]["weight"], shown["nodes"][0]["errors"]) == (14, 5)


def test_damaged_model(run, model):
    model.write_bytes(model.read_bytes()[:-20])
    result = run("show", model)
    assert result.code == 1
    assert f"{model} is not a model file, or is damaged" in result.sentence
