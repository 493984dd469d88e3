"""Who works on the parts of a table: this process, or others that hold the parts.

A function is run where its arguments are, and what it returns stays there until it is brought. So
the same lines grow a tree here and on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

__all__ = ["Handle", "Here", "Workers"]

#: What a function that was run will return; an argument of other functions, alone or in a list.
Handle = Any


class Workers(Protocol):
    """Runs functions whose results depend on nothing but their arguments."""

    @property
    def n_workers(self) -> int:
        """How many functions are run at the same time."""

    def run(self, function: Callable[..., Any], *arguments: Any, about: str = "") -> Handle:
        """Start a function; the handle of what it returns is an argument for other functions.

        Parameters
        ----------
        function : callable
            Of the module's own, so that others can find it.
        *arguments
            Values, handles, and lists of handles.
        about : str
            What is worked on, as an error calls it.
        """

    def bring(self, handles: Sequence[Handle]) -> list[Any]:
        """Return what functions returned, in their order."""

    def as_they_come(self, handles: Sequence[Handle]) -> Iterator[tuple[int, Any]]:
        """Yield what functions returned as soon as it is there, each with its position."""


class Here:
    """The process itself.

    Examples
    --------
    >>> from miter.growing.workers import Here
    >>> workers = Here()
    >>> workers.bring([workers.run(max, 1, 2)])
    [2]
    """

    n_workers = 1

    def run(self, function: Callable[..., Any], *arguments: Any, about: str = "") -> Handle:
        """Call a function at once."""
        return function(*arguments)

    def bring(self, handles: Sequence[Handle]) -> list[Any]:
        """Return what functions returned."""
        return list(handles)

    def as_they_come(self, handles: Sequence[Handle]) -> Iterator[tuple[int, Any]]:
        """Yield what functions returned, each with its position."""
        return enumerate(handles)
