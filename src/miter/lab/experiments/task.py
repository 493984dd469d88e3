"""One run: train a learner on some rows, test it on others, and write down what it took."""

from __future__ import annotations

import platform
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from miter import __version__
from miter.data.table import Data
from miter.lab.estimates.adapter import fit_on, predict_codes, predict_proba_of, takes_data
from miter.lab.estimates.evaluation import count_pairs
from miter.lab.estimates.reading_length import reading_length
from miter.lab.estimates.scores import Score, confusion_scores, probability_scores
from miter.lab.estimates.tree_size import measure_size
from miter.lab.experiments.memory import forget_peak, read_peak
from miter.lab.experiments.results import Run

__all__ = ["Task", "perform", "single_threaded_sums", "wants_costs"]


@dataclass(frozen=True, eq=False)
class Task:
    """What a worker needs to know for one run.

    Parameters
    ----------
    identity : dict
        The fields of `Run` that are known before: set, learner, seed, repeat, fold and so on.
    estimator : estimator
        Not fitted.
    data : Data
        All rows of the set.
    train_rows, test_rows : ndarray
        Which of them are for training and testing.
    n_threads : int, optional
        For learners that have `n_threads` and were not given any.
    costs : ndarray of shape (n_classes, n_classes), optional
        What errors cost on this set. A learner whose parameter `costs` is True gets them.

    Examples
    --------
    >>> import numpy as np
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.lab.experiments.task import Task, perform
    >>> identity = {"set": "tennis", "data_hash": "5e", "learner": "id3", "learner_class": "id3",
    ...             "parameters": {}, "seed": 0, "repeat": 0, "fold": 0}
    >>> rows = np.arange(14)
    >>> perform(Task(identity, id3(), play_tennis(), rows, rows)).n_wrong
    0
    """

    identity: dict[str, Any]
    estimator: BaseEstimator
    data: Data
    train_rows: NDArray[np.integer[Any]]
    test_rows: NDArray[np.integer[Any]]
    n_threads: int | None = None
    costs: NDArray[np.float64] | None = None

    @property
    def key(self) -> tuple[str, str, int, int]:
        """The same as that of its `Run`."""
        own = self.identity
        return own["set"], own["learner"], own["repeat"], own["fold"]


def perform(task: Task) -> Run:
    """Train and test; an error of the learner is written down, not raised.

    Parameters
    ----------
    task : Task
        What to do.

    Returns
    -------
    Run
        The same, but for times and memory, wherever and next to whatever it runs.

    Examples
    --------
    See `Task`.
    """
    train, test = task.data.take(task.train_rows), task.data.take(task.test_rows)
    estimator = _prepare(task)
    # What a process remembers, its peak and its warnings, belongs to one run only where runs come
    # one after the other; a run in another thread has neighbours.
    is_alone = threading.current_thread() is threading.main_thread()
    has_peak = is_alone and forget_peak()
    with _noting_warnings(is_alone) as noted, single_threaded_sums(is_alone):
        try:
            outcome = _fit_and_test(estimator, train, test, task.costs)
        except Exception as error:
            outcome = {"error": " ".join(f"{type(error).__name__}: {error}".split())}
    return Run(
        **task.identity,
        n_train=train.n_rows,
        n_test=test.n_rows,
        **outcome,
        **_describe_warnings(noted),
        peak_megabytes=read_peak() if has_peak else None,
        miter_version=__version__,
        sklearn_version=sklearn.__version__,
        numpy_version=np.__version__,
        python_version=platform.python_version(),
    )


def single_threaded_sums(is_alone: bool = True) -> threadpool_limits:
    """Keep linear algebra libraries to one thread in a ``with`` block.

    Sums made by several threads differ in the last digit from one time to the next.

    Parameters
    ----------
    is_alone : bool
        False: change nothing, since neighbours in the same process would undo it in turn.

    Examples
    --------
    >>> from miter.lab.experiments.task import single_threaded_sums
    >>> with single_threaded_sums():
    ...     pass
    """
    return threadpool_limits(1 if is_alone else None, user_api="blas")


def _prepare(task: Task) -> BaseEstimator:
    """Return a copy with everything set that the user left open: seeds, threads and costs."""
    estimator = clone(task.estimator)
    settings: dict[str, Any] = {}
    if wants_costs(estimator):
        settings["costs"] = task.costs
    for name, value in estimator.get_params(deep=True).items():
        parameter = name.rpartition("__")[2]
        if value is None and parameter == "random_state":
            settings[name] = task.identity["seed"]
        if value is None and parameter == "n_threads":
            settings[name] = task.n_threads
    return estimator.set_params(**settings)


def wants_costs(estimator: BaseEstimator) -> bool:
    """Tell whether a learner is to use the costs of the set: its parameter `costs` is True.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from miter.lab import MinimumCostClassifier
    >>> from miter.lab.experiments.task import wants_costs
    >>> wants_costs(MinimumCostClassifier(LogisticRegression(), costs=True))
    True
    """
    return estimator.get_params(deep=False).get("costs") is True


def _fit_and_test(
    estimator: BaseEstimator, train: Data, test: Data, costs: NDArray[np.float64] | None
) -> dict[str, Any]:
    begin = perf_counter()
    fitted = fit_on(estimator, train)
    between = perf_counter()
    codes = predict_codes(fitted, test)
    end = perf_counter()
    n_wrong = int(np.count_nonzero(codes != test.labels))
    outcome: dict[str, Any] = {
        "n_wrong": n_wrong,
        "accuracy": 1 - n_wrong / test.n_rows,
        "fit_seconds": between - begin,
        "predict_seconds": end - between,
    }
    outcome |= _score(fitted, test, codes)
    if costs is not None:
        outcome["cost"] = float(costs[codes, test.labels].mean())
    size = measure_size(fitted)
    if size is not None:
        names = ("nodes", "leaves", "depth", "variables")
        outcome |= {name: getattr(size, name) for name in names}
        outcome |= reading_length(fitted, test if takes_data(fitted) else test.X)
    return outcome


def _score(fitted: Any, test: Data, codes: NDArray[np.int64]) -> dict[str, float | None]:
    """Return the measures of answers and of probabilities, where there are any."""
    confusion = count_pairs(test.labels, codes, test.schema.n_classes)
    balanced, f1, _ = confusion_scores(confusion)
    scores: dict[str, Score | None] = {"balanced_accuracy": balanced, "f1": f1}
    with suppress(
        TypeError, AttributeError, NotImplementedError
    ):  # a learner without probabilities
        scores |= probability_scores(test.labels, predict_proba_of(fitted, test))
    return {name: None if score is None else score.value for name, score in scores.items()}


@contextmanager
def _noting_warnings(is_alone: bool) -> Iterator[list[warnings.WarningMessage] | None]:
    """Collect warnings in place of showing them."""
    if not is_alone:
        yield None
        return
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        yield noted


def _describe_warnings(noted: list[warnings.WarningMessage] | None) -> dict[str, Any]:
    if not noted:
        return {"n_warnings": None if noted is None else 0}
    first = f"{noted[0].category.__name__}: {noted[0].message}"
    return {"n_warnings": len(noted), "first_warning": " ".join(first.split())}
