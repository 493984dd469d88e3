"""Tidy trees of boxes of different size.

Reingold and Tilford 1981, *Tidier drawings of trees*: nodes of a level stand at the same height, a
parent over the middle of its children, subtrees as near to each other as their outlines let them,
and the mirror image of a tree is drawn as the mirror image.

Differs from the paper: any number of branches, and boxes of any width. Subtrees are packed once
from the left and once from the right, and the mean of both is taken: what keeps subtrees apart is
linear, so the mean keeps them apart too, and small ones between large ones are spread evenly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layout", "lay_out"]

#: The distance between levels as a part of the widest fan between them, and the most it can be.
STEEPNESS, MOST_BELOW = 0.05, 3.0

#: How far the outline of a subtree reaches on each level below its top, from the top's middle.
Outline = list[float]


@dataclass(frozen=True, eq=False)
class Layout:
    """Where boxes are, to the right and down from the upper left corner of all.

    Parameters
    ----------
    x : ndarray of shape (n_boxes,)
        The middle of each box.
    top : ndarray of shape (n_boxes,)
        The upper edge of each box.
    floor : ndarray of shape (n_boxes,)
        The lower edge of the highest box of the same level.
    width, height : float
        Of all boxes together.
    """

    x: NDArray[np.float64]
    top: NDArray[np.float64]
    floor: NDArray[np.float64]
    width: float
    height: float


def lay_out(
    parent: Sequence[int],
    width: Sequence[float],
    height: Sequence[float],
    *,
    beside: float,
    below: float,
) -> Layout:
    """Return where the boxes of a tree are to be drawn.

    Parameters
    ----------
    parent : sequence of int
        The box above each box; -1 for the first, the root. Parents come before their children, and
        children in the order in which they are drawn.
    width, height : sequence of float
        Of each box.
    beside, below : float
        The least distance between boxes of a level, and between levels; above wide fans there is
        more room, so that lines to their ends are not flat.

    Examples
    --------
    >>> from miter.show.layout import lay_out
    >>> layout = lay_out([-1, 0, 0], [10, 20, 30], [5, 5, 8], beside=4, below=10)
    >>> layout.x.tolist(), layout.top.tolist()
    ([24.5, 10.0, 39.0], [0.0, 15.0, 15.0])
    """
    children: list[list[int]] = [[] for _ in parent]
    depth = np.zeros(len(parent), int)
    for box in range(1, len(parent)):
        children[parent[box]].append(box)
        depth[box] = depth[parent[box]] + 1
    x = _place_across(children, width, beside)
    for box in range(1, len(parent)):
        x[box] += x[parent[box]]
    x -= (x - np.asarray(width) / 2).min()
    tallest = np.zeros(depth.max() + 1)
    np.maximum.at(tallest, depth, height)
    gap = np.full(len(tallest), below)
    for box, own in enumerate(children):
        if own:
            fan = min(STEEPNESS * (x[own[-1]] - x[own[0]]), MOST_BELOW * below)
            gap[depth[box]] = max(gap[depth[box]], fan)
    level_top = np.concatenate([[0.0], np.cumsum((tallest + gap)[:-1])])
    floor = (level_top + tallest)[depth]
    wide = float((x + np.asarray(width) / 2).max())
    return Layout(x, level_top[depth], floor, wide, float(floor.max()))


def _place_across(
    children: list[list[int]], width: Sequence[float], gap: float
) -> NDArray[np.float64]:
    """Return how far the middle of each box is to the right of its parent's."""
    offset = np.zeros(len(width))
    left: list[Outline] = [[] for _ in width]
    right: list[Outline] = [[] for _ in width]
    for box in reversed(range(len(width))):
        own = children[box]
        if own:
            forth = _pack([left[c] for c in own], [right[c] for c in own], gap)
            back = _pack(
                [[-edge for edge in right[c]] for c in reversed(own)],
                [[-edge for edge in left[c]] for c in reversed(own)],
                gap,
            )
            places = (forth - back[::-1]) / 2
            places -= (places[0] + places[-1]) / 2
            offset[own] = places
            left[box] = _outline([left[c] for c in own], places, min)
            right[box] = _outline([right[c] for c in own], places, max)
        half = width[box] / 2
        left[box].insert(0, -half)
        right[box].insert(0, half)
        for child in own:  # no longer needed
            left[child], right[child] = [], []
    return offset


def _pack(left: list[Outline], right: list[Outline], gap: float) -> NDArray[np.float64]:
    """Return places of subtrees, each as far to the left as those before it let it."""
    places = np.zeros(len(left))
    reached: Outline = []
    for number, (own_left, own_right) in enumerate(zip(left, right, strict=True)):
        both = zip(reached, own_left, strict=False)
        place = max((edge - own + gap for edge, own in both), default=0.0)
        places[number] = place
        reached = [
            max(reached[level], place + edge) if level < len(reached) else place + edge
            for level, edge in enumerate(own_right)
        ] + reached[len(own_right) :]
    return places


def _outline(
    outlines: list[Outline],
    places: NDArray[np.float64],
    outermost: Callable[[float, float], float],
) -> Outline:
    """Return the outline of several subtrees in their places."""
    total: Outline = []
    for outline, place in zip(outlines, places.tolist(), strict=True):
        for level, edge in enumerate(outline):
            if level < len(total):
                total[level] = outermost(total[level], place + edge)
            else:
                total.append(place + edge)
    return total
