"""How often codes may be guessed: wrong ones are counted by player and by address, and too many end the guessing.

Counted in this process, by moving windows. What a code leads to, and whether it was wrong, the lobby knows.
"""

import math
import time
import urllib.parse

import limits
from limits.aio.storage import memory
from limits.aio.strategies import MovingWindowRateLimiter

from majlis.match.refusal import Refusal

REMEMBERED = 50_000
"""Players and addresses; of more, those are forgotten first that guessed longest ago."""


class _Wrongs(memory.MemoryStorage):
    """When who was wrong.

    The library's own store looks through everybody at each entry, each in a thread. Here they are in the order in which
    they were last wrong, so that those at the front are the ones to forget.
    """

    async def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        now = time.time()
        before = self.events.get(key, [])
        if len(before) > limit - amount and before[limit - amount].atime > now - expiry:
            return False
        self.events.pop(key, None)
        self.events[key] = [memory.Entry(expiry) for _ in range(amount)] + before[: limit - amount]
        while len(self.events) > REMEMBERED or self._oldest().expiry < now:
            del self.events[next(iter(self.events))]
        return True

    def _oldest(self) -> memory.Entry:
        return next(iter(self.events.values()))[0]


class Guesses:
    """Bounds wrong codes in a number of seconds."""

    def __init__(self, per_player: int, per_address: int, seconds: int = 600) -> None:
        """`per_address` 0 sets addresses no bound."""
        self._wrongs = _Wrongs()
        self._windows = MovingWindowRateLimiter(self._wrongs)
        self._player = limits.RateLimitItemPerSecond(per_player, seconds, "player")
        self._address = limits.RateLimitItemPerSecond(per_address, seconds, "address") if per_address else None

    async def check(self, player_id: str, address: str) -> None:
        """Lets somebody guess who has not been wrong too often.

        Args:
            player_id: who guesses.
            address: from where; an empty one has no bound.

        Raises:
            Refusal: `TOO_MANY_GUESSES`, with when the next may be made.
        """
        for item, who in self._counts(player_id, address):
            if not await self._windows.test(item, who):
                await self._refuse(item, who)

    async def wrong(self, player_id: str, address: str) -> None:
        """Counts a wrong code.

        Raises:
            Refusal: `TOO_MANY_GUESSES`: so many were made at once that this one should not have been.
        """
        for item, who in self._counts(player_id, address):
            if not await self._windows.hit(item, who):
                await self._refuse(item, who)

    def _counts(self, player_id: str, address: str) -> list[tuple[limits.RateLimitItem, str]]:
        counts: list[tuple[limits.RateLimitItem, str]] = [(self._player, player_id)]
        if self._address is not None and address:
            counts.append((self._address, address))
        return counts

    async def _refuse(self, item: limits.RateLimitItem, who: str) -> None:
        window = await self._windows.get_window_stats(item, who)
        wait_ms = math.ceil((window.reset_time - time.time()) * 1_000)
        raise Refusal("TOO_MANY_GUESSES", retry_after_ms=max(1, wait_ms))


def address_of(peer: str) -> str:
    """The host of a peer as gRPC writes it: `ipv4:1.2.3.4:555`, `ipv6:%5B::1%5D:555`. Empty for what has none."""
    kind, _, place = urllib.parse.unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return ""
    return place.rpartition(":")[0].strip("[]")
