"""CSV and TSV files: a header, then one row a line.

Cells that are empty, or `?`, `NA`, `NaN`, `nan` or `null`, are missing. A column whose every
other cell is a number is numeric, any other symbolic. Spaces around a cell do not count.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from miter.data.files.gather import Row, TextTable, find_target, gather_data
from miter.data.files.gatherers import Declaration
from miter.data.files.lines import read_lines
from miter.data.kinds import Kinds
from miter.data.schema import Schema, first_repeated
from miter.data.table import Data
from miter.errors import DataError

__all__ = ["read_delimited"]

MISSING_WORDS = frozenset({"", "?", "NA", "NaN", "nan", "null"})


def read_delimited(
    path: Path, delimiter: str, target: str | None, kinds: Kinds | None, schema: Schema | None
) -> Data:
    r"""Read a CSV file (delimiter ',') or a TSV file (delimiter '\t').

    Parameters
    ----------
    path : Path
        The file.
    delimiter : str
        What stands between cells.
    target, kinds, schema
        As for `read`.
    """
    line, names = _read_header(path, delimiter)
    columns = tuple(Declaration(name, line=line) for name in names)
    table = TextTable(
        path=path,
        columns=columns,
        target=find_target(path, names, target, schema),
        rows=lambda: _rows(path, delimiter, len(columns)),
        missing=MISSING_WORDS,
    )
    return gather_data(table, kinds, schema)


def _read_header(path: Path, delimiter: str) -> tuple[int, list[str]]:
    header = next(_records(path, delimiter), None)
    if header is None:
        raise DataError(f"{path} is empty; give a header with the column names, then the rows")
    line, names = header
    place = f"{path}, line {line}"
    if "" in names:
        raise DataError(
            f"{place}: column {names.index('') + 1} of the header has no name; give it one, "
            "or take the column out (pandas: to_csv(..., index=False))"
        )
    name = first_repeated(names)
    if name is not None:
        raise DataError(f"{place}: two columns are called {name!r}; rename one of them")
    _check_delimiter(names, place)
    return line, names


def _check_delimiter(names: list[str], place: str) -> None:
    """Recognise a file that is separated by something else."""
    for other, called in ((";", "semicolons"), ("\t", "tabs"), (",", "commas")):
        if len(names) == 1 and other in names[0]:
            raise DataError(
                f"{place}: the header is the single column {names[0]!r}, with {called} in it; "
                "separate the cells with commas in a .csv file, with tabs in a .tsv file"
            )


def _rows(path: Path, delimiter: str, width: int) -> Iterator[Row]:
    records = _records(path, delimiter)
    next(records)
    for line, cells in records:
        # A line of spaces is as blank as an empty one, but not where it may be a lone cell.
        if width == 1 or cells != [""]:
            yield line, cells


def _records(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each record begins, and its cells."""
    lines = read_lines(path)
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"{path}, line {line}: the record that begins here cannot be read ({error}); "
            'check its quotes: one inside a quoted cell is written ""'
        ) from error
