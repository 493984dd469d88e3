"""The line that tells those who wait what is being done, and how far it has come."""

from __future__ import annotations

import sys
from threading import Event, Lock, Thread
from time import monotonic
from typing import Self

__all__ = ["Countdown", "ProgressLine", "say_seconds"]

#: Nothing is shown in the first seconds, so that what is quick is silent.
PATIENCE = 1.0
#: Where a line cannot be rewritten, such as in a log, one is printed after as many seconds.
LOG_PAUSE = 10.0


class ProgressLine:
    """A line on stderr, drawn by a thread of its own from the first word until it is closed.

    In a terminal it comes after a second, is rewritten in place and vanishes at the end. Elsewhere
    a line is printed every ten seconds.

    Parameters
    ----------
    text : str
        What to show at first, as in 'reading iris.data'.
    quiet : bool
        Show nothing.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.progress import ProgressLine
    >>> from miter.splitters import UnivariateSplitter
    >>> with ProgressLine("growing") as line:
    ...     tree = grow(led(100, seed=1), UnivariateSplitter(), progress=line)
    """

    def __init__(self, text: str = "", *, quiet: bool = False) -> None:
        self._text, self._quiet = text, quiet
        self._begin = monotonic()
        self._is_over = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(
        self, depth: int, n_open_nodes: int, settled_share: float, n_workers: int | None = None
    ) -> None:
        """Tell that a level of a tree is done; for `miter.growing.loop.grow`.

        Parameters
        ----------
        depth : int
            Its number.
        n_open_nodes : int
            Nodes that may still be divided.
        settled_share : float
            The part of the training rows that has come to a leaf.
        n_workers : int, optional
            How many processes work on the rows, where these are in several.
        """
        workers = "" if n_workers is None else f", {n_workers:,} workers"
        self.show(
            f"growing: level {depth}, {n_open_nodes:,} open nodes, "
            f"{settled_share:.0%} of the rows settled{workers}"
        )

    def show(self, text: str) -> None:
        """Show another text from now on."""
        self._text = text
        self._start()

    def close(self) -> None:
        """Clear the line; nothing is shown after that."""
        with self._lock:
            self._is_over.set()
        if self._thread is not None:
            self._thread.join()

    def __str__(self) -> str:
        return f"{self._text}, {self._seconds:.0f} s"

    @property
    def _seconds(self) -> float:
        return monotonic() - self._begin

    def _start(self) -> None:
        with self._lock:
            if self._thread is None and not self._quiet and not self._is_over.is_set():
                self._thread = Thread(target=self._draw, daemon=True)
                self._thread.start()

    def _draw(self) -> None:
        if sys.stderr.isatty():
            if not self._is_over.wait(PATIENCE - self._seconds):
                self._rewrite()
            return
        while not self._is_over.wait(LOG_PAUSE - self._seconds % LOG_PAUSE):
            print(self, file=sys.stderr, flush=True)

    def _rewrite(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        live = Live(
            console=Console(stderr=True),
            get_renderable=lambda: Text(str(self), no_wrap=True, overflow="ellipsis"),
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        live.start(refresh=True)
        self._is_over.wait()
        live.stop()


class Countdown(ProgressLine):
    """Tells how many runs are done, and how long the others will take.

    Parameters
    ----------
    n_runs : int
        How many there are in all.
    n_before : int
        How many of them were done before.
    text : str
        What stands before the numbers.
    quiet : bool
        Show nothing.

    Examples
    --------
    >>> from miter.progress import Countdown
    >>> with Countdown(n_runs=200, n_before=150) as countdown:
    ...     countdown.count()
    ...     str(countdown).startswith("151 of 200 runs, ")
    True
    """

    def __init__(
        self, n_runs: int, n_before: int = 0, text: str = "", *, quiet: bool = False
    ) -> None:
        super().__init__(text, quiet=quiet)
        self._n_runs, self._n_before = n_runs, n_before
        self._n_done = self._n_failed = 0

    def count(self, *, has_failed: bool = False) -> None:
        """Take note of a run that is done."""
        with self._lock:
            self._n_done += 1
            self._n_failed += has_failed

    def __str__(self) -> str:
        words = [f"{self._text}{self._n_before + self._n_done:,} of {self._n_runs:,} runs"]
        if self._n_failed:
            words.append(f"{self._n_failed:,} failed")
        if self._n_done:
            left = self._n_runs - self._n_before - self._n_done
            words.append(f"about {say_seconds(self._seconds / self._n_done * left)} left")
        return ", ".join(words)


def say_seconds(seconds: float) -> str:
    """Say a time as people do.

    Examples
    --------
    >>> from miter.progress import say_seconds
    >>> say_seconds(42), say_seconds(600), say_seconds(9000)
    ('42 s', '10 min', '2 h 30 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
