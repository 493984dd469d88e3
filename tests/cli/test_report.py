import pytest


def test_a_page_of_a_model(run, model, weather, tmp_path):
    page = tmp_path / "page.html"
    result = run("report", model, weather, "-o", page, "--title", "Shall we play?")
    assert (result.code, result.out) == (0, "")
    assert f"Wrote {page} (" in result.err
    text = page.read_text("utf-8")
    assert "<title>Shall we play?</title>" in text
    assert weather.name in text


def test_the_page_is_called_after_the_model(run, model, weather, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("report", model, weather, "-q").err == ""
    assert (tmp_path / f"{model.name.partition('.')[0]}.html").is_file()


def test_a_page_of_results(run, weather, tmp_path):
    results, page = tmp_path / "results.jsonl", tmp_path / "page.html"
    run(
        *("compare", weather, "--target", "play", "--learner", "id3", "--learner", "c45"),
        *("-r", "2-fold", "-o", results, "-q"),
    )
    assert run("report", results, "-o", page).code == 0
    assert "Who is better where" in page.read_text("utf-8")
    assert "leave DATA out" in run("report", results, weather, "-o", page).sentence


def test_rows_are_needed(run, model):
    assert "Give DATA" in run("report", model).sentence


@pytest.mark.parametrize("which", ["model", "weather"])
def test_nothing_is_overwritten(run, model, weather, which):
    target = {"model": model, "weather": weather}[which]
    before = target.read_bytes()
    assert "would overwrite" in run("report", model, weather, "-o", target).sentence
    assert target.read_bytes() == before


def test_rows_without_classes_have_a_page_too(run, model, weather, tmp_path):
    bare = "\n".join(line.rpartition(",")[0] for line in weather.read_text().splitlines())
    weather.write_text(bare + "\n")
    page = tmp_path / "page.html"
    assert run("report", model, weather, "-o", page, "-q").code == 0
    assert "Right and wrong" not in page.read_text("utf-8")


def test_other_files_are_told(run, tmp_path, weather):
    strange = tmp_path / "strange.miter"
    strange.write_text("{}")
    assert "not a model file" in run("report", strange, weather).sentence
