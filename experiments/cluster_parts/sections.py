"""What is shown of a cluster: the same trees, dead workers, size, speed, peers, many trees."""

from __future__ import annotations

import argparse
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from resumable import Store

import miter
from cluster_parts.cluster import cluster_of, costs_of, make, signature
from cluster_parts.peers import PEERS, fit_peer
from cluster_parts.rows import collections, piece, rows_to_test
from miter.registry import LEARNERS

#: S and F of the small fits, so that many nodes are large.
SMALL = 500, 2000
LARGE_LEARNERS = ("univariate", "linear machine")


def store(arguments: argparse.Namespace) -> Store:
    """Return what is known already; everything is found anew after a change of the library."""
    return Store("cluster", fresh=arguments.fresh, label="cluster: ", by_code=True)


# ---- the same tree ---------------------------------------------------------------------------


def measure_same(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fit every learner in memory and on clusters of 1, 2 and 4 workers, 1, 7 and 64 partitions."""
    n_rows = 4000 if arguments.quick else 20_000
    names = arguments.learner or [name for name in LEARNERS if name != "rules"]
    found = store(arguments)
    tasks = {
        ("same", name, n_rows, place): partial(_signatures, name, n_rows, place)
        for place in ("memory", 1, 2, 4)
        for name in names
    }
    values = found.find(tasks)
    report = {}
    for name in names:
        own = [values["same", name, n_rows, place] for place in ("memory", 1, 2, 4)]
        distinct = {text for texts in own for text in texts.values()}
        report[name] = {"distinct_trees": len(distinct), "fits": sum(map(len, own))}
    return report


def _signatures(name: str, n_rows: int, place: str | int) -> dict[str, str]:
    if place == "memory":
        X, y = piece(0, n_rows)
        with miter.sampled(*SMALL):
            return {"memory": signature(_fitted(name, X, y.astype(np.int64)))}
    with cluster_of(int(place)), miter.sampled(*SMALL):
        return {
            f"{n_partitions} partitions": signature(
                _fitted(name, *collections(n_rows, n_partitions, with_empty=True))
            )
            for n_partitions in (1, 7, 64)
        }


def _fitted(name: str, X: Any, y: Any) -> Any:
    model = miter.registry.make_learner(name, {"random_state": 0})
    return model.fit(X) if name == "ica_tree" else model.fit(X, y)


def same_as_text(report: dict[str, Any]) -> str:
    """Write how many different trees there were."""
    lines = [
        f"{name:24} {own['distinct_trees']} tree(s) in {own['fits']} fits"
        for name, own in report.items()
    ]
    return "\n".join(["The same tree in memory, on 1, 2 and 4 workers, 1 to 64 partitions", *lines])


# ---- dead workers ----------------------------------------------------------------------------


def measure_killed(arguments: argparse.Namespace) -> dict[str, Any]:
    """Kill a worker five times at random moments of a fit."""
    n_rows = 200_000 if arguments.quick else 2_000_000
    key = ("killed", n_rows)
    return dict(store(arguments).find({key: partial(_killed, n_rows)})[key])


def _killed(n_rows: int) -> dict[str, Any]:
    with cluster_of(2) as client, miter.sampled(20_000, n_rows // 20):
        X, y = collections(n_rows, 16)
        begin = time.perf_counter()
        whole = signature(make("univariate").fit(X, y))
        seconds = time.perf_counter() - begin
        is_over, kills = threading.Event(), []
        thread = threading.Thread(target=_kill, args=[client, seconds, is_over, kills])
        thread.start()
        begin = time.perf_counter()
        again = signature(make("univariate").fit(X, y))
        with_kills = time.perf_counter() - begin
        is_over.set()
        thread.join()
        time.sleep(1)
        left = client.run_on_scheduler(_n_tasks)
    return {
        "kills": len(kills),
        "same_tree": whole == again,
        "seconds": seconds,
        "seconds_with_kills": with_kills,
        "tasks_left": left,
    }


def _n_tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def _kill(client: Any, seconds: float, is_over: threading.Event, kills: list[float]) -> None:
    chance = random.Random(0)
    while len(kills) < 5 and not is_over.wait(chance.uniform(0.1, 0.3) * seconds):
        workers = [worker["pid"] for worker in client.run(_pid).values()]
        if workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            kills.append(time.perf_counter())


def _pid() -> dict[str, int]:
    return {"pid": os.getpid()}


def killed_as_text(report: dict[str, Any]) -> str:
    """Write what dead workers did."""
    return (
        f"A worker killed {report['kills']} times during a fit: "
        f"{'the same tree' if report['same_tree'] else 'ANOTHER TREE'}, "
        f"{report['seconds']:.0f} s without, {report['seconds_with_kills']:.0f} s with; "
        f"{report['tasks_left']} tasks left behind"
    )


# ---- size and speed --------------------------------------------------------------------------


def measure_size(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fit two learners to more and more rows on two workers."""
    most = arguments.rows or (10**5 if arguments.quick else 10**7)
    sizes = [10**k for k in range(5, 10) if 10**k <= most]
    tasks: dict[Any, Callable[[], Any]] = {
        ("size", name, n_rows, 2): partial(_sized, name, n_rows, 2)
        for n_rows in sizes
        for name in _learners(arguments)
    }
    return {" ".join(map(str, key)): one for key, one in store(arguments).find(tasks).items()}


def measure_speed(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fit on one worker, on two, and in memory on two threads."""
    n_rows = arguments.rows or (10**5 if arguments.quick else 10**7)
    tasks: dict[Any, Callable[[], Any]] = {}
    for name in _learners(arguments):
        for n_workers in (1, 2):
            key = ("size", name, n_rows, n_workers)
            tasks[key] = partial(_sized, name, n_rows, n_workers)
        for place in ("memory", "memory, sampled"):
            tasks[place, name, n_rows] = partial(_in_memory, name, n_rows, place)
    return {" ".join(map(str, key)): one for key, one in store(arguments).find(tasks).items()}


def _learners(arguments: argparse.Namespace) -> list[str]:
    return [name for name in LARGE_LEARNERS if name in (arguments.learner or LARGE_LEARNERS)]


def _partitions(n_rows: int) -> int:
    return min(max(n_rows // 250_000, 8), 200)


def _sized(name: str, n_rows: int, n_workers: int) -> dict[str, Any]:
    from distributed import wait

    n_partitions = _partitions(n_rows)
    with cluster_of(n_workers) as client:
        X, y = collections(n_rows, n_partitions)
        with client.as_current():
            X, y = client.persist([X, y])
            wait([X, y])
        measured = costs_of(client, lambda: make(name).fit(X, y), n_partitions)
    return _scored(measured)


def _in_memory(name: str, n_rows: int, place: str) -> dict[str, Any]:
    X, y = piece(0, n_rows)
    model = make(name)
    begin, own = time.perf_counter(), time.process_time()
    if place == "memory":
        model.fit(X, y)
    else:
        with miter.sampled():
            model.fit(X, y)
    seconds, own = time.perf_counter() - begin, time.process_time() - own
    return _scored({"result": model, "seconds": seconds, "driver_cpu": own})


def _scored(measured: dict[str, Any]) -> dict[str, Any]:
    model = measured.pop("result")
    X, y = rows_to_test()
    accuracy = float((model.predict(X) == y).mean())
    return {"accuracy": accuracy, "leaves": model.get_n_leaves(), **measured}


def table_as_text(report: dict[str, Any]) -> str:
    """Write figures, a line a fit."""
    lines = []
    for key, one in report.items():
        if "skipped" in one:
            lines.append(f"{key}: skipped, {one['skipped']}")
            continue
        said = ", ".join(
            f"{name} {value:,.4g}" if isinstance(value, float) else f"{name} {value}"
            for name, value in one.items()
        )
        lines.append(f"{key}: {said}")
    return "\n".join(lines)


# ---- peers, many trees, answers --------------------------------------------------------------


def measure_peers(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fit one tree of others to the same rows, on one worker and on two."""
    n_rows = arguments.rows or (10**5 if arguments.quick else 10**6)
    tasks: dict[Any, Callable[[], Any]] = {
        ("peer", name, n_rows, n_workers): partial(_peer, name, n_rows, n_workers)
        for name in PEERS
        for n_workers in (1, 2)
    }
    for name in _learners(arguments):
        for n_workers in (1, 2):
            key = ("size", name, n_rows, n_workers)
            tasks[key] = partial(_sized, name, n_rows, n_workers)
    return {" ".join(map(str, key)): one for key, one in store(arguments).find(tasks).items()}


def _peer(name: str, n_rows: int, n_workers: int) -> dict[str, Any]:
    n_partitions = _partitions(n_rows)
    with cluster_of(n_workers) as client:
        X, y = collections(n_rows, n_partitions)
        with client.as_current():
            return fit_peer(name, client, X, y, n_partitions)


def measure_many(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fit a forest and an ICA tree, and predict more rows than memory holds answers of."""
    n_rows = arguments.rows or (50_000 if arguments.quick else 10**6)
    tasks: dict[Any, Callable[[], Any]] = {
        ("forest", n_rows): partial(_forest, n_rows),
        ("ica tree", n_rows): partial(_ica, n_rows),
        ("answers", 10 * n_rows): partial(_answers, 10 * n_rows),
    }
    return {" ".join(map(str, key)): one for key, one in store(arguments).find(tasks).items()}


def _forest(n_rows: int) -> dict[str, Any]:
    n_partitions = _partitions(n_rows)
    with cluster_of(2) as client, miter.sampled(20_000, max(n_rows // 20, 5000)):
        X, y = collections(n_rows, n_partitions)
        forest = miter.LinearMachineForestClassifier(8, random_state=0)
        measured = costs_of(client, lambda: forest.fit(X, y), n_partitions)
    measured.pop("result")
    X, y = rows_to_test(20_000)
    return {"accuracy": float((forest.predict(X) == y).mean())} | measured


def _ica(n_rows: int) -> dict[str, Any]:
    n_partitions = _partitions(n_rows)
    with cluster_of(2) as client, miter.sampled(20_000, max(n_rows // 20, 5000)):
        X, _ = collections(n_rows, n_partitions)
        X = X.map_blocks(_in_groups, dtype=np.float32)
        tree = miter.ICATree(random_state=0, max_depth=6)
        measured = costs_of(client, lambda: tree.fit(X), n_partitions)
    measured.pop("result")
    return {"clusters": tree.n_clusters_} | measured


def _in_groups(X: Any) -> Any:
    """Return rows moved to three places."""
    X = X.copy()
    X[:, :2] += 6 * (np.arange(len(X)) % 3)[:, None] * np.array([1, -1], np.float32)
    return X


def _answers(n_rows: int) -> dict[str, Any]:
    """Predict rows that are made in the partitions, and count the answers."""
    n_partitions = max(n_rows // 500_000, 4)
    X, y = piece(0, 50_000)
    model = make("linear machine").fit(X, y)
    with cluster_of(2) as client:
        A, b = collections(n_rows, n_partitions)
        counted = costs_of(client, lambda: miter.evaluate(model, A, b), n_partitions)
        peak = max(client.run(_peak).values())
    evaluation = counted.pop("result")
    return {"accuracy": evaluation.accuracy, "worker_megabytes": peak} | counted


def _peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
