"""The simplest kind of test that is not significantly worse: ID-hybrid, and omnivariate trees.

Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*, section 3.1, Tables 2 to 4; with
tests of one column among the candidates, their *Omnivariate Decision Trees*, 2001.

The perceptron's search finds the two groups of classes. Each kind of test is then trained to tell
these groups apart on parts of the node's rows, and judged on the rest. Where the network wins, its
own search goes on from the groups.

Differs from the papers:

- All kinds are judged on the same groups: accuracies on different groups do not compare.
- In the comparison a network has a fixed weight decay of 1 and one start.
- The question is whether the network is better, so the tests are one-sided: half of the p value of
  the F test, which asks for any difference, counts.
- Where the simpler kind makes no mistake on rows left out, nothing else is tried; and where the
  other errs no less over the repetitions so far, no further one is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_choice, check_flag, check_number
from miter.criteria import entropy
from miter.data.schema import Schema
from miter.data.table import Data
from miter.level import Level, equal_rows, table_of
from miter.significance import Verdict, five_by_two_f_test, k_fold_t_test
from miter.splits import PackedSplits
from miter.splitters.network import NetworkSplitter
from miter.splitters.perceptron import PerceptronSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter, route
from miter.splitters.units import FoundUnits, Parts, UnitFinder, begin_units
from miter.splitters.univariate import UnivariateSplitter

__all__ = ["HybridSplitter"]

CHOICES = ("f_test", "t_test", "aic", "bic")
#: Repetitions and parts of the cross-validation for each test.
FOLDS = {"f_test": (5, 2), "t_test": (1, 30)}
#: The weight decay of a network in the comparison.
COMPARED_L2 = 1.0


@dataclass(frozen=True)
class HybridSplitter(Splitter):
    """Takes a network where it is significantly better than a perceptron.

    Parameters
    ----------
    choice : {"f_test", "t_test", "aic", "bic"}
        What decides: the combined 5x2cv F test, the paired t test over 30 folds, or the information
        criterion of Akaike or of Schwarz.
    choice_significance : float
        Of the tests: a more complex kind is taken if chance alone does so well at most this often.
    univariate : bool
        Whether a test of one column competes, as the simplest kind.
    training : {"optimal", "gradient"}
        See `PerceptronSplitter` and `NetworkSplitter`.
    hidden : int, optional
        Hidden units of a network; see `NetworkSplitter`.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import HybridSplitter
    >>> tree = grow(monks(1), HybridSplitter())
    >>> tree.notes[0].split(":")[0]
    'network'
    """

    choice: str = "f_test"
    choice_significance: float = 0.05
    univariate: bool = False
    training: str = "optimal"
    hidden: int | None = None

    def __post_init__(self) -> None:
        check_choice("choice", self.choice, CHOICES)
        check_number("choice_significance", self.choice_significance, above=0, below=1)
        check_flag("univariate", self.univariate)
        self._splitters()  # complain now, not when a tree is grown

    def _splitters(self) -> tuple[PerceptronSplitter, NetworkSplitter]:
        return PerceptronSplitter(self.training), NetworkSplitter(self.training, self.hidden)

    @property
    def asks_of_all_rows(self) -> bool:
        """Whether means and ranges of all training rows are wanted."""
        return self._splitters()[0].asks_of_all_rows

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that compares kinds of tests at all nodes of a level at a time."""
        is_published = self._splitters()[0].is_published
        return begin_units(
            lambda filled: _Contest(self, filled, min_leaf).find,
            data,
            min_leaf,
            n_threads,
            is_published=is_published,
        )


class _Contest:
    """Lets kinds of tests compete at the nodes of a level."""

    def __init__(self, settings: HybridSplitter, data: Data, min_leaf: float) -> None:
        perceptron, network = settings._splitters()
        self.settings = settings
        self.data = data
        self.min_leaf = min_leaf
        self.perceptron = perceptron.finder(data)
        self.network = network.finder(data)
        self.row_kind = equal_rows(data, np.arange(data.n_rows))

    def find(self, level: Level) -> FoundSplits:
        linear = self.perceptron.find(level)
        kinds: list[_Kind] = [_Perceptron(self.perceptron, level, linear)]
        if self.settings.univariate:
            kinds.insert(0, _Univariate(self.data, level, linear, self.min_leaf))
        kinds.append(_Network(self.network, level, linear))
        by_test = self.settings.choice in FOLDS
        chosen, notes = self._by_test(kinds, level) if by_test else self._by_criterion(kinds, level)
        splits = [kind.splits_at(chosen == k) for k, kind in enumerate(kinds)]
        return FoundSplits(PackedSplits.merge(splits, chosen), notes=tuple(notes))

    # ---- by a test -------------------------------------------------------------------------

    def _by_test(self, kinds: list[_Kind], level: Level) -> tuple[NDArray[np.int64], list[str]]:
        """Return the kind of each node: a later one only where it is significantly better."""
        n_repeats, n_parts = FOLDS[self.settings.choice]
        parts = self._draw_parts(level, n_repeats, n_parts)
        test = five_by_two_f_test if self.settings.choice == "f_test" else _t_test
        chosen = np.zeros(len(level), np.int64)
        errors = kinds[0].errors(parts, np.ones(len(level), bool))
        said: list[list[str]] = [[] for _ in range(len(level))]
        for k, kind in enumerate(kinds[1:], start=1):
            can_win = errors.sum(axis=(1, 2)) > 0
            others, n_done = _errors_while_ahead(kind, errors, parts, can_win)
            for node in range(len(level)):
                rival = kinds[chosen[node]].name
                if not can_win[node]:
                    said[node].append(f"{rival} makes no mistake on rows left out")
                    continue
                gains = errors[node] - others[node]
                if n_done[node] < n_repeats:
                    less = _say_difference(kind.name, rival, gains[: n_done[node]].mean())
                    said[node].append(f"{less} after {n_done[node]} of {n_repeats} repetitions")
                    continue
                verdict = test(gains)
                said[node].append(_say_verdict(kind.name, rival, verdict))
                # The tests ask for a difference in either direction; here only one counts.
                if verdict.winner(2 * self.settings.choice_significance) == 1:
                    chosen[node] = k
                    errors[node] = others[node]
        return chosen, [
            f"{kinds[c].name}: {'; '.join(s)}" for c, s in zip(chosen, said, strict=True)
        ]

    def _draw_parts(self, level: Level, n_repeats: int, n_parts: int) -> Parts:
        """Deal the rows of every node over the parts; every class goes round all of them.

        Equal rows are dealt together, in units of weight: a row counts the same whether it is there
        twice or has the weight 2, and the parts look alike.
        """
        node = np.repeat(np.arange(len(level)), np.diff(level.start))
        label, kind = self.data.labels[level.rows], self.row_kind[level.rows]
        n_kinds = int(self.row_kind.max()) + 1
        group = np.unique(node * n_kinds + kind, return_inverse=True)[1]
        units = np.ceil(np.bincount(group, self.data.copies_of(level.rows)) - 1e-9)
        spread = np.clip(units, 1, n_parts).astype(np.int32)[group]
        random = np.random.default_rng([level.seed, level.n_before])
        first = np.empty((n_repeats, len(node)), np.int32)
        for r in range(n_repeats):
            drawn = random.permutation(n_kinds)[kind]
            order = np.lexsort((drawn, label, node))
            is_new = np.ones(len(order), bool)
            is_new[1:] = (np.diff(node[order]) != 0) | (np.diff(drawn[order]) != 0)
            dealt = np.cumsum(np.where(is_new, spread[order], 0))
            # Where the group of equal rows begins: what was dealt before it.
            first[r, order] = (dealt - spread[order]) % n_parts
        return Parts(first, spread, n_parts)

    # ---- by a criterion --------------------------------------------------------------------

    def _by_criterion(
        self, kinds: list[_Kind], level: Level
    ) -> tuple[NDArray[np.int64], list[str]]:
        """Return the kind of each node with the least loss and penalty of its weights."""
        name = self.settings.choice.upper()
        penalty = np.log(level.counts.sum(axis=1)) if name == "BIC" else np.full(len(level), 2.0)
        values = np.array([2 * loss + penalty * n for loss, n in (kind.loss() for kind in kinds)])
        chosen = np.round(values, 9).argmin(axis=0)
        notes = []
        for node, best in enumerate(chosen):
            said = ", ".join(
                f"{kind.name} {value:.4g}"
                for kind, value in zip(kinds, values[:, node], strict=True)
            )
            notes.append(f"{kinds[best].name}: {name} {said}")
        return chosen, notes


def _t_test(differences: NDArray[np.float64]) -> Verdict:
    return k_fold_t_test(differences.ravel())


def _errors_while_ahead(
    kind: _Kind,
    rivals: NDArray[np.float64],
    parts: Parts,
    where: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the errors of a kind, and how many repetitions it stayed ahead of its rivals' errors.

    A kind that is not ahead after a repetition would hardly be significantly better after all.
    """
    errors = np.zeros(rivals.shape)
    n_done = np.zeros(len(rivals), np.int64)
    is_ahead = where
    for r in range(len(parts.first)):
        errors[:, [r]] = kind.errors(parts.only_repeat(r), is_ahead)
        n_done[is_ahead] += 1
        is_ahead = is_ahead & ((rivals - errors)[:, : r + 1].sum(axis=(1, 2)) > 0)
        if not is_ahead.any():
            break
    return errors, n_done


def _say_verdict(kind: str, rival: str, verdict: Verdict) -> str:
    assert verdict.difference is not None
    letter = "F" if len(verdict.degrees_of_freedom) == 2 else "t"
    p = verdict.p_value / 2 if verdict.difference >= 0 else 1 - verdict.p_value / 2
    difference = _say_difference(kind, rival, verdict.difference)
    return f"{difference}, {letter} = {verdict.statistic:.3g}, p = {p:.2g}"


def _say_difference(kind: str, rival: str, gain: float) -> str:
    points = 100 * gain
    return f"{kind} errs {abs(points):.1f} points {'less' if points >= 0 else 'more'} than {rival}"


class _Kind:
    """A kind of test that tells the groups of the nodes of a level apart."""

    name: str

    def errors(self, parts: Parts, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of wrong rows, nodes x repeats x parts; 0 for nodes not asked for."""
        raise NotImplementedError

    def loss(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the logistic loss at each node, in nats, and the number of free numbers."""
        raise NotImplementedError

    def splits_at(self, where: NDArray[np.bool_]) -> PackedSplits:
        """Return the splits of some nodes."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class _Perceptron(_Kind):
    finder: UnitFinder
    level: Level
    found: FoundUnits
    name = "linear"

    def errors(self, parts: Parts, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        found = self.found
        return _errors_where(self.finder, self.level, found.groups, found.l2, parts, where)

    def loss(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.found.loss, self.found.n_weights

    def splits_at(self, where: NDArray[np.bool_]) -> PackedSplits:
        return self.found.splits.take(np.flatnonzero(where))


@dataclass(frozen=True, eq=False)
class _Network(_Kind):
    finder: UnitFinder
    level: Level
    linear: FoundUnits
    name = "network"

    def errors(self, parts: Parts, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        l2 = np.full(len(self.level), COMPARED_L2)
        return _errors_where(self.finder, self.level, self.linear.groups, l2, parts, where)

    def loss(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        found = self.finder.find(self.level, self.linear.groups, exchange=False)
        return found.loss, found.n_weights

    def splits_at(self, where: NDArray[np.bool_]) -> PackedSplits:
        if not where.any():
            return PackedSplits.of([])
        return self.finder.find(self.level.only(where), self.linear.groups[where]).splits


def _errors_where(
    finder: UnitFinder,
    level: Level,
    groups: NDArray[np.uint8],
    l2: NDArray[np.float64],
    parts: Parts,
    where: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the errors of units, nodes x repeats x parts; 0 for nodes not asked for."""
    errors = np.zeros((len(level), len(parts.first), parts.n_parts))
    if where.any():
        own = parts.only(np.repeat(where, np.diff(level.start)))
        errors[where] = finder.part_errors(level.only(where), groups[where], l2[where], own)
    return errors


class _Univariate(_Kind):
    name = "univariate"

    def __init__(self, data: Data, level: Level, linear: FoundUnits, min_leaf: float) -> None:
        """Take the groups of a level for its classes.

        Rows are copied: where several trees grow together a row is at several nodes, which may put
        its class into different groups.
        """
        self.node = np.repeat(np.arange(len(level)), np.diff(level.start))
        labels = (linear.groups[self.node, data.labels[level.rows]] == 1).astype(np.int32)
        schema = Schema(data.schema.columns, (0, 1))
        self.data = Data(schema, data.X[level.rows], labels)
        self.table = table_of(self.data)
        self.level = level
        splitter = UnivariateSplitter("gain", missing="node")
        self.find = splitter.begin(self.data, min_leaf, level.n_threads)
        self.whole = self._part(np.ones(len(self.node)))
        self.splits = self.find(self.whole).splits

    def errors(self, parts: Parts, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        errors = np.empty((len(self.level), len(parts.first), parts.n_parts))
        for r, p in np.ndindex(errors.shape[1:]):
            share = parts.share(r, p)
            train, test = self._part(1 - share), self._part(share)
            splits = self.find(train).splits
            answer = self._counts(train, splits).argmax(axis=1)
            counts = self._counts(test, splits)
            wrong = counts[np.arange(len(counts)), 1 - answer]
            node = np.repeat(np.arange(len(splits)), np.maximum(splits.n_branches, 1))
            total = np.bincount(node, counts.sum(axis=1), minlength=len(splits))
            share = np.bincount(node, wrong, minlength=len(splits)) / np.maximum(total, 1e-12)
            errors[:, r, p] = share
        return errors

    def loss(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        counts = self._counts(self.whole, self.splits)
        n_branches = np.maximum(self.splits.n_branches, 1)
        node = np.repeat(np.arange(len(self.level)), n_branches)
        bits = np.bincount(node, counts.sum(axis=1) * entropy(counts))
        # A probability for each branch, and which column it is.
        return bits * np.log(2), n_branches + 1.0

    def splits_at(self, where: NDArray[np.bool_]) -> PackedSplits:
        return self.splits.take(np.flatnonzero(where))

    def _part(self, share: NDArray[np.float64]) -> Level:
        """Return the level with a share of each row of its nodes, of the groups as classes."""
        level, rows = self.level, np.flatnonzero(share > 0).astype(np.int32)
        node = self.node[rows]
        own = share[rows] * (1.0 if level.weights is None else level.weights[rows])
        weights = None if level.weights is None and (own == 1).all() else own
        sizes = np.bincount(node, minlength=len(level))
        cell = 2 * node + self.data.labels[rows]
        counts = np.bincount(cell, weights, minlength=2 * len(level)).astype(float)
        return replace(
            level,
            data=self.data,
            table=self.table,
            rows=rows,
            weights=weights,
            start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            counts=counts.reshape(-1, 2),
        )

    def _counts(self, level: Level, splits: PackedSplits) -> NDArray[np.float64]:
        """Return the weight of the groups in each branch; at a node without branches, there."""
        in_branches = route(level, FoundSplits(splits)).counts
        first = np.concatenate([[0], np.cumsum(np.maximum(splits.n_branches, 1))])
        counts = np.empty((first[-1], 2))
        is_leaf = splits.n_branches == 0
        counts[first[:-1][is_leaf]] = level.counts[is_leaf]
        counts[np.repeat(~is_leaf, np.diff(first))] = in_branches
        return counts
