import numpy as np
import pytest

from miter.explaining.reasons import reasons_of
from miter.splits import Category, Linear, Machine, Network, Term, Threshold

ROW = np.array([4.0, 2.0, 1.0])
TERMS = (
    Term.number(0, 2.0, missing=1.0),
    Term.bent(1, 1.0, -1.0, 3.0, missing=0.5),
    Term.symbol(2, [0.0, -4.0]),
)
MACHINE = (
    Term.number(0, 2.0, 1.0, 0.0, missing=[1.0, 0.5, 0.0]),
    Term.symbol(2, [(0.0, 0.0, 0.0), (-4.0, 1.0, 2.0)]),
)


@pytest.mark.parametrize(
    "split",
    [
        Linear(TERMS, 3.0),
        Linear(TERMS, 30.0),
        Machine((0.5, 0.0, -1.0), MACHINE, (0, 1, 2)),
        Network((0.5, -0.5), tuple(t for t in (Term.number(0, 2.0, -1.0),)), (1.0, 2.0), 0.3),
        Network((0.5, -0.5), (Term.number(0, 0.2, -0.1), Term.number(1, 1.0, 0.3)), (1.0, 2.0), 9),
        Threshold(0, (1.0, 3.5, 6.0)),
    ],
    ids=str,
)
def test_contributions_sum_to_the_margin(split):
    reasons = reasons_of(split.expression, ROW)
    assert reasons.branch == split.route(ROW[None])[0]
    assert reasons.margin >= 0
    total = reasons.without + sum(reasons.contributions.values())
    assert total == pytest.approx(reasons.margin, abs=1e-9)
    assert {*reasons.contributions} <= {*split.columns}


def test_margin_is_the_way_to_the_rival():
    reasons = reasons_of(Threshold(0, (1.0, 3.5, 6.0)).expression, ROW)
    assert (reasons.branch, reasons.rival, reasons.margin) == (2, 1, 0.5)
    machine = Machine((0.5, 0.0, -1.0), MACHINE, (0, 1, 2))
    reasons = reasons_of(machine.expression, ROW)
    assert (reasons.branch, reasons.rival, reasons.margin) == (1, 0, pytest.approx(0.5))


def test_symbols_have_no_measure():
    reasons = reasons_of(Category(2, (0, 1)).expression, ROW)
    assert (reasons.branch, reasons.rival) == (1, 1)
    assert np.isnan(reasons.margin)


def test_nothing_known_adds_nothing():
    row = np.full(3, np.nan)
    reasons = reasons_of(Linear(TERMS, 3.0).expression, row)
    assert set(reasons.contributions.values()) == {0.0}
    assert reasons.margin == reasons.without
