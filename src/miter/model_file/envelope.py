"""Saving and loading: one JSON file with a format word, a version and a checksum.

A file of version 1, with one line for each node::

    {
      "format": "miter model",
      "version": 1,
      "checksum": "sha256:...",
      "model": {
        "learner": "UnivariateTreeClassifier",
        "parameters": {
          "criterion": "gain_ratio",
          ...
        },
        "has_feature_names": false,
        "schema": {
          "columns": [{"name": "petal length", "kind": "numeric", "values": []}, ...],
          "classes": ["setosa", "virginica"],
          ...
        },
        "nodes": [
          {"counts": [50, 50], "split": {"kind": "threshold", ...}, "children": [1, 2]},
          {"counts": [50, 0]},
          {"counts": [0, 50]}
        ]
      }
    }

A tree that was grown for costs has a further field of the model, "costs", a matrix of predicted
classes x true ones, and of each node, "losses": what each class costs as the answer to its rows. A
tree that was learned from photographs has a further field of the model, "pixels": how a pixel
becomes a row, and the label ids of the classes.

The checksum is taken over the model written without spaces and with sorted keys, so that a file may
be laid out anew without harm.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from sklearn.utils.validation import check_is_fitted

from miter.errors import ModelFileError
from miter.estimators.ica import ICATree
from miter.estimators.tree import TreeEstimator
from miter.model_file.atomic import replacing
from miter.model_file.fields import FieldError, check_keys, plain, reader_of, shown
from miter.model_file.model import plain_model, read_model

__all__ = ["load", "load_with_pixels", "save"]

FORMAT = "miter model"
VERSION = 1
#: No file is read further than this, packed or not: a few kilobytes can unpack to any size.
LARGEST_FILE = 2**30
#: Objects and lists are broken into lines this deep: then a node has a line.
LAID_OUT_LEVELS = 3
GZIP_MAGIC = b"\x1f\x8b"


def save(
    estimator: TreeEstimator | ICATree, path: str | PathLike[str], *, pixels: Any = None
) -> None:
    """Write a fitted estimator to a file that a person can read and no one can run.

    The tree is written in full, so that the loaded estimator predicts the same to the last bit.
    Parameters that are code, such as a splitter of the user's own, are left out: they are not
    needed for predicting. So are `n_threads` and `verbose`.

    Parameters
    ----------
    estimator : TreeEstimator or ICATree
        Fitted.
    path : str or path
        The file; gzipped if its name ends in .gz. One that is there is replaced, but only when the
        new one is complete.
    pixels : dataclass, optional
        What `load_with_pixels` gives back together with the estimator.

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
    if not isinstance(estimator, TreeEstimator | ICATree):
        raise ModelFileError(
            f"a {type(estimator).__name__} cannot be saved; a model file holds one tree"
            + ("; use its own method save" if hasattr(estimator, "save") else "")
        )
    check_is_fitted(estimator)
    try:
        model = plain_model(estimator)
        if pixels is not None:
            model["pixels"] = plain(pixels)
        file = {"format": FORMAT, "version": VERSION, "checksum": _checksum(model), "model": model}
        content = (_lay_out(file) + "\n").encode()
    except ValueError as error:
        raise ModelFileError(f"{path} cannot hold this model: {error}") from None
    if len(content) > LARGEST_FILE:
        raise ModelFileError(
            f"{path} would have {len(content)} bytes, more than can be loaded again; prune the tree"
        )
    if fspath(path).endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    with replacing(path) as place:
        place.write(content)


def load(path: str | PathLike[str]) -> Any:
    """Read an estimator that `save` wrote.

    A file holds values and no code, and every one of them is checked: a file that is damaged, or
    was made to do harm, is refused.

    Parameters
    ----------
    path : str or path
        The file, gzipped or not.

    Returns
    -------
    TreeEstimator or ICATree
        Fitted, of the class that was saved; clusters of training rows are not saved.

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
    return _load(path, read_model)


def load_with_pixels(path: str | PathLike[str], section: type) -> tuple[TreeEstimator, Any]:
    """Read an estimator, and how pixels become its rows.

    Parameters
    ----------
    path : str or path
        The file, gzipped or not.
    section : dataclass
        Of the kind that `save` was given as `pixels`.

    Returns
    -------
    estimator : TreeEstimator
        Fitted.
    pixels
        An object of the dataclass.

    Raises
    ------
    ModelFileError
        As `load` does, and when the file says nothing of pixels.
    """

    def read(model: Any) -> tuple[TreeEstimator, Any]:
        estimator = read_model(model)
        if "pixels" not in model:
            raise ModelFileError(
                f"{path} holds a tree that was not learned from photographs; give one that was"
            )
        try:
            return estimator, reader_of(section)(model["pixels"])
        except FieldError as error:
            raise error.inside("pixels") from None

    return _load(path, read)


def _load(path: str | PathLike[str], read: Callable[[Any], Any]) -> Any:
    """Read what is under 'model'; whatever is wrong with it becomes a `ModelFileError`."""
    try:
        return read(_open_envelope(_read(Path(path)), path))
    except RecursionError:
        raise ModelFileError(f"{path} is not a sound model file: it is nested too deep") from None
    except OverflowError:
        raise ModelFileError(f"{path} is not a sound model file: a number is too large") from None
    except ModelFileError:
        raise
    except ValueError as error:  # also what the schema or the core finds wrong
        raise ModelFileError(f"{path} is not a sound model file: {error}") from None


def _lay_out(value: Any, n_levels: int = LAID_OUT_LEVELS, indent: str = "") -> str:
    """Write a value over several lines down to a level, and on one line below it."""
    if n_levels == 0 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    inner = indent + "  "
    if isinstance(value, list):
        lines = [_lay_out(part, n_levels - 1, inner) for part in value]
    else:
        lines = [
            f"{json.dumps(name)}: {_lay_out(part, n_levels - 1, inner)}"
            for name, part in value.items()
        ]
    opening, closing = "[]" if isinstance(value, list) else "{}"
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
    return file["model"]


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
