"""Readable trees: as much accuracy as there is for what a person has to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

from miter.checks import check_whether, check_whole
from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import SmoothedTreeEstimator
from miter.growing.growth import Growth
from miter.prune import PathTree, PricePerTerm, Pruning, TreePath
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

    state_types: ClassVar[Mapping[str, Any]] = {
        **SmoothedTreeEstimator.state_types,
        "path": tuple[tuple[float, ...], ...] | None,
        "chosen": int | None,
    }

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return ways to find tests: of one column, of numbers, of numbers and conditions."""
        check_whether("conditions", self.conditions)
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
        is_name = isinstance(self.pruning, str)
        return limits if is_name and self.pruning == "price_per_term" else super().make_pruning()

    def _grow(self, pruning: Pruning, growth: Growth) -> Tree:
        if not isinstance(pruning, PricePerTerm):
            self.__dict__.pop("path_", None)  # of an earlier fit
            return super()._grow(pruning, growth)
        tree, self.path_ = pruning.grow_path(growth)
        return tree

    def with_tree(self, position: int) -> Self:
        """Return the same model with another tree of `path_`, its weights as they were found."""
        trees = self._path().trees
        if not -len(trees) <= position < len(trees):
            raise ValueError(f"there is no tree {position}; path_ has {len(trees)}, from 0 on")
        tree = trees[position].tree
        if tree is None:
            raise ValueError(
                "the model comes from a file, which holds the chosen tree alone; fit it again"
            )
        other = copy(self)
        other.path_ = replace(self._path(), chosen=position % len(trees))
        other._set_fitted([replace(tree, smoothing=self.tree_.smoothing)])
        return other

    def alternatives(self, n: int = 3) -> list[Self]:
        """Return other trees that are about as good and begin with a test of other columns.

        Parameters
        ----------
        n : int
            How many at most. About as good is what cross-validation can hardly tell from the
            chosen one: within two standard errors.
        """
        check_whole("n", n, 1)
        path = self._path()
        chosen = path.trees[path.chosen]
        known = {self._begins_with(self.tree_)}
        found = []
        for place in sorted(range(len(path.trees)), key=lambda k: path.trees[k].error):
            other = path.trees[place]
            if other.error > chosen.error + 2 * chosen.deviation or other.tree is None:
                continue
            columns = self._begins_with(other.tree)
            if columns not in known:
                known.add(columns)
                found.append(self.with_tree(place))
        return found[:n]

    def state(self) -> dict[str, Any]:
        """Return what was learned beside the tree, as plain values."""
        path: TreePath | None = getattr(self, "path_", None)
        if path is None:
            return super().state() | {"path": None, "chosen": None}
        rows = [(t.n_terms, t.path_length, t.error, t.deviation) for t in path.trees]
        return super().state() | {"path": rows, "chosen": path.chosen}

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any] = {}) -> Self:
        """Become the fitted classifier that has this tree and this state."""
        path = state.get("path")
        if path is not None:
            rows = tuple(PathTree(int(row[0]), *row[1:]) for row in path)
            self.path_ = TreePath(rows, int(state["chosen"]))
        return super().restore(trees, state)

    def _path(self) -> TreePath:
        self._check_fitted()
        path: TreePath | None = getattr(self, "path_", None)
        if path is None:
            raise ValueError("there is a path of trees with the pruning 'price_per_term' alone")
        return path

    @staticmethod
    def _begins_with(tree: Tree) -> frozenset[int]:
        root = tree.splits[0]
        return frozenset() if root is None else frozenset(root.columns)
