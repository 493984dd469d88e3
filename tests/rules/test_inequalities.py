"""Machines as inequalities: nothing that matters is removed."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from miter import LinearMachineTreeClassifier
from miter.data import Column, Schema
from miter.rules import expand_machines, machine_rules, rules_of
from miter.rules.inequalities import fewer_terms
from miter.rules.region import Region, difference
from miter.splits import Condition, Linear, Machine, Term, Threshold

SCHEMA = Schema(
    (
        Column("x", "numeric"),
        Column("z", "numeric"),
        Column("s", "symbolic", ("a", "b", "c")),
    ),
    tuple("uvwt"),
)


def random_machine(seed, n_classes=4):
    random = np.random.default_rng(seed)
    w = random.normal(size=(6, n_classes))
    terms = (
        Term.number(0, *w[0], missing=tuple(w[1])),
        Term.bent(1, 0.3, tuple(w[2]), tuple(w[3]), missing=tuple(w[4])),
        Term.symbol(
            2, [tuple(random.normal(size=n_classes)) for _ in range(3)], missing=tuple(w[5])
        ),
    )
    constants = random.normal(size=n_classes) * 2
    return Machine(tuple(constants), terms, tuple(range(n_classes)))


def rows(seed, n_rows, missing=0.1):
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [random.uniform(-1, 2, n_rows), random.uniform(0, 1, n_rows), random.integers(0, 3, n_rows)]
    )
    X[random.random(X.shape) < missing] = np.nan
    return X


ABOVE = (
    Condition(Threshold(0, (0.4,), missing=0), 0),
    Condition(Linear((Term.number(0, 1.0), Term.number(1, 2.0, missing=0.5)), 0.2), 1),
)


@pytest.mark.parametrize("above", [(), ABOVE[:1], ABOVE], ids=["whole", "cut", "wedge"])
@pytest.mark.parametrize("seed", range(8))
def test_no_decision_changes_anywhere_in_the_region(seed, above):
    machine = random_machine(seed)
    X = rows(0, 300)
    found = machine_rules(machine, X, SCHEMA, above)
    corners = np.array([[x, z, s] for x in (-1, 2) for z in (0, 0.3, 1) for s in (0, 1, 2)], float)
    points = np.concatenate([X, rows(1, 20_000), corners])
    points[:, :2] = np.clip(points[:, :2], np.nanmin(X, axis=0)[:2], np.nanmax(X, axis=0)[:2])
    for condition in above:
        points = points[condition.holds(points)]
    assert len(points) > 500
    routes = machine.route(points)
    for branch, lost_by in found.cannot_win:
        assert lost_by > 0
        assert not (routes == branch).any()
    for rule in found.rules:
        holds = (
            np.all([c.holds(points) for c in rule.conditions], axis=0) if rule.conditions else True
        )
        assert np.array_equal(np.broadcast_to(holds, len(points)), routes == rule.branch)
        for other, lead in rule.implied:
            assert lead > 0
            beaten = difference(machine, rule.branch, other).holds(points)
            assert beaten[routes == rule.branch].all()


def test_something_is_removed_and_nothing_more_could_be():
    """One row of intervals: each needs only its neighbours."""
    slopes = np.arange(5.0)
    constants = -np.concatenate([[0], np.cumsum([1.0, 2.0, 3.0, 4.0])])
    machine = Machine(tuple(constants), (Term.number(0, *slopes),), (0, 1, 2, 3, 0))
    schema = Schema((Column("x", "numeric"),), tuple("uvwt"))
    found = machine_rules(machine, np.array([[0.0], [9.0]]), schema)
    assert found.n_inequalities == 8
    narrow = machine_rules(machine, np.array([[1.5], [2.5]]), schema)
    assert [branch for branch, _ in narrow.cannot_win] == [0, 3, 4]
    assert narrow.n_inequalities == 2
    assert "u cannot win there." in narrow.say(schema)


def test_the_bound_is_proved_not_believed():
    """What `least` returns is never above what is really there."""
    X = rows(0, 200)
    machine = random_machine(1)
    region = Region.of(SCHEMA, X, [machine])
    for k in range(4):
        form = region.form(machine.terms, k, machine.constants[k])
        values = machine.expression.of[k]
        from miter.splits.expression import evaluate

        assert region.least(form) <= evaluate(values, X).min() + 1e-9


def test_terms_go_while_every_row_goes_the_same_way():
    X = rows(2, 100)
    machine = random_machine(3)
    wider = Machine(
        machine.constants, (*machine.terms, Term.number(0, 1e-9, 0, 0, 0)), machine.classes
    )
    fewer, dropped = fewer_terms(wider, X)
    assert 0 in dropped
    assert np.array_equal(fewer.route(X), wider.route(X))
    found = machine_rules(wider, X, SCHEMA, drop_terms=True)
    assert any(line.startswith("Without x") for line in found.say(SCHEMA))


def test_rules_of_a_tree_of_machines():
    X, y = load_wine(return_X_y=True)
    tree = LinearMachineTreeClassifier(random_state=0).fit(X, y).tree_
    rules = rules_of(tree)
    expanded, simplified = expand_machines(rules, X)
    assert np.array_equal(expanded.predict(X), tree.predict(X))
    assert all(isinstance(c.split, Linear) for rule in expanded for c in rule.conditions)
    assert len(simplified) == (~tree.is_leaf).sum()
