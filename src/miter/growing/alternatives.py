"""Trees for many prices of a term at once: every node is searched once for all of them.

A node has several tests to choose from, each with branches of its own. At the top all of them are
grown; further down, at each price, the one that gains most for its terms. Then, from the leaves up,
each price chooses the test, or none, by which a node and what is below it cost least: errors, and
what there is to read. Rows that are left out walk along and tell what the choices are worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.data.table import Data
from miter.growing.folds import Fold
from miter.growing.rows import losses_of
from miter.growing.stopping import Stopping
from miter.level import Level
from miter.splits import PackedSplits
from miter.splitters.sparse import CandidateFinder, Candidates, best_of_nodes
from miter.splitters.splitter import FoundSplits, route
from miter.tree import Tree

__all__ = ["Alternatives", "Pricing", "grow_alternatives"]


@dataclass(frozen=True, eq=False)
class Pricing:
    """What there is to read costs so many training errors.

    Parameters
    ----------
    prices : ndarray of float
        Of a term; a tree is found for each of them.
    path_prices : ndarray of float
        Of a term for every row that comes by it, beside each of the prices.
    of_test : float
        A test costs as much as so many terms besides.
    of_gain : float
        While growing, a term must give so many bits for every error that it costs.
    look_ahead : int
        On so many levels several tests are grown: the best of one column, the best sum, one more.
    """

    prices: NDArray[np.float64]
    path_prices: NDArray[np.float64]
    of_test: float = 6.0
    of_gain: float = 0.5
    look_ahead: int = 1

    def of_terms(
        self, n_terms: NDArray[np.integer[Any]], weight: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what the terms of tests cost at each price: tests x prices."""
        result: NDArray[np.float64] = n_terms[:, None] * (
            self.prices + self.path_prices * weight[:, None]
        )
        return result

    def cost(
        self, n_terms: NDArray[np.integer[Any]], weight: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what tests of so many terms, at nodes of such weight, cost at each price."""
        return self.of_terms(n_terms, weight) + self.of_test * self.prices


@dataclass(frozen=True, eq=False)
class _Grown:
    """Nodes of one level, and the tests that they may have; positions are within the level."""

    counts: NDArray[np.float64]
    losses: NDArray[np.float64]
    left_out: NDArray[np.float64]  # losses of the rows that are left out
    label: NDArray[np.int64]
    is_alive: NDArray[np.bool_]  # nodes x prices: whether a tree of the price may have the node
    splits: PackedSplits
    node: NDArray[np.int64]  # of each test; test t has the nodes 2 t and 2 t + 1 of the next level
    n_terms: NDArray[np.int64]
    is_chosen: NDArray[np.bool_]  # tests x prices


@dataclass(frozen=True, eq=False)
class _Best:
    """What each price makes of the nodes of a level: nodes x prices."""

    test: NDArray[np.int64]  # -1: a leaf
    value: NDArray[np.float64]
    left_out: NDArray[np.float64]
    n_terms: NDArray[np.float64]
    path: NDArray[np.float64]  # terms on the way of all rows together


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Trees for several samples of the rows, and several prices of a term.

    Parameters
    ----------
    data : Data
        All rows.
    pricing : Pricing
        The prices.
    levels : list
        The nodes of all trees.
    """

    data: Data
    pricing: Pricing
    levels: list[_Grown]

    @cached_property
    def _best(self) -> list[_Best]:
        best: list[_Best] = []
        for level in reversed(self.levels):
            best.append(_best_of(level, self.pricing, best[-1] if best else None))
        return best[::-1]

    @property
    def left_out(self) -> NDArray[np.float64]:
        """What the trees cost on the rows left out: samples x prices."""
        return self._best[0].left_out

    @property
    def n_terms(self) -> NDArray[np.float64]:
        """What there is to read of the trees: samples x prices."""
        return self._best[0].n_terms

    @property
    def path(self) -> NDArray[np.float64]:
        """Mean number of terms on the way of a row: samples x prices."""
        weight = self.levels[0].counts.sum(axis=1, keepdims=True)
        return self._best[0].path / weight

    def within(self, max_terms: float | None, max_path: float | None) -> NDArray[np.intp]:
        """Return of each sample and price the tree that is short enough: samples x prices.

        Where the tree of a price is too long, it is that of the nearest higher price, for each
        sample on its own: what is told of lengths that nobody asked for would be told of others.
        Prices fall within each path price, from one on at which the tree is a leaf.

        Parameters
        ----------
        max_terms, max_path : float or None
            Most terms of a tree, and in the mean on the way of a row; None: as many as there are.
        """
        is_short: NDArray[np.bool_] = np.ones(self.n_terms.shape, bool)
        if max_terms is not None:
            is_short &= self.n_terms <= max_terms
        if max_path is not None:
            is_short &= self.path <= max_path + 1e-9
        last = np.where(is_short, np.arange(self.n_terms.shape[1]), 0)
        return np.maximum.accumulate(last, axis=1)

    def tree(self, sample: int, price: int, smoothing: float = 0.0) -> Tree:
        """Return the tree of a sample at a price, by their positions."""
        parts, counts, losses = [], [], []
        nodes = np.array([sample])
        for level, best in zip(self.levels, self._best, strict=True):
            test = best.test[nodes, price]
            is_leaf = test < 0
            if len(level.splits):
                parts.append(level.splits.take(np.maximum(test, 0), is_leaf))
            else:
                parts.append(PackedSplits.of([None] * len(nodes)))
            counts.append(level.counts[nodes])
            losses.append(level.losses[nodes])
            first = 2 * test[~is_leaf]
            nodes = np.column_stack([first, first + 1]).ravel()
            if not len(nodes):
                break
        has_costs = self.data.costs is not None
        return Tree(
            self.data.schema,
            PackedSplits.join(parts),
            np.concatenate(counts),
            smoothing=smoothing,
            losses=np.concatenate(losses) if has_costs else None,
        )


def grow_alternatives(
    data: Data,
    find: CandidateFinder,
    folds: list[Fold],
    stopping: Stopping,
    pricing: Pricing,
    *,
    seed: int = 0,
    n_threads: int = 1,
) -> Alternatives:
    """Grow trees for each fold and each price.

    Parameters
    ----------
    data : Data
        Training rows, with labels.
    find : callable
        Finds the candidates of the nodes of a level, as `SparseSplitter.begin_candidates` does.
    folds : list of Fold
        The rows of each tree, and those that tell what it is worth.
    stopping : Stopping
        When nodes become leaves.
    pricing : Pricing
        What there is to read costs.
    seed, n_threads
        As for `grow`.
    """
    total = float(data.class_counts().sum())
    level = Level.roots(data, [fold.grown for fold in folds], seed=seed, n_threads=n_threads)
    other = Level.roots(data, [fold.left_out for fold in folds], seed=seed, n_threads=n_threads)
    label = level.losses.argmin(axis=1)
    shape = len(folds), len(pricing.prices)
    is_alive = np.ones(shape, bool) & _may_split(level, 0, stopping, pricing, total)
    grown: list[_Grown] = []
    while True:
        depth = len(grown)
        is_open = is_alive.any(axis=1)
        nodes = np.flatnonzero(is_open)
        here = level.take(nodes)
        found = find(here)
        weight = here.counts.sum(axis=1)[found.node]
        terms_cost = pricing.of_terms(found.n_terms, weight)
        score = found.gain[:, None] - pricing.of_gain * terms_cost
        chosen = _promising(found, score, look_ahead=depth < pricing.look_ahead)
        chosen &= (score > 0) & is_alive[nodes][found.node]
        found, chosen = found.take(keep := np.flatnonzero(chosen.any(axis=1))), chosen[keep]
        wide = here.take(found.node)
        routing = route(wide, FoundSplits(found.splits))
        good = _divides(routing.counts, stopping.min_leaf(total))
        chosen &= good[:, None]
        wide_other = other.take(nodes[found.node])
        routing_other = route(wide_other, FoundSplits(found.splits))
        grown.append(
            _Grown(
                level.counts,
                level.losses,
                other.losses,
                label,
                is_alive,
                found.splits,
                nodes[found.node],
                found.n_terms,
                chosen,
            )
        )
        if not len(found.node):
            break
        all_open = np.ones(2 * len(found.node), np.uint8)
        losses = losses_of(routing.counts, routing.losses)
        below = level.below(core.move_rows(routing, wide.native, all_open), routing.counts, losses)
        other = other.below(
            core.move_rows(routing_other, wide_other.native, all_open),
            routing_other.counts,
            losses_of(routing_other.counts, routing_other.losses),
        )
        inherited = np.repeat(label[nodes[found.node]], 2)
        level, label = below, _labels(losses, inherited)
        is_alive = np.repeat(chosen, 2, axis=0)
        is_alive &= _may_split(level, depth + 1, stopping, pricing, total)
    return Alternatives(data, pricing, grown)


def _promising(
    found: Candidates, score: NDArray[np.float64], *, look_ahead: bool
) -> NDArray[np.bool_]:
    """Mark the best test of each node at each price; where one looks ahead, several of them.

    The two best are often sums of four and of five columns, nearly the same test: they would hide a
    tree that begins with one column and has a short sum below it.
    """
    if not look_ahead:
        return best_of_nodes(score, found.node)
    chosen = np.zeros(score.shape, bool)
    for kind in (found.n_terms == 1, found.n_terms > 1):
        chosen |= best_of_nodes(np.where(kind[:, None], score, -np.inf), found.node) & kind[:, None]
    return chosen | best_of_nodes(np.where(chosen, -np.inf, score), found.node)


def _labels(losses: NDArray[np.float64], inherited: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cheapest class of each node; in a tie rather its parent's."""
    own = losses.argmin(axis=1)
    rows = np.arange(len(losses))
    is_tied = losses[rows, inherited] <= losses[rows, own] + 1e-12 * (1 + losses[rows, own])
    return np.where(is_tied, inherited, own)


def _may_split(
    level: Level, depth: int, stopping: Stopping, pricing: Pricing, total: float
) -> NDArray[np.bool_]:
    """Tell at which prices a node could save what a test of one term costs."""
    if stopping.max_depth is not None and depth >= stopping.max_depth:
        return np.zeros((len(level), len(pricing.prices)), bool)
    is_large = level.counts.sum(axis=1) >= stopping.min_split(total) - 1e-9
    errors = level.losses.min(axis=1)[:, None]
    cost = pricing.cost(np.ones(len(level), int), level.counts.sum(axis=1))
    pays: NDArray[np.bool_] = errors > np.maximum(cost, 1e-9)
    return pays & is_large[:, None]


def _divides(counts: NDArray[np.float64], min_leaf: float) -> NDArray[np.bool_]:
    """Tell which tests of two branches leave enough rows in both."""
    weight = counts.sum(axis=1).reshape(-1, 2)
    is_good: NDArray[np.bool_] = weight.min(axis=1) >= max(min_leaf - 1e-9, 1e-9)
    return is_good


def _best_of(level: _Grown, pricing: Pricing, below: _Best | None) -> _Best:
    """Choose the test of each node at each price, or none."""
    n_nodes, n_prices = level.is_alive.shape
    rows = np.arange(n_nodes)
    test = np.full((n_nodes, n_prices), -1)
    value = np.repeat(level.losses[rows, level.label][:, None], n_prices, axis=1)
    left_out = np.repeat(level.left_out[rows, level.label][:, None], n_prices, axis=1)
    n_terms, path = np.zeros((2, n_nodes, n_prices))
    if below is None or not len(level.node):
        return _Best(test, value, left_out, n_terms, path)
    pair = (len(level.node), 2, n_prices)
    weight = level.counts.sum(axis=1)[level.node]
    cost = pricing.cost(level.n_terms, weight) + below.value.reshape(pair).sum(axis=1)
    cost[~level.is_chosen] = np.inf
    is_best = best_of_nodes(-cost, level.node) & (cost < value[level.node] - 1e-9)
    which, price = np.nonzero(is_best)
    node = level.node[which]
    test[node, price] = which
    value[node, price] = cost[which, price]
    left_out[node, price] = below.left_out.reshape(pair).sum(axis=1)[which, price]
    terms_below = below.n_terms.reshape(pair).sum(axis=1)[which, price]
    n_terms[node, price] = level.n_terms[which] + terms_below
    path_below = below.path.reshape(pair).sum(axis=1)[which, price]
    path[node, price] = (weight * level.n_terms)[which] + path_below
    return _Best(test, value, left_out, n_terms, path)
