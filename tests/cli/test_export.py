"""`miter export`: every language by suffix or by name, and nothing half-written."""

import json

import pytest

from miter.exporting import LANGUAGES, export
from miter.model_file import load


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file(run, model, tmp_path, language):
    pytest.importorskip("onnx") if language == "onnx" else None
    path = tmp_path / f"tree{LANGUAGES[language].suffixes[0]}"
    result = run("export", model, "-o", path)
    assert (result.code, result.out) == (0, "")
    assert language in result.err
    written = export(load(model), language)
    assert path.read_bytes() == (written if isinstance(written, bytes) else written.encode())


def test_standard_output(run, model):
    result = run("export", model, "--language", "json")
    assert result.code == 0
    assert json.loads(result.out)["classes"] == ["no", "yes"]


def test_a_name(run, model):
    assert (
        "double weather_code(" in run("export", model, "--language", "c", "--name", "weather").out
    )
    assert 'FROM "my table"' in run("export", model, "--language", "sql", "--name", "my table").out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "Say which --language: python, c, sql"),
        (["-o", "tree.cobol"], "Say which --language"),
        (["--language", "pyhton"], "there is no language 'pyhton' to export to; did you mean"),
        (["--language", "python", "--name", "x"], "nothing has a name in python"),
        (["-o", "tree.c", "--name", "1 x"], "name is '1 x'; give a word"),
        (["-o", "nowhere/tree.c"], "there is no such folder"),
    ],
)
def test_mistakes(run, model, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    result = run("export", model, *options)
    assert result.code != 0
    assert words in result.sentence
    assert sorted(tmp_path.iterdir()) == before


def test_it_does_not_overwrite_the_model(run, model):
    content = model.read_bytes()
    assert run("export", model, "-o", model, "--language", "c").code == 2
    assert model.read_bytes() == content


def test_help_names_every_language(run):
    said = run("export", "--help").out
    for name, language in LANGUAGES.items():
        assert name in said
        assert language.suffixes[0] in said
