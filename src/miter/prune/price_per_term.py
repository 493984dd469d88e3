"""The tree that is best for what there is to read of it: a price per term, by cross-validation.

Every term of a test costs a price in training errors, and a test as much as some terms besides. For
each price there is a tree, from a single leaf to one that learns by heart; rows that are left out
tell which is best, and whether tests of one column, sums of numbers, or sums with conditions are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number, check_whether, check_whole
from miter.data.table import Data
from miter.errors import DataError
from miter.growing.alternatives import Alternatives, Pricing, grow_alternatives
from miter.growing.folds import Fold, draw_folds, hold_out
from miter.growing.growth import Drawn, Growth
from miter.growing.rounding import round_tree
from miter.level import Sample
from miter.prune.pruning import Pruning
from miter.splitters.sparse import SparseSplitter, remembering
from miter.threads import resolve_threads
from miter.tree import RowsElsewhere, Tree

__all__ = ["PathTree", "PricePerTerm", "TreePath"]

#: The lowest price of a term, in training errors and as a part of those of a single leaf: where
#: there are many rows a tree must not grow beyond what can be read.
LOWEST_PRICE, LOWEST_PART = 0.1, 1 / 5000
#: So many prices up to that of a single leaf; the lowest, whose trees are large, are tried where
#: those next to them do best. More where a length is wanted, which a tree should come near to.
N_PRICES, N_LOW, N_WITH_WISH = 7, 2, 13
#: For a wanted length, prices of a term for every row that comes by it, in parts of an error.
PATH_PRICES = (0.0, 0.002, 0.01)

#: Beyond its price, a term must save one error in so many rows that were left out, unless the user
#: has said how much he will read.
WORTH_OF_TERM = 1 / 2000

#: Up to so many rows they are left out twice, in other parts; with more than the second number
#: there are no more than three parts; with more than the third one part is left out once.
REPEATED_ROWS, MANY_ROWS, FOLDED_ROWS = 500, 800, 5000
HELD_OUT_ROWS = 5000


@dataclass(frozen=True, eq=False)
class PathTree:
    """One of the trees between a leaf and a tree that learns by heart.

    Parameters
    ----------
    n_terms : int
        What there is to read.
    path_length : float
        Mean number of terms on the way of a training row.
    error : float
        What an answer to a row left out costs in the mean: the part that is wrong, if all mistakes
        are equal.
    deviation : float
        The standard error of that.
    tree : Tree, optional
        The tree itself, its weights as they were found; a model from a file has only the one that
        was chosen.
    """

    n_terms: int
    path_length: float
    error: float
    deviation: float
    tree: Tree | None = None


@dataclass(frozen=True, eq=False)
class TreePath:
    """Trees by what there is to read of them, the shortest first.

    Parameters
    ----------
    trees : tuple of PathTree
        Of each number of terms the best.
    chosen : int
        The position of the one that was taken.
    """

    trees: tuple[PathTree, ...]
    chosen: int


@dataclass(frozen=True)
class PricePerTerm(Pruning):
    """Choose the price of a term that does best on rows not grown on.

    Parameters
    ----------
    max_terms : int, optional
        Most terms of the tree.
    max_path : float, optional
        Most terms on the way of a training row, in the mean.
    whole_numbers : "auto" or bool
        Whether sums get whole weights in round units; "auto": unless rows left out tell that it
        costs something.
    n_folds : int
        Parts of the rows, each of them once not grown on.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import ReadableTreeClassifier
    >>> from miter.prune import PricePerTerm
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = ReadableTreeClassifier(pruning=PricePerTerm(n_folds=10), random_state=0).fit(X, y)
    >>> tree.get_n_leaves()
    3
    """

    max_terms: int | None = None
    max_path: float | None = None
    whole_numbers: str | bool = "auto"
    n_folds: int = 5

    chooses: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_whole("max_terms", self.max_terms, 1, optional=True)
        check_number("max_path", self.max_path, above=0, optional=True)
        check_whole("n_folds", self.n_folds, 2)
        check_whether("whole_numbers", self.whole_numbers)

    def grow(self, growth: Growth) -> Tree:
        """Return the tree that is chosen."""
        return self.grow_path(growth)[0]

    def grow_path(self, growth: Growth) -> tuple[Tree, TreePath]:
        """Return the tree that is chosen, and all that there were to choose from."""
        if growth.unlabelled is not None:
            raise DataError(
                f"{growth.unlabelled.n_rows} rows have no label, and cross-validation cannot use "
                "them; leave them out, or give another pruning"
            )
        tree, path = growth.in_one_place(self._grow_path)
        first, *others = growth.counted([tree, *(own for one in path.trees if (own := one.tree))])
        trees = zip(path.trees, others, strict=True)
        counted = tuple(replace(one, tree=other) for one, other in trees)
        return first, replace(path, trees=counted)

    def _grow_path(self, growth: Growth) -> tuple[Tree, TreePath]:
        folds = _draw(growth, self.n_folds)
        found = [one for way in growth.ways for one in self._trees_of(growth, way, folds)]
        found = _best_of_each_length(found)
        path = [replace(one.about, tree=one.tree(0, growth.smoothing)) for one in found]
        chosen = self._choose(path)
        tree = self._finished(growth, folds, found[chosen])
        return tree, TreePath(tuple(path), chosen)

    def grow_many(self, growth: Growth, samples: Sequence[Drawn]) -> list[Tree]:
        """Return trees that are not pruned: their vote makes up for what each learns by heart."""
        return growth.grow_samples(samples)

    def prune(self, tree: Tree, validation: Data | RowsElsewhere | None) -> Tree:
        """Refuse: a finished tree does not tell how it was grown."""
        raise ValueError(
            "pruning by a price per term grows trees of its own, which only a single tree learner "
            "can do; use another pruning here"
        )

    def _trees_of(self, growth: Growth, way: object, folds: list[Fold]) -> Iterator[_Found]:
        """Yield the trees of one way to find tests."""
        if not isinstance(way, SparseSplitter):
            raise ValueError(
                f"{type(way).__name__} has no price per term; give another pruning, such as "
                "'cross_validated'"
            )
        data, stopping, n_threads = growth.data, growth.stopping, resolve_threads(growth.n_threads)
        min_leaf = stopping.min_leaf(float(data.class_counts().sum()))
        find = remembering(way.begin_candidates(data, min_leaf, n_threads))
        for pricing in self._pricings(data):
            alternatives = grow_alternatives(
                data, find, folds, stopping, pricing, seed=growth.seed, n_threads=n_threads
            )
            short = alternatives.within(self.max_terms, self.max_path)
            trees = list(_measured(alternatives, short, folds, data))
            yield from trees
            errors = [one.about.error for one in trees]
            if int(np.argmin(errors)) < len(errors) - 2:
                return

    @property
    def _has_wish(self) -> bool:
        return self.max_terms is not None or self.max_path is not None

    def _pricings(self, data: Data) -> list[Pricing]:
        """Return prices to be tried, the next of them where those before may not be low enough."""
        if self._has_wish:  # what is too long gives way to what is shorter: all at once
            prices = _prices(data, N_WITH_WISH)
            by_row = PATH_PRICES if self.max_path is not None else PATH_PRICES[:1]
            return [Pricing(np.tile(prices, len(by_row)), np.repeat(by_row, len(prices)))]
        prices = _prices(data, N_PRICES)
        batches = prices[:-N_LOW], prices[-N_LOW:]
        return [Pricing(batch, np.zeros(len(batch))) for batch in batches]

    def _choose(self, path: list[PathTree]) -> int:
        """Return the position of the best tree for what there is to read.

        Who says how much he will read has paid for it: then only the errors count.
        """
        of_term = 0.0 if self._has_wish else WORTH_OF_TERM
        return int(np.argmin([round(tree.error + of_term * tree.n_terms, 9) for tree in path]))

    def _finished(self, growth: Growth, folds: list[Fold], one: _Found) -> Tree:
        """Return a tree in whole numbers, where these cost nothing that can be seen."""
        tree = one.tree(0, growth.smoothing)
        if self.whole_numbers is False or tree.n_leaves == 1:
            return tree
        rounded = round_tree(tree, growth.data)
        if self.max_path is not None and rounded.path_terms > self.max_path + 1e-9:
            return tree  # rows that rounding sends another way may have more to read there
        if self.whole_numbers is True:
            return rounded
        lost, weight = [], []
        for sample, fold in enumerate(folds):
            rows = fold.left_out.of(growth.data)
            if not rows.n_rows:
                continue
            plain = one.tree(sample)
            whole = round_tree(plain, fold.grown.of(growth.data))
            answers = (own.predict(rows.X, growth.n_threads) for own in (whole, plain))
            after, before = map(rows.cost_of, answers)
            lost.append(after - before)
            weight.append(rows.weight_of())
        more, weights = np.concatenate(lost), np.concatenate(weight)
        is_worse = weights @ more > 2 * np.sqrt(weights @ more**2)
        return tree if is_worse else rounded


def _prices(data: Data, n_prices: int) -> NDArray[np.float64]:
    """Return prices of a term, the highest first: at it no test of one column can pay."""
    errors = float(data.losses().min())
    lowest = max(LOWEST_PRICE, LOWEST_PART * errors)
    return np.geomspace(max(errors / (1 + Pricing.of_test), 4 * lowest), lowest, n_prices)


def _draw(growth: Growth, n_folds: int) -> list[Fold]:
    """Return all rows, and the parts that tell what trees are worth."""
    data, random = growth.data, np.random.default_rng(growth.seed)
    whole = Fold(Sample.whole(data), Sample(np.empty(0, np.int32)))
    if data.n_rows > FOLDED_ROWS:
        return [whole, hold_out(data, min(HELD_OUT_ROWS / data.n_rows, 0.25), random)]
    n_folds = min(n_folds, 3) if data.n_rows > MANY_ROWS else n_folds
    n_times = 2 if data.n_rows <= REPEATED_ROWS else 1
    return [whole, *(fold for _ in range(n_times) for fold in draw_folds(data, n_folds, random))]


@dataclass(frozen=True, eq=False)
class _Found:
    """The trees of all samples at one price, and what is told of the one of all rows."""

    about: PathTree
    alternatives: Alternatives
    price: NDArray[np.intp]  # of each sample

    def tree(self, sample: int, smoothing: float = 0.0) -> Tree:
        return self.alternatives.tree(sample, int(self.price[sample]), smoothing)


def _measured(
    alternatives: Alternatives, price: NDArray[np.intp], folds: list[Fold], data: Data
) -> Iterator[_Found]:
    """Yield the trees whose positions among the prices are given: samples x trees."""
    weight = np.array([fold.left_out.of(data).weight_of().sum() for fold in folds[1:]])
    cost = np.take_along_axis(alternatives.left_out, price, axis=1)[1:]
    error = cost.sum(axis=0) / weight.sum()
    deviation = _deviation(cost / weight[:, None], weight.sum(), error)
    for own, own_error, own_deviation in zip(price.T, error, deviation, strict=True):
        about = PathTree(
            int(alternatives.n_terms[0, own[0]]),
            float(alternatives.path[0, own[0]]),
            float(own_error),
            float(own_deviation),
        )
        yield _Found(about, alternatives, own)


def _deviation(
    of_folds: NDArray[np.float64], weight: float, error: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the standard error of mean costs: between folds, or of one as of so many throws."""
    if len(of_folds) > 1:
        return of_folds.std(axis=0, ddof=1) / np.sqrt(len(of_folds))
    return np.sqrt(np.maximum(error * (1 - error), 0.0) / weight)


def _best_of_each_length(found: list[_Found]) -> list[_Found]:
    """Return of each number of terms the best tree, of equals the one with the shortest path."""
    best: dict[int, _Found] = {}
    for one in sorted(found, key=lambda o: (round(o.about.error, 9), o.about.path_length)):
        best.setdefault(one.about.n_terms, one)
    return [best[n_terms] for n_terms in sorted(best)]
