"""Rows on a cluster, for the verbs that take ``--dask``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from miter.cli.rows import Rows

__all__ = ["on_cluster"]


@contextmanager
def on_cluster(dask: str, data: Path, rows: Rows) -> Iterator[Any]:
    """Yield the rows of Parquet files as a collection, while there is a cluster to work on it.

    Parameters
    ----------
    dask : str
        The address of a scheduler; empty: a cluster is started.
    data : Path
        The files.
    rows : Rows
        What the user says of them.
    """
    if dask and ":" not in dask:
        raise click.UsageError(
            f"--dask {dask}: that is no address, such as tcp://host:8786; write --dask alone last."
        )
    said = [f"--{name}" for name, value in rows.how_written.items() if value not in (None, ())]
    if said:
        raise click.UsageError(f"{said[0]} is for files that Dask does not read; give Parquet.")
    from miter.distributed import connected, using
    from miter.distributed.files import open_rows

    with connected(dask or None) as client, using(client):
        yield open_rows(data)
