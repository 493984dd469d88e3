"""Columns of NumPy, Arrow, frames and Python objects, brought to one of four forms."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.choose import Cells
from miter.data.columns.texts import Texts, texts_of
from miter.data.columns.times import Moments
from miter.data.columns.words import MISSING_WORDS
from miter.data.files.cells import MISSING, Numbers, Symbols, number_text
from miter.data.labels import is_missing
from miter.errors import DataError

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = ["FLOATS", "cells_of_array", "cells_of_arrow", "cells_of_objects", "cells_of_series"]

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def cells_of_array(
    name: str, array: NDArray[Any], missing: frozenset[str] = MISSING_WORDS
) -> Cells:
    """Return the cells of a one-dimensional array of any type.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.columns.convert import cells_of_array
    >>> cells_of_array("wind", np.array(["Weak", "Strong"])).distinct.to_pylist()
    ['Weak', 'Strong']
    """
    kind = array.dtype.kind
    if kind == "f" and array.dtype in FLOATS:
        return Numbers(array)
    if kind in "fiub":
        return Numbers(array.astype(np.float64), is_boolean=kind == "b")
    if kind == "O":
        return cells_of_objects(name, array.tolist(), missing)
    if kind in "UT":
        return _cells_of_texts(array.tolist(), np.ones(len(array), bool), missing)
    if kind == "M":
        return _moments(array)
    if kind == "m":
        return Numbers(_seconds(array), part="duration")
    raise _unusable(name, _describe_array_type(kind))


def cells_of_arrow(name: str, array: Any, missing: frozenset[str] = MISSING_WORDS) -> Cells:
    """Return the cells of an Arrow array of any type but dictionaries.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from miter.data.columns.convert import cells_of_arrow
    >>> cells_of_arrow("age", pa.array([31, None])).values
    array([31., nan])
    """
    import pyarrow as pa

    types, kind = pa.types, array.type
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return texts_of(array.cast(pa.string()), missing)
    if types.is_null(kind):
        return Numbers(np.full(len(array), np.nan))
    if types.is_timestamp(kind) or types.is_date(kind):
        has_zone = types.is_timestamp(kind) and kind.tz is not None
        moments = array.cast(pa.timestamp("us", kind.tz if has_zone else None), safe=False)
        return _moments(moments.to_numpy(zero_copy_only=False), has_zone=has_zone)
    if types.is_time(kind) or types.is_duration(kind):
        if types.is_time(kind):
            array = array.cast(pa.time64("us") if types.is_time64(kind) else kind, safe=False)
            array = array.cast(pa.int64() if types.is_time64(kind) else pa.int32())
            per_second = 1e6 if types.is_time64(kind) else {"s": 1, "ms": 1000}[kind.unit]
            return Numbers(_floats(array) / per_second, part="duration")
        array = array.cast(pa.duration("us"), safe=False).cast(pa.int64())
        return Numbers(_floats(array) / 1e6, part="duration")
    if types.is_boolean(kind):
        return Numbers(_floats(array.cast(pa.int8())), is_boolean=True)
    if types.is_float32(kind) and not array.null_count:
        return Numbers(array.to_numpy(zero_copy_only=False))
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return Numbers(_floats(array))
    what = "bytes" if types.is_binary(kind) or types.is_large_binary(kind) else "nested cells"
    raise _unusable(name, f"{what} ({kind})")


def _floats(array: Any) -> NDArray[np.float64]:
    """Return Arrow numbers as floats, nulls as NaN."""
    import pyarrow as pa

    numbers: NDArray[np.float64] = array.cast(pa.float64(), safe=False).to_numpy(
        zero_copy_only=False
    )
    return numbers


def _moments(array: NDArray[Any], *, has_zone: bool = False) -> Moments:
    is_known = ~np.isnat(array)
    days = np.full(len(array), np.nan)
    days[is_known] = array[is_known].astype("M8[us]").astype(np.int64) / 86_400e6
    return Moments(days, bool((days[is_known] % 1 != 0).any()), has_zone)


def _seconds(array: NDArray[Any]) -> NDArray[np.float64]:
    is_known = ~np.isnat(array)
    seconds = np.full(len(array), np.nan)
    seconds[is_known] = array[is_known] / np.timedelta64(1, "s")
    return seconds


def cells_of_series(name: str, series: nw.Series[Any], missing: frozenset[str]) -> Cells:
    """Return the cells of a series of any frame."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _cells_of_categories(series)
    if dtype.is_nested():
        raise _unusable(name, f"nested cells ({dtype})")
    if isinstance(dtype, nw.String) or dtype.is_temporal():
        return cells_of_arrow(name, series.to_arrow(), missing)
    return cells_of_array(name, series.to_numpy(), missing)


def _cells_of_texts(
    texts: list[str], is_known: NDArray[np.bool_], missing: frozenset[str]
) -> Texts:
    import pyarrow as pa

    cells = np.full(len(is_known), None, object)
    cells[is_known] = texts
    try:
        return texts_of(pa.array(cells, pa.string()), missing)
    except UnicodeEncodeError:
        raise DataError(
            "a text holds half of a surrogate pair, which no file can; clean the texts"
        ) from None


def _cells_of_categories(series: nw.Series[Any]) -> Symbols:
    """Take categories by their codes, cell by cell nothing is touched."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    coded: Any = getattr(native, "array", None)
    if hasattr(coded, "codes"):  # pandas and its like
        codes, categories, is_ordered = coded.codes, coded.categories.tolist(), bool(coded.ordered)
    elif hasattr(native, "to_physical"):  # polars
        return _symbols_of_polars(native, is_ordered=isinstance(series.dtype, nw.Enum))
    else:
        array = series.to_arrow()
        if hasattr(array, "combine_chunks"):
            array = array.unify_dictionaries().combine_chunks()
        codes = array.indices.cast("int32").fill_null(MISSING).to_numpy()
        categories = array.dictionary.to_pylist()
        is_ordered = isinstance(series.dtype, nw.Enum) or bool(array.type.ordered)
    return Symbols(tuple(map(_text_of, categories)), codes, has_order=True, is_ordered=is_ordered)


def _symbols_of_polars(native: Any, *, is_ordered: bool) -> Symbols:
    """Take the categories that cells have, by their codes: columns may share a list of many."""
    codes = native.to_physical()
    if native.null_count():
        codes = codes.cast(int).fill_null(MISSING)
    if is_ordered:
        categories = native.dtype.categories.to_list()
        return Symbols(tuple(categories), codes.to_numpy(), has_order=True, is_ordered=True)
    # Their numbers depend on what else the session has coded; their order must not.
    distinct = native.drop_nulls().unique()
    known = sorted(zip(distinct.to_list(), distinct.to_physical().to_list(), strict=True))
    numbers = [number for _, number in known]
    rank = np.full(max(numbers, default=-1) + 2, MISSING, np.int32)
    rank[numbers] = np.arange(len(known))
    is_coded = numbers == list(range(len(known)))
    coded = codes.to_numpy() if is_coded else rank[codes.to_numpy()]
    return Symbols(tuple(text for text, _ in known), coded, has_order=True)


def cells_of_objects(name: str, cells: list[Any], missing: frozenset[str]) -> Cells:
    """Return cells that are Python objects of any type."""
    is_known = np.array([not is_missing(cell) for cell in cells], dtype=bool)
    present = list(compress(cells, is_known))
    # One cell of each type stands for all of that type.
    examples = {type(cell): cell for cell in present}
    groups = {_group_of(name, cell) for cell in examples.values()}
    if groups <= {"number"} or groups == {"boolean"}:
        values = np.full(len(cells), np.nan)
        values[is_known] = np.fromiter(map(float, present), np.float64, len(present))
        return Numbers(values, is_boolean=groups == {"boolean"})
    if groups in ({"date"}, {"duration"}):
        return _cells_of_times(cells, is_known)
    return _cells_of_texts(list(map(_text_of, present)), is_known, missing)


def _cells_of_times(cells: list[Any], is_known: NDArray[np.bool_]) -> Cells:
    import pyarrow as pa

    present = list(compress(cells, is_known))
    has_zone = any(getattr(cell, "tzinfo", None) is not None for cell in present)
    values = np.full(len(cells), np.nan)
    if isinstance(present[0], timedelta | np.timedelta64):
        values[is_known] = [np.timedelta64(cell) / np.timedelta64(1, "s") for cell in present]
        return Numbers(values, part="duration")
    if isinstance(present[0], time):
        values[is_known] = [cell.hour * 3600 + cell.minute * 60 + cell.second for cell in present]
        return Numbers(values, part="duration")
    kind = pa.timestamp("us", "UTC" if has_zone else None)
    moments = _moments(pa.array(map(_as_datetime, present), kind).to_numpy(zero_copy_only=False))
    values[is_known] = moments.days
    return Moments(values, moments.has_clock, has_zone)


def _as_datetime(cell: Any) -> Any:
    if isinstance(cell, date) and not isinstance(cell, datetime):
        return datetime(cell.year, cell.month, cell.day)
    return cell


def _group_of(name: str, cell: object) -> str:
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool | np.bool_):
        return "boolean"
    if isinstance(cell, int | float | np.integer | np.floating | Decimal):
        return "number"
    if isinstance(cell, date | np.datetime64):
        return "date"
    if isinstance(cell, time | timedelta | np.timedelta64):
        return "duration"
    raise _unusable(name, f"{type(cell).__name__} objects")


def _text_of(cell: Any) -> str:
    if isinstance(cell, float | np.floating | Decimal):
        return number_text(cell)
    return str(cell)


def _describe_array_type(kind: str) -> str:
    described = {"S": "bytes", "V": "records"}
    if kind == "c":
        # The words that scikit-learn's own checks look for.
        return "complex numbers. Complex data not supported"
    return described.get(kind, "cells of an unknown type")


def _unusable(name: str, what: str) -> DataError:
    return DataError(
        f"column {name!r} holds {what}; turn it into numbers or texts, "
        f"or leave it out with kinds={{{name!r}: 'ignored'}}"
    )
