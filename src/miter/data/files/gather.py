"""Rows of text, gathered chunk by chunk into `Data`.

A format describes its file as a `TextTable`: what the header says of each column, and how to
walk the rows. What is done with them is the same for all formats, and is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from miter.data.files.cells import encode_cells, settle_cells
from miter.data.files.gatherers import Declaration, Gatherer, Place, SymbolGatherer, make_gatherer
from miter.data.kinds import Kinds, Wish, check_kinds
from miter.data.labels import label_text
from miter.data.schema import Kind, Schema
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["Row", "TextTable", "gather_data"]

CHUNK_ROWS = 50_000
# A chunk of a wide table has fewer rows, so that its cells fit into a few hundred megabytes.
CHUNK_CELLS = 2_000_000

#: The line on which a row begins, and its cells.
Row = tuple[int, Sequence[str]]


@dataclass(frozen=True)
class TextTable:
    """A file of text cells.

    Parameters
    ----------
    path : Path
        The file that holds the rows.
    columns : tuple of Declaration
        One for each cell of a row, the class among them.
    target : int or None
        Which cell is the class; None when the rows have none.
    rows : callable
        Starts a walk over the rows.
    missing : frozenset of str
        The words that mean 'missing'; '?' is always among them.
    """

    path: Path
    columns: tuple[Declaration, ...]
    target: int | None
    rows: Callable[[], Iterator[Row]]
    missing: frozenset[str] = frozenset("?")

    @property
    def place(self) -> Place:
        """Where errors happen."""
        return Place(self.path, self.missing)


def gather_data(table: TextTable, kinds: Kinds | None, schema: Schema | None) -> Data:
    """Read a text table.

    Parameters
    ----------
    table : TextTable
        The file.
    kinds : mapping, optional
        What the user says the columns are.
    schema : Schema, optional
        Of the training rows; then columns are found by name and unknown symbols are missing.

    Returns
    -------
    Data
        Under `schema`, or under the schema found.
    """
    if schema is not None:
        return _gather_known(table, schema)
    return _gather_new(table, kinds)


def _gather_new(table: TextTable, kinds: Kinds | None) -> Data:
    if table.target is None:
        raise DataError(f"{table.path} has no class column; name it with target=")
    plans = _plan_new(table, kinds)
    if not plans:
        raise DataError(f"{table.path} has no column but ignored ones and the class; keep one")
    target = replace(table.columns[table.target], kind="symbolic")
    _check_values(table, target)
    gatherers = _gather(table, {**plans, table.target: target})
    classes, codes = _finish_labels(cast(SymbolGatherer, gatherers.pop(table.target)))
    matrix = np.empty((len(codes), len(plans)))
    columns = []
    for position, (cell, plan) in enumerate(plans.items()):
        cells = gatherers.pop(cell).finish()
        wish = None if plan.kind is None else Wish(plan.kind)
        try:
            column, matrix[:, position] = settle_cells(plan.name, cells, wish)
        except DataError as error:
            raise DataError(f"{table.path}: {error}") from error
        columns.append(column)
    others = set(range(len(table.columns))) - plans.keys() - {table.target}
    ignored = tuple(table.columns[cell].name for cell in sorted(others))
    return Data(Schema(tuple(columns), classes, target.name, ignored), matrix, codes)


def _gather_known(table: TextTable, schema: Schema) -> Data:
    plans = _plan_known(table, schema)
    codes = None
    if table.target is None:
        gatherers = _gather(table, plans)
    else:
        target = _plan_labels(table.columns[table.target].name, schema)
        gatherers = _gather(table, {**plans, table.target: target})
        labels = cast(SymbolGatherer, gatherers.pop(table.target))
        # Rows to predict often carry a ? for the class that is sought.
        codes = None if labels.is_all_missing else _finish_labels(labels)[1]
    arrays = [
        encode_cells(gatherers.pop(cell).finish(), column)
        for cell, column in zip(plans, schema.columns, strict=True)
    ]
    return Data(schema, np.column_stack(arrays), codes)


def _plan_new(table: TextTable, kinds: Kinds | None) -> dict[int, Declaration]:
    """Return which cells of a row to take in, and how, as the file and the user say."""
    names = [column.name for column in table.columns]
    inputs = [cell for cell in range(len(names)) if cell != table.target]
    wishes = check_kinds(kinds, [names[cell] for cell in inputs])
    plans = {}
    for cell in inputs:
        plan = _apply_wish(table.columns[cell], wishes.get(names[cell]))
        if plan.kind != "ignored":
            _check_usable(table, plan)
            _check_values(table, plan)
            plans[cell] = plan
    return plans


def _apply_wish(declaration: Declaration, wish: Wish | None) -> Declaration:
    if wish is None:
        return declaration
    if wish.kind == "date":
        raise DataError(
            f"column {declaration.name!r} is declared in its file, where there are no dates; give "
            "the rows as CSV to read dates"
        )
    values = declaration.values if wish.values is None else wish.values
    return replace(declaration, kind=wish.kind, values=values)


def _check_usable(table: TextTable, plan: Declaration) -> None:
    if plan.trouble:
        table.place.fail(
            plan.line,
            f"column {plan.name!r} holds {plan.trouble}, which Miter cannot use; turn it into "
            f"numbers or symbols, or leave it out with kinds={{{plan.name!r}: 'ignored'}}",
        )


def _check_values(table: TextTable, plan: Declaration) -> None:
    for value in plan.values or ():
        if value in table.missing:
            raise DataError(
                f"{table.path}: among the values of column {plan.name!r} is {value!r}, which means "
                "missing in this file; rename the value"
            )


def _plan_known(table: TextTable, schema: Schema) -> dict[int, Declaration]:
    """Return which cells of a row to take in, in the order of the schema."""
    names = [column.name for column in table.columns]
    position = {name: cell for cell, name in enumerate(names) if cell != table.target}
    plans = {}
    for column in schema.columns:
        if column.name not in position:
            raise DataError(
                f"{table.path} has no column {column.name!r}; {did_you_mean(column.name, names)}"
            )
        kind: Kind = "numeric" if column.kind == "numeric" else "symbolic"
        cure = "clean it, or write ? if it is missing"
        plans[position[column.name]] = Declaration(column.name, kind, cure=cure)
    return plans


def _plan_labels(name: str, schema: Schema) -> Declaration:
    values = tuple(map(label_text, schema.classes))
    return Declaration(name, "symbolic", values, cure="correct it, or leave the classes out")


def _gather(table: TextTable, plans: dict[int, Declaration]) -> dict[int, Gatherer]:
    """Walk the rows once."""
    gatherers = {cell: make_gatherer(plan, table.place) for cell, plan in plans.items()}
    is_empty = True
    for lines, columns in _chunks(table):
        is_empty = False
        for cell, gatherer in gatherers.items():
            gatherer.add(columns[cell], lines)
    if is_empty:
        raise DataError(f"{table.path} has no rows; give at least one")
    return gatherers


def _chunks(table: TextTable) -> Iterator[tuple[Sequence[int], Sequence[Sequence[str]]]]:
    """Yield the rows in chunks: their lines, and their cells column by column."""
    width = len(table.columns)
    size = max(1, min(CHUNK_ROWS, CHUNK_CELLS // width))
    rows = table.rows()
    while chunk := list(islice(rows, size)):
        lines, cells = zip(*chunk, strict=True)
        try:
            columns = list(zip(*cells, strict=True))
        except ValueError:
            columns = []
        if len(columns) != width:
            _fail_on_ragged(table, chunk)
        yield lines, columns


def _fail_on_ragged(table: TextTable, chunk: Sequence[Row]) -> NoReturn:
    width = len(table.columns)
    line, cells = next(row for row in chunk if len(row[1]) != width)
    table.place.fail(
        line,
        f"{len(cells)} cells where {width} are expected, {table.columns[0].name!r} to "
        f"{table.columns[-1].name!r}; write ? for a missing cell, and quotes around a comma",
    )


def _finish_labels(labels: SymbolGatherer) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return classes and codes; an error where a label is missing."""
    if labels.first_missing is not None:
        labels.place.fail(
            labels.first_missing,
            f"the class {labels.declaration.name!r} is missing; leave the row out, or give it one",
        )
    symbols = labels.finish()
    return symbols.texts, symbols.codes
