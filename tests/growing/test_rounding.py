"""Whole weights and round numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.growing.rounding import round_tree, round_unit, shortest_between
from miter.splits import Linear, PackedSplits, Term, Threshold
from miter.splitters import SparseSplitter
from miter.tree import Tree


def two_numbers(n_rows=400, weights=(2.0, -1.0), scales=(1.0, 30.0), seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 2)) * scales
    y = (X @ (np.array(weights) / scales) > 0.3).astype(np.int32)
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("no", "yes"))
    return Data(schema, X, y)


@given(st.floats(1e-200, 1e200))
def test_a_unit_is_round_and_near(number):
    unit = round_unit(number)
    assert f"{unit:.0e}"[0] in "125"
    assert 1 / 2 < unit / number < 2


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e6))
def test_what_lies_between_divides_the_same(low, width):
    high = low + width
    middle = shortest_between(low, high)
    assert low <= middle < high or high == low


def test_few_digits():
    assert shortest_between(2.03, 2.09) == 2.06
    assert shortest_between(0.0, 1.0) == 0.5
    assert shortest_between(-31.0, 27.0) == pytest.approx(0.0, abs=10)


def test_weights_become_whole_in_round_units():
    data = two_numbers()
    split = Linear((Term.number(0, 1.99), Term.number(1, -1.02 / 30)), 0.31)
    tree = Tree(data.schema, PackedSplits.of([split, None, None]), np.ones((3, 2))).recounted(data)
    rounded = round_tree(tree, data)
    unit = round_unit(float(data.X[:, 1].std()))
    in_units = [rounded.splits[0].terms[0].weights[0][0], rounded.splits[0].terms[1].weights[0][0]]
    assert in_units[0] == round(in_units[0])
    assert in_units[1] * unit == pytest.approx(round(in_units[1] * unit))
    assert np.mean(rounded.predict(data.X) == tree.predict(data.X)) > 0.97


def test_rows_and_counts_stay_together():
    data = two_numbers()
    tree = grow(data, SparseSplitter())
    rounded = round_tree(tree, data)
    assert np.array_equal(rounded.counts, rounded.count(data))
    assert rounded.n_nodes == tree.n_nodes


def test_a_cut_gets_few_digits_and_divides_the_same_rows():
    data = two_numbers()
    cut = float(np.sort(data.X[:, 0])[200:202].mean())
    tree = Tree(data.schema, PackedSplits.of([Threshold(0, (cut,)), None, None]), np.ones((3, 2)))
    rounded = round_tree(tree.recounted(data), data)
    assert np.array_equal(rounded.splits[0].route(data.X), tree.splits[0].route(data.X))
    assert len(repr(rounded.splits[0].cuts[0])) < len(repr(cut))


def test_missing_values_go_where_they_went():
    data = two_numbers()
    X = data.X.copy()
    X[::7, 1] = np.nan
    holed = Data(data.schema, X, data.y)
    tree = grow(holed, SparseSplitter())
    rounded = round_tree(tree, holed)
    assert np.mean(rounded.predict(X) == tree.predict(X)) > 0.95
