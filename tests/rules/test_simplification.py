"""Smaller trees that answer as before."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

import miter
from miter import (
    BaggedTreesClassifier,
    LinearCombinationTreeClassifier,
    LinearMachineTreeClassifier,
    NetworkTreeClassifier,
    RuleListClassifier,
    UnivariateTreeClassifier,
    c45,
)
from miter.data import Column, Data, Schema
from miter.rules import simplify
from miter.splits import Linear, Machine, PackedSplits, Term, Threshold
from miter.tree import Tree

LEARNERS = {
    "machines": LinearMachineTreeClassifier(random_state=0),
    "machines, full": LinearMachineTreeClassifier(pruning=None, random_state=0),
    "sums": LinearCombinationTreeClassifier(random_state=0),
    "networks": NetworkTreeClassifier(random_state=0, max_depth=2),
    "univariate": UnivariateTreeClassifier(pruning=None),
}


@pytest.mark.parametrize("agreement", [1.0, 0.97, 0.8])
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_what_was_asked_for_is_kept(name, agreement, missing, drawn):
    data = drawn(0, n_rows=200, missing=missing)
    model = LEARNERS[name].fit(data)
    small = simplify(model, data, agreement)
    same = np.mean(small.predict(data) == model.predict(data))
    report = small.simplification_
    assert same == report.agreement >= agreement
    assert report.terms_after <= report.terms_before == model.tree_.terms.sum()
    assert report.terms_after == small.tree_.terms.sum()
    assert model.tree_ is not small.tree_
    assert str(report).endswith("200 rows are answered as before.")


def test_less_agreement_means_less_to_read():
    X, y = load_wine(return_X_y=True)
    model = LEARNERS["machines"].fit(X, y)
    terms = [simplify(model, X, a).simplification_.terms_after for a in (1.0, 0.98, 0.9, 0.0)]
    assert terms == sorted(terms, reverse=True)
    assert terms[0] < model.tree_.terms.sum()
    assert terms[-1] == 0


def of_one_split(split, X, y, columns=("x", "z")):
    schema = Schema(tuple(Column(name, "numeric") for name in columns), tuple(range(max(y) + 1)))
    data = Data(schema, X, y.astype(np.int32))
    tree = Tree(
        schema,
        PackedSplits.of([split, *[None] * split.n_branches]),
        np.ones((1 + split.n_branches, schema.n_classes)),
    )
    return UnivariateTreeClassifier().restore([tree.recounted(data)], {"costs": None})


def test_a_sum_becomes_a_threshold():
    random = np.random.default_rng(0)
    X = random.uniform(size=(100, 2))
    X = X[np.abs(X[:, 0] - 0.5) > 0.1]
    y = (X[:, 0] > 0.5).astype(int)
    model = of_one_split(Linear((Term.number(0, -3.0), Term.number(1, 0.1)), -1.45), X, 1 - y)
    small = simplify(model, X)
    [split] = [split for split in small.tree_.splits if split is not None]
    assert isinstance(split, Threshold)
    assert split.cuts == (0.5,)
    assert np.array_equal(small.predict(X), model.predict(X))
    assert any("in the place of 2 terms" in step for step in small.simplification_.steps)


def test_a_machine_of_one_column_becomes_cuts():
    x = np.linspace(0, 9, 91)[:, None]
    machine = Machine((0.0, -1.05, -4.1), (Term.number(0, 0.0, 1.0, 2.0),), (0, 1, 2))
    model = of_one_split(machine, x, machine.route(x), ("x",))
    small = simplify(model, x)
    assert small.tree_.splits[0].cuts == (1.05, 3.05) or len(small.tree_.splits[0].cuts) == 2
    assert np.array_equal(small.predict(x), model.predict(x))


def test_branches_that_no_row_takes_go():
    random = np.random.default_rng(0)
    X = random.uniform(size=(200, 2))
    terms = (Term.number(0, 1.0, -1.0, 0.0, 0.0), Term.number(1, 1.3, -0.9, 0.1, 0.0))
    machine = Machine((-1.1, 1.0, -9.0, -9.0), terms, (0, 1, 2, 2))
    model = of_one_split(machine, X, np.append(machine.route(X)[:-1], 2))
    small = simplify(model, X)
    assert small.tree_.n_leaves == 2
    assert any("dropped 2 of 4 branches" in step for step in small.simplification_.steps)


def test_numbers_are_rounded():
    X, y = load_wine(return_X_y=True)
    model = LEARNERS["machines"].fit(X, y)
    small = simplify(model, X)
    for term in small.tree_.splits[0].terms:
        for weight in np.ravel(term.weights):
            assert float(f"{weight:.2e}") == weight


def test_it_can_be_saved(tmp_path):
    X, y = load_iris(return_X_y=True)
    small = miter.simplify(LEARNERS["machines"].fit(X, y), X, 0.95)
    miter.save(small, tmp_path / "small.miter")
    assert np.array_equal(miter.load(tmp_path / "small.miter").predict(X), small.predict(X))


@pytest.mark.parametrize("agreement", [1.01, -0.1, "all", None, np.nan])
def test_senseless_agreement(agreement):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="agreement is"):
        simplify(c45().fit(X, y), X, agreement)


def test_what_cannot_be_made_smaller():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="has 2 trees"):
        simplify(BaggedTreesClassifier(n_estimators=2, random_state=0).fit(X, y), X)
    with pytest.raises(TypeError, match="RuleListClassifier is no tree"):
        simplify(RuleListClassifier().fit(X, y), X)
    with pytest.raises(ValueError, match="no rows"):
        simplify(c45().fit(X, y), Data(c45().fit(X, y).schema_, X[:0]))


@pytest.mark.parametrize("part", ["forest", "tree of it"])
def test_what_is_to_be_given_in_its_place_is_told(part):
    data = miter.data.play_tennis()
    forest = BaggedTreesClassifier(n_estimators=2, random_state=0).fit(data)
    with pytest.raises((TypeError, ValueError), match="give a fitted classifier of one tree"):
        simplify(forest if part == "forest" else forest.trees_[0], data)


def test_what_was_done_is_said_with_names_in_quotes():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 2)), columns=["my boss", "noise"])
    y = X["my boss"].to_numpy() > 1 / 3
    model = LinearCombinationTreeClassifier(random_state=0).fit(X, y)
    said = str(simplify(model, X, 0.9).simplification_)
    assert "my boss" not in said or "'my boss'" in said
    assert "1 cuts" not in said
    assert " 1 tests" not in said
