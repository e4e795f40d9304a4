"""Watched matches on which others may act: whoever watches here is told soon of what was appended elsewhere.

A hint names a match and a record; a lost one costs time only, since all that are watched are also looked at now and
then. Nothing of this is needed where nobody else appends, nor for who acts or asks: he looks at the stored head anyway.
"""

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import Gone, House
from majlis.runtime.sitting import Sitting
from majlis.store import protocol

LOOK_MS = 3_000
"""Between looks at the heads of all that are watched."""


class Hints:
    """Of one runtime."""

    def __init__(self, house: House, hall: Hall) -> None:
        self._house = house
        self._hall = hall
        self._following: dict[str, int] = {}
        """The highest record that was heard of, by match, while it is caught up with."""
        self._looked_ms = house.now()

    def heard(self, match_id: str, record: int) -> None:
        """Somebody has appended this record: who watches the match here gets it."""
        sitting = self._hall.get(match_id)
        if sitting is None or sitting.gone or not sitting.audience or sitting.table.record >= record:
            return
        if match_id not in self._following:
            self._house.background.begin(self._follow(sitting), "hint")
        self._following[match_id] = max(record, self._following.get(match_id, 0))

    async def look(self) -> None:
        """Finds out by one question what hints have missed, if it is time.

        Raises:
            Unavailable: the store is away.
        """
        now_ms = self._house.now()
        if not self._house.store.shared or 0 <= now_ms - self._looked_ms < LOOK_MS:
            return
        self._looked_ms = now_ms
        watched = [sitting.match_id for sitting in self._hall if sitting.audience]
        if watched:
            for head in await self._house.store.heads(watched):
                self.heard(head.match_id, head.record)

    async def _follow(self, sitting: Sitting) -> None:
        try:
            while sitting.table.record < self._following[sitting.match_id]:
                before = sitting.table.record
                await sitting.refresh()
                if sitting.table.record == before:
                    return  # what was heard of is not in the log that is read here
        except Gone:
            pass  # its watchers come again
        except (Refusal, protocol.Unavailable) as error:
            self._house.observer.failed("hint", error)
        finally:
            del self._following[sitting.match_id]
