"""How streams are let go when the server stops: told first, then ended bit by bit, so that not all return at once.

What a stream is, and how it ends, its own kind knows: watch streams and those of results the runtime, sessions the api.
"""

import asyncio
import random
from collections.abc import Callable, Collection

from majlis.match.refusal import Refusal
from majlis.runtime.hall import Hall
from majlis.runtime.ledger import House

PACE_SECONDS = 0.02
"""The longest between two ends: so many who come back are no crowd, and nobody has to wait for them."""


def tell(house: House, hall: Hall, within_ms: int) -> None:
    """Sends every watcher a notice that his feed will end within so long."""
    now_ms = house.now()
    for sitting in hall:
        if sitting.audience:
            try:
                sitting.audience.tell(sitting.told(sitting.table.drain, within_ms, now_ms))
            except Refusal:
                continue  # it was dropped, and the observer told


async def spread(ends: Collection[Callable[[], None]], seconds: float) -> None:
    """Calls them all, in random order, one after the other: over so long, or sooner where they are few."""
    if not ends:
        return
    gap = min(seconds / len(ends), PACE_SECONDS)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    for count, end in enumerate(random.sample(list(ends), len(ends))):
        # By the clock, since a sleep is longer than asked: of many it would be by much.
        await asyncio.sleep(max(0.0, begun + count * gap - loop.time()))
        end()
