"""What a test of some rows showed, so that it can be added to what others showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.lab.estimates.tree_size import measure_size

__all__ = ["Tested", "add_tested"]

#: So many different outcomes are kept. A tree has fewer; of a forest these are a sample of rows.
MOST_OUTCOMES = 200_000


@dataclass(frozen=True, eq=False)
class Tested:
    """What a test of some rows showed.

    Parameters
    ----------
    confusion : ndarray of shape (n_classes, n_classes)
        Rows by true class and predicted one.
    path_terms : int
        Terms on the paths of all rows.
    truth : ndarray of shape (n_outcomes,)
        The true class of each outcome.
    shares : ndarray of shape (n_outcomes, n_classes), optional
        The probabilities of each, where there are any.
    times : ndarray of shape (n_outcomes,)
        How many rows have it.
    """

    confusion: NDArray[np.int64]
    path_terms: int
    truth: NDArray[np.int64]
    shares: NDArray[np.float64] | None
    times: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        confusion: NDArray[np.int64],
        path_terms: int,
        truth: NDArray[np.int64],
        shares: NDArray[np.float64] | None,
    ) -> Tested:
        """Take rows together that have the same class and the same probabilities."""
        return cls(confusion, path_terms, truth, shares, np.ones(len(truth), np.int64))._together()

    def _together(self) -> Tested:
        if self.shares is None:
            none = np.empty(0, np.int64)
            return Tested(self.confusion, self.path_terms, none, None, none)
        rows = np.ascontiguousarray(np.column_stack([self.truth, self.shares]))
        keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        times = np.bincount(place, self.times, minlength=len(first)).astype(np.int64)
        if len(first) > MOST_OUTCOMES:
            kept = np.argpartition(_hashes(rows[first]), MOST_OUTCOMES)[:MOST_OUTCOMES]
            kept.sort()
            first, times = first[kept], times[kept]
        return Tested(self.confusion, self.path_terms, self.truth[first], self.shares[first], times)

    def reading_length(self, model: Any) -> dict[str, Any]:
        """Return terms of the model, and mean terms on paths of rows, if it has any."""
        size = measure_size(model)
        if size is None:
            return {}
        n_rows = int(self.confusion.sum())
        return {"terms": size.terms, "path_terms": self.path_terms / n_rows}


def _hashes(rows: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return a hash for each row of numbers, which depends on nothing else."""
    words = rows.view(np.uint64)
    mixed = np.zeros(len(rows), np.uint64)
    with np.errstate(over="ignore"):
        for column in range(words.shape[1]):
            mixed = (mixed ^ words[:, column]) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(31)
    return mixed


def add_tested(parts: list[Tested | None]) -> Tested | None:
    """Add up what tests of different rows showed; those of no rows showed nothing."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    shares = [part.shares for part in known if part.shares is not None]
    return Tested(
        np.sum([part.confusion for part in known], axis=0),
        sum(part.path_terms for part in known),
        np.concatenate([part.truth for part in known]),
        np.concatenate(shares) if shares else None,
        np.concatenate([part.times for part in known]),
    )._together()
