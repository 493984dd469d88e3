"""Work on the parts of a table, done by the workers of a Dask cluster.

Every function is a task whose arguments are values and other tasks, so Dask finds again what a
worker held that died, from the rows on. Whoever waits looks up now and then, so that a scheduler
that is gone, or workers that all are, end in an error and not in waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack
from time import monotonic
from typing import Any, NoReturn
from uuid import uuid4
from weakref import WeakValueDictionary

from miter.errors import ClusterError, DataError
from miter.growing.workers import Handle
from miter.threads import every_core

__all__ = ["DaskWorkers"]

#: Whoever waits looks after the cluster so often, in seconds.
LOOK_EVERY = 2.0
#: So long a cluster may be without any worker: some are started anew, some are waited for.
WITHOUT_WORKERS = 300.0


class DaskWorkers:
    """The workers of a Dask client.

    Parameters
    ----------
    client : distributed.Client
        Connected.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._run = uuid4().hex[:8]
        self._n_tasks = 0
        self._about: dict[str, str] = {}
        # What is still of use to somebody; the others are forgotten by the cluster, too.
        self._futures: WeakValueDictionary[str, Any] = WeakValueDictionary()

    @property
    def n_workers(self) -> int:
        """How many functions are run at the same time."""
        with self._watched():
            return max(sum(self.client.nthreads().values()), 1)

    def run(self, function: Callable[..., Any], *arguments: Any, about: str = "") -> Handle:
        """Start a function where its arguments are."""
        name = getattr(function, "__name__", "function").strip("_")
        self._n_tasks += 1
        key = f"{name}-{self._run}-{self._n_tasks}"
        with self._watched():
            future = self.client.submit(_called, about, function, *arguments, key=key, pure=False)
        return self.know(future, about)

    def start(self, pieces: Sequence[Any]) -> list[Any]:
        """Start what Dask would do later; return its futures."""
        with self._watched():
            return list(self.client.compute(list(pieces)))

    def know(self, future: Any, about: str) -> Handle:
        """Take a future as a handle of one's own."""
        self._about[future.key] = about
        self._futures[future.key] = future
        return future

    def bring(self, handles: Sequence[Handle]) -> list[Any]:
        """Return what functions returned, in their order."""
        with self._watched():
            self._wait(list(handles))
            return list(self.client.gather(list(handles)))

    def as_they_come(self, handles: Sequence[Handle]) -> Iterator[tuple[int, Any]]:
        """Yield what functions returned as soon as it is there, each with its position."""
        left = {handle.key: position for position, handle in enumerate(handles)}
        while left:
            with self._watched():
                open_ones = [handles[position] for position in left.values()]
                done = self._wait(open_ones, everything=False)
                values = self.client.gather(done)
            for handle, value in zip(done, values, strict=True):
                yield left.pop(handle.key), value

    def _wait(self, handles: list[Any], *, everything: bool = True) -> list[Any]:
        """Wait until all or some are done, and return these; raise what one of them raised."""
        from distributed import wait

        wanted = "ALL_COMPLETED" if everything else "FIRST_COMPLETED"
        lonely_since = None
        while True:
            try:
                wait(handles, timeout=LOOK_EVERY, return_when=wanted)
                waited = True
            except TimeoutError:
                waited = False
            for handle in handles:
                if handle.status == "error":
                    handle.result()
            if waited:
                return [handle for handle in handles if handle.done()]
            lonely_since = self._look_after(lonely_since)

    def _look_after(self, lonely_since: float | None) -> float | None:
        """Return since when there is no worker; an error after a while, or without a scheduler."""
        if self.client.status != "running":
            self._lost()
        if self.client.nthreads():
            return None
        since = monotonic() if lonely_since is None else lonely_since
        if monotonic() - since > WITHOUT_WORKERS:
            raise ClusterError(
                f"the cluster has been without workers for {WITHOUT_WORKERS:.0f} seconds; start "
                "some, and fit again"
            )
        return since

    def _lost(self) -> NoReturn:
        raise ClusterError(
            "the Dask scheduler is gone, or the client was closed, while rows were worked on; "
            "start the cluster anew, connect a client, and fit again"
        )

    def _watched(self) -> _Watched:
        return _Watched(self)

    def give_up(self) -> None:
        """Let nothing be worked on any more but what has begun.

        To cancel tasks that are being released breaks the connection of Dask's client.
        """
        for future in list(self._futures.values()):
            future.release()

    def about_failed(self) -> str:
        """Return what was worked on by the first task that failed and says so."""
        failed = (key for key, future in self._futures.items() if future.status == "error")
        return next((said for key in failed if (said := self._about[key])), "the rows")


class _Watched:
    """Makes errors of the cluster sentences, and ends its work when there was one."""

    def __init__(self, workers: DaskWorkers) -> None:
        self.workers = workers
        self.current = ExitStack()

    def __enter__(self) -> None:
        if self.workers.client.status != "running":
            self.workers._lost()
        self.current.enter_context(self.workers.client.as_current())

    def __exit__(self, kind: type[BaseException] | None, error: Any, _: object) -> None:
        self.current.close()
        if error is None or kind is GeneratorExit:
            return
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        workers = self.workers
        if isinstance(error, KilledWorker):
            about = workers.about_failed()
            workers.give_up()
            raise ClusterError(
                f"{about}: workers died again and "
                "again while they worked on it, most often for lack of memory; make smaller "
                "partitions, as ddf.repartition(partition_size='100MB'), or give workers more "
                "memory"
            ) from None
        if isinstance(error, CancelledError | CommClosedError | OSError):
            if workers.client.status != "running" or not isinstance(error, OSError):
                workers._lost()
            raise error
        workers.give_up()


def _called(about: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function; what is wrong with rows is said with the part that they are in."""
    try:
        # Functions that run side by side say that each has one thread; the others run alone.
        with every_core():
            return function(*arguments)
    except ValueError as error:
        raise DataError(f"{about}: {error}" if about else str(error)) from None
