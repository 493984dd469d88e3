"""Linear machine trees: the best one, and those of the papers by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from miter.data.table import Data
from miter.errors import did_you_mean
from miter.estimators.tree import TreeClassifier
from miter.prune import Pruner
from miter.prune.choice import Simpler
from miter.splitters import AnnealedMachineSplitter, Splitter, ThermalMachineSplitter
from miter.splitters.annealed_machine import LARGE_ROWS

__all__ = ["LinearMachineTreeClassifier", "lmdt91", "lmdt93"]

#: Where mistakes differ in cost: times `l2`, with up to so many rows, and with more.
STRONGER, FEW_ROWS, WEAKER = (100.0, 10.0), 2000, 0.1

TRAINING = ("annealed", "thermal")
TERMS = ("auto", "linear", "bent")


class LinearMachineTreeClassifier(TreeClassifier):
    """A decision tree whose nodes weigh all columns at once.

    A node holds a linear machine: a discriminant for each class there, and the largest decides the
    branch. With the parameters as they are it is the most accurate tree that Miter has. Each
    machine is a logistic regression with an L2 penalty, in which a number may have one weight below
    its mean and another above. Cross-validation on the training rows tells how much to prune,
    whether annealing, or plain linear terms, do better, and whether columns can be left out without
    a single error more.

    Parameters
    ----------
    training : {"annealed", "thermal"} or ThermalMachineSplitter
        How machines are trained: by minimising a smooth error, or by the thermal rule of 1991. The
        papers' algorithms are `lmdt91` and `lmdt93`.
    l2 : float
        Annealed training: half of this times the squared weights is added to the loss. Where
        mistakes differ in cost, "cross_validated" also tries 10 and 100 times as much; with more
        than 2,000 rows it takes a tenth.
    terms : {"auto", "bent", "linear"}
        Annealed training: whether a number's weight may change at its mean.
    anneal : "auto" or bool
        Annealed training: whether the expected error is minimised after the logistic loss, at
        falling temperatures. Far errors then lose their pull. "auto" anneals beyond 20,000 rows.
    eliminate : "auto" or bool
        Annealed training: whether columns that do not help are taken out of each machine. "auto"
        does not try where mistakes differ in cost.
    max_variables : int, optional
        Annealed training: a machine of more columns keeps so many; with `eliminate` perhaps fewer.
    smoothing : float
        So many rows with the parent's probabilities are added to those of a leaf, and so on up to
        the root: a leaf of few rows is not sure.
    pruning : Pruner, str or None
        See `TreeClassifier`. Without "cross_validated" nothing is chosen: "auto" then means bent
        terms, no annealing, nothing eliminated.
    max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import LinearMachineTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = LinearMachineTreeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> tree.get_depth(), tree.score(X[1::2], y[1::2]) > 0.95
    (1, True)
    """

    def __init__(
        self,
        training: str | ThermalMachineSplitter = "annealed",
        *,
        l2: float = 0.3,
        terms: str = "auto",
        anneal: str | bool = "auto",
        eliminate: str | bool = "auto",
        max_variables: int | None = None,
        smoothing: float = 1.0,
        pruning: Pruner | str | None = "cross_validated",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        significance: float | None = None,
        costs: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: str | Sequence[Any] = "from_dtype",
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.training = training
        self.l2 = l2
        self.terms = terms
        self.anneal = anneal
        self.eliminate = eliminate
        self.max_variables = max_variables
        self.smoothing = smoothing
        self.pruning = pruning
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.significance = significance
        self.costs = costs
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def _make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        if not (isinstance(self.smoothing, int | float | np.number) and self.smoothing >= 0):
            raise ValueError(f"smoothing is {self.smoothing!r}; give a number from 0 on")
        if isinstance(self.training, ThermalMachineSplitter):
            return [self.training]
        if self.training not in TRAINING:
            raise ValueError(
                f"training is {self.training!r}; {did_you_mean(str(self.training), TRAINING)}"
            )
        if self.training == "thermal":
            return [ThermalMachineSplitter()]
        if self.terms not in TERMS:
            raise ValueError(f"terms is {self.terms!r}; {did_you_mean(str(self.terms), TERMS)}")
        for name in ("anneal", "eliminate"):
            if getattr(self, name) not in ("auto", True, False):
                raise ValueError(f"{name} is {getattr(self, name)!r}; give 'auto', True or False")
        eliminate = self.eliminate != "auto" and bool(self.eliminate)
        return [
            AnnealedMachineSplitter(l2, anneal, bent, eliminate, self.max_variables)
            for l2, anneal, bent in self._ways(data)
        ]

    def _ways(self, data: Data | None) -> list[tuple[float, bool, bool]]:
        """Return penalties, whether to anneal and whether to bend, the first choice first."""
        has_many = data is not None and data.n_rows > LARGE_ROWS
        # What annealing is worth grows with the rows and shows late; with many it is not tried out.
        tried = (True,) if has_many else (False, True)
        anneal = tried if self.anneal == "auto" else (bool(self.anneal),)
        bent = {"auto": (True, False), "bent": (True,), "linear": (False,)}[self.terms]
        ways = [(self.l2, a, b) for b in bent for a in anneal]
        if data is None or data.costs is None or self.pruning != "cross_validated":
            return ways
        if data.n_rows > FEW_ROWS:
            # Cheap mistakes are many, and count less each: the penalty must not drown them.
            return [(WEAKER * l2, a, b) for l2, a, b in ways]
        # Where a rare mistake is dear, few rows tell where the boundary is; the penalty holds it.
        return [(factor * self.l2, anneal[0], bent[0]) for factor in STRONGER] + ways

    def _smoothing(self, *, has_costs: bool) -> float:
        return float(self.smoothing)

    def _simpler(self, data: Data) -> Simpler | None:
        # What a column saves is hard to tell where a few rows cause most of the cost.
        if self.training != "annealed" or self.eliminate != "auto" or data.costs is not None:
            return None
        return lambda splitter: replace(splitter, eliminate=True)  # type: ignore[type-var]


def lmdt91(**parameters: Any) -> LinearMachineTreeClassifier:
    """Return LMDT as Utgoff and Brodley published it in 1991.

    Rows are drawn at random for thermal training, variables are eliminated one by one, the tree is
    pruned pessimistically.

    Parameters
    ----------
    **parameters
        Others of `ThermalMachineSplitter` or of `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import lmdt91
    >>> X, y = load_iris(return_X_y=True)
    >>> lmdt91(random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """
    return _thermal({"schedule": "draws", "a": 0.995, "pruning": "pessimistic"} | parameters)


def lmdt93(**parameters: Any) -> LinearMachineTreeClassifier:
    """Return LMDT as Draper, Brodley and Utgoff published it in 1993.

    Training goes through the rows in passes, elimination starts early, the tree is pruned on rows
    held out. With `costs` classes are trained in proportion to what their errors cost at the time,
    and machines and subtrees are compared by cost.

    Parameters
    ----------
    **parameters
        Others of `ThermalMachineSplitter` or of `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import lmdt93
    >>> X, y = load_iris(return_X_y=True)
    >>> lmdt93(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """
    settings = {"schedule": "passes", "a": 0.999, "early_start": 0.01, "pruning": "reduced_error"}
    return _thermal(settings | parameters)


def _thermal(parameters: dict[str, Any]) -> LinearMachineTreeClassifier:
    of_splitter = {field.name for field in fields(ThermalMachineSplitter)}
    # `significance` and `eliminate` are settings of the splitter and of the tree; here they are the
    # paper's.
    splitter = {name: value for name, value in parameters.items() if name in of_splitter}
    others = {name: value for name, value in parameters.items() if name not in of_splitter}
    others = {"smoothing": 0.0} | others
    return LinearMachineTreeClassifier(ThermalMachineSplitter(**splitter), **others)
