import json

import pytest

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")


def test_learning_curve(run, weather, tmp_path):
    picture = tmp_path / "curve.png"
    options = ["--learner", "id3", "--sizes", "4,10", "--repeats", "3", "--picture", picture]
    result = run("curve", "learning", weather, "--target", "play", *options)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert [line.split(";")[0] for line in lines] == ["Train Size: 4", "Train Size: 10"]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_lecture_at_size_one(run, dataset):
    result = run("curve", "learning", dataset("monks-1"), "--learner", "id3", "--sizes", "1")
    assert result.out == "Train Size: 1; training 20 times. Mean Error: 50.41% +- 0.00%\n"


def test_size_curve_as_json(run, weather):
    options = ["--vary", "max_depth=0,2", "--samples", "4", "--json", "-p", "pruning=null"]
    result = run("curve", "size", weather, "--target", "play", *options)
    points = json.loads(result.out)
    assert [point["max_depth"] for point in points] == [0, 2]
    assert points[0]["nodes"] == 1


@pytest.mark.parametrize("verb", ["roc", "cost"])
@pytest.mark.parametrize("learner", ["id3", "LogisticRegression", "bagging"])
def test_prices(run, weather, verb, learner):
    options = ["--class", "yes", "--learner", learner, "--test-share", "0.5"]
    result = run("curve", verb, weather, "--target", "play", *options)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1].startswith("area under the curve: 0.")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["learning", "--sizes", "a"], 2, "'a' is not whole numbers"),
        (["learning", "--sizes", "99"], 1, "size 99 is not between 1 and 13"),
        (["size", "--vary", "max_deph=1"], 2, "no parameter 'max_deph'"),
        (["roc", "--class", "yess"], 1, "no class 'yess'; did you mean 'yes'?"),
        (["roc", "--class", "yes", "--learner", "id4"], 2, "did you mean 'id3'"),
        (["cost", "--class", "yes", "--test-share", "1"], 2, "--test-share"),
        (["learnin"], 2, "No such command 'learnin'"),
    ],
)
def test_wrong_use(run, weather, arguments, code, words):
    verb, *options = arguments
    result = run("curve", verb, weather, "--target", "play", *options)
    assert result.code == code
    assert words in result.sentence
