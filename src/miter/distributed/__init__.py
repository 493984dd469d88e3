"""Rows on a Dask cluster: trees grow where they are. The only room that knows Dask."""

from miter.distributed.client import connected, using

__all__ = ["connected", "using"]
