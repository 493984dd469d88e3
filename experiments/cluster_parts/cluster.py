"""A cluster of processes on this machine, and what a fit on it costs."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import miter
from distributed import Client, LocalCluster
from miter.distributed import using
from miter.distributed.workers import DaskWorkers

#: For all workers together.
MEMORY = 15 * 10**9
#: Functions that look at all rows of a part.
PASSES = ("look_at", "read_part", "routed", "moved", "piece_of", "tallied", "_hashed_piece")


@contextmanager
def cluster_of(n_workers: int) -> Iterator[Client]:
    """Yield a client of so many processes of one thread each."""
    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            memory_limit=MEMORY // n_workers,
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
        using(client),
    ):
        yield client


def costs_of(client: Client, work: Callable[[], Any], n_partitions: int) -> dict[str, Any]:
    """Do some work and return what it took, with its result as "result"."""
    started: Counter[str] = Counter()
    run = DaskWorkers.run

    def counted(self: Any, function: Any, *arguments: Any, about: str = "") -> Any:
        started[function.__name__] += 1
        return run(self, function, *arguments, about=about)

    before = client.run(_used)
    begin, own = time.perf_counter(), time.process_time()
    DaskWorkers.run = counted  # type: ignore[method-assign]
    try:
        result = work()
    finally:
        DaskWorkers.run = run  # type: ignore[method-assign]
    seconds, own = time.perf_counter() - begin, time.process_time() - own
    after = client.run(_used)
    spent = [after[w][k] - before[w][k] for k in (0, 1) for w in after if w in before]
    n_workers = len(spent) // 2
    return {
        "result": result,
        "seconds": seconds,
        "worker_cpu": sum(spent[:n_workers]),
        "slowest_worker_cpu": max(spent[:n_workers], default=0.0),
        "driver_cpu": own,
        "megabytes_sent": sum(spent[n_workers:]) / 1e6,
        "passes": sum(started[name] for name in PASSES) / n_partitions,
        "tasks": sum(started.values()),
        "driver_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }


def _used(dask_worker: Any) -> tuple[float, float]:
    """Return the CPU seconds of a worker, and the bytes that it sent to others."""
    return time.process_time(), float(dask_worker.transfer_outgoing_bytes_total)


def signature(model: Any) -> str:
    """Return a text that two models share if their trees are the same, bit for bit."""
    import hashlib

    digest = hashlib.sha256()
    for tree in model.trees_:
        for name in ("kind", "int_start", "ints", "real_start", "reals", "n_branches"):
            digest.update(getattr(tree.splits, name).tobytes())
        digest.update(tree.counts.tobytes())
    return digest.hexdigest()[:16]


def make(name: str) -> Any:
    """Return a learner of an experiment."""
    if name == "univariate":
        return miter.c45(random_state=0)
    if name == "linear machine":
        return miter.LinearMachineTreeClassifier(random_state=0)
    return miter.registry.make_learner(name, {"random_state": 0})
