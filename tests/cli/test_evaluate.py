import json


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
