"""What the columns of a table are: the `Schema`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from miter.errors import DataError

__all__ = ["KINDS", "NO_LABEL", "Column", "Kind", "Label", "Schema"]

Kind = Literal["numeric", "symbolic", "ordered", "ignored"]
KINDS: tuple[str, ...] = get_args(Kind)

#: While a tree grows, the last class where some rows have no label.
NO_LABEL = "(no label)"

#: A class label as the user wrote it; always a string when it was read from a text file.
Label = str | int | float | bool


def first_repeated(words: Iterable[str]) -> str | None:
    """Return the first word that was there before, or None."""
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return None


@dataclass(frozen=True)
class Column:
    """One input column.

    Parameters
    ----------
    name : str
        As the user knows it.
    kind : {"numeric", "symbolic", "ordered"}
        Numbers; names without an order; names with an order.
    values : tuple of str
        The values of a symbolic or ordered column; its codes in a `Data` are positions in here.
        Empty for numeric columns.

    Examples
    --------
    >>> from miter.data import Column
    >>> Column("wind", "symbolic", ("Weak", "Strong")).say(1)
    'Strong'
    """

    name: str
    kind: Kind
    values: tuple[str, ...] = ()

    @property
    def is_symbolic(self) -> bool:
        """Whether values are names without an order."""
        return self.kind == "symbolic"

    def say(self, value: float) -> str:
        """Write a cell the way the user would: the number, the name behind the code, or '?'."""
        if value != value:
            return "?"
        if self.kind == "numeric":
            return f"{value:.6g}"
        return self.values[int(value)]


@dataclass(frozen=True)
class Schema:
    """The columns that learners may use, the classes, and what was left out.

    Parameters
    ----------
    columns : tuple of Column
        In the order of the columns of `Data.X`.
    classes : tuple of label
        In the order of the class codes of `Data.y`.
    target : str
        Name of the column that holds the class.
    ignored : tuple of str
        Names of columns that the source has and `Data.X` has not.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> schema = Schema((Column("wind", "symbolic", ("Weak", "Strong")),), ("Yes", "No"))
    >>> schema.names
    ('wind',)
    """

    columns: tuple[Column, ...]
    classes: tuple[Label, ...] = ()
    target: str = "class"
    ignored: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        name = first_repeated(self.names)
        if name is not None:
            raise DataError(f"two columns are called {name!r}; rename one of them")
        for column in self.columns:
            value = first_repeated(column.values)
            if value is not None:
                raise DataError(
                    f"column {column.name!r} lists the value {value!r} twice; list it once"
                )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether every column holds numbers."""
        return all(column.kind == "numeric" for column in self.columns)

    @property
    def n_columns(self) -> int:
        """How many columns learners may use."""
        return len(self.columns)

    @property
    def n_values(self) -> list[int]:
        """How many values each column has, for the native core; 0 where numbers are compared."""
        return [len(column.values) if column.is_symbolic else 0 for column in self.columns]

    @property
    def n_labels(self) -> int:
        """How many of the classes are labels."""
        return self.n_classes - (self.classes[-1:] == (NO_LABEL,))

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.classes)
