"""The bytes of a file, wherever they come from: plain, compressed, or standard input."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import threading
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

from miter.errors import DataError

__all__ = ["COMPRESSED", "STANDARD_INPUT", "Content", "open_bytes"]

STANDARD_INPUT = "-"
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")

#: How long Ctrl-C may wait for an answer while a pipe is silent.
_ANSWER_SECONDS = 0.2

#: What reading damaged or absent bytes may raise.
_TROUBLE = (OSError, EOFError, zlib.error, lzma.LZMAError)


def open_bytes(path: Path) -> BinaryIO:
    """Open a file, through the decompressor that its suffix asks for."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return cast(BinaryIO, gzip.open(path, "rb"))
    if suffix == ".bz2":
        return cast(BinaryIO, bz2.open(path, "rb"))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.open(path, "rb"))
    if suffix == ".zst":
        import pyarrow as pa

        with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as stream:
            return io.BytesIO(stream.read())
    return path.open("rb")


@dataclass(frozen=True, eq=False)
class Content:
    """What a file holds; it may be read several times.

    Parameters
    ----------
    path : Path
        As errors call it.
    held : bytes, optional
        Kept in memory, when the file cannot be read as it is.
    has_quotes : bool
        Whether there may be a double quote in it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from miter.data.files.content import Content
    >>> Content(Path("a.csv"), b"x").open().read()
    b'x'
    """

    path: Path
    held: bytes | None = None
    has_quotes: bool = True

    @classmethod
    def of(cls, path: Path) -> Content:
        """Return the content of a file, of standard input where the path is '-'."""
        if str(path) == STANDARD_INPUT:
            return cls(Path("standard input"), _read_stream(sys.stdin.buffer))
        if path.suffix.lower() in COMPRESSED:
            return cls(path, cls(path).read())
        if not path.is_file():  # a pipe can be read only once
            stream = cls(path).open()
            held = _read_stream(stream)
            stream.close()  # not where reading was interrupted: it may still be waiting
            return cls(path, held)
        return cls(path)

    def open(self) -> BinaryIO:
        """Open the bytes from the beginning."""
        if self.held is not None:
            return io.BytesIO(self.held)
        try:
            return open_bytes(self.path)
        except _TROUBLE as error:
            raise self._unreadable(error) from error

    def read(self, size: int = -1) -> bytes:
        """Return the first bytes, all of them unless a number is given."""
        try:
            with self.open() as stream:
                return stream.read(size)
        except _TROUBLE as error:
            raise self._unreadable(error) from error

    def holding(self, held: bytes) -> Content:
        """Return the same file with other bytes."""
        return replace(self, held=held, has_quotes=b'"' in held)

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.path.stat().st_size if self.held is None else len(self.held)

    def _unreadable(self, error: Exception) -> DataError:
        return DataError(f"{self.path} cannot be read ({error}); check the file")


def _read_stream(stream: BinaryIO) -> bytes:
    """Read all that comes, in a thread of its own.

    A read that waits for a pipe cannot always be interrupted; waiting for a thread can. The thread
    reads past the buffer, whose lock would have to be waited for before the program can end.
    """
    raw = getattr(stream, "raw", stream)
    blocks: list[bytes] = []
    trouble: list[BaseException] = []

    def read() -> None:
        try:
            while block := raw.read(1 << 20):
                blocks.append(block)
        except BaseException as error:
            trouble.append(error)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    while reader.is_alive():
        reader.join(_ANSWER_SECONDS)
    for error in trouble:
        raise error
    return b"".join(blocks)
