"""Linear machine trees as published, LMDT: trained by the thermal rule."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from miter.estimators.parameters import estimator
from miter.estimators.tree import SmoothedTreeEstimator
from miter.prune import Pruning
from miter.splitters import ThermalMachineSplitter

__all__ = ["ThermalMachineTreeClassifier", "lmdt91", "lmdt93"]


@estimator
class ThermalMachineTreeClassifier(SmoothedTreeEstimator):
    """A decision tree of linear machines that are trained by the thermal rule of 1991.

    The papers' own are `lmdt91` and `lmdt93`; `LinearMachineTreeClassifier` is more accurate.

    Parameters
    ----------
    schedule : {"draws", "passes"}
        Correct rows drawn at random (1991), or go through all of them again and again (1993).
    a, b : float
        The temperature beta falls to a beta - b.
    eliminate : {"variables", "columns"} or None
        Take variables out one by one, all variables of a symbol together, or not at all.
    eliminate_significance : float
        Level of the test that a smaller machine must pass against the best.
    delta : float
        Stop eliminating when accuracy has fallen by this much.
    early_start : float
        Eliminate once the magnitude of the machine stays within this part of its greatest; 0: when
        training has ended.
    keep_best : bool
        Keep the best machine seen in training in place of the last.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import ThermalMachineTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ThermalMachineTreeClassifier(a=0.99, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    schedule: str = field(default="draws", kw_only=False)
    a: float = 0.995
    b: float = 0.0005
    eliminate: str | None = "variables"
    eliminate_significance: float = 0.01
    delta: float = 0.10
    early_start: float = 0.0
    keep_best: bool = True
    smoothing: float = 0.0
    pruning: Pruning | str | None = "pessimistic"

    splitter_class = ThermalMachineSplitter


def lmdt91(**parameters: Any) -> ThermalMachineTreeClassifier:
    """Return LMDT as Utgoff and Brodley published it in 1991.

    Rows are drawn at random for thermal training, variables are eliminated one by one, the tree is
    pruned pessimistically.

    Parameters
    ----------
    **parameters
        Others of `ThermalMachineTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import lmdt91
    >>> X, y = load_iris(return_X_y=True)
    >>> lmdt91(random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """
    settings: dict[str, Any] = {"schedule": "draws", "a": 0.995, "pruning": "pessimistic"}
    return ThermalMachineTreeClassifier(**(settings | parameters))


def lmdt93(**parameters: Any) -> ThermalMachineTreeClassifier:
    """Return LMDT as Draper, Brodley and Utgoff published it in 1993.

    Training goes through the rows in passes, elimination starts early, the tree is pruned on rows
    held out. With `costs` classes are trained in proportion to what their errors cost at the time,
    and machines and subtrees are compared by cost.

    Parameters
    ----------
    **parameters
        Others of `ThermalMachineTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import lmdt93
    >>> X, y = load_iris(return_X_y=True)
    >>> lmdt93(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """
    settings: dict[str, Any] = {
        "schedule": "passes",
        "a": 0.999,
        "early_start": 0.01,
        "pruning": "reduced_error",
    }
    return ThermalMachineTreeClassifier(**(settings | parameters))
