import numpy as np
import pytest

from miter.splits import Term

nan = float("nan")


@pytest.mark.parametrize(
    ("term", "added"),
    [
        (Term.number(0, 2.0, -1.0), [[-2, 1], [2, -1], [8, -4], [0, 0]]),
        (Term.number(0, 2.0, missing=5.0), [[-2], [2], [8], [5]]),
        (
            Term.bent(0, 1.0, (1.0, -1.0), (2.0, -2.0), missing=(5.0, 7.0)),
            [[-2, 2], [0, 0], [6, -6], [5, 7]],
        ),
        (Term.bent(0, 1.0, 3.0, -1.0), [[-6], [0], [-3], [0]]),
        # A value that nobody knows is missing.
        (Term.symbol(0, (1.0, 2.0), missing=9.0), [[9], [2], [9], [9]]),
        (Term.symbol(0, ((1.0, 2.0), (3.0, 4.0))), [[0, 0], [3, 4], [0, 0], [0, 0]]),
    ],
)
def test_what_a_column_adds(term, added):
    assert term.of(np.array([[-1.0], [1.0], [4.0], [nan]])).tolist() == added


def test_makers_fill_the_fields():
    assert Term.number(1, 0.5) == Term(1, ((0.5,),), (0.0,), False)
    assert Term.number(1, 0.5, 2.0, missing=1.0) == Term(1, ((0.5, 2.0),), (1.0, 1.0), False)
    assert Term.symbol(1, (0.5, 2.0)) == Term(1, ((0.5,), (2.0,)), (0.0,), True)
    assert Term.bent(1, 7.0, 0.5, 2.0) == Term(1, ((0.5,), (2.0,)), (0.0,), False, 7.0)
