"""Trees grown from the shape of the data: a clusterer, and a classifier that needs few labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin

from miter.checks import check_choice, draw_seed
from miter.data.schema import NO_LABEL
from miter.data.table import Data
from miter.estimators.fitted import FittedTrees, OneTree, row_by_row
from miter.estimators.parameters import (
    ColumnParameters,
    RunParameters,
    SizeParameters,
    estimator,
)
from miter.estimators.reading import read_partly_labelled, read_unlabelled
from miter.estimators.training import Training, training_of
from miter.estimators.tree import SmoothedTreeEstimator, splitter_of
from miter.estimators.weights import weigh_rows
from miter.growing.stopping import Stopping
from miter.registry import collection_room
from miter.splits import Linear
from miter.splitters import ICASplitter, LabelledICASplitter, Splitter
from miter.tree import Tree

__all__ = ["ICATree", "ICATreeClassifier", "of_one_class"]

LABELS = ("afterwards", "together")


@estimator
class ICAParameters:
    """How a node is cut across a direction of structure, and when it is not.

    Parameters
    ----------
    rule : {"mixture", "em", "gradient"}
        How a direction is improved; the last two are the paper's.
    cut : {"valley", "posterior", "zero"}
        Where the direction is cut: where the fewest rows are, where both components are as likely,
        or at the mean of the rows, as published.
    stop : {"description_length", "likelihood_ratio"} or None
        What two components must be better than one Gaussian by: what it costs to describe them, or
        what chance allows at `stop_significance`; None: nothing.
    stop_significance : float
        Level of the likelihood-ratio test.
    max_density : float or None
        The density at the cut may be this part of the lower of the two peaks beside it; None:
        whatever it is.
    n_init : int
        Principal directions to start from.
    max_rows : int
        A node with more rows is searched on a sample of this many.
    """

    rule: str = "mixture"
    cut: str = "valley"
    stop: str | None = "description_length"
    stop_significance: float = 0.01
    max_density: float | None = 0.8
    n_init: int = 8
    max_rows: int = 10_000
    min_samples_leaf: float = 10


@estimator
class ICATree(
    ICAParameters,
    SizeParameters,
    ColumnParameters,
    RunParameters,
    OneTree,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    FittedTrees,
):
    """Clusters rows by a tree: each node cuts across the direction with the most structure.

    The number of clusters is not given: a node is divided where two groups describe its rows more
    shortly than one, and stays whole elsewhere. Clusters are the leaves, from left to right.

    Parameters
    ----------
    min_samples_leaf : int or float
        Each cluster has this weight at least; a float is a share of the training set.

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
    >>> print(export_text(clusters, X))
    7.6 'petal width (cm)' + 3.3 'petal length (cm)' <= 14: 0 (50)
    7.6 'petal width (cm)' + 3.3 'petal length (cm)' > 14
    |   12 'petal length (cm)' - 16 'petal width (cm)' <= 41: 1 (90)
    |   12 'petal length (cm)' - 16 'petal width (cm)' > 41: 2 (10)
    """

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
        self._check_settings()
        if (room := collection_room(X)) is not None:
            room.training_on(self, self, X, {"sample_weight": sample_weight}).fit(self)
            self.labels_ = self.predict(X)
            return self
        data = read_unlabelled(self, X, self)
        rows = of_one_class(weigh_rows(data, sample_weight))
        training_of(rows).fit(self)
        self.labels_ = self.predict_codes(data.X)
        return self

    def fit_to(self, training: Training) -> Self:
        """Find the clusters of rows that are read, wherever they are.

        Parameters
        ----------
        training : Training
            The rows, all of one class.
        """
        splitter, stopping = self._check_settings()
        with self._progress_line() as progress:
            growth = training.growth(
                [splitter],
                stopping,
                seed=draw_seed(self.random_state),
                n_threads=self.n_threads,
                progress=progress,
            )
            tree = growth.grow()
        self._set_fitted([_name_leaves(tree)])
        return self

    def _check_settings(self) -> tuple[Splitter, Stopping]:
        stopping = Stopping(self.max_depth, self.min_samples_split, self.min_samples_leaf)
        return splitter_of(self, ICASplitter), stopping

    @row_by_row
    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster of every row."""
        return self.predict_codes(self._rows(X))

    def predict_codes(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        """Return the cluster of each row, coded as the schema says."""
        return self.tree_.predict(rows, self.n_threads)

    @row_by_row
    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return how much every row belongs to each cluster: rows x clusters, each row sums to 1.

        Along the path to a leaf the probabilities of the branches are multiplied.
        """
        rows = self._rows(X)
        return _memberships(self.tree_, rows)

    def score(self, X: Any, y: object = None) -> float:
        """Return what the clusters tell about rows, in nats: the larger, the better.

        This is the mutual information of row and cluster: the entropy of the clusters' sizes, less
        the mean entropy of a row's memberships. One cluster tells nothing; clusters that are large,
        many and far apart tell most.
        """
        memberships = self.transform(X)
        return float(entr(memberships.mean(axis=0)).sum() - entr(memberships).sum(axis=1).mean())

    @property
    def n_clusters_(self) -> int:
        """How many clusters there are."""
        return self.tree_.n_leaves

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_


def of_one_class(data: Data) -> Data:
    """Return rows for a clusterer: all of one class."""
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


@estimator
class ICATreeClassifier(ICAParameters, SmoothedTreeEstimator):
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

    labels: str = field(default="afterwards", kw_only=False)
    emphasis: float = 1.0
    unlabelled: Any = None

    takes_unlabelled: ClassVar[bool] = True

    def make_splitters(self, data: Data | None = None) -> Sequence[Splitter]:
        """Return what finds directions, by structure alone or together with labels."""
        check_choice("labels", self.labels, LABELS)
        if self.labels == "afterwards":
            return [splitter_of(self, ICASplitter)]
        # Where labels take part, both components are learned, and the cut is between them.
        return [splitter_of(self, LabelledICASplitter, cut="posterior", max_density=None)]

    def _read_training(
        self, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> tuple[Data, ArrayLike | None, Data | None]:
        return read_partly_labelled(self, X, y, sample_weight, self, self.unlabelled)
