"""Streams while they are served: for how long one is held, and the line of one on which both sides speak.

Who opens them, and what becomes of their ends, is told in `calls`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import grpc

from majlis.api.admission import Room
from majlis.match.refusal import Refusal

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


class Hold:
    """On a stream that is being served; the task that serves it makes it."""

    def __init__(self, seconds: float) -> None:
        """For so long, unless it is extended: until the caller's token expires."""
        self._task = asyncio.current_task()
        self._expiry = asyncio.timeout(seconds)
        self._stalled = False

    def extend(self, seconds: float) -> None:
        """From now on so long; too late once it has expired."""
        if not self._expiry.expired():
            self._expiry.reschedule(asyncio.get_running_loop().time() + seconds)

    def let_go(self) -> None:
        """Ends it, since nothing was read for too long."""
        if self._task is not None and not self._stalled:
            self._stalled = True
            self._task.cancel()

    @contextlib.asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """The stream is served inside.

        Raises:
            Refusal: TOKEN_EXPIRED or STREAM_STALLED.
        """
        try:
            async with self._expiry:
                yield
        except TimeoutError:
            if self._expiry.expired():
                raise Refusal("TOKEN_EXPIRED") from None
            raise
        except asyncio.CancelledError:
            if self._stalled and self._task is not None and self._task.uncancel() == 0:
                raise Refusal("STREAM_STALLED") from None
            raise


class Line:
    """A stream that goes both ways, as a servicer sees it."""

    def __init__(
        self,
        context: Context,
        room: Room,
        now: Callable[[], int],
        *,
        renew: Callable[[str], None],
        let_go: Callable[[], None],
        stall_seconds: float,
    ) -> None:
        self.room = room
        """For what would be a unary call elsewhere."""
        self.now = now
        self.renew = renew
        """Takes a fresh token of the same caller; raises a `Refusal` if it is none."""
        self.let_go = let_go
        """Ends it, since nothing was read for too long."""
        self.on_leave: Callable[[Refusal], None] = lambda _: None
        """Called to `leave`."""
        self.on_drain: Callable[[], None] = lambda: None
        """Called when it is to end now, since the server stops."""
        self._context = context
        self._stall_seconds = stall_seconds
        self._deaf = False
        self._listening: asyncio.Timeout | None = None

    def leave(self, why: Refusal) -> None:
        """Ends it in order: once what was asked so far is answered, and everything that waits was told."""
        self.on_leave(why)

    async def read(self) -> bytes | None:
        """The client's next message; None once it has closed its side, or nothing more is to be heard."""
        if self._deaf:
            return None
        message: object = None
        listening = self._listening = asyncio.timeout(None)
        try:
            async with listening:
                message = await self._context.read()
        except TimeoutError:
            if not listening.expired():
                raise
        finally:
            self._listening = None
        return message if isinstance(message, bytes) else None

    def hear_no_more(self) -> None:
        """What the client says from now on is not read."""
        self._deaf = True
        if self._listening is not None:
            self._listening.reschedule(asyncio.get_running_loop().time())

    async def write(self, message: bytes) -> None:
        """Sends a message; waits while the client reads too slowly.

        Raises:
            Refusal: STREAM_STALLED, when it has read nothing for too long.
        """
        stall = asyncio.timeout(self._stall_seconds)
        try:
            async with stall:
                await self._context.write(message)
        except TimeoutError:
            if stall.expired():
                raise Refusal("STREAM_STALLED") from None
            raise
