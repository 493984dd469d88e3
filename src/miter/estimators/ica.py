"""Trees grown from the shape of the data: a clusterer, and a classifier that needs few labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from miter.data.schema import NO_LABEL
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.estimators.reading import (
    ReadsTables,
    read_partly_labelled,
    read_rows,
    read_unlabelled,
    weigh_rows,
)
from miter.estimators.tree import TreeClassifier
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.progress import ProgressLine
from miter.prune import CrossValidated, Pruner
from miter.splits import Linear
from miter.splitters import ICASplitter, LabelledICASplitter, Splitter
from miter.tree import Tree

__all__ = ["ICATree", "ICATreeClassifier"]

LABELS = ("afterwards", "together")


class ICATree(
    ReadsTables, ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator
):
    """Clusters rows by a tree: each node cuts across the direction with the most structure.

    The number of clusters is not given: a node is divided where two groups describe its rows more
    shortly than one, and stays whole elsewhere. Clusters are the leaves, from left to right.

    Parameters
    ----------
    rule, cut, stop, level, max_density, n_starts, max_rows
        How a node is cut, and when it is not; see `miter.splitters.ICASplitter`.
    max_depth : int, optional
        Splits on the longest path; None: as deep as it gets.
    min_samples_leaf : int or float
        Each cluster has this weight at least; a float is a share of the training set.
    categorical_features : "from_dtype", or array of bool, int or str
        Which columns are symbolic. By default texts, categories and booleans of a frame.
    random_state : int, RandomState or None
        Chooses the rows that large nodes are searched on; smaller ones use no chance.
    n_threads : int, optional
        None: all cores. The tree does not depend on it.
    verbose : bool
        Show a line of progress once growing takes more than a second.

    Attributes
    ----------
    tree_ : Tree
        What was learned; its classes are the clusters.
    labels_ : ndarray of shape (n_rows,)
        The cluster of each training row.
    n_clusters_ : int
        How many there are.
    n_features_in_ : int
        Columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where they had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import ICATree, export_text
    >>> X = load_iris(as_frame=True).data[["petal length (cm)", "petal width (cm)"]]
    >>> clusters = ICATree().fit(X)
    >>> print(export_text(clusters))
    3.262 petal length (cm) + 7.554 petal width (cm) <= 13.63: 0 (50)
    3.262 petal length (cm) + 7.554 petal width (cm) > 13.63
    |   12.13 petal length (cm) - 16.14 petal width (cm) <= 41.43: 1 (90)
    |   12.13 petal length (cm) - 16.14 petal width (cm) > 41.43: 2 (10)
    """

    tree_: Tree
    labels_: NDArray[np.int32]
    n_clusters_: int
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        rule: str = "mixture",
        *,
        cut: str = "valley",
        stop: str | None = "description_length",
        level: float = 0.01,
        max_density: float | None = 0.8,
        n_starts: int = 8,
        max_rows: int = 10_000,
        max_depth: int | None = None,
        min_samples_leaf: float = 10,
        categorical_features: str | Sequence[Any] = "from_dtype",
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.rule = rule
        self.cut = cut
        self.stop = stop
        self.level = level
        self.max_density = max_density
        self.n_starts = n_starts
        self.max_rows = max_rows
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def fit(self, X: Any, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : DataFrame, array or Data
            Rows; symbols and missing values may be in it.
        y : ignored
            Here so that a clusterer may stand in a pipeline.
        sample_weight : array, optional
            How often each row counts.
        """
        splitter = _splitter_of(self)
        stopping = Stopping(self.max_depth, min_samples_leaf=self.min_samples_leaf)
        data = read_unlabelled(self, X, self.categorical_features)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        progress = ProgressLine() if self.verbose else None
        try:
            tree = grow(
                _of_one_class(weigh_rows(data, sample_weight)),
                splitter,
                stopping,
                seed=seed,
                n_threads=self.n_threads,
                progress=progress,
            )
        finally:
            if progress is not None:
                progress.close()
        self._set_fitted(_name_leaves(tree))
        self.labels_ = self.tree_.predict(data.X, self.n_threads)
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster of every row."""
        return self._fitted_tree().predict(self._rows(X), self.n_threads)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the number of the node where every row ends."""
        return self._fitted_tree().apply(self._rows(X), self.n_threads)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return how much every row belongs to each cluster: rows x clusters, each row sums to 1.

        Along the path to a leaf the probabilities of the branches are multiplied.
        """
        return _memberships(self._fitted_tree(), self._rows(X))

    def score(self, X: Any, y: object = None) -> float:
        """Return what the clusters tell about rows, in nats: the larger, the better.

        This is the mutual information of row and cluster: the entropy of the clusters' sizes, less
        the mean entropy of a row's memberships. One cluster tells nothing; clusters that are large,
        many and far apart tell most.
        """
        memberships = self.transform(X)
        return float(_entropy(memberships.mean(axis=0)) - _entropy(memberships).mean())

    def get_depth(self) -> int:
        """Return the number of splits on the longest path."""
        return self._fitted_tree().depth

    def get_n_leaves(self) -> int:
        """Return the number of clusters."""
        return self._fitted_tree().n_leaves

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_

    def _rows(self, X: Any) -> NDArray[Any]:
        return read_rows(self, X, self._fitted_tree().schema)

    def _fitted_tree(self) -> Tree:
        if not hasattr(self, "tree_"):
            check_is_fitted(self)
        return self.tree_

    def _set_fitted(self, tree: Tree, costs: None = None) -> Self:
        self.tree_ = tree
        self.n_clusters_ = tree.n_leaves
        self.n_features_in_ = tree.schema.n_columns
        return self


def _splitter_of(model: Any) -> ICASplitter:
    return ICASplitter(
        model.rule,
        model.cut,
        model.stop,
        model.level,
        model.max_density,
        model.n_starts,
        model.max_rows,
    )


def _of_one_class(data: Data) -> Data:
    schema = replace(data.schema, classes=(NO_LABEL,), target="cluster")
    return replace(data, schema=schema, y=np.zeros(data.n_rows, np.int32))


def _name_leaves(tree: Tree) -> Tree:
    """Return the tree with its leaves, from left to right, as the classes of its rows."""
    leaves = _leaves_in_order(tree)
    counts = np.zeros((tree.n_nodes, len(leaves)))
    counts[leaves, np.arange(len(leaves))] = tree.counts[leaves, 0]
    for first, last in reversed(tree.levels_below_root):
        np.add.at(counts, tree.parent[first:last], counts[first:last])
    schema = replace(tree.schema, classes=tuple(range(len(leaves))))
    return replace(tree, schema=schema, counts=counts)


def _leaves_in_order(tree: Tree) -> NDArray[np.intp]:
    """Return the leaves from left to right."""
    before = np.zeros(tree.n_nodes)
    n_leaves = tree.sum_over_leaves(np.ones(tree.n_nodes))
    for node in range(1, tree.n_nodes):
        parent = tree.parent[node]
        is_first = node == tree.first_child[parent]
        before[node] = before[parent] if is_first else before[node - 1] + n_leaves[node - 1]
    leaves = np.flatnonzero(tree.is_leaf)
    return leaves[np.argsort(before[leaves])]


def _memberships(tree: Tree, X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the probability of each leaf for every row, in the order of the tree's classes."""
    parts = np.zeros((len(X), tree.n_nodes))
    parts[:, 0] = 1
    for node in np.flatnonzero(~tree.is_leaf):
        split = tree.splits[int(node)]
        assert isinstance(split, Linear)
        first = tree.first_child[node]
        # What the sum exceeds the threshold by is the log odds of the second branch.
        upper = 0.5 * (1 + np.tanh(0.5 * split.excess(X)))
        parts[:, first + 1] = parts[:, node] * upper
        parts[:, first] = parts[:, node] * (1 - upper)
    leaves = np.flatnonzero(tree.is_leaf)
    return parts[:, leaves[np.argsort(tree.labels[leaves])]]


def _entropy(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    logarithms = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy: NDArray[np.float64] = -(shares * logarithms).sum(axis=-1)
    return entropy


class ICATreeClassifier(TreeClassifier):
    """A tree grown from the shape of the data, whose leaves are labelled by what labels there are.

    Rows without a label take part in growing: where labels are few and rows are many, the tree
    knows more than the labelled rows alone would teach it.

    Parameters
    ----------
    labels : {"afterwards", "together"}
        Whether labels only name the leaves, as published, or take part in the choice of directions;
        see `miter.splitters.LabelledICASplitter`. `cut` and `max_density` are for the first.
    emphasis : float
        Labels together with structure: how much a label counts.
    unlabelled : label, optional
        What stands in `y` for a row without a label, such as -1 or ''. None, NaN and the missing
        values of pandas always do.
    rule, cut, stop, level, max_density, n_starts, max_rows
        How a node is cut, and when it is not; see `miter.splitters.ICASplitter`.
    smoothing : float
        So many rows with the parent's probabilities are added to those of a leaf, and so on up to
        the root.
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    costs, class_weight, categorical_features, random_state, n_threads, verbose
        See `TreeClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from miter import ICATreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> few = np.where(np.arange(150) % 10 == 0, y, -1)
    >>> ICATreeClassifier(unlabelled=-1).fit(X, few).score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        labels: str = "afterwards",
        *,
        emphasis: float = 1.0,
        unlabelled: Any = None,
        rule: str = "mixture",
        cut: str = "valley",
        stop: str | None = "description_length",
        level: float = 0.01,
        max_density: float | None = 0.8,
        n_starts: int = 8,
        max_rows: int = 10_000,
        smoothing: float = 1.0,
        pruning: Pruner | str | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 10,
        significance: float | None = None,
        costs: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: str | Sequence[Any] = "from_dtype",
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.labels = labels
        self.emphasis = emphasis
        self.unlabelled = unlabelled
        self.rule = rule
        self.cut = cut
        self.stop = stop
        self.level = level
        self.max_density = max_density
        self.n_starts = n_starts
        self.max_rows = max_rows
        self.smoothing = smoothing
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
        if not (isinstance(self.smoothing, int | float | np.number) and self.smoothing >= 0):
            raise ValueError(f"smoothing is {self.smoothing!r}; give a number from 0 on")
        if self.labels not in LABELS:
            raise ValueError(f"labels is {self.labels!r}; {did_you_mean(str(self.labels), LABELS)}")
        splitter = _splitter_of(self)
        if self.labels == "afterwards":
            return [splitter]
        return [
            LabelledICASplitter(
                rule=splitter.rule,
                stop=splitter.stop,
                level=splitter.level,
                n_starts=splitter.n_starts,
                max_rows=splitter.max_rows,
                emphasis=self.emphasis,
            )
        ]

    def _smoothing(self, *, has_costs: bool) -> float:
        return float(self.smoothing)

    def _read_training(
        self, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> tuple[Data, ArrayLike | None, Data | None]:
        data, sample_weight, others = read_partly_labelled(
            self, X, y, sample_weight, self.categorical_features, self.unlabelled
        )
        if others is not None and isinstance(self._make_pruner(), CrossValidated):
            raise DataError(
                f"{others.n_rows} rows have no label, and cross-validation cannot use them; "
                "leave them out, or give another pruning"
            )
        return data, sample_weight, others
