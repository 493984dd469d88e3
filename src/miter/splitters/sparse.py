"""Tests of few columns: as much information as possible for what a person has to read.

At each node there is a candidate for every number of terms from one on: the best test of one
column, and sums of a few. A sum is a logistic regression between two groups of the classes, cut at
one half, whose terms are chosen one after the other by the score test (Rao 1948), each choice being
revised when a later one makes a term weak. The groups are those that tell most about all classes.
What a term must be worth is its price.

Terms are numbers, conditions such as ``[age > 28.5]`` at quantiles of the node, and single values
of symbols. A missing number stands at the node's mean, a missing answer to a condition at the share
of those who meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.checks import check_number, check_whole
from miter.criteria import entropy
from miter.data.table import Data
from miter.level import Level
from miter.splits import PackedSplits
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter, route
from miter.splitters.univariate import UnivariateSplitter

__all__ = ["CandidateFinder", "Candidates", "SparseSplitter", "best_of_nodes", "remembering"]

#: Quantiles of a number at which a condition may ask.
N_CONDITIONS = 8
#: A larger node is searched for sums on so many of its rows.
MAX_ROWS = 2000
#: A term needs so many rows outside the largest class; fewer tell its weight by chance.
EVENTS = 3
#: More terms than this are not held by the native search.
MOST_TERMS = 32


@dataclass(frozen=True, eq=False)
class Candidates:
    """Tests that may divide the nodes of a level, those of a node together.

    Parameters
    ----------
    splits : PackedSplits
        The tests.
    node : ndarray of int
        The node of each.
    n_terms : ndarray of int
        What there is to read of each.
    gain : ndarray of float
        The bits of information that each gives about all rows of its node.
    """

    splits: PackedSplits
    node: NDArray[np.int64]
    n_terms: NDArray[np.int64]
    gain: NDArray[np.float64]

    def take(self, which: NDArray[np.int64]) -> Candidates:
        """Return some of the candidates."""
        return Candidates(
            self.splits.take(which), self.node[which], self.n_terms[which], self.gain[which]
        )

    @classmethod
    def join(cls, parts: Sequence[Candidates]) -> Candidates:
        """Put the candidates of several parts one after the other."""
        return cls(
            PackedSplits.join([part.splits for part in parts]),
            np.concatenate([part.node for part in parts]),
            np.concatenate([part.n_terms for part in parts]),
            np.concatenate([part.gain for part in parts]),
        )


#: Returns the candidates for the nodes of a level.
CandidateFinder = Callable[[Level], Candidates]


@dataclass(frozen=True)
class SparseSplitter(Splitter):
    """Finds the test that tells most about the classes for what there is to read.

    Parameters
    ----------
    max_features : int
        Most terms of a test; 1: only tests of one column.
    conditions : bool
        Whether a term may ask if a number is above a cut.
    l2 : float
        Half of this times the squared weights is the penalty of a sum.
    price : float
        Bits of information that each term of a test must give.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import SparseSplitter
    >>> tree = grow(monks(1), SparseSplitter(max_features=3))
    >>> tree.n_leaves < 12
    True
    """

    max_features: int = 6
    conditions: bool = True
    l2: float = 2.0
    price: float = 1.0

    def __post_init__(self) -> None:
        check_whole("max_features", self.max_features, 1)
        if self.max_features > MOST_TERMS:
            raise ValueError(f"max_features is {self.max_features}; give at most {MOST_TERMS}")
        check_number("l2", self.l2, above=0)
        check_number("price", self.price, least=0)

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that chooses a test for every node of a level."""
        candidates = self.begin_candidates(data, min_leaf, n_threads)

        def find(level: Level) -> FoundSplits:
            found = candidates(level)
            score = found.gain - self.price * found.n_terms
            is_best = best_of_nodes(score[:, None], found.node)[:, 0]
            # Nodes without a candidate are leaves.
            which = np.full(len(level), len(found.node))
            which[found.node[is_best]] = np.flatnonzero(is_best)
            return FoundSplits(
                PackedSplits.join([found.splits, PackedSplits.of([None])]).take(which)
            )

        return find

    def begin_candidates(self, data: Data, min_leaf: float, n_threads: int) -> CandidateFinder:
        """Return the function that finds all candidates for the nodes of a level."""
        importance = data.importance()
        columns = UnivariateSplitter("gain", symbolic="groups", missing="node")
        find_columns = columns.begin(data, min_leaf, n_threads)
        options = core.SparseOptions(
            max_terms=self.max_features,
            n_conditions=N_CONDITIONS if self.conditions else 0,
            events=EVENTS,
            l2=self.l2,
            min_leaf=min_leaf,
            max_rows=MAX_ROWS,
        )

        def find(level: Level) -> Candidates:
            found = [_measured(level, find_columns(level))]
            if self.max_features > 1:
                own = level if importance is None else level.emphasised(importance)
                events = own.counts.sum(axis=1) - own.counts.max(axis=1)
                large = np.flatnonzero(events >= 2 * EVENTS)
                native = own.take(large).native
                packed, node, n_terms, gain = core.find_sparse_tests(level.table, native, options)
                found.append(Candidates(PackedSplits(*packed), large[node], n_terms, gain))
            return _joined(found)

        return find


def best_of_nodes(score: NDArray[np.float64], node: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark in every column of scores the best candidate of each node; of equals the first.

    Parameters
    ----------
    score : ndarray of shape (n_candidates, n_columns)
        How good each candidate is.
    node : ndarray of int
        The node of each; those of a node are together.
    """
    if not len(node):
        return np.zeros(score.shape, bool)
    first = np.flatnonzero(np.diff(node, prepend=-1))
    group = np.cumsum(np.diff(node, prepend=-1) > 0) - 1
    is_best = score >= np.maximum.reduceat(score, first)[group] - 1e-9
    before = np.cumsum(is_best, axis=0) - is_best
    is_first: NDArray[np.bool_] = before == before[first][group]
    return is_best & is_first


def remembering(find: CandidateFinder) -> CandidateFinder:
    """Return a finder that searches a node once, however often it is asked for its rows."""
    known: dict[bytes, int] = {}
    found: list[Candidates] = []  # of the nodes in the order of their numbers

    def remember(level: Level) -> Candidates:
        numbers, new = [], []
        for i, key in enumerate(_keys(level)):
            if key not in known:
                known[key] = len(known)
                new.append(i)
            numbers.append(known[key])
        if new or not found:  # of no nodes there are no candidates
            here = find(level.take(np.array(new, np.intp)))
            first = len(known) - len(new)
            found.append(replace(here, node=here.node + first))
        all_found = Candidates.join(found)
        start = np.searchsorted(all_found.node, numbers)
        size = np.searchsorted(all_found.node, numbers, side="right") - start
        node = np.repeat(np.arange(len(numbers)), size)
        which = np.arange(len(node)) - np.repeat(np.cumsum(size) - size, size)
        return replace(all_found.take(which + np.repeat(start, size)), node=node)

    return remember


def _keys(level: Level) -> Iterator[bytes]:
    """Yield for each node what tells its rows and their weights."""
    for first, last in pairwise(level.start.tolist()):
        weights = b"" if level.weights is None else level.weights[first:last].tobytes()
        yield level.rows[first:last].tobytes() + weights


def _measured(level: Level, found: FoundSplits) -> Candidates:
    """Return tests of one column with what they gain."""
    importance = level.data.importance()
    level = level if importance is None else level.emphasised(importance)
    counts = route(level, found).counts
    node = np.repeat(np.arange(len(level)), found.splits.n_branches)
    bits = counts.sum(axis=1) * entropy(counts)
    left = np.bincount(node, bits, minlength=len(level))
    gain = level.counts.sum(axis=1) * entropy(level.counts) - left
    is_there = np.flatnonzero(found.splits.n_branches > 0)
    one = np.ones(len(is_there), np.int64)
    return Candidates(found.splits.take(is_there), is_there, one, gain[is_there])


def _joined(parts: list[Candidates]) -> Candidates:
    """Put the candidates of a node together, those of fewer terms first."""
    joined = Candidates.join(parts)
    return joined.take(np.lexsort((joined.n_terms, joined.node)))
