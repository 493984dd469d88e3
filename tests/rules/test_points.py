import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from miter import (
    BaggedTreesClassifier,
    LinearCombinationTreeClassifier,
    LinearMachineTreeClassifier,
    c45,
    points,
)
from miter.data import Column, Schema
from miter.rules.points_rows import PointsRow, candidate_rows, round_unit
from miter.splits import Machine, PackedSplits, Term
from miter.tree import Tree


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    labels = np.array(["a", "b", "c"])[y]
    model = LinearMachineTreeClassifier(pruning=None, max_depth=1, random_state=0).fit(X, labels)
    return model, X, labels, points(model, X, max_rows=4)


def test_few_whole_points_that_decide_alike(wine):
    model, X, labels, table = wine
    assert len(table.rows) == 4
    assert table.points.shape == (4, 3)
    assert table.points.dtype == np.int64
    assert np.abs(table.points).max() <= 9
    machine = model.tree_.splits[0]
    decided = model.classes_[np.array(machine.classes)[machine.route(X.to_numpy())]]
    assert table.agreement == np.mean(table.predict(X) == decided) > 0.9
    assert np.mean(table.predict(X) == labels) > 0.9


def test_totals_are_what_a_person_adds_up(wine):
    _, X, _, table = wine
    by_hand = np.array(table.start, float)
    for row, own in zip(table.rows, table.points, strict=True):
        by_hand += row.amounts(X.to_numpy()[:1])[0] * own
    assert table.totals(X)[0] == pytest.approx(by_hand)


def test_probabilities_follow_totals(wine):
    _, X, labels, table = wine
    shares = table.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(X)))
    totals = table.totals(X)
    ratio = np.log(shares[0, 0] / shares[0, 1]) / np.log(table.odds)
    assert ratio == pytest.approx(totals[0, 0] - totals[0, 1])
    told = points(wine[0], X, labels, max_rows=4)
    assert told.odds > 1


def test_all_forms(wine):
    _, _, _, table = wine
    text, markdown = table.to_text().splitlines(), table.to_markdown().splitlines()
    assert text[0].split() == ["a", "b", "c"]
    assert text[1].startswith("start")
    assert len(markdown) == 6 + 5
    assert markdown[1] == "| --- | ---: | ---: | ---: |"
    frame = table.to_frame()
    assert frame.shape == (5, 4)
    assert frame["a"].tolist() == [table.start[0], *table.points[:, 0]]
    plain = json.loads(table.to_json())
    assert [row["points"] for row in plain["rows"]] == table.points.tolist()
    n_alike = round(table.agreement * 178)
    assert f"as the machine does for {n_alike} of 178 rows" in str(table)


def test_the_same_twice(wine):
    model, X, _, table = wine
    assert points(model, X, max_rows=4).to_dict() == table.to_dict()


def test_symbols_missing_values_and_a_linear_combination():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"vote for": random.choice(["y", "n"], 120), "age": random.normal(2015, 3, 120)}
    )
    labels = np.where((frame["vote for"] == "y") ^ (frame["age"] > 2017), "in", "out")
    frame.loc[::10, "age"] = np.nan
    model = LinearCombinationTreeClassifier(max_depth=1, random_state=0).fit(frame, labels)
    table = points(model, frame, max_rows=3)
    assert table.agreement > 0.9
    said = " ".join(row.say(table.schema) for row in table.rows)
    assert "'vote for' = " in said
    assert "(missing: " in said


def test_a_machine_that_is_points_already_is_found():
    random = np.random.default_rng(1)
    X = random.integers(0, 10, size=(300, 5)).astype(float)
    terms = Term.number(0, 2.0, -2.0), Term.number(3, -1.0, 1.0)
    machine = Machine((-5.5, 5.5), terms, (0, 1))
    schema = Schema(tuple(Column(f"x{i}", "numeric") for i in range(5)), ("no", "yes"))
    tree = Tree(schema, PackedSplits.of([machine, None, None]), np.ones((3, 2)))
    table = points(tree, X, max_rows=2)
    assert {row.column for row in table.rows} == {0, 3}
    assert table.agreement > 0.98


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"max_rows": 0}, ValueError, "max_rows is 0"),
        ({"node": 99}, ValueError, "node is 99; the tree has"),
        ({"node": 1}, TypeError, "node 1 is a leaf"),
        ({"y": ["a"]}, ValueError, "1 classes for 178 rows"),
    ],
)
def test_what_cannot_be(wine, wrong, error, words):
    model, X, _, _ = wine
    with pytest.raises(error, match=words):
        points(model, X, **wrong)


def test_models_without_a_machine():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="node 0 has a threshold test, which counts no points"):
        points(c45().fit(X, y), X)
    with pytest.raises(ValueError, match="the model has 3 trees"):
        points(BaggedTreesClassifier(n_estimators=3).fit(X, y), X)
    with pytest.raises(TypeError, match="LogisticRegression has no machine"):
        points(LogisticRegression(max_iter=500).fit(X, y), X)
    model = LinearMachineTreeClassifier(pruning=None, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"no rows|0 sample"):
        points(model, X[:0])


def test_rows_in_words():
    schema = Schema((Column("a b", "numeric"), Column("size", "ordered", ("S", "M", "L"))))
    assert PointsRow(0, 0.0, 20.0).say(schema) == "for each 20 of 'a b'"
    assert PointsRow(0, 36.0, 0.2).say(schema) == "for each 0.2 of 'a b' above 36"
    assert PointsRow(0, 36.0, 0.2, is_above=False).say(schema) == "for each 0.2 of 'a b' below 36"
    assert PointsRow(0, 28.95).say(schema) == "'a b' > 28.95"
    assert PointsRow(1, 0.5).say(schema) == "size > S"


def test_candidates_have_few_digits_and_leave_out_what_never_varies():
    X = np.column_stack([np.linspace(0.1234567, 0.9876543, 50), np.full(50, np.nan)])
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")))
    rows = candidate_rows(schema, X, (0, 1), conditions=True)
    assert {row.column for row in rows} == {0}
    assert rows[0].unit == round_unit(X[:, 0].std())
    assert all(len(f"{row.place:g}") <= 5 for row in rows)
