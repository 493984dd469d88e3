"""Directions of structure: independent component analysis with one unit, with or without labels.

Pajunen and Girolami 1999, *Implementing decisions in binary decision trees using independent
component analysis*, sections 4 and 5: the rows of a node are centred and whitened, and a direction
is found along which they look like two components, by the EM step ``w <- mean(tanh(w.x) x)``. The
rows are divided across it. No labels are used.

Differs from the paper, or settles what it leaves open:

- The rule of section 8, ``(1 + tanh(y) y - y^2) w``, only makes w longer or shorter: the sum over
  rows and the inner w are lost in print. ``rule="gradient"`` climbs the likelihood of section 4 on
  the sphere; ``rule="em"`` is its EM step, made of length 1 after each step, without which it
  shrinks to nothing.
- Starts are the leading principal directions, not random ones: these decide what is found.
- ``rule="mixture"``, the default, is the same EM in which the two components need not be equally
  large, nor two deviations apart: both are learned. The direction is then searched among the first
  1, 2, 4, ... principal directions, up to 64, and fewer are cheaper to describe.
- The cut is not at the mean (``cut="zero"``) but where the fewest rows are between the two centres.
  Of the directions that show structure the one with the emptiest cut is taken, not the likeliest:
  with three clusters in a row the likeliest cut goes through the middle of one.
- The paper's open end: a split must shorten the description of the rows (`stop`), and they must be
  fewer at the cut than beside it (`max_density`).
- Symbols are indicators, a missing value stands at the node's mean; more than
  10,000 rows of a node are sampled to find the direction.

`LabelledICASplitter` is the paper's other open end, components of structure and class together:
each component has its own mix of classes, which the EM learns too, so that the labels there are
pull rows to one component or the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.stats import chi2

from miter import core
from miter.checks import check_choice, check_number, check_whole
from miter.data.table import Data
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["ICASplitter", "LabelledICASplitter"]

RULES = ("mixture", "em", "gradient")
CUTS = ("valley", "posterior", "zero")
STOPS = ("description_length", "likelihood_ratio", None)
#: Principal directions that are searched, at most; and in how many steps of doubling.
MOST_DIRECTIONS, N_SIZES = 64, 7


@dataclass(frozen=True)
class ICASplitter(Splitter):
    """Cuts across the direction along which the node's rows look most like two groups.

    Parameters
    ----------
    rule : {"mixture", "em", "gradient"}
        How a direction is improved; the last two are the paper's.
    cut : {"valley", "posterior", "zero"}
        Where the direction is cut: where the fewest rows are, where both components are as likely,
        or at the mean of the rows, as published.
    stop : {"description_length", "likelihood_ratio"} or None
        What two components must be better than one Gaussian by: what it costs to describe them, or
        what chance allows at `stop_significance`; None: nothing.
    stop_significance : float
        Of the likelihood-ratio test; 2 k degrees of freedom among k principal directions (Wolfe
        1971), divided by the 7 numbers of directions that may be tried.
    max_density : float or None
        The density at the cut may be this part of the lower of the two peaks beside it; None:
        whatever it is.
    n_init : int
        Principal directions to start from.
    max_rows : int
        A node with more rows is searched on a sample of this many.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter.data import from_frame
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import ICASplitter
    >>> iris = load_iris(as_frame=True)
    >>> tree = grow(from_frame(iris.data, iris.target), ICASplitter())
    >>> tree.counts[1:3].tolist()
    [[50.0, 0.0, 0.0], [0.0, 50.0, 50.0]]
    """

    rule: str = "mixture"
    cut: str = "valley"
    stop: str | None = "description_length"
    stop_significance: float = 0.01
    max_density: float | None = 0.8
    n_init: int = 8
    max_rows: int = 10_000

    learns_from_classes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_choice("rule", self.rule, RULES)
        check_choice("cut", self.cut, CUTS)
        check_choice("stop", self.stop, STOPS)
        check_number("stop_significance", self.stop_significance, above=0, below=1)
        check_number("max_density", self.max_density, above=0, optional=True)
        check_whole("n_init", self.n_init, 1)
        check_whole("max_rows", self.max_rows, 2)

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that finds the directions of all nodes of a level at a time."""
        table, options = table_of(data), core.IcaOptions(**self._options(data), min_leaf=min_leaf)

        def find(level: Level) -> FoundSplits:
            return FoundSplits(PackedSplits(*core.find_ica_splits(table, level.native, options)))

        return find

    def _options(self, data: Data) -> dict[str, Any]:
        freedom = 2 * np.arange(1, MOST_DIRECTIONS + 1)
        by_chance = chi2.isf(self.stop_significance / N_SIZES, freedom) / 2
        return {
            "rule": RULES.index(self.rule),
            "cut": CUTS.index(self.cut),
            "must_gain": by_chance.tolist() if self.stop == "likelihood_ratio" else [],
            "stop": self.stop is not None,
            "max_density": np.inf if self.max_density is None else float(self.max_density),
            "n_init": self.n_init,
            "max_rows": self.max_rows,
            "n_labels": 0,
            "emphasis": 1.0,
        }


@dataclass(frozen=True)
class LabelledICASplitter(ICASplitter):
    """Cuts across a direction that structure and class choose together.

    Parameters
    ----------
    rule, cut, stop, stop_significance, max_density, n_init, max_rows
        As for `ICASplitter`.
    emphasis : float
        How much a label counts in the likelihood, compared with the place of its row.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter.data import from_frame
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import LabelledICASplitter
    >>> wine = load_wine(as_frame=True)
    >>> tree = grow(from_frame(wine.data, wine.target), LabelledICASplitter())
    >>> bool((tree.predict(wine.data.to_numpy()) == wine.target).mean() > 0.9)
    True
    """

    cut: str = "posterior"
    max_density: float | None = None
    emphasis: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("emphasis", self.emphasis, least=0)

    def _options(self, data: Data) -> dict[str, Any]:
        labels = {"n_labels": data.schema.n_labels, "emphasis": float(self.emphasis)}
        return super()._options(data) | labels
