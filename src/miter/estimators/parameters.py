"""Parameters of estimators: each is declared, and documented, in one place.

An estimator is a dataclass: its fields are its parameters, those of its bases included, and the
constructor that scikit-learn wants to see is made from them. The docstring of a class describes its
own parameters; those of its bases are added to it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from miter.checks import check_whole
from miter.progress import ProgressLine

__all__ = [
    "ColumnParameters",
    "RowParameters",
    "RunParameters",
    "SizeParameters",
    "describe_parameters",
    "estimator",
]

T = TypeVar("T")

_SECTION = re.compile(r"^Parameters\n-+\n(?P<body>.*?)(?=\n\n\S[^\n]*\n-+\n|\Z)", re.S | re.M)


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(field,))
def estimator(kind: type[T]) -> type[T]:
    """Make an estimator of a class whose annotated fields are its parameters, given by name."""
    made = dataclass(eq=False, repr=False, kw_only=True)(kind)
    made.__doc__ = _complete(made)
    return made


def describe_parameters(kind: type) -> dict[str, tuple[str, str]]:
    """Return what the docstring of a class says of each parameter: its type, and a description.

    Examples
    --------
    >>> from miter.estimators.parameters import RunParameters, describe_parameters
    >>> describe_parameters(RunParameters)["verbose"]
    ('bool', 'Show a line of progress once growing takes more than a second.')
    """
    described = {}
    for header, body in _entries(kind):
        names, _, type_ = header.partition(" : ")
        for name in names.split(", "):
            described[name] = type_, " ".join(body.split())
    return described


def _entries(kind: type) -> list[tuple[str, str]]:
    """Return each entry of the section on parameters: 'name : type', and the lines below it."""
    section = _SECTION.search(inspect.cleandoc(kind.__doc__ or ""))
    if section is None:
        return []
    parts = re.split(r"^(?=\S)", section["body"], flags=re.M)
    return [
        (head, body) for head, _, body in (part.rstrip().partition("\n") for part in parts) if head
    ]


def _complete(kind: Any) -> str:
    """Return the docstring with what the bases say of parameters that it does not describe."""
    text = inspect.cleandoc(kind.__doc__ or "")
    section = _SECTION.search(text)
    if section is None:
        return text
    wanted = {field.name for field in fields(kind)} - describe_parameters(kind).keys()
    added = []
    for base in kind.__mro__[1:]:
        for header, body in _entries(base):
            names = set(header.partition(" : ")[0].split(", "))
            if names & wanted:
                added.append(f"{header}\n{body}")
                wanted -= names
    body = "\n".join([section["body"].rstrip(), *added])
    return text[: section.start("body")] + body + text[section.end("body") :]


@estimator
class RunParameters:
    """How to run.

    Parameters
    ----------
    random_state : int, RandomState or None
        For what is left to chance.
    n_threads : int, optional
        None: all cores. The result does not depend on it.
    verbose : bool
        Show a line of progress once growing takes more than a second.
    """

    random_state: Any = None
    n_threads: int | None = None
    verbose: bool = False

    def _progress_line(self) -> AbstractContextManager[ProgressLine | None]:
        """Return the line of progress, if one is wanted; scikit-learn's users ask by a number."""
        given: object = self.verbose
        if not isinstance(given, bool | np.bool_):
            check_whole("verbose", given, 0)
        return ProgressLine() if self.verbose else nullcontext()


@estimator
class ColumnParameters:
    """What columns are.

    Parameters
    ----------
    kinds : dict, optional
        Column name (or position, for an array) to 'numeric', 'symbolic', 'ordered', 'date',
        'days since' another column or 'ignored', or to its values in their order, where the kind
        found is not the one meant.
    categorical_features : "from_dtype", or array of bool, int or str
        As in scikit-learn, columns that are symbolic; the same as to call them so in `kinds`.
    """

    kinds: Mapping[Any, str | Sequence[str]] | None = None
    categorical_features: str | Sequence[Any] = "from_dtype"


@estimator
class RowParameters(ColumnParameters):
    """What rows are, and what they count.

    Parameters
    ----------
    costs : array, mapping, DataFrame, str, path, Focus or None
        What mistakes cost; see `miter.cost_matrix`. They enter training, the choice of splits, the
        labels of leaves and pruning. None: all cost the same.
    class_weight : dict, "balanced" or None
        Weights of classes, as in scikit-learn.
    """

    costs: Any = None
    class_weight: Mapping[Any, float] | str | None = None


@estimator
class SizeParameters:
    """When a node becomes a leaf.

    Parameters
    ----------
    max_depth : int, optional
        Splits on the longest path; None: as deep as it gets.
    min_samples_split : int or float
        A node with less weight is a leaf; a float is a share of the training set.
    min_samples_leaf : int or float
        Two branches at least must have this weight; a float is a share of the training set.
    """

    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
