"""How watchers are let go when the server stops: told first, then ended bit by bit, so that not all return at once."""

import asyncio
import random

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import House


def tell(house: House, hall: Hall, within_ms: int) -> None:
    """Sends every watcher a notice that his feed will end within so long."""
    now_ms = house.now()
    for sitting in hall:
        if sitting.audience:
            try:
                sitting.audience.tell(sitting.told(sitting.table.drain, within_ms, now_ms))
            except Refusal:
                continue  # it was dropped, and the observer told


async def end_feeds(hall: Hall, seconds: float) -> None:
    """Ends all feeds once they have been read, in random order, spread over so long."""
    watched = [sitting for sitting in hall if sitting.audience]
    random.shuffle(watched)
    for sitting in watched:
        sitting.audience.dismiss_all(lambda: Refusal("DRAINING"))
        await asyncio.sleep(seconds / len(watched))
