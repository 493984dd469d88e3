"""Properties of tidy trees, over trees of any shape with boxes of any size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.show.layout import lay_out

BESIDE, BELOW = 3.0, 10.0


@st.composite
def trees(draw):
    """Return parents in the order that `lay_out` wants, widths and heights."""
    n = draw(st.integers(1, 40))
    parent = [-1, *(draw(st.integers(0, box - 1)) for box in range(1, n))]
    size = st.lists(st.floats(1, 200), min_size=n, max_size=n)
    return parent, draw(size), draw(size)


def overlaps(layout, width, height):
    """Return pairs of boxes that are nearer than they may be, of the same level or of others."""
    half = np.array(width) / 2
    apart_x = np.abs(layout.x[:, None] - layout.x) - half[:, None] - half >= BESIDE - 1e-6
    bottom = layout.top + height
    apart_y = layout.top[:, None] - bottom >= BELOW - 1e-6
    return ~(apart_x | apart_y | apart_y.T | np.eye(len(half), dtype=bool))


@given(trees())
def test_no_two_boxes_overlap(tree):
    _, width, height = tree
    layout = lay_out(*tree, beside=BESIDE, below=BELOW)
    assert not overlaps(layout, width, height).any()


@given(trees())
def test_children_are_below_their_parents_and_in_order(tree):
    parent, _, height = tree
    layout = lay_out(*tree, beside=BESIDE, below=BELOW)
    last = {}
    for box in range(1, len(parent)):
        above = parent[box]
        assert layout.top[box] >= layout.top[above] + height[above] + BELOW - 1e-6
        assert layout.x[box] > last.get(above, -np.inf)
        last[above] = layout.x[box]


@given(trees())
def test_a_parent_is_over_the_middle_of_its_children(tree):
    parent, _, _ = tree
    layout = lay_out(*tree, beside=BESIDE, below=BELOW)
    for box in range(len(parent)):
        own = [layout.x[child] for child in range(len(parent)) if parent[child] == box]
        if own:
            assert layout.x[box] == pytest.approx((own[0] + own[-1]) / 2, abs=1e-6)


def reading_order(parent, *, mirrored=False):
    """Return the boxes in reading order, each node's children from the left or from the right."""
    children = {
        box: [c for c in range(len(parent)) if parent[c] == box] for box in range(len(parent))
    }
    order, stack = [], [0]
    while stack:
        box = stack.pop()
        order.append(box)
        stack += children[box] if mirrored else reversed(children[box])
    return order


@given(trees())
def test_the_mirror_image_is_drawn_as_the_mirror_image(tree):
    parent, width, height = tree
    layout = lay_out(*tree, beside=BESIDE, below=BELOW)
    order = reading_order(parent, mirrored=True)
    place = {box: number for number, box in enumerate(order)}
    turned = lay_out(
        [-1 if parent[box] < 0 else place[parent[box]] for box in order],
        [width[box] for box in order],
        [height[box] for box in order],
        beside=BESIDE,
        below=BELOW,
    )
    np.testing.assert_allclose(turned.x, turned.width - layout.x[order], atol=1e-6)
    assert turned.width == pytest.approx(layout.width)


@given(trees())
def test_everything_is_inside(tree):
    _, width, height = tree
    layout = lay_out(*tree, beside=BESIDE, below=BELOW)
    left, right = layout.x - np.array(width) / 2, layout.x + np.array(width) / 2
    assert left.min() == pytest.approx(0, abs=1e-9)
    assert right.max() == pytest.approx(layout.width)
    assert (layout.top + height).max() == pytest.approx(layout.height)
    assert (layout.floor >= layout.top + height - 1e-9).all()


def test_subtrees_are_as_near_as_they_can_be():
    """A chain beside a fan: the fan goes under nothing, so that only the fan's width counts."""
    layout = lay_out([-1, 0, 0, 1, 1, 1], [10] * 6, [5] * 6, beside=2, below=4)
    assert layout.width == 34  # three boxes of the fan; the other child stands above its last
    assert layout.x.tolist() == [23.0, 17.0, 29.0, 5.0, 17.0, 29.0]


def test_small_subtrees_between_large_ones_are_spread_evenly():
    """Three leaves between two wide fans stand at equal distances."""
    parent = [-1, 0, 0, 0, 0, 0, *[1] * 6, *[5] * 6]
    layout = lay_out(parent, [10] * 18, [5] * 18, beside=2, below=4)
    steps = np.diff(layout.x[1:6])
    assert steps == pytest.approx([steps[0], steps[1], steps[1], steps[0]])
    assert layout.x[3] == pytest.approx(layout.x[0])


def test_a_long_chain_is_laid_out_at_once():
    n = 1500
    parent = [-1, *(2 * (box // 2) for box in range(2 * n))]
    layout = lay_out(parent, [10.0] * len(parent), [5.0] * len(parent), beside=2, below=4)
    assert layout.height == pytest.approx(n * 9 + 5)
