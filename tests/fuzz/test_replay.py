"""Whatever once broke a reader, and some hundreds of mutations of small files, break none now.

`make fuzz` feeds many more.
"""

from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
CORPUS = PROJECT / "tests" / "fuzz" / "corpus"
READERS = sorted(path.name for path in CORPUS.iterdir())


@pytest.fixture
def part(monkeypatch):
    """Return a function from the name of a part of experiments/trust.py to its module."""
    monkeypatch.syspath_prepend(PROJECT / "experiments")
    return lambda name: import_module(f"trust_parts.{name}")


@pytest.mark.parametrize("name", READERS)
def test_the_corpus_is_read_or_refused(part, name):
    reader = part("readers").READERS[name]
    read = [reader(content) for content in part("fuzz").seeds_of(name)]
    assert any(read)


@pytest.mark.parametrize("name", READERS)
def test_mutations_are_read_or_refused(part, name):
    fed = part("fuzz").feed(name, 60, seed=0)
    assert fed.inputs == 60
    assert fed.findings == []


def test_every_reader_has_a_corpus(part):
    assert set(READERS) == part("readers").READERS.keys()


def test_what_breaks_a_promise_is_kept_and_made_again(part, monkeypatch, tmp_path):
    readers = part("readers").READERS
    monkeypatch.setitem(readers, "costs", lambda content: 1 // (len(content) % 3) > 0)
    first = part("fuzz").feed("costs", 30, 1, tmp_path)
    assert first.findings == part("fuzz").feed("costs", 30, 1).findings
    assert 0 < len(first.findings) < 30
    kept = {path.name for path in tmp_path.iterdir()}
    assert {line.split(":")[0] for line in first.findings} == kept
    assert "ZeroDivisionError" in first.findings[0]
