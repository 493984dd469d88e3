from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from miter.growing.exact import exact_sum

NUMBERS = arrays(
    np.float64,
    st.integers(0, 30),
    elements=st.floats(allow_nan=False, allow_infinity=False, width=64),
)


@given(NUMBERS)
def test_it_is_the_sum(values):
    assert exact_sum(values) == sum(map(Fraction, values.tolist()), Fraction(0))


def test_many_large_numbers_do_not_overflow():
    values = np.full(100_000, 0.1)
    assert exact_sum(values) == 100_000 * Fraction(0.1)
