"""The learners that can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from miter.classifier import TreeClassifier, UnivariateTreeClassifier, id3
from miter.errors import did_you_mean

__all__ = ["LEARNERS", "make_learner"]

#: What each name makes, given its parameters.
LEARNERS: dict[str, Callable[..., TreeClassifier]] = {
    "univariate": UnivariateTreeClassifier,
    "id3": id3,
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
    >>> from miter.learners import make_learner
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
    known = LEARNERS[name]().get_params(deep=False)
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(
                f"learner {name!r} has no parameter {parameter!r}; {did_you_mean(parameter, known)}"
            )
    return LEARNERS[name](**parameters)
