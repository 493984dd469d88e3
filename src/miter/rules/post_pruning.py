"""Rule post-pruning: each rule on its own, then the rules of each class, then their order.

Quinlan 1993, *C4.5: programs for machine learning*, chapter 5; *Lecture 3: Decision Tree Learning*
(2D5362), 'Rule Post-Pruning'.

1. Of each rule the condition goes whose loss is feared the least, while no more errors are feared
   without it (`miter.prune.confidence`).
2. Of each class the rules stay that tell its rows in the fewest bits: half the bits of the rules,
   and those of the rows that they wrongly take or leave out.
3. The class whose rules take the fewest rows of others comes first, and so on.
4. The default is the best answer to the rows that no rule takes; rules that no training row would
   miss go.

Differs from C4.5: the limit is exact, and subsets of rules are searched by adding and taking away
one at a time, from all and from none, without annealing; a condition takes as many bits as it takes
to name it among those of the tree. A rule answers what is best for the rows that come to it. A
missing value fails a condition, or passes it for the part of the rows that do, as is better for the
training rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from miter.checks import check_number
from miter.data.table import Data
from miter.prune.confidence import feared_errors
from miter.prune.description import bits_of_choice
from miter.rules.merge import merge_conditions
from miter.rules.rule import Rule, RuleSet
from miter.splits import SHARE, Condition, Split

__all__ = ["post_prune"]

#: Of more rows so many are drawn: they tell what rules are worth.
MOST_ROWS = 50_000
#: Routes of rows that are remembered, in bytes.
MEMORY = 2**27
#: What a bit of a rule counts beside one of the rows: rules say the same in several ways.
RULE_BITS = 0.5


def post_prune(rules: RuleSet, data: Data, confidence: float = 0.25) -> RuleSet:
    """Return a short list of short rules made from those of a tree, ordered by class.

    Parameters
    ----------
    rules : RuleSet
        As `rules_of` gives them.
    data : Data
        Rows with labels: those that the tree was grown on. Where they have costs, these count in
        place of errors.
    confidence : float
        A smaller one makes rules more general.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter import id3
    >>> from miter.rules import post_prune, rules_of
    >>> data = monks(1)
    >>> for line in post_prune(rules_of(id3().fit(data)), data).say():
    ...     print(line)
    IF a5 = 1 THEN 1 (108 rows, 100%)
    IF a1 = 1 AND a2 = 1 THEN 1 (48 rows, 100%)
    IF a1 = 2 AND a2 = 2 THEN 1 (48 rows, 100%)
    IF a1 = 3 AND a2 = 3 THEN 1 (48 rows, 100%)
    ELSE 0 (216 rows, 100%)
    """
    check_number("confidence", confidence, above=0, below=1)
    rows = _Rows(data)
    general = _without_repetitions(_generalise(rule, rows, confidence) for rule in rules)
    trivial = {
        code: rows.feared_rate(rows.everything, code, confidence)
        for code in range(data.schema.n_classes)
    }
    good = [
        rule
        for rule in general
        if rule.conditions
        and rows.feared_rate(rows.holds(rule), rule.answer, confidence) < trivial[rule.answer]
    ]
    n_known = len({condition for rule in rules for condition in rule.conditions})
    chosen = {code: _choose(good, code, n_known, rows) for code in {rule.answer for rule in good}}
    ordered = _without_idle(_order(chosen, rows), rows)
    made = _as_list(rules, ordered, rows)
    return made if not rows.has_missing else min((made, _sharing(made, rows)), key=rows.cost_of)


class _Rows:
    """The training rows, and what conditions say of them."""

    def __init__(self, data: Data) -> None:
        if data.n_rows > MOST_ROWS:
            data = data.take(np.random.default_rng(0).choice(data.n_rows, MOST_ROWS, replace=False))
        self.schema, self.X, self.labels = data.schema, data.X, data.labels
        self.weight = data.weight_of()
        #: What each class costs as the answer to each row, rows x classes.
        self.loss = self.weight[:, None] * (
            np.arange(data.schema.n_classes) != data.labels[:, None]
            if data.costs is None
            else data.costs
        )
        self.everything = np.ones(data.n_rows, bool)
        self.has_missing = bool(np.isnan(data.X).any())
        self._routes: dict[Split, NDArray[Any]] = {}

    def route(self, split: Split) -> NDArray[Any]:
        """Return where rows go; what was asked last is remembered."""
        if split not in self._routes:
            if len(self._routes) * len(self.X) > MEMORY:
                self._routes.clear()
            small = np.int8 if split.n_branches < 127 else np.int32
            self._routes[split] = split.route(self.X).astype(small)
        return self._routes[split]

    def is_met(self, condition: Condition) -> NDArray[np.bool_]:
        """Tell for which rows a condition holds."""
        result: NDArray[np.bool_] = self.route(condition.split) == condition.branch
        return result

    def holds(self, rule: Rule) -> NDArray[np.bool_]:
        """Tell which rows a rule applies to."""
        result = self.everything.copy()
        for condition in rule.conditions:
            result &= self.is_met(condition)
        return result

    def feared_rate(self, rows: NDArray[np.bool_], answer: int, confidence: float) -> float:
        """Return the part of some rows for which an answer is feared to be wrong."""
        weight = float(self.weight[rows].sum())
        if weight <= 0:
            return 1.0
        errors = float(self.loss[rows, answer].sum())
        return float(feared_errors(errors, weight, confidence)) / weight

    def share(self, condition: Condition) -> float:
        """Return the part of the rows whose value is known for which a condition holds."""
        route = self.route(condition.split)
        known = float(self.weight[route != SHARE].sum())
        return float(self.weight[route == condition.branch].sum()) / known if known else 0.0

    def cost_of(self, rules: RuleSet) -> float:
        """Return what the answers of rules cost."""
        return float(self.loss[np.arange(len(self.X)), rules.predict(self.X)].sum())

    def counts(self, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the weight of each class among some rows."""
        n_classes = self.schema.n_classes
        return np.bincount(self.labels[rows], self.weight[rows], n_classes).astype(float)


def _generalise(rule: Rule, rows: _Rows, confidence: float) -> Rule:
    """Return a rule without the conditions that it does better without."""
    conditions = list(rule.conditions)
    fails = [~rows.is_met(condition) for condition in conditions]
    n_fails = np.sum(fails, axis=0, dtype=np.int32) if fails else np.zeros(len(rows.X), np.int32)
    while conditions:
        is_in = np.flatnonzero(n_fails == 0)
        # Without a condition the rule also applies to the rows that fail it alone.
        near = np.flatnonzero(n_fails == 1)
        joins = np.array([fail[near] for fail in fails])
        weight = rows.weight[is_in].sum() + np.array([0.0, *(joins @ rows.weight[near])])
        loss = rows.loss[:, rule.answer]
        errors = loss[is_in].sum() + np.array([0.0, *(joins @ loss[near])])
        rate = np.ones(len(weight))
        some = weight > 0
        rate[some] = feared_errors(errors[some], weight[some], confidence) / weight[some]
        worst = int(rate[1:].argmin())
        if rate[1 + worst] > rate[0] + 1e-12:
            break
        n_fails -= fails.pop(worst)
        conditions.pop(worst)
    merged, shares = merge_conditions(conditions, [0.0] * len(conditions))
    return replace(rule, conditions=merged, shares=shares)


def _without_repetitions(rules: Any) -> list[Rule]:
    unique: dict[tuple[frozenset[Condition], int], Rule] = {}
    for rule in rules:
        unique.setdefault((frozenset(rule.conditions), rule.answer), rule)
    return list(unique.values())


def _choose(rules: Sequence[Rule], answer: int, n_known: int, rows: _Rows) -> list[Rule]:
    """Return the rules of a class that tell its rows in the fewest bits."""
    own = [rule for rule in rules if rule.answer == answer]
    covers = np.array([rows.holds(rule) for rule in own])
    search = _Subsets(own, covers, n_known, rows)
    best = min(
        (search.improve(np.full(len(own), start)) for start in (True, False)), key=search.bits
    )
    return [rule for rule, stays in zip(own, best, strict=True) if stays]


class _Subsets:
    """Subsets of the rules of a class, and what they take to tell its rows."""

    def __init__(
        self, rules: Sequence[Rule], covers: NDArray[np.bool_], n_known: int, rows: _Rows
    ) -> None:
        self.covers = covers
        self.cover_weights = csr_matrix(covers, dtype=float)
        # Its conditions are some of those that the tree has.
        self.rule_bits = bits_of_choice(n_known, [len(rule.conditions) for rule in rules])
        answer = rules[0].answer
        of_class = rows.labels == answer
        least = np.delete(rows.loss, answer, axis=1).min(axis=1) if rows.loss.shape[1] > 1 else 0
        #: Of each row: its weight, what it costs to take it wrongly, and to leave it out wrongly.
        self.amounts = np.column_stack(
            [
                rows.weight,
                np.where(of_class, 0.0, rows.loss[:, answer]),
                np.where(of_class, least, 0.0),
            ]
        )

    def improve(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Add or take away one rule at a time while that saves bits."""
        while True:
            n_covering = self.covers[chosen].sum(axis=0)
            # What a rule adds where no other covers, or takes away where it is the only one.
            added = self.cover_weights @ np.where(n_covering[:, None] == 0, self.amounts, 0.0)
            lost = self.cover_weights @ np.where(n_covering[:, None] == 1, self.amounts, 0.0)
            change = np.where(chosen[:, None], -lost, added)
            now = np.where(n_covering > 0, 1.0, 0.0) @ self.amounts
            bits = self._bits_of(now + change, np.where(chosen, -1, 1), chosen)
            best = int(bits.argmin())
            if bits[best] >= self.bits(chosen) - 1e-9:
                return chosen
            chosen = chosen.copy()
            chosen[best] = not chosen[best]

    def bits(self, chosen: NDArray[np.bool_]) -> float:
        """Return what some of the rules take, and the rows that they are wrong about."""
        now = self.covers[chosen].any(axis=0) @ self.amounts
        none = np.zeros(1, bool)
        return float(self._bits_of(now[None], np.zeros(1), chosen, none)[0])

    def _bits_of(
        self,
        covered: NDArray[np.float64],
        change: NDArray[Any],
        chosen: NDArray[np.bool_],
        which: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.float64]:
        total = self.amounts.sum(axis=0)
        inside, wrongly_in, found = covered.T
        inside = np.clip(inside, 0.0, total[0])
        wrongly_in = np.clip(wrongly_in, 0.0, inside)
        outside = total[0] - inside
        wrongly_out = np.clip(total[2] - found, 0.0, outside)
        own = self.rule_bits if which is None else np.zeros(1)
        n_rules = np.maximum(chosen.sum() + change, 0)
        theory = self.rule_bits[chosen].sum() + change * own
        theory = theory - np.array([lgamma(n + 1) for n in n_rules]) / log(2)
        rows = bits_of_choice(inside, wrongly_in) + bits_of_choice(outside, wrongly_out)
        result: NDArray[np.float64] = RULE_BITS * np.maximum(theory, 0.0) + rows
        return result


def _order(chosen: dict[int, list[Rule]], rows: _Rows) -> list[Rule]:
    """Return the rules, those of the class first that take the least of others from the rest."""
    left = {code: rules for code, rules in chosen.items() if rules}
    is_free = rows.everything.copy()
    ordered: list[Rule] = []
    while left:
        covered = {
            code: np.any([rows.holds(rule) for rule in rules], axis=0) & is_free
            for code, rules in left.items()
        }
        wrong = {code: float(rows.loss[own, code].sum()) for code, own in covered.items()}
        best = min(left, key=lambda code: (round(wrong[code], 9), code))
        ordered += sorted(left.pop(best), key=lambda rule: -rows.weight[rows.holds(rule)].sum())
        is_free &= ~covered[best]
    return ordered


def _without_idle(rules: list[Rule], rows: _Rows) -> list[Rule]:
    """Return the rules without those of which, one by one, no training row is the worse off."""
    covers = [rows.holds(rule) for rule in rules]
    while rules:
        default = _best_answer(rows, ~np.any(covers, axis=0), rows.everything)
        # The first rule and the next that apply to each row; at the end is the default.
        table = np.array([*covers, rows.everything])
        first = table.argmax(axis=0)
        table[first, np.arange(len(first))] = False
        table[-1] = True
        second = table.argmax(axis=0)
        answers = np.array([*(rule.answer for rule in rules), default])
        row = np.arange(len(first))
        worse = rows.loss[row, answers[second]] - rows.loss[row, answers[first]]
        added = np.bincount(first, worse, minlength=len(rules) + 1)[: len(rules)]
        idle = int(added.argmin())
        if added[idle] > 1e-9:
            break
        rules = [rule for place, rule in enumerate(rules) if place != idle]
        covers.pop(idle)
    return rules


def _best_answer(rows: _Rows, some: NDArray[np.bool_], otherwise: NDArray[np.bool_]) -> int:
    chosen = some if some.any() else otherwise
    return int(rows.loss[chosen].sum(axis=0).argmin())


def _as_list(rules: RuleSet, ordered: Sequence[Rule], rows: _Rows) -> RuleSet:
    """Return the list, each rule with the answer that is best for the rows that come to it."""
    is_free = rows.everything.copy()
    done = []
    for rule in ordered:
        covered = rows.holds(rule)
        reached = covered & is_free
        if reached.any():
            done.append(
                _answering(replace(rule, counts=_tuple(rows.counts(covered))), rows, reached)
            )
            is_free &= ~covered
    rest = is_free if is_free.any() else rows.everything
    nothing = Rule((), 0, _tuple(rows.counts(is_free)), (1.0,))
    return RuleSet(rules.schema, tuple(done), _answering(nothing, rows, rest))


def _sharing(rules: RuleSet, rows: _Rows) -> RuleSet:
    """Return the list in which a row with a missing value passes conditions in part."""
    shared = (
        replace(rule, shares=tuple(rows.share(condition) for condition in rule.conditions))
        for rule in rules
    )
    return replace(rules, rules=tuple(shared))


def _answering(rule: Rule, rows: _Rows, reached: NDArray[np.bool_]) -> Rule:
    """Return a rule with what is said of the rows that come to it: one row more, of any class."""
    counts = rows.counts(reached)
    share = (counts + 1.0 / len(counts)) / (counts.sum() + 1.0)
    loss = rows.loss[reached].sum(axis=0) / rows.weight[reached].sum()
    has_costs = not np.allclose(loss, 1.0 - counts / counts.sum())
    worth = -loss if has_costs else share
    numbers = _tuple(share), _tuple(worth)
    return replace(rule, answer=int(worth.argmax()), probabilities=numbers[0], worth=numbers[1])


def _tuple(numbers: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(numbers.tolist())
