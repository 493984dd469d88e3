"""A line that tells how far growing has come, for those who wait."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live

__all__ = ["ProgressLine"]

#: Nothing is shown in the first seconds, so that quick trees are silent.
PATIENCE = 1.0
#: Where a line cannot be rewritten, such as in a log, a new one comes after as many seconds.
LOG_PAUSE = 10.0


class ProgressLine:
    """Shows on stderr how a tree grows: the `progress` of `miter.growing.loop.grow`.

    In a terminal one line is rewritten in place and vanishes at the end. Elsewhere a line is
    printed every ten seconds. Nothing is shown in the first second.

    Examples
    --------
    >>> from miter.data import led
    >>> from miter.growing.loop import grow
    >>> from miter.progress import ProgressLine
    >>> from miter.splitters import UnivariateSplitter
    >>> with ProgressLine() as line:
    ...     tree = grow(led(100, seed=1), UnivariateSplitter(), progress=line)
    """

    def __init__(self) -> None:
        self._begin = monotonic()
        self._last_log = self._begin + PATIENCE - LOG_PAUSE
        self._state = ""
        self._live: Live | None = None

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, depth: int, n_open_nodes: int, settled_share: float) -> None:
        """Take note of a level that is done.

        Parameters
        ----------
        depth : int
            Its number.
        n_open_nodes : int
            Nodes that may still be divided.
        settled_share : float
            The part of the training rows that has come to a leaf.
        """
        self._state = (
            f"growing: level {depth}, {n_open_nodes:,} open nodes, "
            f"{settled_share:.0%} of the rows settled"
        )
        if monotonic() - self._begin < PATIENCE:
            return
        if self._live is not None or sys.stderr.isatty():
            self._rewrite()
        elif monotonic() - self._last_log >= LOG_PAUSE:
            self._last_log = monotonic()
            print(self, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clear the line."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __str__(self) -> str:
        return f"{self._state}, {monotonic() - self._begin:.0f} s"

    def _rewrite(self) -> None:
        if self._live is not None:
            return  # the line refreshes itself
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        self._live = Live(
            console=Console(stderr=True),
            get_renderable=lambda: Text(str(self), no_wrap=True, overflow="ellipsis"),
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start(refresh=True)
