"""Ranks of learners over many sets, and which of them cannot be told apart.

Demsar 2006, *Statistical comparisons of classifiers over multiple data sets*, figure 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number
from miter.errors import DataError
from miter.lab import Comparison, mean_ranks, nemenyi_critical_difference
from miter.show.canvas import axes_for, check_axes
from miter.show.colours import INK, LINE
from miter.show.lettering import fold, plain, width_of, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_ranks"]

#: Size of the letters, distances between lines of names, and the length of the axis, in points.
SIZE, STEP, AXIS = 9.0, 16.0, 300.0


def plot_ranks(
    scores: Comparison | Any,
    names: Sequence[str] | None = None,
    *,
    higher_is_better: bool = True,
    significance: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw mean ranks, and lines between learners that Nemenyi's test cannot tell apart.

    Parameters
    ----------
    scores : Comparison, or array of shape (n_sets, n_learners)
        What `miter.lab.compare` returned; or scores, such as mean accuracies.
    names : sequence of str, optional
        Of the learners; those of a comparison are known.
    higher_is_better : bool
        Of an array: False for errors, sizes and times. A comparison knows its measure.
    significance : float
        Of an array: how often chance alone may make any difference significant.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes
        Whose units are points.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.show import plot_ranks
    >>> scores = np.random.default_rng(0).normal([0.7, 0.8, 0.9], 0.02, (10, 3))
    >>> ax = plot_ranks(scores, ["stump", "tree", "forest"])
    >>> "forest (1.00)" in [text.get_text() for text in ax.texts]
    True
    """
    check_axes(ax)
    ranked = _ranked(scores, names, higher_is_better, significance)
    drawing = _Drawing(ranked)
    ax = axes_for(ax, (drawing.width / 72, drawing.height / 72), bare=True)
    drawing.draw(ax)
    return ax


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Learners by their mean ranks, the best first."""

    names: list[str]
    ranks: NDArray[np.float64]
    difference: float

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The first and the last of learners that cannot be told apart, none inside another."""
        groups: list[tuple[int, int]] = []
        for first in range(len(self.ranks)):
            near = np.flatnonzero(self.ranks <= self.ranks[first] + self.difference)
            last = int(near[-1])
            if last > first and (not groups or last > groups[-1][1]):
                groups.append((first, last))
        return groups


def _ranked(
    scores: Any, names: Sequence[str] | None, higher_is_better: bool, significance: float
) -> _Ranked:
    if isinstance(scores, Comparison):
        if names is not None:
            raise DataError("a comparison knows the names of its learners; leave names out")
        difference = scores.critical_difference
        if difference is None:
            raise DataError(
                "ranks are of at least 3 learners that have runs on all of at least 2 sets; "
                "compare more"
            )
        known = zip(scores.results.learners, scores.ranks, strict=True)
        pairs = [(name, rank) for name, rank in known if rank is not None]
    else:
        check_number("significance", significance, above=0, below=1)
        ranks = mean_ranks(scores, higher_is_better=higher_is_better)
        named = [f"learner {k + 1}" for k in range(len(ranks))] if names is None else list(names)
        if len(named) != len(ranks):
            raise DataError(f"{len(named)} names for {len(ranks)} learners; give one for each")
        pairs = list(zip(named, ranks.tolist(), strict=True))
        difference = nemenyi_critical_difference(len(np.asarray(scores)), len(ranks), significance)
    pairs.sort(key=lambda pair: pair[1])
    return _Ranked([name for name, _ in pairs], np.array([r for _, r in pairs]), difference)


class _Drawing:
    """The diagram: the best learners to the left, a line down from each rank to its name."""

    def __init__(self, ranked: _Ranked) -> None:
        self.ranked = ranked
        n = len(ranked.names)
        self.n_left = (n + 1) // 2
        pairs = zip(ranked.names, ranked.ranks.tolist(), strict=True)
        said = [f"{plain(name)} ({rank:.2f})" for name, rank in pairs]
        self.lines = [fold(words, 200.0, SIZE, most=2) for words in said]
        widths = [max(width_of(line, SIZE) for line in lines) for lines in self.lines]
        self.left = max(widths[: self.n_left]) + 2 * SIZE
        self.right = max([*widths[self.n_left :], 0.0]) + 2 * SIZE
        self.axis = max(AXIS, 40.0 * n)
        self.top = 5.5 * SIZE
        self.bars = self.top + 1.2 * SIZE
        self.names_top = self.bars + (len(ranked.groups) + 0.8) * 0.8 * SIZE
        tall = max(len(lines) for lines in self.lines)
        self.step = STEP + (tall - 1) * 1.2 * SIZE
        self.width = self.left + self.axis + self.right
        self.height = self.names_top + self.n_left * self.step + SIZE

    def x(self, rank: float) -> float:
        n = len(self.ranked.names)
        return self.left + self.axis * (rank - 1) / max(n - 1, 1)

    def draw(self, ax: Axes) -> None:
        ax.set_xlim(0, self.width)
        ax.set_ylim(self.height, 0)
        ax.set_axis_off()
        self._draw_axis(ax)
        self._draw_difference(ax)
        for place, (first, last) in enumerate(self.ranked.groups):
            y = self.bars + place * 0.8 * SIZE
            ends = (self.x(self.ranked.ranks[k]) + side for k, side in ((first, -3), (last, 3)))
            ax.plot([*ends], [y, y], color=INK, linewidth=3.5, solid_capstyle="butt")
        for place in range(len(self.ranked.names)):
            self._draw_name(ax, place)

    def _draw_axis(self, ax: Axes) -> None:
        n = len(self.ranked.names)
        ax.plot([self.x(1), self.x(n)], [self.top, self.top], color=INK, linewidth=1)
        for rank in range(1, n + 1):
            ax.plot([self.x(rank)] * 2, [self.top, self.top - 5], color=INK, linewidth=1)
            write(ax, self.x(rank), self.top - 8, str(rank), ha="center", fontsize=SIZE)

    def _draw_difference(self, ax: Axes) -> None:
        """Draw how far ranks must be apart, above the axis."""
        start, end = self.x(1), self.x(1 + self.ranked.difference)
        y = 2.0 * SIZE
        ax.plot([start, end], [y, y], color=LINE, linewidth=1.5)
        for edge in (start, end):
            ax.plot([edge, edge], [y - 3, y + 3], color=LINE, linewidth=1.5)
        words = f"critical difference {self.ranked.difference:.2f}"
        write(ax, start, y - 5, words, fontsize=0.9 * SIZE, color=LINE)

    def _draw_name(self, ax: Axes, place: int) -> None:
        is_left = place < self.n_left
        below = place if is_left else len(self.ranked.names) - 1 - place
        y = self.names_top + (below + 0.5) * self.step
        rank = self.x(self.ranked.ranks[place])
        edge = self.left - 0.5 * SIZE if is_left else self.left + self.axis + 0.5 * SIZE
        ax.plot([rank, rank, edge], [self.top, y, y], color=INK, linewidth=0.9)
        side = -1 if is_left else 1
        write(
            *(ax, edge + side * 0.4 * SIZE, y, "\n".join(self.lines[place])),
            ha="right" if is_left else "left",
            va="center",
            fontsize=SIZE,
        )
