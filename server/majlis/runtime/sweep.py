"""Clocks that run out: at once in loaded matches, when their timer fires, and by a sweep over the store in all others.

A match that cannot be loaded is left alone for a while, so that it does not stand in the way of the rest.
"""

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.sitting import Gone, House, Sitting
from majlis.store import protocol

MOST = 256
"""Overdue matches of one sweep."""
AILING_MS = 30_000
"""For how long a match is left alone that could not be loaded."""


class Sweep:
    """Runs out the clocks of one runtime."""

    def __init__(self, house: House, hall: Hall) -> None:
        self._house = house
        self._hall = hall
        self._ailing: dict[str, int] = {}

    def fire(self, sitting: Sitting) -> None:
        """Lets the clock of a loaded match run out, if nothing comes first."""
        if not sitting.firing and not sitting.gone:
            sitting.firing = True
            self._house.background.begin(self._run_out(sitting, sitting.table.clock_record), "timer")

    async def run(self) -> None:
        """Lets all overdue clocks run out.

        Raises:
            Unavailable: the store cannot be read.
        """
        now_ms = self._house.now()
        self._ailing = {match_id: until for match_id, until in self._ailing.items() if until > now_ms}
        # The deadline itself is still in time.
        for head in await self._house.store.due(now_ms - 1, MOST + len(self._ailing)):
            if head.match_id in self._ailing:
                continue
            try:
                self.fire(await self._hall.sitting(head.match_id))
            except Refusal as no:
                self._ailing[head.match_id] = now_ms + AILING_MS
                self._house.observer.failed("sweep", no)

    async def _run_out(self, sitting: Sitting, clock_record: int) -> None:
        try:
            await sitting.run_out(clock_record)
        except Gone:
            pass  # the next sweep finds it again
        except (Refusal, protocol.Unavailable) as error:
            self._house.observer.failed("timer", error)
        finally:
            sitting.firing = False
