import pytest

from miter.splits import Category, Linear, Machine, Network, Term, Threshold
from miter.splits.expression import Cell, Distance, Step
from miter.splits.sums import Is, columns_of, flatten

NUMBER, OTHER = Term.number(0, 2.0), Term.number(1, -1.0)
BENT = Term.bent(2, 40.0, -1.0, 3.0)
SYMBOL = Term.symbol(3, (0.5, 0.0, -1.0))


def for_classes(n_classes):
    weights = [float(k) for k in range(n_classes)]
    terms = Term.number(0, *weights), Term.bent(2, 40.0, weights, weights)
    return Machine((0.0,) * n_classes, terms, tuple(range(n_classes)))


@pytest.mark.parametrize(
    ("split", "n_terms"),
    [
        (Threshold(0, (1.0, 2.0)), 1),
        (Category(3, (0, 1, 0)), 1),
        (Linear((NUMBER,), 1.0), 1),
        (Linear((NUMBER, OTHER), 1.0), 2),
        (Linear((NUMBER, BENT), 1.0), 3),
        (Linear((NUMBER, SYMBOL), 1.0), 3),  # the value that adds nothing is not read
        (Linear((SYMBOL,), 0.0), 1),
        (Linear((BENT,), 0.0), 1),
        (for_classes(2), 3),
        (for_classes(4), 9),
        (Machine((0.0, 1.0, 2.0), (Term.number(0, 3.0, 2.0, 1.0),), (0, 1, 2)), 1),
        (Machine((0.0, 1.0), (), (0, 1)), 1),
        (Network((0.0, 1.0), (Term.number(0, 1.0, 2.0), Term.number(1, 1.0, 2.0)), (1, 1), 0.5), 4),
        (Network((0.0, 1.0), (Term.number(0, 1.0, 2.0),), (1.0, 1.0), 0.5), 2),
    ],
)
def test_terms_of_a_split(split, n_terms):
    assert split.n_terms == n_terms


def test_a_flat_sum_has_every_part_once():
    total = flatten(
        (2.0, BENT.expression(0)), (1.0, SYMBOL.expression(0)), (1.0, Step(Cell(0), (1.0, 2.0)))
    )
    assert total.constant == 0
    assert total.factors == {
        Distance(2, 40.0, False): 2.0,
        Distance(2, 40.0, True): 6.0,
        Is(3, 0, 3): 0.5,
        Is(3, 2, 3): -1.0,
        Step(Cell(0), (1.0,)): 1.0,
        Step(Cell(0), (2.0,)): 1.0,
    }


def test_parts_that_cancel_are_gone():
    assert flatten((1.0, Cell(0)), (-1.0, Cell(0))).factors == {}


@pytest.mark.parametrize("split", [Linear((NUMBER, SYMBOL), 1.0), for_classes(3)])
def test_columns(split):
    assert columns_of(split.expression) == frozenset(split.columns)
