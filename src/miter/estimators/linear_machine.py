"""Linear machine trees: the most accurate tree here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from miter.checks import check_choice, check_whether
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
    WholeTreeSplitter,
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
    whole_tree : "auto" or bool
        Whether all weights of the tree are trained together once it is grown.
    pruning : Pruning, name of one, or None
        What takes splits out again after growing. Without "cross_validated" nothing is chosen:
        "auto" then means bent terms, no annealing, nothing eliminated, nodes trained one by one,
        and the penalty is 0.3.

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
    whole_tree: str | bool = "auto"
    pruning: Pruning | str | None = "cross_validated"

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return machines of several penalties, the first choice first."""
        check_choice("terms", self.terms, TERMS)
        for name in ("anneal", "eliminate", "univariate", "whole_tree"):
            check_whether(name, getattr(self, name))
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
        ways: list[Nodes] = [*machines]
        if self.univariate is True:
            ways = [MachineOrColumnSplitter(machine) for machine in machines]
        if self.whole_tree is not True:
            return ways
        return [WholeTreeSplitter(way, _machine_of(way).l2) for way in ways]

    def _penalties(self, data: Data | None) -> tuple[float, ...]:
        if self.l2 is not None:
            return (self.l2,)
        has_costs = data is not None and data.costs is not None
        return PENALTIES_WITH_COSTS if has_costs else PENALTIES

    def _variants(self, data: Data) -> Sequence[Variants]:
        """Ask how machines are trained, whether nodes test one column, and about the whole tree."""
        questions: list[Variants] = [self._otherwise_trained]
        if self.univariate == "auto":
            questions.append(_with_columns)
        if self.whole_tree == "auto":
            questions.append(partial(self._whole_trees, self._penalties(data)))
        return questions

    def _otherwise_trained(self, splitter: Splitter) -> list[Splitter]:
        machine = _machine_of(splitter)
        bent = (True, False) if self.terms == "auto" else (machine.bent,)
        anneal = (False, True) if self.anneal == "auto" else (machine.anneal,)
        ways = [replace(machine, bent=b, anneal=a) for b in bent for a in anneal]
        nodes = _nodes_of(splitter)
        others = [_with_machine(nodes, way) for way in ways if way != machine]
        return [_with_nodes(splitter, other) for other in others]

    def _whole_trees(self, penalties: tuple[float, ...], splitter: Splitter) -> list[Splitter]:
        if isinstance(splitter, UnivariateSplitter):
            return []
        nodes, machine = _nodes_of(splitter), _machine_of(splitter)
        # Weights that are trained together need less to hold them back than those of a node alone.
        l2 = sorted({machine.l2, *(p for p in penalties if p < machine.l2)})[-2:]
        bent = (False, True) if self.terms == "auto" else (machine.bent,)
        ways = [
            replace(machine, anneal=self.anneal is True, bent=b, l2=penalty)
            for b in bent
            for penalty in l2
        ]
        return [WholeTreeSplitter(_with_machine(nodes, way), way.l2) for way in ways]

    def _simpler(self, data: Data) -> Simpler | None:
        # What a column saves is hard to tell where a few rows cause most of the cost.
        if self.eliminate != "auto" or data.costs is not None:
            return None
        return _eliminating


#: Nodes of machines, perhaps among tests of one column.
Nodes = AnnealedMachineSplitter | MachineOrColumnSplitter


def _nodes_of(splitter: Splitter) -> Nodes:
    nodes = splitter.nodes if isinstance(splitter, WholeTreeSplitter) else splitter
    assert isinstance(nodes, Nodes)
    return nodes


def _machine_of(splitter: Splitter) -> AnnealedMachineSplitter:
    nodes = _nodes_of(splitter)
    return nodes.machine if isinstance(nodes, MachineOrColumnSplitter) else nodes


def _with_nodes(splitter: Splitter, nodes: Nodes) -> Splitter:
    return replace(splitter, nodes=nodes) if isinstance(splitter, WholeTreeSplitter) else nodes


def _with_machine(nodes: Nodes, machine: AnnealedMachineSplitter) -> Nodes:
    if isinstance(nodes, MachineOrColumnSplitter):
        return replace(nodes, machine=machine)
    return machine


def _with_columns(splitter: Splitter) -> list[Splitter]:
    ratio = UnivariateSplitter("gain_ratio", symbolic="groups")
    mixed = _with_nodes(splitter, MachineOrColumnSplitter(_machine_of(splitter)))
    return [mixed, ratio, replace(ratio, criterion="gain")]


def _eliminating(splitter: Splitter) -> Splitter | None:
    # Machines that were trained together would have to lose the same columns together.
    if isinstance(splitter, UnivariateSplitter | WholeTreeSplitter):
        return None
    machine = replace(_machine_of(splitter), eliminate=True)
    return _with_machine(_nodes_of(splitter), machine)
