"""Some rows of a table that is in parts, and what is asked of them.

Everything here is a function of its arguments alone: what a part answers can be found again when
the process that held it is gone. Sums are whole numbers, so that those of parts add up to the same
whatever the parts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import frexp, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.data.table import Data
from miter.growing.exact import exact_sum
from miter.growing.sampling import HashedRows, NodeSample, hash_rows
from miter.level import table_of
from miter.splitters.splitter import FoundSplits
from miter.tree import Tree

__all__ = [
    "Facts",
    "Part",
    "Piece",
    "Place",
    "RoutedPart",
    "Scales",
    "Sums",
    "facts_of",
    "join_pieces",
    "moved",
    "number_part",
    "piece_of",
    "place_of",
    "routed",
    "rows_at",
    "tallied",
]


@dataclass(frozen=True, eq=False)
class Part:
    """Neighbouring rows of a table.

    Parameters
    ----------
    data : Data
        The rows.
    first : int
        The number of the first of them in the whole table.
    """

    data: Data
    first: int = 0

    def numbers(self, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the numbers that rows of the part have in the whole table."""
        return self.first + rows.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of the rows of a part, or of all parts, before growing begins.

    Parameters
    ----------
    n_rows : int
        How many there are.
    weight : Fraction
        What they weigh.
    copies : Fraction
        How often they are there; see `Data.copies`.
    importance : Fraction
        What mistakes about them cost in the mean, times their weight; 0 where all cost 1.
    largest_cost : float
        Of an answer to any of them.
    """

    n_rows: int = 0
    weight: Fraction = Fraction(0)
    copies: Fraction = Fraction(0)
    importance: Fraction = Fraction(0)
    largest_cost: float = 0.0

    def __add__(self, other: Facts) -> Facts:
        return Facts(
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            self.copies + other.copies,
            self.importance + other.importance,
            max(self.largest_cost, other.largest_cost),
        )


def facts_of(data: Data) -> Facts:
    """Return what is known of rows."""
    n = Fraction(data.n_rows)
    weight = n if data.weight is None else exact_sum(data.weight)
    copies = weight if data.copies is None else exact_sum(data.copies)
    importance = data.importance()
    if importance is None or data.costs is None or not data.n_rows:
        return Facts(data.n_rows, weight, copies)
    total = exact_sum(importance * data.weight_of())
    return Facts(data.n_rows, weight, copies, total, float(data.costs.max()))


def number_part(data: Data, first: int, mean_cost: float) -> Part:
    """Return rows as a part of a table, with costs in units of their mean."""
    if data.costs is not None:
        data = replace(data, costs=data.costs / mean_cost)
    return Part(data, first)


@dataclass(frozen=True)
class Scales:
    """What weights, and weights times costs, are multiplied with before they are whole numbers."""

    weight: float
    cost: float

    @classmethod
    def of(cls, facts: Facts, mean_cost: float) -> Scales:
        """Return scales with which no sum overflows, though it be of all rows."""
        total = float(facts.weight)
        return cls(_scale(total), _scale(total * facts.largest_cost / mean_cost))


def _scale(largest_sum: float) -> float:
    """Return the power of two that takes a sum to just below 2^62."""
    return float(ldexp(1.0, 61 - frexp(largest_sum)[1])) if largest_sum > 0 else 1.0


@dataclass(frozen=True, eq=False)
class Place:
    """Where the rows of a part are: node i owns the entries ``start[i]`` to ``start[i + 1]``.

    Parameters
    ----------
    rows : ndarray of int32
        Numbers of rows within the part, ascending at each node.
    weights : ndarray of float64, optional
        How much each counts; None: 1.
    start : ndarray of int64
        Where the entries of each node begin.
    """

    rows: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    start: NDArray[np.int64]

    def native(self, n_classes: int = 1, n_threads: int = 1) -> core.Level:
        """Return the entries as the native core reads them."""
        counts = np.zeros((len(self.start) - 1, n_classes))
        return core.Level(self.rows, self.weights, self.start, counts, None, 0, n_threads)


def place_of(part: Part, some: HashedRows | None = None, among: bool = True) -> Place:
    """Return the rows of a part in one node: all, those among some, or those not among them."""
    rows = np.arange(part.data.n_rows, dtype=np.int32)
    if some is not None:
        rows = rows[some.has(part.numbers(rows)) == among]
    weight = part.data.weight
    return Place(rows, None if weight is None else weight[rows], np.array([0, len(rows)]))


# ---- where splits send rows ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sums:
    """What rows add to the branches of the nodes of a level, in whole numbers.

    Parameters
    ----------
    sizes : ndarray of shape (n_branches,)
        Rows of each branch.
    shared_sizes : ndarray of shape (n_nodes,)
        Rows of each node that are shared out over its branches.
    counts : ndarray of shape (n_branches, n_classes)
        Weight of the classes, without what is shared out.
    shared : ndarray of shape (n_nodes, n_classes)
        Weight of what is shared out.
    losses, shared_losses : ndarray of the same shapes, optional
        What each class costs as the answer, where mistakes differ in cost.
    """

    sizes: NDArray[np.int64]
    shared_sizes: NDArray[np.int64]
    counts: NDArray[np.int64]
    shared: NDArray[np.int64]
    losses: NDArray[np.int64] | None
    shared_losses: NDArray[np.int64] | None

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            *(
                None if own is None or more is None else own + more
                for own, more in zip(self.arrays, other.arrays, strict=True)
            )  # type: ignore[arg-type]
        )

    @property
    def arrays(self) -> tuple[NDArray[np.int64] | None, ...]:
        """All of them, in order."""
        exact = self.sizes, self.shared_sizes, self.counts, self.shared
        return *exact, self.losses, self.shared_losses


@dataclass(frozen=True, eq=False)
class RoutedPart:
    """The branch of each entry of a part within its node, and what they add up to."""

    branch: NDArray[np.signedinteger]
    sums: Sums


def routed(part: Part, place: Place, found: FoundSplits, scales: Scales) -> RoutedPart:
    """Return where splits send the rows of a part."""
    schema = part.data.schema
    splits = core.Splits(*found.splits.arrays, found.splits.n_branches, schema.n_values)
    level = place.native(schema.n_classes)
    branch, sizes, shared_sizes, counts, shared, losses, shared_losses = core.tally_level(
        table_of(part.data), level, splits, found.missing_of_class, scales.weight, scales.cost
    )
    sums = Sums(sizes, shared_sizes, counts, shared, losses, shared_losses)
    is_few = int(found.splits.n_branches.max(initial=0)) < 128
    return RoutedPart(branch.astype(np.int8) if is_few else branch, sums)


def moved(
    place: Place,
    routed: RoutedPart,
    n_branches: NDArray[np.int32],
    share: NDArray[np.float64],
    is_open: NDArray[np.bool_],
) -> Place:
    """Return the rows of a part in the branches that are open.

    Parameters
    ----------
    place : Place
        Where they were.
    routed : RoutedPart
        Where they go.
    n_branches : ndarray of shape (n_nodes,)
        Of the splits.
    share : ndarray of shape (n_branches,)
        The part of a row that is shared out which each branch gets.
    is_open : ndarray of shape (n_branches,)
        Which branches are wanted.
    """
    branch = routed.branch.astype(np.int32)
    wanted = is_open.astype(np.uint8)
    return Place(*core.move_tallied(place.native(), branch, n_branches, share, wanted))


# ---- rows that are brought together ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Piece:
    """Rows of some nodes that are in one part, on their way to one place.

    Node i owns the rows ``start[i]`` to ``start[i + 1]``.
    """

    X: NDArray[np.floating]
    y: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    copies: NDArray[np.float64] | None
    costs: NDArray[np.float64] | None
    numbers: NDArray[np.int64]
    start: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """What it takes to send it."""
        return sum(a.nbytes for a in vars(self).values() if a is not None)


def piece_of(
    part: Part,
    place: Place,
    nodes: NDArray[np.integer],
    salt: int = 0,
    bounds: NDArray[np.uint64] | None = None,
) -> Piece:
    """Return the rows of some nodes, or those with small hashes.

    Parameters
    ----------
    part, place : Part, Place
        The rows, and where they are.
    nodes : ndarray of int
        Which nodes.
    salt : int
        Of the hashes.
    bounds : ndarray of shape (n_nodes, n_classes), uint64, optional
        For each of the nodes and each class what hashes must be less than; None: all rows.
    """
    slices = [slice(place.start[node], place.start[node + 1]) for node in nodes]
    rows = np.concatenate([place.rows[own] for own in slices])
    weights = None
    if place.weights is not None:
        weights = np.concatenate([place.weights[own] for own in slices])
    sizes = np.array([own.stop - own.start for own in slices], np.int64)
    numbers = part.numbers(rows)
    if bounds is not None:
        node = np.repeat(np.arange(len(sizes)), sizes)
        keep = hash_rows(numbers, salt) < bounds[node, part.data.labels[rows]]
        sizes = np.bincount(node[keep], minlength=len(sizes))
        rows, numbers = rows[keep], numbers[keep]
        weights = None if weights is None else weights[keep]
    data = part.data
    return Piece(
        data.X[rows],
        data.labels[rows],
        weights,
        None if data.copies is None else data.copies[rows],
        None if data.costs is None else data.costs[rows],
        numbers,
        np.concatenate([[0], np.cumsum(sizes)]),
    )


def join_pieces(
    like: Data,
    pieces: Sequence[Piece],
    node: int = 0,
    sample: NodeSample | None = None,
    salt: int = 0,
) -> Data:
    """Return the rows of one of the nodes, from all parts, in the order of the table.

    Parameters
    ----------
    like : Data
        Whose schema it is.
    pieces : sequence of Piece
        Of all parts, in their order.
    node : int
        Which of the nodes of the pieces.
    sample : NodeSample, optional
        Which of the rows are wanted; None: all.
    salt : int
        Of the hashes.
    """
    own = [slice(piece.start[node], piece.start[node + 1]) for piece in pieces]
    some = [
        (piece, rows) for piece, rows in zip(pieces, own, strict=True) if rows.start < rows.stop
    ]
    if not some:
        return replace(like, whole=like.whole)
    X, y = (_join(some, name) for name in ("X", "y"))
    weights, copies, costs = (_join(some, name) for name in ("weights", "copies", "costs"))
    data = replace(like, X=X, y=y, weight=weights, copies=copies, costs=costs)
    if sample is not None:
        rows, factor = sample.choose(hash_rows(_join(some, "numbers"), salt), y)
        data = data.take(rows)
        if factor is not None:
            data = replace(data, weight=factor * data.weight_of())
    if data.weight is not None and data.copies is None and (data.weight == 1).all():
        data = replace(data, weight=None)
    return data


def _join(pieces: list[tuple[Piece, slice]], name: str) -> Any:
    """Return an array of pieces; None where there is none."""
    arrays = [(getattr(piece, name), rows) for piece, rows in pieces]
    if all(array is None for array, _ in arrays):
        return None
    # A part of the table where no row was shared out has no weights of its own.
    return np.concatenate(
        [
            np.ones(rows.stop - rows.start) if array is None else array[rows]
            for array, rows in arrays
        ]
    )


def rows_at(part: Part, numbers: NDArray[np.int64]) -> Piece:
    """Return the rows with certain numbers, ascending, that are in a part."""
    own = numbers[(numbers >= part.first) & (numbers < part.first + part.data.n_rows)]
    rows = (own - part.first).astype(np.int32)
    weight = part.data.weight
    place = Place(rows, None if weight is None else weight[rows], np.array([0, len(rows)]))
    return piece_of(part, place, np.array([0]))


# ---- rows that are counted -------------------------------------------------------------------


def tallied(
    part: Part,
    trees: Sequence[Tree],
    scales: Scales,
    some: HashedRows | None = None,
    among: bool = True,
) -> list[tuple[NDArray[np.int64], NDArray[np.int64] | None]]:
    """Return for each tree the weights of classes, and the costs of answers, at its nodes.

    Parameters
    ----------
    part : Part
        The rows.
    trees : sequence of Tree
        That they pass through.
    scales : Scales
        Of the whole numbers.
    some, among
        Which rows count; as for `place_of`.
    """
    data = part.data
    if some is not None:
        data = data.take(place_of(part, some, among).rows)
    counted = table_of(replace(data, costs=None))
    costly = None if data.costs is None else table_of(data)
    return [
        (
            tree.router.tally(counted, data.weight, scales.weight),
            None if costly is None else tree.router.tally(costly, data.weight, scales.cost),
        )
        for tree in trees
    ]
