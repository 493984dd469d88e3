"""Files by their suffix: C4.5, CSV, TSV, ARFF and Parquet, each also gzipped."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from miter.data.files.arff import read_arff
from miter.data.files.c45 import read_c45
from miter.data.files.delimited import read_delimited
from miter.data.files.parquet import read_parquet
from miter.data.kinds import Kinds
from miter.data.schema import Schema
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["read"]

C45_SUFFIXES = (".data", ".test", ".val", ".names")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
SUFFIXES = (*C45_SUFFIXES, *DELIMITERS, ".arff", ".parquet")


def read(
    path: str | PathLike[str],
    *,
    target: str | None = None,
    kinds: Kinds | None = None,
    schema: Schema | None = None,
) -> Data:
    r"""Read a file of rows; its suffix tells the format.

    =========================  =====================================================
    suffix                     format
    =========================  =====================================================
    .data, .test, .val,        C4.5: the columns are declared in the .names file of
    .names, or none            the same stem; the class is the last cell
    .csv, .tsv                 a header, then rows; kinds are inferred
    .arff                      Weka
    .parquet                   Parquet; needs pyarrow
    =========================  =====================================================

    Each may be gzipped, with a further .gz.

    Parameters
    ----------
    path : str or path
        The file. ``iris`` and ``iris.names`` stand for ``iris.data``.
    target : str, optional
        The column that holds the class. CSV, TSV and Parquet need it; in ARFF the default is
        the attribute called class, or the last. C4.5 files say it themselves.
    kinds : dict, optional
        Column name to 'numeric', 'symbolic', 'ordered' or 'ignored', where the kind inferred
        or declared is not the one meant. A list of texts makes the column ordered, with these
        values in this order.
    schema : Schema, optional
        Of the training rows, to read rows for predicting or testing: columns are found by
        name, symbols unknown to it become missing, and the class may be absent.

    Returns
    -------
    Data
        The rows. Classes read from text are texts, sorted unless the file declares them.

    Raises
    ------
    DataError
        With the file, the line (counting from 1) and the column, and what to do about it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.data import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "weather.csv")
    ...     _ = path.write_text("wind,humidity,play\nWeak,85,no\nStrong,?,yes\n")
    ...     data = read(path, target="play")
    >>> [(column.name, column.kind) for column in data.schema.columns]
    [('wind', 'symbolic'), ('humidity', 'numeric')]
    >>> data.X
    array([[ 1., 85.],
           [ 0., nan]])
    """
    if schema is not None and kinds is not None:
        raise DataError("both schema and kinds are given; the schema says the kinds already")
    place = _find(Path(path))
    suffix = _suffix(place)
    if suffix in C45_SUFFIXES:
        if target not in {None, "class"}:
            raise DataError(
                f"target is {target!r}, but the class of a C4.5 file is its last cell; "
                "leave target out"
            )
        return read_c45(place, _find_names(place), kinds, schema)
    if suffix in DELIMITERS:
        return read_delimited(place, DELIMITERS[suffix], target, kinds, schema)
    reader = read_arff if suffix == ".arff" else read_parquet
    return reader(place, target, kinds, schema)


def _without_gz(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _suffix(path: Path) -> str:
    """Return the suffix that tells the format."""
    return _without_gz(path).suffix.lower()


def _beside(path: Path, suffix: str) -> Path:
    """Return the file of the same stem with another suffix."""
    return _without_gz(path).with_suffix(suffix)


def _find(path: Path) -> Path:
    """Return the file of rows that the user means."""
    suffix = _suffix(path)
    if suffix == ".names":
        path = _beside(path, ".data")
    elif suffix not in SUFFIXES:
        path = _find_by_stem(path)
    found = _plain_or_gzipped(path)
    if found is None:
        raise DataError(f"there is no file {path}; {_suggest(path)}")
    if found.is_dir():
        raise DataError(f"{found} is a folder; {_suggest(found / found.name)}")
    return found


def _find_by_stem(path: Path) -> Path:
    """Take a path without a known suffix for the stem of C4.5 files."""
    rows = path.with_name(path.name + ".data") if path.name else path
    if _plain_or_gzipped(rows) is not None:
        return rows
    if path.is_file():
        raise DataError(
            f"the name of {path} does not tell its format; end it with one of {', '.join(SUFFIXES)}"
        )
    return path if path.suffix or path.is_dir() else rows


def _find_names(rows: Path) -> Path:
    names = _plain_or_gzipped(_beside(rows, ".names"))
    if names is None:
        raise DataError(
            f"{rows} needs the file {_beside(rows, '.names').name} beside it, which declares the "
            "classes and columns; add it, or give the rows as CSV with a header"
        )
    return names


def _plain_or_gzipped(path: Path) -> Path | None:
    gzipped = path.with_name(path.name + ".gz") if path.name else path
    return next((candidate for candidate in (path, gzipped) if candidate.exists()), None)


def _suggest(path: Path) -> str:
    """Name the readable files of the folder that are called most like a path."""
    folder = path.parent
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    readable = [file.name for file in files if _suffix(file) in SUFFIXES]
    near = did_you_mean(path.name, readable)
    return near if near.endswith("?") else "name a file that is there"
