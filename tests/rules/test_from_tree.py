"""The rules of a tree answer as it does."""

import numpy as np
import pytest

from miter import (
    BaggedTreesClassifier,
    LinearMachineTreeClassifier,
    NetworkTreeClassifier,
    UnivariateTreeClassifier,
    c45,
    export_text,
    id3,
)
from miter.data import play_tennis
from miter.rules import merge_rules, rules_of

LEARNERS = {
    "c45": c45(pruning=None),
    "id3": id3(missing="fractions"),
    "groups": UnivariateTreeClassifier(
        "gini", pruning=None, symbolic="groups", numeric="intervals"
    ),
    "costs": c45(
        pruning=None, costs={"x": {"y": 5, "z": 1}, "y": {"x": 1, "z": 2}, "z": {"x": 3, "y": 1}}
    ),
    "machines": LinearMachineTreeClassifier(pruning=None, random_state=0),
    "networks": NetworkTreeClassifier(pruning=None, max_depth=2, random_state=0),
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_rules_answer_as_the_tree(name, missing, drawn, random_points):
    data = drawn(1, missing=missing)
    tree = LEARNERS[name].fit(data).tree_
    rules = rules_of(tree)
    for X in (data.X, random_points(data)):
        assert np.array_equal(rules.predict(X), tree.predict(X))
        assert np.array_equal(rules.predict_proba(X), tree.predict_proba(X))
        assert np.allclose(rules.weights(X).sum(axis=1), 1)


@pytest.mark.parametrize("name", ["c45", "groups", "machines"])
def test_merged_rules_hold_for_the_same_rows(name, drawn, random_points):
    data = drawn(2)
    rules = rules_of(LEARNERS[name].fit(data))
    merged = merge_rules(rules)
    assert merged.n_conditions < rules.n_conditions or name == "machines"
    X = random_points(data)
    assert np.allclose(merged.weights(X), rules.weights(X))
    for before, after in zip(rules, merged, strict=True):
        assert np.array_equal(before.holds(X), after.holds(X))
        alone = [c.columns for c in after.conditions if len(c.columns) == 1]
        assert len(alone) == len(set(alone)) or name == "machines"


def test_support_and_confidence_are_those_of_the_training_rows(drawn):
    data = drawn(3, missing=0.0)
    for rule in rules_of(c45(pruning=None).fit(data)):
        holds = rule.holds(data.X)
        counts = np.bincount(data.labels[holds], minlength=3)
        assert rule.counts == tuple(counts)
        assert rule.support == holds.sum()
        if holds.any():
            assert rule.confidence == counts[rule.answer] / holds.sum()


def test_a_value_that_no_training_row_had_there_has_a_rule():
    rules = rules_of(id3().fit(play_tennis()))
    said = rules.say()
    assert str(rules).splitlines() == said
    assert "IF Outlook = Overcast THEN Yes (4 rows, 100%)" in said
    [stays] = [line for line in said if "Hot" in line]
    assert stays.endswith("AND Temp. in {Hot, Cold} THEN No (0 rows, 0%)")


def test_a_single_leaf_is_one_rule(drawn):
    rules = rules_of(c45(max_depth=0).fit(drawn(0)))
    assert len(rules) == 1
    assert rules.n_conditions == 0
    assert len(rules.silent_classes) == 2


def test_a_forest_has_many():
    forest = BaggedTreesClassifier(n_estimators=3, random_state=0).fit(play_tennis())
    with pytest.raises(ValueError, match=r"has 3 trees.*model.trees_\[0\]"):
        rules_of(forest)
    assert len(rules_of(forest.trees_[0])) > 1


def test_a_deep_tree():
    x = np.arange(1200.0)[:, None]
    model = id3().fit(x, np.arange(1200) % 2)
    assert len(rules_of(model)) == 1200


def test_classes_stand_in_quotes_as_in_a_tree():
    X = np.arange(20.0)[:, None]
    tree = id3().fit(X, ["not happy"] * 10 + ["happy"] * 10)
    assert rules_of(tree).say()[0].endswith(" THEN 'not happy' (10 rows, 100%)")
    assert export_text(tree).splitlines()[0].endswith(": 'not happy' (10)")
