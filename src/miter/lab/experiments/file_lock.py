"""A file that one process at a time may write."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["locked"]


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from writing a file, as far as they ask too.

    A neighbour called like the file, with ``.lock`` at the end, is held by the system's own lock,
    which ends with the process however that ends; so one that was left behind locks nothing. The
    process that holds it is written in it, for people.

    Parameters
    ----------
    path : Path
        What is to be written.

    Raises
    ------
    ValueError
        When another process holds the lock, or this one does already.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.lab.experiments.file_lock import locked
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "results.jsonl")
    ...     with locked(path):
    ...         print([file.name for file in Path(folder).iterdir()])
    ['results.jsonl.lock']
    """
    place = path.with_name(path.name + ".lock")
    handle = _take(place, path)
    try:
        yield
    finally:
        # Removed while it is held: whoever waits for it sees that it is gone and makes another.
        with suppress(OSError):
            place.unlink()
        os.close(handle)


def _take(place: Path, path: Path) -> int:
    while True:
        handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o644)
        if not _hold(handle):
            holder = os.read(handle, 200).decode("utf-8", "replace").strip()
            os.close(handle)
            raise ValueError(
                f"{path} is being written by {holder or 'another process'}; wait for it to end, or "
                "write to another file"
            )
        if _is_still(handle, place):
            break
        os.close(handle)
    os.ftruncate(handle, 0)
    os.write(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    return handle


def _hold(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:  # a system without it cannot tell a live lock from a stale one
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(handle: int, place: Path) -> bool:
    """Whether the file that is held is the one that others find, not one just removed."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(place))
    except FileNotFoundError:
        return False
