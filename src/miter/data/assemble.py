"""From the columns of any table to one matrix, under a schema found or known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.choose import Cells, Chosen, choose
from miter.data.columns.known import Encoder
from miter.data.columns.texts import Context, missing_numbers
from miter.data.files.cells import Numbers
from miter.data.kinds import Wish
from miter.data.remarks import Remark
from miter.data.schema import Column, Form, Schema
from miter.errors import DataError, did_you_mean

__all__ = ["Settled", "Source", "encode", "find_sources", "settle", "stack"]

#: So many cells are moved at a time from columns into rows that they stay in the cache.
BLOCK_CELLS = 1 << 16


class Source(Protocol):
    """A table of columns."""

    names: list[str]
    n_rows: int

    @property
    def matrix(self) -> NDArray[Any] | None:
        """Where the source has put its numbers already, a column for each that may be used."""
        ...

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells of a column."""
        ...


@dataclass(frozen=True, eq=False)
class Settled:
    """What a table becomes.

    Parameters
    ----------
    columns : tuple of Column
        That learners may use.
    matrix : ndarray of shape (n_rows, n_columns)
        Their cells.
    left_out : tuple of str
        The names of the columns that are in neither.
    remarks : tuple of Remark
        What there is to say.
    """

    columns: tuple[Column, ...]
    matrix: NDArray[Any]
    left_out: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()


def settle(
    source: Source, positions: Sequence[int], wishes: Mapping[str, Wish], context: Context
) -> Settled:
    """Choose what each column becomes, and put the cells together.

    Parameters
    ----------
    source : Source
        The table.
    positions : sequence of int
        Which columns may be used; not the target.
    wishes : mapping of str to Wish
        What the user says they are.
    context : Context
        What holds for the table.
    """
    chosen: dict[str, Chosen] = {}
    for position in positions:
        name = source.names[position]
        wish = wishes.get(name)
        if wish is None or wish.kind != "ignored":
            cells = _known_cells(source, position, context)
            chosen[name] = choose(name, cells, wish, context)
    for name, wish in wishes.items():
        if wish.since:
            chosen[name] = _with_days_since(name, wish.since, chosen)
    columns = [column for one in chosen.values() for column in one.columns]
    if not columns:
        kept = "kinds={" + repr(source.names[positions[0]]) + ": 'symbolic'}"
        raise DataError(
            f"no column is left to learn from: {'; '.join(_reasons(chosen))}; keep one, as {kept}"
        )
    columns, remarks = _without_twins(columns, chosen)
    arrays = [array for one in chosen.values() for array in one.arrays]
    left_out = [source.names[p] for p in positions if not _is_used(source.names[p], chosen)]
    matrix = stack(arrays, columns, source.n_rows, source.matrix)
    return Settled(tuple(columns), matrix, tuple(left_out), tuple(remarks))


def _known_cells(source: Source, position: int, context: Context) -> Cells:
    """Return the cells of a column, without numbers that the user says stand for missing cells."""
    cells = source.cells(position, context.missing)
    marks = missing_numbers(context.missing)
    if not len(marks) or not isinstance(cells, Numbers) or cells.is_boolean:
        return cells
    is_missing = np.isin(cells.values, marks)
    if not is_missing.any():
        return cells
    return replace(cells, values=np.where(is_missing, np.nan, cells.values))


def _reasons(chosen: Mapping[str, Chosen]) -> list[str]:
    remarks = [remark for one in chosen.values() for remark in one.remarks]
    return [f"{r.column!r} {r.sentence}" for r in remarks if r.about == "left out"][:3]


def _is_used(name: str, chosen: Mapping[str, Chosen]) -> bool:
    return name in chosen and bool(chosen[name].columns)


def _with_days_since(name: str, since: str, chosen: Mapping[str, Chosen]) -> Chosen:
    own = chosen[name]
    first = chosen[since].days if since in chosen else None
    if first is None or own.days is None:
        raise DataError(
            f"kinds asks for the days from {since!r} to {name!r}, but {since!r} holds no dates; "
            f"call it 'date', kinds={{{since!r}: 'date'}}"
        )
    notation = own.columns[0].form.notation if own.columns[0].form is not None else ""
    form = Form("days since", source=name, notation=notation, since=since)
    column = Column(f"{name} since {since}", "numeric", form=form)
    return replace(own, columns=[*own.columns, column], arrays=[*own.arrays, own.days - first])


def _without_twins(
    columns: list[Column], chosen: Mapping[str, Chosen]
) -> tuple[list[Column], list[Remark]]:
    """Rename parts of dates that are called like a column of the table."""
    remarks = [remark for one in chosen.values() for remark in one.remarks]
    renamed: list[Column] = []
    for column in columns:
        name = column.name
        while name in {other.name for other in renamed} or (
            column.source != column.name and name in chosen
        ):
            name += "'"
        renamed.append(column if name == column.name else replace(column, name=name))
    return renamed, remarks


def find_sources(names: Sequence[str], schema: Schema, where: str) -> dict[str, int]:
    """Return where each column is that the schema needs; all that are absent are named at once.

    Parameters
    ----------
    names : sequence of str
        The columns that there are.
    schema : Schema
        Of the training rows.
    where : str
        The table, as an error calls it.
    """
    position = {name: i for i, name in enumerate(names)}
    absent = [name for name in schema.sources if name not in position]
    if absent:
        shown = ", ".join(map(repr, absent[:10])) + (", ..." if len(absent) > 10 else "")
        lacks = "has no column" if len(absent) == 1 else f"lacks {len(absent)} columns:"
        near = did_you_mean(absent[0], names) if len(absent) == 1 or len(names) < 20 else ""
        near = near if names else "it has no others"
        raise DataError(
            f"{where} {lacks} {shown}; {near} "
            f"(the model was trained on {len(schema.sources)} columns)"
        )
    return {name: position[name] for name in schema.sources}


def encode(
    source: Source,
    positions: Mapping[str, int],
    schema: Schema,
    context: Context,
    used: Iterable[int] | None = None,
) -> tuple[NDArray[Any], tuple[Remark, ...]]:
    """Return the matrix of new rows under the schema of the training rows, and what to say.

    Parameters
    ----------
    source : Source
        The table.
    positions : mapping of str to int
        Where each of `Schema.sources` is.
    schema : Schema
        Of the training rows.
    context : Context
        What holds for the table.
    used : iterable of int, optional
        Positions in `Schema.columns` of those that will be looked at; the others are not read, and
        hold 0. None: all.
    """
    encoder = Encoder(context)
    arrays: dict[int, NDArray[Any]] = {}
    cells: dict[str, Cells] = {}
    for place in range(schema.n_columns) if used is None else used:
        column = schema.columns[place]
        since = "" if column.form is None else column.form.since
        for name in {column.source, since} - cells.keys() - {""}:
            cells[name] = _known_cells(source, positions[name], context)
        arrays[place] = encoder.encode(column, cells[column.source], cells.get(since))
        if column.form is None:
            del cells[column.source]
    if used is None:
        whole = stack(list(arrays.values()), schema.columns, source.n_rows, source.matrix)
        return whole, tuple(encoder.remarks)
    return _stack_some(arrays, schema.columns, source.n_rows), tuple(encoder.remarks)


def _stack_some(
    arrays: Mapping[int, NDArray[Any]], columns: Sequence[Column], n_rows: int
) -> NDArray[Any]:
    """Put some columns in their places, column by column: memory of the others is not touched."""
    dtype = _common_type(arrays.values(), [columns[place] for place in arrays])
    matrix = np.zeros((len(columns), n_rows), dtype)
    for place, array in arrays.items():
        matrix[place] = array
    return matrix.T


def _common_type(
    arrays: Iterable[NDArray[Any]], columns: Sequence[Column]
) -> type[np.float32] | type[np.float64]:
    """Return what holds all: codes fit into either, one float64 column of numbers needs float64."""
    numeric = {a.dtype for a, c in zip(arrays, columns, strict=True) if c.kind == "numeric"}
    return np.float32 if numeric == {np.dtype(np.float32)} else np.float64


def stack(
    arrays: list[NDArray[Any]],
    columns: Sequence[Column],
    n_rows: int,
    into: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Put columns side by side.

    Parameters
    ----------
    arrays : list of ndarray of shape (n_rows,)
        The columns.
    columns : sequence of Column
        What they are.
    n_rows : int
        How many rows there are.
    into : ndarray of shape (n_rows, n_columns), optional
        Used when all of its columns that are among the arrays are in their place.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column
    >>> from miter.data.assemble import stack
    >>> columns = [Column("a", "numeric"), Column("b", "numeric")]
    >>> stack([np.array([1.0, 2.0]), np.array([3.0, 4.0])], columns, 2)
    array([[1., 3.],
           [2., 4.]])
    """
    if into is not None and into.shape[1] == len(arrays):
        places = [_place(array, into) for array in arrays]
        if all(place in {None, position} for position, place in enumerate(places)):
            _fill(into, {p: a for p, a in enumerate(arrays) if places[p] is None})
            return into
    matrix = np.empty((n_rows, len(arrays)), _common_type(arrays, columns))
    _fill(matrix, dict(enumerate(arrays)))
    return matrix


def _place(array: NDArray[Any], matrix: NDArray[Any]) -> int | None:
    """Return which column of a matrix an array is; None when it is none."""
    if array.base is None or array.strides != matrix.strides[:1]:
        return None
    place, rest = divmod(array.ctypes.data - matrix.ctypes.data, matrix.itemsize)
    return place if 0 <= place < matrix.shape[1] and not rest else None


def _fill(matrix: NDArray[Any], arrays: Mapping[int, NDArray[Any]]) -> None:
    step = max(1, BLOCK_CELLS // max(len(arrays), 1))
    for start in range(0, len(matrix), step):
        block = matrix[start : start + step]
        for position, array in arrays.items():
            block[:, position] = array[start : start + step]
