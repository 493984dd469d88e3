"""A linear machine as rules: for each class the inequalities that it must win.

Utgoff and Brodley 1991, *Linear machine decision trees*, section 4: 'if g0(x) > g1(x) and
g0(x) > g2(x) then x belongs to class 0. Standard arithmetic transformations may allow further
simplification of such a rule.'

Two simplifications change no decision within the node's region and the ranges of the rows, which a
linear program proves: an inequality that follows from others goes, and so does a class that cannot
win. A third changes none about the rows: terms without which all of them go the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.labels import label_text
from miter.data.schema import Schema
from miter.rules.region import Form, Region, difference
from miter.rules.rule import Rule, RuleSet
from miter.splits import Condition, Machine
from miter.splits.names import say_name

__all__ = ["ClassRule", "MachineRules", "expand_machines", "fewer_terms", "machine_rules"]

#: An inequality goes only if it holds by more than this part of its largest number: rounding must
#: not decide, nor a tie.
MARGIN = 1e-7


@dataclass(frozen=True)
class ClassRule:
    """What makes a class win.

    Parameters
    ----------
    branch : int
        The discriminant that wins.
    conditions : tuple of Condition
        The inequalities that are needed, each a hyperplane.
    against : tuple of int
        The discriminant that each of them is about.
    implied : tuple of (int, float)
        The discriminants that are beaten where these hold, and by how much at least, in parts of
        the largest weight: what the linear program proves.
    """

    branch: int
    conditions: tuple[Condition, ...]
    against: tuple[int, ...]
    implied: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class MachineRules:
    """A machine, class by class.

    Parameters
    ----------
    machine : Machine
        Without the terms that were dropped.
    rules : tuple of ClassRule
        Of the classes that can win.
    cannot_win : tuple of (int, float)
        Discriminants that always lose, and by how much at least.
    dropped : tuple of int
        Columns whose terms were dropped.
    n_rows : int
        So many rows go the same way without them.
    """

    machine: Machine
    rules: tuple[ClassRule, ...]
    cannot_win: tuple[tuple[int, float], ...] = ()
    dropped: tuple[int, ...] = ()
    n_rows: int = 0

    @property
    def n_inequalities(self) -> int:
        """How many are left."""
        return sum(len(rule.conditions) for rule in self.rules)

    def say(self, schema: Schema) -> list[str]:
        """Say the rule of each class, then what was simplified and what that kept."""
        classes = [label_text(schema.classes[code]) for code in self.machine.classes]
        return [*self._say_rules(schema, classes), *self.say_changes(schema)]

    def _say_rules(self, schema: Schema, classes: list[str]) -> list[str]:
        return [
            f"IF {' AND '.join(c.say(schema) for c in rule.conditions)} THEN {classes[rule.branch]}"
            if rule.conditions
            else classes[rule.branch]
            for rule in self.rules
        ]

    def say_changes(self, schema: Schema) -> list[str]:
        """Say what was simplified and what that kept."""
        classes = [label_text(schema.classes[code]) for code in self.machine.classes]
        n = len(classes)
        lines = [
            f"Kept {self.n_inequalities} of {n * (n - 1)} inequalities: every decision within the "
            "ranges of the rows stays."
        ]
        for branch, _ in self.cannot_win:
            lines.append(f"{classes[branch]} cannot win there.")
        if self.dropped:
            names = ", ".join(say_name(schema.columns[column].name) for column in self.dropped)
            lines.append(f"Without {names} all {self.n_rows} rows go the same way.")
        return lines


def machine_rules(
    machine: Machine,
    X: NDArray[Any],
    schema: Schema,
    above: Sequence[Condition] = (),
    *,
    drop_terms: bool = False,
) -> MachineRules:
    """Return for each class of a machine the inequalities that it must win, as few as there can be.

    Parameters
    ----------
    machine : Machine
        What decides.
    X : ndarray of shape (n_rows, n_columns)
        Rows whose ranges count, coded as the schema says.
    schema : Schema
        What the columns are.
    above : sequence of Condition
        What holds on the way to the machine: it decides nothing elsewhere.
    drop_terms : bool
        Whether to drop terms first, while every row that comes to the machine goes the same way.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import Column, Schema
    >>> from miter.rules import machine_rules
    >>> from miter.splits import Machine, Term
    >>> schema = Schema((Column("x", "numeric"),), ("low", "middle", "high"))
    >>> machine = Machine((0.0, -1.0, -4.0), (Term.number(0, 0.0, 1.0, 2.0),), (0, 1, 2))
    >>> rules = machine_rules(machine, np.array([[0.0], [9.0]]), schema)
    >>> [len(rule.conditions) for rule in rules.rules]  # x <= 1; 1 < x and x <= 3; x > 3
    [1, 2, 1]
    >>> rules.say(schema)[-1]
    'Kept 4 of 6 inequalities: every decision within the ranges of the rows stays.'
    """
    here = np.ones(len(X), bool)
    for condition in above:
        here[here] = condition.holds(X[here])
    dropped: tuple[int, ...] = ()
    if drop_terms:
        machine, dropped = fewer_terms(machine, X[here])
    region = Region.of(schema, X, [machine, *(condition.split for condition in above)])
    for condition in above:
        region = region.within(condition)
    forms = [region.form(machine.terms, k, c) for k, c in enumerate(machine.constants)]
    rules, cannot_win = [], []
    for branch in range(machine.n_branches):
        leads = {k: forms[branch].minus(f).scaled for k, f in enumerate(forms) if k != branch}
        most = region.largest_of_least(list(leads.values()))
        if most < -MARGIN:
            cannot_win.append((branch, -most))
        else:
            rules.append(_needed(machine, branch, leads, region))
    return MachineRules(machine, tuple(rules), tuple(cannot_win), dropped, int(here.sum()))


def _needed(machine: Machine, branch: int, leads: dict[int, Form], region: Region) -> ClassRule:
    """Return the rule of a class without the inequalities that follow from its others."""
    kept, implied = dict(leads), []
    # Those that hold by most anyway go first.
    order = sorted(leads, key=lambda k: -region.least(leads[k]))
    for k in order:
        others = [form for other, form in kept.items() if other != k]
        least = region.least(leads[k], others)
        if least > MARGIN:
            del kept[k]
            implied.append((k, least))
    conditions = tuple(difference(machine, branch, k) for k in kept)
    return ClassRule(branch, conditions, tuple(kept), tuple(implied))


def fewer_terms(machine: Machine, X: NDArray[Any]) -> tuple[Machine, tuple[int, ...]]:
    """Return a machine with as few terms as it takes to send every row the same way.

    What a dropped term adds in the mean is added to the constants.

    Returns
    -------
    machine : Machine
        With fewer terms; one at least stays.
    dropped : tuple of int
        The columns of those that went.
    """
    routes, dropped = machine.route(X), []
    while len(machine.terms) > 1:
        added = [term.of(X) for term in machine.terms]
        # The spread of what a term adds to differences of discriminants.
        spread = [
            float(np.ptp(a - a.mean(axis=1, keepdims=True), axis=0).max(initial=0.0)) for a in added
        ]
        for place in np.argsort(spread, kind="stable").tolist():
            fewer = _without(machine, place, added[place])
            if np.array_equal(fewer.route(X), routes):
                dropped.append(machine.terms[place].column)
                machine = fewer
                break
        else:
            break
    return machine, tuple(dropped)


def _without(machine: Machine, place: int, added: NDArray[np.float64]) -> Machine:
    mean = added.mean(axis=0) if len(added) else np.zeros(machine.n_branches)
    terms = tuple(term for k, term in enumerate(machine.terms) if k != place)
    return replace(
        machine, constants=tuple((np.array(machine.constants) + mean).tolist()), terms=terms
    )


def expand_machines(
    rules: RuleSet, X: NDArray[Any], *, drop_terms: bool = False
) -> tuple[RuleSet, list[MachineRules]]:
    """Return rules that say inequalities where they said a machine, and how each was simplified.

    Rules of classes that cannot win are left out. They hold for the same rows within the ranges of
    those given, up to rounding where two discriminants are all but equal.

    Parameters
    ----------
    rules : RuleSet
        Of a tree.
    X : ndarray of shape (n_rows, n_columns)
        Rows whose ranges count.
    drop_terms : bool
        As for `machine_rules`.
    """
    known: dict[tuple[Condition, ...], dict[Machine, MachineRules]] = {}
    expanded = []
    for rule in rules.rules:
        conditions, shares = [], []
        for place, (condition, share) in enumerate(zip(rule.conditions, rule.shares, strict=True)):
            if not isinstance(condition.split, Machine):
                conditions.append(condition)
                shares.append(share)
                continue
            above, machine = rule.conditions[:place], condition.split
            here = known.setdefault(above, {})
            if machine not in here:
                here[machine] = machine_rules(
                    machine, X, rules.schema, above, drop_terms=drop_terms
                )
            own = [r for r in here[machine].rules if r.branch == condition.branch]
            if not own:
                break
            conditions += own[0].conditions
            shares += [0.0] * len(own[0].conditions)
        else:
            expanded.append(_with(rule, conditions, shares))
    simplified = [one for here in known.values() for one in here.values()]
    return replace(rules, rules=tuple(expanded)), simplified


def _with(rule: Rule, conditions: list[Condition], shares: list[float]) -> Rule:
    return replace(rule, conditions=tuple(conditions), shares=tuple(shares))
