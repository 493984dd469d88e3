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


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Write a file that takes its place only when it is complete.

    The bytes go to a hidden neighbour, which is flushed to the disk and then renamed. Whatever
    goes wrong, a file that was there before stays as it was, and nothing else is left behind.

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
    writing = place.with_name(f".{place.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        with open(writing, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(writing, stat.S_IMODE(mode))
        os.replace(writing, place)
    except BaseException as error:
        with suppress(OSError):
            writing.unlink()
        if isinstance(error, OSError) and error.filename == str(writing):
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
    _keep_name(place.parent)


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
