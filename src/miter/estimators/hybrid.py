"""Trees that take the simplest kind of test that will do; that of Yildiz and Alpaydin by name."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from miter.estimators.parameters import estimator
from miter.estimators.perceptron import AS_PUBLISHED
from miter.estimators.tree import TreeEstimator
from miter.prune import Pruning
from miter.splitters import HybridSplitter

__all__ = ["HybridTreeClassifier", "id_hybrid"]


@estimator
class HybridTreeClassifier(TreeEstimator):
    """A decision tree whose nodes are as simple as they may be: perceptrons, or networks.

    At each node a network is taken only if it is significantly better than the perceptron on rows
    that both were not trained on; what was found is said with the node. With `univariate` a test of
    one column competes too: an omnivariate tree.

    Parameters
    ----------
    choice : {"f_test", "t_test", "aic", "bic"}
        What decides: the combined 5x2cv F test, the paired t test over 30 folds, or an information
        criterion.
    choice_significance : float
        Of the tests: a more complex kind is taken if chance alone does as well at most this often.
    univariate : bool
        Whether a test of one column competes.
    training : {"optimal", "gradient"}
        As for `PerceptronTreeClassifier` and `NetworkTreeClassifier`. The paper's tree is
        `id_hybrid`.
    hidden : int, optional
        Hidden units of a network; see `NetworkTreeClassifier`.

    Examples
    --------
    >>> from miter import HybridTreeClassifier
    >>> from miter.data import monks
    >>> tree = HybridTreeClassifier(random_state=0).fit(monks(1))
    >>> tree.tree_.notes[0].split(":")[0]
    'network'
    """

    choice: str = field(default="f_test", kw_only=False)
    choice_significance: float = 0.05
    univariate: bool = False
    training: str = "optimal"
    hidden: int | None = None
    pruning: Pruning | str | None = "cross_validated"

    splitter_class = HybridSplitter


def id_hybrid(**parameters: Any) -> HybridTreeClassifier:
    """Return ID-hybrid of Yildiz and Alpaydin: perceptrons, and networks where the F test says so.

    Parameters
    ----------
    **parameters
        Others of `HybridTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import id_hybrid
    >>> X, y = load_wine(return_X_y=True)
    >>> id_hybrid(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """
    return HybridTreeClassifier(**(AS_PUBLISHED | parameters))
