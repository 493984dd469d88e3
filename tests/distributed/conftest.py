"""A cluster of two processes for all tests, and tables as collections."""

import gc
import time
import warnings
from itertools import pairwise

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

#: Signs of life come often, so that a worker that is gone is missed soon.
SETTINGS = {"distributed.scheduler.worker-ttl": "60 s", "distributed.admin.tick.limit": "1 h"}


@pytest.fixture(scope="session")
def client():
    from distributed import Client, LocalCluster

    with (
        dask.config.set(SETTINGS),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def on_cluster(client):
    """Fit on the cluster; afterwards it holds nothing any more."""
    from miter.distributed import using

    with using(client):
        yield client
    assert_nothing_left(client)


def assert_nothing_left(client):
    def n_tasks(dask_scheduler):
        return len(dask_scheduler.tasks)

    gc.collect()
    for _ in range(50):
        if client.run_on_scheduler(n_tasks) == 0:
            return
        time.sleep(0.2)
    raise AssertionError("the cluster still holds tasks")


@pytest.fixture
def table():
    """Return rows with numbers, symbols, dates and missing values, and three classes."""

    def make(n_rows=700, seed=0):
        random = np.random.default_rng(seed)
        X = pd.DataFrame(random.normal(size=(n_rows, 4)), columns=list("abcd"))
        X["s"] = random.choice(list("uvwx"), n_rows, p=[0.5, 0.3, 0.19, 0.01])
        noise = 0.3 * random.normal(size=n_rows)
        y = (X["a"] + X["b"] * X["c"] + (X["s"] == "u") + noise > 0.5) * 1 + (X["d"] > 1.5)
        X.loc[random.random(n_rows) < 0.1, "a"] = np.nan
        X.loc[random.random(n_rows) < 0.1, "s"] = None
        return X, y.astype(int).rename("y")

    return make


@pytest.fixture
def cut():
    """Return rows as a Dask frame of so many partitions, the second of them empty."""

    def make(frame, n_partitions):
        ends = np.linspace(0, len(frame), n_partitions).astype(int).tolist()
        pieces = [frame.iloc[a:b] for a, b in pairwise(ends)]
        pieces.insert(1, frame.iloc[:0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return dd.from_map(_piece, range(len(pieces)), args=[pieces], meta=frame.iloc[:0])

    return make


def _piece(number, pieces):
    return pieces[number]


@pytest.fixture
def arrays():
    def make(X, y, n_rows):
        return da.from_array(X, chunks=(n_rows, 2)), da.from_array(y, chunks=n_rows)

    return make
