"""A table in parts: rows that are nowhere together, and what can be asked of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.summary import Summary
from miter.data.table import Data
from miter.errors import DataError
from miter.growing.part import (
    Facts,
    Part,
    Piece,
    Scales,
    facts_of,
    join_pieces,
    number_part,
    piece_of,
    place_of,
    rows_at,
    tallied,
)
from miter.growing.sampling import HashedRows, HashedSample, NodeSample, Sampling, salt_of
from miter.growing.workers import Handle, Workers
from miter.tree import Tree

__all__ = ["Parts", "add_up"]

#: What parts answer is added up so many at a time, where they are.
TOGETHER = 16


@dataclass(frozen=True, eq=False)
class Parts:
    """Training rows in parts.

    Parameters
    ----------
    workers : Workers
        Who holds the parts.
    handles : tuple of Handle
        The parts, in the order of the table.
    names : tuple of str
        What an error calls each part.
    like : Data
        Without rows: the schema, and whether there are costs.
    facts : Facts
        Of all rows.
    mean_cost : float
        What the costs of parts are multiples of.
    sampling : Sampling
        How many rows are looked at in one place.
    left_out : HashedRows, optional
        Rows that are not grown on.
    """

    workers: Workers
    handles: tuple[Handle, ...]
    names: tuple[str, ...]
    like: Data
    facts: Facts
    mean_cost: float
    sampling: Sampling
    left_out: HashedRows | None = None

    @classmethod
    def of(
        cls,
        workers: Workers,
        tables: Sequence[Handle],
        names: Sequence[str],
        like: Data,
        sampling: Sampling,
    ) -> Parts:
        """Make parts of tables that follow each other.

        Parameters
        ----------
        workers, names, like
            As for the class.
        tables : sequence of Handle
            Of a `Data` each, weighed, with costs as the user gave them.
        sampling : Sampling
            Where it does not say, for the width of the table.
        """
        known = [
            workers.run(facts_of, one, about=name) for one, name in zip(tables, names, strict=True)
        ]
        each = workers.bring(known)
        facts = reduce(add, each, Facts())
        mean_cost = 1.0 if like.costs is None else float(facts.importance / facts.weight)
        if mean_cost <= 0:
            raise DataError("no mistake about these rows has a cost; leave the costs out")
        starts = np.cumsum([0, *(one.n_rows for one in each)]).tolist()
        handles = tuple(
            workers.run(number_part, one, first, mean_cost, about=name)
            for one, first, name in zip(tables, starts, names, strict=False)
        )
        sampling = sampling.for_width(like.schema.n_columns)
        return cls(workers, handles, tuple(names), like, facts, mean_cost, sampling)

    @property
    def n_rows(self) -> int:
        """How many rows there are, those left out included."""
        return self.facts.n_rows

    @cached_property
    def scales(self) -> Scales:
        """What makes whole numbers of weights and costs."""
        return Scales.of(self.facts, self.mean_cost)

    def each(self, function: Callable[..., Any], *arguments: Any) -> list[Handle]:
        """Run a function on every part."""
        return [
            self.workers.run(function, part, *arguments, about=name)
            for part, name in zip(self.handles, self.names, strict=True)
        ]

    def each_of(
        self, function: Callable[..., Any], of_parts: Sequence[Handle], *arguments: Any
    ) -> list[Handle]:
        """Run a function on every part and what belongs to it."""
        return [
            self.workers.run(function, part, own, *arguments, about=name)
            for part, own, name in zip(self.handles, of_parts, self.names, strict=True)
        ]

    # ---- some rows, in one place -----------------------------------------------------------

    def gather(
        self,
        n_rows: int | None,
        salt: int,
        function: Callable[..., Any],
        *arguments: Any,
        among: HashedRows | None = None,
    ) -> Any:
        """Return what a function makes of some rows, which are brought to one place.

        Parameters
        ----------
        n_rows : int or None
            The rows with the smallest hashes, so many; None: all.
        salt : int
            Of the hashes.
        function : callable
            Of the rows, a `Data`, and the arguments. It runs alone, and may use all cores.
        *arguments
            For the function.
        among : HashedRows, optional
            Rows among these only; None: among those that are grown on.
        """
        wanted, inside = (self.left_out, False) if among is None else (among, True)
        sample = None
        if n_rows is not None:
            evenly = np.ones(self.like.schema.n_classes)
            sample = NodeSample.of(n_rows, self.n_rows, evenly, rare=False)
        pieces = self.each(_hashed_piece, wanted, inside, salt, sample)
        done = self.workers.run(_work_on, self.like, pieces, sample, salt, function, *arguments)
        return self.workers.bring([done])[0]

    def take(self, numbers: NDArray[np.int64]) -> Data:
        """Return the rows with certain numbers, ascending."""
        pieces = self.workers.bring(self.each(rows_at, numbers))
        return join_pieces(self.like, pieces, 0)

    def spaced(self, most: int, n_rows: int | None = None) -> NDArray[np.int64]:
        """Return the numbers of rows from everywhere in the table, or in its first rows."""
        n_rows = self.n_rows if n_rows is None else n_rows
        return np.linspace(0, n_rows - 1, min(most, n_rows)).astype(np.int64)

    def drawn(self, n_trees: int, n_rows: int, seed: int, *, replace: bool) -> list[HashedSample]:
        """Return which rows each of many trees has: so many, or as many as may be in one place."""
        most = self.sampling.finish_rows
        assert most is not None
        mean = min(n_rows, most) / self.n_rows
        return [HashedSample(salt_of(seed, tree), mean, replace) for tree in range(n_trees)]

    # ---- sums over all rows ----------------------------------------------------------------

    def counts_at(
        self, trees: Sequence[Tree], some: HashedRows | None, among: bool = True
    ) -> list[tuple[NDArray[np.float64], NDArray[np.float64] | None]]:
        """Return for each tree the weight of classes, and the costs of answers, at its nodes.

        Parameters
        ----------
        trees : sequence of Tree
            That rows pass through.
        some : HashedRows or None
            Which rows; None: all.
        among : bool
            False: those that are not among some.
        """
        shared = self.workers.run(_same, list(trees))
        sums = add_up(
            self.workers, self.each(tallied, shared, self.scales, some, among), _add_counts
        )
        return [
            (counts / self.scales.weight, None if costs is None else costs / self.scales.cost)
            for counts, costs in sums
        ]

    def ranges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the smallest and the largest value of each column; NaN where there is none."""
        ranges = self.workers.bring(self.each(_ranges))
        least: NDArray[np.float64] = np.fmin.reduce([low for low, _ in ranges])
        most: NDArray[np.float64] = np.fmax.reduce([high for _, high in ranges])
        return least, most

    def with_summary(self) -> Parts:
        """Return the parts with what splitters ask of all rows: `Data.whole` of what they see."""
        if self.like.whole is not None:
            return self
        least, most = self.ranges()
        unit = np.fmax(np.abs(least), np.abs(most))
        unit = np.where(unit > 0, unit, 1.0)
        sums = add_up(self.workers, self.each(_value_sums, unit, self.scales.weight), _add_lists)
        typical = np.array(
            [
                _most_typical(own, 0.0 if column.is_symbolic else float(size))
                for own, column, size in zip(sums, self.like.schema.columns, unit, strict=True)
            ]
        )
        least, most = (np.where(np.isnan(end), typical, end) for end in (least, most))
        return replace(self, like=replace(self.like, whole=Summary(typical, least, most)))


def add_up(
    workers: Workers, handles: Sequence[Handle], function: Callable[[list[Any]], Any]
) -> Any:
    """Return what parts answer, added up; a few at a time where they are, so that little moves."""
    handles = list(handles)
    while len(handles) > TOGETHER:
        handles = [
            workers.run(function, handles[k : k + TOGETHER])
            for k in range(0, len(handles), TOGETHER)
        ]
    return function(workers.bring(handles))


def _same(value: Any) -> Any:
    """Return what it is given: many tasks can then share it."""
    return value


def _hashed_piece(
    part: Part, some: HashedRows | None, among: bool, salt: int, sample: NodeSample | None
) -> Piece:
    bounds = None if sample is None else sample.bounds[None, :]
    return piece_of(part, place_of(part, some, among), np.array([0]), salt, bounds)


def _work_on(
    like: Data,
    pieces: list[Piece],
    sample: NodeSample | None,
    salt: int,
    function: Callable[..., Any],
    *arguments: Any,
) -> Any:
    return function(join_pieces(like, pieces, 0, sample, salt), *arguments)


def _add_counts(
    parts: list[list[tuple[NDArray[np.int64], NDArray[np.int64] | None]]],
) -> list[tuple[NDArray[np.int64], NDArray[np.int64] | None]]:
    return [
        (
            reduce(add, (counts for counts, _ in of_tree)),
            None if of_tree[0][1] is None else reduce(add, (costs for _, costs in of_tree)),
        )
        for of_tree in zip(*parts, strict=True)
    ]


def _add_lists(parts: list[list[NDArray[np.int64]]]) -> list[NDArray[np.int64]]:
    return [reduce(add, own) for own in zip(*parts, strict=True)]


def _ranges(part: Part) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest and the largest value of each column; NaN where there is none."""
    X = part.data.X
    nothing = np.full((1, X.shape[1]), np.nan)
    return (
        np.fmin.reduce(np.concatenate([nothing, np.fmin.reduce(X, axis=0, keepdims=True)]))
        if len(X)
        else nothing[0],
        np.fmax.reduce(np.concatenate([nothing, np.fmax.reduce(X, axis=0, keepdims=True)]))
        if len(X)
        else nothing[0],
    )


def _value_sums(part: Part, unit: NDArray[np.float64], scale: float) -> list[NDArray[np.int64]]:
    """Return for each symbol the weight of its values, for each number its sum and its weight.

    Numbers are in units of the largest of their column.
    """
    data = part.data
    weight = data.weight_of() * scale
    sums = []
    for c, column in enumerate(data.schema.columns):
        x = data.X[:, c].astype(float)
        known = ~np.isnan(x)
        whole = np.rint(weight[known]).astype(np.int64)
        if column.is_symbolic:
            own = np.zeros(len(column.values), np.int64)
            np.add.at(own, x[known].astype(np.int64), whole)
        else:
            total = np.rint(x[known] / unit[c] * weight[known]).astype(np.int64).sum()
            own = np.array([total, whole.sum()])
        sums.append(own)
    return sums


def _most_typical(sums: NDArray[np.int64], unit: float) -> float:
    """Return the most common value of a symbol, or the mean of a number in its units."""
    if not unit:
        return float(sums.argmax()) if len(sums) else 0.0
    total, weight = sums.tolist()
    return total / weight * unit if weight else 0.0
