"""One watcher's stream: ready-made messages, in order, for one reader; bounded, whatever the reader does.

What is sent, and to whom, is decided in `audience`. When the backlog is full it gives way to one snapshot, made when
the reader comes for it: it is then as fresh as can be, and what follows it follows without a gap.
"""

import asyncio
import collections
from collections.abc import Callable, Sequence
from typing import Protocol, Self

from majlis.match.refusal import Refusal
from majlis.runtime.leases import Lease


class Source(Protocol):
    """Where a feed comes from."""

    def snapshot(self, viewer: int) -> bytes:
        """The match as it stands, as this viewer may see it.

        Raises:
            Refusal: it cannot be made.
        """

    def leave(self, feed: "Feed", why: str) -> None:
        """Forgets a feed; forgetting it twice is forgetting it once."""


class Feed:
    """An asynchronous iterator of `WatchMatchResponse` bytes, for one reader.

    It ends by itself when the match has ended and everything was read, and raises a `Refusal` when it was ended
    otherwise. Whoever opened it closes it: `aclose`.
    """

    __slots__ = (
        "_checked",
        "_end",
        "_ended",
        "_lagging",
        "_lasting",
        "_length",
        "_missed",
        "_source",
        "_still_since",
        "_taken",
        "_updates",
        "_waiter",
        "awaits_rematch",
        "lease",
        "on_lag",
        "on_ready",
        "on_stall",
        "viewer",
    )

    def __init__(self, source: Source, lease: Lease, viewer: int, length: int, on_lag: Callable[[], None]) -> None:
        """A feed without anything in it.

        Args:
            source: where it comes from.
            lease: whose it is, and which of his devices reads it.
            viewer: his seat, or `SPECTATOR`.
            length: updates that may wait.
            on_lag: called when the backlog gives way to a snapshot.
        """
        self.lease = lease
        self.viewer = viewer
        self.awaits_rematch = False
        """Its reader stays for a while after the end."""
        self.on_lag = on_lag
        self.on_stall: Callable[[], None] | None = None
        """Called once if the feed is ended because nothing was read: whoever hangs in sending should be cancelled."""
        self.on_ready: Callable[[], None] | None = None
        """Called whenever there may be something to `take`, for a reader of several feeds, who waits for none."""
        self._source = source
        self._length = length
        self._missed: list[bytes] = []  # before the live updates, last first
        self._updates: collections.deque[bytes] = collections.deque()
        self._lagging = False
        self._lasting: bytes | None = None
        self._ended = False
        self._end: Refusal | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._taken = 0
        self._checked = -1  # the first check only looks
        self._still_since = 0

    def push(self, update: bytes) -> None:
        """Adds a message, and wakes the reader."""
        if self._lagging or self._ended:
            return  # a snapshot is owed that will tell it, or nobody is to read it any more
        if len(self._updates) >= self._length:
            self._lagging = True
            self._missed.clear()
            self._updates.clear()
            self.on_lag()
        else:
            self._updates.append(update)
        if self._waiter is not None or self.on_ready is not None:
            self._wake()

    def keep(self, message: bytes) -> None:
        """Adds a message that no snapshot tells: the latest of them outlasts a full backlog."""
        if not self._ended:
            self._lasting = message
            self.push(message)

    def begin(self, opening: Sequence[bytes]) -> None:
        """Puts the opening messages before what was pushed meanwhile."""
        self._missed = list(reversed(opening))
        self._wake()

    def finish(self) -> None:
        """Ends it once everything has been read."""
        if not self._ended:
            self._ended = True
            self._wake()

    def end(self, refusal: Refusal, *, unread: bool = True) -> None:
        """Ends it with a refusal, once everything has been read, or at once and nothing more is kept for it."""
        if not unread:
            self._missed.clear()
            self._updates.clear()
            self._lagging = False
            self._lasting = None
        if not self._ended or not unread:
            self._ended = True
            self._end = refusal
            self._wake()

    def still_ms(self, now_ms: int) -> int:
        """For how long there has been something to read and nothing was read, as of the calls of this method."""
        if self._taken != self._checked or not (self._updates or self._missed or self._lagging or self._lasting):
            self._checked = self._taken
            self._still_since = now_ms
        return now_ms - self._still_since

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        if self.on_ready is not None:
            self.on_ready()

    def take(self) -> bytes | None:
        """The next message, or None if none waits now.

        Raises:
            Refusal: it was ended early: STREAM_STALLED, STREAM_REPLACED, STREAM_MOVED, STREAM_RESET or DRAINING.
            StopAsyncIteration: the match has ended, and everything was read.
        """
        self._taken += 1
        if self._missed:
            return self._missed.pop()
        if self._updates:
            update = self._updates.popleft()
            if update is self._lasting:
                self._lasting = None
            return update
        if self._lagging:
            self._lagging = False
            return self._source.snapshot(self.viewer)
        if self._lasting is not None:
            message, self._lasting = self._lasting, None
            return message
        if self._ended:
            self._source.leave(self, "over" if self._end is None else self._end.reason)
            if self._end is not None:
                raise self._end
            raise StopAsyncIteration
        return None

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> bytes:
        """The next message; waits for one.

        Raises:
            Refusal: it was ended early: STREAM_STALLED, STREAM_REPLACED, STREAM_MOVED, STREAM_RESET or DRAINING.
        """
        while True:
            if (message := self.take()) is not None:
                return message
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    async def aclose(self) -> None:
        """Lets go of it. Safe to call twice, and while it is being read."""
        self._source.leave(self, "gone")
        self.finish()
