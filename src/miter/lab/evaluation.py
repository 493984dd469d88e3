"""How often a model is right on rows it is tested with.

The report has the form of MLC++'s in *Lecture 3: Decision Tree Learning* (2D5362), 'Example Test
Inducer'.

Differs from the lecture: accuracy and confusion matrix are added. The two mean errors of
probabilities are left out; for answers without probabilities they repeat the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.classifier import TreeClassifier
from miter.data.labels import label_text, match_labels
from miter.data.schema import Label
from miter.data.table import Data
from miter.errors import DataError

__all__ = ["Evaluation", "evaluate"]

#: 95 % of a normal distribution lie within as many deviations.
NORMAL_95 = 1.959963984540054


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
        p, n, z = self.error, self.n_test, NORMAL_95
        middle = p + z**2 / (2 * n)
        reach = z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
        low, high = (middle - reach) / (1 + z**2 / n), (middle + reach) / (1 + z**2 / n)
        return max(low, 0.0), min(high, 1.0)

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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        names = (
            *("n_train", "n_test", "n_seen", "n_unseen", "n_correct", "n_wrong", "accuracy"),
            *("error", "deviation", "generalisation_error", "memorisation_error"),
        )
        return {
            **{name: getattr(self, name) for name in names},
            "interval": list(self.interval),
            "classes": list(self.classes),
            "confusion": self.confusion.tolist(),
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
        return "\n".join([*lines, "", title, "", *self._matrix_lines()])

    def __str__(self) -> str:
        return self.to_text()

    def _matrix_lines(self) -> list[str]:
        names = [label_text(label) for label in self.classes]
        table = [["", *names]]
        table += [
            [name, *map(str, row)] for name, row in zip(names, self.confusion.tolist(), strict=True)
        ]
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        return [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in table
        ]


def evaluate(estimator: TreeClassifier, data: Data, train: Data | None = None) -> Evaluation:
    """Test a fitted estimator.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.
    data : Data
        Test rows with their classes.
    train : Data, optional
        The training rows. With them the error is told apart for test rows that were seen in
        training, whatever their class was, and for those that were not.

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
    classes = estimator.tree_.schema.classes
    n_classes = len(classes)
    truth = _codes_under(data, classes)
    position = {label: code for code, label in enumerate(classes)}
    predicted = [position[label] for label in estimator.predict(data).tolist()]
    is_wrong = truth != np.array(predicted)
    pairs = np.bincount(truth * n_classes + predicted, minlength=n_classes**2)
    confusion = pairs.reshape(n_classes, n_classes).astype(np.int64)
    if train is None:
        return Evaluation(classes, confusion)
    seen = _find_seen(data, train)
    return Evaluation(
        classes, confusion, train.n_rows, int(seen.sum()), int((is_wrong & seen).sum())
    )


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
