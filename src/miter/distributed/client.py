"""The Dask client in force, and a cluster of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from miter.errors import ClusterError, need

__all__ = ["client_in_force", "connected", "using"]

#: Where nothing is said a client that cannot be reached is given up after so many seconds.
PATIENCE = "30 s"

_in_force: ContextVar[Any] = ContextVar("client", default=None)


@contextmanager
def using(client: Any) -> Iterator[Any]:
    """Fit on the cluster of a Dask client, in place of the one in force.

    Parameters
    ----------
    client : dask.distributed.Client
        Connected.

    Examples
    --------
    >>> from miter.distributed import using
    >>> with using("any client") as client:
    ...     client
    'any client'
    """
    token = _in_force.set(client)
    try:
        yield client
    finally:
        _in_force.reset(token)


def client_in_force() -> Any:
    """Return the client of `using`, or Dask's own default."""
    try:
        from distributed import default_client
    except ImportError as error:
        raise need("distributed", "dask", "Fits on collections of Dask") from error
    client = _in_force.get()
    if client is None:
        try:
            client = default_client()
        except ValueError:
            raise ClusterError(
                "rows on Dask are fitted by a cluster, and no client is in force; start one: "
                "from dask.distributed import Client; client = Client()"
            ) from None
    if client.status != "running":
        raise ClusterError(f"the Dask client in force is {client.status}; connect a new one")
    return client


@contextmanager
def connected(address: str | None = None) -> Iterator[Any]:
    """Yield a client of a cluster, or of one of one's own that is as large as the machine.

    Parameters
    ----------
    address : str, optional
        Of the scheduler, such as tcp://host:8786; None: a cluster is started, and ends at the end.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise need("distributed", "dask", "Clusters") from error
    if address is None:
        with (
            LocalCluster(threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`, "
            "or check the address"
        ) from error
    with client:
        yield client
