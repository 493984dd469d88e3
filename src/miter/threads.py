"""How many threads the native kernels use."""

from __future__ import annotations

import os

__all__ = ["resolve_threads"]


def resolve_threads(n_threads: int | None = None) -> int:
    """Return the number of threads to use.

    None means OMP_NUM_THREADS where it is set (joblib sets it in its workers, so that trees fitted
    side by side do not fight for the cores), else every core this process may use.
    """
    if n_threads is not None:
        if n_threads < 1:
            raise ValueError(f"n_threads is {n_threads!r}; give 1 or more, or None for all cores")
        return int(n_threads)
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
