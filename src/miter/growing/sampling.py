"""How much of a table is looked at in one place, where it is too large to be looked at whole.

A node of more than F rows gets its split from a sample of S of them, and its rows stay where they
are; what has come down to F rows is brought to one place and finished there by the ordinary loop. A
row's place in the sample is a hash of its number in the table: the S rows of a node with the
smallest hashes are its sample, in whatever parts the table comes. Of a class that is rare there are
more, and each counts less.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson

from miter.checks import check_whole

__all__ = [
    "HashedRows",
    "HashedSample",
    "NodeSample",
    "Sampling",
    "bound_of",
    "hash_rows",
    "salt_of",
    "sampled",
    "sampling_in_force",
]

#: Rows of a sample, and rows that are finished in one place; fewer where rows are wide.
SAMPLE_ROWS, FINISH_ROWS = 100_000, 1_000_000
SAMPLE_CELLS, FINISH_CELLS = 20_000_000, 100_000_000
#: Trainers of machines and units look at no more rows of a node.
LEAST_SAMPLE_ROWS = 10_000
#: All rare classes together get at most this part of a sample more than is theirs by chance.
RARE_SHARE = 0.1


@dataclass(frozen=True)
class Sampling:
    """How many rows are looked at.

    Parameters
    ----------
    sample_rows : int, optional
        S: the rows of a large node that its split is found from. None: 100,000; of more than 200
        columns so many that they have 20 million cells, and 10,000 at least.
    finish_rows : int, optional
        F: a node of at most so many rows is finished in one place. None: a million; of more than
        100 columns so many that they have 100 million cells, and as many as a sample at least.

    Examples
    --------
    >>> from miter.growing.sampling import Sampling
    >>> Sampling().for_width(20)
    Sampling(sample_rows=100000, finish_rows=1000000)
    >>> Sampling().for_width(1000)
    Sampling(sample_rows=20000, finish_rows=100000)
    """

    sample_rows: int | None = None
    finish_rows: int | None = None

    def __post_init__(self) -> None:
        check_whole("sample_rows", self.sample_rows, 2, optional=True)
        check_whole("finish_rows", self.finish_rows, 1, optional=True)

    def for_width(self, n_columns: int) -> Sampling:
        """Return the numbers for a table of so many columns."""
        sample_rows, finish_rows = self.sample_rows, self.finish_rows
        if sample_rows is None:
            fitting = max(SAMPLE_CELLS // n_columns, LEAST_SAMPLE_ROWS)
            sample_rows = min(SAMPLE_ROWS, fitting)
        if finish_rows is None:
            fitting = max(FINISH_CELLS // n_columns, sample_rows)
            finish_rows = min(FINISH_ROWS, fitting)
        return Sampling(sample_rows, finish_rows)


_in_force: ContextVar[Sampling | None] = ContextVar("sampling", default=None)


def sampling_in_force() -> Sampling | None:
    """Return what `sampled` says here; None: rows in memory are all looked at."""
    return _in_force.get()


@contextmanager
def sampled(sample_rows: int | None = None, finish_rows: int | None = None) -> Iterator[Sampling]:
    """Look at samples of large nodes, also where rows are in memory.

    Rows on a cluster are always looked at so; this says by what numbers. With the same numbers the
    tree is the same.

    Parameters
    ----------
    sample_rows, finish_rows : int, optional
        See `Sampling`.

    Examples
    --------
    >>> import numpy as np
    >>> from miter import sampled, c45
    >>> from miter.data import led
    >>> data = led(2000, seed=1)
    >>> with sampled(sample_rows=200, finish_rows=500):
    ...     tree = c45().fit(data)
    >>> bool((tree.predict(data.X) == np.array(data.schema.classes)[data.y]).mean() > 0.7)
    True
    """
    token = _in_force.set(sampling := Sampling(sample_rows, finish_rows))
    try:
        yield sampling
    finally:
        _in_force.reset(token)


def salt_of(seed: int, *purpose: int) -> int:
    """Return a number that tells hashes for one purpose from those for others."""
    return int(np.random.SeedSequence([seed, *purpose]).generate_state(1, np.uint64)[0])


def hash_rows(numbers: NDArray[np.int64], salt: int) -> NDArray[np.uint64]:
    """Return a hash for the number of each row; different numbers have different ones.

    SplitMix64 (Steele, Lea and Flood 2014).
    """
    with np.errstate(over="ignore"):
        z = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


@dataclass(frozen=True)
class HashedRows:
    """Some rows of a table: those with hashes below a bound.

    Parameters
    ----------
    salt : int
        Of the hashes.
    bound : int
        Hashes are less than 2^64.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.growing.sampling import HashedRows
    >>> third = HashedRows.share(1 / 3, salt=7)
    >>> abs(third.has(np.arange(30_000)).mean() - 1 / 3) < 0.01
    np.True_
    """

    salt: int
    bound: int

    @classmethod
    def share(cls, share: float, salt: int) -> HashedRows:
        """Return a share of all rows, up to chance."""
        return cls(salt, int(min(share, 1.0) * 2.0**64))

    def has(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which rows are among them."""
        if self.bound >= 2**64:
            return np.ones(len(numbers), bool)
        is_in: NDArray[np.bool_] = hash_rows(numbers, self.salt) < np.uint64(self.bound)
        return is_in


@dataclass(frozen=True)
class HashedSample:
    """The rows of one of many trees, drawn by their hashes.

    Parameters
    ----------
    salt : int
        Of the hashes.
    mean : float
        How often a row is drawn in the mean.
    replaced : bool
        Whether a row may be drawn several times; then as often as Poisson's distribution says,
        which is that of many draws.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.growing.sampling import HashedSample
    >>> drawn = HashedSample(salt=7, mean=1.0, replaced=True).times(np.arange(10_000))
    >>> (np.bincount(drawn)[:4] / 10_000).round(2)
    array([0.37, 0.37, 0.18, 0.06])
    """

    salt: int
    mean: float
    replaced: bool

    def times(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how often each row is drawn."""
        place = hash_rows(numbers, self.salt) / 2.0**64
        if not self.replaced:
            return (place < self.mean).astype(np.int64)
        steps = np.cumsum(poisson.pmf(np.arange(40), self.mean))
        return np.searchsorted(steps, place, side="right").astype(np.int64)


def bound_of(n_rows: float, n_all: float) -> np.uint64:
    """Return what the hashes of so many of all rows are less than, or of a few more.

    Below it are eight deviations more than are wanted in the mean: that too few are there will not
    happen.
    """
    share = (n_rows + 8 * n_rows**0.5 + 64) / max(n_all, 1)
    return np.uint64(min(int(share * 2.0**64), 2**64 - 1))


@dataclass(frozen=True, eq=False)
class NodeSample:
    """Which rows of a node are looked at, and how much each counts.

    Parameters
    ----------
    most : int
        So many rows with the smallest hashes.
    bounds : ndarray of shape (n_classes,), uint64
        What the hashes of rows that may be in the sample are less than, by class.
    of_rare : ndarray of shape (n_classes,), uint64
        What the hashes of a rare class are less than, all of which are in the sample; 0 where the
        class is not rare.
    factor : ndarray of shape (n_classes,)
        How much a row of each class counts.
    """

    most: int
    bounds: NDArray[np.uint64]
    of_rare: NDArray[np.uint64]
    factor: NDArray[np.float64]

    @classmethod
    def of(cls, most: int, n_rows: int, counts: NDArray[np.float64], *, rare: bool) -> NodeSample:
        """Choose the sample of a node.

        Parameters
        ----------
        most : int
            Rows that are wanted.
        n_rows : int
            Rows of the node.
        counts : ndarray of shape (n_classes,)
            Weight of each class.
        rare : bool
            Whether rare classes get more rows than are theirs by chance.
        """
        n_of_class = n_rows * counts / counts.sum()
        chance = min(most / n_rows, 1.0)
        wanted = RARE_SHARE * most / len(counts)
        share = np.minimum(wanted / np.maximum(n_of_class, 1e-9), 1.0)
        is_rare = (share > chance) & (counts > 0) & rare
        of_rare = [
            min(int(one * 2.0**64), 2**64 - 1) if own else 0
            for one, own in zip(share, is_rare, strict=True)
        ]
        hashes = np.array(of_rare, np.uint64)
        factor = np.where(is_rare, chance / share, 1.0)
        return cls(most, np.maximum(hashes, bound_of(most, n_rows)), hashes, factor)

    def choose(
        self, hashes: NDArray[np.uint64], labels: NDArray[np.int32]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64] | None]:
        """Return which rows are in the sample, ascending, and how much each counts; None: 1."""
        is_in = np.ones(len(hashes), bool)
        if len(hashes) > self.most:
            is_in = hashes <= np.partition(hashes, self.most - 1)[self.most - 1]
            is_in |= hashes < self.of_rare[labels]
        rows = np.flatnonzero(is_in)
        factor = self.factor[labels[rows]]
        return rows, None if (factor == 1).all() else factor
