"""What docs/costs.md shows is what happens."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from miter.data.costs import read_costs

GUIDE = Path(__file__).parents[2] / "docs" / "costs.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")


@pytest.fixture
def folder(dataset, tmp_path, monkeypatch):
    for name in ("german", "heart-statlog"):
        for suffix in (".data", ".names", ".costs"):
            shutil.copy(dataset(name, suffix), tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(language):
    return [text for found, text in BLOCK.findall(GUIDE.read_text("utf-8")) if found == language]


def without_numbers(text):
    """Leave the words: times differ, and so may other numbers with the next version."""
    text = re.sub(r"(?<=\d) [-+](?=\s)|-{3,}", "", text)  # marks and lines
    return re.sub(r"[\d.]+%?", "#", text).split()


def test_python(folder):
    names = {}
    assert len(blocks("python")) > 4
    for text in blocks("python"):
        exec(compile(text, str(GUIDE), "exec"), names)
    assert (folder / "sweep.png").is_file()


def test_commands(run, folder):
    commands = [text for text in blocks("") if text.startswith("$ ")]
    assert len(commands) > 4
    for text in commands:
        for one in text.replace("\\\n", "").split("$ miter ")[1:]:
            command, _, shown = one.partition("\n")
            result = run(*shlex.split(command))
            assert result.code == 0, result.err
            if shown:
                assert without_numbers(result.out) == without_numbers(shown)


def test_costs_file(folder):
    [text] = [text for text in blocks("") if not text.startswith("$ ")]
    (folder / "own.costs").write_text(text)
    assert read_costs("own.costs", ("1", "2")).tolist() == [[0, 5], [1, 0]]


def test_experiment_file(run, folder):
    [text] = blocks("toml")
    (folder / "costs.toml").write_text(text)
    result = run("compare", "costs.toml")
    assert result.code == 0, result.err
    assert "Mean cost of a row" in result.out
