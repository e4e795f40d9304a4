"""Group commit: which appends go into one batch, and when. Lives on the event loop; knows nothing of SQL.

A batch starts when the loop has nothing else to do, and after a short linger at the latest. An idle loop loses nothing
by a commit at once; a busy one would have to fight the committing thread for the interpreter lock, and is better off
with few large batches. While a batch is under way, the next one collects.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from majlis.store import protocol
from majlis.store.sqlite import writer

_LARGEST = 512
_IDLE_S = 50e-6
"""A turn of the loop that took no longer did nothing else."""


class Gather:
    """Turns single appends into batches for a writer."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        submit: Callable[[Sequence[protocol.Append], writer.Deliver], None],
        linger_s: float,
    ) -> None:
        """Batches go to `submit`, one at a time."""
        self._loop = loop
        self._submit = submit
        self._linger_s = linger_s
        self._waiting: list[tuple[protocol.Append, asyncio.Future[protocol.Outcome]]] = []
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._since = 0.0

    async def append(self, append: protocol.Append) -> protocol.Outcome:
        """Waits for the outcome. Cancelling the wait does not take the append back."""
        future: asyncio.Future[protocol.Outcome] = self._loop.create_future()
        self._waiting.append((append, future))
        if self._quiet.is_set():
            self._begin()
        return await future

    async def drain(self) -> None:
        """Waits until nothing waits."""
        await self._quiet.wait()

    def _begin(self) -> None:
        self._quiet.clear()
        self._since = now = time.perf_counter()
        self._loop.call_soon(self._look, now)

    def _look(self, last_look: float) -> None:
        now = time.perf_counter()
        if now - last_look > _IDLE_S and now - self._since < self._linger_s and len(self._waiting) < _LARGEST:
            self._loop.call_soon(self._look, now)
            return
        batch, self._waiting = self._waiting[:_LARGEST], self._waiting[_LARGEST:]
        futures = [future for _, future in batch]

        def deliver(results: Sequence[writer.Result]) -> None:
            self._loop.call_soon_threadsafe(self._settle, futures, results)

        self._submit([append for append, _ in batch], deliver)

    def _settle(self, futures: Sequence[asyncio.Future[protocol.Outcome]], results: Sequence[writer.Result]) -> None:
        for future, result in zip(futures, results, strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
        if self._waiting:
            self._begin()
        else:
            self._quiet.set()
