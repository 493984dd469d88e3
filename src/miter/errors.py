"""The errors Miter raises: sentences with the value, the place and the cure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["DataError", "ModelFileError", "did_you_mean"]


class DataError(ValueError):
    """The data cannot be used as they are; the message says where and what to do."""


class ModelFileError(ValueError):
    """A model file is damaged, foreign, or of a version this Miter cannot read."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the known words nearest to an unknown one, as the end of an error sentence."""
    known = list(known)
    near = get_close_matches(name, known, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(repr(n) for n in near) + "?"
    return "known are " + ", ".join(repr(n) for n in known)
