"""Trees of perceptrons: the best one, and that of Yildiz and Alpaydin by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from miter.checks import check_whether
from miter.data.table import Data
from miter.estimators.parameters import estimator
from miter.estimators.tree import TreeEstimator, splitter_of
from miter.prune import Pruning
from miter.splitters import PerceptronSplitter, Splitter, WholeTreeSplitter

__all__ = ["PerceptronTreeClassifier", "id_lp"]


#: The penalty of all weights together where none is given.
L2 = 0.3

#: The paper's trees: nodes with less than 5 % of the training rows are leaves, nothing is pruned.
AS_PUBLISHED: dict[str, Any] = {
    "training": "gradient",
    "min_samples_split": 0.05,
    "pruning": None,
}


@estimator
class PerceptronTreeClassifier(TreeEstimator):
    """A decision tree whose nodes are perceptrons: hyperplanes between two groups of classes.

    Parameters
    ----------
    training : {"optimal", "gradient"}
        Logistic loss and an L2 penalty, minimised; or stochastic gradient descent on the squared
        error, inputs scaled to 0..1 and missing values filled with means and most common values of
        the training rows, as published. The paper's tree is `id_lp`.
    l2 : float, optional
        Optimal training: half of this times the squared weights is added to the loss. None: chosen
        at each node by leaving out one row after the other, approximately.
    learning_rate, epochs : float, int
        Of gradient descent.
    whole_tree : "auto" or bool
        Whether all weights of the tree are trained together once it is grown. "auto" leaves it to
        "cross_validated", and does not try it with gradient descent.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import PerceptronTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = PerceptronTreeClassifier().fit(X[::2], y[::2])
    >>> tree.get_n_leaves(), tree.score(X[1::2], y[1::2]) > 0.95
    (3, True)
    """

    training: str = field(default="optimal", kw_only=False)
    l2: float | None = None
    learning_rate: float = 0.2
    epochs: int = 25
    whole_tree: str | bool = "auto"
    pruning: Pruning | str | None = "cross_validated"

    splitter_class = PerceptronSplitter

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return perceptrons trained one by one, together, or both for a choice."""
        check_whether("whole_tree", self.whole_tree)
        perceptron = splitter_of(self, PerceptronSplitter)
        whole = WholeTreeSplitter(perceptron, self.l2 or L2)
        if self.whole_tree != "auto":
            return [whole if self.whole_tree else perceptron]
        return [perceptron, whole] if self.training == "optimal" else [perceptron]


def id_lp(**parameters: Any) -> PerceptronTreeClassifier:
    """Return ID-LP, the perceptron tree of Yildiz and Alpaydin.

    Parameters
    ----------
    **parameters
        Others of `PerceptronTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import id_lp
    >>> X, y = load_wine(return_X_y=True)
    >>> id_lp(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """
    return PerceptronTreeClassifier(**(AS_PUBLISHED | parameters))
