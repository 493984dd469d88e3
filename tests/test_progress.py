import subprocess
import sys
from threading import Event, Thread

import pytest

from miter import progress
from miter.progress import Countdown, ProgressLine, say_seconds


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose only item is the time."""
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def waits(monkeypatch, clock):
    """Return a list of how many seconds are waited for; they pass at once, 35 of them."""
    waited = []

    class QuickEvent(Event):
        def wait(self, seconds=None):
            if seconds is None:
                return super().wait()
            waited.append(seconds)
            clock[0] += seconds
            return clock[0] > 135

    monkeypatch.setattr(progress, "Event", QuickEvent)
    return waited


def pretend_terminal(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


def test_what_is_quick_is_silent(clock, capsys, monkeypatch):
    pretend_terminal(monkeypatch)
    with ProgressLine("reading") as line:
        clock[0] += 0.9
        line(1, 2, 0.0)
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_a_line_every_ten_seconds(waits, capsys):
    with ProgressLine("reading iris.data"):
        pass
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "reading iris.data, 10 s",
        "reading iris.data, 20 s",
        "reading iris.data, 30 s",
    ]
    assert waits == [10, 10, 10, 10]


def test_a_terminal_gets_one_line_that_vanishes(waits, capsys, monkeypatch):
    pretend_terminal(monkeypatch)
    line = ProgressLine()
    line(3, 1234, 0.5)
    line(4, 7, 0.75)
    line.close()
    line.close()
    line.show("too late")
    out, err = capsys.readouterr()
    assert out == ""
    assert "growing: level 4, 7 open nodes, 75% of the rows settled, 1 s" in err
    assert err.endswith(("\x1b[2K", "\x1b[?25h"))
    assert "too late" not in err
    assert waits == [1]


def test_quiet_and_without_a_word(clock, capsys, monkeypatch):
    pretend_terminal(monkeypatch)
    for line in (ProgressLine("reading", quiet=True), Countdown(3, quiet=True)):
        with line:
            clock[0] += 100
            line.show("more")
    ProgressLine("nothing is done").close()
    assert capsys.readouterr() == ("", "")


def test_errors_pass():
    with pytest.raises(ValueError, match="no"), ProgressLine("reading"):
        raise ValueError("no")


def test_runs_are_counted(clock):
    line = Countdown(n_runs=200, n_before=100)
    assert str(line) == "100 of 200 runs"
    clock[0] += 2
    line.count()
    assert str(line) == "101 of 200 runs, about 3 min left"
    for number in range(49):
        clock[0] += 2
        line.count(has_failed=number == 3)
    assert str(line) == "150 of 200 runs, 1 failed, about 2 min left"
    assert str(Countdown(7, text="speed: ")) == "speed: 0 of 7 runs"


def test_many_threads_may_tell(clock):
    with Countdown(4000) as line:
        threads = [
            Thread(target=lambda: [(line.count(), line.show("")) for _ in range(500)])
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert str(line) == "4,000 of 4,000 runs, about 0 s left"


def test_times():
    assert [say_seconds(s) for s in (0.2, 99, 101, 5900, 6100)] == [
        "0 s",
        "99 s",
        "2 min",
        "98 min",
        "1 h 42 min",
    ]


def test_rich_is_loaded_only_when_a_line_is_drawn():
    code = (
        "import sys; from miter.progress import ProgressLine\n"
        "with ProgressLine('reading'): pass\n"
        "assert not {'rich', 'numpy'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
