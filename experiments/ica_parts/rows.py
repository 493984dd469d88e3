"""Rows of the classic sets as plain arrays, and the clusterers to compare."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import read_joined
from sklearn.cluster import AgglomerativeClustering, BisectingKMeans, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from miter import ICATree

PEERS = ("K-means", "Gaussian mixture", "bisecting K-means", "Ward")


@cache
def rows_of(name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return all rows of a set and their classes."""
    data = read_joined(name)
    return data.X, data.labels


class Clusters:
    """Clusters of training rows, and those that other rows would be in."""

    def __init__(self, name: str, n_clusters: int, X: NDArray[Any], seed: int) -> None:
        self.scaler = StandardScaler().fit(X)
        X = self.scaler.transform(X)
        if name == "Ward":
            self.labels = AgglomerativeClustering(n_clusters).fit_predict(X)
            # Ward has no answer to other rows; they join their nearest neighbour.
            self.model = KNeighborsClassifier(1).fit(X, self.labels)
        else:
            self.model = {
                "K-means": KMeans(n_clusters, n_init=10, random_state=seed),
                "Gaussian mixture": GaussianMixture(
                    n_clusters, reg_covar=1e-4, random_state=seed, max_iter=200
                ),
                "bisecting K-means": BisectingKMeans(n_clusters, n_init=5, random_state=seed),
            }[name].fit(X)
            self.labels = self.model.predict(X)

    def of(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the cluster of every row."""
        return self.model.predict(self.scaler.transform(X))


class TreeClusters:
    """Those of the tree, which says how many there are."""

    def __init__(self, X: NDArray[Any], seed: int, **parameters: Any) -> None:
        self.tree = ICATree(random_state=seed, n_threads=1, **parameters).fit(X)
        self.labels = self.tree.labels_

    def of(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the cluster of every row."""
        return self.tree.predict(X)


def quality(clusters: Any, train: tuple[Any, Any], test: tuple[Any, Any]) -> dict[str, float]:
    """Return purity and adjusted Rand index of training rows, and accuracy on the others."""
    y, (X_test, y_test) = train[1], test
    counts = np.zeros((int(clusters.labels.max()) + 1, int(y.max()) + 1))
    np.add.at(counts, (clusters.labels, y), 1)
    return {
        "purity": 100 * counts.max(axis=1).sum() / len(y),
        "rand": adjusted_rand_score(y, clusters.labels),
        "held_out": 100 * float((counts.argmax(axis=1)[clusters.of(X_test)] == y_test).mean()),
        "clusters": int((counts.sum(axis=1) > 0).sum()),
    }


def halves(name: str, seed: int) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return the rows in two random halves."""
    X, y = rows_of(name)
    order = np.random.default_rng(seed).permutation(len(y))
    first, second = order[: len(y) // 2], order[len(y) // 2 :]
    return (X[first], y[first]), (X[second], y[second])


def of_peers(
    n_clusters: int, train: tuple[Any, Any], test: tuple[Any, Any], seed: int
) -> dict[str, dict[str, float]]:
    """Return the quality of as many clusters of every peer."""
    return {
        name: quality(Clusters(name, n_clusters, train[0], seed), train, test) for name in PEERS
    }


def means(runs: list[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Return the means of every way."""
    return {way: _mean_of([run[way] for run in runs]) for way in runs[0]}


def _mean_of(runs: list[dict[str, float]]) -> dict[str, float]:
    """Return the mean of every measure, and the deviation of what is held out."""
    means = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
    return means | {
        f"{key}_deviation": float(np.std([run[key] for run in runs]))
        for key in ("purity", "held_out")
    }


def line(name: str, found: dict[str, float]) -> str:
    """Write a row of a table."""
    return (
        f"  {name:22}{found['clusters']:9.1f}{found['purity']:9.1f}"
        f" +-{found['purity_deviation']:4.1f}{found['held_out']:9.1f}"
        f" +-{found['held_out_deviation']:4.1f}{found['rand']:10.3f}"
    )


HEAD = f"  {'':22}{'clusters':>9}{'purity':>9}{'':7}{'held out':>9}{'':7}{'adj. Rand':>10}"
