"""The errors Miter raises: sentences with the value, the place and the cure."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "ClusterError",
    "DataError",
    "DataWarning",
    "ModelFileError",
    "did_you_mean",
    "need",
    "tell",
]


class DataError(ValueError):
    """The data cannot be used as they are; the message says where and what to do."""


class ClusterError(RuntimeError):
    """Processes that work together cannot go on; the message says where and what to do."""


class DataWarning(UserWarning):
    """The data were used, but not all of them as they are; the message says what was made of them.

    Examples
    --------
    >>> import warnings
    >>> from miter import DataWarning
    >>> warnings.simplefilter("ignore", DataWarning)
    """


class ModelFileError(ValueError):
    """A model file is damaged, foreign, or of a version this Miter cannot read."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the known words nearest to an unknown one, as the end of an error sentence."""
    known = list(known)
    near = get_close_matches(name, known, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(repr(n) for n in near) + "?"
    return "known are " + ", ".join(repr(n) for n in known)


def tell(sentence: str) -> None:
    """Give a `DataWarning` at the line of the user's that led here, so that it is shown once.

    Parameters
    ----------
    sentence : str
        What was made of the data.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, DataWarning, stacklevel=level)


def _is_inside(module: str) -> bool:
    return module.partition(".")[0] in {"miter", "sklearn", "joblib"}


def need(package: str, extra: str, purpose: str) -> DataError:
    """Return the error that a package is not installed, with the command that installs it.

    Parameters
    ----------
    package : str
        What is not there.
    extra : str
        Of Miter's, that brings it.
    purpose : str
        What needs it.

    Examples
    --------
    >>> from miter.errors import need
    >>> print(need("openpyxl", "excel", "Excel files"))
    Excel files need openpyxl: pip install "miter[excel]", or in a clone pip install ".[excel]"
    """
    return DataError(
        f'{purpose} need {package}: pip install "miter[{extra}]", or in a clone '
        f'pip install ".[{extra}]"'
    )
