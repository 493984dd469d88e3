import sys
import time

import pytest

from miter.cli import waiting as module
from miter.cli.waiting import waiting


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.01)


def test_nothing_is_said_when_it_is_quick(capsys):
    with waiting("reading", quiet=False):
        pass
    assert capsys.readouterr() == ("", "")


def test_one_line_in_a_log(capsys, impatient):
    with waiting("reading iris.data", quiet=False):
        time.sleep(0.2)
    assert capsys.readouterr() == ("", "reading iris.data ...\n")


def test_nothing_when_quiet(capsys, impatient):
    with waiting("reading", quiet=True):
        time.sleep(0.2)
    assert capsys.readouterr() == ("", "")


def test_line_vanishes_in_a_terminal(capsys, impatient, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with waiting("reading iris.data", quiet=False):
        time.sleep(0.5)
    err = capsys.readouterr().err
    assert "reading iris.data" in err
    assert err.endswith("\x1b[2K")


def test_errors_pass(impatient):
    with pytest.raises(ValueError, match="no"), waiting("reading", quiet=False):
        raise ValueError("no")
