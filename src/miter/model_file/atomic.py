"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

__all__ = ["replacing"]

PART, RANDOM_BYTES = ".part", 6
#: A file that was not written to for so long is not being written; nothing is saved for hours.
ABANDONED_SECONDS = 3600


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Write a file that takes its place only when it is complete.

    The bytes go to a hidden neighbour, which is flushed to the disk and then renamed. Whatever
    goes wrong, a file that was there before stays as it was, and nothing else is left behind; what
    a program left that was killed while it wrote is removed by the next that writes there.

    Parameters
    ----------
    path : str or path
        What to write. Something that is not a regular file, such as ``/dev/stdout``, cannot be
        replaced and is written directly.

    Yields
    ------
    file
        Open for writing bytes.

    Raises
    ------
    OSError
        With the path as it was given.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.model_file import replacing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "note.txt")
    ...     with replacing(path) as file:
    ...         _ = file.write(b"complete")
    ...     path.read_bytes()
    b'complete'
    """
    # A link stays a link: what it points to is replaced.
    place = Path(os.path.realpath(path))
    mode = _mode_of(place)
    if mode is not None and not stat.S_ISREG(mode):
        with open(place, "wb") as file:
            yield file
        return
    start = f".{place.name[:100]}."
    writing = place.with_name(f"{start}{secrets.token_hex(RANDOM_BYTES)}{PART}")
    try:
        with open(writing, "xb") as file:
            _remove_abandoned(place.parent, start, os.fstat(file.fileno()).st_mtime)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(writing, stat.S_IMODE(mode))
        os.replace(writing, place)
    except BaseException as error:
        with suppress(OSError):
            writing.unlink()
        # A full disk is met while writing, where the system names no file.
        if (
            isinstance(error, OSError)
            and error.errno is not None
            and error.filename in (None, str(writing))
        ):
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
    _keep_name(place.parent)


def _remove_abandoned(folder: Path, start: str, now: float) -> None:
    """Remove parts of a file that nobody has written to for long: their programs were killed."""
    n_characters = len(start) + 2 * RANDOM_BYTES + len(PART)
    with suppress(OSError), os.scandir(folder) as there:
        for entry in there:
            name = entry.name
            if name.startswith(start) and name.endswith(PART) and len(name) == n_characters:
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < now - ABANDONED_SECONDS:
                        os.unlink(entry.path)


def _mode_of(place: Path) -> int | None:
    """Return type and permissions of what is there; None if nothing is."""
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return None


def _keep_name(folder: Path) -> None:
    """Flush the folder, so that the new name survives a power cut; not every system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
