"""A word on stderr for those who wait longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any

__all__ = ["waiting"]

PATIENCE = 1.0


@contextmanager
def waiting(what: str, *, quiet: bool) -> Iterator[None]:
    """Show what is being done while it is being done, unless it is done within a second.

    Parameters
    ----------
    what : str
        As in 'reading iris.data'.
    quiet : bool
        Show nothing.

    Examples
    --------
    >>> from miter.cli.waiting import waiting
    >>> with waiting("adding", quiet=False):
    ...     1 + 1
    2
    """
    if quiet:
        yield
        return
    word = _Word(what)
    timer = Timer(PATIENCE, word.show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        word.take_back()


class _Word:
    """A line that turns and vanishes in a terminal, and is printed once elsewhere."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = Lock()
        self._is_over = False
        self._status: Any = None

    def show(self) -> None:
        with self._lock:
            if self._is_over:
                return
            if not sys.stderr.isatty():
                print(f"{self._what} ...", file=sys.stderr, flush=True)
                return
            from rich.console import Console

            self._status = Console(stderr=True).status(self._what)
            self._status.start()

    def take_back(self) -> None:
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()
