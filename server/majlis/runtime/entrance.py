"""The way into the runtime: every call comes through here, finds its match, and is held off while the server stops.

What a call does with its match is not known here.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import Gone, House
from majlis.runtime.sitting import Sitting
from majlis.store import protocol

T = TypeVar("T")

ATTEMPTS = 4
"""How often a call looks for its match, when that is dropped under its hands."""


class Entrance:
    """Of one runtime."""

    def __init__(self, house: House, hall: Hall) -> None:
        self._house = house
        self._hall = hall
        self._calls = 0
        self._closed = False
        self._quiet = asyncio.Event()
        self._quiet.set()

    def begin(self) -> None:
        """Counts a call in; `end` counts it out again.

        Raises:
            Refusal: DRAINING, and it was not counted.
        """
        if self._closed:
            raise Refusal("DRAINING")
        self._calls += 1

    def end(self) -> None:
        """Counts a call out."""
        self._calls -= 1
        if not self._calls:
            self._quiet.set()

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Counts a call in and out, and says of a store that is away what callers are told.

        Raises:
            Refusal: DRAINING or STORE_UNAVAILABLE.
        """
        self.begin()
        try:
            yield
        except protocol.Unavailable as error:
            raise Refusal("STORE_UNAVAILABLE") from error
        finally:
            self.end()

    async def at(self, match_id: str, work: Callable[[Sitting], Awaitable[T]]) -> T:
        """What is done at a match, which is loaded for it and stays in memory meanwhile.

        Raises:
            Refusal: DRAINING, STORE_UNAVAILABLE, MATCH_NOT_FOUND, MATCH_DAMAGED, OVERLOADED or INTERNAL; or what the
                work says.
        """
        with self.inside():
            for _ in range(ATTEMPTS):
                sitting = await self._hall.sitting(match_id)
                sitting.pins += 1
                try:
                    return await work(sitting)
                except Gone:
                    continue
                finally:
                    sitting.pins -= 1
                    sitting.used_ms = self._house.now()
            # It is the store that comes and goes: each time that it is opened anew, every match leaves the memory.
            raise Refusal("STORE_UNAVAILABLE")

    def close(self) -> bool:
        """Lets nobody in any more; whether it was open."""
        was_open, self._closed = not self._closed, True
        return was_open

    async def emptied(self, within_seconds: float) -> None:
        """Returns when all calls have ended.

        Raises:
            TimeoutError: some have not, by then.
        """
        if self._calls:
            self._quiet.clear()
            await asyncio.wait_for(self._quiet.wait(), within_seconds)
