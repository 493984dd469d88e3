"""How often a model is right on rows it is tested with.

The report has the form of MLC++'s in *Lecture 3: Decision Tree Learning* (2D5362), 'Example Test
Inducer'.

Differs from the lecture: accuracy and confusion matrix are added, and what the errors cost, where
costs are known. The two mean errors of probabilities are left out; for answers without
probabilities they repeat the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from miter.data.costs import cost_of_predictions
from miter.data.files.cells import number_text
from miter.data.labels import label_text, match_labels
from miter.data.schema import Label
from miter.data.table import Data
from miter.errors import DataError
from miter.estimators.tree import TreeEstimator

__all__ = ["Evaluation", "count_pairs", "evaluate"]


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
            *("total_cost", "mean_cost"),
        )
        return {
            **{name: getattr(self, name) for name in names},
            "interval": list(self.interval),
            "classes": list(self.classes),
            "confusion": self.confusion.tolist(),
            "false_negatives": list(self.false_negatives),
            "false_positives": list(self.false_positives),
        }

    def to_text(self) -> str:
        """Return the report."""
        lines = [
            f"Number correct: {self.n_correct}. Number incorrect: {self.n_wrong}",
            f"Error: {self.error:.2%} +- {self.deviation:.2%} "
            f"[{self.interval[0]:.2%} - {self.interval[1]:.2%}]",
            f"Accuracy: {self.accuracy:.2%}",
        ]
        if self.n_seen is None:
            lines.insert(0, f"Number of test instances: {self.n_test}.")
        else:
            lines[0:1] = [
                f"Number of training instances: {self.n_train}",
                f"Number of test instances: {self.n_test}. "
                f"Unseen: {self.n_unseen}, seen {self.n_seen}.",
                lines[0],
                f"Generalization error: {_percent(self.generalisation_error)}. "
                f"Memorization error: {_percent(self.memorisation_error)}",
            ]
        title = "Confusion matrix, true classes down, predicted ones across:"
        matrix = self._class_lines([label_text(label) for label in self.classes], self.confusion)
        return "\n".join([*lines, "", title, "", *matrix, *self._cost_lines()])

    def __str__(self) -> str:
        return self.to_text()

    def _cost_lines(self) -> list[str]:
        if self.total_cost is None:
            return []
        counts = np.array([self.false_negatives, self.false_positives]).T
        table = self._class_lines(["false negatives", "false positives"], counts)
        total = number_text(round(self.total_cost, 4))
        head = f"Total cost: {total}. Mean cost: {self.mean_cost:.4f}"
        return ["", head, "", *table]

    def _class_lines(self, heads: list[str], counts: NDArray[np.int64]) -> list[str]:
        """Return a table with a line for each class."""
        table = [["", *heads]]
        table += [
            [label_text(label), *map(str, row)]
            for label, row in zip(self.classes, counts.tolist(), strict=True)
        ]
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        return [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in table
        ]


def evaluate(
    estimator: TreeEstimator, data: Data, train: Data | None = None, *, costs: Any = None
) -> Evaluation:
    """Test a fitted estimator.

    Parameters
    ----------
    estimator : TreeEstimator
        Fitted.
    data : Data
        Test rows with their classes.
    train : Data, optional
        The training rows. With them the error is told apart for test rows that were seen in
        training, whatever their class was, and for those that were not.
    costs : as for `miter.data.costs.cost_matrix`, or array of shape (n_rows, n_classes), optional
        What errors cost; with an array of rows, what each class costs as an answer to each row.
        By default the costs that the estimator was trained with, if it was. They only count
        errors: the predictions are the estimator's own.

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
    if data.n_rows == 0:
        raise DataError("there are no rows to test with; give at least one")
    classes = estimator.schema_.classes
    truth = _codes_under(data, classes)
    position = {label: code for code, label in enumerate(classes)}
    predicted = np.array([position[label] for label in estimator.predict(data).tolist()], np.int64)
    counted: dict[str, Any] = {}
    own = getattr(estimator, "costs_", None)
    if costs is not None:
        counted["total_cost"] = _total_cost(truth, predicted, costs, classes)
    elif own is not None:
        counted["total_cost"] = float(own[predicted, truth].sum())
    if train is not None:
        seen = _find_seen(data, train)
        counted |= {"n_train": train.n_rows, "n_seen": int(seen.sum())}
        counted |= {"n_wrong_seen": int(((truth != predicted) & seen).sum())}
    return Evaluation(classes, count_pairs(truth, predicted, len(classes)), **counted)


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


def _codes_under(data: Data, classes: tuple[Label, ...]) -> NDArray[np.int64]:
    """Return the true class of every row, as a position among the model's classes."""
    if data.schema.classes == classes:
        return data.labels.astype(np.int64)
    own = np.array(data.schema.classes, object)
    codes = match_labels(own[data.labels], classes)
    assert codes is not None  # a Data has no missing labels
    return codes.astype(np.int64)


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


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.2%}"
