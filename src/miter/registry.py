"""The learners there are: one table for Python, the command line, help, and model files.

Nothing is imported before it is asked for, and a name is never imported: it is looked up here, or
among scikit-learn's classifiers, so that a file that names learners cannot run anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from miter.errors import did_you_mean

__all__ = [
    "COLLECTIONS",
    "ENTRIES",
    "LEARNERS",
    "Entry",
    "collection_room",
    "find_class",
    "make_classifier",
    "make_learner",
    "notebook_html",
]


@dataclass(frozen=True)
class Entry:
    """A learner.

    Parameters
    ----------
    public : str
        Its name in `miter`; of a class, also its name in model files.
    home : str
        The module that it lives in.
    help : str
        What it is, in a line.
    name : str, optional
        Its name on the command line and in experiments; None: it has none there.
    """

    public: str
    home: str
    help: str
    name: str | None = None

    def load(self) -> Any:
        """Return the class, or the function that makes an estimator."""
        return getattr(import_module(self.home), self.public)


_ROOM = "miter.estimators"

ENTRIES = (
    Entry(
        "UnivariateTreeClassifier",
        f"{_ROOM}.univariate",
        "a tree that tests one column at a node",
        "univariate",
    ),
    Entry("c45", f"{_ROOM}.univariate", "much like C4.5", "c45"),
    Entry("id3", f"{_ROOM}.univariate", "ID3 as published", "id3"),
    Entry(
        "ReadableTreeClassifier",
        f"{_ROOM}.readable",
        "a tree of few short tests, which a person can hold in mind",
        "readable",
    ),
    Entry(
        "LinearMachineTreeClassifier",
        f"{_ROOM}.linear_machine",
        "a tree that weighs all columns at once; the most accurate tree here",
        "linear_machine",
    ),
    Entry(
        "ThermalMachineTreeClassifier",
        f"{_ROOM}.thermal_machine",
        "a tree of linear machines trained by the thermal rule",
        "thermal_machine",
    ),
    Entry("lmdt91", f"{_ROOM}.thermal_machine", "LMDT as published in 1991", "lmdt91"),
    Entry("lmdt93", f"{_ROOM}.thermal_machine", "LMDT as published in 1993", "lmdt93"),
    Entry(
        "LinearCombinationTreeClassifier",
        f"{_ROOM}.linear_combination",
        "a tree that tests sums of few columns",
        "linear_combination",
    ),
    Entry("cart_lc", f"{_ROOM}.linear_combination", "CART with linear combinations", "cart_lc"),
    Entry(
        "PerceptronTreeClassifier",
        f"{_ROOM}.perceptron",
        "a tree of perceptrons between two groups of classes",
        "perceptron",
    ),
    Entry("id_lp", f"{_ROOM}.perceptron", "ID-LP, the perceptron tree as published", "id_lp"),
    Entry(
        "NetworkTreeClassifier",
        f"{_ROOM}.network",
        "a tree of networks between two groups of classes",
        "network",
    ),
    Entry("id_mlp", f"{_ROOM}.network", "ID-MLP, the network tree as published", "id_mlp"),
    Entry(
        "HybridTreeClassifier",
        f"{_ROOM}.hybrid",
        "a tree of perceptrons, and of networks where they are significantly better",
        "hybrid",
    ),
    Entry("id_hybrid", f"{_ROOM}.hybrid", "ID-hybrid as published", "id_hybrid"),
    Entry(
        "ICATreeClassifier",
        f"{_ROOM}.ica",
        "a tree grown by structure alone, whose leaves are labelled afterwards",
        "ica",
    ),
    Entry("ICATree", f"{_ROOM}.ica", "clusters, by a tree grown by structure alone"),
    Entry("TreeClassifier", f"{_ROOM}.tree_classifier", "a tree with a splitter of one's own"),
    Entry("BaggedTreesClassifier", f"{_ROOM}.bagging", "the vote of many trees", "bagging"),
    Entry(
        "LinearMachineForestClassifier",
        f"{_ROOM}.forest",
        "a forest of linear machines and tests of one column",
        "forest",
    ),
    Entry(
        "RuleListClassifier",
        "miter.rules.classifier",
        "a list of IF ... THEN rules, made from a tree as C4.5 makes them",
        "rules",
    ),
    Entry("PixelClassifier", "miter.pixels", "classifies the pixels of photographs"),
)

#: The learners by their names on the command line and in experiments.
LEARNERS: dict[str, Entry] = {entry.name: entry for entry in ENTRIES if entry.name is not None}


def find_class(public: str) -> type | None:
    """Return the class that a model file names; None where there is none of the name."""
    for entry in ENTRIES:
        if entry.public == public:
            found = entry.load()
            return found if isinstance(found, type) else None
    return None


#: Tables that are nowhere together, by the package of their types: the room that reads them.
COLLECTIONS = {"dask": "miter.distributed.door"}


def collection_room(X: Any) -> Any:
    """Return what reads a table that is in partitions; None where it is in one place.

    Examples
    --------
    >>> from miter.registry import collection_room
    >>> collection_room([[1.0]]) is None
    True
    """
    home = COLLECTIONS.get(type(X).__module__.partition(".")[0])
    return None if home is None else import_module(home)


def notebook_html(model: Any) -> str:
    """Return a fitted model as notebooks show it; what knows how is above the learners."""
    shown: str = import_module("miter.show.notebook").notebook_html(model)
    return shown


def make_learner(name: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """Make one of Miter's learners from names alone, as a command line has them.

    Parameters
    ----------
    name : str
        One of `LEARNERS`.
    parameters : mapping, optional
        Parameter names to values. Values are looked at when the learner is fitted.

    Returns
    -------
    estimator
        Not fitted.

    Raises
    ------
    ValueError
        When there is no such learner, or it has no such parameter; with the names nearest to it.

    Examples
    --------
    >>> from miter.registry import make_learner
    >>> make_learner("id3", {"max_depth": 3})
    UnivariateTreeClassifier(criterion='gain', max_depth=3, min_samples_leaf=1,
                             missing='node', pruning=None, smoothing=0.0,
                             symbolic='values')
    >>> make_learner("id3", {"max_deep": 3})
    Traceback (most recent call last):
    ValueError: learner 'id3' has no parameter 'max_deep'; did you mean 'max_depth'?
    """
    if name not in LEARNERS:
        raise ValueError(f"there is no learner {name!r}; {did_you_mean(name, LEARNERS)}")
    make = LEARNERS[name].load()
    _check_parameters(name, parameters or {}, make().get_params(deep=False))
    return make(**(parameters or {}))


def make_classifier(name: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """Make a learner of Miter or a classifier of scikit-learn from names alone.

    Parameters
    ----------
    name : str
        One of `LEARNERS`, or the class of a classifier of scikit-learn, as
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
    >>> from miter.registry import make_classifier
    >>> make_classifier("sklearn.tree.DecisionTreeClassifier", {"max_depth": 3})
    DecisionTreeClassifier(max_depth=3)
    >>> make_classifier("DecisionTree")
    Traceback (most recent call last):
    ValueError: there is no learner 'DecisionTree'; did you mean 'DecisionTreeClassifier'?
    """
    if name in LEARNERS:
        return make_learner(name, parameters)
    kinds = _scikit_learn_classifiers()
    if name not in kinds:
        # Only names of the same form, so that no class is proposed twice.
        alike = (known for known in kinds if ("." in known) == ("." in name))
        raise ValueError(f"there is no learner {name!r}; {_nearest(name, [*LEARNERS, *alike])}")
    known = signature(kinds[name]).parameters
    _check_parameters(name, parameters or {}, known)
    for parameter in known.values():
        if parameter.default is Parameter.empty and parameter.name not in (parameters or {}):
            raise ValueError(
                f"learner {name!r} needs the parameter {parameter.name!r}; give it a value, or "
                "make the estimator in Python"
            )
    return kinds[name](**(parameters or {}))


def _check_parameters(
    name: str, parameters: Mapping[str, Any], known: Mapping[str, object]
) -> None:
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(
                f"learner {name!r} has no parameter {parameter!r}; {did_you_mean(parameter, known)}"
            )


def _nearest(name: str, known: Iterable[str]) -> str:
    near = did_you_mean(name, known)
    if near.endswith("?"):
        return near
    # Scikit-learn has dozens of classifiers, too many to list.
    return did_you_mean(name, LEARNERS) + ", and the names of scikit-learn's classifiers"


@cache
def _scikit_learn_classifiers() -> dict[str, type]:
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
