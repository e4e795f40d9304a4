"""Tasks that outlive the call that began them: kept referenced, watched, and ended together."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from majlis.match.refusal import Refusal
from majlis.store import protocol

T = TypeVar("T")


async def shielded(task: asyncio.Task[T]) -> T:
    """What a task comes to; it goes on when the caller is cancelled.

    Raises:
        Refusal: DRAINING, when the task was ended with the runtime.
    """
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        caller = asyncio.current_task()
        if task.cancelled() and caller is not None and not caller.cancelling():
            raise Refusal("DRAINING") from None
        raise


class Background:
    """The tasks of one runtime."""

    def __init__(self, failed: Callable[[str, BaseException], None]) -> None:
        """`failed` is told the name and the error of a task that failed otherwise than by saying no."""
        self._failed = failed
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Starts a task. Whoever awaits it shields it."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def cancel(self) -> None:
        """Cancels all that run, and waits for their ends."""
        while self._tasks:
            tasks = list(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, Refusal | protocol.Unavailable):
            self._failed(task.get_name(), error)
