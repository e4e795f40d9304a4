"""Clocks that run out: at once in loaded matches, when their timer fires, and by a sweep over the store in all others.

A match that cannot be loaded is left alone for a while, so that it does not stand in the way of the rest.
"""

import asyncio

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import Gone, House, Ledger
from majlis.runtime.sitting import Sitting
from majlis.store import protocol

MOST = 256
"""Overdue matches of one sweep."""
SHORT_PAUSE = 0.05
"""Seconds between sweeps while there is more to do."""
AILING_MS = 30_000
"""For how long a match is left alone that could not be loaded."""


class Sweep:
    """Runs out the clocks of one runtime."""

    def __init__(self, house: House, hall: Hall) -> None:
        self._house = house
        self._hall = hall
        self._ailing: dict[str, int] = {}

    def fire(self, match: Ledger) -> None:
        """Lets the clock of a loaded match run out if its time is up, and gives back what an outage took."""
        sitting = self._hall.get(match.match_id)
        if sitting is match and not sitting.firing and not sitting.gone:
            sitting.firing = True
            self._house.background.begin(self._run_out(sitting), "timer")

    async def run(self) -> bool:
        """Lets overdue clocks run out; whether there may be more of them.

        A store that is away is told to the observer.
        """
        now_ms = self._house.now()
        self._ailing = {match_id: until for match_id, until in self._ailing.items() if until > now_ms}
        most = MOST + len(self._ailing)
        try:
            # The deadline itself is still in time.
            overdue = await self._house.store.due(now_ms - 1, most)
            for head in overdue:
                if head.match_id not in self._ailing:
                    await self._fire_loaded(head.match_id, now_ms)
        except protocol.Unavailable as error:
            self._house.observer.failed("sweep", error)
            return False
        return len(overdue) == most

    async def sweeps(self) -> None:
        """Runs until it is cancelled."""
        while True:
            more = await self.run()
            await asyncio.sleep(SHORT_PAUSE if more else self._house.limits.pulse_seconds)

    async def _fire_loaded(self, match_id: str, now_ms: int) -> None:
        try:
            self.fire(await self._hall.sitting(match_id))
        except Refusal as no:
            self._ailing[match_id] = now_ms + AILING_MS
            self._house.observer.failed("sweep", no)

    async def _run_out(self, sitting: Sitting) -> None:
        try:
            await sitting.run_out()
        except Gone:
            pass  # the next sweep finds it again
        except (Refusal, protocol.Unavailable) as error:
            self._house.observer.failed("timer", error)
        finally:
            sitting.firing = False
