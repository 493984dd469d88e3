"""The scikit-learn estimators: thin faces of one tree estimator."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, assert_all_finite, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from miter.data.frames import encode_frame, from_frame
from miter.data.schema import Kind
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.grow import Stopping, grow
from miter.progress import ProgressLine
from miter.prune import PRUNERS, Pruner
from miter.splitters import Splitter, UnivariateSplitter
from miter.tree import Tree

__all__ = ["TreeClassifier", "UnivariateTreeClassifier", "id3"]


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """A decision tree whose nodes are tests of any kind.

    Parameters
    ----------
    splitter : Splitter
        Finds the split of a node; see `miter.splitters`.
    pruning : Pruner, {"pessimistic", "reduced_error"} or None
        What takes splits out again after growing.
    max_depth : int, optional
        Splits on the longest path; None: as deep as it gets.
    min_samples_split : int or float
        A node with less weight is a leaf; a float is a share of the training set.
    min_samples_leaf : int or float
        Two branches at least must have this weight; a float is a share of the training set.
    significance : float, optional
        Keep a split only if it is significant at this level in a chi-squared test.
    class_weight : dict, "balanced" or None
        Weights of classes, as in scikit-learn.
    categorical_features : "from_dtype", or array of bool, int or str
        Which columns are symbolic. By default texts, categories and booleans of a frame.
    random_state : int, RandomState or None
        For splitters and pruners that use chance.
    n_threads : int, optional
        None: all cores. The tree does not depend on it.
    verbose : bool
        Show a line of progress once growing takes more than a second.

    Attributes
    ----------
    tree_ : Tree
        What was learned.
    classes_ : ndarray
        The labels, in the order of `predict_proba`.
    n_features_in_ : int
        Columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where they had any.
    feature_importances_ : ndarray
        Each column's part of the information gained.

    Notes
    -----
    Weights count rows: a row with `sample_weight` 2 is the row twice, also for the minimum numbers
    of rows and for pruning.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import TreeClassifier
    >>> from miter.splitters import UnivariateSplitter
    >>> X, y = load_iris(return_X_y=True)
    >>> TreeClassifier(UnivariateSplitter(criterion="gini"), max_depth=2).fit(X, y).get_n_leaves()
    3
    """

    tree_: Tree
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        splitter: Splitter | None = None,
        *,
        pruning: Pruner | str | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        significance: float | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: str | Sequence[Any] = "from_dtype",
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.splitter = splitter
        self.pruning = pruning
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.significance = significance
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
    ) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : DataFrame, array or Data
            Training rows; symbols and missing values may be in it. A `Data` brings its own labels.
        y : sequence
            Class labels.
        sample_weight : array, optional
            How often each row counts.
        X_val, y_val : optional
            Rows for pruning, where the pruning uses some; else it holds out its own.

        Returns
        -------
        self
        """
        splitter, pruner, stopping = self._make_splitter(), self._make_pruner(), self._stopping()
        data = self._weigh(self._training_data(X, y), sample_weight)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        validation = self._validation_data(data, X_val, y_val)
        if pruner is not None and validation is None:
            data, validation = pruner.hold_out(data, np.random.default_rng(seed))
        progress = ProgressLine() if self.verbose else None
        try:
            tree = grow(
                data, splitter, stopping, seed=seed, n_threads=self.n_threads, progress=progress
            )
        finally:
            if progress is not None:
                progress.close()
        return self._set_fitted(tree if pruner is None else pruner.prune(tree, validation))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every row."""
        matrix = self._matrix(X)
        return self.classes_.take(self.tree_.predict(matrix, self.n_threads))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class probabilities of every row, in the order of `classes_`."""
        matrix = self._matrix(X)
        return self.tree_.predict_proba(matrix, self.n_threads)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the number of the node where every row ends; see `Tree.apply`."""
        matrix = self._matrix(X)
        return self.tree_.apply(matrix, self.n_threads)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix, rows x nodes, with 1 for every node that a row visits."""
        matrix = self._matrix(X)
        start, nodes = self.tree_.paths(matrix)
        return csr_matrix(
            (np.ones(len(nodes), np.int64), nodes, start), (len(matrix), self.tree_.n_nodes)
        )

    def get_depth(self) -> int:
        """Return the number of splits on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each column's part of the information gained by all splits."""
        check_is_fitted(self)
        return self.tree_.importances()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    # ---- from the parameters to the engine -------------------------------------------------

    def _make_splitter(self) -> Splitter:
        if not isinstance(self.splitter, Splitter):
            raise ValueError(
                f"splitter is {self.splitter!r}; give a Splitter such as UnivariateSplitter()"
            )
        return self.splitter

    def _make_pruner(self) -> Pruner | None:
        if self.pruning is None or isinstance(self.pruning, Pruner):
            return self.pruning
        if self.pruning not in PRUNERS:
            raise ValueError(
                f"pruning is {self.pruning!r}; {did_you_mean(str(self.pruning), PRUNERS)}"
            )
        return PRUNERS[self.pruning]()

    def _stopping(self) -> Stopping:
        return Stopping(
            self.max_depth, self.min_samples_split, self.min_samples_leaf, self.significance
        )

    # ---- from what the user gives to Data --------------------------------------------------

    def _training_data(self, X: Any, y: Any) -> Data:
        if isinstance(X, Data):
            if y is not None:
                raise DataError("a Data brings its own labels; leave y out")
            data = X
            self._forget_names()
        else:
            if y is None:
                raise ValueError(
                    f"{type(self).__name__} requires y to be passed, but the target y is None"
                )
            X = self._validate(X, reset=True)
            data = from_frame(X, _check_labels(y), kinds=self._kinds(X))
        if data.n_rows >= 2**31:
            raise DataError(f"{data.n_rows} rows are too many; at most 2,147,483,647 can be used")
        return data

    def _forget_names(self) -> None:
        # A Data is matched by its schema, so names of an earlier fit on a frame must go.
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _validate(self, X: Any, *, reset: bool) -> Any:
        """Let scikit-learn check the names and the width; frames keep their own columns."""
        if _is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        has_text = isinstance(X, np.ndarray) and X.dtype.kind in "OUS"
        return validate_data(
            self,
            X,
            reset=reset,
            dtype=None if has_text else (np.float64, np.float32),
            ensure_all_finite=False,  # missing values are welcome; infinite ones get a better word
        )

    def _kinds(self, X: Any) -> dict[Any, Kind]:
        features = self.categorical_features
        if isinstance(features, str):
            if features != "from_dtype":
                raise ValueError(
                    f"categorical_features is {features!r}; give 'from_dtype', or names, positions "
                    "or a mask of columns"
                )
            return {}
        names = getattr(self, "feature_names_in_", None)
        positions = np.asarray(features)
        if positions.dtype == bool:
            if positions.shape != (self.n_features_in_,):
                raise ValueError(
                    f"categorical_features is a mask of shape {positions.shape} for "
                    f"{self.n_features_in_} columns"
                )
            positions = np.flatnonzero(positions)
        known = range(self.n_features_in_)
        kinds: dict[Any, Kind] = {}
        for position in positions.tolist():
            if isinstance(position, int) and position not in known:
                raise ValueError(
                    f"categorical_features has position {position}; columns are 0 to {known[-1]}"
                )
            if isinstance(position, int) and names is not None:
                position = str(names[position])
            kinds[position] = "symbolic"
        return kinds

    def _weigh(self, data: Data, sample_weight: ArrayLike | None) -> Data:
        """Return the rows that count, with what each of them counts."""
        if sample_weight is not None:
            weight = _check_weight(sample_weight, data.n_rows)
            if data.weight is not None:
                weight = weight * data.weight
            data = Data(data.schema, data.X, data.y, weight)
        if self.class_weight is not None:
            data = self._weigh_classes(data)
        if data.weight is not None:
            data = data.take(np.flatnonzero(data.weight > 0))
            if data.n_rows == 0:
                raise DataError(
                    "the weight of every row is zero; give some rows a weight above zero"
                )
        n_present = len(np.unique(data.labels))
        if n_present < 2:
            raise DataError(
                f"the {data.n_rows} rows that count are of {n_present} class; "
                "a classifier needs rows of at least two classes"
            )
        if data.weight is not None and data.weight.sum() < 0.1 * data.n_rows:
            warnings.warn(
                f"the weights of {data.n_rows} rows sum to {data.weight.sum():.3g}; weights count "
                "rows, so the tree will be small. Scale them to sum to the number of rows",
                UserWarning,
                stacklevel=3,
            )
        return data

    def _weigh_classes(self, data: Data) -> Data:
        by_row = _class_weights(self.class_weight, data)[data.labels]
        weight = by_row if data.weight is None else by_row * data.weight
        return Data(data.schema, data.X, data.y, weight)

    def _validation_data(self, data: Data, X_val: Any, y_val: Any) -> Data | None:
        if X_val is None:
            return None
        if isinstance(X_val, Data):
            return _same_columns(X_val, data)
        if y_val is None:
            raise DataError("X_val was given without y_val; give the labels too")
        matrix = encode_frame(self._validate(X_val, reset=False), data.schema)
        y_val = column_or_1d(y_val)
        codes = {label: code for code, label in enumerate(data.schema.classes)}
        unknown = sorted({str(label) for label in y_val.tolist() if label not in codes})
        if unknown:
            raise DataError(f"y_val has classes that y has not: {', '.join(unknown)}")
        labels = np.array([codes[label] for label in y_val.tolist()], np.int32)
        return Data(data.schema, matrix, labels)

    def _matrix(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self)
        if isinstance(X, Data):
            return _same_columns(X, self.tree_).X
        if not self._is_plain(X):
            X = self._validate(X, reset=False)
        return encode_frame(X, self.tree_.schema)

    def _is_plain(self, X: Any) -> bool:
        """Whether scikit-learn's checks, most of the time for a few rows, have nothing to find."""
        return (
            type(X) is np.ndarray
            and X.dtype in (np.float32, np.float64)
            and X.ndim == 2
            and len(X) > 0
            and X.shape[1] == self.n_features_in_
            and not hasattr(self, "feature_names_in_")
        )

    def _set_fitted(self, tree: Tree) -> Self:
        self.tree_ = tree
        self.classes_ = np.array(tree.schema.classes)
        self.n_features_in_ = tree.schema.n_columns
        return self


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
    missing : {"fractions", "node", "class"}
        What a missing value counts as: a fraction in each branch, the most common value at the
        node, or the most common value of the same class at the node.
    thresholds : {"auto", "exact", "histogram"}
        All thresholds, or 255 quantiles of each column; by itself from 100,000 rows on.
    attribute_costs : mapping of column name to cost, optional
        For "tan_schlimmer" and "nunez"; columns not named cost 1.
    cost_weight : float
        The exponent w of "nunez", 0 to 1.
    pruning, max_depth, min_samples_split, min_samples_leaf, significance
        See `TreeClassifier`.
    class_weight, categorical_features, random_state, n_threads, verbose
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
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def _make_splitter(self) -> Splitter:
        return UnivariateSplitter(
            self.criterion,
            self.numeric,
            self.symbolic,
            self.missing,
            self.thresholds,
            self.attribute_costs or {},
            self.cost_weight,
        )


def id3(criterion: str = "gain", **parameters: Any) -> UnivariateTreeClassifier:
    """Return a tree with the settings of ID3: information gain, nothing pruned.

    The ID3 of MLC++ is ``id3("normalised_gain")``; that of Yildiz and Alpaydin stops at nodes with
    less than 5 % of the training rows, ``id3(min_samples_split=0.05)``.

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


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") or hasattr(X, "column_names")


def _check_labels(y: Any) -> NDArray[Any]:
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f":
        if np.isnan(y).any():
            return y  # from_frame says which label is missing
        assert_all_finite(y, input_name="y")
    check_classification_targets(y)
    return y


def _check_weight(sample_weight: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    weight = np.asarray(sample_weight, float)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.shape != (n_rows,):
        raise ValueError(
            f"sample_weight.shape == {weight.shape}, expected {(n_rows,)}: one weight for each row"
        )
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight[{bad[0]}] is {weight[bad[0]]}; give finite weights of 0 or more"
        )
    return weight


def _class_weights(class_weight: Any, data: Data) -> NDArray[np.float64]:
    """Return the weight of each class, as scikit-learn means it."""
    # scikit-learn's own function takes the texts '0' and '1' for numbers.
    classes = data.schema.classes
    if class_weight == "balanced":
        counts = np.bincount(data.labels, minlength=len(classes))
        n_present = np.count_nonzero(counts)
        return data.n_rows / (n_present * np.maximum(counts, 1))
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight is {class_weight!r}; give 'balanced', a dict or None")
    for label, weight in class_weight.items():
        if label not in classes:
            raise ValueError(
                f"class_weight names {label!r}, which is not a class; "
                + did_you_mean(str(label), map(str, classes))
            )
        if not (np.isfinite(weight) and weight >= 0):
            raise ValueError(f"class_weight of {label!r} is {weight!r}; give 0 or more")
    return np.array([float(class_weight.get(label, 1.0)) for label in classes])


def _same_columns(data: Data, other: Data | Tree) -> Data:
    if data.schema.columns != other.schema.columns:
        raise DataError(
            "the rows have other columns than the training rows; read them with schema=, so that "
            "they are coded alike"
        )
    return data
