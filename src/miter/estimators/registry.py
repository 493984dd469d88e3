"""The learners that can be asked for by name.

A name is never imported: it is looked up among Miter's own learners and scikit-learn's classifiers,
so that a file that names learners cannot run anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any

from sklearn.base import BaseEstimator

from miter.errors import did_you_mean
from miter.estimators.bagging import BaggedTreesClassifier
from miter.estimators.forest import LinearMachineForestClassifier
from miter.estimators.ica import ICATreeClassifier
from miter.estimators.linear_combination import LinearCombinationTreeClassifier, cart_lc
from miter.estimators.linear_machine import LinearMachineTreeClassifier, lmdt91, lmdt93
from miter.estimators.neural import (
    HybridTreeClassifier,
    NetworkTreeClassifier,
    PerceptronTreeClassifier,
    id_hybrid,
    id_lp,
    id_mlp,
)
from miter.estimators.tree import TreeClassifier
from miter.estimators.univariate import UnivariateTreeClassifier, id3
from miter.splitters import Splitter

__all__ = ["ENSEMBLES", "LEARNERS", "make_classifier", "make_learner"]

#: What each name makes, given its parameters.
LEARNERS: dict[str, Callable[..., TreeClassifier]] = {
    "univariate": UnivariateTreeClassifier,
    "id3": id3,
    "linear_combination": LinearCombinationTreeClassifier,
    "cart_lc": cart_lc,
    "linear_machine": LinearMachineTreeClassifier,
    "lmdt91": lmdt91,
    "lmdt93": lmdt93,
    "perceptron": PerceptronTreeClassifier,
    "id_lp": id_lp,
    "network": NetworkTreeClassifier,
    "id_mlp": id_mlp,
    "hybrid": HybridTreeClassifier,
    "id_hybrid": id_hybrid,
    "ica": ICATreeClassifier,
}
#: What consists of many trees; model files and pictures are for one.
ENSEMBLES: dict[str, Callable[..., BaseEstimator]] = {
    "bagging": BaggedTreesClassifier,
    "forest": LinearMachineForestClassifier,
}


def make_learner(name: str, parameters: Mapping[str, Any] | None = None) -> TreeClassifier:
    """Make a learner from names alone, as a command line has them.

    Parameters
    ----------
    name : str
        One of `LEARNERS`.
    parameters : mapping, optional
        Parameter names to values. Values are looked at when the learner is fitted.

    Returns
    -------
    TreeClassifier
        Not fitted.

    Raises
    ------
    ValueError
        When there is no such learner, or it has no such parameter; with the names nearest to it.

    Examples
    --------
    >>> from miter.estimators.registry import make_learner
    >>> make_learner("id3", {"max_depth": 3})
    UnivariateTreeClassifier(criterion='gain', max_depth=3, min_samples_leaf=1,
                             missing='node', pruning=None)
    >>> make_learner("id3", {"max_deep": 3})
    Traceback (most recent call last):
    ValueError: learner 'id3' has no parameter 'max_deep'; did you mean 'max_depth'?
    """
    if name not in LEARNERS:
        raise ValueError(f"there is no learner {name!r}; {did_you_mean(name, LEARNERS)}")
    parameters = dict(parameters or {})
    _check_parameters(name, parameters, _known_parameters(LEARNERS[name]()))
    return LEARNERS[name](**parameters)


def _known_parameters(learner: TreeClassifier) -> dict[str, Any]:
    """Return what can be said of a learner by name: of the tree, and of how splits are found."""
    known = learner.get_params(deep=False)
    for name, value in list(known.items()):
        if isinstance(value, Splitter):
            known.pop(name)
            known |= vars(value)
    return known


def make_classifier(name: str, parameters: Mapping[str, Any] | None = None) -> BaseEstimator:
    """Make a learner of Miter or a classifier of scikit-learn from names alone.

    Parameters
    ----------
    name : str
        One of `LEARNERS` or `ENSEMBLES`, or the class of a classifier of scikit-learn, as
        ``DecisionTreeClassifier`` or ``sklearn.tree.DecisionTreeClassifier``.
    parameters : mapping, optional
        Parameter names to values. Values are looked at when the learner is fitted.

    Returns
    -------
    estimator
        Not fitted.

    Raises
    ------
    ValueError
        When there is no such learner, it has no such parameter, or it needs one that is not given.

    Examples
    --------
    >>> from miter.estimators.registry import make_classifier
    >>> make_classifier("sklearn.tree.DecisionTreeClassifier", {"max_depth": 3})
    DecisionTreeClassifier(max_depth=3)
    >>> make_classifier("DecisionTree")
    Traceback (most recent call last):
    ValueError: there is no learner 'DecisionTree'; did you mean 'DecisionTreeClassifier'?
    """
    if name in LEARNERS:
        return make_learner(name, parameters)
    kind = _find_classifier(name)
    parameters = dict(parameters or {})
    known = signature(kind).parameters
    _check_parameters(name, parameters, known)
    for parameter in known.values():
        if parameter.default is Parameter.empty and parameter.name not in parameters:
            raise ValueError(
                f"learner {name!r} needs the parameter {parameter.name!r}; give it a value, or "
                "make the estimator in Python"
            )
    return kind(**parameters)


def _check_parameters(
    name: str, parameters: Mapping[str, Any], known: Mapping[str, object]
) -> None:
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(
                f"learner {name!r} has no parameter {parameter!r}; {did_you_mean(parameter, known)}"
            )


def _find_classifier(name: str) -> Callable[..., BaseEstimator]:
    if name in ENSEMBLES:
        return ENSEMBLES[name]
    kinds = _scikit_learn_classifiers()
    if name in kinds:
        return kinds[name]
    # Only names of the same form, so that no class is proposed twice.
    alike = (known for known in kinds if ("." in known) == ("." in name))
    raise ValueError(
        f"there is no learner {name!r}; {_nearest(name, [*LEARNERS, *ENSEMBLES, *alike])}"
    )


def _nearest(name: str, known: Iterable[str]) -> str:
    near = did_you_mean(name, known)
    if near.endswith("?"):
        return near
    # Scikit-learn has dozens of classifiers, too many to list.
    return (
        did_you_mean(name, [*LEARNERS, *ENSEMBLES])
        + ", and the names of scikit-learn's classifiers"
    )


@cache
def _scikit_learn_classifiers() -> dict[str, Callable[..., BaseEstimator]]:
    """Return scikit-learn's classifiers by class name, with and without the public module."""
    from sklearn.utils.discovery import all_estimators

    kinds = {}
    for name, kind in all_estimators(type_filter="classifier"):
        kinds[name] = kind
        kinds[f"{_public_module(kind)}.{name}"] = kind
    return kinds


def _public_module(kind: type) -> str:
    """Return the module that documents a class: what comes before the first private part."""
    parts = kind.__module__.split(".")
    private = (place for place, part in enumerate(parts) if part.startswith("_"))
    return ".".join(parts[: next(private, len(parts))])
