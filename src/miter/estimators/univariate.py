"""Univariate trees: ID3, C4.5 and their neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from miter.estimators.parameters import estimator
from miter.estimators.tree import TreeEstimator
from miter.prune import Pruning
from miter.splitters import UnivariateSplitter

__all__ = ["UnivariateTreeClassifier", "id3"]


@estimator
class UnivariateTreeClassifier(TreeEstimator):
    """A decision tree whose nodes test one column each: ID3, C4.5 and their neighbours.

    With the parameters as they are it is much like C4.5: gain ratio, fractions of rows where values
    are missing, pessimistic pruning.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain", "normalised_gain", "gini", "tan_schlimmer", "nunez"}
        What the best test maximises; see `miter.splitters.UnivariateSplitter`.
    numeric : {"threshold", "intervals"}
        Numbers: one threshold, or Fayyad and Irani's several cuts by description length.
    symbolic : {"values", "groups"}
        Symbols: a branch for each value, or two groups of values.
    missing : {"fractions", "node", "class", "training"}
        What a missing value counts as: a fraction in each branch, the most common value at the
        node, the most common value of the same class at the node, or the mean or most common value
        of all training rows.
    thresholds : {"auto", "exact", "histogram"}
        All thresholds, or 255 quantiles of each column; by itself from 100,000 rows on.
    attribute_costs : mapping of column name to cost, optional
        For "tan_schlimmer" and "nunez"; columns not named cost 1.
    cost_weight : float
        The exponent w of "nunez", 0 to 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import UnivariateTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> UnivariateTreeClassifier().fit(X, y).score(X, y) > 0.95
    True
    """

    criterion: str = field(default="gain_ratio", kw_only=False)
    numeric: str = "threshold"
    symbolic: str = "values"
    missing: str = "fractions"
    thresholds: str = "auto"
    attribute_costs: Mapping[str, float] | None = None
    cost_weight: float = 1.0
    pruning: Pruning | str | None = "pessimistic"
    min_samples_leaf: float = 2

    splitter_class = UnivariateSplitter


def id3(criterion: str = "gain", **parameters: Any) -> UnivariateTreeClassifier:
    """Return a tree with the settings of ID3: information gain, nothing pruned.

    The ID3 of MLC++ is ``id3("normalised_gain")``; that of Yildiz and Alpaydin, which stops at
    nodes with less than 5 % of the training rows and fills in means and most common values,
    ``id3(min_samples_split=0.05, missing="training")``.

    Parameters
    ----------
    criterion : str
        What the best test maximises.
    **parameters
        Others of `UnivariateTreeClassifier`.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> id3().fit(play_tennis()).get_n_leaves()
    7
    """
    settings: dict[str, Any] = {"missing": "node", "pruning": None, "min_samples_leaf": 1}
    return UnivariateTreeClassifier(criterion, **(settings | parameters))
