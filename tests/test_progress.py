import sys

import pytest

from miter import progress
from miter.progress import ProgressLine


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose only item is the time."""
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def test_silent_in_the_first_second(clock, capsys):
    with ProgressLine() as line:
        clock[0] += 0.9
        line(1, 2, 0.0)
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_a_line_every_ten_seconds(clock, capsys):
    with ProgressLine() as line:
        for level in range(1, 41):
            clock[0] += 1
            line(level, 10 * level, level / 100)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "growing: level 1, 10 open nodes, 1% of the rows settled, 1 s",
        "growing: level 11, 110 open nodes, 11% of the rows settled, 11 s",
        "growing: level 21, 210 open nodes, 21% of the rows settled, 21 s",
        "growing: level 31, 310 open nodes, 31% of the rows settled, 31 s",
    ]


def test_a_terminal_gets_one_line_that_vanishes(clock, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    line = ProgressLine()
    clock[0] += 2
    line(3, 1234, 0.5)
    line(4, 7, 0.75)
    line._live.refresh()
    line.close()
    line.close()
    out, err = capsys.readouterr()
    assert out == ""
    assert "level 3, 1,234 open nodes, 50% of the rows settled, 2 s" in err
    assert "level 4, 7 open nodes" in err
    assert err.endswith(("\x1b[2K", "\x1b[?25h"))
