"""Tables in memory: pandas, polars, DuckDB, Arrow and NumPy in, `Data` out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.assemble import Settled, encode, find_sources, settle
from miter.data.columns.convert import FLOATS
from miter.data.columns.texts import ODD_SHARE, Context
from miter.data.columns.where import Where
from miter.data.columns.words import MISSING_WORDS
from miter.data.files.cells import check_finite
from miter.data.kinds import Kinds, Wish, check_kinds
from miter.data.labels import encode_labels
from miter.data.remarks import Reading, Remark
from miter.data.schema import Column, Label, Schema
from miter.data.sources import AnySource, ArraySource, open_source
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["encode_frame", "from_frame", "missing_words", "settle_source"]


def from_frame(
    X: Any,
    y: Any = None,
    *,
    kinds: Kinds | None = None,
    target: str = "class",
    weight: Any = None,
    missing: Iterable[str] = (),
) -> Data:
    """Make `Data` of a table in memory.

    Numbers become numeric columns; categories and booleans symbolic ones; ordered categories
    ordered ones; dates a number and their year, month, weekday and hour. Texts become what they
    are in a file: numbers, dates, durations, steps of a scale or names; `Data.reading` says what
    was made of them. Nulls and NaN are missing cells. A float32 or float64 array whose columns
    are all numeric is not copied.

    Parameters
    ----------
    X : DataFrame, Table or ndarray of shape (n_rows, n_columns)
        From pandas, polars (also lazy), DuckDB, Arrow (also a stream) or NumPy. The columns of an
        array are called x0, x1, ...
    y : sequence of n_rows labels, optional
        Texts, whole numbers, booleans or floats. The classes are its distinct values, sorted.
    kinds : dict, optional
        Column name (or position, for an array) to 'numeric', 'symbolic', 'ordered', 'date',
        'days since' another column, or 'ignored', where the kind inferred is not the one meant.
        A list of texts makes the column ordered, with these values in this order.
    target : str
        What to call the column of the labels. Without `y`, a frame's column of this name holds
        them.
    weight : sequence of n_rows numbers, optional
        How often each row counts; not negative.
    missing : iterable of str
        Texts that mean missing, beside the usual ones.

    Returns
    -------
    Data
        The table, with the schema found.

    Raises
    ------
    DataError
        When a column, label or weight cannot be used. Rows count from 0, as in ``X[17]``.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import from_frame
    >>> X = np.array([[20.5, "Weak"], [31.0, "Strong"]], dtype=object)
    >>> data = from_frame(X, ["Yes", "No"])
    >>> data.schema.columns[1]
    Column(name='x1', kind='symbolic', values=('Strong', 'Weak'))
    >>> data.X
    array([[20.5,  1. ],
           [31. ,  0. ]])
    """
    source = open_source(X)
    position = _find_target(source, y, target)
    labels = y if position is None else source.column(position)
    context = Context(missing=missing_words(missing))
    data = settle_source(source, labels, position, target, kinds, context)
    weights = _settle_weight(weight, source.n_rows)
    return data if weights is None else replace(data, weight=weights)


def settle_source(
    source: AnySource,
    labels: Any,
    position: int | None,
    target: str,
    kinds: Kinds | None,
    context: Context,
) -> Data:
    """Make `Data` of a table whose labels are in hand.

    Parameters
    ----------
    source : ArraySource, FrameSource or ColumnsSource
        The table.
    labels : sequence of n_rows labels or None
        As for `from_frame`.
    position : int or None
        Which column of the table the labels are; None when it is none of them.
    target : str
        What the labels are called.
    kinds : mapping, optional
        What the user says of the columns.
    context : Context
        What holds for the table.
    """
    inputs = [i for i in range(len(source.names)) if i != position]
    names = [source.names[i] for i in inputs]
    wishes = check_kinds(kinds, names, by_position=not source.has_names)
    _check_size(source, names, wishes)
    settled = _settle_whole(source, wishes)
    if settled is None:
        settled = settle(source, inputs, wishes, context)
    classes, codes = _settle_labels(labels, source.n_rows, context.where)
    schema = Schema(settled.columns, classes, target, settled.left_out)
    return Data(schema, settled.matrix, codes, reading=Reading(remarks=settled.remarks))


def missing_words(more: Iterable[str]) -> frozenset[str]:
    """Return the texts that mean missing: the usual ones and those of the user."""
    words = [more] if isinstance(more, str) else list(more)
    wrong = next((word for word in words if not isinstance(word, str)), None)
    if wrong is not None:
        raise DataError(f"missing has {wrong!r} among its texts; write {str(wrong)!r}")
    return MISSING_WORDS.union(word.strip() for word in words)


def encode_frame(
    X: Any,
    schema: Schema,
    *,
    missing: Iterable[str] = (),
    remarks: list[Remark] | None = None,
    used: Iterable[int] | None = None,
    odd_share: float = ODD_SHARE,
) -> NDArray[Any]:
    """Return the matrix of rows to predict, under the schema of the training rows.

    Columns of a frame are found by name, those of an array by position. A name that the
    schema does not know becomes missing, and so does a null.

    Parameters
    ----------
    X : DataFrame, Table or ndarray
        As for `from_frame`; further columns of a frame are left alone.
    schema : Schema
        Of the training rows.
    missing : iterable of str
        As for `from_frame`.
    remarks : list of Remark, optional
        What there is to say is added to it: symbols that training never saw, odd cells.
    used : iterable of int, optional
        Positions in `Schema.columns` of those that will be looked at, where not all are: the others
        must be there, but are not read, and hold 0.
    odd_share : float
        See `Context`.

    Returns
    -------
    ndarray of shape (n_rows, schema.n_columns), float32 or float64
        Not a copy when `X` is such an array and every column is numeric.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema, encode_frame
    >>> schema = Schema((Column("wind", "symbolic", ("Weak", "Strong")),))
    >>> encode_frame(np.array([["Strong"], ["Gale"]]), schema)
    array([[ 1.],
           [nan]])
    """
    source = open_source(X)
    positions = _match_columns(source, schema)
    if schema.is_numeric and isinstance(source, ArraySource):
        whole = _whole_matrix(source, list(positions.values()), schema.names)
        if whole is not None:
            return whole
    context = Context(missing=missing_words(missing), odd_share=odd_share)
    matrix, found = encode(source, positions, schema, context, used)
    if remarks is not None:
        remarks.extend(found)
    return matrix


def _is_ignored(name: str, wishes: dict[str, Wish]) -> bool:
    return name in wishes and wishes[name].kind == "ignored"


def _find_target(source: AnySource, y: Any, target: str) -> int | None:
    """Return which column holds the labels, where no `y` does."""
    if y is not None or not source.has_names:
        return None
    if target in source.names:
        return source.names.index(target)
    if target != "class":
        raise DataError(
            f"the table has no column {target!r} for the class; "
            f"{did_you_mean(target, source.names)}, or give the labels as y"
        )
    return None


def _check_size(source: AnySource, names: list[str], wishes: dict[str, Wish]) -> None:
    if source.n_rows == 0:
        raise DataError("the table has no rows; give at least one")
    if not names:
        raise DataError("the table has no columns; give at least one")
    if all(_is_ignored(name, wishes) for name in names):
        raise DataError("kinds ignores every column of the table; leave at least one")


def _settle_whole(source: AnySource, wishes: dict[str, Wish]) -> Settled | None:
    """Take an array of floats as it is; None when it is something else."""
    if not isinstance(source, ArraySource) or any(w.kind != "numeric" for w in wishes.values()):
        return None
    whole = _whole_matrix(source, range(len(source.names)), source.names)
    if whole is None:
        return None
    return Settled(tuple(Column(name, "numeric") for name in source.names), whole)


def _whole_matrix(
    source: ArraySource, positions: list[int] | range, names: tuple[str, ...] | list[str]
) -> NDArray[Any] | None:
    """Return the array itself when it can serve as the matrix; None when it cannot."""
    array = source.array
    if array.dtype not in FLOATS or len(positions) != array.shape[1]:
        return None
    # A finite sum tells in one pass, without a second array, that no cell is infinite.
    with np.errstate(all="ignore"):
        total = array.sum()
    if not np.isfinite(total) and np.isinf(array).any():
        for name, position in zip(names, positions, strict=True):
            check_finite(name, array[:, position])
    return array


def _settle_labels(
    y: Any, n_rows: int, where: Where
) -> tuple[tuple[Label, ...], NDArray[np.int32] | None]:
    if y is None:
        return (), None
    classes, codes = encode_labels(y, where)
    if len(codes) != n_rows:
        raise DataError(f"y has {len(codes)} labels for {n_rows} rows; give one for each row")
    return classes, codes


def _settle_weight(weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    if weight is None:
        return None
    try:
        weights = np.asarray(weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("the weights are not all numbers; give one number for each row") from error
    if weights.shape != (n_rows,):
        raise DataError(
            f"the weights have the shape {weights.shape} for {n_rows} rows; give one for each row"
        )
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise DataError(
            f"the weight of row {row} is {weights[row]}; give a finite number, 0 or more"
        )
    return weights


def _match_columns(source: AnySource, schema: Schema) -> dict[str, int]:
    """Return where in the source each column is that the schema needs."""
    if source.has_names:
        return find_sources(source.names, schema, "the table")
    return _match_width(len(source.names), schema)


def _match_width(width: int, schema: Schema) -> dict[str, int]:
    sources = schema.sources
    if schema.ignored and width == len(sources) + len(schema.ignored):
        # Columns of an array are called by their position, which tells them from the ignored.
        numbered = {f"x{i}": i for i in range(width)}
        if numbered.keys() == {*sources, *schema.ignored}:
            return {name: numbered[name] for name in sources}
    if width != len(sources):
        raise DataError(
            f"X has {width} columns, but the model was trained on {len(sources)}: "
            f"{', '.join(sources)}; give these, in this order"
        )
    return {name: i for i, name in enumerate(sources)}
