"""A million rows of twenty numbers: the tree beside scikit-learn's clusterers, in one process."""

from __future__ import annotations

import time
from argparse import Namespace
from functools import partial
from typing import Any

import numpy as np
from resumable import Store
from sklearn.cluster import BisectingKMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from ica_parts.simulated import tree_of_clusters
from miter import ICATree

N_CLUSTERS, N_COLUMNS = 8, 20


def _times(n_rows: int) -> dict[str, Any]:
    random = np.random.default_rng(0)
    centres = tree_of_clusters(random, N_CLUSTERS, N_COLUMNS)
    y = random.integers(N_CLUSTERS, size=n_rows)
    X = centres[y] + random.normal(size=(n_rows, N_COLUMNS))
    tree = ICATree(random_state=0)
    report: dict[str, Any] = {"rows": n_rows, "ICA tree": _time(tree, X, y, repeat=3)}
    n = tree.n_clusters_
    report["clusters"] = n
    report["BisectingKMeans"] = _time(BisectingKMeans(n, random_state=0), X, y, repeat=3)
    report["GaussianMixture"] = _time(GaussianMixture(n, random_state=0), X, y, repeat=1)
    return report


def _time(model: Any, X: Any, y: Any, repeat: int) -> list[float]:
    """Return the least seconds of some fits, and the adjusted Rand index."""
    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        model.fit(X)
        seconds.append(time.perf_counter() - begin)
    return [min(seconds), adjusted_rand_score(y, model.predict(X))]


def measure(arguments: Namespace) -> dict[str, Any]:
    """Time one fit of each, the least of three but for the mixture."""
    n_rows = 50_000 if arguments.quick else 1_000_000
    store = Store("ica_speed", fresh=arguments.fresh, label="speed: ")
    return store.find({str(n_rows): partial(_times, n_rows)})[str(n_rows)]


def as_text(report: dict[str, Any]) -> str:
    """Write seconds, and how many times as long as ours."""
    ours = report["ICA tree"][0]
    lines = [
        f"{report['rows']:,} rows x {N_COLUMNS}, {report['clusters']} clusters: seconds to fit"
    ]
    for name in ("ICA tree", "BisectingKMeans", "GaussianMixture"):
        seconds, rand = report[name]
        lines.append(
            f"  {name:18}{seconds:9.2f}{seconds / ours:8.1f} times ours, adjusted Rand {rand:.3f}"
        )
    return "\n".join(lines)
