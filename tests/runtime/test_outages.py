"""Time in which nobody could act is given back before anything is shown or accepted, and makes nothing stale."""

import asyncio
import dataclasses

import pytest

from majlis.store import memory, protocol
from tests.runtime import room, tonj
from tests.runtime.room import RESIGN, Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

LIMITS = dataclasses.replace(room.PATIENT, outage_seconds=3, restart_seconds=0)


async def test_time_in_which_nobody_could_act_is_given_back(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline = await match.deadline_ms()
        clock.now_ms += 10_000
        await runtime.pulse.beat()  # ten seconds without a sign of life, before anybody acted: the first outage
        mover, before = await match.mover(), await match.head()
        action = await match.choice(mover)
        clock.now_ms += 1_000
        await runtime.pulse.beat()
        store.down = True
        clock.now_ms += 60_000
        await runtime.pulse.beat()
        assert (await room.refused(match.submit(mover, action))).reason == "STORE_UNAVAILABLE"
        store.down = False
        for _ in range(2):
            await runtime.pulse.beat()
            await runtime.sweep.run()
            await room.fired(runtime)
            assert await match.head() == before + 1  # the extension, and no timeout
            assert await match.deadline_ms() == deadline + 70_000
        await match.submit(mover, await match.choice(mover), expected=before + 1)


async def test_what_was_played_after_the_last_sign_of_life_shortens_what_is_given_back(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        await runtime.pulse.beat()
        clock.now_ms += 2_000
        other = await tonj.found(runtime, clock, "made late")
        mover = await other.mover()
        action = await other.choice(mover)
        deadlines = [await one.deadline_ms() for one in (match, other)]
        clock.now_ms += 10_000
        # Nobody beat; the first who acts finds it out, and many at once find out the same.
        await asyncio.gather(*(runtime.pulse.beat() for _ in range(5)), other.submit(mover, action))
        await room.refused(match.submit(PLAYERS[0], RESIGN, expected=1))
        after = [await one.deadline_ms() for one in (match, other)]
        assert after[0] - deadlines[0] == 12_000
        assert after[1] - deadlines[1] == 10_000


async def test_who_watches_is_told_of_it_as_soon_as_it_is_over(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        watched, unwatched = [await tonj.found(runtime, clock, name) for name in ("watched", "unwatched")]
        deadline = await watched.deadline_ms()
        feed = await watched.watch(PLAYERS[0], await watched.head())
        await room.waiting(feed)
        clock.now_ms += 10_000
        for _ in range(3):
            await runtime.pulse.beat()
            await room.done(runtime, "timer")
        (told,) = await room.waiting(feed)
        assert [event.clock_extended.by_ms for event in told.events.events] == [10_000]
        assert told.clock.deadline.ToMilliseconds() == deadline + 10_000
        # Nobody asked for the other: it costs nothing until somebody does.
        heads = [await store.head(match.match_id) for match in (watched, unwatched)]
        assert [head.record for head in heads if head is not None] == [2, 1]


async def test_time_in_which_no_server_ran_is_given_back(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline, before = await match.deadline_ms(), await match.head()
    for away_ms in (20_000, 2_000, 50_000):  # three runs; nobody acts in the first two, and one gap is none
        clock.now_ms += away_ms
        async with room.running(Faulty(logs), clock, LIMITS):
            pass
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = match.on(runtime)
        for _ in range(2):
            assert await match.deadline_ms() == deadline + 70_000
            assert await match.head() == before + 1  # the extension, and no timeout
            await runtime.sweep.run()
            await room.fired(runtime)
        # Whoever has looked since acts on what holds.
        mover = await match.mover()
        await match.submit(mover, await match.choice(mover), expected=before + 1)


async def test_the_sweep_gives_back_what_nobody_looks_at(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline = await match.deadline_ms()
    clock.now_ms = deadline + 7_000
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        await runtime.sweep.run()
        await room.fired(runtime)
        (head,) = await memory.MemoryStore(logs).due(10**15, 1)
        assert head.deadline_ms is not None
        assert head.deadline_ms > clock.now_ms
        assert head.record == 2


async def test_after_years_the_clock_runs_out(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
    clock.now_ms += 10 * 365 * 86_400_000
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        await runtime.sweep.run()
        await room.fired(runtime)
        assert await match.on(runtime).deadline_ms() > clock.now_ms


@pytest.mark.parametrize("looks", ["at the match", "on with a snapshot", "on with what was missed"])
async def test_who_looks_before_the_first_beat_is_shown_what_holds(clock: Clock, looks: str) -> None:
    """The process was stopped and goes on: nobody has beaten yet."""
    async with room.running(memory.MemoryStore(), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline, head = await match.deadline_ms(), await match.head()
        clock.now_ms += 10_000
        if looks == "at the match":
            state = await match.state()
            shown, sequence = state.clock, state.match.sequence
        else:
            feed = await match.watch(PLAYERS[0], None if looks == "on with a snapshot" else head)
            first = (await room.waiting(feed))[0]
            shown, sequence = first.clock, first.sequence
        assert (shown.deadline.ToMilliseconds(), sequence) == (deadline + 10_000, head + 1)
        await runtime.pulse.beat()
        assert (await match.deadline_ms(), await match.head()) == (deadline + 10_000, head + 1)


async def test_nobody_is_shown_a_deadline_that_may_not_hold(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        running, over = [await tonj.found(runtime, clock, name) for name in ("running", "over")]
        await over.submit(PLAYERS[0], RESIGN)
        deadline = await running.deadline_ms()
        store.down = True
        clock.now_ms += 3_000  # no outage yet
        assert await running.deadline_ms() == deadline
        clock.now_ms += 1
        assert (await room.refused(running.state())).reason == "STORE_UNAVAILABLE"
        assert not (await over.state()).HasField("clock")
        store.down = False
        assert await running.deadline_ms() == deadline + 3_001


@pytest.mark.parametrize("beaten", [False, True])
async def test_what_was_formed_before_an_outage_is_taken_after_it(clock: Clock, beaten: bool) -> None:
    async with room.running(memory.MemoryStore(), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        mover, head = await match.mover(), await match.head()
        action = await match.choice(mover)
        feed = await match.watch(PLAYERS[0], head)
        await room.waiting(feed)
        clock.now_ms += 10_000
        if beaten:
            await runtime.pulse.beat()
            await room.done(runtime, "timer")
            assert room.sequences(await room.waiting(feed)) == [head + 1]
        answer = await match.submit(mover, action, expected=head)
        # Given back first, and then played.
        numbers = [event.sequence for event in answer.events]
        assert numbers[0] == head + 2
        assert room.sequences(await room.waiting(feed)) == ([] if beaten else [head + 1]) + numbers


async def test_what_was_formed_before_the_server_went_away_is_taken_by_the_next(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        mover, head = await match.mover(), await match.head()
        action = await match.choice(mover)
    clock.now_ms += 10_000
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        assert (await match.on(runtime).submit(mover, action, expected=head)).events[0].sequence == head + 2


async def test_what_was_formed_before_somebody_acted_is_stale_however_much_time_was_given_back(clock: Clock) -> None:
    async with room.running(memory.MemoryStore(), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)

        async def lose_time() -> int:
            clock.now_ms += 10_000
            return await match.head()

        founded = await match.head()
        given_back = await lose_time()
        assert given_back == founded + 1
        acted = (await match.move()).sequence
        assert await lose_time() == acted + 1
        mover = await match.mover()
        action = await match.choice(mover)
        for _ in range(2):
            for expected in (founded, given_back, acted - 1):
                no = await room.refused(match.submit(mover, action, expected=expected))
                assert (no.reason, no.sequence) == ("STALE_SEQUENCE", acted + 1)
            no = await room.refused(match.submit(mover, action, expected=acted + 2))
            assert (no.reason, no.sequence) == ("AHEAD_OF_HEAD", acted + 1)
            runtime._hall.drop_all("reset")  # and so it is read out of the log
        await match.submit(mover, action, expected=acted)


async def test_who_looks_while_the_store_is_opened_anew_watches_the_match_that_goes_on(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        clock.now_ms += 10_000
        store.gate.clear()
        coming = asyncio.ensure_future(match.watch(PLAYERS[0]))
        await asyncio.sleep(0.001)
        store.on_reopen()  # while it is written that time is given back
        store.gate.set()
        feed = await coming
        await room.waiting(feed)
        await match.move()
        assert room.sequences(await room.waiting(feed))


async def test_a_server_that_falls_again_and_again_costs_no_time(store: protocol.Store, clock: Clock) -> None:
    """More often than outages are remembered one by one, and after a long one."""
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline = await match.deadline_ms()
    lost_ms = 0
    for away_ms in [600_000, *[1_000] * (2 * protocol.OUTAGES_KEPT)]:
        clock.now_ms += away_ms
        lost_ms += away_ms
        async with room.running(store, clock, LIMITS):
            clock.now_ms += 10
    async with room.running(store, clock, LIMITS) as runtime:
        played_ms = 10 * (2 * protocol.OUTAGES_KEPT + 1)
        assert lost_ms <= await match.on(runtime).deadline_ms() - deadline <= lost_ms + played_ms


@pytest.mark.parametrize("away_ms", [1, 300, 999, 3_000])
async def test_a_restart_costs_no_time_however_short_it_is(store: protocol.Store, clock: Clock, away_ms: int) -> None:
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline, head = await match.deadline_ms(), await match.head()
        clock.now_ms += 900
        await runtime.pulse.beat()
    clock.now_ms += away_ms
    async with room.running(store, clock, LIMITS) as runtime:
        match = match.on(runtime)
        assert (await match.deadline_ms(), await match.head()) == (deadline + away_ms, head + 1)
        for _ in range(100):  # what a server that runs leaves between two beats is none
            clock.now_ms += 100
            await runtime.pulse.beat()
        clock.now_ms += 3_000
        await runtime.pulse.beat()
        assert (await match.deadline_ms(), await match.head()) == (deadline + away_ms, head + 1)


async def test_a_stop_costs_no_time_however_long_it_takes(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline = await match.deadline_ms()
        clock.now_ms += 900
        await runtime.pulse.beat()
        await runtime.close()
        for _ in range(8):  # streams end bit by bit, and nobody can act
            clock.now_ms += 1_000
            await runtime.pulse.beat()
    clock.now_ms += 400
    async with room.running(store, clock, LIMITS) as runtime:
        assert await match.on(runtime).deadline_ms() == deadline + 8_400


async def test_no_clock_runs_out_in_a_stop_for_an_outage_just_before_it(store: protocol.Store, clock: Clock) -> None:
    """The process was frozen across a deadline, or its disk: timer and stop come at once when it goes on."""
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        deadline, head = await match.deadline_ms(), await match.head()
        while clock.now_ms < deadline - 1_000:
            clock.now_ms += 1_000
            await runtime.pulse.beat()
        clock.now_ms += 20_000
        runtime._timers.check()
        await runtime.close()
        await room.done(runtime, "timer")
        clock.now_ms += 2_000
    async with room.running(store, clock, LIMITS) as runtime:
        match = match.on(runtime)
        assert await match.deadline_ms() == deadline + 22_000
        assert await match.head() == head + 2


async def test_a_restart_in_no_time_gives_nothing_back(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        before = await match.state()
    async with room.running(store, clock, LIMITS) as runtime:
        assert (await match.on(runtime).state()).clock == before.clock
    clock.now_ms -= 5_000  # nor does a clock that was set back
    async with room.running(store, clock, LIMITS) as runtime:
        assert (await match.on(runtime).state()).match.sequence == before.match.sequence


async def test_a_server_that_joins_others_on_their_store_takes_nothing_for_a_restart(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock, LIMITS) as runtime:
        match = await tonj.found(runtime, clock)
        before = await match.state()
        clock.now_ms += 900
        async with room.running(Faulty(logs), clock, LIMITS) as other:
            assert (await match.on(other).state()).clock == before.clock
        assert (await match.state()).clock == before.clock
