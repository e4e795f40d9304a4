"""Time in which nobody could act, because the server or its store was away: it is given back to running clocks.

Once a second a sign of life is stored. A gap between two such beats that is too long is an outage. One before the first
beat of a run is an outage however short it is: it is known that no server ran. A match whose last record is older than
an outage's end has not had it back; giving it back is a record, so it happens once.
"""

from collections.abc import Callable, Sequence

from majlis.store import protocol

MOST_MS = 2**32 - 1
"""What one `ClockExtended` can say, some seven weeks; nobody waits for the rest."""


class Outages:
    """What is known of them."""

    def __init__(
        self,
        store: protocol.Store,
        now: Callable[[], int],
        longest_ms: float,
        restart_ms: float,
        seen: Callable[[float], None],
    ) -> None:
        """No outage yet.

        Args:
            store: told that the server lives.
            now: milliseconds since 1970.
            longest_ms: the longest gap that is none.
            restart_ms: the same of the gap before the first beat. Of a shared store that is like any other: others may
                have served meanwhile.
            seen: told the seconds of each outage when it is over.
        """
        self.until_ms = 0
        """End of the last one."""
        self._store = store
        self._now = now
        self._longest_ms = int(longest_ms)
        self._restart_ms = self._longest_ms if store.shared else int(restart_ms)
        self._seen = seen
        self._beaten_ms: int | None = None
        self._rests = False
        self._outages: Sequence[protocol.Outage] = ()

    def due(self, now_ms: int) -> bool:
        """Whether the last beat is so long ago that this may be an outage: find out before anything is accepted."""
        return self._beaten_ms is not None and now_ms - self._beaten_ms > self._longest_ms

    def rest(self) -> None:
        """No more beats, for good: a server that stops lets nobody act, and what it takes is given back."""
        self._rests = True

    def lost_ms(self, instant_ms: int) -> int:
        """Milliseconds that such a match has to be given back."""
        lost_ms = sum(
            outage.until_ms - max(outage.since_ms, instant_ms)
            for outage in self._outages
            if outage.until_ms > instant_ms
        )
        return min(lost_ms, MOST_MS)

    async def beat(self) -> None:
        """Stores a sign of life, and finds out whether the server was away; does nothing once it rests.

        Raises:
            Unavailable: the store is away still.
        """
        if not self._rests:
            await self._show_life()

    async def find_out(self, now_ms: int) -> None:
        """Whether there was an outage up to an instant at which a clock may run out, in a server that stops, too.

        Raises:
            Unavailable: the store is away still.
        """
        if self.due(now_ms):
            await self._show_life()

    async def _show_life(self) -> None:
        now_ms = self._now()
        longest_ms = self._restart_ms if self._beaten_ms is None else self._longest_ms
        self._outages = await self._store.beat(now_ms, longest_ms)
        self._beaten_ms = max(now_ms, self._beaten_ms or 0)
        if self._outages and self._outages[-1].until_ms > self.until_ms:
            last = self._outages[-1]
            self.until_ms = last.until_ms
            if last.until_ms == now_ms:
                self._seen((now_ms - last.since_ms) / 1000)
