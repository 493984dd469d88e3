"""Readable trees: as much accuracy as there is for what a person has to read."""

from __future__ import annotations

from collections.abc import Sequence

from miter.checks import check_choice
from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import SmoothedTreeEstimator
from miter.growing.growth import Growth
from miter.prune import PricePerTerm, Pruning
from miter.splitters import SparseSplitter, Splitter
from miter.tree import Tree

__all__ = ["ReadableTreeClassifier"]


@estimator
class ReadableTreeClassifier(SmoothedTreeEstimator):
    """A decision tree that a person can hold in mind.

    A node tests one column, or a sum of a few: numbers, conditions such as ``[age > 28.5]``, values
    of symbols; with whole weights in round units where that costs nothing. Every term has a price.
    Cross-validation on the training rows tells how high, and whether sums, and conditions in them,
    are worth their while.

    Parameters
    ----------
    max_terms : int, optional
        Most terms of the tree: what there is to read.
    max_path : float, optional
        Most terms on the way of a training row, in the mean.
    max_features : int
        Most terms of one test; 1: every test is of one column.
    conditions : "auto" or bool
        Whether a term may ask if a number is above a cut.
    whole_numbers : "auto" or bool
        Whether weights are whole numbers in round units; "auto": unless cross-validation tells that
        it costs something.
    l2 : float
        Half of this times the squared weights is the penalty of a sum.
    pruning : Pruning, name of one, or None
        What chooses among trees: "price_per_term", with the limits above. With others there is one
        way to grow, and what they take away is not chosen by what there is to read.

    Attributes
    ----------
    path_ : TreePath
        The trees that there were to choose from, the shortest first: their terms, the terms on the
        way of a row, their error on rows not grown on and its deviation; and which was chosen.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import ReadableTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = ReadableTreeClassifier(max_path=3, random_state=0).fit(X, y)
    >>> tree.path_.trees[tree.path_.chosen].path_length <= 3
    True
    """

    max_terms: int | None = None
    max_path: float | None = None
    max_features: int = 6
    conditions: str | bool = "auto"
    whole_numbers: str | bool = "auto"
    l2: float = 2.0
    pruning: Pruning | str | None = "price_per_term"

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return ways to find tests: of one column, of numbers, of numbers and conditions."""
        check_choice("conditions", self.conditions, ("auto", True, False))
        widest = SparseSplitter(self.max_features, bool(self.conditions), self.l2)
        if self.max_features == 1 or not self.make_pruning().chooses:
            return [widest]
        ways = [SparseSplitter(1, False, self.l2)]
        has_numbers = data is None or 0 in data.schema.n_values
        if self.conditions in ("auto", False) or not has_numbers:
            ways.append(SparseSplitter(self.max_features, False, self.l2))
        if self.conditions in ("auto", True) and has_numbers:
            ways.append(SparseSplitter(self.max_features, True, self.l2))
        return ways

    def make_pruning(self) -> Pruning:
        """Return what chooses among trees."""
        limits = PricePerTerm(self.max_terms, self.max_path, self.whole_numbers)
        return limits if self.pruning == "price_per_term" else super().make_pruning()

    def _grow(self, pruning: Pruning, growth: Growth) -> Tree:
        if not isinstance(pruning, PricePerTerm):
            return super()._grow(pruning, growth)
        tree, self.path_ = pruning.grow_path(growth)
        return tree
