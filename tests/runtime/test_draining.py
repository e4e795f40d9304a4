"""How streams end when the server stops: spread over a time, so that not all of their readers come back at once."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime import draining
from tests.runtime import room, tonj
from tests.runtime.room import Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

SECONDS, MATCHES, CONSUMERS = 0.5, 30, 30
TURNS = 50
"""Of the loop, in which an end is read."""


class Script:
    """A time that runs only while a stop waits between two ends, and after everybody has read what he was told."""

    def __init__(self) -> None:
        """It begins at 0."""
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)
        self.now += seconds

    def get_running_loop(self) -> "Script":
        return self

    def time(self) -> float:
        return self.now

    async def ended(self, stream: AsyncIterator[object]) -> float:
        """Reads a stream to its end; when that came."""
        with pytest.raises(Refusal, match="DRAINING"):
            async for _ in stream:
                pass
        return self.now


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    script = Script()
    monkeypatch.setattr(draining, "asyncio", script)
    return script


@pytest.mark.parametrize("seconds", [SECONDS, 0.0])
async def test_streams_end_spread_over_the_drain(clock: Clock, script: Script, seconds: float) -> None:
    limits = dataclasses.replace(room.PATIENT, drain_seconds=seconds)
    async with room.running(Faulty(), clock, limits) as runtime:
        matches = [await tonj.found(runtime, clock, str(number)) for number in range(MATCHES)]
        feeds = [await match.watch(PLAYERS[0]) for match in matches]
        results = [await runtime.results.watch(f"consumer {number}", "") for number in range(CONSUMERS)]
        ends = [asyncio.ensure_future(script.ended(feed)) for feed in feeds]
        told = [asyncio.ensure_future(script.ended(result)) for result in results]
        await runtime.stop()
        instants, tellings = sorted(await asyncio.gather(*ends)), sorted(await asyncio.gather(*told))
        for result in results:
            await result.aclose()
    # One after the other, and the kinds mixed: at no instant do many come back.
    gap = seconds / (MATCHES + CONSUMERS)
    assert sorted(instants + tellings) == pytest.approx([number * gap for number in range(MATCHES + CONSUMERS)])
    if seconds:
        assert max(instants[0], tellings[0]) < 0.5 * seconds < min(instants[-1], tellings[-1])


async def test_watchers_of_one_match_do_not_go_together_either(clock: Clock, script: Script) -> None:
    limits = dataclasses.replace(room.PATIENT, drain_seconds=SECONDS)
    async with room.running(Faulty(), clock, limits) as runtime:
        match = await tonj.found(runtime, clock)
        feeds = [await match.watch(f"spectator {number}") for number in range(MATCHES)]
        ends = [asyncio.ensure_future(script.ended(feed)) for feed in feeds]
        await runtime.stop()
        instants = sorted(await asyncio.gather(*ends))
    assert instants == pytest.approx([number * SECONDS / MATCHES for number in range(MATCHES)])


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
