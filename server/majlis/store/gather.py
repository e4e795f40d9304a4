"""Group commit: which appends go into one batch, and when. Lives on the event loop; knows nothing of SQL.

A batch starts when the loop has nothing else to do, and after a short linger at the latest. An idle loop loses nothing
by a commit at once; a busy one would have to fight the committing thread for the interpreter lock, and is better off
with few large batches. While a batch is under way, the next one collects.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from majlis.store import protocol

Result = protocol.Outcome | Exception | None
"""Of one append; None says that it could not be tried to the end, and goes into the next batch."""
Deliver = Callable[[Sequence[Result]], None]
"""Takes a result per append, in order, on any thread."""

_LARGEST = 512
_Waiting = tuple[protocol.Append, asyncio.Future[protocol.Outcome]]
_IDLE_S = 50e-6
"""A turn of the loop that took no longer did nothing else."""


class Gather:
    """Turns single appends into batches for a writer."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        submit: Callable[[Sequence[protocol.Append], Deliver], None],
        linger_s: float,
    ) -> None:
        """Batches go to `submit`, one at a time."""
        self._loop = loop
        self._submit = submit
        self._linger_s = linger_s
        self._waiting: list[_Waiting] = []
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

        def deliver(results: Sequence[Result]) -> None:
            self._loop.call_soon_threadsafe(self._settle, batch, results)

        self._submit([append for append, _ in batch], deliver)

    def _settle(self, batch: Sequence[_Waiting], results: Sequence[Result]) -> None:
        again = []
        for waiting, result in zip(batch, results, strict=True):
            _, future = waiting
            if result is None:
                again.append(waiting)  # whoever waited may have gone; that takes nothing back
            elif future.done():
                continue
            elif isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)
        self._waiting[:0] = again
        if self._waiting:
            self._begin()
        else:
            self._quiet.set()
