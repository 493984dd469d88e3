"""Saving and loading: one JSON file with a format word, a version and a checksum.

A file of version 2, of a model that is one tree, with a line for each node::

    {
      "format": "miter model",
      "version": 2,
      "checksum": "sha256:...",
      "model": {
        "learner": "UnivariateTreeClassifier",
        "parameters": {
          "criterion": "gain_ratio",
          ...
        },
        "schema": {
          "columns": [
            {"name": "petal length", "kind": "numeric", "values": []},
            ...
          ],
          "classes": ["setosa", "virginica"],
          ...
        },
        "state": {"has_feature_names": false, "costs": null},
        "tree": {
          "smoothing": 0.0,
          "nodes": [
            {"counts": [50, 50], "split": {"kind": "threshold", ...}, "children": [1, 2]},
            {"counts": [50, 0]},
            {"counts": [0, 50]}
          ]
        }
      }
    }

A tree that was grown for costs has a further field of each node, "losses": what each class costs as
the answer to its rows; a splitter may have left a "note". In place of "tree", a model of many has
"trees": their numbers in a few arrays, each with its type and its bytes, little-endian, in base64;
`miter.model_file.packed` tells which. What a model knows beside its parameters and trees is its
"state", which only its class understands.

The checksum is taken over the model written without spaces and with sorted keys, so that a file may
be laid out anew without harm. Files of version 1 are read as well: `miter.model_file.version_1`
tells what they look like.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from sklearn.utils.validation import check_is_fitted

from miter.errors import ModelFileError
from miter.model_file.atomic import replacing
from miter.model_file.fields import FieldError, check_keys, shown
from miter.model_file.model import plain_model, read_model
from miter.model_file.version_1 import from_version_1

__all__ = ["dump", "load", "save"]

FORMAT = "miter model"
VERSION = 2
#: No file is read further than this, packed or not: a few kilobytes can unpack to any size.
LARGEST_FILE = 2**30
#: Objects and lists are broken into lines this deep, where one line is too short: a node has one.
LAID_OUT_LEVELS = 4
LINE = 80
GZIP_MAGIC = b"\x1f\x8b"
#: More effort takes three times as long and saves a percent.
GZIP_EFFORT = 6


def save(model: Any, path: str | PathLike[str]) -> None:
    """Write a fitted model to a file that a person can read and no one can run.

    The trees are written in full, so that the loaded model predicts the same to the last bit.
    Parameters that are code, such as a splitter of the user's own, are left out: they are not
    needed for predicting. So are `n_threads` and `verbose`.

    Parameters
    ----------
    model : estimator
        Any fitted tree, forest or classifier of pixels of Miter's. One of a class of the user's own
        is written, and comes back, as the class of Miter's that it was made from.
    path : str or path
        The file; gzipped if its name ends in .gz. One that is there is replaced, but only when the
        new one is complete.

    Raises
    ------
    OSError
        When the file cannot be written.
    ModelFileError
        When the model holds what a file cannot: a class that is infinite, a name that is not text.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter import id3, load, save
    >>> from miter.data import play_tennis
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "tennis.miter")
    ...     save(id3().fit(play_tennis()), path)
    ...     load(path).get_n_leaves()
    7
    """
    check_is_fitted(model)
    try:
        content = dump(model)
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{path} cannot hold this model: {error}") from None
    if len(content) > LARGEST_FILE:
        raise ModelFileError(
            f"{path} would have {len(content)} bytes, more than can be loaded again; prune the tree"
        )
    if fspath(path).endswith(".gz"):
        content = gzip.compress(content, GZIP_EFFORT, mtime=0)
    with replacing(path) as place:
        place.write(content)


def dump(model: Any) -> bytes:
    """Return what the file of a fitted model holds.

    Parameters
    ----------
    model : estimator
        As for `save`.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.model_file import dump
    >>> dump(id3().fit(play_tennis())).splitlines()[1].strip()
    b'"format": "miter model",'
    """
    plain = plain_model(model)
    file = {"format": FORMAT, "version": VERSION, "checksum": _checksum(plain), "model": plain}
    return (_lay_out(file) + "\n").encode()


def load(path: str | PathLike[str]) -> Any:
    """Read a model that `save` wrote.

    A file holds values and no code, and every one of them is checked: a file that is damaged, or
    was made to do harm, is refused.

    Parameters
    ----------
    path : str or path
        The file, gzipped or not, of this version of the format or an older one.

    Returns
    -------
    estimator
        Fitted, of the class that was saved. What is known of training rows only, as their clusters,
        is not saved.

    Raises
    ------
    ModelFileError
        When the file is not there, is not a model file, is damaged, or is of a newer version.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter import load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "letter.miter")
    ...     _ = path.write_text('{"format": "letter"}')
    ...     try:
    ...         load(path)
    ...     except ValueError as error:
    ...         print(str(error).removeprefix(f"{folder}/"))
    letter.miter is not a model file of Miter; give one that `save` wrote
    """
    try:
        return read_model(_open_envelope(_read(Path(path)), path))
    except RecursionError:
        raise ModelFileError(f"{path} is not a sound model file: it is nested too deep") from None
    except OverflowError:
        raise ModelFileError(f"{path} is not a sound model file: a number is too large") from None
    except ModelFileError:
        raise
    except ValueError as error:  # also what the schema or the core finds wrong
        raise ModelFileError(f"{path} is not a sound model file: {error}") from None


def _lay_out(value: Any, n_levels: int = LAID_OUT_LEVELS, indent: str = "") -> str:
    """Write a value over several lines down to a level, and on one line below it, or if short."""
    if n_levels == 0 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    inner = indent + "  "
    names = (
        [f"{json.dumps(name)}: " for name in value]
        if isinstance(value, dict)
        else [""] * len(value)
    )
    parts = value.values() if isinstance(value, dict) else value
    lines = [
        name + _lay_out(part, n_levels - 1, inner) for name, part in zip(names, parts, strict=True)
    ]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    if sum(map(len, lines)) + 2 * len(lines) <= LINE and not any("\n" in line for line in lines):
        return f"{opening}{', '.join(lines)}{closing}"
    joined = f",\n{inner}".join(lines)
    return f"{opening}\n{inner}{joined}\n{indent}{closing}"


def _checksum(model: Any) -> str:
    canonical = json.dumps(model, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{sha256(canonical.encode()).hexdigest()}"


def _read(path: Path) -> bytes:
    """Return the content, unpacked, and never more than a limit."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(GZIP_MAGIC))
            file.seek(0)
            if start == GZIP_MAGIC:
                with gzip.open(file) as unpacked:
                    return _read_some(unpacked, path)
            return _read_some(file, path)
    except FileNotFoundError:
        raise ModelFileError(f"there is no file {path}; check the name and the folder") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ModelFileError(f"{path} is a damaged gzip file: {error}") from None
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror or error}") from None


def _read_some(file: BinaryIO | gzip.GzipFile, path: Path) -> bytes:
    content = io.BytesIO()
    while chunk := file.read(2**20):
        if content.tell() + len(chunk) > LARGEST_FILE:
            raise ModelFileError(
                f"{path} has more than {LARGEST_FILE} bytes when it is unpacked, which no model has"
            )
        content.write(chunk)
    return content.getvalue()


def _open_envelope(content: bytes, path: str | PathLike[str]) -> Any:
    """Return what is under 'model', if format, version and checksum are right."""
    file = _parse(content, path)
    if type(file) is not dict or file.get("format") != FORMAT:
        raise ModelFileError(f"{path} is not a model file of Miter; give one that `save` wrote")
    version = file.get("version")
    if type(version) is not int or version < 1:
        raise FieldError(f"{shown(version)} is not a version")
    if version > VERSION:
        raise ModelFileError(
            f"{path} was written by a newer Miter, in version {version} of the format; this one "
            f"reads versions up to {VERSION}: install a newer Miter"
        )
    check_keys(file, {"format", "version", "checksum", "model"})
    if file["checksum"] != _checksum(file["model"]):
        raise ModelFileError(
            f"{path} is damaged: its content does not fit its checksum; save the model anew"
        )
    return from_version_1(file["model"]) if version == 1 else file["model"]


def _parse(content: bytes, path: str | PathLike[str]) -> Any:
    try:
        return json.loads(content.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise ModelFileError(
            f"{path} is not a model file of Miter; give one that `save` wrote"
        ) from None
    except json.JSONDecodeError as error:
        raise ModelFileError(
            f"{path} is not a model file, or is damaged: line {error.lineno}, "
            f"column {error.colno}: {error.msg}"
        ) from None


def _refuse_constant(word: str) -> NoReturn:
    raise FieldError(f"{word} is not a number")
