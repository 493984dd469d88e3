"""A tree from a collection is the tree from memory, whatever the partitions."""

import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

import miter
from miter.distributed import using
from miter.errors import ClusterError

# Dask's own threads warn of what is old in pandas.
pytestmark = pytest.mark.filterwarnings("default")


SAMPLING = 150, 300

FAMILIES = {
    "univariate": miter.UnivariateTreeClassifier(),
    "fractions": miter.id3(missing="fractions"),
    "readable": miter.ReadableTreeClassifier(max_features=2),
    "linear machine": miter.LinearMachineTreeClassifier(l2=0.3, terms="bent", anneal=False),
    "bagging": miter.BaggedTreesClassifier(n_estimators=2, oob_score=True),
    "forest": miter.LinearMachineForestClassifier(3, oob_score=True),
    "ica": miter.ICATreeClassifier(),
}


def assert_same(one, other, in_parts):
    for own, theirs in zip(one.trees_, other.trees_, strict=True):
        in_parts.assert_same_tree(own, theirs)
        assert own.schema == theirs.schema
        for a, b in zip(own.schema.columns, theirs.schema.columns, strict=True):
            assert a.spread == b.spread


def both(model, here, there, **others):
    """Fit a model to rows in memory, and a copy to the same rows on the cluster."""
    from sklearn.base import clone

    with miter.sampled(*SAMPLING):
        return clone(model).fit(*here), clone(model).fit(*there, **others)


@pytest.mark.parametrize("name", FAMILIES)
def test_memory_and_cluster_give_the_same_trees(on_cluster, in_parts, table, cut, name):
    X, y = table()
    frame = cut(X.assign(y=y), 3)
    model = FAMILIES[name].set_params(random_state=3)
    here, there = both(model, (X, y), (frame.drop(columns="y"), frame["y"]))
    assert_same(here, there, in_parts)
    assert getattr(here, "oob_score_", None) == getattr(there, "oob_score_", None)
    np.testing.assert_array_equal(here.predict(X), there.predict(X))


@pytest.mark.parametrize("n_partitions", [2, 12])
def test_partitions_do_not_matter(on_cluster, in_parts, table, cut, n_partitions):
    X, y = table(1000)
    frame = cut(X.assign(y=y), n_partitions)
    model = miter.c45(random_state=0)
    here, there = both(model, (X, y), (frame.drop(columns="y"), frame["y"]))
    assert_same(here, there, in_parts)


def test_few_rows_are_fitted_by_one_worker_as_in_memory(on_cluster, in_parts, table, cut):
    X, y = table(200)
    frame = cut(X.assign(y=y), 3)
    model = miter.LinearMachineTreeClassifier(random_state=0, verbose=False)
    there = model.fit(frame.drop(columns="y"), frame["y"])
    assert there is model
    here = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    assert_same(here, there, in_parts)
    assert there.n_features_in_ == 5


@pytest.mark.parametrize("costs", [[[0, 1, 5], [2, 0, 1], [1, 1, 0]], 1 - np.eye(3)])
def test_weights_and_costs(on_cluster, in_parts, table, arrays, costs):
    X, y = (frame.to_numpy() for frame in table())
    X = X[:, 1:4].astype(float)
    weight = np.random.default_rng(0).gamma(2.0, 0.5, len(X))
    model = miter.UnivariateTreeClassifier(class_weight="balanced", costs=costs, random_state=0)
    here, there = both(model, (X, y, weight), (*arrays(X, y, 200), arrays(X, weight, 100)[1]))
    assert_same(here, there, in_parts)


def test_costs_of_rows(on_cluster, in_parts, table, arrays):
    X, y = (frame.to_numpy() for frame in table())
    X = X[:, 1:4].astype(float)
    costs = np.random.default_rng(1).integers(1, 5, (len(X), 3)).astype(float)
    costs[np.arange(len(X)), y] = 0
    model = miter.c45(random_state=0)
    with miter.sampled(*SAMPLING):
        here = miter.c45(random_state=0).fit(X, y, row_costs=costs)
        A, b = arrays(X, y, 200)
        there = model.fit(A, b, row_costs=arrays(costs, y, 150)[0])
    assert_same(here, there, in_parts)


@pytest.mark.parametrize("labels", ["afterwards", "together"])
@pytest.mark.parametrize("finish_rows", [300, 5000])
def test_rows_without_labels(on_cluster, in_parts, table, arrays, labels, finish_rows):
    X, y = (frame.to_numpy() for frame in table())
    X = X[:, 1:4].astype(float)
    X += 5 * (np.arange(len(y)) % 2)[:, None]
    few = np.where(np.arange(len(y)) % 5 == 0, np.arange(len(y)) % 2, -1)
    model = miter.ICATreeClassifier(labels=labels, unlabelled=-1, random_state=0)
    with miter.sampled(150, finish_rows):
        here = miter.ICATreeClassifier(labels=labels, unlabelled=-1, random_state=0).fit(X, few)
        there = model.fit(*arrays(X, few, 200))
    in_parts.assert_same_tree(here.tree_, there.tree_)
    assert here.tree_.schema == there.tree_.schema
    assert here.tree_.n_nodes >= 3


def test_clusters(on_cluster, in_parts, arrays):
    X = np.random.default_rng(0).normal(size=(900, 3))
    X[:, 0] += 8 * (np.arange(900) % 3)
    here, there = both(miter.ICATree(random_state=0), (X,), (arrays(X, X[:, 0], 250)[0],))
    assert_same(here, there, in_parts)
    assert here.n_clusters_ >= 3
    np.testing.assert_array_equal(here.labels_, there.labels_.compute())


def test_a_worker_that_is_killed_costs_time_and_nothing_else(on_cluster, in_parts, table, cut):
    X, y = table(1500)
    frame = cut(X.assign(y=y), 6)
    kill = threading.Thread(target=kill_a_worker, args=[on_cluster, 0.5])
    kill.start()
    model = miter.UnivariateTreeClassifier(random_state=0)
    here, there = both(model, (X, y), (slowly(frame.drop(columns="y")), frame["y"]))
    kill.join()
    assert_same(here, there, in_parts)


def slowly(frame, seconds=0.1):
    return frame.map_partitions(_after_a_while, seconds, meta=frame._meta)


def _after_a_while(frame, seconds):
    time.sleep(seconds)
    return frame


def kill_a_worker(client, after):
    time.sleep(after)
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


def test_the_client_of_the_context_goes_before_that_in_force(client):
    with using(client), using(None), pytest.raises(ClusterError, match="no client is in force"):
        miter.id3().fit(*_tiny())


def test_a_client_that_is_closed(client):
    from distributed import Client

    with Client(client.scheduler.address, set_as_default=False) as other:
        pass
    with using(other), pytest.raises(ClusterError, match=r"is closed; connect"):
        miter.id3().fit(*_tiny())


def _tiny():
    import dask.dataframe as dd

    frame = dd.from_pandas(pd.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}), npartitions=1)
    return frame[["a"]], frame["y"]


def test_a_scheduler_that_goes_away_ends_the_fit(table, cut):
    from distributed import Client, LocalCluster

    X, y = table()
    frame = cut(X.assign(y=y), 4)
    cluster = LocalCluster(n_workers=1, processes=False, dashboard_address=":0")
    client = Client(cluster, set_as_default=False)
    close = threading.Timer(0.3, cluster.close)
    close.start()
    with using(client), pytest.raises(ClusterError, match="is gone, or the client was closed"):
        miter.c45().fit(slowly(frame.drop(columns="y"), 1.0), frame["y"])
    close.join()
    client.close(timeout=1)
