"""How streams end when the server stops: spread over a time, so that not all of their readers come back at once."""

import asyncio
import dataclasses
import itertools
import statistics
from collections.abc import AsyncIterator

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime import draining
from tests.runtime import room, tonj
from tests.runtime.room import Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

SECONDS, MATCHES, CONSUMERS = 0.5, 30, 30


async def ended(stream: AsyncIterator[object], since: float) -> float:
    """Reads a stream to its end; how many seconds after an instant that came."""
    with pytest.raises(Refusal, match="DRAINING"):
        async for _ in stream:
            pass
    return asyncio.get_running_loop().time() - since


@pytest.mark.parametrize("seconds", [SECONDS, 0.0])
async def test_streams_end_spread_over_the_drain(clock: Clock, seconds: float) -> None:
    limits = dataclasses.replace(room.PATIENT, drain_seconds=seconds)
    async with room.running(Faulty(), clock, limits) as runtime:
        matches = [await tonj.found(runtime, clock, str(number)) for number in range(MATCHES)]
        feeds = [await match.watch(PLAYERS[0]) for match in matches]
        results = [await runtime.results.watch(f"consumer {number}", "") for number in range(CONSUMERS)]
        begun = asyncio.get_running_loop().time()
        ends = [asyncio.ensure_future(ended(feed, begun)) for feed in feeds]
        told = [asyncio.ensure_future(ended(result, begun)) for result in results]
        await runtime.stop()
        instants, tellings = sorted(await asyncio.gather(*ends)), sorted(await asyncio.gather(*told))
        for result in results:
            await result.aclose()
    if seconds:
        # One after the other, and the kinds mixed: at no instant do many come back.
        for kind in (instants, tellings):
            gaps = [later - earlier for earlier, later in itertools.pairwise(kind)]
            assert kind[0] < 0.5 * seconds
            assert statistics.median(gaps) > 0.5 * seconds / (MATCHES + CONSUMERS)
            assert kind[-1] >= 0.6 * seconds
    else:
        assert max(*instants, *tellings) < SECONDS


async def test_watchers_of_one_match_do_not_go_together_either(clock: Clock) -> None:
    limits = dataclasses.replace(room.PATIENT, drain_seconds=SECONDS)
    async with room.running(Faulty(), clock, limits) as runtime:
        match = await tonj.found(runtime, clock)
        feeds = [await match.watch(f"spectator {number}") for number in range(MATCHES)]
        begun = asyncio.get_running_loop().time()
        ends = [asyncio.ensure_future(ended(feed, begun)) for feed in feeds]
        await runtime.stop()
        instants = sorted(await asyncio.gather(*ends))
    assert instants[-1] - instants[0] >= 0.6 * SECONDS


class TestSpread:
    async def calls(self, count: int, seconds: float) -> tuple[list[int], float]:
        """In which order so many are called, and how long that takes."""
        order: list[int] = []
        begun = asyncio.get_running_loop().time()
        await draining.spread([lambda number=number: order.append(number) for number in range(count)], seconds)  # type: ignore[misc]
        return order, asyncio.get_running_loop().time() - begun

    async def test_nobody_is_waited_for_where_nobody_is(self) -> None:
        assert (await self.calls(0, 600))[1] < 1

    async def test_one_goes_at_once_and_few_soon(self) -> None:
        order, seconds = await self.calls(1, 600)
        assert (order, seconds < 1) == ([0], True)
        order, seconds = await self.calls(10, 600)
        assert sorted(order) == list(range(10))
        assert 9 * draining.PACE_SECONDS <= seconds < 60

    async def test_many_take_the_time_that_there_is(self) -> None:
        """However many: a sleep for each would be too long."""
        order, seconds = await self.calls(20_000, 0.2)
        assert sorted(order) == list(range(20_000))
        assert order != list(range(20_000))
        assert 0.19 <= seconds < 5
