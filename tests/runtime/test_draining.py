"""How streams end when the server stops: spread over a time, so that not all of their readers come back at once."""

import asyncio
import dataclasses
import itertools
import statistics

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from tests.runtime import room, tonj
from tests.runtime.room import Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

SECONDS, MATCHES = 0.5, 10


async def ended(feed: Feed, since: float) -> float:
    """Reads a feed to its end; how many seconds after an instant that came."""
    with pytest.raises(Refusal, match="DRAINING"):
        async for _ in feed:
            pass
    return asyncio.get_running_loop().time() - since


@pytest.mark.parametrize("seconds", [SECONDS, 0.0])
async def test_streams_end_spread_over_the_drain(clock: Clock, seconds: float) -> None:
    limits = dataclasses.replace(room.PATIENT, drain_seconds=seconds)
    async with room.running(Faulty(), clock, limits) as runtime:
        matches = [await tonj.found(runtime, clock, str(number)) for number in range(MATCHES)]
        feeds = [await match.watch(PLAYERS[0]) for match in matches]
        begun = asyncio.get_running_loop().time()
        ends = [asyncio.ensure_future(ended(feed, begun)) for feed in feeds]
        await runtime.stop()
        instants = sorted(await asyncio.gather(*ends))
    gaps = [later - earlier for earlier, later in itertools.pairwise(instants)]
    if seconds:
        # One match after the other: at no instant do many come back.
        assert instants[0] < 0.5 * seconds
        assert statistics.median(gaps) > 0.5 * seconds / MATCHES
        assert instants[-1] >= 0.8 * seconds
    else:
        assert instants[-1] < SECONDS
