"""What does best on rows not grown on: a way to find splits, and a price for pruning.

Every part of the rows is once left out. The trees for all parts grow in one loop; each is pruned at
every price, and the rows left out say what the prices are worth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.folds import Fold, draw_folds
from miter.growing.growth import Growth
from miter.growing.stopping import Stopping
from miter.level import Sample
from miter.prune.cost_complexity import leaves_at, validation_cost
from miter.splitters.splitter import Splitter
from miter.tree import Tree

__all__ = ["Choice", "choose", "grow_with_rows_held_out"]

#: Of very many rows so many are held out.
HELD_OUT_ROWS = 5000

#: With very many rows the ways to find splits are tried on so many of them.
TRIAL_ROWS = 30_000

#: With more rows simpler splits are not tried: it takes too long.
SIMPLER_ROWS = 2000

#: Prices of a decision node that are tried, in training errors (of average cost).
PRICES = np.array([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 64, 128])


#: With very many rows a split may pay that saves little: there are others of its kind.
LOW_PRICES = np.concatenate([[0.0, 0.5], PRICES])


@dataclass(frozen=True, eq=False)
class Choice:
    """What cross-validation found.

    Parameters
    ----------
    splitter : Splitter
        How splits are found.
    price : float
        Training errors that a decision node must save.
    cost : ndarray
        What the answers of the pruned trees cost for each of the rows left out: 1 where they are
        wrong, if all mistakes are equal.
    """

    splitter: Splitter
    price: float
    cost: NDArray[np.float64]


def choose(growth: Growth, n_folds: int, max_left_out: int | None = None) -> Choice:
    """Return the way to find splits, and the price, that do best on rows not grown on.

    The first way is taken unless others are better by more than a standard error, then the best of
    them: chance must not decide. A simpler variant is taken if it does not cost a single error.
    With more rows than `max_left_out` fewer of the parts are left out, so that they hold about as
    many together, but one at least.
    """
    data, stopping = growth.data, growth.stopping
    growth = replace(growth, progress=None)
    folds = draw_folds(data, n_folds, np.random.default_rng(growth.seed))
    if max_left_out is not None:
        folds = folds[: max(1, min(n_folds, round(n_folds * max_left_out / data.n_rows)))]
    choices = [_best_price(growth, way, folds, stopping) for way in growth.ways]
    weight = np.concatenate([fold.left_out.of(data).weight_of() for fold in folds])
    best = choices[_clearly_best([choice.cost for choice in choices], weight)]
    simplify = None if best.splitter.finishes else growth.simpler
    if simplify is not None and data.n_rows <= SIMPLER_ROWS:
        # It takes long, so nodes that would hardly stay are not tried.
        enough = replace(stopping, min_errors=max(best.price, stopping.min_errors))
        simple = _best_price(growth, simplify(best.splitter), folds, enough)
        if weight @ simple.cost <= weight @ best.cost:
            best = simple
    return best


def _best_price(
    growth: Growth, splitter: Splitter, folds: list[Fold], stopping: Stopping
) -> Choice:
    """Return the price that does best with one way to find splits; of equals the highest."""
    trees = growth.grow_samples([fold.grown for fold in folds], splitter, stopping)
    leaves = [leaves_at(tree, PRICES) for tree in trees]
    rows = [fold.left_out.of(growth.data) for fold in folds]
    cost = sum(
        validation_cost(tree, own, tree.losses_of(part))
        for tree, own, part in zip(trees, leaves, rows, strict=True)
    )
    at = _last_least(np.asarray(cost))
    of_rows = [
        part.cost_of(tree.cut(own[:, at]).predict(part.X, growth.n_threads))
        for tree, own, part in zip(trees, leaves, rows, strict=True)
    ]
    return Choice(splitter, float(PRICES[at]), np.concatenate(of_rows))


def grow_with_rows_held_out(growth: Growth) -> Tree:
    """Grow one tree; rows held out choose how, by a small tree of each way, and the price.

    Equal rows are not looked for: among so many, rows that are drawn one by one look alike.
    """
    data, stopping = growth.data, growth.stopping
    random = np.random.default_rng(growth.seed)
    held_out = random.choice(data.n_rows, HELD_OUT_ROWS, replace=False)
    is_left = np.ones(data.n_rows, bool)
    is_left[held_out] = False
    rows = np.flatnonzero(is_left).astype(np.int32)
    validation = data.take(held_out)
    few = Sample(np.sort(random.choice(rows, min(TRIAL_ROWS, len(rows)), replace=False)))
    silent = replace(growth, progress=None)

    def cost_of_few(way: Splitter) -> NDArray[np.float64]:
        [tree] = silent.grow_samples([few], way, stopping)
        pruned = _pruned_by(validation, tree)
        return validation.cost_of(pruned.predict(validation.X, growth.n_threads))

    best = growth.ways[0]
    if len(growth.ways) > 1:
        best = growth.ways[_clearly_best(map(cost_of_few, growth.ways), validation.weight_of())]
    [tree] = growth.grow_samples([Sample(rows)], best, stopping)
    return _pruned_by(validation, tree)


def _pruned_by(validation: Data, tree: Tree) -> Tree:
    """Return the tree at the price that does best on other rows."""
    leaves = leaves_at(tree, LOW_PRICES)
    cost = validation_cost(tree, leaves, tree.losses_of(validation))
    return tree.cut(leaves[:, _last_least(cost)])


def _last_least(cost: NDArray[np.float64]) -> int:
    """Return the position of the least number, of equals the last."""
    return len(cost) - 1 - int(np.argmin(np.round(cost, 9)[::-1]))


def _clearly_best(costs: Iterable[NDArray[np.float64]], weight: NDArray[np.float64]) -> int:
    """Return the best of the ways that beat the first by more than a standard error, or it."""
    first, *others = costs
    best, least = 0, weight @ first
    for way, cost in enumerate(others, start=1):
        gain = first - cost
        if weight @ cost < least and weight @ gain > np.sqrt(weight @ gain**2):
            best, least = way, weight @ cost
    return best
