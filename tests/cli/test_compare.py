import csv
import io
import json
import os
import re
import signal
from time import sleep

import pytest

from miter.cli.compare import compare as verb
from miter.cli.learner_text import parse_learners
from miter.lab.comparisons.comparison_table import FORMS
from miter.lab.comparisons.measures import MEASURES
from miter.lab.experiments.results_file import read_results

LEARNERS = ["--learner", "id3", "--learner", "cart=DecisionTreeClassifier:max_depth=2"]
EXPERIMENT = """
resampling = "3-fold"
sets = [{path = "weather.csv", target = "play"}]
[learners.id3]
[learners.none]
learner = "DummyClassifier"
"""


@pytest.fixture
def compare(run, weather):
    def call(*arguments):
        return run("compare", weather, "--target", "play", "-r", "3-fold", *arguments)

    return call


def test_options_offer_what_the_library_has():
    options = {option.name: option for option in verb.params}
    assert options["form"].type.choices == tuple(FORMS)
    assert options["measure"].type.choices == tuple(MEASURES)


def test_table(compare):
    result = compare(*LEARNERS)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "Accuracy in %, mean ± standard deviation of 3 runs (3-fold, seed 0)"
    assert lines[2].split() == ["set", "id3", "cart"]
    assert lines[4].split()[0] == "weather"
    assert lines[-1] == "Marks: + better, - worse than id3 (k-fold paired t test at 0.05)."


def test_formats(compare):
    by_csv = list(csv.DictReader(io.StringIO(compare(*LEARNERS, "--format", "csv").out)))
    by_json = json.loads(compare(*LEARNERS, "--json").out)
    assert json.loads(compare(*LEARNERS, "--format", "json").out)["means"] == by_json["means"]
    assert [float(row["mean"]) for row in by_csv] == [mean["mean"] for mean in by_json["means"]]
    assert compare(*LEARNERS, "--format", "markdown").out.count("\n|") == 6
    assert r"\end{tabular}" in compare(*LEARNERS, "--format", "latex").out


def test_measure_level_and_reference(compare):
    options = ("--measure", "nodes", "--reference", "cart", "--significance", "0.2", "--seed", "4")
    lines = compare(*LEARNERS, *options).out.splitlines()
    assert lines[0] == "Nodes, mean ± standard deviation of 3 runs (3-fold, seed 4)"
    assert "worse than cart (k-fold paired t test at 0.2)" in lines[-1]


def test_results_are_kept_and_used_again(compare, tmp_path):
    path = tmp_path / "results.jsonl"
    first = compare(*LEARNERS, "-o", path, "--format", "csv")
    written = path.read_bytes()
    assert len(read_results(path)) == 6
    again = compare(*LEARNERS, "-o", path, "--format", "csv", "--workers", "2")
    assert (again.out, path.read_bytes()) == (first.out, written)
    other = compare(*LEARNERS, "-o", path, "--seed", "1")
    assert other.code == 1
    assert "another experiment: seed is 0 there and 1 here. Give another file" in other.sentence


def test_experiment_file(run, weather):
    path = weather.with_name("trees.toml")
    path.write_text(EXPERIMENT)
    result = run("compare", path, "--format", "csv")
    assert (result.code, result.err) == (0, "")
    assert [line.split(",")[1] for line in result.out.splitlines()[1:]] == ["id3", "none"]


def test_failed_runs_are_reported(compare):
    result = compare("--learner", "id3", "--learner", "KNeighborsClassifier:n_neighbors=50")
    assert result.code == 1
    assert "! KNeighborsClassifier:n_neighbors=50 failed in 3 of 3 runs on weather" in re.sub(
        r"\s+", " ", result.out
    )


def test_warnings_are_told_once(compare):
    arguments = ("--learner", "LogisticRegression:max_iter=1")
    result = compare(*arguments)
    assert result.code == 0
    assert result.err.startswith(
        "LogisticRegression:max_iter=1 gave warnings in 3 of 3 runs, such as ConvergenceWarning: "
    )
    assert result.err.count("\n") == 1
    assert compare(*arguments, "-q").err == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say what to compare, with --learner."),
        (["--learner", "id4"], "there is no learner 'id4'; did you mean 'id3'?"),
        (
            ["--learner", "id3:max_dept=3"],
            "learner 'id3:max_dept=3': learner 'id3' has no parameter",
        ),
        (["--learner", "id3:gain"], "--learner 'id3:gain': 'gain' is not of the form NAME=VALUE."),
        (["--learner", "=id3"], "--learner '=id3' is not of the form"),
        (["--learner", "id3", "--learner", "id3"], "--learner names 'id3' twice"),
        (["--learner", "os.system"], "there is no learner 'os.system'"),
        (["--learner", "id3", "-r", "6-fould"], "there is no resampling '6-fould'"),
        (["--learner", "id3", "--reference", "id4"], "--reference: there is no learner 'id4'"),
        (["--learner", "id3", "--significance", "1"], "Invalid value for '--significance'"),
        (["--learner", "id3", "--workers", "0"], "Invalid value for '--workers'"),
        (["--learner", "id3", "--measure", "size"], "Invalid value for '--measure'"),
    ],
    ids=str,
)
def test_wrong_use(compare, arguments, sentence):
    result = compare(*arguments)
    assert result.code == 2
    assert result.sentence.startswith(sentence)


def test_an_experiment_file_comes_alone(run, weather):
    path = weather.with_name("trees.toml")
    path.write_text(EXPERIMENT)
    for arguments, sentence in (
        ([weather], "An experiment file comes alone"),
        (["--learner", "id3"], f"{path} says this itself; leave --learner out."),
        (["--seed", "3"], f"{path} says this itself; leave --seed out."),
        (["--seed", "0"], f"{path} says this itself; leave --seed out."),
    ):
        result = run("compare", path, *arguments)
        assert result.code == 2
        assert result.sentence.startswith(sentence)


def test_failures(run, weather, tmp_path):
    missing = run("compare", tmp_path / "none.csv", *LEARNERS)
    assert missing.code == 1
    assert "there is no file" in missing.sentence
    unnamed = run("compare", weather, *LEARNERS)
    assert "--target" in unnamed.sentence
    own = run("compare", weather, "--target", "play", *LEARNERS, "-o", weather)
    assert "would overwrite an input" in own.sentence
    (tmp_path / "bad.toml").write_text("sets = 3")
    bad = run("compare", tmp_path / "bad.toml")
    assert (bad.code, "the key 'learners' is missing" in bad.sentence) == (1, True)


def test_interrupting(program, dataset, tmp_path):
    path = tmp_path / "results.jsonl"
    arguments = [dataset("german"), "--learner", "RandomForestClassifier", "-r", "20x5-fold"]
    process = program("compare", *arguments, "-o", path, start_new_session=True)
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") > 3):
        sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err.split("\n")[0] == f"Stopped; the same command goes on with what is in {path}."
    assert "Traceback" not in err
    assert len(read_results(path)) >= 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id3", {"id3": ("id3", {})}),
        ("a=id3", {"a": ("id3", {})}),
        ("id3:max_depth=3", {"id3:max_depth=3": ("id3", {"max_depth": 3})}),
        ("a=id3:pruning=null,b=x", {"a": ("id3", {"pruning": None, "b": "x"})}),
        (
            'net=MLPClassifier:hidden_layer_sizes=[5,5],class_weight={"a,b": 2},x="1,2"',
            {
                "net": (
                    "MLPClassifier",
                    {"hidden_layer_sizes": [5, 5], "class_weight": {"a,b": 2}, "x": "1,2"},
                )
            },
        ),
        ("sklearn.tree.DecisionTreeClassifier", None),
    ],
)
def test_parse_learners(text, expected):
    assert parse_learners([text]) == (expected or {text: (text, {})})


# ---- costs ---------------------------------------------------------------------------------


@pytest.fixture
def priced(weather):
    path = weather.with_name("weather.costs")
    path.write_text("yes, no: 5\nno, yes: 1\n")
    return path


COSTLY = ["--learner", "none=DummyClassifier", "--learner", "careful=DummyClassifier+costs"]


def test_costs_follow_the_accuracies(compare, priced):
    result = compare(*COSTLY, "--costs")
    assert (result.code, result.err) == (0, "")
    accuracies, costs = result.out.split("Mean cost of a row, ")
    assert accuracies.startswith("Accuracy in %, mean ± standard deviation of 3 runs")
    assert costs.startswith("mean ± standard deviation of 3 runs (3-fold, seed 0)")
    assert "Mean cost" not in compare("--learner", "none=DummyClassifier").out


def test_costs_are_those_of_the_file(compare, priced):
    by_cost = json.loads(compare(*COSTLY, "--measure", "cost", "--json").out)
    none, careful = by_cost["means"]
    accuracy = json.loads(compare(*COSTLY, "--json").out)["means"]
    # One calls everything yes, at 5 a no; the other everything no, at 1 a yes.
    assert accuracy[0]["mean"] + accuracy[1]["mean"] == pytest.approx(100)
    assert none["mean"] == pytest.approx(5 * (1 - accuracy[0]["mean"] / 100))
    assert careful["mean"] == pytest.approx(1 - accuracy[1]["mean"] / 100)
    assert careful["mean"] < none["mean"]


def test_train_with_costs(compare, priced):
    learners = ["--learner", "tree=univariate:max_depth=0", "--learner", "none=DummyClassifier"]
    plain = json.loads(compare(*learners, "--costs", "--json").out)["cost"]["means"]
    trained = json.loads(compare(*learners, "--train-with-costs", "--json").out)["cost"]["means"]
    assert trained[0]["mean"] < plain[0]["mean"] == plain[1]["mean"]
    assert trained[1] | {"p_value": None} == plain[1] | {"p_value": None}


def test_costs_of_an_experiment_file(run, weather, priced):
    path = weather.with_name("trees.toml")
    path.write_text("costs = true\n" + EXPERIMENT)
    out = run("compare", path, "--measure", "cost", "--format", "csv").out
    assert [line.split(",")[1] for line in out.splitlines()[1:]] == ["id3", "none"]
    for option in ("--costs", "--train-with-costs"):
        result = run("compare", path, option)
        assert result.code == 2
        assert result.sentence.startswith(f"{path} says this itself; leave {option} out.")


def test_costs_that_are_not_there(compare):
    result = compare("--learner", "id3", "--measure", "cost")
    assert (result.code, result.sentence[:43]) == (2, "--measure cost: no set has costs; give --co")
    for arguments in (["--learner", "id3", "--costs"], ["--learner", "id3+costs"]):
        result = compare(*arguments)
        assert result.code == 1
        assert "set 'weather': there is no file" in result.sentence
    result = compare("--learner", "GaussianNB", "--train-with-costs")
    assert (result.code, result.sentence[:38]) == (2, "no learner can be trained with costs; ")


def test_what_was_made_of_a_set_is_said(run, tmp_path):
    path = tmp_path / "people.csv"
    rows = "".join(f"person {i},{i % 50},{'yes' if i % 50 > 25 else 'no'}\n" for i in range(200))
    path.write_text("name,age,buys\n" + rows)
    arguments = ["compare", path, "--target", "buys", "--learner", "id3", "-r", "2-fold"]
    assert run(*arguments).err.startswith(f"{path}: column 'name': has 200 different values")
    assert run(*arguments, "-q").err == ""
    kept = run(*arguments, "--kind", "name=ignored", "--measure", "balanced_accuracy")
    assert (kept.code, kept.err) == (0, "")
    assert kept.out.startswith("Balanced accuracy in %")
