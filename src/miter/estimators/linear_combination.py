"""Trees of hyperplanes that are found one coefficient at a time: the best one, and CART's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from miter.data.table import Data
from miter.estimators.tree import TreeClassifier
from miter.prune import Pruner
from miter.splitters import LinearCombinationSplitter, Splitter

__all__ = ["LinearCombinationTreeClassifier", "cart_lc"]


class LinearCombinationTreeClassifier(TreeClassifier):
    """A decision tree whose nodes test a linear combination of few columns: CART-LC and better.

    A node takes the best of three hyperplanes: the best test of one variable, the direction of a
    logistic regression that tells a class from the others, and, where it gains a tenth more than
    both, the one that CART's search over the coefficients finds, without the variables that it does
    not need.

    Parameters
    ----------
    criterion : {"gini", "gain"}
        What to maximise: the decrease of the Gini index, or information gain.
    deletion : float
        The search takes out variables while that costs no more than this part of the gain.
    restarts : int
        How many more searches begin in random directions.
    l2 : float, optional
        Half of this times the squared weights is the penalty of the logistic regression; None:
        there is only the search, as in CART.
    missing : {"node", "training"}
        What a missing value counts as: the mean of the node's rows, or the mean or most common
        value of all training rows.
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import LinearCombinationTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = LinearCombinationTreeClassifier().fit(X[::2], y[::2])
    >>> tree.get_n_leaves(), tree.score(X[1::2], y[1::2]) > 0.9
    (3, True)
    """

    def __init__(
        self,
        criterion: str = "gini",
        *,
        deletion: float = 0.1,
        restarts: int = 0,
        l2: float | None = 1.0,
        missing: str = "node",
        pruning: Pruner | str | None = "pessimistic",
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
        self.criterion = criterion
        self.deletion = deletion
        self.restarts = restarts
        self.l2 = l2
        self.missing = missing
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
        splitter = LinearCombinationSplitter(
            self.criterion, self.deletion, self.restarts, self.l2, self.missing
        )
        return [splitter]


def cart_lc(criterion: str = "gain", **parameters: Any) -> LinearCombinationTreeClassifier:
    """Return CART with linear combinations, as Yildiz and Alpaydin compare it.

    There is only the search over the coefficients. Nodes with less than 5 % of the training rows
    are leaves, nothing is pruned; means and most common values of all training rows are filled in.

    Parameters
    ----------
    criterion : str
        What to maximise; the paper does not say, and measures its other trees by entropy.
    **parameters
        Others of `LinearCombinationTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import cart_lc
    >>> X, y = load_iris(return_X_y=True)
    >>> cart_lc().fit(X, y).score(X, y) > 0.95
    True
    """
    settings: dict[str, Any] = {
        "l2": None,
        "missing": "training",
        "pruning": None,
        "min_samples_split": 0.05,
    }
    return LinearCombinationTreeClassifier(criterion, **(settings | parameters))
