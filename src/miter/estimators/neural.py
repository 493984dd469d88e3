"""Trees of perceptrons and networks: the best ones, and those of Yildiz and Alpaydin by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from miter.data.table import Data
from miter.estimators.tree import TreeClassifier
from miter.prune import Pruner
from miter.splitters import HybridSplitter, NetworkSplitter, PerceptronSplitter, Splitter

__all__ = [
    "HybridTreeClassifier",
    "NetworkTreeClassifier",
    "PerceptronTreeClassifier",
    "id_hybrid",
    "id_lp",
    "id_mlp",
]

#: The paper's trees: nodes with less than 5 % of the training rows are leaves, nothing is pruned.
AS_PUBLISHED: dict[str, Any] = {
    "training": "gradient",
    "min_samples_split": 0.05,
    "pruning": None,
}


class PerceptronTreeClassifier(TreeClassifier):
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
    rate, epochs : float, int
        Of gradient descent.
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from miter import PerceptronTreeClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> tree = PerceptronTreeClassifier().fit(X[::2], y[::2])
    >>> tree.get_n_leaves(), tree.score(X[1::2], y[1::2]) > 0.95
    (3, True)
    """

    def __init__(
        self,
        training: str = "optimal",
        *,
        l2: float | None = None,
        rate: float = 0.2,
        epochs: int = 25,
        pruning: Pruner | str | None = "cross_validated",
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
        self.training = training
        self.l2 = l2
        self.rate = rate
        self.epochs = epochs
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
        return [PerceptronSplitter(self.training, self.l2, self.rate, self.epochs)]


class NetworkTreeClassifier(TreeClassifier):
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
    starts : int
        Optimal training: networks that are trained, of which the one with the least loss is kept.
    rate, epochs : float, int
        Of gradient descent.
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> from miter import NetworkTreeClassifier
    >>> from miter.data import monks
    >>> NetworkTreeClassifier(random_state=0).fit(monks(1)).get_n_leaves()
    2
    """

    def __init__(
        self,
        training: str = "optimal",
        *,
        hidden: int | None = None,
        l2: float | None = None,
        starts: int = 2,
        rate: float = 0.5,
        epochs: int = 50,
        pruning: Pruner | str | None = "cross_validated",
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
        self.training = training
        self.hidden = hidden
        self.l2 = l2
        self.starts = starts
        self.rate = rate
        self.epochs = epochs
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
        splitter = NetworkSplitter(
            self.training, self.hidden, self.l2, self.starts, self.rate, self.epochs
        )
        return [splitter]


class HybridTreeClassifier(TreeClassifier):
    """A decision tree whose nodes are as simple as they may be: perceptrons, or networks.

    At each node a network is taken only if it is significantly better than the perceptron on rows
    that both were not trained on; what was found is said with the node. With `univariate` a test of
    one column competes too: an omnivariate tree.

    Parameters
    ----------
    choice : {"f_test", "t_test", "aic", "bic"}
        What decides: the combined 5x2cv F test, the paired t test over 30 folds, or an information
        criterion.
    level : float
        Of the tests: a more complex kind is taken if chance alone does as well at most this often.
    univariate : bool
        Whether a test of one column competes.
    training : {"optimal", "gradient"}
        As for `PerceptronTreeClassifier` and `NetworkTreeClassifier`. The paper's tree is
        `id_hybrid`.
    hidden : int, optional
        Hidden units of a network; see `NetworkTreeClassifier`.
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> from miter import HybridTreeClassifier
    >>> from miter.data import monks
    >>> tree = HybridTreeClassifier(random_state=0).fit(monks(1))
    >>> tree.tree_.notes[0].split(":")[0]
    'network'
    """

    def __init__(
        self,
        choice: str = "f_test",
        *,
        level: float = 0.05,
        univariate: bool = False,
        training: str = "optimal",
        hidden: int | None = None,
        pruning: Pruner | str | None = "cross_validated",
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
        self.choice = choice
        self.level = level
        self.univariate = univariate
        self.training = training
        self.hidden = hidden
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
        return [
            HybridSplitter(self.choice, self.level, self.univariate, self.training, self.hidden)
        ]


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
