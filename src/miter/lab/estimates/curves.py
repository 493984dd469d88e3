"""How error changes with the number of training rows, and with the size of the tree.

The learning curve is that of *Lecture 3: Decision Tree Learning* (2D5362), 'Example Learning
Curve': a learner is trained on samples of a given size and tested on the rows left over. Bias and
variance are those of Domingos 2000, *A unified bias-variance decomposition*, for errors that count
1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from miter.data.table import Data
from miter.lab.estimates.adapter import fit_on, predict_codes

__all__ = ["LearningCurve", "SizeCurve", "learning_curve", "size_curve"]


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Errors for training sets of growing size.

    Parameters
    ----------
    sizes : tuple of int
        Training rows.
    errors : ndarray of shape (n_sizes, n_repeats)
        Share of wrong answers on the rows left over.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.lab import LearningCurve
    >>> print(LearningCurve((10, 20), np.array([[0.4, 0.6], [0.2, 0.2]])))
    Train Size: 10; training 2 times. Mean Error: 50.00% +- 10.00%
    Train Size: 20; training 2 times. Mean Error: 20.00% +- 0.00%
    """

    sizes: tuple[int, ...]
    errors: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean error of each size."""
        return self.errors.mean(axis=1)

    @property
    def deviation(self) -> NDArray[np.float64]:
        """Standard deviation of each mean."""
        n_repeats = self.errors.shape[1]
        if n_repeats < 2:
            return np.full(len(self.sizes), np.nan)
        return self.errors.std(axis=1, ddof=1) / np.sqrt(n_repeats)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a size."""
        return [
            {"size": size, "error": float(mean), "deviation": float(deviation)}
            for size, mean, deviation in zip(self.sizes, self.mean, self.deviation, strict=True)
        ]

    def __str__(self) -> str:
        n_repeats = self.errors.shape[1]
        return "\n".join(
            f"Train Size: {point['size']}; training {n_repeats} times. "
            f"Mean Error: {point['error']:.2%} +- {point['deviation']:.2%}"
            for point in self.to_dicts()
        )


def learning_curve(
    estimator: BaseEstimator,
    data: Data,
    sizes: Sequence[int],
    *,
    n_repeats: int = 20,
    seed: int = 0,
) -> LearningCurve:
    """Train on random samples of each size and test on the other rows.

    Parameters
    ----------
    estimator : scikit-learn classifier
        What to train; any of Miter's or scikit-learn's.
    data : Data
        Rows with labels.
    sizes : sequence of int
        Numbers of training rows, each less than all.
    n_repeats : int
        Samples of each size.
    seed : int
        Draws the samples.

    Returns
    -------
    LearningCurve

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import monks
    >>> from miter.lab import learning_curve
    >>> curve = learning_curve(id3(), monks(1), [20, 200], n_repeats=5)
    >>> bool(curve.mean[1] < curve.mean[0])
    True
    """
    for size in sizes:
        if not 0 < size < data.n_rows:
            raise ValueError(
                f"size {size} is not between 1 and {data.n_rows - 1}; leave some rows to test"
            )
    if n_repeats < 1:
        raise ValueError(f"n_repeats is {n_repeats}; give 1 or more")
    errors = [
        [_error(estimator, data, *parts) for parts in _samples(data.n_rows, size, n_repeats, seed)]
        for size in sizes
    ]
    return LearningCurve(tuple(sizes), np.array(errors))


def _samples(
    n_rows: int, size: int, n_repeats: int, seed: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    for repeat in range(n_repeats):
        order = np.random.default_rng([seed, size, repeat]).permutation(n_rows)
        yield order[:size], order[size:]


def _error(
    estimator: BaseEstimator, data: Data, train: NDArray[np.int64], test: NDArray[np.int64]
) -> float:
    rest = data.take(test)
    fitted = fit_on(clone(estimator), data.take(train))
    return float((predict_codes(fitted, rest) != rest.labels).mean())


@dataclass(frozen=True, eq=False)
class SizeCurve:
    """Error, bias and variance of trees of growing size.

    Parameters
    ----------
    parameter : str
        What was varied.
    values : tuple
        Its values.
    nodes, train_error, error, bias, variance : ndarray of shape (n_values,)
        Means over the samples. Bias: share of rows for which the most frequent answer of all trees
        is wrong. Variance: how often a tree differs from that answer.
    """

    parameter: str
    values: tuple[Any, ...]
    nodes: NDArray[np.float64]
    train_error: NDArray[np.float64]
    error: NDArray[np.float64]
    bias: NDArray[np.float64]
    variance: NDArray[np.float64]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a value."""
        return [
            {
                self.parameter: value,
                "nodes": float(self.nodes[i]),
                "train_error": float(self.train_error[i]),
                "error": float(self.error[i]),
                "bias": float(self.bias[i]),
                "variance": float(self.variance[i]),
            }
            for i, value in enumerate(self.values)
        ]

    def __str__(self) -> str:
        width = max(len(self.parameter), *(len(str(value)) for value in self.values))
        lines = [f"{self.parameter:>{width}}   nodes   train error   error    bias   variance"]
        lines += [
            f"{value!s:>{width}} {self.nodes[i]:7.1f} {self.train_error[i]:12.2%} "
            f"{self.error[i]:8.2%} {self.bias[i]:7.2%} {self.variance[i]:9.2%}"
            for i, value in enumerate(self.values)
        ]
        return "\n".join(lines)


def size_curve(
    estimator: BaseEstimator,
    data: Data,
    parameter: str,
    values: Sequence[Any],
    *,
    test_share: float = 0.3,
    n_samples: int = 30,
    seed: int = 0,
) -> SizeCurve:
    """Vary a parameter that decides on the size of the tree, and take the error apart.

    A share of the rows is held out. For each value trees are trained on bootstrap samples of the
    rest, the same for all values.

    Parameters
    ----------
    estimator : TreeClassifier
        Whose parameter is varied.
    data : Data
        Rows with labels.
    parameter : str
        Such as ``max_depth`` or ``min_samples_split``.
    values : sequence
        Its values, small trees first.
    test_share : float
        Part of the rows that is held out.
    n_samples : int
        Bootstrap samples.
    seed : int
        Divides the rows and draws the samples.

    Returns
    -------
    SizeCurve

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from miter import from_frame, id3
    >>> from miter.lab import size_curve
    >>> data = from_frame(*load_breast_cancer(return_X_y=True))
    >>> curve = size_curve(id3(), data, "max_depth", [1, 4], n_samples=15)
    >>> bool(curve.bias[1] < curve.bias[0]), bool(curve.variance[1] > curve.variance[0])
    (True, True)
    """
    random = np.random.default_rng(seed)
    order = random.permutation(data.n_rows)
    n_test = round(test_share * data.n_rows)
    if not 0 < n_test < data.n_rows:
        raise ValueError(f"test_share is {test_share}; it must leave rows to train and to test")
    test, rest = data.take(order[:n_test]), order[n_test:]
    samples = [data.take(random.choice(rest, len(rest))) for _ in range(n_samples)]
    rows = [
        _take_apart(clone(estimator).set_params(**{parameter: value}), samples, test)
        for value in values
    ]
    return SizeCurve(parameter, tuple(values), *np.array(rows).T)


def _take_apart(
    estimator: BaseEstimator, samples: list[Data], test: Data
) -> tuple[float, float, float, float, float]:
    """Return mean nodes, training error, test error, bias and variance."""
    fitted = [fit_on(clone(estimator), sample) for sample in samples]
    answers = np.array([predict_codes(model, test) for model in fitted])
    train = [
        np.mean(predict_codes(model, sample) != sample.labels)
        for model, sample in zip(fitted, samples, strict=True)
    ]
    votes = np.array([(answers == code).sum(axis=0) for code in range(test.schema.n_classes)])
    main = votes.argmax(axis=0)
    return (
        float(np.mean([model.tree_.n_nodes for model in fitted])),
        float(np.mean(train)),
        float(np.mean(answers != test.labels)),
        float(np.mean(main != test.labels)),
        float(np.mean(answers != main)),
    )
