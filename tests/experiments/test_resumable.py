"""What was found outlives a killed run."""

from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def store(monkeypatch, tmp_path):
    """Return a function that opens the same store each time."""
    monkeypatch.syspath_prepend(PROJECT / "experiments")
    resumable = import_module("resumable")
    (tmp_path / "experiments").mkdir()
    monkeypatch.setattr(resumable, "PROJECT", tmp_path)
    return lambda **options: resumable.Store("found", **options)


def test_what_is_known_is_not_found_again(store):
    calls = []
    tasks = {("iris", seed): lambda seed=seed: calls.append(seed) or seed for seed in range(3)}
    assert not store().knows(tasks)
    assert list(store().find(tasks).values()) == [0, 1, 2]
    assert store().knows(tasks)
    assert store().find(tasks | {"wine": lambda: [7.5]})["wine"] == [7.5]
    assert calls == [0, 1, 2]
    assert not store(by_code=True).knows(tasks)
    assert not store(fresh=True).knows(tasks)


def test_a_torn_line_is_found_again(store):
    assert store().find({"a": lambda: 1, "b": lambda: 2}) == {"a": 1, "b": 2}
    path = store().path
    path.write_text(path.read_text()[:-3])
    assert store().values == {"a": 1}
    assert store().find({"a": lambda: 0, "b": lambda: 3}) == {"a": 1, "b": 3}
