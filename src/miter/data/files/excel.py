"""Excel files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from miter.data.files.content import Content
from miter.data.files.dialect import HEADER_WITHIN
from miter.data.files.names import say_title, tell_apart
from miter.data.files.typed import Loaded
from miter.errors import DataError, did_you_mean, need

__all__ = ["load_excel"]


def load_excel(content: Content, sheet: str | int | None = None) -> Loaded:
    """Return the columns of a sheet of an Excel file, the first unless one is named.

    Parameters
    ----------
    content : Content
        The file.
    sheet : str or int, optional
        The name of the sheet, or its number from 0 on.
    """
    try:
        import openpyxl
    except ImportError:
        raise need("openpyxl", "excel", "Excel files") from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(content.read()), read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises what it meets: zip, XML, key and type errors
        raise DataError(
            f"{content.path} cannot be read as Excel ({error}); save it as .xlsx"
        ) from error
    cells = _find_sheet(content.path, book, sheet).iter_rows(values_only=True)
    rows = {n: row for n, row in enumerate(cells, 1) if any(cell is not None for cell in row)}
    if not rows:
        raise DataError(f"{content.path} has an empty sheet; give a header, then the rows")
    numbers = list(rows)
    n_above = _count_above([*rows.values()])
    width = max(i + 1 for row in rows.values() for i, cell in enumerate(row) if cell is not None)
    header = rows[numbers[n_above]]
    names, remarks = tell_apart(
        ["" if cell is None else str(cell).strip() for cell in header[:width]]
    )
    if n_above:
        title = next(str(cell) for cell in rows[numbers[0]] if cell is not None)
        remarks = [say_title(title, n_above), *remarks]
    body = numbers[n_above + 1 :]
    return Loaded({n: [rows[k][i] for k in body] for i, n in enumerate(names)}, body, remarks)


def _count_above(rows: list[tuple[Any, ...]]) -> int:
    """Return how many rows stand above the header: titles of one cell, above three and more."""
    filled = [sum(cell is not None for cell in row) for row in rows[:HEADER_WITHIN]]
    n_above = next((number for number, n in enumerate(filled) if n > 1), 0)
    return n_above if filled[n_above] > 2 else 0


def _find_sheet(path: Path, book: Any, sheet: str | int | None) -> Any:
    names = book.sheetnames
    if sheet is None:
        return book[names[0]]
    if isinstance(sheet, str) and sheet.isdecimal() and sheet not in names:
        sheet = int(sheet)  # as a command line writes it
    if isinstance(sheet, int) and 0 <= sheet < len(names):
        return book[names[sheet]]
    if sheet in names:
        return book[sheet]
    raise DataError(f"{path} has no sheet {sheet!r}; {did_you_mean(str(sheet), names)}")
