"""What the rest of the house asks of collections of Dask; found by `miter.registry`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from miter.distributed.answers import answers_of
from miter.distributed.client import client_in_force
from miter.distributed.collections import partitions_of
from miter.distributed.training import training_on
from miter.distributed.workers import DaskWorkers
from miter.growing.parts import add_up

__all__ = ["answers_of", "total_of", "training_on"]


def total_of(
    function: Callable[..., Any],
    X: Any,
    others: Mapping[str, Any],
    settings: Any,
    added: Callable[[list[Any]], Any],
) -> Any:
    """Return what a function says of the partitions of collections, added up.

    Parameters
    ----------
    function : callable
        Of settings, the number of a partition, its table, and what belongs to the rows of that.
    X : Dask DataFrame or Array
        The table.
    others : dict of str to Dask Series or Array
        What belongs to its rows.
    settings : object
        Sent once.
    added : callable
        Of a list of what the function returned.
    """
    workers = DaskWorkers(client_in_force())
    partitions = partitions_of(X, dict(others))
    shared = workers.run(_same, settings)
    computed = [workers.start(pieces) for pieces in partitions.pieces]
    said = [
        workers.run(function, shared, number, *own, about=partitions.names[number])
        for number, own in enumerate(zip(*computed, strict=True))
    ]
    del computed
    return add_up(workers, said, added)


def _same(value: Any) -> Any:
    return value
