"""How often a model is right on rows it is tested with.

The report has the form of MLC++'s in *Lecture 3: Decision Tree Learning* (2D5362), 'Example Test
Inducer'.

Differs from the lecture: accuracy, measures of classes and of probabilities, and the confusion
matrix are added, and what the errors cost, where costs are known. The lecture's two mean errors of
probabilities are left out; the Brier score and the log loss tell as much.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from miter.data.costs import cost_matrix, cost_of_predictions
from miter.data.labels import match_labels
from miter.data.schema import Label
from miter.data.sources import open_source
from miter.data.table import Data
from miter.errors import DataError
from miter.estimators.fitted import TreesClassifier
from miter.estimators.reading import read_rows
from miter.lab.estimates.adapter import predict_codes, predict_proba_of
from miter.lab.estimates.evaluation_text import format_evaluation
from miter.lab.estimates.reading_length import reading_length
from miter.lab.estimates.scores import ClassScore, Score, confusion_scores, probability_scores
from miter.lab.estimates.tested import Tested, add_tested
from miter.registry import collection_room

__all__ = ["Evaluation", "count_pairs", "evaluate", "evaluate_partitions", "labelled_rows"]

#: The measures that have intervals of their own.
SCORES = ("balanced_accuracy", "f1", "roc_auc", "log_loss", "brier")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a test showed. `str` gives the report.

    Parameters
    ----------
    classes : tuple of label
        As the user wrote them.
    confusion : ndarray of shape (n_classes, n_classes), int64
        Test rows by their true class (rows) and the predicted one (columns).
    n_train : int, optional
        Training rows, where they were given.
    n_seen : int, optional
        Test rows whose values some training row has too.
    n_wrong_seen : int, optional
        How many of these are predicted wrongly.
    total_cost : float, optional
        What all errors cost together, where costs are known.
    roc_auc, log_loss, brier : Score, optional
        What the probabilities are worth, where there are any; see `probability_scores`.
    terms : int, optional
        What a person must read of the model; see `miter.terms`.
    path_terms : float, optional
        What of it is on the path of a test row, in the mean.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab import Evaluation
    >>> print(Evaluation(("no", "yes"), np.array([[40, 2], [8, 50]])))
    Number of test instances: 100.
    Number correct: 90. Number incorrect: 10
    Error: 10.00% +- 3.02% [5.52% - 17.44%]
    Accuracy: 90.00%
    <BLANKLINE>
    Balanced accuracy:       0.907 [0.852 - 0.962]
    F1, mean of the classes: 0.899 [0.840 - 0.958]
    <BLANKLINE>
         rows  precision  recall     F1
    no     42      0.833   0.952  0.889
    yes    58      0.962   0.862  0.909
    <BLANKLINE>
    Confusion matrix, true classes down, predicted ones across:
    <BLANKLINE>
         no  yes
    no   40    2
    yes   8   50
    """

    classes: tuple[Label, ...]
    confusion: NDArray[np.int64]
    n_train: int | None = None
    n_seen: int | None = None
    n_wrong_seen: int | None = None
    total_cost: float | None = None
    roc_auc: Score | None = None
    log_loss: Score | None = None
    brier: Score | None = None
    terms: int | None = None
    path_terms: float | None = None

    @property
    def n_test(self) -> int:
        """How many rows were tested."""
        return int(self.confusion.sum())

    @property
    def n_correct(self) -> int:
        """How many rows were predicted rightly."""
        return int(self.confusion.trace())

    @property
    def n_wrong(self) -> int:
        """How many rows were predicted wrongly."""
        return self.n_test - self.n_correct

    @property
    def error(self) -> float:
        """The share of rows that were predicted wrongly."""
        return self.n_wrong / self.n_test

    @property
    def accuracy(self) -> float:
        """The share of rows that were predicted rightly."""
        return self.n_correct / self.n_test

    @property
    def deviation(self) -> float:
        """The standard deviation of the error."""
        return sqrt(self.error * (1 - self.error) / max(self.n_test - 1, 1))

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval, in which the true error lies with a probability of 95 %."""
        bounds = binomtest(self.n_wrong, self.n_test).proportion_ci(method="wilson")
        return float(bounds.low), float(bounds.high)

    @property
    def balanced_accuracy(self) -> Score:
        """The mean over the classes of the share of rows predicted rightly."""
        return self._scores[0]

    @property
    def f1(self) -> Score:
        """The mean over the classes of F1."""
        return self._scores[1]

    @property
    def by_class(self) -> tuple[ClassScore, ...]:
        """Precision, recall and F1 of each class."""
        return self._scores[2]

    @cached_property
    def _scores(self) -> tuple[Score, Score, tuple[ClassScore, ...]]:
        return confusion_scores(self.confusion)

    @property
    def n_unseen(self) -> int | None:
        """Test rows with values that no training row has."""
        return None if self.n_seen is None else self.n_test - self.n_seen

    @property
    def generalisation_error(self) -> float | None:
        """The share of unseen rows that were predicted wrongly; None if there are none."""
        if not self.n_unseen or self.n_wrong_seen is None:
            return None
        return (self.n_wrong - self.n_wrong_seen) / self.n_unseen

    @property
    def memorisation_error(self) -> float | None:
        """The share of seen rows that were predicted wrongly; None if there are none."""
        if not self.n_seen or self.n_wrong_seen is None:
            return None
        return self.n_wrong_seen / self.n_seen

    @property
    def mean_cost(self) -> float | None:
        """What a row costs in the mean; None where costs are not known."""
        return None if self.total_cost is None else self.total_cost / self.n_test

    @property
    def false_negatives(self) -> tuple[int, ...]:
        """Rows of each class that were taken for another."""
        return tuple((self.confusion.sum(axis=1) - self.confusion.diagonal()).tolist())

    @property
    def false_positives(self) -> tuple[int, ...]:
        """Rows of others that were taken for each class."""
        return tuple((self.confusion.sum(axis=0) - self.confusion.diagonal()).tolist())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        names = (
            *("n_train", "n_test", "n_seen", "n_unseen", "n_correct", "n_wrong", "accuracy"),
            *("error", "deviation", "generalisation_error", "memorisation_error"),
            *("total_cost", "mean_cost", "terms", "path_terms"),
        )
        return {
            **{name: getattr(self, name) for name in names},
            "interval": list(self.interval),
            **{name: _plain(getattr(self, name)) for name in SCORES},
            "classes": list(self.classes),
            "by_class": [score.to_dict() for score in self.by_class],
            "confusion": self.confusion.tolist(),
            "false_negatives": list(self.false_negatives),
            "false_positives": list(self.false_positives),
        }

    def to_text(self, width: int | None = None) -> str:
        """Return the report; a `width` too small for a matrix gives the main mistakes instead."""
        return format_evaluation(self, width)

    def __str__(self) -> str:
        return self.to_text()


def evaluate(
    estimator: TreesClassifier,
    X: Any,
    y: Any = None,
    *,
    train: Any = None,
    costs: Any = None,
) -> Evaluation:
    """Test a fitted estimator.

    Parameters
    ----------
    estimator : classifier of Miter
        Fitted; one tree or many.
    X : DataFrame, array or Data
        Test rows. A `Data` brings its classes; a frame may, in the column that the model predicts.
    y : sequence, optional
        Their classes.
    train : DataFrame, array or Data, optional
        The training rows. With them the error is told apart for test rows that were seen in
        training, whatever their class was, and for those that were not.
    costs : as for `miter.data.costs.cost_matrix`, or array of shape (n_rows, n_classes), optional
        What errors cost; with an array of rows, what each class costs as an answer to each row.
        By default the costs that the estimator was trained with, if it was. They only count
        errors: the predictions are the estimator's own. Of rows in partitions, a matrix.

    Returns
    -------
    Evaluation
        Counts of rows; their weights are not used.

    Examples
    --------
    >>> from miter import evaluate, id3
    >>> from miter.data import monks
    >>> model = id3().fit(monks(1))
    >>> evaluate(model, monks(1)).n_wrong
    0
    """
    if collection_room(X) is not None:
        if train is not None:
            raise DataError("rows in partitions are not compared with those of training")
        return evaluate_partitions(estimator, X, y, costs)
    data = labelled_rows(estimator, X, y)
    if data.n_rows == 0:
        raise DataError("there are no rows to test with; give at least one")
    classes = estimator.schema_.classes
    truth = data.labels.astype(np.int64)
    predicted = predict_codes(estimator, data)
    counted = reading_length(estimator, data)
    with suppress(NotImplementedError):  # answers without probabilities
        counted |= probability_scores(truth, predict_proba_of(estimator, data))
    own = getattr(estimator, "costs_", None)
    if costs is not None:
        counted["total_cost"] = _total_cost(truth, predicted, costs, classes)
    elif own is not None:
        counted["total_cost"] = float(own[predicted, truth].sum())
    if train is not None:
        trained = train if isinstance(train, Data) else _coded(estimator, train)
        seen = _find_seen(data, trained)
        counted |= {"n_train": trained.n_rows, "n_seen": int(seen.sum())}
        counted |= {"n_wrong_seen": int(((truth != predicted) & seen).sum())}
    return Evaluation(classes, count_pairs(truth, predicted, len(classes)), **counted)


def evaluate_partitions(estimator: Any, X: Any, y: Any, costs: Any) -> Evaluation:
    """Test a fitted estimator on rows in partitions: what each of them shows is added up.

    Parameters
    ----------
    estimator, X, y, costs
        As for `evaluate`.
    """
    classes, target = estimator.schema_.classes, estimator.schema_.target
    if y is None:
        if target not in getattr(X, "columns", ()):
            raise DataError(f"the classes are not there; give y, or a column {target!r}")
        y = X[target]
    own = getattr(estimator, "costs_", None) if costs is None else cost_matrix(costs, classes)
    room = collection_room(X)
    tested: Tested | None = room.total_of(_test_part, X, {"y": y}, estimator, add_tested)
    if tested is None:
        raise DataError("there are no rows to test with; give at least one")
    counted = tested.reading_length(estimator)
    if tested.shares is not None:
        counted |= probability_scores(tested.truth, tested.shares, tested.times)
    if own is not None:
        counted["total_cost"] = float((own.T * tested.confusion).sum())
    return Evaluation(classes, tested.confusion, **counted)


def _test_part(estimator: Any, _: int, X: Any, y: Any) -> Tested | None:
    """Return what the rows of a partition show; None of none."""
    if not len(X):
        return None
    data = labelled_rows(estimator, X, y)
    truth, predicted = data.labels.astype(np.int64), predict_codes(estimator, data)
    confusion = count_pairs(truth, predicted, data.schema.n_classes)
    shares = None
    with suppress(NotImplementedError):  # answers without probabilities
        shares = predict_proba_of(estimator, data)
    path_terms = reading_length(estimator, data).get("path_terms", 0.0) * data.n_rows
    return Tested.of(confusion, round(path_terms), truth, shares)


def labelled_rows(estimator: Any, X: Any, y: Any = None, *, needed: bool = True) -> Data:
    """Return rows as a model reads them, with their classes as positions among the model's.

    Parameters
    ----------
    estimator : Fitted
        The model.
    X : DataFrame, array or Data
        A `Data` brings its classes; a frame may, in the column that the model predicts.
    y : sequence, optional
        The classes.
    needed : bool
        Whether it is an error that the classes are not there.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.lab.estimates.evaluation import labelled_rows
    >>> data = play_tennis()
    >>> labelled_rows(id3().fit(data), data).labels[:3].tolist()
    [1, 1, 0]
    """
    schema = estimator.schema_
    if isinstance(X, Data):
        if y is not None:
            raise DataError("a Data brings its own labels; leave y out")
        if X.y is None and not needed:
            return X
        return _under_classes(X, schema.classes)
    if y is None:
        source = open_source(X)
        if source.has_names and schema.target in source.names:
            y = source.column(source.names.index(schema.target))
        elif needed:
            raise DataError(f"the classes are not there; give y, or a column {schema.target!r}")
        else:
            return _coded(estimator, X)
    codes = match_labels(y, schema.classes)
    if codes is None:
        raise DataError("every class is missing; give y")
    return replace(_coded(estimator, X), y=codes)


def _coded(estimator: Any, X: Any) -> Data:
    return Data(estimator.schema_, read_rows(estimator, X, estimator.schema_))


def count_pairs(
    truth: NDArray[np.integer[Any]], predicted: NDArray[np.integer[Any]], n_classes: int
) -> NDArray[np.int64]:
    """Count rows by their true class and the predicted one.

    Parameters
    ----------
    truth, predicted : ndarray of shape (n_rows,)
        Class codes.
    n_classes : int
        How many there are.

    Returns
    -------
    ndarray of shape (n_classes, n_classes), int64
        True classes as rows, predicted ones as columns.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab.estimates.evaluation import count_pairs
    >>> count_pairs(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
    array([[1, 1],
           [0, 1]])
    """
    pairs = truth.astype(np.int64) * n_classes + predicted
    counts = np.bincount(pairs, minlength=n_classes**2)
    return counts.reshape(n_classes, n_classes).astype(np.int64)


def _total_cost(
    truth: NDArray[np.int64],
    predicted: NDArray[np.int64],
    costs: Any,
    classes: tuple[Label, ...],
) -> float:
    labels = np.array(classes, object)
    return float(cost_of_predictions(labels[truth], labels[predicted], costs, classes).sum())


def _under_classes(data: Data, classes: tuple[Label, ...]) -> Data:
    """Return rows whose labels are positions among the model's classes."""
    if data.schema.classes == classes:
        return data
    own = np.array(data.schema.classes, object)
    codes = match_labels(own[data.labels], classes)
    return replace(data, schema=replace(data.schema, classes=classes), y=codes)


def _find_seen(data: Data, train: Data) -> NDArray[np.bool_]:
    """Tell which rows have the same values as some training row."""
    if data.schema.columns != train.schema.columns:
        raise DataError(
            "the test rows have other columns than the training rows; read both with schema=, so "
            "that they are coded alike"
        )
    known = {row.tobytes() for row in _comparable(train)}
    return np.array([row.tobytes() in known for row in _comparable(data)], bool)


def _comparable(data: Data) -> NDArray[np.float64]:
    """Return the matrix with the same bytes for the same values: one NaN, one zero."""
    matrix = np.asarray(data.X, np.float64) + 0.0
    matrix[np.isnan(matrix)] = np.nan
    return matrix


def _plain(score: Score | None) -> dict[str, Any] | None:
    return None if score is None else score.to_dict()
