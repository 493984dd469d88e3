import json

import pytest


def test_report(run, model, weather):
    result = run("evaluate", model, weather)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "Number of test instances: 14."
    assert lines[1].startswith("Number correct: 14")


def test_seen_rows(run, model, weather, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("outlook,humidity,wind,play\nsunny,85,weak,no\novercast,1,weak,no\n")
    out = run("evaluate", model, new, "--train", weather).out
    assert out.splitlines()[:4] == [
        "Number of training instances: 14",
        "Number of test instances: 2. Unseen: 1, seen 1.",
        "Number correct: 1. Number incorrect: 1",
        "Generalization error: 100.00%. Memorization error: 0.00%",
    ]


def test_json(run, model, weather):
    report = json.loads(run("evaluate", model, weather, "--train", weather, "--json").out)
    assert (report["n_test"], report["n_seen"], report["n_unseen"]) == (14, 14, 0)
    assert report["generalisation_error"] is None
    assert report["classes"] == ["no", "yes"]


def test_lecture(run, dataset, tmp_path):
    model = tmp_path / "monks.miter"
    arguments = ["--learner", "id3", "-p", "criterion=normalised_gain", "-q"]
    assert run("fit", dataset("monks-1"), "-o", model, *arguments).code == 0
    out = run("evaluate", model, dataset("monks-1", ".test"), "--train", dataset("monks-1")).out
    assert "Error: 18.98% +- 1.89% [15.56% - 22.95%]" in out.splitlines()


def test_rows_without_classes(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text("outlook,humidity,wind\nrain,80,weak\n")
    result = run("evaluate", model, rows)
    assert result.code == 1
    assert "no labels" in result.sentence


def test_unknown_class(run, model, tmp_path):
    rows = tmp_path / "new.csv"
    rows.write_text("outlook,humidity,wind,play\nrain,80,weak,perhaps\n")
    result = run("evaluate", model, rows)
    assert result.code == 1
    assert "'perhaps'" in result.sentence


# ---- costs ---------------------------------------------------------------------------------


@pytest.fixture
def costs(tmp_path):
    path = tmp_path / "weather.costs"
    path.write_text("yes, no: 5\nno, yes: 1\n")
    return path


@pytest.fixture
def new(tmp_path):
    # The model calls them no, yes and yes: one yes is missed, and one no.
    path = tmp_path / "new.csv"
    path.write_text("outlook,humidity,wind,play\nsunny,85,weak,yes\novercast,1,weak,no\n")
    with path.open("a") as file:
        file.write("overcast,2,weak,yes\n")
    return path


def test_costs(run, model, new, costs):
    plain, costly = run("evaluate", model, new).out, run("evaluate", model, new, "--costs", costs)
    assert (costly.code, costly.err) == (0, "")
    assert costly.out.removeprefix(plain.rstrip("\n")).splitlines() == [
        "",
        "",
        "Total cost: 6. Mean cost: 2.0000",
        "",
        "     false negatives  false positives",
        "no                 1                1",
        "yes                1                1",
    ]


def test_costs_as_json(run, model, new, costs):
    report = json.loads(run("evaluate", model, new, "--costs", costs, "--json").out)
    assert (report["total_cost"], report["mean_cost"]) == (6, 2)
    assert (report["false_negatives"], report["false_positives"]) == ([1, 1], [1, 1])
    report = json.loads(run("evaluate", model, new, "--focus", "no=9", "--json").out)
    assert report["total_cost"] == 10
    assert json.loads(run("evaluate", model, new, "--json").out)["total_cost"] is None


def test_costs_of_the_model_are_the_default(run, weather, new, costs, tmp_path):
    path = tmp_path / "careful.miter"
    assert run("fit", weather, "--target", "play", "--costs", costs, "-o", path, "-q").code == 0
    given = run("evaluate", path, new, "--costs", costs, "--json").out
    assert json.loads(given)["total_cost"] > 0
    assert run("evaluate", path, new, "--json").out == given


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--costs", "none.costs"], 1, "none.costs cannot be read"),
        (["--focus", "maybe=3"], 1, "costs name 'maybe', which is not a class"),
        (["--focus", "no"], 2, "--focus 'no' is not of the form CLASS=RATIO."),
        (["--focus", "no=much"], 2, "--focus 'no=much': the ratio is 'much'; give a number"),
        (["--focus", "no=-1"], 2, "--focus 'no=-1': the ratio is '-1'; give a number"),
        (["--focus", "no=3", "--costs", "a.costs"], 2, "--costs and --focus say the same"),
        (["--others", "3"], 2, "--others is a part of --focus; give both."),
        (["--focus", "no=3", "--others", "-1"], 2, "Invalid value for '--others'"),
    ],
    ids=str,
)
def test_costs_that_make_no_sense(run, model, new, arguments, code, words):
    result = run("evaluate", model, new, *arguments)
    assert result.code == code
    assert words in result.sentence


def test_lines_of_costs_that_make_no_sense_are_named(run, model, new, costs):
    costs.write_text("yes, perhaps: 5\n")
    assert f"{costs}, line 1" in run("evaluate", model, new, "--costs", costs).sentence


def test_the_column_of_the_true_classes_may_be_called_otherwise(run, model, weather, tmp_path):
    rows = tmp_path / "named.csv"
    rows.write_text(weather.read_text().replace("play", "truth", 1))
    assert "Accuracy: 100.00%" in run("evaluate", model, rows, "--target", "truth").out
    assert "no labels" in run("evaluate", model, rows).sentence
    assert "learns from this column" in run("evaluate", model, rows, "--target", "wind").sentence
