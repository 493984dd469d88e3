"""Linear machine decision trees by the names of their papers."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from miter.classifier import TreeClassifier
from miter.splitters import ThermalMachineSplitter

__all__ = ["lmdt91", "lmdt93"]


def lmdt91(**parameters: Any) -> TreeClassifier:
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
    return _tree({"schedule": "draws", "a": 0.995, "pruning": "pessimistic"} | parameters)


def lmdt93(**parameters: Any) -> TreeClassifier:
    """Return LMDT as Draper, Brodley and Utgoff published it in 1993.

    Training goes through the rows in passes, elimination starts early, the tree is pruned on rows
    held out. Misclassification costs are not part of it yet.

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
    return _tree(settings | parameters)


def _tree(parameters: dict[str, Any]) -> TreeClassifier:
    of_splitter = {field.name for field in fields(ThermalMachineSplitter)}
    splitter = {name: value for name, value in parameters.items() if name in of_splitter}
    others = {name: value for name, value in parameters.items() if name not in of_splitter}
    return TreeClassifier(ThermalMachineSplitter(**splitter), **others)
