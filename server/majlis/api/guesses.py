"""How often codes may be guessed: wrong ones are counted by player and by address, and too many end the guessing.

Counted in this process, by moving windows, and held against those who guess many at once. What a code leads to, and
whether it was wrong, the lobby knows.
"""

import asyncio
import collections
import contextlib
import dataclasses
import math
import time
import urllib.parse
from collections.abc import AsyncIterator

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


@dataclasses.dataclass(slots=True)
class _Queue:
    """Guesses of one player, or from one address, whose outcome is not known yet."""

    inside: int = 0
    """Codes that are being looked up."""
    users: int = 0
    """Those, and whoever waits until some of them turned out right."""
    waiting: collections.deque[asyncio.Future[None]] = dataclasses.field(default_factory=collections.deque)

    async def wait(self) -> None:
        """Waits until somebody has left."""
        turn = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        await turn

    def left(self) -> None:
        """Lets the next look again; whoever was let to and did not come in leaves, too."""
        while self.waiting:
            turn = self.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return


class Guesses:
    """Bounds wrong codes in a number of seconds."""

    def __init__(self, per_player: int, per_address: int, seconds: int = 600) -> None:
        """`per_address` 0 sets addresses no bound."""
        self._wrongs = _Wrongs()
        self._windows = MovingWindowRateLimiter(self._wrongs)
        self._queues: dict[tuple[str, str], _Queue] = {}
        self._player = limits.RateLimitItemPerSecond(per_player, seconds, "player")
        self._address = limits.RateLimitItemPerSecond(per_address, seconds, "address") if per_address else None

    @contextlib.asynccontextmanager
    async def turn(self, player_id: str, address: str) -> AsyncIterator[None]:
        """Inside, a guess may be made, and is to be counted by `wrong` if it was.

        Never are more in work than may still be wrong: the others wait for what comes of them. So nobody finds out more
        codes by asking for many at once.

        Args:
            player_id: who guesses.
            address: from where; an empty one has no bound.

        Raises:
            Refusal: `TOO_MANY_GUESSES`, with when the next may be made.
        """
        async with contextlib.AsyncExitStack() as stack:
            for item, who in self._counts(player_id, address):
                await stack.enter_async_context(self._turn(item, who))
            yield

    async def wrong(self, player_id: str, address: str) -> None:
        """Counts the wrong code of a turn."""
        for item, who in self._counts(player_id, address):
            await self._windows.hit(item, who)

    @contextlib.asynccontextmanager
    async def _turn(self, item: limits.RateLimitItem, who: str) -> AsyncIterator[None]:
        key = (item.namespace, who)
        queue = self._queues.setdefault(key, _Queue())
        queue.users += 1
        try:
            while not await self._windows.test(item, who, cost=queue.inside + 1):
                if not queue.inside:
                    await self._refuse(item, who)
                await queue.wait()
            queue.inside += 1
            try:
                yield
            finally:
                queue.inside -= 1
        finally:
            queue.users -= 1
            queue.left()
            if not queue.users:
                del self._queues[key]

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
