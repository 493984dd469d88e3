"""Splits of many nodes as flat arrays."""

from dataclasses import replace

import numpy as np

from miter.splits import Linear, PackedSplits, Term, Threshold


def test_splits_that_are_not_finite_become_leaves():
    given = [Threshold(0, (1.5,)), None, Linear((Term.number(1, 2.0),), 0.5), Threshold(1, (3.0,))]
    packed = PackedSplits.of(given)
    assert packed.finite() is packed
    first, last = packed.real_start[2:4]
    for place in range(first, last):
        reals = packed.reals.copy()
        reals[place] = np.nan if place % 2 else np.inf
        left = replace(packed, reals=reals).finite()
        assert [left[i] for i in range(4)] == [given[0], None, None, given[3]]
