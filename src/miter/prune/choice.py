"""What does best on rows not grown on: a way to find splits, and a price for pruning.

One question is asked after the other: each has the best way so far, and some others in its place.
Trees of a way for all trials grow in one loop; each is pruned at every price, and the rows left out
say what the prices are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.folds import Fold
from miter.growing.growth import Growth
from miter.growing.stopping import Stopping
from miter.level import Sample
from miter.prune.cost_complexity import leaves_at, validation_cost
from miter.prune.effort import draw_trials, first_look
from miter.splitters.splitter import Splitter
from miter.tree import Tree

__all__ = ["LOWER", "PRICES", "Choice", "best_price", "choose", "choose_way", "is_asked"]

#: Large trees that take long are tried at prices from this part of the best one on: at lower ones
#: they are larger yet, and hardly win.
LOWER = 0.25

#: Where nearly all rows are so many times those of a trial, the price is found again on them.
MORE_ROWS = 1.25

#: Prices of a decision node that are tried, in training errors (of average cost).
PRICES = np.array([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 64, 128])


@dataclass(frozen=True, eq=False)
class Choice:
    """What cross-validation found.

    Parameters
    ----------
    splitter : Splitter
        How splits are found.
    price : float
        Training errors that a decision node must save.
    least : float
        Training errors of a node that is divided while growing, at least.
    cost : ndarray of shape (n_rows,)
        What the answers of the pruned trees to each row cost where it was left out, on average: 1
        where they are wrong, if all mistakes are equal. 0 for rows that never were.
    """

    splitter: Splitter
    price: float
    least: float
    cost: NDArray[np.float64]


def choose(growth: Growth, n_folds: int) -> Choice:
    """Return the way to find splits, and the price, that do best on rows not grown on.

    The first way is taken unless others are better by more than a standard error, then the best of
    them: chance must not decide. So with every question that `Growth.variants` asks. A simpler
    variant is taken if it does not cost a single error.
    """
    contest = _Contest.of(growth, n_folds)
    best = contest.best_of_all()
    price = contest.price_of_all(best)
    # Weights that are trained together depend on the nodes that will be pruned: as in the trials.
    least = best.least if best.splitter.finishes else max(price, best.least)
    return Choice(best.splitter, price, least, contest.row_costs(best))


def choose_way(growth: Growth, n_folds: int, n_all: float) -> tuple[Splitter, float]:
    """Return the way to find splits that does best, and the lowest price that does.

    Parameters
    ----------
    growth : Growth
        With a sample of the rows.
    n_folds : int
        As for `choose`.
    n_all : float
        How many rows there are; they say how much is tried.
    """
    best = _Contest.of(growth, n_folds, n_all).best_of_all()
    return best.splitter, best.lowest_price


def is_asked(prices: NDArray[np.float64], grown: Stopping, user: Stopping) -> NDArray[np.bool_]:
    """Tell which prices a tree can be pruned at that was grown for some price or higher ones."""
    return grown.min_errors <= np.maximum(prices, user.min_errors)


def best_price(tree: Tree, data: Data, prices: NDArray[np.float64]) -> float:
    """Return the price that does best on rows that a tree was not grown on; of equals the highest.

    Parameters
    ----------
    tree : Tree
        Not pruned, or at a lower price.
    data : Data
        The rows.
    prices : ndarray
        That are tried, ascending.
    """
    cost = validation_cost(tree, leaves_at(tree, prices), tree.losses_of(data))
    return float(prices[::-1][np.argmin(np.round(cost[::-1], 9))])


@dataclass(frozen=True, eq=False)
class _Trials:
    """The trees of one way, and what they cost at every price: trials x prices."""

    splitter: Splitter
    least: float  # errors of a node that was divided
    trees: list[Tree]
    leaves: list[NDArray[np.bool_]]
    cost: NDArray[np.float64]

    def cost_of_first(self, n_trials: int) -> float:
        """Return the cost of some trials at the price that is best for them."""
        return float(self.cost[:n_trials].sum(axis=0).min())

    @property
    def at(self) -> int:
        """The position of the price that does best; of equals the highest."""
        total = np.round(self.cost.sum(axis=0), 9)
        return len(total) - 1 - int(np.argmin(total[::-1]))

    @property
    def price(self) -> float:
        return float(PRICES[self.at])

    @property
    def lowest_price(self) -> float:
        """The lowest of the prices that do best."""
        return float(PRICES[np.round(self.cost.sum(axis=0), 9).argmin()])

    def __add__(self, more: _Trials) -> _Trials:
        cost = np.vstack([self.cost, more.cost])
        trees, leaves = self.trees + more.trees, self.leaves + more.leaves
        return replace(self, trees=trees, leaves=leaves, cost=cost)


@dataclass(frozen=True, eq=False)
class _Contest:
    """Lets ways to find splits compete on the same rows."""

    growth: Growth
    trials: list[Fold]
    left_out: list[Data]
    stopping: Stopping

    @classmethod
    def of(cls, growth: Growth, n_folds: int, n_all: float | None = None) -> _Contest:
        trials = draw_trials(growth.data, n_folds, np.random.default_rng(growth.seed), n_all)
        left_out = [trial.left_out.of(growth.data) for trial in trials]
        contest = cls(replace(growth, progress=None), trials, left_out, growth.stopping)
        return contest.asking(PRICES[0])

    def best_of_all(self) -> _Trials:
        """Ask one question after the other."""
        growth = self.growth
        best = self.best_of(self.run(growth.ways[0]), growth.ways[1:])
        for variants in growth.variants:
            best = self.best_of(best, variants(best.splitter))
        simpler = growth.simpler and growth.simpler(best.splitter)
        return best if simpler is None else self.unless_worse(best, simpler)

    def asking(self, price: float) -> _Contest:
        """Return a contest of trees for this price or higher ones.

        A node that makes no more errors than its price cannot save it, and is not divided.
        """
        least = max(price, PRICES[0], self.growth.stopping.min_errors)
        return replace(self, stopping=replace(self.stopping, min_errors=least))

    def run(self, way: Splitter, first: int = 0, last: int | None = None) -> _Trials:
        """Grow the trees of a way for all trials, or some of them."""
        own = slice(first, last)
        samples = [trial.grown for trial in self.trials[own]]
        trees = self.growth.grow_samples(samples, way, self.stopping)
        leaves = [leaves_at(tree, PRICES) for tree in trees]
        costs = [
            validation_cost(tree, its, tree.losses_of(part))
            for tree, its, part in zip(trees, leaves, self.left_out[own], strict=True)
        ]
        asked = is_asked(PRICES, self.stopping, self.growth.stopping)
        cost = np.where(asked, costs, np.inf)
        return _Trials(way, self.stopping.min_errors, trees, leaves, cost)

    def best_of(self, first: _Trials, ways: Sequence[Splitter]) -> _Trials:
        """Return the best of the ways that beat the first by more than a standard error, or it.

        Each is tried at all prices: what a machine must save says nothing of a test of one column.
        Only trees whose weights are trained together, which takes long, have no nodes that would
        hardly stay if they were not.
        """
        best = first
        for way in ways:
            contest = self.asking(LOWER * first.lowest_price) if way.finishes else self
            other = contest._if_ahead(way, first.cost_of_first(self._n_first), strictly=True)
            if other is not None and self._is_clearly_better(other, first, best):
                best = other
        return best

    def unless_worse(self, best: _Trials, way: Splitter) -> _Trials:
        """Return another way if it does not cost a single error more.

        It may take long, so nodes that would hardly stay are not tried.
        """
        contest = self.asking(best.price)
        at_look = best.cost[: self._n_first, best.at :].sum(axis=0).min()
        other = contest._if_ahead(way, float(at_look), strictly=False)
        if other is None or other.cost.sum(axis=0).min() > best.cost.sum(axis=0).min() + 1e-9:
            return best
        return other

    def price_of_all(self, best: _Trials) -> float:
        """Return the price that does best for a tree of nearly all rows.

        Where trials are samples, large trees would be pruned too much by their price: so one is
        grown on all rows that a trial did not leave out. One tree tells little by itself: those of
        the trials count too, the less the fewer rows they have.
        """
        trial = self.trials[0]
        is_grown = self.growth.data.weight_of() > 0
        is_grown[trial.left_out.rows] = False
        n_grown = float(is_grown.sum())
        if n_grown < MORE_ROWS * len(trial.grown.rows):
            return best.price
        rows = Sample(np.flatnonzero(is_grown).astype(np.int32))
        price = best.least if best.splitter.finishes else LOWER * best.lowest_price
        alone = replace(self.asking(price), trials=[Fold(rows, trial.left_out)])
        found = replace(alone, left_out=self.left_out[:1]).run(best.splitter)
        share = [len(own.grown.rows) / n_grown for own in self.trials]
        return replace(found, cost=np.vstack([found.cost, share @ best.cost])).price

    @property
    def _n_first(self) -> int:
        return first_look(self.trials)

    def _if_ahead(self, way: Splitter, rival: float, *, strictly: bool) -> _Trials | None:
        """Return the trials of a way; None where the first of them say that it will not win."""
        n = self._n_first
        found = self.run(way, 0, n)
        cost = round(found.cost_of_first(n) - rival, 9)
        if cost > 0 or (strictly and cost == 0):
            return None
        return found if n == len(self.trials) else found + self.run(way, n)

    def _is_clearly_better(self, other: _Trials, first: _Trials, best: _Trials) -> bool:
        if not other.cost.sum(axis=0).min() < best.cost.sum(axis=0).min() - 1e-9:
            return False
        gain = self.row_costs(first) - self.row_costs(other)
        weight = self.growth.data.weight_of()
        return bool(weight @ gain > np.sqrt(weight @ gain**2))

    def row_costs(self, trials: _Trials) -> NDArray[np.float64]:
        """Return the mean cost of the answers to each row, over the trials that left it out."""
        n_rows, at = self.growth.data.n_rows, trials.at
        cost, times = np.zeros(n_rows), np.zeros(n_rows)
        for tree, leaves, trial, part in zip(
            trials.trees, trials.leaves, self.trials, self.left_out, strict=True
        ):
            rows, weight = trial.left_out.rows, part.weight_of()
            answers = tree.cut(leaves[:, at]).predict(part.X, self.growth.n_threads)
            cost[rows] += weight * part.cost_of(answers)
            times[rows] += weight
        return np.divide(cost, times, out=cost, where=times > 0)
