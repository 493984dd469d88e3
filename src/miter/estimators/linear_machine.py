"""Linear machine trees: the most accurate tree here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from miter.checks import check_choice
from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import SmoothedTreeEstimator
from miter.growing.growth import Simpler, Variants
from miter.prune import Pruning
from miter.splitters import (
    AnnealedMachineSplitter,
    MachineOrColumnSplitter,
    Splitter,
    UnivariateSplitter,
)

__all__ = ["LinearMachineTreeClassifier"]

#: Penalties that cross-validation tries, the first choice first.
PENALTIES = (0.3, 3.0, 30.0)
#: Where mistakes differ in cost. A rare mistake may be dear, and few rows tell where the boundary
#: is: the penalty holds it. Where rows are many, cheap mistakes must not drown in it.
PENALTIES_WITH_COSTS = (3.0, 30.0, 0.3, 0.03)

TERMS = ("auto", "linear", "bent")


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
    l2 : float, optional
        Half of this times the squared weights is added to the loss. None: "cross_validated" chooses
        among 0.3, 3 and 30, and 0.03 where mistakes differ in cost.
    terms : {"auto", "bent", "linear"}
        Whether a number's weight may change at its mean.
    anneal : "auto" or bool
        Whether the expected error is minimised after the logistic loss, at falling temperatures.
        Far errors then lose their pull.
    eliminate : "auto" or bool
        Whether columns that do not help are taken out of each machine. "auto" does not try where
        mistakes differ in cost.
    max_features : int, optional
        A machine of more columns keeps so many; with `eliminate` perhaps fewer.
    univariate : "auto" or bool
        Whether nodes of more than 100 rows test one column, and smaller ones the better of a
        machine and such a test. "auto" also tries a tree of such tests alone.
    pruning : Pruning, name of one, or None
        What takes splits out again after growing. Without "cross_validated" nothing is chosen:
        "auto" then means bent terms, no annealing, nothing eliminated, and the penalty is 0.3.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import LinearMachineTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = LinearMachineTreeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> tree.get_depth(), tree.score(X[1::2], y[1::2]) > 0.95
    (1, True)
    """

    l2: float | None = None
    terms: str = "auto"
    anneal: str | bool = "auto"
    eliminate: str | bool = "auto"
    max_features: int | None = None
    univariate: str | bool = "auto"
    pruning: Pruning | str | None = "cross_validated"

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return machines of several penalties, the first choice first."""
        check_choice("terms", self.terms, TERMS)
        for name in ("anneal", "eliminate", "univariate"):
            if getattr(self, name) not in ("auto", True, False):
                raise ValueError(f"{name} is {getattr(self, name)!r}; give 'auto', True or False")
        machines = [
            AnnealedMachineSplitter(
                l2,
                self.anneal is True,
                self.terms != "linear",
                self.eliminate is True,
                self.max_features,
            )
            for l2 in self._penalties(data)
        ]
        return (
            [MachineOrColumnSplitter(m) for m in machines] if self.univariate is True else machines
        )

    def _penalties(self, data: Data | None) -> tuple[float, ...]:
        if self.l2 is not None:
            return (self.l2,)
        has_costs = data is not None and data.costs is not None
        return PENALTIES_WITH_COSTS if has_costs else PENALTIES

    def _variants(self, data: Data) -> Sequence[Variants]:
        """Ask how machines are trained, then whether some nodes, or all, test one column."""
        trained: Variants = self._otherwise_trained
        first = _machine_of(self.make_splitters(data)[0])
        columns: Variants = partial(_with_columns, first=first)
        return [trained, columns] if self.univariate == "auto" else [trained]

    def _otherwise_trained(self, splitter: Splitter) -> list[Splitter]:
        machine = _machine_of(splitter)
        bent = (True, False) if self.terms == "auto" else (machine.bent,)
        anneal = (False, True) if self.anneal == "auto" else (machine.anneal,)
        ways = [replace(machine, bent=b, anneal=a) for b in bent for a in anneal]
        return [_with_machine(splitter, way) for way in ways if way != machine]

    def _simpler(self, data: Data) -> Simpler | None:
        # What a column saves is hard to tell where a few rows cause most of the cost.
        if self.eliminate != "auto" or data.costs is not None:
            return None
        return _eliminating


def _machine_of(splitter: Splitter) -> AnnealedMachineSplitter:
    machine = splitter.machine if isinstance(splitter, MachineOrColumnSplitter) else splitter
    assert isinstance(machine, AnnealedMachineSplitter)
    return machine


def _with_machine(splitter: Splitter, machine: AnnealedMachineSplitter) -> Splitter:
    if isinstance(splitter, MachineOrColumnSplitter):
        return replace(splitter, machine=machine)
    return machine


def _with_columns(splitter: Splitter, first: AnnealedMachineSplitter) -> list[Splitter]:
    """Return trees of one-column tests, with machines at small nodes or without.

    What was found for machines of all rows, such as a strong penalty, need not suit small nodes.
    """
    machines = dict.fromkeys([_machine_of(splitter), first])
    column = UnivariateSplitter("gain_ratio", symbolic="groups")
    return [*map(MachineOrColumnSplitter, machines), column]


def _eliminating(splitter: Splitter) -> Splitter | None:
    if isinstance(splitter, UnivariateSplitter):
        return None
    return _with_machine(splitter, replace(_machine_of(splitter), eliminate=True))
