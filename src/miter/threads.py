"""How many threads the native kernels use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral

__all__ = ["every_core", "resolve_threads"]

MOST_THREADS = 1024


_every_core: ContextVar[bool] = ContextVar("every_core", default=False)


@contextmanager
def every_core() -> Iterator[None]:
    """Use every core where nothing is said of threads, whatever OMP_NUM_THREADS says."""
    token = _every_core.set(True)
    try:
        yield
    finally:
        _every_core.reset(token)


def resolve_threads(n_threads: int | None = None) -> int:
    """Return the number of threads to use.

    None means OMP_NUM_THREADS where it is set (joblib sets it in its workers, so that trees fitted
    side by side do not fight for the cores), else every core this process may use; see also
    `every_core`.
    """
    if n_threads is not None:
        given: object = n_threads
        is_whole = isinstance(given, Integral) and not isinstance(given, bool)
        if not is_whole or not 1 <= n_threads <= MOST_THREADS:
            raise ValueError(
                f"n_threads is {n_threads!r}; give a whole number from 1 to {MOST_THREADS}, or "
                "None for all cores"
            )
        return int(n_threads)
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if asked.isdigit() and int(asked) > 0 and not _every_core.get():
        return min(int(asked), MOST_THREADS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
