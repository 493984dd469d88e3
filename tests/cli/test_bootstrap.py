import json
import re

import pytest

LINE = r"\d+\.\d\d% \+- \d+\.\d\d% \(-?\d+\.\d\d% - \d+\.\d\d%\)"


def test_the_line_of_the_lecture(run, dataset):
    arguments = ["--learner", "id3", "-p", "criterion=normalised_gain", "--samples", "5"]
    result = run("bootstrap", dataset("monks-1"), *arguments)
    assert (result.code, result.err) == (0, "")
    first, second = result.out.splitlines()
    assert first == "Bootstrapping 5 times:"
    assert re.fullmatch(LINE, second)


def test_json_seed_and_plus(run, weather):
    def answer(*arguments):
        options = ["--target", "play", "--samples", "4", "--json", *arguments]
        return json.loads(run("bootstrap", weather, *options).out)

    plain = answer()
    assert (plain["learner"], plain["samples"], plain["plus"]) == ("univariate", 4, False)
    assert len(plain["per_sample"]) == 4
    assert answer() == plain
    assert answer("--seed", "1")["per_sample"] != plain["per_sample"]
    assert answer("--plus")["plus"]
    forest = ["--learner", "RandomForestClassifier", "-p", "n_estimators=3"]
    assert answer(*forest) == answer(*forest)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--learner", "id4"], "there is no learner 'id4'; did you mean 'id3'?"),
        (["-p", "max_dept=3"], "learner 'univariate' has no parameter 'max_dept'"),
        (["--samples", "1"], "Invalid value for '--samples'"),
    ],
    ids=str,
)
def test_wrong_use(run, weather, arguments, sentence):
    result = run("bootstrap", weather, "--target", "play", *arguments)
    assert result.code == 2
    assert result.sentence.startswith(sentence)


def test_failures(run, tmp_path):
    result = run("bootstrap", tmp_path / "none.csv", "--target", "play")
    assert result.code == 1
    assert "there is no file" in result.sentence
