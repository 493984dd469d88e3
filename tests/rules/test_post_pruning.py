"""Rules made general, chosen and ordered."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import beta

from miter import c45, id3
from miter.data import Column, Data, Schema, monks
from miter.rules import Rule, RuleSet, post_prune, rules_of
from miter.rules.post_pruning import _generalise, _Rows
from miter.splits import Condition, Threshold


def feared_rate(data, conditions, answer, confidence=0.25):
    holds = (
        np.all([c.holds(data.X) for c in conditions], axis=0)
        if conditions
        else np.ones(data.n_rows, bool)
    )
    n = data.weight_of()[holds].sum()
    e = data.weight_of()[holds & (data.labels != answer)].sum()
    return 1.0 if n == 0 else beta.ppf(1 - confidence, e + 1, n - e) if n > e else 1.0


def by_hand(data, rule):
    """Drop the condition that is feared the least, while no more errors are feared."""
    conditions = list(rule.conditions)
    while conditions:
        rates = [
            feared_rate(data, conditions[:k] + conditions[k + 1 :], rule.answer)
            for k in range(len(conditions))
        ]
        best = int(np.argmin(rates))
        if rates[best] > feared_rate(data, conditions, rule.answer) + 1e-12:
            break
        conditions.pop(best)
    return conditions


@pytest.mark.parametrize("weighted", [False, True])
def test_each_rule_is_made_general_as_c45_does(drawn, weighted):
    data = drawn(0, n_rows=150)
    if weighted:
        data = replace(data, weight=np.random.default_rng(0).uniform(0.2, 3, data.n_rows))
    rows = _Rows(data)
    for rule in rules_of(c45(pruning=None).fit(data)).rules:
        expected = by_hand(data, rule)
        found = _generalise(rule, rows, 0.25)
        holds = np.all([c.holds(data.X) for c in expected], axis=0) if expected else rows.everything
        assert np.array_equal(found.holds(data.X), holds)


def test_the_concept_of_the_first_monk_is_found():
    data = monks(1)
    said = post_prune(rules_of(id3().fit(data)), data).say()
    conditions = {line.split(" THEN ")[0] for line in said}
    assert conditions == {
        "IF a5 = 1",
        *(f"IF a1 = {v} AND a2 = {v}" for v in (1, 2, 3)),
        "ELSE 0 (216 rows, 100%)",
    }


def test_a_list_answers_by_its_first_rule(drawn, random_points):
    data = drawn(1)
    rules = post_prune(rules_of(c45(pruning=None).fit(data)), data)
    X = random_points(data)
    # A value that training never saw is as good as missing.
    X = X[~np.isnan(X).any(axis=1) & (X[:, 3] < 6) & (X[:, 4] < 3)]
    expected = np.full(len(X), rules.default.answer)
    for rule in reversed(rules.rules):
        expected[rule.holds(X)] = rule.answer
    assert np.array_equal(rules.predict(X), expected)
    assert np.array_equal(rules.predict_proba(X).argmax(axis=1), expected)


@pytest.mark.parametrize(("share", "expected"), [(0.0, [0.8, 0.2]), (0.25, [0.625, 0.375])])
def test_a_missing_value_fails_a_condition_or_passes_it_in_part(share, expected):
    schema = Schema((Column("x", "numeric"),), ("no", "yes"))
    rule = Rule((Condition(Threshold(0, (0.0,)), 1),), 1, (0.0, 9.0), (0.1, 0.9), (share,))
    rules = RuleSet(schema, (rule,), Rule((), 0, (9.0, 0.0), (0.8, 0.2)))
    X = np.array([[1.0], [-1.0], [np.nan]])
    assert rules.weights(X).tolist() == [[1, 0], [0, 1], [share, 1 - share]]
    assert rules.predict(X).tolist() == [1, 0, 0]
    assert rules.predict_proba(X)[2] == pytest.approx(expected)


def test_what_missing_values_mean_is_what_is_better_for_the_training_rows(drawn):
    by_chance = drawn(2, n_rows=600)
    random = np.random.default_rng(0)
    x = random.normal(size=2000)
    y = x > -1
    X = np.where(~y & (random.random(2000) < 0.9), np.nan, x)[:, None]
    telling = Data(c45().fit(X, y).schema_, X, y.astype(np.int32))
    for data, is_shared in ((by_chance, True), (telling, False)):
        rules = post_prune(rules_of(c45(pruning=None).fit(data)), data)
        assert any(any(rule.shares) for rule in rules) == is_shared


def test_rules_are_ordered_by_class_and_few(drawn):
    data = drawn(2, n_rows=600)
    tree = c45(pruning=None).fit(data)
    rules = post_prune(rules_of(tree), data)
    classes = [rule.answer for rule in rules]
    runs = 1 + sum(a != b for a, b in pairwise(classes))
    assert runs == len(set(classes))
    assert rules.n_conditions < rules_of(tree).n_conditions / 4
    right = np.mean(rules.predict(data.X) == data.labels)
    other = drawn(3, n_rows=2000)
    on_other = [np.mean(r.predict(other.X) == other.labels) for r in (rules, rules_of(tree))]
    assert on_other[0] > on_other[1] - 0.02
    assert right > 0.6


def test_costs_change_the_rules():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 2))
    y = (X[:, 0] + random.normal(0, 1, 400) > 0.7).astype(int)
    plain = id3(min_samples_leaf=10).fit(X, y)
    schema = plain.schema_
    data = Data(schema, X, y.astype(np.int32))
    dear = replace(data, costs=np.where(y[:, None] == [0, 1], 0, np.where(y, 1.8, 0.2)[:, None]))
    tree = id3(min_samples_leaf=10, costs=[[0, 9], [1, 0]]).fit(X, y)
    missed = [
        np.mean(post_prune(rules_of(t), rows).predict(X)[y == 1] == 0)
        for t, rows in ((plain, data), (tree, dear))
    ]
    assert missed[1] < missed[0] / 2


def test_of_very_many_rows_some_are_drawn(monkeypatch, drawn):
    monkeypatch.setattr("miter.rules.post_pruning.MOST_ROWS", 500)
    data = drawn(4, n_rows=3000)
    rules = post_prune(rules_of(c45(pruning=None, min_samples_leaf=20).fit(data)), data)
    assert sum(rules.default.counts) < 500
    assert np.mean(rules.predict(data.X) == data.labels) > 0.6


@pytest.mark.parametrize("confidence", [0, 1, 2, "low"])
def test_senseless_confidence(confidence, drawn):
    data = drawn(0)
    with pytest.raises(ValueError, match="confidence is"):
        post_prune(rules_of(c45().fit(data)), data, confidence)
