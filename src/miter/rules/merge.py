"""Conditions on one column, made one: intervals of numbers, sets of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from miter.rules.rule import Rule, RuleSet
from miter.splits import SHARE, Category, Condition, Threshold

__all__ = ["merge_conditions", "merge_rules"]

#: Where a missing value goes: not here, here, or here in part.
OUT, IN = 0, 1


def merge_rules(rules: RuleSet) -> RuleSet:
    """Return rules in which each column that is tested alone is tested once.

    They hold for the same rows: `x > 1`, `x > 2` and `x <= 5` become `2 < x <= 5`; `s in {a, b}`
    and `s in {b, c}` become `s = b`.

    Examples
    --------
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.rules import merge_rules, rules_of
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = UnivariateTreeClassifier(max_depth=3, pruning=None).fit(X, y)
    >>> rules = rules_of(tree)
    >>> merged = merge_rules(rules)
    >>> rules.n_conditions > merged.n_conditions
    True
    """
    default = rules.default
    return replace(rules, rules=tuple(map(_merged, rules.rules)), default=default)


def _merged(rule: Rule) -> Rule:
    conditions, shares = merge_conditions(rule.conditions, rule.shares)
    return replace(rule, conditions=conditions, shares=shares)


def merge_conditions(
    conditions: Sequence[Condition], shares: Sequence[float]
) -> tuple[tuple[Condition, ...], tuple[float, ...]]:
    """Return conditions that hold for the same rows, one a column; in the order of the first."""
    groups: dict[object, list[tuple[Condition, float]]] = {}
    for place, (condition, share) in enumerate(zip(conditions, shares, strict=True)):
        split = condition.split
        alone = isinstance(split, Threshold | Category)
        # Only tests of one column can be merged, and those of a kind.
        key = (type(split), split.columns) if alone else (condition, place)
        groups.setdefault(key, []).append((condition, share))
    merged = [_merge(group) for group in groups.values()]
    return tuple(condition for condition, _ in merged), tuple(share for _, share in merged)


def _merge(group: list[tuple[Condition, float]]) -> tuple[Condition, float]:
    if len(group) == 1:
        return group[0]
    first = group[0][0].split
    missing, share = _missing(group)
    if isinstance(first, Threshold):
        cuts, branch = _interval([condition for condition, _ in group])
        if cuts:
            where = _where(missing, branch, len(cuts) + 1)
            return Condition(Threshold(first.column, cuts, where), branch), share
    if isinstance(first, Category):
        n_values = len(first.branches)
        inside = [all(_allows(c, value) for c, _ in group) for value in range(n_values)]
        branches = tuple(0 if allowed else 1 for allowed in inside)
        if 1 in branches:
            split = Category(first.column, branches, _where(missing, 0, 2))
            return Condition(split, 0), share
    raise AssertionError("tests of one column exclude something")


def _allows(condition: Condition, value: int) -> bool:
    assert isinstance(condition.split, Category)
    branch = condition.split.branches[value]
    return branch == condition.branch or (branch < 0 and condition.branch < SHARE)


def _interval(conditions: Sequence[Condition]) -> tuple[tuple[float, ...], int]:
    """Return the cuts around the numbers that all conditions allow, and the branch between them."""
    low, high = -inf, inf
    for condition in conditions:
        assert isinstance(condition.split, Threshold)
        cuts, branch = condition.split.cuts, condition.branch
        low = max(low, cuts[branch - 1] if branch > 0 else -inf)
        high = min(high, cuts[branch] if branch < len(cuts) else inf)
    if high == inf:
        return (low,), 1
    if low == -inf:
        return (high,), 0
    # Where nothing is left, no number is between the same cut.
    return (low, max(low, high)), 1


def _missing(group: list[tuple[Condition, float]]) -> tuple[int, float]:
    """Return where a missing value goes, and for what part all conditions are taken to hold."""
    goes, share = IN, 1.0
    for condition, own in group:
        missing = condition.split.missing  # type: ignore[attr-defined]
        if missing == SHARE:
            goes, share = (SHARE if goes == IN else goes), share * own
        elif missing != condition.branch:
            goes = OUT
    return goes, 0.0 if goes == OUT else share


def _where(goes: int, branch: int, n_branches: int) -> int:
    if goes == OUT:
        return (branch + 1) % n_branches
    return branch if goes == IN else SHARE
