"""What is done now and then: signs of life to watchers and to the store, and idle matches leave.

Overdue clocks are the affair of `timers` and `sweep`.
"""

import asyncio

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import House
from majlis.store import protocol


class Pulse:
    """Of one runtime."""

    def __init__(self, house: House, hall: Hall) -> None:
        self._house = house
        self._hall = hall

    async def beat(self) -> None:
        """Does what is due; a store that is away is told to the observer."""
        now_ms = self._house.now()
        for sitting in self._hall:
            if sitting.audience:
                try:
                    sitting.told(sitting.audience.pulse, now_ms)
                except Refusal:
                    continue  # it was dropped, and the observer told
        self._hall.drop_unused(now_ms)
        try:
            await self._house.outages.beat()
        except protocol.Unavailable as error:
            self._house.observer.failed("beat", error)

    async def beats(self) -> None:
        """Beats until it is cancelled."""
        while True:
            await self.beat()
            await asyncio.sleep(self._house.limits.pulse_seconds)
