"""Time in which nobody could act, because the server or its store was away: it is given back to running clocks.

Once a second the store is told that the server lives. A gap between two such beats that is too long is an outage. A
match whose last record is older than an outage's end has not had it back; giving it back is a record, so it happens
once.
"""

import dataclasses
from collections.abc import Callable

from majlis.store import protocol

REMEMBERED = 64
"""Outages that are kept. A loaded match is given its own within one clock's length; an older one has had it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Outage:
    """One gap; instants in milliseconds."""

    since_ms: int
    until_ms: int


class Outages:
    """What is known of them, since the last beat of the run before."""

    def __init__(self, store: protocol.Store, now: Callable[[], int], longest_ms: float, seen: Callable[[float], None]):
        """No outage yet.

        Args:
            store: told that the server lives.
            now: milliseconds since 1970.
            longest_ms: the longest gap that is none.
            seen: told the seconds of each outage when it is over.
        """
        self.until_ms = 0
        """End of the last one."""
        self._store = store
        self._now = now
        self._longest_ms = longest_ms
        self._seen = seen
        self._beaten_ms: int | None = None
        self._outages: list[Outage] = []

    def due(self, now_ms: int) -> bool:
        """Whether the last beat is so long ago that this may be an outage: beat before anything is accepted."""
        return self._beaten_ms is not None and now_ms - self._beaten_ms > self._longest_ms

    def lost_ms(self, instant_ms: int) -> int:
        """Milliseconds that such a match has to be given back."""
        return sum(
            outage.until_ms - max(outage.since_ms, instant_ms)
            for outage in self._outages
            if outage.until_ms > instant_ms
        )

    async def beat(self) -> None:
        """Tells the store that the server lives, and finds out whether it was away.

        Raises:
            Unavailable: the store is away still.
        """
        now_ms = self._now()
        await self._store.next_deadline()
        before_ms, self._beaten_ms = self._beaten_ms, max(now_ms, self._beaten_ms or 0)
        if before_ms is not None and now_ms - before_ms > self._longest_ms:
            self._outages = [*self._outages[1 - REMEMBERED :], Outage(before_ms, now_ms)]
            self.until_ms = now_ms
            self._seen((now_ms - before_ms) / 1000)
