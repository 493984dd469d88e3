"""Linear machine trees: the most accurate tree here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from miter.checks import check_choice, check_whether
from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import SmoothedTreeEstimator
from miter.growing.growth import Simpler
from miter.prune import Pruning
from miter.splitters import (
    AnnealedMachineSplitter,
    MachineOrColumnSplitter,
    Splitter,
    WholeTreeSplitter,
)
from miter.splitters.annealed_machine import LARGE_ROWS

__all__ = ["LinearMachineTreeClassifier"]

#: Where mistakes differ in cost: times `l2`, with up to so many rows, and with more.
STRONGER, FEW_ROWS, WEAKER = (100.0, 10.0), 2000, 0.1

#: Whether terms are bent, what is tried first coming first.
BENT = {"auto": (True, False), "bent": (True,), "linear": (False,)}


@estimator
class LinearMachineTreeClassifier(SmoothedTreeEstimator):
    """A decision tree whose nodes weigh all columns at once.

    A node holds a linear machine: a discriminant for each class there, and the largest decides the
    branch. With the parameters as they are it is the most accurate tree that Miter has. Each
    machine is a logistic regression with an L2 penalty, in which a number may have one weight below
    its mean and another above. Cross-validation on the training rows tells how much to prune,
    whether annealing, or plain linear terms, do better, and whether columns can be left out without
    a single error more. The algorithms of the papers are `lmdt91` and `lmdt93`.

    Parameters
    ----------
    l2 : float
        Half of this times the squared weights is added to the loss. Where mistakes differ in cost,
        "cross_validated" also tries 10 and 100 times as much; with more than 2,000 rows it takes a
        tenth.
    terms : {"auto", "bent", "linear"}
        Whether a number's weight may change at its mean.
    anneal : "auto" or bool
        Whether the expected error is minimised after the logistic loss, at falling temperatures.
        Far errors then lose their pull. "auto" anneals beyond 20,000 rows.
    eliminate : "auto" or bool
        Whether columns that do not help are taken out of each machine. "auto" does not try where
        mistakes differ in cost.
    max_features : int, optional
        A machine of more columns keeps so many; with `eliminate` perhaps fewer.
    univariate : "auto" or bool
        Whether nodes of more than 100 rows test one column, and smaller ones the better of a
        machine and such a test.
    whole_tree : "auto" or bool
        Whether all weights of the tree are trained together once it is grown.
    pruning : Pruning, name of one, or None
        What takes splits out again after growing. Without "cross_validated" nothing is chosen:
        "auto" then means bent terms, no annealing, nothing eliminated, nodes trained one by one.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import LinearMachineTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = LinearMachineTreeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> tree.get_depth(), tree.score(X[1::2], y[1::2]) > 0.95
    (1, True)
    """

    l2: float = 0.3
    terms: str = "auto"
    anneal: str | bool = "auto"
    eliminate: str | bool = "auto"
    max_features: int | None = None
    univariate: str | bool = "auto"
    whole_tree: str | bool = "auto"
    pruning: Pruning | str | None = "cross_validated"

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return ways to train machines, the first choice first."""
        check_choice("terms", self.terms, ("auto", "linear", "bent"))
        for name in ("anneal", "eliminate", "univariate", "whole_tree"):
            check_whether(name, getattr(self, name))
        eliminate = self.eliminate != "auto" and bool(self.eliminate)
        machines = [
            AnnealedMachineSplitter(l2, anneal, bent, eliminate, self.max_features)
            for l2, anneal, bent in self._ways(data)
        ]
        with_columns = [MachineOrColumnSplitter(machine) for machine in machines]
        ways: list[AnnealedMachineSplitter | MachineOrColumnSplitter] = [*machines, with_columns[0]]
        if self.univariate != "auto":
            ways = [*with_columns] if self.univariate else [*machines]
        if self.whole_tree is True:
            return [WholeTreeSplitter(way, self.l2) for way in ways]
        return ways if self.whole_tree is False else [*ways, *self._whole_trees(eliminate)]

    def _whole_trees(self, eliminate: bool) -> list[Splitter]:
        ways: list[Splitter] = []
        for bent in BENT[self.terms][::-1]:
            machine = AnnealedMachineSplitter(self.l2, False, bent, eliminate, self.max_features)
            if self.univariate is True:
                ways.append(WholeTreeSplitter(MachineOrColumnSplitter(machine), self.l2))
            else:
                ways.append(WholeTreeSplitter(machine, self.l2))
        return ways

    def _ways(self, data: Data | None) -> list[tuple[float, bool, bool]]:
        """Return penalties, whether to anneal and whether to bend, the first choice first."""
        has_many = data is not None and data.n_rows > LARGE_ROWS
        # What annealing is worth grows with the rows and shows late; with many it is not tried out.
        tried = (True,) if has_many else (False, True)
        anneal = tried if self.anneal == "auto" else (bool(self.anneal),)
        bent = BENT[self.terms]
        ways = [(self.l2, a, b) for b in bent for a in anneal]
        if data is None or data.costs is None or not self.make_pruning().chooses:
            return ways
        if data.n_rows > FEW_ROWS:
            # Cheap mistakes are many, and count less each: the penalty must not drown them.
            return [(WEAKER * l2, a, b) for l2, a, b in ways]
        # Where a rare mistake is dear, few rows tell where the boundary is; the penalty holds it.
        return [(factor * self.l2, anneal[0], bent[0]) for factor in STRONGER] + ways

    def _simpler(self, data: Data) -> Simpler | None:
        # What a column saves is hard to tell where a few rows cause most of the cost.
        if self.eliminate != "auto" or data.costs is not None:
            return None
        return _eliminating


def _eliminating(splitter: Splitter) -> Splitter:
    if isinstance(splitter, MachineOrColumnSplitter):
        return replace(splitter, machine=replace(splitter.machine, eliminate=True))
    assert isinstance(splitter, AnnealedMachineSplitter)
    return replace(splitter, eliminate=True)
