"""Trees of linear combinations: the best one, and that of CART by name."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from miter.estimators.parameters import estimator
from miter.estimators.tree import TreeEstimator
from miter.prune import Pruning
from miter.splitters import LinearCombinationSplitter

__all__ = ["LinearCombinationTreeClassifier", "cart_lc"]


@estimator
class LinearCombinationTreeClassifier(TreeEstimator):
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
    n_init : int
        How many searches; all but the first begin in random directions.
    l2 : float, optional
        Half of this times the squared weights is the penalty of the logistic regression; None:
        there is only the search, as in CART.
    missing : {"node", "training"}
        What a missing value counts as: the mean of the node's rows, or the mean or most common
        value of all training rows.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import LinearCombinationTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = LinearCombinationTreeClassifier().fit(X[::2], y[::2])
    >>> tree.get_n_leaves(), tree.score(X[1::2], y[1::2]) > 0.9
    (3, True)
    """

    criterion: str = field(default="gini", kw_only=False)
    deletion: float = 0.1
    n_init: int = 1
    l2: float | None = 1.0
    missing: str = "node"
    pruning: Pruning | str | None = "cross_validated"

    splitter_class = LinearCombinationSplitter


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
