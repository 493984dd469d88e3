"""The splits of many nodes as the flat arrays that the native core reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.splits.category import Category
from miter.splits.linear import Linear
from miter.splits.machine import Machine
from miter.splits.network import Network
from miter.splits.split import Split
from miter.splits.threshold import Threshold

__all__ = ["SPLIT_KINDS", "PackedSplits"]

#: The kinds by their code in the native core; 0 is a leaf.
SPLIT_KINDS: dict[int, type[Split]] = {
    kind.code: kind for kind in (Threshold, Category, Linear, Machine, Network)
}


@dataclass(frozen=True, eq=False)
class PackedSplits:
    """The splits of many nodes as flat arrays: a tree of a million nodes has no objects in it.

    Split i owns ``ints[int_start[i]:int_start[i + 1]]`` and the same slice of ``reals``; kind 0
    with no branches stands for a leaf.

    Examples
    --------
    >>> from miter.splits import PackedSplits, Threshold
    >>> splits = PackedSplits.of([Threshold(0, (1.5,)), None])
    >>> splits[0], splits[1]
    (Threshold(column=0, cuts=(1.5,), missing=-1), None)
    """

    kind: NDArray[np.uint8]
    int_start: NDArray[np.int64]
    ints: NDArray[np.int32]
    real_start: NDArray[np.int64]
    reals: NDArray[np.float64]
    n_branches: NDArray[np.int32]

    @classmethod
    def of(cls, splits: Sequence[Split | None]) -> PackedSplits:
        """Pack splits; None is a leaf."""
        ints: list[int] = []
        reals: list[float] = []
        int_start, real_start = [0], [0]
        for split in splits:
            own_ints, own_reals = split.pack() if split is not None else ([], [])
            ints += own_ints
            reals += own_reals
            int_start.append(len(ints))
            real_start.append(len(reals))
        return cls(
            np.array([s.code if s is not None else 0 for s in splits], np.uint8),
            np.array(int_start, np.int64),
            np.array(ints, np.int32),
            np.array(real_start, np.int64),
            np.array(reals, np.float64),
            np.array([s.n_branches if s is not None else 0 for s in splits], np.int32),
        )

    def __len__(self) -> int:
        return len(self.kind)

    def finite(self) -> PackedSplits:
        """Return the same with leaves in place of splits that hold numbers that are not finite.

        In the user's units the weights of numbers near the largest that there are can be none.
        """
        odd = ~np.isfinite(self.reals)
        if not odd.any():
            return self
        node = np.searchsorted(self.real_start, np.flatnonzero(odd), side="right") - 1
        is_lost = np.isin(np.arange(len(self)), node)
        return PackedSplits.of(
            [None if lost else self[i] for i, lost in enumerate(is_lost.tolist())]
        )

    def __getitem__(self, i: int) -> Split | None:
        if self.kind[i] == 0:
            return None
        ints = self.ints[self.int_start[i] : self.int_start[i + 1]]
        reals = self.reals[self.real_start[i] : self.real_start[i + 1]]
        return SPLIT_KINDS[int(self.kind[i])].unpack(ints, reals)

    def __iter__(self) -> Iterator[Split | None]:
        return map(self.__getitem__, range(len(self)))

    @property
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.float64],
    ]:
        """What the native core reads, in its order."""
        return self.kind, self.int_start, self.ints, self.real_start, self.reals

    def take(self, keep: NDArray[np.int64], leaf: NDArray[np.bool_] | None = None) -> PackedSplits:
        """Return the splits at these positions; those marked as leaf without their split."""
        leaf = np.zeros(len(keep), bool) if leaf is None else leaf
        int_start, ints = _take_slices(self.int_start, self.ints, keep, leaf)
        real_start, reals = _take_slices(self.real_start, self.reals, keep, leaf)
        return PackedSplits(
            np.where(leaf, 0, self.kind[keep]).astype(np.uint8),
            int_start,
            ints,
            real_start,
            reals,
            np.where(leaf, 0, self.n_branches[keep]).astype(np.int32),
        )

    @classmethod
    def merge(cls, parts: Sequence[PackedSplits], which: NDArray[np.int64]) -> PackedSplits:
        """Put the splits of several parts of a level in their places: `which` part has each."""
        place = np.empty(len(which), np.int64)
        for k, first in enumerate(np.cumsum([0, *map(len, parts[:-1])])):
            place[which == k] = first + np.arange(np.sum(which == k))
        return cls.join(parts).take(place)

    @classmethod
    def join(cls, parts: Sequence[PackedSplits]) -> PackedSplits:
        """Put the splits of several levels one after the other."""
        return cls(
            np.concatenate([p.kind for p in parts]),
            _join_starts([p.int_start for p in parts]),
            np.concatenate([p.ints for p in parts]),
            _join_starts([p.real_start for p in parts]),
            np.concatenate([p.reals for p in parts]),
            np.concatenate([p.n_branches for p in parts]),
        )


def _take_slices(
    start: NDArray[np.int64], values: NDArray[Any], keep: NDArray[np.int64], leaf: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    sizes = np.where(leaf, 0, start[keep + 1] - start[keep])
    new_start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    # Position of every kept number: its slice's old start plus how far into the slice it is.
    shift = np.repeat(start[keep] - new_start[:-1], sizes)
    return new_start, values[np.arange(new_start[-1]) + shift]


def _join_starts(starts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    sizes = np.concatenate([np.diff(start) for start in starts])
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
