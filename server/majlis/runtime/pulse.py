"""What is done now and then: signs of life to watchers and to the store, who went for good, and idle matches leave.

Overdue clocks are the affair of `timers` and `sweep`.
"""

import asyncio
import contextlib
from collections.abc import Callable

from majlis.match import status
from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.hints import Hints
from majlis.runtime.ledger import House, Ledger
from majlis.store import protocol


class Pulse:
    """Of one runtime."""

    def __init__(self, house: House, hall: Hall, hints: Hints, keep_time: Callable[[Ledger], None]) -> None:
        """`keep_time` sees to the clock of a loaded match, without holding up the caller."""
        self._house = house
        self._hall = hall
        self._hints = hints
        self._keep_time = keep_time

    async def beat(self) -> None:
        """Does what is due; a store that is away is told to the observer."""
        now_ms = self._house.now()
        for match_id, seat, player_id in self._house.presence.elapsed(now_ms):
            missing = self._hall.get(match_id)
            if missing is not None:
                with contextlib.suppress(Refusal):  # it was dropped, and the observer told
                    missing.told(missing.audience.miss, seat, player_id)
        for sitting in self._hall:
            if sitting.audience:
                try:
                    sitting.told(sitting.audience.pulse, now_ms)
                except Refusal:
                    continue  # it was dropped, and the observer told
                if status.is_over(sitting.status) and not sitting.may_be_rematched:
                    sitting.audience.finish()
        self._hall.drop_unused(now_ms)
        try:
            await self._house.outages.beat()
            await self._hints.look()
            if self._house.store.shared:
                await self._look_for_rematches()
        except protocol.Unavailable as error:
            self._house.observer.failed("beat", error)
            return
        # Who watches is told at once what an outage has changed. If that waited for the next action, it would tell when
        # somebody acts, even where nobody may know of it: a hidden answer (X5).
        for sitting in self._hall:
            if sitting.audience and sitting.is_owed_time:
                self._keep_time(sitting)

    async def _look_for_rematches(self) -> None:
        """Tells those who wait for one of a rematch that another server has made.

        Raises:
            Unavailable: the store is away.
        """
        for sitting in self._hall:
            if sitting.audience and sitting.may_be_rematched:
                held = await self._house.store.find_name("rematch", sitting.match_id, self._house.now())
                if held is not None:
                    with contextlib.suppress(Refusal):  # it was dropped, and the observer told
                        sitting.tell_rematch(held.match_id)

    async def beats(self) -> None:
        """Beats until it is cancelled."""
        while True:
            await self.beat()
            await asyncio.sleep(self._house.limits.pulse_seconds)
