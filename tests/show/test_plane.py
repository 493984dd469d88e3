"""Planes of trees as polygons: against the tree itself, asked at many places."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data import Column, Schema
from miter.show.plane import Plane, is_straight
from miter.show.polygons import area, clip, largest_parts, rectangle
from miter.splits import Category, Linear, Machine, Network, PackedSplits, Term, Threshold
from miter.tree import Tree

VALUES = ("a", "b", "c")
SCHEMA = Schema(
    (
        Column("x", "numeric"),
        Column("y", "numeric"),
        Column("symbol", "symbolic", VALUES),
        Column("step", "ordered", VALUES),
    ),
    ("p", "q", "r"),
)
numbers = st.floats(-2, 2).map(lambda x: round(x, 3))


@st.composite
def terms(draw, n_outputs):
    found = []
    for column in draw(st.sets(st.integers(0, 3), min_size=1)):
        weights = [draw(numbers) for _ in range(n_outputs)]
        kind = draw(st.sampled_from(["number", "bent", "condition"]))
        if column == 2:
            found.append(Term.symbol(2, [[draw(numbers) for _ in weights] for _ in VALUES]))
        elif kind == "bent":
            others = [draw(numbers) for _ in weights]
            found.append(Term.bent(column, draw(numbers), weights, others))
        elif kind == "condition":
            found.append(Term.condition(column, draw(numbers), *weights))
        else:
            found.append(Term.number(column, *weights))
    return tuple(found)


@st.composite
def splits(draw):
    kind = draw(st.sampled_from(["threshold", "category", "linear", "machine"]))
    if kind == "threshold":
        cuts = sorted({draw(numbers) for _ in range(2)})
        return Threshold(draw(st.sampled_from([0, 1, 3])), tuple(cuts))
    if kind == "category":
        return Category(2, draw(st.sampled_from([(0, 1, 0), (0, -1, 1), (1, 0, 2)])))
    if kind == "linear":
        return Linear(draw(terms(1)), draw(numbers))
    return Machine(tuple(draw(numbers) for _ in range(3)), draw(terms(3)), (0, 1, 2))


@st.composite
def trees(draw):
    """Return trees of up to four tests, of any kind that has straight lines."""
    found, n_open = [], 1
    while n_open:
        split = draw(splits()) if len([s for s in found if s]) < 4 and draw(st.booleans()) else None
        found.append(split)
        n_open += -1 + (split.n_branches if split else 0)
    counts = np.random.default_rng(len(found)).integers(0, 9, (len(found), 3)).astype(float)
    return Tree(SCHEMA, PackedSplits.of(found), counts)


def plane_of(columns, row):
    schema = [SCHEMA.columns[column] for column in columns]
    ends = [(-0.5, 2.5) if column.values else (-3.0, 3.0) for column in schema]
    n_values = tuple(len(column.values) for column in schema)
    return Plane(np.array(row, float), tuple(columns), n_values, rectangle(*ends[0], *ends[1]))


planes = st.builds(
    plane_of,
    st.permutations(range(4)).map(lambda order: order[:2]),
    st.tuples(numbers, numbers, st.integers(0, 2), st.integers(0, 2)),
)


def holds(polygon, places):
    """Tell which places are inside a convex polygon, or on its edge."""
    turned = polygon if signed_area(polygon) > 0 else polygon[::-1]
    inside = np.ones(len(places), bool)
    for start, end in zip(turned, np.roll(turned, -1, axis=0), strict=True):
        along, to = end - start, places - start
        inside &= along[0] * to[:, 1] - along[1] * to[:, 0] >= -1e-9
    return inside


def signed_area(polygon):
    x, y = polygon.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@given(trees(), planes, st.integers(0, 1000))
def test_the_parts_are_where_the_tree_sends_rows(tree, plane, seed):
    parts = list(plane.parts(tree))
    assert sum(area(part) for _, part in parts) == pytest.approx(area(plane.frame), rel=1e-6)
    low, high = plane.frame.min(axis=0), plane.frame.max(axis=0)
    places = np.random.default_rng(seed).uniform(low, high, (60, 2))
    ends = tree.apply(plane.rows_at(places))
    for place, end in zip(places, ends, strict=True):
        nodes = {node for node, part in parts if holds(part, place[None])[0]}
        assert end in nodes


@given(trees(), planes)
def test_boundaries_are_between_the_nodes_that_they_name(tree, plane):
    parts = list(plane.parts(tree))
    size = np.ptp(plane.frame, axis=0)
    for line in plane.boundaries(tree, parts):
        assert line.nodes[0] != line.nodes[1]
        along = (line.end - line.start) / size
        across = np.array([-along[1], along[0]]) / np.linalg.norm(along) * 1e-7 * size
        middle = (line.start + line.end) / 2
        sides = np.array([middle - across, middle + across])
        assert tree.apply(plane.rows_at(sides)).tolist() == list(line.nodes)


def make(split, labels=3):
    counts = np.eye(3)[np.arange(split.n_branches + 1) % 3] * 5
    return Tree(SCHEMA, PackedSplits.of([split, *[None] * split.n_branches]), counts)


def lines_of(split, columns=(0, 1), row=(0, 0, 0, 0)):
    plane, tree = plane_of(columns, row), make(split)
    return [
        np.round([line.start, line.end], 6).tolist()
        for line in plane.boundaries(tree, list(plane.parts(tree)))
    ]


def test_a_cut_of_a_sum_is_at_its_true_angle():
    [line] = lines_of(Linear((Term.number(0, 1.0), Term.number(1, 2.0)), 1.0))
    (x0, y0), (x1, y1) = sorted(line)
    assert (y1 - y0) / (x1 - x0) == pytest.approx(-0.5)
    assert x0 + 2 * y0 == pytest.approx(1.0)


def test_other_columns_move_a_cut():
    split = Linear((Term.number(0, 1.0), Term.symbol(2, (0.0, 5.0, 1.0))), 2.0)
    [line] = lines_of(split, row=(0, 0, 2, 0))
    assert {x for x, _ in line} == {1.0}
    split = Linear((Term.number(0, 1.0), Term.symbol(2, (0.0, 9.0, 1.0))), 2.0)
    assert lines_of(split, row=(0, 0, 1, 0)) == []


def test_a_bend_is_no_boundary():
    split = Linear((Term.bent(0, 0.5, -1.0, 1.0), Term.number(1, 1.0)), 2.0)
    lines = lines_of(split)
    assert len(lines) == 2
    assert any([0.5, 2.0] in line for line in lines)
    assert not any(a[0] == b[0] == 0.5 for a, b in lines)


def test_three_sums_meet_in_a_point():
    machine = Machine(
        (0.0, 0.0, 0.0), (Term.number(0, 1.0, -1.0, 0.0), Term.number(1, 0.0, 0.0, 1.0)), (0, 1, 2)
    )
    lines = lines_of(machine)
    assert len(lines) == 3
    assert all([0.0, 0.0] in np.abs(line).tolist() for line in lines)


def test_values_of_symbols_are_strips():
    lines = lines_of(Category(2, (0, 1, 0)), columns=(2, 1))
    assert sorted({x for line in lines for x, _ in line}) == [0.5, 1.5]


def test_networks_are_not_straight():
    network = Network((9.0,), (Term.number(0, 9.0),), (1.0,), 0.5)
    assert not is_straight(make(network))
    assert is_straight(make(Threshold(0, (0.0,))))


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=5))
def test_largest_parts_tile_a_polygon(functions):
    square = rectangle(-1, 1, -1, 1)
    values = np.column_stack([a + b * square[:, 0] + c * square[:, 1] for a, b, c in functions])
    total = sum(area(part) for part in largest_parts(square, values))
    assert total == pytest.approx(4.0, rel=1e-6)


def test_clipping_away_everything_leaves_nothing():
    square = rectangle(0, 1, 0, 1)
    assert len(clip(square, np.full(4, -1.0))) == 0
    assert area(clip(square, np.full(4, -1.0))) == 0
