"""Growing with what does best on rows not grown on: a way to find splits, and a price for pruning.

Every part of the rows is once left out. The trees for all parts grow in one loop; each is pruned at
every price, and the rows left out say what the prices are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.table import Data
from miter.growing.loop import Progress, grow, grow_forest
from miter.growing.stopping import Stopping
from miter.prune.cost_complexity import CostComplexity, leaves_at, validation_cost
from miter.prune.cross_validated import HELD_OUT_ROWS, CrossValidated
from miter.splitters.splitter import Splitter
from miter.tree import Tree

__all__ = ["Choice", "choose", "grow_chosen"]

#: From a splitter to one that finds simpler splits.
Simpler = Callable[[Splitter], Splitter]

#: With very many rows: what a node must have and a split must save to be worth it.
LARGE_MIN_ERRORS, LARGE_MIN_SAVED = 10.0, 5.0

#: With very many rows the ways to find splits are tried on a twentieth of them, but no fewer and no
#: more than this.
TRIAL_SHARE, TRIAL_ROWS = 1 / 20, (5000, 20_000)

#: With more rows simpler splits are not tried: it takes too long.
SIMPLER_ROWS = 2000

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
    cost : ndarray
        What the answers of the pruned trees cost for each of the rows left out: 1 where they are
        wrong, if all mistakes are equal.
    """

    splitter: Splitter
    price: float
    cost: NDArray[np.float64]


def grow_chosen(
    data: Data,
    splitters: Sequence[Splitter],
    method: CrossValidated,
    stopping: Stopping,
    *,
    simpler: Simpler | None,
    smoothing: float = 0.0,
    seed: int,
    n_threads: int | None,
    progress: Progress | None,
) -> Tree:
    """Choose by cross-validation, then grow on all rows and prune.

    Of very many rows some are held out in place of cross-validation.
    """
    run: dict[str, Any] = {"smoothing": smoothing, "seed": seed, "n_threads": n_threads}
    if data.n_rows > method.max_rows:
        return _grow_large(data, splitters, stopping, run, progress)
    choice = choose(data, splitters, method, stopping, simpler=simpler, **run)
    tree = grow(
        data,
        choice.splitter,
        # A node with fewer errors than the price could not save it.
        replace(stopping, min_errors=max(choice.price, stopping.min_errors)),
        **run,
        progress=progress,
    )
    return CostComplexity(choice.price).prune(tree)


def _grow_large(
    data: Data,
    splitters: Sequence[Splitter],
    stopping: Stopping,
    run: dict[str, Any],
    progress: Progress | None,
) -> Tree:
    """Grow one tree; rows held out choose how, by a small tree of each way, and the price."""
    random = np.random.default_rng(run["seed"])
    held_out = random.choice(data.n_rows, HELD_OUT_ROWS, replace=False)
    is_left = np.ones(data.n_rows, bool)
    is_left[held_out] = False
    rows = np.flatnonzero(is_left).astype(np.int32)
    validation = data.take(held_out)
    stopping = replace(
        stopping,
        min_errors=max(LARGE_MIN_ERRORS, stopping.min_errors),
        min_saved=max(LARGE_MIN_SAVED, stopping.min_saved),
    )
    n_tried = min(int(np.clip(TRIAL_SHARE * len(rows), *TRIAL_ROWS)), len(rows))
    few = np.sort(random.choice(rows, n_tried, replace=False))

    def cost_of_few(splitter: Splitter) -> NDArray[np.float64]:
        [tree] = grow_forest(data, splitter, [few], stopping, **run)
        return validation.cost_of(tree.predict(validation.X, run["n_threads"]))

    best = splitters[0]
    if len(splitters) > 1:
        best = splitters[_clearly_best(map(cost_of_few, splitters), validation.weight_of())]
    [tree] = grow_forest(data, best, [rows], stopping, **run, progress=progress)
    leaves = leaves_at(tree, PRICES)
    cost = validation_cost(tree, leaves, tree.losses_of(validation))
    return tree.cut(leaves[:, _last_least(cost)])


def _last_least(cost: NDArray[np.float64]) -> int:
    """Return the position of the least number, of equals the last."""
    return len(cost) - 1 - int(np.argmin(np.round(cost, 9)[::-1]))


def _clearly_best(costs: Iterable[NDArray[np.float64]], weight: NDArray[np.float64]) -> int:
    """Return which way is best: a later one only if better by more than a standard error."""
    best, least = 0, None
    for way, cost in enumerate(costs):
        if least is not None:
            gain = least - cost
            if weight @ gain <= np.sqrt(weight @ gain**2):
                continue
        best, least = way, cost
    return best


def choose(
    data: Data,
    splitters: Sequence[Splitter],
    method: CrossValidated,
    stopping: Stopping,
    *,
    simpler: Simpler | None = None,
    smoothing: float = 0.0,
    seed: int,
    n_threads: int | None,
) -> Choice:
    """Return the way to find splits, and the price, that do best on rows not grown on.

    The first way is taken unless another is better by more than a standard error: chance must not
    decide. A simpler variant of it is taken if it does not cost a single error.

    Parameters
    ----------
    data : Data
        Training rows.
    splitters : sequence of Splitter
        Ways to find splits.
    method : CrossValidated
        How many parts.
    stopping : Stopping
        When nodes become leaves.
    simpler : callable, optional
        Returns a variant of a splitter that finds simpler splits.
    smoothing, seed, n_threads
        As for `grow`.
    """
    run: dict[str, Any] = {"smoothing": smoothing, "seed": seed, "n_threads": n_threads}
    folds = draw_folds(data, method, np.random.default_rng(seed))

    def try_out(splitter: Splitter, stopping: Stopping) -> Choice:
        return _best_price(data, splitter, folds, stopping, run)

    choices = [try_out(splitter, stopping) for splitter in splitters]
    weight = np.concatenate([data.weight_of(left_out) for _, left_out in folds])
    best = choices[_clearly_best([choice.cost for choice in choices], weight)]
    if simpler is not None and data.n_rows <= SIMPLER_ROWS:
        # It takes long, so nodes that would hardly stay are not tried.
        enough = replace(stopping, min_errors=max(best.price, stopping.min_errors))
        simple = try_out(simpler(best.splitter), enough)
        if weight @ simple.cost <= weight @ best.cost:
            best = simple
    return best


def _best_price(
    data: Data,
    splitter: Splitter,
    folds: list[tuple[NDArray[np.int32], NDArray[np.int32]]],
    stopping: Stopping,
    run: dict[str, Any],
) -> Choice:
    """Return the price that does best with one way to find splits; of equals the highest."""
    trees = grow_forest(data, splitter, [grown for grown, _ in folds], stopping, **run)
    leaves = [leaves_at(tree, PRICES) for tree in trees]
    rows = [data.take(left_out) for _, left_out in folds]
    cost = sum(
        validation_cost(tree, own, tree.losses_of(part))
        for tree, own, part in zip(trees, leaves, rows, strict=True)
    )
    at = _last_least(np.asarray(cost))
    of_rows = [
        part.cost_of(tree.cut(own[:, at]).predict(part.X, run["n_threads"]))
        for tree, own, part in zip(trees, leaves, rows, strict=True)
    ]
    return Choice(splitter, float(PRICES[at]), np.concatenate(of_rows))


def draw_folds(
    data: Data, method: CrossValidated, random: np.random.Generator
) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """Return the rows to grow on and those left out, for every part.

    Equal rows are of one part, so that a row counts the same whether it is there twice or has the
    weight 2; classes are spread evenly over the parts.
    """
    rows = np.flatnonzero(data.weight_of() > 0)
    table = np.column_stack([data.labels[rows], np.nan_to_num(data.X[rows], nan=np.inf)])
    _, which = np.unique(table, axis=0, return_inverse=True)
    which = which.ravel()
    n_different = int(which.max()) + 1
    order = random.permutation(n_different)
    label = np.empty(n_different, np.int64)
    label[which] = data.labels[rows]
    order = order[np.argsort(label[order], kind="stable")]
    of_different = np.empty(n_different, np.int64)
    of_different[order] = np.arange(n_different) % method.folds
    part = of_different[which]
    used = range(min(method.folds, int(part.max()) + 1))
    return [(rows[part != f].astype(np.int32), rows[part == f].astype(np.int32)) for f in used]
