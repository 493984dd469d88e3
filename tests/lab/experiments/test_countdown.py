import io
import re

import pytest

from miter.lab.experiments import countdown
from miter.lab.experiments.countdown import Countdown, say_seconds


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose only number is the time."""
    now = [100.0]
    monkeypatch.setattr(countdown, "monotonic", lambda: now[0])
    return now


def test_a_terminal_has_one_line_that_vanishes(monkeypatch, clock):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with Countdown(n_runs=200, n_before=100) as line:
        for number in range(50):
            clock[0] += 2
            line.count(has_failed=number == 3)
    shown = re.split(r"\r|\x1b\[K", terminal.getvalue())
    shown = [text for text in shown if text]
    assert shown[0] == "100 of 200 runs"
    assert shown[1] == "101 of 200 runs, about 3 min left"
    assert shown[-1] == "150 of 200 runs, 1 failed, about 2 min left"
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_log_gets_a_line_now_and_then(capsys, clock):
    with Countdown(n_runs=200) as line:
        for _ in range(25):
            clock[0] += 1
            line.count(has_failed=False)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["10 of 200 runs, about 3 min left", "20 of 200 runs, about 3 min left"]


def test_silence(monkeypatch, capsys, clock):
    with Countdown(3, is_shown=False) as line:
        clock[0] += 100
        line.count(has_failed=True)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with Countdown(3, is_shown=False) as line:
        line.count(has_failed=True)
    assert (capsys.readouterr().err, terminal.getvalue()) == ("", "")


def test_times():
    assert [say_seconds(s) for s in (0.2, 99, 101, 5900, 6100)] == [
        "0 s",
        "99 s",
        "2 min",
        "98 min",
        "1 h 42 min",
    ]
