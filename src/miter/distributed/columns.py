"""What the columns of a table in partitions are, found as for a table in one place.

Each partition tells what its cells are: numbers, names, texts with how often each is there, dates.
That is added up, and the rules for columns then see cells that stand for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from hashlib import blake2b
from heapq import nsmallest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.assemble import Settled, settle
from miter.data.columns.choose import Cells, names_the_row
from miter.data.columns.symbols import sorted_values
from miter.data.columns.texts import Context, Texts
from miter.data.columns.times import Moments, part_values
from miter.data.columns.where import Where
from miter.data.columns.words import MISSING_WORDS
from miter.data.files.cells import MISSING, Numbers, Symbols
from miter.data.kinds import Wish
from miter.data.schema import Part
from miter.data.sources import AnySource
from miter.errors import DataError

__all__ = ["ColumnFacts", "Fact", "columns_of", "settle_columns"]

#: Of a column with more different values those with the smallest hashes are known.
MOST_VALUES = 100_000
#: The first numbers of a column; the rules look at them.
HEAD = 1000
#: A value that is there more often counts so often when it is asked how many come back.
TIMES = 20
WORDS = {
    "numbers": "numbers",
    "booleans": "booleans",
    "durations": "durations",
    "names": "categories",
    "steps": "ordered categories",
    "texts": "texts",
    "dates": "dates",
}


@dataclass(frozen=True)
class Fact:
    """How often a value is there, and where it is first."""

    times: int
    row: int
    partition: str


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What the cells of a column are, in one partition or in several.

    Parameters
    ----------
    name : str
        Of the column.
    what : str
        One of `WORDS`; empty where no cell holds a value.
    partition : str
        The first where it is that.
    values : dict
        Of texts, and of numbers where the rules ask for them: each value, and how often it is
        there.
    bound : int, optional
        Only values with hashes below are known; None: all are.
    head : ndarray
        The first numbers; of dates, those with the first and the last of each part of a date.
    listed : tuple of str
        The categories.
    used : frozenset of str
        Those that cells have.
    is_single : bool
        Whether numbers are of single precision.
    has_clock, has_zone : bool
        Of dates.
    """

    name: str
    what: str = ""
    partition: str = ""
    values: Mapping[Any, Fact] = field(default_factory=dict)
    bound: int | None = None
    head: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    listed: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()
    is_single: bool = True
    has_clock: bool = False
    has_zone: bool = False

    def __add__(self, other: ColumnFacts) -> ColumnFacts:
        if not (self.what and other.what):
            first, empty = (self, other) if self.what else (other, self)
            return replace(first, is_single=first.is_single and empty.is_single)
        if self.what != other.what:
            raise DataError(
                f"column {self.name!r} holds {WORDS[self.what]} in {self.partition}, but "
                f"{WORDS[other.what]} in {other.partition}; give it one type everywhere, as "
                f"ddf[{self.name!r}].astype(str)"
            )
        listed = self._listed_with(other)
        head = np.concatenate([self.head, other.head])
        values, bound = _added(self, other)
        return replace(
            self,
            values=values,
            bound=bound,
            head=_ends(head) if self.what == "dates" else head[:HEAD],
            listed=listed,
            used=self.used | other.used,
            is_single=self.is_single and other.is_single,
            has_clock=self.has_clock or other.has_clock,
            has_zone=self.has_zone or other.has_zone,
        )

    def _listed_with(self, other: ColumnFacts) -> tuple[str, ...]:
        if self.listed == other.listed:
            return self.listed
        if self.what == "steps":
            raise DataError(
                f"the ordered categories of column {self.name!r} are {list(self.listed)} in "
                f"{self.partition}, but {list(other.listed)} in {other.partition}; give all "
                "partitions the same, as with one CategoricalDtype"
            )
        both = dict.fromkeys((*self.listed, *other.listed), Fact(1, 0, ""))
        return tuple(sorted_values(_counted_texts(both, len(both)))[0])

    def cells(self, n_cells: int) -> Cells:
        """Return cells that stand for all of the column, so many."""
        if self.what in {"", "numbers", "booleans", "durations"}:
            part: Part = "duration" if self.what == "durations" else "number"
            values = np.concatenate([self.head, self._other_numbers()])
            return Numbers(_padded(values, n_cells), self.what == "booleans", part)
        if self.what == "dates":
            return Moments(_padded(self.head, n_cells), self.has_clock, self.has_zone)
        if self.what == "texts":
            return _counted_texts(self.values, n_cells)
        codes = [code for code, text in enumerate(self.listed) if text in self.used]
        coded = np.full(n_cells, MISSING, np.int32)
        coded[: len(codes)] = codes
        return Symbols(self.listed, coded, has_order=True, is_ordered=self.what == "steps")

    @property
    def n_cells(self) -> int:
        """How many cells can stand for all."""
        n_numbers = sum(min(fact.times, TIMES) for fact in self.values.values())
        return max(len(self.head) + n_numbers, len(self.values), len(self.listed))

    def _other_numbers(self) -> NDArray[np.float64]:
        """Return the numbers that are known beside the first, each as often as it is there."""
        if not self.values:
            return np.empty(0)
        again, times = np.unique(self.head[~np.isnan(self.head)], return_counts=True)
        said = dict(zip(again.tolist(), times.tolist(), strict=True))
        left = {v: min(f.times - said.get(v, 0), TIMES) for v, f in self.values.items()}
        return np.repeat(list(left), np.maximum(list(left.values()), 0)).astype(float)

    def place(self, row: int) -> str:
        """Say where a text is first."""
        fact = list(self.values.values())[row] if row < len(self.values) else None
        return (
            f"some row of {self.partition}"
            if fact is None
            else f"row {fact.row} of {fact.partition}"
        )


@dataclass(frozen=True, eq=False)
class CountedTexts(Texts):
    """Different texts, each in one cell that stands for many.

    Parameters
    ----------
    times : ndarray of int
        For how many.
    """

    times: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many cells hold each text."""
        return self.times

    @property
    def n_known(self) -> int:
        """How many cells are not missing."""
        return int(self.times.sum())


def _counted_texts(values: Mapping[str, Fact], n_cells: int) -> CountedTexts:
    import pyarrow as pa

    codes = np.full(n_cells, MISSING, np.int32)
    codes[: len(values)] = np.arange(len(values))
    times = np.array([fact.times for fact in values.values()], np.int64)
    return CountedTexts(pa.array(list(values), pa.string()), codes, times)


def _padded(values: NDArray[Any], n_cells: int) -> NDArray[Any]:
    padded = np.full(n_cells, np.nan, values.dtype if values.dtype.kind == "f" else float)
    padded[: len(values)] = values
    return padded


# ---- what a partition tells ------------------------------------------------------------------


def columns_of(
    source: AnySource, wishes: Mapping[str, Wish], partition: str
) -> dict[str, ColumnFacts]:
    """Return what each column of a partition is; those left out by wish are not looked at."""
    found = {name: ColumnFacts(name, partition=partition) for name in source.names}
    for position, name in enumerate(source.names):
        wish = wishes.get(name)
        if wish is None or wish.kind != "ignored":
            cells = source.cells(position, MISSING_WORDS)
            found[name] = _facts_of(name, cells, wish, partition)
    return found


def _facts_of(name: str, cells: Cells, wish: Wish | None, partition: str) -> ColumnFacts:
    facts = ColumnFacts(name, partition=partition)
    if isinstance(cells, Numbers):
        return _of_numbers(facts, cells, wish)
    if isinstance(cells, Moments):
        if np.isnan(cells.days).all():
            return facts
        facts = replace(facts, has_clock=cells.has_clock, has_zone=cells.has_zone)
        return replace(facts, what="dates", head=_ends(cells.days))
    if isinstance(cells, Symbols):
        used = np.unique(cells.codes[cells.codes >= 0])
        texts = frozenset(cells.texts[code] for code in used.tolist())
        if not cells.texts:
            return facts
        what = "steps" if cells.is_ordered else "names"
        return replace(facts, what=what, listed=cells.texts, used=texts)
    if not cells.n_known:
        return facts
    first = np.full(len(cells.distinct), -1)
    is_known = cells.codes >= 0
    rows = np.flatnonzero(is_known)[::-1]
    first[cells.codes[rows]] = rows
    triples = zip(cells.distinct.to_pylist(), cells.counts.tolist(), first.tolist(), strict=True)
    values = {text: Fact(n, row, partition) for text, n, row in triples if n}
    return _fewer(replace(facts, what="texts", values=values))


def _of_numbers(facts: ColumnFacts, cells: Numbers, wish: Wish | None) -> ColumnFacts:
    values = cells.values
    if np.isnan(values).all():
        return facts if values.dtype == np.float32 else replace(facts, is_single=not len(values))
    what = "booleans" if cells.is_boolean else "numbers"
    what = "durations" if cells.part == "duration" else what
    is_single = values.dtype == np.float32
    head = np.where(np.isinf(values[:HEAD]), np.nan, values[:HEAD])  # reading tells of them
    facts = replace(facts, what=what, head=head, is_single=is_single)
    asks = wish is not None and wish.kind != "numeric"
    if not asks and not (wish is None and names_the_row(facts.name)):
        return facts
    distinct, first, times = np.unique(
        values[~np.isnan(values)], return_index=True, return_counts=True
    )
    triples = zip(distinct.tolist(), times.tolist(), first.tolist(), strict=True)
    found = {value: Fact(n, row, facts.partition) for value, n, row in triples}
    return _fewer(replace(facts, values=found))


def _ends(days: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return dates that show which of their parts vary."""
    known = days[~np.isnan(days)]
    chosen = []
    parts: tuple[Part, ...] = ("year", "month", "weekday", "hour")
    for part in parts:
        values = part_values(known, part)
        chosen += [known[values.argmin()], known[values.argmax()]]
    return np.array(chosen)


def _hash(value: Any) -> int:
    return int.from_bytes(blake2b(repr(value).encode(), digest_size=8).digest(), "big")


def _fewer(facts: ColumnFacts) -> ColumnFacts:
    """Keep the values with the smallest hashes where there are many."""
    if len(facts.values) <= MOST_VALUES:
        return facts
    hashes = {value: _hash(value) for value in facts.values}
    bound = nsmallest(MOST_VALUES + 1, hashes.values())[-1]
    kept = {value: fact for value, fact in facts.values.items() if hashes[value] < bound}
    return replace(facts, values=kept, bound=bound)


def _added(one: ColumnFacts, other: ColumnFacts) -> tuple[Mapping[Any, Fact], int | None]:
    values = dict(one.values)
    for value, fact in other.values.items():
        known = values.get(value)
        values[value] = fact if known is None else replace(known, times=known.times + fact.times)
    bounds = [facts.bound for facts in (one, other) if facts.bound is not None]
    if bounds:
        bound = min(bounds)
        values = {value: fact for value, fact in values.items() if _hash(value) < bound}
        facts = _fewer(replace(one, values=values, bound=bound))
    else:
        facts = _fewer(replace(one, values=values))
    return facts.values, facts.bound


# ---- what all of them are --------------------------------------------------------------------


def settle_columns(facts: Mapping[str, ColumnFacts], wishes: Mapping[str, Wish]) -> Settled:
    """Choose what each column becomes; the matrix has no rows."""
    source = _FactsSource(facts)
    settled = settle(source, range(len(source.names)), wishes, Context(source.where))
    for column in settled.columns:
        own = facts[column.source]
        if column.kind != "numeric" and column.form is None and own.bound is not None:
            raise DataError(
                f"column {column.source!r} has more than {MOST_VALUES:,} different values, too "
                f"many for a symbol on a cluster; leave it out, kinds={{{column.source!r}: "
                "'ignored'}, or group its values"
            )
    return settled


class _FactsSource:
    """Facts of columns as a table whose cells stand for all; it has no rows to put together."""

    matrix = None
    n_rows = 0

    def __init__(self, facts: Mapping[str, ColumnFacts]) -> None:
        self.names = list(facts)
        self.facts = list(facts.values())
        self.n_cells = max((one.n_cells for one in self.facts), default=0)
        self.where = _WhereFirst()

    def cells(self, position: int, missing: frozenset[str]) -> Cells:
        """Return the cells that stand for a column."""
        own = self.facts[position]
        self.where.place = own.place
        return own.cells(self.n_cells)


class _WhereFirst(Where):
    """Says where a text of the column that was opened last is first."""

    place: Callable[[int], str]

    def say(self, row: int) -> str:
        return self.place(row)


def add_columns(parts: list[dict[str, ColumnFacts]]) -> dict[str, ColumnFacts]:
    """Add up what partitions tell of columns of the same names."""
    return {name: reduce(lambda a, b: a + b, (own[name] for own in parts)) for name in parts[0]}
