"""Rules as a model file has them: plain values, each looked at before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from miter import core
from miter.data.schema import Schema
from miter.rules.rule import Rule, RuleSet
from miter.splits import (
    STAY,
    Category,
    Condition,
    Linear,
    Machine,
    Network,
    PackedSplits,
    Split,
    Threshold,
)

__all__ = ["StoredRules", "restored", "stored"]


@dataclass(frozen=True)
class StoredCondition:
    """A condition whose split is one of the kinds there are."""

    split: Threshold | Category | Linear | Machine | Network
    branch: int


@dataclass(frozen=True)
class StoredRule:
    """A `Rule`, field by field."""

    conditions: tuple[StoredCondition, ...]
    answer: int
    counts: tuple[float, ...]
    probabilities: tuple[float, ...]
    shares: tuple[float, ...]
    worth: tuple[float, ...]


@dataclass(frozen=True)
class StoredRules:
    """A `RuleSet` without its schema, which the file has already."""

    rules: tuple[StoredRule, ...]
    default: StoredRule | None


def stored(rules: RuleSet) -> StoredRules:
    """Return rules as a file has them."""
    default = None if rules.default is None else _stored(rules.default)
    return StoredRules(tuple(map(_stored, rules.rules)), default)


def restored(value: StoredRules, schema: Schema) -> RuleSet:
    """Return the rules that a file has, or raise a `ValueError` that says what cannot be."""
    rules = tuple(_restored(rule, schema, f"rule {n + 1}") for n, rule in enumerate(value.rules))
    default = None if value.default is None else _restored(value.default, schema, "the default")
    if not rules and default is None:
        raise ValueError("there are no rules, and no default")
    if default is not None and default.conditions:
        raise ValueError("the default has conditions")
    _check_splits([c.split for rule in rules for c in rule.conditions], schema)
    return RuleSet(schema, rules, default)


def _stored(rule: Rule) -> StoredRule:
    # What a kind of split is, `StoredCondition` says for readers; any will be written.
    conditions = tuple(StoredCondition(c.split, c.branch) for c in rule.conditions)  # type: ignore[arg-type]
    numbers = rule.counts, rule.probabilities, rule.shares, rule.worth
    return StoredRule(conditions, rule.answer, *numbers)


def _restored(rule: StoredRule, schema: Schema, place: str) -> Rule:
    lengths = {len(rule.counts), len(rule.probabilities), len(rule.worth)}
    if lengths != {schema.n_classes}:
        raise ValueError(f"{place} needs {schema.n_classes} numbers, one for each class")
    if not 0 <= rule.answer < schema.n_classes:
        raise ValueError(f"{place} answers a class that there is not")
    if len(rule.shares) != len(rule.conditions):
        raise ValueError(f"{place} needs a share for each condition")
    if min(*rule.counts, *rule.probabilities, *rule.shares) < 0 or max((*rule.shares, 0.0)) > 1:
        raise ValueError(f"{place} has counts below 0, or shares that are not between 0 and 1")
    for condition in rule.conditions:
        if (
            not STAY <= condition.branch < condition.split.n_branches
            or condition.branch == STAY + 1
        ):
            raise ValueError(f"{place} names a branch that there is not")
    conditions = tuple(Condition(c.split, c.branch) for c in rule.conditions)
    return Rule(conditions, rule.answer, rule.counts, rule.probabilities, rule.shares, rule.worth)


def _check_splits(splits: Sequence[Split], schema: Schema) -> None:
    """Complain of splits that the native core would not take, or that name what there is not."""
    if not splits:
        return
    packed = PackedSplits.of(splits)
    core.Splits(*packed.arrays, packed.n_branches, schema.n_values)
    for place, split in enumerate(splits):
        # Rows of weights that differ in length can have the right number of weights.
        if packed[place] != split:
            raise ValueError("terms and weights of a condition differ in number")
        if isinstance(split, Machine) and max(split.classes) >= schema.n_classes:
            raise ValueError("a condition names a class that there is not")
        column = schema.columns[split.columns[0]] if split.columns else None
        if isinstance(split, Threshold) and column is not None and column.kind == "ordered":
            cuts = np.trunc(split.cuts)
            if (cuts < 0).any() or (cuts >= len(column.values)).any():
                raise ValueError(f"a condition cuts column {column.name!r} at no value of its own")
