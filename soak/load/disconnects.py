"""Disconnects: callers who go without a word, by the thousand, in three identical rounds.

A third cancel their stream, a third close their channel, and a third have their connection reset in mid-stream; half of
each on a play session. After each round all that was open is gone, and the third round takes no more memory.
"""

import asyncio
import dataclasses
from collections.abc import Callable
from typing import Any

from bench.players import Caller
from bench.sessions import Session
from majlis.v1 import match_service_pb2 as messages
from soak.findings import Finding, most, same
from soak.load import tables
from soak.load.site import Counts, Site
from soak.load.wire import wire

DISCONNECTS = 10_000
ROUNDS = 3
MATCHES = 50
WAYS = 3
TOGETHER = 60
"""Callers who are there at the same time, a third of them on one wire."""
FLAGS = ("--idle-seconds", "86400")
"""Of a server: no match leaves the memory meanwhile."""
GROWTH = 1.02
SETTLING_SECONDS = 3.0
"""In which a server gives back what callers had."""


async def disconnects(
    site: Site, scale: float, settling: float = SETTLING_SECONDS, after: Callable[[], None] = lambda: None
) -> list[Finding]:
    """With so much of the callers; `after` is called at the start and after each round."""
    seats = await tables.seated(site, "left", (tables.Table,), max(2, round(MATCHES * scale)))
    ids = [table.match_id for table in seats]
    tables.rise(seats)
    start = await site.settled(Counts(0, 0, len(ids)))
    await asyncio.sleep(settling)
    after()
    left: list[Counts] = []
    resident: list[int] = []
    for _ in range(ROUNDS):
        for number in range(0, max(1, round(DISCONNECTS * scale)), TOGETHER):
            await _come_and_go(site, ids, number)
        left.append(await site.settled(start))
        await asyncio.sleep(settling)
        after()
        resident.append(site.resident())
    growth = resident[-1] / resident[-2]
    sizes = ", ".join(f"{size / 2**20:,.1f}" for size in resident)
    return [
        *(same(f"open after round {number}", start, counts) for number, counts in enumerate(left, 1)),
        most(f"memory, round by round {sizes} MiB", growth, GROWTH, " ×", 4, is_figure=True),
    ]


async def _come_and_go(site: Site, ids: list[str], first: int) -> None:
    """Some callers, who watch and then are gone."""
    async with wire(site.address) as cable:
        callers = []
        for number in range(first, first + TOGETHER):
            there = site if number % WAYS else dataclasses.replace(site, address=cable.address)
            callers.append(there.caller(f"guest-{number}"))
        streams = await asyncio.gather(
            *(_opened(caller, ids[(first + place) % len(ids)], place) for place, caller in enumerate(callers))
        )
        cable.cut()
        for place, (caller, stream) in enumerate(zip(callers, streams, strict=True)):
            match (first + place) % WAYS:
                case 1:
                    stream.close() if isinstance(stream, Session) else stream.cancel()
                case 2:
                    await caller.channel.close()
        # What is left of them on this side; those on the wire have nobody to talk to any more.
        await asyncio.gather(*(caller.channel.close() for caller in callers))


async def _opened(caller: Caller, match_id: str, place: int) -> Any:
    """A stream or session that has shown a match."""
    if place // WAYS % 2:
        session = Session(caller)
        await session.say(watch=messages.WatchMatchRequest(match_id=match_id))
        await session.next()
        return session
    stream = caller.watch(match_id)
    await stream.read()
    return stream
