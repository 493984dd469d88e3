"""One tree of others on the same cluster."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from cluster_parts.cluster import costs_of
from cluster_parts.rows import piece, rows_to_test

#: Rows that scikit-learn's tree is fitted to: a sample that fits.
SAMPLE_ROWS = 200_000


def _xgboost(client: Any, X: Any, y: Any) -> tuple[Callable[[Any], Any], str]:
    import xgboost

    matrix = xgboost.dask.DaskDMatrix(client, X, y)
    settings = {
        "objective": "multi:softmax",
        "num_class": 3,
        "max_depth": 12,
        "tree_method": "hist",
        "learning_rate": 1.0,
        "nthread": 1,
    }
    booster = xgboost.dask.train(client, settings, matrix, num_boost_round=1)["booster"]
    text = "".join(booster.get_dump())
    return lambda rows: booster.predict(xgboost.DMatrix(rows)), text


def _lightgbm(client: Any, X: Any, y: Any) -> tuple[Callable[[Any], Any], str]:
    import lightgbm

    model = lightgbm.DaskLGBMClassifier(
        client=client,
        n_estimators=1,
        learning_rate=1.0,
        num_leaves=500,
        min_child_samples=20,
        num_threads=1,
        verbosity=-1,
    ).fit(X, y)
    text = model.booster_.model_to_string().partition("parameters:")[0]
    return model.to_local().predict, text


def _scikit_learn(client: Any, X: Any, y: Any) -> tuple[Callable[[Any], Any], str]:
    from sklearn.tree import DecisionTreeClassifier, export_text

    rows, labels = piece(0, min(SAMPLE_ROWS, X.shape[0]))
    model = DecisionTreeClassifier(min_samples_leaf=20, random_state=0).fit(rows, labels)
    return model.predict, export_text(model, max_depth=100)


PEERS = {
    "xgboost": _xgboost,
    "lightgbm": _lightgbm,
    "scikit-learn on a sample": _scikit_learn,
}


def fit_peer(name: str, client: Any, X: Any, y: Any, n_partitions: int) -> dict[str, Any]:
    """Fit a tree of others to rows that the workers hold; where it is not there, say so."""
    from distributed import wait

    if name in {"xgboost", "lightgbm"} and find_spec(name) is None:
        return {"skipped": f"{name} is not installed"}
    X, y = client.persist([X, y])
    wait([X, y])
    time.sleep(0.1)
    try:
        measured = costs_of(client, lambda: PEERS[name](client, X, y), n_partitions)
    except Exception as error:
        return {"skipped": f"{type(error).__name__}: {error}"[:200]}
    predict, text = measured.pop("result")
    rows, labels = rows_to_test()
    accuracy = float((np.asarray(predict(rows)) == labels).mean())
    tree = hashlib.sha256(text.encode()).hexdigest()[:16]
    return {"accuracy": accuracy, "tree": tree} | measured
