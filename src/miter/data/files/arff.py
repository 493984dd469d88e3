r"""ARFF files, as Weka writes them.

Nominal attributes are symbolic with the values declared, strings symbolic with the values that
occur, numeric ones numeric. `%` outside quotes opens a comment. A sparse row, `{1 X, 3 Y}`, has
0 in the numeric columns and the first value in the nominal columns that it does not mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from miter.data.files.gather import Row, TextTable, gather_data
from miter.data.files.gatherers import Declaration
from miter.data.files.lines import read_lines
from miter.data.files.tables import find_target
from miter.data.kinds import Kinds
from miter.data.schema import Schema, first_repeated
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["read_arff"]

_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
# A word that begins with a quote must end with it; quotes inside a word are part of it.
_BARE = r"""(?!['"])[^,%{}]*?"""
_WORD = rf"(?P<word>{_QUOTED}|{_BARE})\s*"
# Only ASCII spaces separate: other programs leave a no-break space in a name unquoted.
_CELL = re.compile(rf"\s*+{_WORD}(?P<end>,|%|$)", re.ASCII)
_VALUE = re.compile(rf"\s*+{_WORD}(?P<end>,|\}})", re.ASCII)
_SPARSE = re.compile(rf"\s*+(?P<index>\d+)\s++{_WORD}(?P<end>,|\}})", re.ASCII)
_ATTRIBUTE = re.compile(
    rf"@attribute\s+(?P<name>{_QUOTED}|[^\s{{]++)\s*+(?P<type>.+)", re.ASCII | re.IGNORECASE
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Header:
    """What stands before the rows."""

    columns: tuple[Declaration, ...]
    n_lines: int


def read_arff(path: Path, target: str | None, kinds: Kinds | None, schema: Schema | None) -> Data:
    """Read an ARFF file.

    Parameters
    ----------
    path : Path
        The file.
    target, kinds, schema
        As for `read`; without a target, the class is the attribute of this name, or the last.
    """
    header = _read_header(path)
    names = [column.name for column in header.columns]
    if target is None and schema is None:
        target = next((name for name in names if name.lower() == "class"), names[-1])
    table = TextTable(
        path=path,
        columns=header.columns,
        target=find_target(path, names, target, schema),
        rows=lambda: _rows(path, header),
    )
    return gather_data(table, kinds, schema)


def _read_header(path: Path) -> Header:
    columns: list[Declaration] = []
    for number, line in enumerate(read_lines(path), 1):
        text = line.strip()
        word = text.split(maxsplit=1)[0].lower() if text else "%"
        if word == "@data":
            return Header(_checked(path, columns), number)
        if word == "@attribute":
            columns.append(_declare(text, number, f"{path}, line {number}"))
        elif word != "@relation" and not word.startswith("%"):
            raise DataError(
                f"{path}, line {number}: {text[:40]!r} is not part of an ARFF header; "
                "the lines are @relation, @attribute and @data"
            )
    raise DataError(f"{path} has no @data line; give one before the rows")


def _checked(path: Path, columns: list[Declaration]) -> tuple[Declaration, ...]:
    if not columns:
        raise DataError(f"{path} declares no attributes; give an @attribute line a column")
    name = first_repeated(column.name for column in columns)
    if name is not None:
        line = [column.line for column in columns if column.name == name][1]
        raise DataError(f"{path}, line {line}: two attributes are called {name!r}; rename one")
    return tuple(columns)


def _declare(text: str, line: int, place: str) -> Declaration:
    match = _ATTRIBUTE.match(text)
    if match is None:
        raise DataError(f"{place}: {text!r} lacks a name or a type; write '@attribute age numeric'")
    declaration = Declaration(_unquote(match["name"]), line=line)
    kind = match["type"]
    if kind.startswith("{"):
        return _declare_nominal(declaration, kind, place)
    word = kind.split()[0].lower()
    if word in {"numeric", "real", "integer"}:
        return replace(declaration, kind="numeric")
    if word == "string":
        return replace(declaration, kind="symbolic")
    if word == "date":
        return replace(declaration, trouble="dates")
    known = ["numeric", "real", "integer", "string", "{value, value}"]
    raise DataError(
        f"{place}: attribute {declaration.name!r} has the type {word!r}, which Miter does not "
        f"read; {did_you_mean(word, known)}"
    )


def _declare_nominal(declaration: Declaration, text: str, place: str) -> Declaration:
    values = [_unquote(match["word"]) for match in _scan(_VALUE, text, 1, place)]
    value = first_repeated(values)
    if value is not None:
        raise DataError(f"{place}: {declaration.name!r} lists {value!r} twice; list it once")
    cure = f"correct it, or declare it in line {declaration.line}"
    return replace(declaration, kind="symbolic", values=tuple(values), cure=cure)


def _rows(path: Path, header: Header) -> Iterator[Row]:
    defaults = [_default(column) for column in header.columns]
    for number, line in enumerate(read_lines(path), 1):
        if number <= header.n_lines:
            continue
        text = line.strip()
        if text.startswith("{"):
            yield number, _expand(text, defaults, f"{path}, line {number}")
        elif text and not text.startswith("%"):
            yield number, _split(text, f"{path}, line {number}")


def _default(column: Declaration) -> str:
    """Return what a sparse row means by not mentioning a column."""
    return column.values[0] if column.values else "0"


def _expand(text: str, defaults: list[str], place: str) -> list[str]:
    cells = list(defaults)
    seen = set()
    matches = [] if re.match(r"\{\s*\}", text) else _scan(_SPARSE, text, 1, place)
    for match in matches:
        # No file has a column of twenty digits, and Python reads no number of thousands.
        index = int(match["index"][:20])
        if index >= len(cells) or index in seen:
            trouble = "twice" if index in seen else f"but there are {len(cells)}, from 0 on"
            raise DataError(f"{place}: the row mentions column {index} {trouble}; correct the row")
        seen.add(index)
        cells[index] = _unquote(match["word"])
    return cells


def _split(text: str, place: str) -> list[str]:
    if not any(mark in text for mark in "'\"%{}"):
        return [cell.strip() for cell in text.split(",")]
    return [_unquote(match["word"]) for match in _scan(_CELL, text, 0, place)]


def _scan(pattern: re.Pattern[str], text: str, start: int, place: str) -> Iterator[re.Match[str]]:
    """Yield words until one is followed by something else than a comma."""
    end = ","
    while end == ",":
        match = pattern.match(text, start)
        if match is None:
            raise DataError(
                f"{place}: {text[start : start + 40]!r} cannot be read; "
                "check the quotes, commas and braces"
            )
        yield match
        start, end = match.end(), match["end"]


def _unquote(word: str) -> str:
    if word[:1] not in {"'", '"'}:
        return word
    return _ESCAPE.sub(_unescape, word[1:-1])


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPED.get(code, code)
