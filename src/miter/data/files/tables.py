"""From the columns of a file to `Data`, where the kinds are to be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from miter.data.assemble import Source, encode, find_sources, settle
from miter.data.columns.symbols import symbols_of
from miter.data.columns.texts import Context, Texts
from miter.data.columns.where import Where
from miter.data.kinds import Wish
from miter.data.labels import label_text, typed_labels
from miter.data.remarks import Reading, Remark
from miter.data.schema import Schema
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["FileWhere", "encode_table", "find_target", "settle_table"]


class FileWhere(Where):
    """Says in which row of a file that has no lines a row is."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, row: int, what: str, cure: str) -> NoReturn:
        """Raise a `DataError` that begins with the file."""
        raise DataError(f"{self.path}: {what} in {self.say(row)}; {cure}")


def find_target(
    path: Path,
    names: Sequence[str],
    target: str | None,
    schema: Schema | None,
    *,
    labelled: bool = True,
) -> int | None:
    """Return which column is the class; None when the rows have none.

    Parameters
    ----------
    path : Path
        The file.
    names : sequence of str
        Its columns.
    target : str, optional
        What the user says.
    schema : Schema, optional
        Of the training rows, which says it otherwise.
    labelled : bool
        Whether training rows must have one.
    """
    if target is None and schema is not None:
        return names.index(schema.target) if schema.target in names else None
    if target is None and not labelled:
        return None
    if target is None:
        raise DataError(
            f"which column of {path} holds the class? Name it with target=; "
            f"the columns are {', '.join(map(repr, names))}"
        )
    if target not in names:
        near = did_you_mean(target, names)
        if near.endswith("?"):
            near += f" The columns are {', '.join(map(repr, names))}"
        raise DataError(f"{path} has no column {target!r} for the class; {near}")
    return names.index(target)


def settle_table(
    path: Path,
    source: Source,
    target: int | None,
    wishes: Mapping[str, Wish],
    context: Context,
    reading: Reading,
) -> Data:
    """Read training rows: choose the kinds.

    Parameters
    ----------
    path : Path
        The file.
    source : Source
        Its columns.
    target : int or None
        Which column is the class; None when there is none.
    wishes : mapping of str to Wish
        What the user says of the columns.
    context : Context
        What holds for the table.
    reading : Reading
        What there is to say already.
    """
    _check_rows(path, source)
    inputs = [position for position in range(len(source.names)) if position != target]
    if all(source.names[i] in wishes and wishes[source.names[i]].kind == "ignored" for i in inputs):
        raise DataError(f"{path} has no column but ignored ones and the class; keep one")
    symbols = None if target is None else symbols_of(_labels(source, target, context))
    settled = settle(source, inputs, wishes, context)
    said = Reading(reading.dialect, (*reading.remarks, *settled.remarks))
    if symbols is None or target is None:
        return Data(Schema(settled.columns, ignored=settled.left_out), settled.matrix, reading=said)
    classes, name = typed_labels(symbols.texts), source.names[target]
    schema = Schema(settled.columns, classes, name, settled.left_out)
    return Data(schema, settled.matrix, symbols.codes, reading=said)


def encode_table(
    path: Path,
    source: Source,
    target: int | None,
    schema: Schema,
    context: Context,
    reading: Reading,
) -> Data:
    """Read new rows, under the schema of the training rows.

    Parameters
    ----------
    path, source, context, reading
        As for `settle_table`.
    target : int or None
        Which column is the class; None when there is none.
    schema : Schema
        Of the training rows.
    """
    _check_rows(path, source)
    inputs = [name if i != target else None for i, name in enumerate(source.names)]
    positions = find_sources([name or "" for name in inputs], schema, str(path))
    codes = None if target is None else _known_labels(source, target, schema, context)
    matrix, remarks = encode(source, positions, schema, context)
    said: tuple[Remark, ...] = (*reading.remarks, *remarks)
    return Data(schema, matrix, codes, reading=Reading(reading.dialect, said))


def _check_rows(path: Path, source: Source) -> None:
    if source.n_rows == 0:
        raise DataError(f"{path} has no rows; give at least one")


def _labels(source: Source, target: int, context: Context) -> Texts:
    labels = source.cells(target, context.missing)
    assert isinstance(labels, Texts)
    if (labels.codes < 0).any():
        context.where.fail(
            int((labels.codes < 0).argmax()),
            f"the class {source.names[target]!r} is missing",
            "leave the row out, or give it one",
        )
    return labels


def _known_labels(
    source: Source, target: int, schema: Schema, context: Context
) -> NDArray[np.int32] | None:
    cells = source.cells(target, context.missing)
    assert isinstance(cells, Texts)
    if not cells.n_known:
        return None  # rows to predict often carry a ? for the class that is sought
    name = source.names[target]
    known = {label_text(label): code for code, label in enumerate(schema.classes)}
    rank = np.array([known.get(text, -1) for text in cells.distinct.to_pylist()] + [-1], np.int32)
    codes = rank[cells.codes]
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        if cells.codes[row] < 0:
            what, cure = f"the class {name!r} is missing", "leave the row out, or give it one"
        else:
            text = cells.distinct[int(cells.codes[row])].as_py()
            what = f"column {name!r} holds {text!r}, which is not among its values "
            what += f"({did_you_mean(text, known)})"
            cure = "correct it, or leave the classes out"
        context.where.fail(row, what, cure)
    return codes
