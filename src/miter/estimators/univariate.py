"""Univariate trees: ID3, C4.5 and their neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from miter.data.table import Data
from miter.estimators.tree import TreeClassifier
from miter.prune import Pruner
from miter.splitters import Splitter, UnivariateSplitter

__all__ = ["UnivariateTreeClassifier", "id3"]


class UnivariateTreeClassifier(TreeClassifier):
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
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import UnivariateTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> UnivariateTreeClassifier().fit(X, y).score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        criterion: str = "gain_ratio",
        *,
        numeric: str = "threshold",
        symbolic: str = "values",
        missing: str = "fractions",
        thresholds: str = "auto",
        attribute_costs: Mapping[str, float] | None = None,
        cost_weight: float = 1.0,
        pruning: Pruner | str | None = "pessimistic",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 2,
        significance: float | None = None,
        costs: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: str | Sequence[Any] = "from_dtype",
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.criterion = criterion
        self.numeric = numeric
        self.symbolic = symbolic
        self.missing = missing
        self.thresholds = thresholds
        self.attribute_costs = attribute_costs
        self.cost_weight = cost_weight
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
        splitter = UnivariateSplitter(
            self.criterion,
            self.numeric,
            self.symbolic,
            self.missing,
            self.thresholds,
            self.attribute_costs or {},
            self.cost_weight,
        )
        return [splitter]


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
