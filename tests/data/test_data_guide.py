"""The example of docs/data.md runs, and says what it should."""

import re
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "data.md"


def test_the_example_of_the_guide(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[1], {})
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "<Data: 60 rows, 5 columns, class 'class': 27 bad, 33 good>"
    assert said[1] == "separated by semicolons, with decimal commas"
    assert [line.split("'")[1] for line in said[2:]] == ["id", "joined", "rate"]
