"""Files of rows as collections, and what is written of each partition."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from miter.data.files.reading import find_files, suffix_of
from miter.errors import DataError, did_you_mean, need

__all__ = ["open_rows", "split_target"]


def open_rows(path: Path) -> Any:
    """Return the rows of a Parquet file, or of all that a pattern stands for; nothing is read yet.

    Parameters
    ----------
    path : Path
        A file, or a pattern such as ``rows/part-*.parquet``. What workers read they must see, too.
    """
    places = find_files(path)
    if suffix_of(places[0]) != ".parquet":
        raise DataError(
            f"{places[0]} is no Parquet file, and a cluster reads no other: `miter predict` and "
            "`miter fit` without --dask read it, or write it as Parquet"
        )
    try:
        import dask.dataframe as dd
    except ImportError as error:
        raise need("dask", "dask", "Clusters") from error
    try:
        frame = dd.read_parquet([str(place.resolve()) for place in places], index=False)
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as Parquet ({error}); check the files") from error
    # The index of a pandas frame is stored as a column, but is no part of the table.
    index = [name for name in frame.columns if re.fullmatch(r"__index_level_\d+__", str(name))]
    return frame.drop(columns=index) if index else frame


def split_target(frame: Any, target: str | None, path: Path) -> tuple[Any, Any]:
    """Return the columns to learn from, and that of the classes.

    Parameters
    ----------
    frame : Dask DataFrame
        All columns.
    target : str, optional
        The column of the classes.
    path : Path
        Where it is from.
    """
    names = [str(name) for name in frame.columns]
    if target is None:
        raise DataError(f"{path} does not say which column is the class; name it, --target COLUMN")
    if target not in names:
        raise DataError(
            f"{path} has no column {target!r} for the class; {did_you_mean(target, names)}"
        )
    return frame.drop(columns=target), frame[target]
