r"""Words and delimiters as C4.5 files write them.

`|` opens a comment. A word may stand in double quotes, and a backslash takes the meaning from
the character after it: `\,` `\.` `\:` `\|`. A period ends an entry only before a space or the
end of the line, so that 0.5 is one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from miter.errors import DataError

__all__ = ["COST", "ENTRY", "ROW", "split_words"]

_TOKEN = r"""
    (?P<comment>\|.*)
  | \\(?P<escaped>.)
  | "(?P<quoted>(?:[^"\\]|\\.)*)"
  | (?P<delimiter>{delimiter})
  | (?P<plain>[^\\",:.|]+|.)
"""


def _compile(delimiter: str) -> re.Pattern[str]:
    return re.compile(_TOKEN.format(delimiter=delimiter), re.VERBOSE | re.DOTALL)


#: A line of a `.names` file: name, colon, values, period.
ENTRY = _compile(r"[,:] | \.(?=\s|\||$)")
#: A line of a `.data` file: cells, and perhaps a period at the end.
ROW = _compile(r", | \.(?=\s*(?:\||$))")
#: A line of a `.costs` file: predicted, actual: cost.
COST = _compile(r"[,:] | \.(?=\s*(?:\||$))")


def split_words(text: str, token: re.Pattern[str], place: str) -> Iterator[tuple[str, str]]:
    r"""Yield each word with the delimiter after it, '' at the end of the line.

    Parameters
    ----------
    text : str
        One line.
    token : Pattern
        `ENTRY`, `ROW` or `COST`.
    place : str
        File and line, for errors.

    Examples
    --------
    >>> from miter.data.files.tokens import ENTRY, split_words
    >>> list(split_words(r'size: "a, b", 1\.5 m. | a comment', ENTRY, "here"))
    [('size', ':'), ('a, b', ','), ('1.5 m', '.')]
    """
    word, is_quoted = "", False
    for match in token.finditer(text):
        kind = str(match.lastgroup)
        piece = match[kind]
        if kind == "comment":
            break
        if kind == "delimiter":
            yield (word if is_quoted else word.strip()), piece
            word, is_quoted = "", False
        elif is_quoted:
            _check_blank(piece, word, place)
        elif kind == "quoted" and not word.strip():
            word, is_quoted = re.sub(r"\\(.)", r"\1", piece), True
        else:
            word += _literally(piece, kind, word, place)
    if is_quoted or word.strip():
        yield (word if is_quoted else word.strip()), ""


def _literally(piece: str, kind: str, word: str, place: str) -> str:
    if kind == "quoted":
        return f'"{piece}"'
    if piece == '"' and kind == "plain" and not word.strip():
        raise DataError(
            f'{place}: a quote is opened and not closed; close it, or write \\" for a quote'
        )
    return piece


def _check_blank(piece: str, word: str, place: str) -> None:
    if piece.strip():
        raise DataError(
            f"{place}: {piece.strip()!r} follows the quoted word {word!r}; "
            'put a comma between them, or write \\" for a quote'
        )
