import json

import pytest

from miter import UnivariateTreeClassifier
from miter.data import read
from miter.lab import sweep_costs

SWEEP = ["--target", "play", "--class", "no", "--ratios", "1,1.9,40"]


def test_sweep_is_that_of_the_library(run, weather):
    result = run("costs", "sweep", weather, *SWEEP, "-r", "2-fold", "--seed", "3")
    assert (result.code, result.err) == (0, "")
    rows = read(weather, target="play")
    tree = UnivariateTreeClassifier(random_state=3)
    expected = sweep_costs(tree, rows, "no", [1, 1.9, 40], resampling="2-fold", seed=3)
    assert result.out == f"{expected}\n"


def test_sweep_by_hand(run, weather):
    options = ["--test", weather, "-p", "max_depth=0", "--json"]
    points = json.loads(run("costs", "sweep", weather, *SWEEP, *options).out)
    # One leaf with five no and nine yes: all is called no where missing one costs more than 9/5.
    expected = [(1, 5, 0, 5 / 14), (1.9, 0, 9, 9 / 14), (40, 0, 9, 9 / 14)]
    for way in ("trained", "relabelled"):
        found = [
            (p["ratio"], p["false_negatives"], p["false_positives"], pytest.approx(p["mean_cost"]))
            for p in points
            if p["way"] == way
        ]
        assert found == expected


def test_others_and_learner(run, tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("x,y\n" + "1,a\n1,a\n1,b\n1,c\n" * 5)
    costs = {}
    for given in ([], ["--others", "0.5"]):
        options = ["--target", "y", "--class", "b", "--ratios", "1", "--test", rows, "--json"]
        result = run("costs", "sweep", rows, *options, "--learner", "id3", *given)
        costs[tuple(given)] = json.loads(result.out)[0]["mean_cost"]
    # All is called a: each b costs 1, each c what others cost.
    assert costs[()] == pytest.approx((1 + 0.1) / 4)
    assert costs["--others", "0.5"] == pytest.approx((1 + 0.5) / 4)


def test_picture(run, weather, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
    picture = tmp_path / "sweep.png"
    result = run("costs", "sweep", weather, *SWEEP, "--test", weather, "--picture", picture)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Class no, one run with 14 test rows")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--class", "never"], 1, "there is no class 'never'; known are 'no', 'yes'"),
        (["--class", "no", "--ratios", "1;2"], 2, "'1;2' is not numbers with commas between"),
        (["--class", "no", "--ratios", "-1"], 1, "ratio is -1.0; give a number, 0 or more"),
        (["--class", "no", "--learner", "id4"], 2, "did you mean 'id3'"),
        (["--class", "no", "--learner", "GaussianNB"], 1, "cannot be trained with costs"),
        (["--class", "no", "-r", "5y2"], 1, "there is no resampling '5y2'"),
        (["--class", "no", "-r", "5x2", "--test", "a.csv"], 2, "--test and --resampling both say"),
        ([], 2, "Missing option '--class'"),
    ],
    ids=str,
)
def test_wrong_use(run, weather, arguments, code, words):
    result = run("costs", "sweep", weather, "--target", "play", *arguments)
    assert result.code == code
    assert words in result.sentence


def test_rows_are_not_overwritten(run, weather):
    before = weather.read_bytes()
    result = run("costs", "sweep", weather, *SWEEP, "--picture", weather)
    assert (result.code, weather.read_bytes()) == (2, before)
    assert "would overwrite an input" in result.sentence


def test_help_names_the_sweep(run):
    assert "sweep" in run("costs", "--help").out
