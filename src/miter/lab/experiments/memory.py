"""How much memory a piece of work needed, in a process that lives on."""

from __future__ import annotations

from pathlib import Path

__all__ = ["forget_peak", "read_peak"]

# Linux keeps the peak since the process began (VmHWM) and can be told to start anew. The figure of
# getrusage cannot be reset, and tracemalloc does not see what native code allocates.
_RESET = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


def forget_peak() -> bool:
    """Let the peak of this process start anew from what it holds now.

    Returns
    -------
    bool
        Whether this system can do that.

    Examples
    --------
    >>> from miter.lab.experiments.memory import forget_peak, read_peak
    >>> if forget_peak():
    ...     assert read_peak() > 1
    """
    try:
        _RESET.write_text("5")
    except OSError:
        return False
    return True


def read_peak() -> float | None:
    """Return the peak resident memory of this process in MB (10**6 bytes), None if unknown.

    Examples
    --------
    >>> from miter.lab.experiments.memory import read_peak
    >>> read_peak() is None or read_peak() > 1
    True
    """
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return None
