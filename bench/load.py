"""Ways to drive many matches at once: flat out in a closed loop, or at a given rate by a timetable."""

import asyncio
import dataclasses
import random
import time
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from bench.players import Players

T = TypeVar("T")

PATIENCE = 20.0
"""Seconds that a move may be late before the run is given up."""


@dataclasses.dataclass(frozen=True, slots=True)
class Pace:
    """What a closed loop came to."""

    counted: int
    """Moves that were complete in time."""
    played: int
    """All of them, with those that were still under way then."""


async def flat_out(tables: Sequence[Players], seconds: float) -> Pace:
    """Every match makes its next move as soon as the last one was seen by both players."""
    end = time.perf_counter() + seconds

    async def drive(table: Players) -> tuple[int, int]:
        counted = played = 0
        while time.perf_counter() < end:
            if await table.move() is None:
                await table.sit_down()
                continue
            played += 1
            counted += time.perf_counter() <= end
        return counted, played

    counts = await _all(tables, [drive(table) for table in tables], seconds)
    return Pace(sum(counted for counted, _ in counts), sum(played for _, played in counts))


async def by_timetable(tables: Sequence[Players], rate: float, seconds: float) -> list[float]:
    """Moves at a rate, whether or not the server keeps up; seconds from each one's appointed instant until the other
    player had read it.

    The appointed instants of a match lie at random in the first halves of equal periods, and the matches' periods begin
    one after the other, so that the rate of them all is even. A period in which a new match had to be made is left out.
    """
    period = len(tables) / rate
    begin = time.perf_counter() + 0.05

    async def drive(place: int, table: Players) -> list[float]:
        chance = random.Random(place)
        late: list[float] = []
        for number in range(int(seconds / period)):
            at = begin + (place / len(tables) + number + chance.random() / 2) * period
            wait = at - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            move = await table.move()
            if move is None:
                await table.sit_down()
            else:
                late.append(move.seen - at)
        return late

    return [
        late for found in await _all(tables, [drive(*each) for each in enumerate(tables)], seconds) for late in found
    ]


async def _all(tables: Sequence[Players], driving: Sequence[Coroutine[Any, Any, T]], seconds: float) -> list[T]:
    """What all drives come to.

    Raises:
        TimeoutError: a move hangs; with what its call says.
    """
    try:
        async with asyncio.timeout(seconds + PATIENCE):
            return list(await asyncio.gather(*driving))
    except TimeoutError:
        raise TimeoutError("; ".join({await table.trouble() for table in tables})) from None
