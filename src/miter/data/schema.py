"""What the columns of a table are: the `Schema`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Literal, get_args

from miter.errors import DataError

__all__ = [
    "KINDS",
    "NO_LABEL",
    "Column",
    "Form",
    "Kind",
    "Label",
    "Notation",
    "Part",
    "Schema",
    "Spread",
]

Kind = Literal["numeric", "symbolic", "ordered", "ignored"]
KINDS: tuple[str, ...] = get_args(Kind)

#: What of a cell a column holds: the number itself, seconds, or something of a date.
Part = Literal[
    "number", "duration", "date", "moment", "year", "month", "weekday", "hour", "days since"
]

#: What the same text means here and not elsewhere.
Notation = Literal["", "decimal comma", "day first", "month first"]

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
class Form:
    """How the cells of a column become numbers, and how such a number is said.

    Parameters
    ----------
    part : str
        What of the cell the number is: the number itself; the seconds of a duration; the days
        from 1970-01-01 to a date or a moment; or a part of a date.
    source : str
        The column of the user's table that the cells come from; empty when it has the same name.
    unit : str
        What stands beside the number, as ``%`` or ``$``.
    notation : {"", "decimal comma", "day first", "month first"}
        How the cells are written, where that is not plain to see.
    since : str
        The column of the user's table that holds the first day, of 'days since'.

    Examples
    --------
    >>> from miter.data import Column
    >>> from miter.data.schema import Form
    >>> Column("joined", "numeric", form=Form("date")).say(18322.5)
    '2020-03-01'
    """

    part: Part = "number"
    source: str = ""
    unit: str = ""
    notation: Notation = ""
    since: str = ""

    def say(self, value: float) -> str:
        """Write a number the way that the cells are written."""
        if self.part in {"date", "moment"}:
            return _say_moment(value, with_time=self.part == "moment")
        if self.part == "duration":
            return _say_duration(value)
        if self.unit in _PREFIXES:
            return f"{self.unit}{value:.6g}"
        return f"{value:.6g}{self.unit if self.unit in {'', '%'} else ' ' + self.unit}"


_PREFIXES = frozenset("$\u00a3\u20ac\u00a5\u20b9")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _say_moment(days: float, *, with_time: bool) -> str:
    """Write days since 1970 as a date; a cut between two days is said as the earlier one."""
    try:
        moment = _EPOCH + timedelta(days=days)
    except OverflowError:
        return f"day {days:.6g}"
    if not with_time:
        return f"{moment:%Y-%m-%d}"
    return f"{moment:%Y-%m-%d %H:%M:%S}".removesuffix(":00")


def _say_duration(seconds: float) -> str:
    sign, whole = "-" if seconds < 0 else "", round(abs(seconds))
    return f"{sign}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


@dataclass(frozen=True)
class Spread:
    """Where the training rows' numbers of a column lie.

    Parameters
    ----------
    least, most : float
        The smallest and the largest.
    mean, deviation : float
        Of some thousands of rows, where there are more.
    is_whole : bool
        Whether these rows had whole numbers only.
    """

    least: float
    most: float
    mean: float
    deviation: float
    is_whole: bool


@dataclass(frozen=True, repr=False)
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
    form : Form, optional
        How cells become numbers, where they are more than plain numbers.
    spread : Spread, optional
        Where the numbers of the training rows lie, once a model has been fitted to them. Columns
        that differ in nothing else are equal.

    Examples
    --------
    >>> from miter.data import Column
    >>> Column("wind", "symbolic", ("Weak", "Strong")).say(1)
    'Strong'
    """

    name: str
    kind: Kind
    values: tuple[str, ...] = ()
    form: Form | None = None
    spread: Spread | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        form = "" if self.form is None else f", form={self.form!r}"
        return f"Column(name={self.name!r}, kind={self.kind!r}, values={self.values!r}{form})"

    @property
    def source(self) -> str:
        """The column of the user's table that the cells come from."""
        return self.name if self.form is None or not self.form.source else self.form.source

    @property
    def is_number(self) -> bool:
        """Whether the numbers stand in the cells, perhaps with a unit."""
        return self.kind == "numeric" and (self.form is None or self.form.part == "number")

    @property
    def is_symbolic(self) -> bool:
        """Whether values are names without an order."""
        return self.kind == "symbolic"

    def say(self, value: float) -> str:
        """Write a cell the way the user would: the number, the name behind the code, or '?'."""
        if value != value:
            return "?"
        if self.kind == "numeric":
            return f"{value:.6g}" if self.form is None else self.form.say(value)
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

    @property
    def sources(self) -> tuple[str, ...]:
        """The columns that a table must have: several columns may be made of one date."""
        named = (name for column in self.columns for name in _sources(column))
        return tuple(dict.fromkeys(named))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns of the table that it was made from: those needed, then those left out."""
        return (*self.sources, *self.ignored)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether every column holds numbers, and not parts of dates or durations."""
        return all(column.is_number for column in self.columns)

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


def _sources(column: Column) -> tuple[str, ...]:
    since = "" if column.form is None else column.form.since
    return (column.source, since) if since else (column.source,)
