"""In which encoding a text is written."""

from __future__ import annotations

import codecs
from dataclasses import replace

from miter.data.files.content import Content
from miter.errors import DataError

__all__ = ["to_utf8"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CALLED = {"utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32"}
_BLOCK = 1 << 22


def to_utf8(content: Content, encoding: str | None = None) -> tuple[Content, str]:
    """Return a text in UTF-8 without a mark, and what its encoding is called; '' for UTF-8.

    Parameters
    ----------
    content : Content
        The text.
    encoding : str, optional
        What the user says.

    Examples
    --------
    >>> from pathlib import Path
    >>> from miter.data.files.content import Content
    >>> from miter.data.files.encoding import to_utf8
    >>> content, called = to_utf8(Content(Path("a.csv"), "é".encode("cp1252")))
    >>> content.read().decode(), called
    ('é', 'Windows-1252')
    """
    if encoding is not None:
        return _decode(content, _known(encoding)), encoding
    head = content.read(4096)
    mark, marked = next((pair for pair in _MARKS if head.startswith(pair[0])), (b"", None))
    if marked == "utf-8":
        return content.holding(content.read()[len(mark) :]), ""
    found = marked or _by_zeros(head)
    if found is not None:
        return _decode(content, found), _CALLED[found]
    walked = _walk(content)
    if walked is not None:
        return walked, ""
    return _decode(content, "cp1252"), "Windows-1252"


def _known(encoding: str) -> str:
    try:
        codec = codecs.lookup(encoding)
    except LookupError:
        raise DataError(
            f"encoding is {encoding!r}, which is not known; give one such as 'utf-8', 'utf-16' or "
            "'cp1252'"
        ) from None
    return "utf-8-sig" if codec.name == "utf-8" else codec.name


def _by_zeros(head: bytes) -> str | None:
    """Recognise UTF-16 without a mark by the zeros in every other byte."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = max(len(head) // 2, 1)
    if max(even, odd) < 0.7 * half or min(even, odd) > 0.2 * half or half < 2:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _walk(content: Content) -> Content | None:
    """Return a text in UTF-8 with what one walk over it tells; None when it is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    has_quotes = False
    with content.open() as stream:
        try:
            while block := stream.read(_BLOCK):
                has_quotes = has_quotes or b'"' in block
                # Nothing is pending after an ASCII block that began with nothing pending.
                if not (block.isascii() and decoder.getstate()[0] == b""):
                    decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return None
    return replace(content, has_quotes=has_quotes)


def _decode(content: Content, encoding: str) -> Content:
    raw = content.read()
    try:
        return content.holding(raw.decode(encoding).encode("utf-8"))
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        line = raw[:start].count(b"\n") + 1
        tried = "neither UTF-8 nor Windows-1252" if encoding == "cp1252" else f"not {encoding}"
        raise DataError(
            f"{content.path}, line {line}: the byte 0x{raw[start] if raw else 0:02x} is {tried}; "
            "name the encoding, as encoding='latin-1', or save the file in UTF-8"
        ) from None
