"""A line that tells how many runs are done, and how long the others will take."""

from __future__ import annotations

import sys
from time import monotonic

__all__ = ["Countdown", "say_seconds"]

#: Where a line cannot be rewritten, such as in a log, a new one comes after as many seconds.
LOG_PAUSE = 10.0


class Countdown:
    """Shows on stderr how many runs are done.

    In a terminal one line is rewritten in place and vanishes at the end. Elsewhere a line is
    printed every ten seconds.

    Parameters
    ----------
    n_runs : int
        How many there are in all.
    n_before : int
        How many of them were done before.
    is_shown : bool
        False: show nothing.

    Examples
    --------
    >>> from miter.lab.experiments.countdown import Countdown
    >>> with Countdown(n_runs=200, n_before=150, is_shown=False) as countdown:
    ...     countdown.count(has_failed=False)
    ...     str(countdown).startswith("151 of 200 runs, ")
    True
    """

    def __init__(self, n_runs: int, n_before: int = 0, is_shown: bool = True) -> None:
        self._n_runs, self._n_before, self._is_shown = n_runs, n_before, is_shown
        self._n_done = self._n_failed = 0
        self._begin = self._last_log = monotonic()
        self._is_terminal = sys.stderr.isatty()

    def __enter__(self) -> Countdown:
        if self._is_terminal:
            self._show()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown and self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def count(self, *, has_failed: bool) -> None:
        """Take note of a run that is done."""
        self._n_done += 1
        self._n_failed += has_failed
        if self._is_terminal or monotonic() - self._last_log >= LOG_PAUSE:
            self._last_log = monotonic()
            self._show()

    def __str__(self) -> str:
        words = [f"{self._n_before + self._n_done:,} of {self._n_runs:,} runs"]
        if self._n_failed:
            words.append(f"{self._n_failed:,} failed")
        if self._n_done:
            pace = (monotonic() - self._begin) / self._n_done
            left = pace * (self._n_runs - self._n_before - self._n_done)
            words.append(f"about {say_seconds(left)} left")
        return ", ".join(words)

    def _show(self) -> None:
        if self._is_shown:
            before, after = ("\r", "\x1b[K") if self._is_terminal else ("", "\n")
            print(f"{before}{self}{after}", end="", file=sys.stderr, flush=True)


def say_seconds(seconds: float) -> str:
    """Say a time as people do.

    Examples
    --------
    >>> from miter.lab.experiments.countdown import say_seconds
    >>> say_seconds(42), say_seconds(600), say_seconds(9000)
    ('42 s', '10 min', '2 h 30 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
