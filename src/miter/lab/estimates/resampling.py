"""How rows are divided, again and again, into rows to learn from and rows to be tested with.

The ways of *Lecture 3: Decision Tree Learning* (2D5362), 'Cross-Validation' and 'Bootstrap', and
the five times two folds of Yildiz and Alpaydin, *Univariate and multivariate decision trees*,
section 4.

The rows are dealt here rather than by scikit-learn, whose stratified ways warn of, or refuse,
classes with fewer rows than folds; classic sets such as glass, ecoli and zoo have some. How many
rows of a class a fold gets is the same.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Bootstrap",
    "Folds",
    "Holdout",
    "LeaveOneOut",
    "Partition",
    "Resampling",
    "parse_resampling",
]

Rows = NDArray[np.intp]
#: The rows to learn from and the rows to be tested with.
Partition = tuple[Rows, Rows]


class Resampling(ABC):
    """A way to divide rows. To subclass it is to make another.

    Examples
    --------
    >>> from miter.lab import Folds, Resampling
    >>> isinstance(Folds(10), Resampling)
    True
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What `parse_resampling` knows it by."""

    @abstractmethod
    def splits(self, y: ArrayLike, seed: int = 0) -> list[Partition]:
        """Divide rows.

        Parameters
        ----------
        y : array of shape (n_rows,)
            The class of every row.
        seed : int
            The same seed divides the same rows in the same way.

        Returns
        -------
        list of (train_rows, test_rows)
            Row numbers, ascending.
        """


@dataclass(frozen=True)
class Folds(Resampling):
    """Cross-validation: each fold is tested once with what was learned from the others.

    Parameters
    ----------
    n_folds : int
        Parts of the rows, equal in size but for one row.
    n_repeats : int
        How often all is done anew. The folds of a repetition follow each other.
    stratified : bool
        Whether a class has the same share in every fold, as nearly as can be. A class with fewer
        rows than there are folds is missing in some of them.

    Examples
    --------
    >>> from miter.lab import Folds
    >>> [test.tolist() for _, test in Folds(2).splits(["a", "a", "a", "a", "b", "b"])]
    [[0, 3, 5], [1, 2, 4]]
    >>> Folds(2, n_repeats=5).name
    '5x2'
    """

    n_folds: int = 10
    n_repeats: int = 1
    stratified: bool = True

    def __post_init__(self) -> None:
        _check_count("n_folds", self.n_folds, 2)
        _check_count("n_repeats", self.n_repeats, 1)

    @property
    def name(self) -> str:
        """What `parse_resampling` knows it by."""
        times = f"{self.n_repeats}x" if self.n_repeats > 1 else ""
        # As the tests that need it are called.
        fold = "" if (self.n_folds, self.n_repeats) == (2, 5) else "-fold"
        return f"{times}{self.n_folds}{fold}" + _suffix(self.stratified)

    def splits(self, y: ArrayLike, seed: int = 0) -> list[Partition]:
        """Divide rows; see `Resampling.splits`."""
        labels = _check_labels(y, self.n_folds, f"{self.n_folds} folds")
        random = np.random.default_rng(seed)
        return [part for _ in range(self.n_repeats) for part in self._deal(labels, random)]

    def _deal(self, labels: NDArray[Any], random: np.random.Generator) -> list[Partition]:
        """Deal the rows out like cards, one class after the other."""
        fold = np.empty(len(labels), np.intp)
        fold[_shuffle(labels, random, self.stratified)] = np.arange(len(labels)) % self.n_folds
        return [_divide(fold == number) for number in range(self.n_folds)]


@dataclass(frozen=True)
class Holdout(Resampling):
    """One division: a share of the rows is kept for testing.

    Parameters
    ----------
    share : float
        Of the test rows, between 0 and 1; one row at least is on each side.
    stratified : bool
        Whether a class has the same share on both sides, as nearly as can be.

    Examples
    --------
    >>> from miter.lab import Holdout
    >>> [(train, test)] = Holdout(0.25).splits(["a", "b", "a", "b"])
    >>> len(train), len(test)
    (3, 1)
    """

    share: float = 0.3
    stratified: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise ValueError(f"share is {self.share!r}; give a number between 0 and 1")

    @property
    def name(self) -> str:
        """What `parse_resampling` knows it by."""
        return f"holdout {float(self.share)!r}" + _suffix(self.stratified)

    def splits(self, y: ArrayLike, seed: int = 0) -> list[Partition]:
        """Divide rows; see `Resampling.splits`."""
        labels = _check_labels(y, 2, "training and test rows")
        random = np.random.default_rng(seed)
        n_rows = len(labels)
        n_test = min(max(round(self.share * n_rows), 1), n_rows - 1)
        # At equal distances along the classes every class gives its share, even a class of one row.
        places = (np.arange(n_test) + random.random()) * n_rows / n_test
        is_test = np.zeros(n_rows, bool)
        is_test[_shuffle(labels, random, self.stratified)[places.astype(np.intp)]] = True
        return [_divide(is_test)]


@dataclass(frozen=True)
class LeaveOneOut(Resampling):
    """Every row is tested once with what was learned from all others.

    Examples
    --------
    >>> from miter.lab import LeaveOneOut
    >>> [test.tolist() for _, test in LeaveOneOut().splits(["a", "b", "a"])]
    [[0], [1], [2]]
    """

    @property
    def name(self) -> str:
        """What `parse_resampling` knows it by."""
        return "leave-one-out"

    def splits(self, y: ArrayLike, seed: int = 0) -> list[Partition]:
        """Divide rows; see `Resampling.splits`. Nothing is left to chance."""
        rows = np.arange(len(_check_labels(y, 2, "training and test rows")))
        return [_divide(rows == row) for row in rows]


@dataclass(frozen=True)
class Bootstrap(Resampling):
    """As many rows as there are, drawn with replacement; those never drawn are tested.

    Parameters
    ----------
    n_samples : int
        How often that is done.

    Examples
    --------
    >>> from miter.lab import Bootstrap
    >>> [(train, test)] = Bootstrap(1).splits(["a", "b", "a", "b"])
    >>> len(train), set(train) & set(test)
    (4, set())
    """

    n_samples: int = 20

    def __post_init__(self) -> None:
        _check_count("n_samples", self.n_samples, 1)

    @property
    def name(self) -> str:
        """What `parse_resampling` knows it by."""
        return f"bootstrap {self.n_samples}"

    def splits(self, y: ArrayLike, seed: int = 0) -> list[Partition]:
        """Divide rows; see `Resampling.splits`. Training rows may be there several times.

        A sample that leaves no row out, as happens with a handful of rows, is drawn again.
        """
        n_rows = len(_check_labels(y, 2, "training and test rows"))
        random = np.random.default_rng(seed)
        return [_draw(n_rows, random) for _ in range(self.n_samples)]


def parse_resampling(text: str) -> Resampling:
    """Make a resampling from the words for it.

    ====================================== ======================================================
    text                                   what
    ====================================== ======================================================
    ``10-fold``                            `Folds`: cross-validation, stratified
    ``5x10-fold``                          the same, five times
    ``5x2``                                two folds, five times, as the 5x2cv tests want them
    ``leave-one-out``                      `LeaveOneOut`: a fold for each row
    ``holdout 0.3``                        `Holdout`: a share of 0.3 is tested, stratified
    ``bootstrap 20``                       `Bootstrap`: 20 samples with replacement
    ``10-fold unstratified``               classes not looked at; also after 5x2 and holdout
    ====================================== ======================================================

    Other numbers may stand in place of these; capitals and further spaces do not matter.

    Parameters
    ----------
    text : str
        One of the table.

    Returns
    -------
    Resampling
        Its `name` gives the words back.

    Raises
    ------
    ValueError
        When the text is not understood, with all that is known; or when a number makes no sense.

    Examples
    --------
    >>> from miter.lab import parse_resampling
    >>> parse_resampling("5x2")
    Folds(n_folds=2, n_repeats=5, stratified=True)
    >>> parse_resampling("jackknife")
    Traceback (most recent call last):
    ValueError: there is no resampling 'jackknife'; known are '10-fold', '5x10-fold', '5x2', \
'leave-one-out', 'holdout 0.3', 'bootstrap 20', and 'unstratified' after folds and holdout
    """
    words = " ".join(str(text).lower().split())
    for pattern, make in _FORMS:
        match = pattern.fullmatch(words)
        if match:
            return make(match)
    raise ValueError(
        f"there is no resampling {text!r}; known are '10-fold', '5x10-fold', '5x2', "
        "'leave-one-out', 'holdout 0.3', 'bootstrap 20', and 'unstratified' after folds and holdout"
    )


def _make_folds(match: re.Match[str]) -> Folds:
    return Folds(int(match["folds"]), int(match["times"] or 1), not match["unstratified"])


def _make_holdout(match: re.Match[str]) -> Holdout:
    return Holdout(float(match["share"]), not match["unstratified"])


_UNSTRATIFIED = r"(?P<unstratified> unstratified)?"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Resampling]], ...] = (
    (re.compile(r"(?P<times>)(?P<folds>\d+)[- ]?folds?" + _UNSTRATIFIED), _make_folds),
    (re.compile(r"(?P<times>\d+)x(?P<folds>\d+)([- ]?folds?)?" + _UNSTRATIFIED), _make_folds),
    (re.compile(r"leave[- ]one[- ]out"), lambda match: LeaveOneOut()),
    (re.compile(r"holdout (?P<share>\d*\.?\d+(e-\d+)?)" + _UNSTRATIFIED), _make_holdout),
    (re.compile(r"bootstrap (\d+)"), lambda match: Bootstrap(int(match[1]))),
)


def _suffix(stratified: bool) -> str:
    return "" if stratified else " unstratified"


def _check_count(name: str, count: int, least: int) -> None:
    if count < least:
        raise ValueError(f"{name} is {count!r}; give {least} or more")


def _check_labels(y: ArrayLike, least: int, purpose: str) -> NDArray[Any]:
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) < least:
        raise ValueError(
            f"classes of shape {labels.shape} cannot be divided into {purpose}; "
            f"give a list with the classes of at least {least} rows"
        )
    return labels


def _shuffle(labels: NDArray[Any], random: np.random.Generator, stratified: bool) -> Rows:
    """Return the rows in random order, one class after the other if stratified."""
    order = random.permutation(len(labels))
    if not stratified:
        return order
    codes = np.unique(labels, return_inverse=True)[1]
    return order[np.argsort(codes[order], kind="stable")]


def _divide(is_test: NDArray[np.bool_]) -> Partition:
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _draw(n_rows: int, random: np.random.Generator) -> Partition:
    while True:
        train = np.sort(random.integers(n_rows, size=n_rows))
        is_test = np.ones(n_rows, bool)
        is_test[train] = False
        if is_test.any():
            return train, np.flatnonzero(is_test)
