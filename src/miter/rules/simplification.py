"""A finished tree made smaller, as long as it answers enough rows as before.

Splits are cut, or a branch takes the place of its node; machines lose discriminants that no row
chooses; a test of one column takes the place of a sum; terms are dropped; numbers are rounded. Each
step is kept if the whole tree still agrees with the first one on the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number
from miter.data.schema import Schema
from miter.data.table import Data
from miter.estimators.fitted import OneTree
from miter.estimators.reading import read_rows
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune.cost_complexity import validation_cost
from miter.prune.pruning import best_below, cost_as_leaf, cost_that_stays
from miter.rules.from_tree import only_tree
from miter.splits import (
    SHARE,
    Category,
    Linear,
    Machine,
    Network,
    PackedSplits,
    Split,
    Term,
    Threshold,
)
from miter.splits.names import say_name
from miter.splits.terms import TermSplit
from miter.splitters import UnivariateSplitter
from miter.tree import Tree, take_notes

__all__ = ["Simplification", "simplify"]

#: Numbers are rounded to so few digits that nothing is lost; beyond these nobody reads.
DIGITS = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Simplification:
    """What was done to a tree.

    Parameters
    ----------
    steps : tuple of str
        A sentence each.
    agreement : float
        The part of the rows that both trees answer alike.
    n_rows : int
        How many rows there were.
    terms_before, terms_after : int
        What a person must read; see `miter.terms`.
    """

    steps: tuple[str, ...]
    agreement: float
    n_rows: int
    terms_before: int
    terms_after: int

    def __str__(self) -> str:
        total = (
            f"{self.terms_before} terms became {self.terms_after}; "
            f"{self.agreement:.2%} of {self.n_rows} rows are answered as before."
        )
        return "\n".join([*self.steps, total])


def simplify(model: Any, X: Any, agreement: float = 1.0) -> Any:
    """Return a smaller tree that answers enough of some rows as the given one does.

    Parameters
    ----------
    model : estimator
        A fitted model of one tree; it stays as it is.
    X : DataFrame, array or Data
        Rows like those of `fit`; rows that were not trained on tell more.
    agreement : float
        The part of these rows that must be answered as before.

    Returns
    -------
    estimator
        A copy with the smaller tree; its `simplification_` says what was done.

    Examples
    --------
    >>> import miter
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    >>> small = miter.simplify(model, X, agreement=0.97)
    >>> small.simplification_.agreement >= 0.97
    True
    >>> small.simplification_.terms_after < small.simplification_.terms_before
    True
    """
    check_number("agreement", agreement, least=0, most=1)
    if not isinstance(model, OneTree):
        cure = "give a fitted classifier of one tree"
        if len(getattr(model, "trees_", ())) > 1:
            raise ValueError(f"the model has {len(model.trees_)} trees; {cure}")
        raise TypeError(f"a {type(model).__name__} is no tree that could be made smaller; {cure}")
    tree = only_tree(model)
    rows = read_rows(model, X, tree.schema)
    if len(rows) == 0:
        raise ValueError("X has no rows, which would agree with anything; give some")
    work = _Work(tree, rows, agreement)
    work.run()
    small: Any = copy(model)
    small._set_fitted([work.tree.with_importances(rows)])
    small.simplification_ = work.report()
    return small


class _Work:
    """A tree on its way to a smaller one."""

    def __init__(self, tree: Tree, X: NDArray[Any], agreement: float) -> None:
        self.first = self.tree = tree
        self.X = X
        self.answers = tree.predict(X)
        self.n_allowed = floor((1.0 - agreement) * len(X) + 1e-9)
        self.steps: list[str] = []

    def run(self) -> None:
        """Do what can be done, the largest pieces first."""
        self._cut()
        self._raise_lone_branches()
        for node in self._sums():
            self._drop_discriminants(node)
            self._replace_by_one_column(node)
        for node in self._sums():
            self._drop_terms(node)
        for node in self._sums():
            self._replace_by_one_column(node)
            self._replace_by_intervals(node)
        for node in self._sums():
            self._round_sum(node)
        self._round_cuts()

    def report(self) -> Simplification:
        same = self.tree.predict(self.X) == self.answers
        before, after = (int(tree.terms.sum()) for tree in (self.first, self.tree))
        return Simplification(tuple(self.steps), float(same.mean()), len(self.X), before, after)

    def _accepts(self, tree: Tree, sentence: str) -> bool:
        """Take a tree if it agrees with the first one on enough rows."""
        if (tree.predict(self.X) != self.answers).sum() > self.n_allowed:
            return False
        self.tree = tree
        self.steps.append(sentence)
        return True

    # ---- splits -----------------------------------------------------------------------------

    def _cut(self) -> None:
        """Make leaves of the nodes that are not needed: as many terms as are allowed go."""
        tree = self.tree
        losses = tree.losses_of(Data(tree.schema, self.X, self.answers))
        as_leaf, stays = cost_as_leaf(tree, losses)[:, None], cost_that_stays(tree, losses)[:, None]
        # In rows that are answered otherwise, for a term that need not be read.
        prices = np.concatenate([np.geomspace(len(self.X), 1e-3, 60), [1e-6]])
        price = prices * np.maximum(tree.terms, 1)[:, None]
        below = best_below(tree, np.tile(as_leaf, len(prices)), stays + price)
        leaves = tree.is_leaf[:, None] | (as_leaf <= below)
        cost = validation_cost(tree, leaves, losses)
        for k in np.flatnonzero(cost <= self.n_allowed + 1e-9).tolist():
            cut = tree.cut(leaves[:, k])
            n_gone = int((~tree.is_leaf).sum() - (~cut.is_leaf).sum())
            if n_gone == 0 or self._accepts(cut, f"Cut {n_gone} of {_splits(tree)}."):
                return

    def _raise_lone_branches(self) -> None:
        """Put the only branch that rows take in the place of its node."""
        visits = self._visits()
        raised = np.full(self.tree.n_nodes, -1)
        for node in np.flatnonzero(~self.tree.is_leaf).tolist():
            children = self._children(node)
            taken = [child for child in children if visits[child] > 0]
            if len(taken) == 1 and visits[taken[0]] == visits[node]:
                raised[node] = taken[0]
        n_raised = int((raised >= 0).sum())
        if n_raised:
            tree = self.tree.cut(np.zeros(self.tree.n_nodes, bool), raised)
            self._accepts(
                tree, f"Passed by {n_raised} of {_splits(self.tree)}: all rows go one way."
            )

    # ---- sums -------------------------------------------------------------------------------

    def _sums(self) -> list[int]:
        splits = self.tree.splits
        return [n for n in range(self.tree.n_nodes - 1, -1, -1) if isinstance(splits[n], TermSplit)]

    def _drop_discriminants(self, node: int) -> None:
        """Take away the classes of a machine that no row is sent to."""
        split = self.tree.splits[node]
        if not isinstance(split, Machine):
            return
        visits, children = self._visits(), self._children(node)
        kept = [k for k, child in enumerate(children) if visits[child] > 0]
        if not 2 <= len(kept) < len(children):
            return
        fewer = Machine(
            tuple(split.constants[k] for k in kept),
            tuple(_outputs(term, kept) for term in split.terms),
            tuple(split.classes[k] for k in kept),
        )
        tree = _with_split(self.tree, node, fewer, [children[k] for k in kept])
        gone = len(children) - len(kept)
        self._accepts(tree, f"{self._place(node)}: dropped {gone} of {len(children)} branches.")

    def _replace_by_one_column(self, node: int) -> None:
        """Put a test of one column in the place of a sum that divides the rows in two."""
        split = self.tree.splits[node]
        if not isinstance(split, TermSplit) or split.n_branches != 2:
            return
        rows = self._rows_at(node)
        route = split.route(rows).astype(np.int32)
        found = _one_column(self.tree.schema, rows, route)
        if found is None:
            return
        test, swapped = found
        children = self._children(node)[:: -1 if swapped else 1]
        words = test.say(self.tree.schema, 0)
        tree = _with_split(self.tree, node, test, children)
        self._accepts(tree, f"{self._place(node)}: {words} in the place of {split.n_terms} terms.")

    def _replace_by_intervals(self, node: int) -> None:
        """Put cuts in the place of a machine that weighs one number between several classes."""
        split = self.tree.splits[node]
        if not isinstance(split, Machine) or len(split.terms) != 1 or split.terms[0].is_symbolic:
            return
        found = _intervals(split, self._rows_at(node))
        if found is None:
            return
        test, order = found
        tree = _with_split(self.tree, node, test, [self._children(node)[k] for k in order])
        column = say_name(self.tree.schema.columns[test.column].name)
        words = f"{len(test.cuts)} {'cut' if len(test.cuts) == 1 else 'cuts'} of {column}"
        self._accepts(tree, f"{self._place(node)}: {words} in the place of {split.n_terms} terms.")

    def _drop_terms(self, node: int) -> None:
        """Drop terms, those first that move the sum the least."""
        rows, dropped = self._rows_at(node), []
        place = self._place(node)
        while True:
            split = self.tree.splits[node]
            if not isinstance(split, TermSplit) or len(split.terms) < 2:
                break
            before = len(self.steps)
            for fewer, column in _without_each(split, rows):
                if self._accepts(_with_split(self.tree, node, fewer), ""):
                    dropped.append(say_name(self.tree.schema.columns[column].name))
                    break
            if len(self.steps) == before:
                break
            self.steps.pop()
        if dropped:
            self.steps.append(f"{place}: dropped {', '.join(dropped)}.")

    def _round_sum(self, node: int) -> None:
        """Round the numbers of a sum to the fewest digits that do."""
        split = self.tree.splits[node]
        assert isinstance(split, TermSplit)
        rows, place = self._rows_at(node), self._place(node)
        for digits in DIGITS:
            rounded = _rounded(split, digits, rows)
            if rounded == split:
                return
            sentence = f"{place}: rounded to {digits} {'digit' if digits == 1 else 'digits'}."
            if self._accepts(_with_split(self.tree, node, rounded), sentence):
                return

    def _round_cuts(self) -> None:
        """Write each cut with as few digits as lie between the rows on its two sides."""
        splits = list(self.tree.splits)
        n_rounded = 0
        for node, split in enumerate(splits):
            if not isinstance(split, Threshold):
                continue
            column = self.tree.schema.columns[split.column]
            if column.kind != "numeric" or column.form is not None:
                continue
            x = self._rows_at(node)[:, split.column]
            cuts = tuple(_short(cut, x) for cut in split.cuts)
            if cuts != split.cuts and list(cuts) == sorted(set(cuts)):
                splits[node] = replace(split, cuts=cuts)
                n_rounded += 1
        if n_rounded:
            tree = replace(self.tree, splits=PackedSplits.of(splits))
            tests = "1 test" if n_rounded == 1 else f"{n_rounded} tests"
            self._accepts(tree, f"Rounded the cuts of {tests} of one column.")

    # ---- what is asked of the tree ----------------------------------------------------------

    def _children(self, node: int) -> list[int]:
        first = int(self.tree.first_child[node])
        return list(range(first, first + int(self.tree.splits.n_branches[node])))

    def _visits(self) -> NDArray[np.int64]:
        return np.bincount(self.tree.paths(self.X)[1], minlength=self.tree.n_nodes)

    def _rows_at(self, node: int) -> NDArray[Any]:
        start, nodes = self.tree.paths(self.X)
        row = np.repeat(np.arange(len(self.X)), np.diff(start))
        return self.X[row[nodes == node]]

    def _place(self, node: int) -> str:
        return "Root" if node == 0 else f"Node {node}"


def _splits(tree: Tree) -> str:
    n = int((~tree.is_leaf).sum())
    return f"{n} {'split' if n == 1 else 'splits'}"


def _with_split(tree: Tree, node: int, split: Split, children: Sequence[int] | None = None) -> Tree:
    """Return the tree with another split at a node, and with some of its branches in some order."""
    splits = list(tree.splits)
    splits[node] = split
    if children is None:
        return replace(tree, splits=PackedSplits.of(splits))
    order, level = [], [0]
    while level:
        order += level
        level = [child for n in level for child in _below(tree, n, node, children)]
    keep = np.array(order)
    return replace(
        tree,
        splits=PackedSplits.of([splits[n] for n in order]),
        counts=tree.counts[keep],
        losses=None if tree.losses is None else tree.losses[keep],
        notes=take_notes(tree.notes, keep),
    )


def _below(tree: Tree, node: int, changed: int, children: Sequence[int]) -> Sequence[int]:
    first = int(tree.first_child[node])
    own = range(first, first + int(tree.splits.n_branches[node]))
    return children if node == changed else own


def _outputs(term: Term, kept: Sequence[int]) -> Term:
    weights = tuple(tuple(row[k] for k in kept) for row in term.weights)
    return replace(term, weights=weights, missing=tuple(term.missing[k] for k in kept))


def _one_column(
    schema: Schema, rows: NDArray[Any], route: NDArray[np.int32]
) -> tuple[Threshold | Category, bool] | None:
    """Return the test of one column that divides rows most alike, and whether its sides swap."""
    if len(np.unique(route)) < 2:
        return None
    data = Data(replace(schema, classes=(0, 1)), np.ascontiguousarray(rows), route)
    splitter = UnivariateSplitter(criterion="gain", symbolic="groups")
    tree = grow(data, splitter, Stopping(max_depth=1), n_threads=1)
    split = tree.splits[0]
    if not isinstance(split, Threshold | Category) or split.n_branches != 2:
        return None
    swapped = bool(tree.labels[1] == 1)
    if swapped == bool(tree.labels[2] == 1):
        return None
    is_missing = np.isnan(rows[:, split.column])
    if is_missing.any():
        to_second = 2 * route[is_missing].sum() > is_missing.sum()
        return replace(split, missing=int(to_second != swapped)), swapped
    return replace(split, missing=SHARE), swapped


def _intervals(machine: Machine, rows: NDArray[Any]) -> tuple[Threshold, list[int]] | None:
    """Return cuts that divide rows as a machine of one number, and its branches in their order."""
    [term] = machine.terms
    x, route = rows[:, term.column], machine.route(rows)
    is_known = ~np.isnan(x)
    order = np.argsort(x[is_known], kind="stable")
    x, along = x[is_known][order], route[is_known][order]
    changes = np.flatnonzero(along[1:] != along[:-1])
    branches = [int(branch) for branch in along[[*changes, -1]]] if len(along) else []
    # Each branch must be one interval, and each must be there.
    if sorted(branches) != list(range(machine.n_branches)) or (x[changes] == x[changes + 1]).any():
        return None
    cuts = tuple(((x[changes] + x[changes + 1]) / 2).tolist())
    missing = SHARE
    if not is_known.all():
        missing = branches.index(int(np.bincount(route[~is_known]).argmax()))
    return Threshold(term.column, cuts, missing), branches


def _without_each(split: TermSplit, rows: NDArray[Any]) -> Iterator[tuple[Split, int]]:
    """Yield the split without each of its terms, that first which changes the sums the least."""
    added = [term.of(rows) for term in split.terms]
    centred = [a - a.mean(axis=1, keepdims=True) if a.shape[1] > 1 else a for a in added]
    spread = [float(np.std(a, axis=0).max(initial=0.0)) if len(a) else 0.0 for a in centred]
    for place in np.argsort(spread, kind="stable").tolist():
        mean = added[place].mean(axis=0) if len(rows) else np.zeros(added[place].shape[1])
        terms = tuple(term for k, term in enumerate(split.terms) if k != place)
        yield _shifted(split, terms, mean), split.terms[place].column


def _shifted(split: TermSplit, terms: tuple[Term, ...], mean: NDArray[np.float64]) -> Split:
    """Return a split with other terms, what the old ones added in the mean being added still."""
    if isinstance(split, Linear):
        return replace(split, terms=terms, threshold=split.threshold - float(mean[0]))
    assert isinstance(split, Machine | Network)  # there are no other kinds
    constants = tuple((np.array(split.constants) + mean).tolist())
    return replace(split, terms=terms, constants=constants)


def _rounded(split: TermSplit, digits: int, rows: NDArray[Any]) -> Split:
    """Return a split whose weights have few digits, and whose constants have no more than fit."""
    terms = tuple(_rounded_term(term, digits) for term in split.terms)
    spreads = [float(np.ptp(term.of(rows), axis=0).max()) for term in split.terms if len(rows)]
    unit = max(spreads, default=0.0) or 1.0

    def fit(number: float) -> float:
        return float(round(number, digits - floor(log10(unit))))

    terms = tuple(replace(term, missing=tuple(map(fit, term.missing))) for term in terms)
    if isinstance(split, Linear):
        return replace(split, terms=terms, threshold=fit(split.threshold))
    assert isinstance(split, Machine | Network)  # there are no other kinds
    constants = tuple(map(fit, split.constants))
    if isinstance(split, Machine):
        return replace(split, terms=terms, constants=constants)
    weights = tuple(_significant(weight, digits + 1) for weight in split.weights)
    threshold = _significant(split.threshold, digits + 1)
    return replace(split, terms=terms, constants=constants, weights=weights, threshold=threshold)


def _rounded_term(term: Term, digits: int) -> Term:
    weights = tuple(tuple(_significant(w, digits) for w in row) for row in term.weights)
    return replace(term, weights=weights)


def _significant(number: float, digits: int) -> float:
    return float(f"{number:.{digits - 1}e}")


def _short(cut: float, x: NDArray[Any]) -> float:
    """Return the number with the fewest digits that divides the rows as a cut does."""
    x = x[~np.isnan(x)]
    below, above = x[x <= cut].max(initial=-np.inf), x[x > cut].min(initial=np.inf)
    for digits in range(1, 17):
        short = _significant(cut, digits)
        if below <= short < above:
            return short
    return cut
