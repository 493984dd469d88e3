"""Dask in, Dask out: answers, tests of models, and runs of the laboratory."""

import dask.dataframe as dd
import joblib
import numpy as np
import pytest

import miter
from miter.data import monks
from miter.errors import DataError
from miter.lab import Experiment, run
from miter.lab.estimates import tested

# Dask's own threads warn of what is old in pandas.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def models():
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, "up", "down")
    tree = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    forest = miter.LinearMachineForestClassifier(4, random_state=0).fit(X, y)
    return X, y, tree, forest


def test_frames_give_series_and_frames(table, cut):
    X, y = table()
    model = miter.c45().fit(X, y)
    frame = cut(X.set_index(np.arange(len(X)) * 3), 3)
    answers = model.predict(frame).compute()
    assert answers.name == "y"
    assert answers.index.tolist() == (np.arange(len(X)) * 3).tolist()
    np.testing.assert_array_equal(answers, model.predict(X))
    shares = model.predict_proba(frame)
    assert list(shares.columns) == ["0", "1", "2"]
    np.testing.assert_array_equal(shares.compute(), model.predict_proba(X))
    np.testing.assert_array_equal(model.apply(frame).compute(), model.apply(X))


def test_nothing_is_computed_before_it_is_asked_for(models):
    _, _, tree, _ = models

    def fail(frame):
        raise AssertionError("computed")

    frame = dd.from_pandas(_frame(np.zeros((4, 3))), npartitions=2)
    assert tree.predict(frame.map_partitions(fail, meta=frame._meta)).npartitions == 2


def _frame(X):
    import pandas as pd

    return pd.DataFrame(X, columns=["x0", "x1", "x2"])


def test_arrays_give_arrays(models, arrays):
    X, y, tree, forest = models
    A, b = arrays(X, y, 250)
    for model in (tree, forest):
        np.testing.assert_array_equal(model.predict(A).compute(), model.predict(X))
        shares = model.predict_proba(A)
        assert shares.chunks == ((250, 250, 100), (2,))
        np.testing.assert_array_equal(shares.compute(), model.predict_proba(X))
    costs = [[0, 9], [1, 0]]
    assert (tree.predict(A, costs).compute() == tree.predict(X, costs)).all()
    assert tree.predict(A).dtype == tree.classes_.dtype
    assert tree.score(A, b) == tree.score(X, y)


def test_memberships_of_clusters(arrays):
    X = np.random.default_rng(0).normal(size=(300, 2))
    X[:, 0] += 8 * (np.arange(300) % 2)
    clusters = miter.ICATree(random_state=0).fit(X)
    A = arrays(X, X[:, 0], 100)[0]
    np.testing.assert_array_equal(clusters.transform(A).compute(), clusters.transform(X))


def test_a_model_is_tested_where_the_rows_are(on_cluster, models, arrays):
    X, y, tree, forest = models
    A, b = arrays(X, y, 250)
    for model in (tree, forest):
        assert str(miter.evaluate(model, A, b)) == str(miter.evaluate(model, X, y))
    costs = [[0, 9], [1, 0]]
    there, here = (miter.evaluate(tree, *rows, costs=costs) for rows in ((A, b), (X, y)))
    assert there.total_cost == here.total_cost
    with pytest.raises(DataError, match="not compared with those of training"):
        miter.evaluate(tree, A, b, train=X)


def test_classes_may_be_a_column(on_cluster, models):
    X, y, tree, _ = models
    frame = dd.from_pandas(_frame(X).assign(**{"class": y}), npartitions=2)
    assert miter.evaluate(tree, frame).confusion.sum() == 600
    with pytest.raises(DataError, match="the classes are not there"):
        miter.evaluate(tree, frame[["x0", "x1", "x2"]])


def test_of_many_outcomes_a_sample_tells(models, monkeypatch):
    from miter.lab.estimates.tested import Tested, add_tested

    truth = np.arange(2000) % 2
    shares = np.random.default_rng(0).dirichlet([1, 1], 2000)
    monkeypatch.setattr(tested, "MOST_OUTCOMES", 300)
    none = np.zeros((2, 2), np.int64)
    parts = [
        Tested.of(none, 0, truth[a : a + 500], shares[a : a + 500]) for a in range(0, 2000, 500)
    ]
    whole, added = Tested.of(none, 0, truth, shares), add_tested(parts)
    assert len(added.times) == 300
    np.testing.assert_array_equal(np.sort(whole.shares[:, 0]), np.sort(added.shares[:, 0]))


def test_the_laboratory_runs_on_the_cluster(on_cluster):
    experiment = Experiment({"monks-1": monks(1)}, ["id3"], "5x2")
    here = run(experiment, progress=False)
    with on_cluster.as_current(), joblib.parallel_config("dask"):
        there = run(experiment, progress=False, n_workers=2)

    def outcome(results):
        return sorted((r.repeat, r.fold, r.n_wrong) for r in results.runs)

    assert outcome(here) == outcome(there)
