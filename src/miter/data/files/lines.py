"""The lines of a text file, plain or compressed; whatever goes wrong is a `DataError`."""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path

from miter.data.files.content import open_bytes
from miter.errors import DataError

__all__ = ["read_lines"]


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, with their line ends.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.data.files.lines import read_lines
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.csv")
    ...     _ = path.write_text("a,b", encoding="utf-8")
    ...     list(read_lines(path))
    ['a,b']
    """
    try:
        # Line ends stay as they are: a quoted CSV field may hold one.
        with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", newline="") as lines:
            yield from lines
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise DataError(f"{path} cannot be read ({error}); check the file") from error


def _not_utf8(path: Path) -> DataError:
    """Say in which line the first byte stands that is not UTF-8."""
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return DataError(
                    f"{path}, line {number}: the byte 0x{line[error.start]:02x} is not UTF-8; "
                    "save the file in UTF-8"
                )
    return DataError(f"{path} is not UTF-8; save the file in UTF-8")
