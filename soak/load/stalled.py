"""Stalled: one reader that watches every match and reads nothing. The others must not notice.

The same matches at the same rate with him and without, in turns; what counts is how much later the slowest hundredth of
the moves came to the opponent.
"""

import asyncio
import contextlib
import dataclasses
import statistics
from collections.abc import AsyncIterator, Sequence

import grpc

from bench import figures, load
from bench.sessions import Session
from majlis.v1 import match_service_pb2 as messages
from soak.findings import Finding, least
from soak.load import tables
from soak.load.site import Site
from soak.load.wire import wire

MATCHES = 64
"""As many as one session may watch."""
MOST_MS = 1.0
LAGGED = "majlis_feeds_lagged_total"
FILLING = 40
"""Half seconds in which all buffers between him and the server must be full."""
SMALL_WINDOW = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.lookahead_bytes", 4_096),
    ("grpc.http2.bdp_probe", 0),
)
"""How much the server may send him that he does not read."""
PEAK_SECONDS = 3.0
PART = 0.1
"""Of what the server can do: queues of its own would hide a millisecond."""
SETTLING_SECONDS = 0.5
"""Of a closed loop before each turn."""
TURN_SECONDS = 8.0
"""No longer than a match lasts at that rate."""
FLAGS = ("--feed-length", "8", "--stall-seconds", "600")
"""Of a server: his backlog is full soon, and he is not let go of before the end."""


async def stalled(site: Site, scale: float, rounds: int, seconds: float = TURN_SECONDS) -> list[Finding]:
    """With so much of the matches; each turn of a round lasts so long."""
    count = max(2, round(MATCHES * scale))
    seats = await tables.seated(site, "stalled", (tables.Table, tables.SessionTable), count)
    without, beside = [], []
    try:
        pace = await load.flat_out(seats, min(PEAK_SECONDS, seconds))
        rate = pace.counted / min(PEAK_SECONDS, seconds) * PART
        for number in range(rounds):
            # Each turn comes after the same, and every other round begins with the other: what a turn leaves behind, in
            # the file or in the collector, then falls on both.
            if number % 2 == 0:
                without.append(await _slowest(seats, rate, seconds))
            async with _reader(site, [table.match_id for table in seats], number):
                await _fallen_behind(site, seats)
                beside.append(await _slowest(seats, rate, seconds))
            if number % 2:
                without.append(await _slowest(seats, rate, seconds))
    finally:
        tables.rise(seats)
    lagged = await site.value(LAGGED)
    more = statistics.median(one - other for one, other in zip(beside, without, strict=True))
    told = f"{more:+.2f} ms; beside him {figures.spread(beside)}, without {figures.spread(without)}"
    return [
        least("times that he had fallen behind", lagged, rounds),
        Finding(f"p99 later by, at {rate:,.0f} moves/s", told, f"< {MOST_MS:.0f} ms", more < MOST_MS, is_figure=True),
    ]


async def _fallen_behind(site: Site, seats: Sequence[tables.Table]) -> None:
    """Plays until he has fallen behind everywhere: until then he is a reader like others. Gives up after a while."""
    before = await site.value(LAGGED)
    for _ in range(FILLING):
        await load.flat_out(seats, 0.5)
        if await site.value(LAGGED) >= before + len(seats):
            return


async def _slowest(seats: list[tables.Table], rate: float, seconds: float) -> float:
    """How late the slowest hundredth of the moves came to the opponent, in milliseconds."""
    await load.flat_out(seats, SETTLING_SECONDS)
    return 1000 * figures.percentile(await load.by_timetable(seats, rate, seconds), 0.99)


@contextlib.asynccontextmanager
async def _reader(site: Site, ids: list[str], number: int) -> AsyncIterator[None]:
    """Somebody who watches all of these, and reads no more once he has seen them."""
    async with wire(site.address) as cable:
        there = dataclasses.replace(site, address=cable.address)
        channel = grpc.aio.insecure_channel(cable.address, options=SMALL_WINDOW)
        caller = there.caller(f"idler-{number}", channel=channel)
        session = Session(caller)
        for match_id in ids:
            await session.say(watch=messages.WatchMatchRequest(match_id=match_id))
        unseen = set(ids)
        while unseen:
            unseen.discard((await session.next()).match_id)
        cable.hold()
        await asyncio.sleep(0)
        yield
        session.close()
        cable.cut()
        await caller.channel.close()
