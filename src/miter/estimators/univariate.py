"""Univariate trees: ID3, C4.5 and their neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from miter.checks import check_choice
from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import SmoothedTreeEstimator, splitter_of
from miter.prune import Pruning
from miter.splitters import Splitter, UnivariateSplitter
from miter.splitters.univariate import SYMBOLIC

__all__ = ["UnivariateTreeClassifier", "c45", "id3"]


@estimator
class UnivariateTreeClassifier(SmoothedTreeEstimator):
    """A decision tree whose nodes test one column each: ID3, C4.5 and their neighbours.

    With the parameters as they are, cross-validation on the training rows tells how much to prune,
    what the best test is, and whether the values of symbols are grouped. The algorithms of the
    papers are `c45` and `id3`.

    Parameters
    ----------
    criterion : {"auto", "gain_ratio", "gain", "normalised_gain", "gini", "tan_schlimmer", "nunez"}
        What the best test maximises; see `miter.splitters.UnivariateSplitter`. "auto":
        "cross_validated" chooses between gain ratio and gain, as the ratio takes small pure parts
        for good tests where columns are very many; without it gain ratio.
    numeric : {"threshold", "intervals"}
        Numbers: one threshold, or Fayyad and Irani's several cuts by description length.
    symbolic : {"auto", "values", "groups"}
        Symbols: a branch for each value, or two groups of values. "auto": "cross_validated" chooses
        where a symbol has more than two values; without it groups.
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
    smoothing : float
        So many rows with the parent's probabilities are added to those of a leaf, and so on up to
        the root: a leaf of few rows is not sure. At least 1 where mistakes differ in cost.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import UnivariateTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> UnivariateTreeClassifier().fit(X, y).score(X, y) > 0.95
    True
    """

    criterion: str = field(default="auto", kw_only=False)
    numeric: str = "threshold"
    symbolic: str = "auto"
    missing: str = "fractions"
    thresholds: str = "auto"
    attribute_costs: Mapping[str, float] | None = None
    cost_weight: float = 1.0
    pruning: Pruning | str | None = "cross_validated"
    min_samples_leaf: float = 2

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return ways to find tests, the first choice first."""
        check_choice("symbolic", self.symbolic, ("auto", *SYMBOLIC))
        symbolic = [self.symbolic]
        if self.symbolic == "auto":
            has_choice = data is not None and max(data.schema.n_values, default=0) > 2
            symbolic = ["groups", "values"] if has_choice else ["groups"]
        criteria = ["gain_ratio", "gain"] if self.criterion == "auto" else [self.criterion]
        first, *others = symbolic
        ways = [(criterion, first) for criterion in criteria] + [(criteria[0], s) for s in others]
        return [
            splitter_of(self, UnivariateSplitter, criterion=criterion, symbolic=way)
            for criterion, way in ways
        ]

    def _smoothing(self, *, has_costs: bool) -> float:
        # Where one mistake costs far more than another, a leaf of two rows must not be sure.
        return max(float(self.smoothing), 1.0 if has_costs else 0.0)


def c45(**parameters: Any) -> UnivariateTreeClassifier:
    """Return a tree with the settings of C4.5.

    That is gain ratio, a branch for each value of a symbol, fractions of rows where values are
    missing, pessimistic pruning, and shares of the training rows as probabilities.

    Parameters
    ----------
    **parameters
        Others of `UnivariateTreeClassifier`.

    Examples
    --------
    >>> from miter import c45
    >>> from miter.data import play_tennis
    >>> c45().fit(play_tennis()).get_n_leaves()
    4
    """
    settings: dict[str, Any] = {
        "criterion": "gain_ratio",
        "symbolic": "values",
        "pruning": "pessimistic",
        "smoothing": 0.0,
    }
    return UnivariateTreeClassifier(**(settings | parameters))


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
    settings: dict[str, Any] = {
        "symbolic": "values",
        "missing": "node",
        "pruning": None,
        "min_samples_leaf": 1,
        "smoothing": 0.0,
    }
    return UnivariateTreeClassifier(criterion, **(settings | parameters))
