import threading
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from miter import id3
from miter.data import monks
from miter.lab import MinimumCostClassifier
from miter.lab.experiments.memory import forget_peak
from miter.lab.experiments.task import Task, perform

IDENTITY = {
    "set": "monks-1",
    "data_hash": "ab",
    "learner": "one",
    "learner_class": "T",
    "parameters": {},
    "seed": 7,
    "repeat": 1,
    "fold": 0,
}


class Strange(ClassifierMixin, BaseEstimator):
    """Complains, fails, and remembers what it was given."""

    seen = []

    def __init__(self, complaint=None, failure=None, random_state=None, n_threads=None):
        self.complaint = complaint
        self.failure = failure
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen.append((self.random_state, self.n_threads))
        for _ in range(3):
            if self.complaint:
                warnings.warn(self.complaint, UserWarning, stacklevel=1)
        if self.failure:
            raise RuntimeError(self.failure)
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


def make_task(estimator, **others):
    data = monks(1)
    rows = np.arange(data.n_rows)
    return Task(IDENTITY, estimator, data, rows[::2], rows[1::2], **others)


def test_everything_is_written_down():
    run = perform(make_task(id3()))
    assert run.key == make_task(id3()).key == ("monks-1", "one", 1, 0)
    assert (run.n_train, run.n_test, run.seed) == (216, 216, 7)
    assert run.accuracy == 1 - run.n_wrong / 216
    assert run.nodes > run.leaves > run.depth > 1
    assert run.variables == 1.0
    assert run.terms == run.nodes - run.leaves
    assert 1 <= run.path_terms <= run.depth
    assert 0 < run.fit_seconds < 60
    assert 0 < run.predict_seconds < 60
    assert (run.cost, run.error, run.n_warnings, run.first_warning) == (None, None, 0, None)
    assert np.__version__ == run.numpy_version
    if forget_peak():
        assert 20 < run.peak_megabytes < 20_000


def test_learners_that_are_no_trees_have_no_size():
    run = perform(make_task(LogisticRegression()))
    assert (run.nodes, run.leaves, run.depth, run.variables) == (None,) * 4
    assert (run.terms, run.path_terms) == (None, None)
    assert run.accuracy > 0.5


def test_warnings_are_counted_not_shown(recwarn):
    run = perform(make_task(Strange("Mind\n the gap")))
    assert (run.n_warnings, run.first_warning) == (3, "UserWarning: Mind the gap")
    assert not recwarn.list
    assert run.error is None


def test_failures_are_written_down():
    run = perform(make_task(Strange("oh", "no\nway")))
    assert run.error == "RuntimeError: no way"
    assert (run.n_wrong, run.accuracy, run.fit_seconds) == (None, None, None)
    assert run.n_warnings == 3
    assert run.n_test == 216


def test_seeds_and_threads_are_set_where_they_were_left_open():
    Strange.seen.clear()
    for given in ({}, {"random_state": 3, "n_threads": 2}):
        perform(make_task(Strange(**given), n_threads=1))
    perform(make_task(make_pipeline(Strange())))
    assert Strange.seen == [(7, 1), (3, 2), (7, None)]


def test_the_estimator_is_not_changed():
    estimator = RandomForestClassifier(3, oob_score=False)
    perform(make_task(estimator))
    assert estimator.random_state is None
    assert not hasattr(estimator, "estimators_")


def test_beside_other_runs_memory_and_warnings_are_not_told():
    runs = []
    thread = threading.Thread(
        target=lambda: runs.append(perform(make_task(DecisionTreeClassifier())))
    )
    thread.start()
    thread.join()
    assert (runs[0].peak_megabytes, runs[0].n_warnings) == (None, None)
    assert runs[0].n_wrong == perform(make_task(DecisionTreeClassifier())).n_wrong


def test_interrupting_is_no_failure(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("miter.lab.experiments.task.fit_on", interrupt)
    with pytest.raises(KeyboardInterrupt):
        perform(make_task(id3()))


# ---- costs ---------------------------------------------------------------------------------

COSTS = np.array([[0.0, 5.0], [1.0, 0.0]])


class Priced(Strange):
    """Remembers the costs that it is given, and always answers the second class."""

    def __init__(self, costs=None):
        self.costs = costs

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen.append(self.costs)
        return self

    def predict(self, X):
        return np.ones(len(X), int)


def test_mean_cost_by_hand():
    task = make_task(Priced(), costs=COSTS)
    test = task.data.take(task.test_rows)
    run = perform(task)
    # Each row of class 0 is called 1, which costs 1.
    assert run.cost == (test.labels == 0).mean() == 1 - run.accuracy > 0
    assert perform(make_task(Priced(), costs=COSTS.T)).cost == 5 * run.cost
    assert perform(make_task(Priced())).cost is None


def test_costs_are_given_to_learners_that_want_them():
    Strange.seen.clear()
    own = COSTS * 2
    for given in (None, True, own):
        assert perform(make_task(Priced(given), costs=COSTS)).error is None
    assert Strange.seen[0] is None
    assert (Strange.seen[1] == COSTS).all()
    assert (Strange.seen[2] == own).all()


@pytest.mark.parametrize("learner", [id3(max_depth=1), DecisionTreeClassifier(max_depth=1)])
def test_costs_change_what_is_cheap(learner):
    using = id3(max_depth=1, costs=True)
    if not isinstance(learner, type(using)):
        using = MinimumCostClassifier(learner, costs=True)
    plain, careful = (perform(make_task(one, costs=COSTS * [1, 20])) for one in (learner, using))
    assert careful.cost < plain.cost
    assert careful.error is None
