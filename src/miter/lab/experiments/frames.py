"""Long tables as data frames of whichever library the user has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from os import PathLike
from typing import Any

from miter.errors import did_you_mean

__all__ = ["make_frame", "write_parquet"]

#: Names of columns to what they hold ("str", "int" or "float") and their values, None if unknown.
Columns = Mapping[str, tuple[str, list[Any]]]


def make_frame(columns: Columns, backend: str = "pandas") -> Any:
    """Make a data frame.

    Parameters
    ----------
    columns : mapping
        Name to the kind of the column ("str", "int" or "float") and its values.
    backend : {"pandas", "polars", "pyarrow"}
        Which library; it is imported now.

    Returns
    -------
    DataFrame or Table
        Whole numbers stay whole where some are unknown.

    Examples
    --------
    >>> from miter.lab.experiments.frames import make_frame
    >>> make_frame({"nodes": ("int", [7, None])}, "pyarrow").column("nodes").to_pylist()
    [7, None]
    """
    if backend not in _MAKERS:
        raise ValueError(f"backend is {backend!r}; {did_you_mean(backend, _MAKERS)}")
    return _MAKERS[backend](_import(backend), columns)


def write_parquet(columns: Columns, path: str | PathLike[str]) -> None:
    """Write a Parquet file; needs pyarrow.

    Examples
    --------
    >>> import tempfile
    >>> from miter.lab.experiments.frames import write_parquet
    >>> with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
    ...     write_parquet({"nodes": ("int", [7, None])}, file.name)
    """
    table = make_frame(columns, "pyarrow")
    import_module("pyarrow.parquet").write_table(table, path)


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}, which is not here; pip install {name}") from None


def _make_pandas(pandas: Any, columns: Columns) -> Any:
    types = {"int": "Int64", "float": "float64", "str": None}
    return pandas.DataFrame(
        {
            name: pandas.Series(values, dtype=types[kind] or pandas.StringDtype())
            for name, (kind, values) in columns.items()
        }
    )


def _make_polars(polars: Any, columns: Columns) -> Any:
    types = {"int": polars.Int64, "float": polars.Float64, "str": polars.String}
    return polars.DataFrame(
        {name: values for name, (_, values) in columns.items()},
        schema={name: types[kind] for name, (kind, _) in columns.items()},
    )


def _make_pyarrow(pyarrow: Any, columns: Columns) -> Any:
    types = {"int": pyarrow.int64(), "float": pyarrow.float64(), "str": pyarrow.string()}
    return pyarrow.table(
        {name: pyarrow.array(values, types[kind]) for name, (kind, values) in columns.items()}
    )


_MAKERS: dict[str, Callable[[Any, Columns], Any]] = {
    "pandas": _make_pandas,
    "polars": _make_polars,
    "pyarrow": _make_pyarrow,
}
