"""Label ids: what they are called, and which of them do not count."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Label
from miter.errors import DataError, did_you_mean
from miter.pixels.images import MOST_IDS, block_rows

__all__ = ["LabelIds", "read_classes"]


class LabelIds:
    """Which ids a label image may have, and what they are called.

    Parameters
    ----------
    names : mapping of int to str, optional
        The class table. None: any id may be there, and is its own name.
    ignore : sequence of str or int
        Names, or ids, that do not count. These ids may be there without being in the table.

    Examples
    --------
    >>> from miter.pixels.labels import LabelIds
    >>> ids = LabelIds({0: "Sky", 3: "Road", 11: "Unlabelled"}, ignore=["Unlabelled"])
    >>> ids.name(3), bool(ids.counts[11])
    ('Road', False)
    """

    def __init__(self, names: Mapping[int, str] | None, ignore: Sequence[str | int] = ()) -> None:
        self._names = None if names is None else _check_names(names)
        self._known = np.full(MOST_IDS, names is None)
        self._known[list(self._names or ())] = True
        self.counts = self._known.copy()
        if isinstance(ignore, str):
            raise ValueError(f"ignore is {ignore!r}; give a list of names or ids")
        for item in ignore:
            number = self._find(item)
            self._known[number], self.counts[number] = True, False

    def name(self, number: int) -> Label:
        """Return the class of an id."""
        return int(number) if self._names is None else self._names[int(number)]

    def count(self, labels: NDArray[np.uint8], name: str, block_pixels: int) -> NDArray[np.int64]:
        """Return how many pixels have each id; an id that is not in the table is an error.

        Parameters
        ----------
        labels : ndarray of shape (height, width)
            A label image.
        name : str
            What errors call it.
        block_pixels : int
            So many pixels are counted at a time.
        """
        counts = np.zeros(MOST_IDS, np.int64)
        for top, bottom in block_rows(labels.shape, block_pixels):
            counts += np.bincount(labels[top:bottom].ravel(), minlength=MOST_IDS)
        unknown = np.flatnonzero((counts > 0) & ~self._known)
        if len(unknown):
            number = int(unknown[0])
            row, column = np.argwhere(labels == number)[0]
            raise DataError(
                f"{name} has the id {number} in row {row}, column {column}, which the class table "
                "does not list; add it to the table, or ignore it"
            )
        return counts

    def _find(self, item: str | int) -> int:
        """Return the id of a name, or the id itself."""
        by_name = {name: number for number, name in (self._names or {}).items()}
        if isinstance(item, str):
            if item not in by_name:
                cure = did_you_mean(item, by_name) if by_name else "give ids, or a class table"
                raise DataError(f"there is no class {item!r} to ignore; {cure}")
            return by_name[item]
        return _check_id(item)


def read_classes(path: str | PathLike[str]) -> dict[int, str]:
    r"""Read a class table: a CSV file with the columns id and name.

    Parameters
    ----------
    path : str or path
        The file. Other columns, such as colours, are left alone.

    Returns
    -------
    dict of int to str
        The name of each id.

    Raises
    ------
    DataError
        With the file and the line, when the table cannot be understood.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.pixels import read_classes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "classes.csv")
    ...     _ = path.write_text("id,name,red,green,blue\n0,Sky,128,128,128\n3,Road,128,64,128\n")
    ...     read_classes(path)
    {0: 'Sky', 3: 'Road'}
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return _parse_classes(csv.DictReader(file), path)
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the name and the folder") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path} is not a CSV file in UTF-8: {error}") from None


def _parse_classes(rows: csv.DictReader[str], path: str | PathLike[str]) -> dict[int, str]:
    header = rows.fieldnames or []
    for column in ("id", "name"):
        if column not in header:
            raise DataError(f"{path} has no column {column!r}; its first line must name id, name")
    names: dict[int, str] = {}
    for row in rows:
        place = f"{path}, line {rows.line_num}"
        text, name = (row["id"] or "").strip(), (row["name"] or "").strip()
        if not (text.isascii() and text.isdigit() and int(text) < MOST_IDS):
            raise DataError(f"{place}: the id is {text!r}; give a whole number from 0 to 255")
        if not name:
            raise DataError(f"{place}: the id {text} has no name; give it one")
        if int(text) in names or name in names.values():
            raise DataError(f"{place}: the id {text} or the name {name!r} was there before")
        names[int(text)] = name
    if not names:
        raise DataError(f"{path} lists no classes; give a line for each")
    return names


def _check_names(names: Mapping[int, str]) -> dict[int, str]:
    checked: dict[int, str] = {}
    for number, name in names.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"class_names calls {number!r} {name!r}; give a text")
        if name in checked.values():
            raise ValueError(f"class_names has two ids called {name!r}; give each its own name")
        checked[_check_id(number)] = name
    if not checked:
        raise ValueError("class_names is empty; name the ids, or leave it out")
    return checked


def _check_id(number: object) -> int:
    if not isinstance(number, int | np.integer) or not 0 <= number < MOST_IDS:
        raise ValueError(f"{number!r} is not a label id; ids are whole numbers from 0 to 255")
    return int(number)
