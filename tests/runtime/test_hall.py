"""Matches in memory: loaded once however many ask, gone when nobody uses them, and never more than fit."""

import asyncio
import dataclasses
import random

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime.observer import Silent
from majlis.runtime.sitting import Sitting
from tests.runtime import room, tonj
from tests.runtime.room import Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS


@pytest.fixture
def store() -> Faulty:
    return Faulty()


async def test_fifty_who_ask_at_once_have_it_loaded_once(store: Faulty, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
    async with room.running(store, clock) as runtime:
        match = match.on(runtime)
        store.reads.clear()
        calls = [asyncio.ensure_future(match.head()) for _ in range(50)]
        for _ in range(5):
            await asyncio.sleep(0)
        for call in calls[:49:2]:
            call.cancel()  # who began to load goes away, too
        await asyncio.sleep(0)
        store.reads.set()
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(end, int) for end in ends) == 25
        assert store.loads == 1


async def test_what_was_read_before_the_store_reopened_is_read_again(store: Faulty, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        runtime._hall.drop_all("reset")
        store.reads.clear()
        looking = asyncio.ensure_future(match.head())
        for _ in range(5):
            await asyncio.sleep(0)
        store.on_reopen()
        store.reads.set()
        await looking
        assert store.loads == 2


async def test_what_nobody_uses_leaves_and_comes_back_the_same(store: Faulty, clock: Clock) -> None:
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, idle_seconds=60)) as runtime:
        used, watched = await tonj.found(runtime, clock, "used"), await tonj.found(runtime, clock, "watched")
        feed = await watched.watch(PLAYERS[0])
        await used.move()
        before = await used.state(PLAYERS[1])
        clock.now_ms += 20_000
        await runtime.pulse.beat()
        assert runtime.loaded == 2
        await used.head()
        clock.now_ms += 9_000
        await runtime.pulse.beat()
        assert runtime.loaded == 2
        runtime._hall.drop_unused(clock.now_ms + 60_000)
        assert runtime.loaded == 1
        await feed.aclose()
        runtime._hall.drop_unused(clock.now_ms + 60_000)
        assert runtime.loaded == 0
        after = await used.state(PLAYERS[1])
        for state in (before, after):
            state.ClearField("server_time")
        assert after == before


async def test_no_more_than_fit_and_the_longest_unused_go_first(store: Faulty, clock: Clock) -> None:
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, loaded=3)) as runtime:
        matches = []
        for number in range(3):
            matches.append(await tonj.found(runtime, clock, f"match {number}"))
            clock.now_ms += 1000
        feeds = [await matches[number].watch(PLAYERS[0]) for number in (0, 2)]
        runtime._hall.drop_all("reset")
        feeds = [await matches[number].watch(PLAYERS[0]) for number in (0, 2)]
        await matches[1].head()
        assert runtime.loaded == 3
        newest = await tonj.found(runtime, clock, "newest")
        runtime._hall.drop_unused(clock.now_ms + 3_600_000)
        await newest.watch(PLAYERS[0])
        assert runtime.loaded == 3
        no = await room.refused(matches[1].head())
        assert (no.reason, no.entry.retry) == ("OVERLOADED", True)
        await feeds[0].aclose()
        await matches[1].head()
        assert runtime._hall.get(matches[0].match_id) is None


@pytest.mark.parametrize("seed", range(5))
async def test_leaving_never_tears_a_match_from_who_comes(store: Faulty, clock: Clock, seed: int) -> None:
    chance = random.Random(seed)
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, idle_seconds=0)) as runtime:
        match = await tonj.found(runtime, clock, turn_seconds=3600)

        reasons: set[str] = set()

        async def play() -> int:
            seen = 0
            for _ in range(30):
                before = await match.head()
                feed = await match.watch(PLAYERS[chance.randrange(2)], before)
                answer = await match.move()
                assert answer.sequence > before
                try:
                    seen += len(room.sequences(await room.waiting(feed)))
                except Refusal as no:
                    reasons.add(no.reason)
                await feed.aclose()
            return seen

        async def trouble() -> None:
            while True:
                await asyncio.sleep(0)
                clock.now_ms += 1
                if chance.random() < 0.05:
                    store.on_reopen()
                elif chance.random() < 0.3:
                    runtime._hall.drop_unused(clock.now_ms)

        troubling = asyncio.ensure_future(trouble())
        assert await play() > 0
        assert reasons == {"STREAM_RESET"}
        troubling.cancel()
        await asyncio.wait([troubling])
        resumed = await match.watch(PLAYERS[0], 0)
        assert room.sequences(await room.waiting(resumed)) == list(range(1, await match.head() + 1))


async def test_asking_for_what_is_not_there_is_no_fault_of_the_server(store: Faulty, clock: Clock) -> None:
    faults: list[BaseException] = []

    class Hearing(Silent):
        def failed(self, where: str, error: BaseException) -> None:
            faults.append(error)

    async with room.running(store, clock, observer=Hearing()) as runtime:
        for number in range(10):
            no = await room.refused(runtime.get_match(PLAYERS[0], f"nowhere {number}"))
            assert no.reason == "MATCH_NOT_FOUND"
        assert runtime.loaded == 0
    assert faults == []


async def test_nothing_of_a_match_is_kept_after_it_left(store: Faulty, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        for number in range(20):
            match = await tonj.found(runtime, clock, f"match {number}")
            feed = await match.watch(PLAYERS[0])
            await match.move()
            await feed.aclose()
        runtime._hall.drop_unused(clock.now_ms + 3_600_000)
        assert runtime.loaded == 0
        assert not runtime._hall._loading
        assert not runtime._timers._alarms
        assert all(alarm.match is None for _, _, alarm in runtime._timers._heap)
        assert {task.get_name() for task in runtime._background._tasks} == {"beats", "sweeps", "publications"}


async def test_who_comes_while_the_store_is_opened_again_and_again_is_told_to_come_back(
    store: Faulty, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        found, before = runtime._hall.sitting, await match.head()

        async def dropped_at_once(match_id: str) -> Sitting:
            sitting = await found(match_id)
            store.on_reopen()
            return sitting

        monkeypatch.setattr(runtime._hall, "sitting", dropped_at_once)
        with pytest.raises(Refusal, match="STORE_UNAVAILABLE"):
            await match.move()
        monkeypatch.undo()
        assert await match.head() == before
