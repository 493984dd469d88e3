"""Files by their suffix: delimited text, C4.5, ARFF, Parquet, JSON lines and Excel."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from os import PathLike
from pathlib import Path

from miter.data.assemble import find_sources
from miter.data.columns.texts import Context
from miter.data.files.arff import read_arff
from miter.data.files.c45 import read_c45
from miter.data.files.content import COMPRESSED, STANDARD_INPUT
from miter.data.files.delimited import check_header_is_first, open_delimited
from miter.data.files.delimited_source import DelimitedSource
from miter.data.files.dialect import Asked
from miter.data.files.excel import load_excel
from miter.data.files.json_lines import load_json_lines
from miter.data.files.names import check_target_is_one
from miter.data.files.parquet import load_parquet
from miter.data.files.tables import encode_table, find_target, settle_table
from miter.data.files.typed import Load, check_same_columns, read_typed
from miter.data.frames import missing_words
from miter.data.kinds import Kinds, check_kinds
from miter.data.remarks import Reading
from miter.data.schema import Notation, Schema
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = [
    "DELIMITERS",
    "TYPED",
    "check_how_written",
    "find_files",
    "loader_of",
    "read",
    "suffix_of",
]

C45_SUFFIXES = (".data", ".test", ".val", ".names")
DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".psv": "|", ".txt": ","}
TYPED = (".parquet", ".jsonl", ".ndjson", ".xlsx")
SUFFIXES = (*C45_SUFFIXES, *DELIMITERS, ".arff", *TYPED)


def read(
    path: str | PathLike[str],
    *,
    target: str | None = None,
    kinds: Kinds | None = None,
    schema: Schema | None = None,
    missing: Iterable[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    sheet: str | int | None = None,
    labelled: bool = True,
) -> Data:
    r"""Read a file of rows; its suffix tells the format.

    =========================  =====================================================
    suffix                     format
    =========================  =====================================================
    .csv, .tsv, .tab, .psv,    delimited text: what separates cells, the decimal
    .txt, or standard input    mark, the encoding and whether there is a header are
                               found out
    .data, .test, .val,        C4.5: the columns are declared in the .names file of
    .names, or none            the same stem; the class is the last cell
    .arff                      Weka
    .parquet                   Parquet
    .jsonl, .ndjson            one JSON object a line
    .xlsx                      Excel; needs openpyxl
    =========================  =====================================================

    Each may be compressed, with a further .gz, .bz2, .xz or .zst. What a column is, the cells
    tell where the file does not: ``docs/data.md`` has the rules, and `Data.reading` what was made
    of the table.

    Parameters
    ----------
    path : str or path
        The file, ``-`` for standard input, or a pattern such as ``part-*.csv`` for several with
        the same columns. ``iris`` and ``iris.names`` stand for ``iris.data``.
    target : str, optional
        The column that holds the class. In ARFF the default is the attribute called class, or the
        last; C4.5 files say it themselves; all others need it.
    kinds : dict, optional
        Column name to 'numeric', 'symbolic', 'ordered', 'date', 'days since' another column, or
        'ignored', where the kind inferred or declared is not the one meant. A list of texts makes
        the column ordered, with these values in this order.
    schema : Schema, optional
        Of the training rows, to read rows for predicting or testing: columns are found by
        name, symbols unknown to it become missing, and the class may be absent.
    missing : iterable of str
        Texts that mean missing, beside the usual ones; not for C4.5 and ARFF.
    separator, decimal, encoding : str, optional
        Of delimited text: what stands between cells and before decimals, and the encoding.
    header : bool, optional
        Of delimited text: whether the first line names the columns. Without one they are called
        column 1, column 2, ...
    sheet : str or int, optional
        Of Excel: the name of the sheet, or its number from 0 on.
    labelled : bool
        False: where no `target` is named, no column holds the class.

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
    ...     _ = path.write_text("wind;humidity;play\nWeak;85,5;no\nStrong;?;yes\n")
    ...     data = read(path, target="play")
    >>> [(column.name, column.kind) for column in data.schema.columns]
    [('wind', 'symbolic'), ('humidity', 'numeric')]
    >>> data.X
    array([[ 1. , 85.5],
           [ 0. ,  nan]])
    >>> data.reading.dialect
    'separated by semicolons, with decimal commas'
    """
    if schema is not None and kinds is not None:
        raise DataError("both schema and kinds are given; the schema says the kinds already")
    places = find_files(Path(path))
    suffix = suffix_of(places[0])
    words = missing_words(missing)
    asked = Asked(separator, decimal, encoding, header)
    check_how_written(places[0], suffix, asked, sheet)
    if suffix in DELIMITERS or str(path) == STANDARD_INPUT:
        return _read_delimited(
            places, DELIMITERS.get(suffix, ","), asked, target, kinds, schema, words, labelled
        )
    if suffix in TYPED:
        load = loader_of(suffix, sheet)
        return read_typed(places, load, target, kinds, schema, words, labelled)
    if len(places) > 1:
        raise DataError(f"{path} stands for {len(places)} files; give one {suffix} file at a time")
    if suffix == ".arff":
        return read_arff(places[0], target, kinds, schema)
    if target not in {None, "class"}:
        raise DataError(
            f"target is {target!r}, but the class of a C4.5 file is its last cell; leave target out"
        )
    return read_c45(places[0], _find_names(places[0]), kinds, schema)


def check_how_written(path: Path, suffix: str, asked: Asked, sheet: str | int | None) -> None:
    """Refuse what is said of a file of another format."""
    is_delimited = suffix in DELIMITERS or str(path) == STANDARD_INPUT
    if asked != Asked() and not is_delimited:
        raise DataError(
            f"separator, decimal, encoding and header are for delimited text, but {path} is "
            f"a {suffix} file; leave them out"
        )
    if sheet is not None and suffix != ".xlsx":
        raise DataError(f"sheet is {sheet!r}, but {path} is no Excel file; leave it out")


def loader_of(suffix: str, sheet: str | int | None) -> Load:
    """Return what reads files of a suffix whose cells have types."""
    if suffix == ".parquet":
        return load_parquet
    return partial(load_excel, sheet=sheet) if suffix == ".xlsx" else load_json_lines


def _read_delimited(
    places: list[Path],
    usual: str,
    asked: Asked,
    target: str | None,
    kinds: Kinds | None,
    schema: Schema | None,
    missing: frozenset[str],
    labelled: bool,
) -> Data:
    known = [target] if target is not None else []
    known += [] if schema is None else schema.sources
    files = [open_delimited(place, usual, asked, known) for place in places]
    first = files[0]
    check_same_columns([file.path for file in files], [file.names for file in files])
    class_called = target if schema is None else schema.target
    check_target_is_one(first.path, class_called, first.remarks)
    check_header_is_first(first, target)
    position = find_target(first.path, first.names, target, schema, labelled=labelled)
    reading = Reading(first.dialect.say(usual), first.remarks)
    notation: Notation = "decimal comma" if first.dialect.decimal == "," else ""
    inputs = [name for i, name in enumerate(first.names) if i != position]
    if schema is None:
        wishes = check_kinds(kinds, inputs)
        ignored = {name for name, wish in wishes.items() if wish.kind == "ignored"}
        as_text = {name for name, wish in wishes.items() if wish.kind != "numeric"}
        needed = set(first.names) - ignored
    else:
        find_sources(inputs, schema, str(first.path))  # names what is absent before all is read
        numeric = {column.name for column in schema.columns if column.is_number}
        needed, as_text = set(schema.sources), set(schema.sources) - numeric
    class_name = None if position is None else first.names[position]
    needed |= set() if class_name is None else {class_name}
    source = DelimitedSource(files, needed, as_text, class_name, missing)
    context = Context(source.where, missing, notation)
    try:
        if schema is None:
            return settle_table(first.path, source, position, wishes, context, reading)
        return encode_table(first.path, source, position, schema, context, reading)
    except DataError as error:
        if any(str(error).startswith(str(file.path)) for file in files):
            raise
        raise DataError(f"{first.path}: {error}") from error


def _uncompressed(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path


def suffix_of(path: Path) -> str:
    """Return the suffix that tells the format."""
    return _uncompressed(path).suffix.lower()


def _beside(path: Path, suffix: str) -> Path:
    """Return the file of the same stem with another suffix."""
    return _uncompressed(path).with_suffix(suffix)


def find_files(path: Path) -> list[Path]:
    """Return the file of rows that the user means, or all that a pattern stands for."""
    if str(path) == STANDARD_INPUT:
        return [path]
    if not any(mark in str(path) for mark in "*?[") or path.exists():
        return [_find(path)]
    found = sorted(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor or "."))))
    found = [file for file in found if file.is_file()]
    if not found:
        raise DataError(f"no file is called like {path}; check the folder and the pattern")
    others = [file for file in found if suffix_of(file) != suffix_of(found[0])]
    if others or suffix_of(found[0]) not in SUFFIXES:
        raise DataError(
            f"{path} stands for files of several formats or of none, such as {found[0]} and "
            f"{(others or found)[-1]}; end it with the suffix of one"
        )
    return found


def _find(path: Path) -> Path:
    """Return the file of rows that the user means."""
    suffix = suffix_of(path)
    if suffix == ".names":
        path = _beside(path, ".data")
    elif suffix not in SUFFIXES:
        path = _find_by_stem(path)
    found = _plain_or_compressed(path)
    if found is None:
        raise DataError(f"there is no file {path}; {_suggest(path)}")
    if found.is_dir():
        raise DataError(f"{found} is a folder; {_suggest(found / found.name)}")
    return found


def _find_by_stem(path: Path) -> Path:
    """Take a path without a known suffix for the stem of C4.5 files."""
    rows = path.with_name(path.name + ".data") if path.name else path
    if _plain_or_compressed(rows) is not None:
        return rows
    if path.is_file():
        raise DataError(
            f"the name of {path} does not tell its format; end it with one of {', '.join(SUFFIXES)}"
        )
    return path if path.suffix or path.is_dir() else rows


def _find_names(rows: Path) -> Path:
    names = _plain_or_compressed(_beside(rows, ".names"))
    if names is None:
        raise DataError(
            f"{rows} needs the file {_beside(rows, '.names').name} beside it, which declares the "
            "classes and columns; add it, or give the rows as CSV with a header"
        )
    return names


def _plain_or_compressed(path: Path) -> Path | None:
    further = COMPRESSED if path.name else ()
    candidates = [path, *(path.with_name(path.name + suffix) for suffix in further)]
    return next((candidate for candidate in candidates if candidate.exists()), None)


def _suggest(path: Path) -> str:
    """Name the readable files of the folder that are called most like a path."""
    folder = path.parent
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    readable = [file.name for file in files if suffix_of(file) in SUFFIXES]
    near = did_you_mean(path.name, readable)
    return near if near.endswith("?") else "name a file that is there"
