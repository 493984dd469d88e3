"""Trees of networks: the best one, and that of Yildiz and Alpaydin by name."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from miter.estimators.parameters import estimator
from miter.estimators.perceptron import AS_PUBLISHED
from miter.estimators.tree import TreeEstimator
from miter.prune import Pruning
from miter.splitters import NetworkSplitter

__all__ = ["NetworkTreeClassifier", "id_mlp"]


@estimator
class NetworkTreeClassifier(TreeEstimator):
    """A decision tree whose nodes are networks: curved boundaries between two groups of classes.

    Parameters
    ----------
    training : {"optimal", "gradient"}
        Logistic loss and weight decay, minimised from several starts; or stochastic gradient
        descent on the squared error, inputs scaled to 0..1 and missing values filled with means and
        most common values of the training rows, as published. The paper's tree is `id_mlp`.
    hidden : int, optional
        Hidden units. None: half as many as inputs; with optimal training 5 to 20.
    l2 : float, optional
        Optimal training: half of this times the squared weights is added to the loss. None: chosen
        at each node by cross-validation.
    n_init : int
        Optimal training: networks that are trained, of which the one with the least loss is kept.
    learning_rate, epochs : float, int
        Of gradient descent.

    Examples
    --------
    >>> from miter import NetworkTreeClassifier
    >>> from miter.data import monks
    >>> NetworkTreeClassifier(random_state=0).fit(monks(1)).get_n_leaves()
    2
    """

    training: str = field(default="optimal", kw_only=False)
    hidden: int | None = None
    l2: float | None = None
    n_init: int = 2
    learning_rate: float = 0.5
    epochs: int = 50
    pruning: Pruning | str | None = "cross_validated"

    splitter_class = NetworkSplitter


def id_mlp(**parameters: Any) -> NetworkTreeClassifier:
    """Return ID-MLP, the network tree of Yildiz and Alpaydin.

    Parameters
    ----------
    **parameters
        Others of `NetworkTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import id_mlp
    >>> X, y = load_wine(return_X_y=True)
    >>> id_mlp(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """
    return NetworkTreeClassifier(**(AS_PUBLISHED | parameters))
