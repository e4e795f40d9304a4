"""Clocks: the last instant is in time, the next is late, and what could not be done is tried again.

A move and its timeout never both win: `test_races`.
"""

import asyncio
import contextvars

from majlis.runtime.observer import Silent
from majlis.runtime.runtime import Runtime
from majlis.runtime.timers import Timers
from majlis.store import memory, protocol
from tests.runtime import room, tonj
from tests.runtime.room import Clock, Match, Update
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

HOUR_MS = 3_600_000


def timeouts(updates: list[Update]) -> int:
    return sum(event.HasField("timed_out") for update in updates for event in update.events.events)


async def test_a_clock_runs_out_just_after_its_deadline(runtime: Runtime, clock: Clock, match: Match) -> None:
    feed = await match.watch(PLAYERS[0], await match.head())
    await room.waiting(feed)
    clock.now_ms = await match.deadline_ms()
    await room.fired(runtime)
    assert await room.waiting(feed) == []
    clock.now_ms += 1
    await room.fired(runtime)
    assert timeouts(await room.waiting(feed)) == 1
    assert await match.deadline_ms() > clock.now_ms
    await room.fired(runtime)
    assert await room.waiting(feed) == []


async def test_neither_the_timers_nor_the_match_take_the_deadline_for_past(
    runtime: Runtime, clock: Clock, match: Match
) -> None:
    fired_at: list[int] = []
    timers = Timers(clock, lambda match: fired_at.append(clock.now_ms))
    sitting = runtime._hall.get(match.match_id)
    assert sitting is not None
    timers.arm(sitting)
    before, deadline = await match.head(), await match.deadline_ms()
    for clock.now_ms in (deadline - 1, deadline):
        timers.check()
        await sitting.run_out()
        assert (fired_at, await match.head()) == ([], before)
    clock.now_ms = deadline + 1
    timers.check()
    await sitting.run_out()
    assert fired_at == [deadline + 1]
    assert await match.head() > before
    timers.stop()


async def test_a_deadline_that_moved_away_is_waited_for_again(clock: Clock, runtime: Runtime, match: Match) -> None:
    fired_at: list[int] = []
    timers = Timers(clock, lambda match: fired_at.append(clock.now_ms))
    sitting = runtime._hall.get(match.match_id)
    assert sitting is not None
    timers.arm(sitting)
    first = await match.deadline_ms()
    clock.now_ms += 20_000
    while await match.deadline_ms() == first:
        await match.move()
    second = await match.deadline_ms()
    timers.arm(sitting)
    assert len(timers) == 1
    for clock.now_ms in (first + 1, second, second + 1):
        timers.check()
    assert fired_at == [second + 1]
    timers.stop()


async def test_the_loop_fires_without_being_asked(store: protocol.Store) -> None:
    async with room.running(store, Clock()) as runtime:
        clock = runtime._house.now
        assert isinstance(clock, Clock)
        match = await tonj.found(runtime, clock)
        feed = await match.watch(PLAYERS[0], await match.head())
        await room.waiting(feed)
        clock.now_ms = await match.deadline_ms() - 20
        runtime._timers.check()
        clock.now_ms += 21
        while not timeouts([Update.FromString(await anext(feed))]):
            pass


async def test_what_a_clock_does_is_not_told_of_the_call_that_armed_it() -> None:
    caller, heard = contextvars.ContextVar[str]("caller"), asyncio.Event()
    callers: list[str | None] = []

    class Hearing(Silent):
        def fired(self, game: str, late_ms: int) -> None:
            callers.append(caller.get(None))
            heard.set()

    clock = Clock()
    async with room.running(memory.MemoryStore(), clock, observer=Hearing()) as runtime:
        caller.set(PLAYERS[0])
        match = await tonj.found(runtime, clock)
        clock.now_ms = await match.deadline_ms() - 20
        runtime._timers.check()
        clock.now_ms += 21
        await heard.wait()
    assert callers == [None]


async def test_a_late_action_never_overtakes_the_timeout(clock: Clock, match: Match) -> None:
    mover, deadline = await match.mover(), await match.deadline_ms()
    action, head = await match.choice(mover), await match.head()
    # Nobody looked at the timers yet.
    no = await room.refused(match.submit(mover, action, expected=head, at=deadline + 1))
    assert no.reason == "STALE_SEQUENCE"
    replayed = await match.watch(PLAYERS[0], head)
    assert timeouts(await room.waiting(replayed)) == 1


async def test_an_action_at_the_deadline_is_in_time(match: Match) -> None:
    mover = await match.mover()
    await match.submit(mover, await match.choice(mover), at=await match.deadline_ms())


async def test_clocks_of_matches_that_are_not_loaded_run_out_too(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        matches = [await tonj.found(runtime, clock, f"match {number}") for number in range(5)]
        heads = [await match.head() for match in matches]
        clock.now_ms += 20_000
        await matches[4].move()
    clock.now_ms += HOUR_MS
    async with room.running(store, clock) as runtime:
        await runtime.sweep.run()
        await room.fired(runtime)
        for match, before in zip(matches, heads, strict=True):
            feed = await match.on(runtime).watch(PLAYERS[0], before)
            assert timeouts(await room.waiting(feed)) == 1


async def test_a_timeout_that_could_not_be_stored_comes_again(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        before = await match.head()
        clock.now_ms += HOUR_MS
        store.down = True
        await room.fired(runtime)
        assert await match.head() == before
        store.down = False
        await runtime.sweep.run()
        await room.fired(runtime)
        assert await match.head() > before


async def test_a_timeout_that_hangs_is_not_begun_again(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        clock.now_ms = await match.deadline_ms() + 1
        store.gate.clear()
        for _ in range(10):
            await runtime.sweep.run()
            await asyncio.sleep(0)
        assert len([task for task in runtime._background._tasks if task.get_name() == "timer"]) == 1
        store.gate.set()
        await room.done(runtime, "timer")
        await runtime.sweep.run()
        assert await match.deadline_ms() > clock.now_ms


async def test_alarms_do_not_pile_up(clock: Clock) -> None:
    async with room.running(memory.MemoryStore(), clock) as runtime:
        match = await tonj.found(runtime, clock)
        for _ in range(1_000):
            await match.head()
            runtime._hall.drop_all("reset")
        assert len(runtime._timers) < 600
