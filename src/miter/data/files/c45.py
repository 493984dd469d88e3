r"""C4.5 files: `stem.names` declares the classes and columns, `stem.data` holds the rows.

A `.names` file lists the classes, then one entry for each column::

    Yes, No.                          | the classes
    Day: ignore.
    Outlook: Sunny, Overcast, Rain.   | the values
    Humidity: continuous.
    Town: discrete 40.                | at most 40 values, taken from the rows
    Wind: [ordered] Weak, Strong.

An entry ends with a period, or with its line when the next one opens a new entry; a list may
run over several lines. In a `.data` file the class is the last cell and `?` is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from miter.data.files.gather import Row, TextTable, gather_data
from miter.data.files.gatherers import Declaration
from miter.data.files.lines import read_lines
from miter.data.files.tokens import ENTRY, ROW, split_words
from miter.data.kinds import Kinds
from miter.data.schema import Kind, Schema, first_repeated
from miter.data.table import Data
from miter.errors import DataError

__all__ = ["read_c45", "read_names"]

TARGET = "class"


@dataclass
class Entry:
    """One entry of a `.names` file, as it is being read."""

    line: int
    name: str | None = None
    words: list[str] = field(default_factory=list)


def read_c45(path: Path, names: Path, kinds: Kinds | None, schema: Schema | None) -> Data:
    """Read a `.data` file, or one of the same form such as `.test`.

    Parameters
    ----------
    path : Path
        The rows.
    names : Path
        The `.names` file that declares them.
    kinds, schema
        As for `read`.
    """
    columns = read_names(names)
    target: int | None = len(columns) - 1
    if schema is not None and _first_width(path) == len(columns) - 1:
        # Rows to predict may come without the class.
        columns, target = columns[:-1], None
    return gather_data(TextTable(path, columns, target, lambda: _rows(path)), kinds, schema)


def read_names(path: Path) -> tuple[Declaration, ...]:
    """Return the columns that a `.names` file declares, the class last.

    Parameters
    ----------
    path : Path
        The `.names` file.
    """
    entries = [entry for entry in _entries(path) if entry.name is not None or entry.words]
    if not entries or entries[0].name is not None:
        raise DataError(f"{path} does not begin with the classes; list them, as 'yes, no.'")
    if len(entries) == 1:
        raise DataError(f"{path} declares no columns; add lines such as 'age: continuous.'")
    columns = [_declare(path, entry) for entry in entries[1:]]
    name = first_repeated(column.name for column in columns)
    if name is not None:
        line = [column.line for column in columns if column.name == name][1]
        raise DataError(f"{path}, line {line}: {name!r} is declared twice; rename one")
    classes = Declaration(TARGET, "symbolic", line=entries[0].line)
    return *columns, _with_values(path, classes, entries[0].words)


def _entries(path: Path) -> Iterator[Entry]:
    entry, last_delimiter = None, "."
    for number, line in enumerate(read_lines(path), 1):
        place = f"{path}, line {number}"
        is_first = True
        for word, delimiter in split_words(line, ENTRY, place):
            if delimiter == ":":
                _check_colon(entry, word, is_first, last_delimiter, place)
                if entry is not None:
                    yield entry
                entry = Entry(number, word)
            else:
                entry = entry or Entry(number)
                _add_word(entry, word, delimiter, is_first and last_delimiter != ",", place)
            if delimiter == "." and entry is not None:
                yield entry
                entry = None
            last_delimiter, is_first = delimiter, False
    if entry is not None:
        yield entry


def _check_colon(
    entry: Entry | None, word: str, is_first: bool, last_delimiter: str, place: str
) -> None:
    """Let a colon open an entry only where the one before has ended."""
    if not word:
        raise DataError(f"{place}: there is no name before the colon; give one")
    if entry is not None and (not is_first or last_delimiter in {",", ":"}):
        raise DataError(
            f"{place}: a colon follows {word!r} inside a list; write \\: if it is part of "
            "the value, or end the entry before it with a period"
        )


def _add_word(entry: Entry, word: str, delimiter: str, may_be_empty: bool, place: str) -> None:
    if word:
        entry.words.append(word)
    elif delimiter == "," and not may_be_empty:
        raise DataError(f"{place}: a comma follows nothing; take it out, or add the value")


def _declare(path: Path, entry: Entry) -> Declaration:
    place = f"{path}, line {entry.line}"
    if entry.name is None:
        raise DataError(
            f"{place}: {', '.join(entry.words)!r} has no name before it; "
            "write an entry as 'name: continuous.' or 'name: value, value.'"
        )
    if not entry.words:
        raise DataError(
            f"{place}: nothing follows {entry.name!r}; write continuous, ignore, or its values"
        )
    declaration = Declaration(entry.name, line=entry.line)
    if len(entry.words) == 1:
        declaration = _declare_by_word(declaration, entry.words[0])
    if declaration.kind is None:
        return _declare_values(path, declaration, entry.words)
    return declaration


def _declare_by_word(declaration: Declaration, word: str) -> Declaration:
    """Understand 'continuous', 'ignore' and 'discrete N'; leave the kind open otherwise."""
    kinds: dict[str, Kind] = {"continuous": "numeric", "ignore": "ignored"}
    discrete = re.fullmatch(r"discrete\s+(\d+)", word, re.IGNORECASE)
    if discrete:
        return replace(declaration, kind="symbolic", limit=int(discrete[1][:20]))
    return replace(declaration, kind=kinds.get(word.lower()))


def _declare_values(path: Path, declaration: Declaration, words: list[str]) -> Declaration:
    first = words[0].removeprefix("[ordered]")
    kind: Kind = "symbolic" if first == words[0] else "ordered"
    return _with_values(path, replace(declaration, kind=kind), [first.strip(), *words[1:]])


def _with_values(path: Path, declaration: Declaration, values: list[str]) -> Declaration:
    value = first_repeated(values)
    if value is not None:
        raise DataError(
            f"{path}, line {declaration.line}: {declaration.name!r} lists {value!r} twice; "
            "list it once"
        )
    cure = f"correct it, or declare it in {path.name}"
    return replace(declaration, values=tuple(values), cure=cure)


def _rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), 1):
        cells = _split(line, path, number)
        if cells:
            yield number, cells


def _split(line: str, path: Path, number: int) -> list[str]:
    if '"' in line or "\\" in line or "|" in line:
        words = list(split_words(line, ROW, f"{path}, line {number}"))
        cells = [word for word, _ in words]
        # After a last comma stands an empty cell.
        return [*cells, ""] if words and words[-1][1] == "," else cells
    line = line.strip().removesuffix(".")
    if not line:
        return []
    cells = line.split(",")
    if " " in line or "\t" in line:
        cells = [cell.strip() for cell in cells]
    return cells


def _first_width(path: Path) -> int:
    return next((len(cells) for _, cells in _rows(path)), 0)
