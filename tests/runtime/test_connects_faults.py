"""Who came is known after a restart, at another server, and whatever the store does."""

import asyncio

import pytest

from majlis.runtime.limits import Limits
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from tests.runtime import guests, room
from tests.runtime.awaited import CONNECT_MS, assert_no_show, came, come, events_of, log_of, made
from tests.runtime.guests import ACTIVE, WAITING, Guests
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty
from tests.runtime.tonj import PLAYERS


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


async def test_who_came_is_known_after_a_restart(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        deadline_ms = clock.now_ms + CONNECT_MS
        await come(runtime, match.match_id, PLAYERS[0])
    clock.now_ms = deadline_ms - 1
    async with room.running(store, clock) as runtime:
        shown = await Guests(runtime, clock).see(match.match_id, PLAYERS[1])
        assert (shown.status, came(shown)) == (WAITING, [True, False])
        (snapshot, *_) = await room.waiting(await come(runtime, match.match_id, PLAYERS[1]))
        assert snapshot.snapshot.match.status == ACTIVE
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "started")]


async def test_a_server_that_starts_anew_finds_that_nobody_came(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        await come(runtime, match.match_id, PLAYERS[0])
    clock.now_ms += CONNECT_MS + 1
    async with room.running(store, clock) as runtime:
        await runtime.sweep.run()
        await room.done(runtime, "timer")
        void = await Guests(runtime, clock).see(match.match_id, PLAYERS[0])
        assert_no_show(void)
        assert came(void) == [True, False]


async def test_who_came_by_one_server_is_known_to_the_other(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
        match = await made(one)
        there = Guests(two, clock)
        assert came(await there.see(match.match_id, PLAYERS[1])) == [False, False]
        await come(one, match.match_id, PLAYERS[0])
        assert came(await there.see(match.match_id, PLAYERS[1])) == [True, False]
        await come(two, match.match_id, PLAYERS[1])
        assert (await Guests(one, clock).see(match.match_id, PLAYERS[0])).status == ACTIVE


async def test_both_at_two_servers_at_once_start_it_once(clock: Clock) -> None:
    for _ in range(20):
        logs = memory.Logs()
        async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
            match = await made(one)
            await Guests(two, clock).see(match.match_id, PLAYERS[0])
            await asyncio.gather(
                *(come(at, match.match_id, player) for at in (one, two) for player in PLAYERS for _ in range(2))
            )
            assert (await Guests(one, clock).see(match.match_id, PLAYERS[0])).status == ACTIVE
            assert [kind for _, kind in await guests.told(one._house.store)] == ["seated", "started"]
            assert (await events_of(one, match.match_id, PLAYERS[0])).count("player_connected") == 2


@pytest.mark.parametrize("fault", list(Fault))
async def test_who_comes_is_kept_once_whatever_the_store_does(clock: Clock, fault: Fault) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        for player in PLAYERS:
            store.faults.append(fault)
            if fault is Fault.UNAVAILABLE:
                no = await room.refused(come(runtime, match.match_id, player))
                assert no.reason == "STORE_UNAVAILABLE"
            await come(runtime, match.match_id, player)
        assert (await Guests(runtime, clock).see(match.match_id, PLAYERS[0])).status == ACTIVE
        assert [append.outbox for append in store._logs.matches[match.match_id].log] == [("seated",), (), ("started",)]


async def test_nobody_watches_before_it_is_kept_that_he_came(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        onlooker = await come(runtime, match.match_id, "celine")
        await room.waiting(onlooker)
        store.down = True
        assert (await room.refused(come(runtime, match.match_id, PLAYERS[0]))).reason == "STORE_UNAVAILABLE"
        store.down = False
        assert await room.waiting(onlooker) == []
        await come(runtime, match.match_id, PLAYERS[0])
        told = await room.waiting(onlooker)
        assert [update.WhichOneof("body") for update in told] == ["events", "notice"]


@pytest.mark.parametrize("where", ["door", "gate"])
async def test_one_who_goes_away_while_he_comes_has_come(clock: Clock, where: str) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        barrier = store.door if where == "door" else store.gate
        barrier.clear()
        call = asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[0]))
        await asyncio.sleep(0.001)
        call.cancel()
        await asyncio.wait([call])
        again = asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[0]))
        await asyncio.sleep(0.001)
        barrier.set()
        await again
        assert await log_of(store, match.match_id) == 2


async def test_who_comes_while_the_store_is_opened_anew_watches_the_match_that_goes_on(clock: Clock) -> None:
    """It leaves the memory while it is written that he came: of what was dropped nobody is told anything any more."""
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        store.gate.clear()
        coming = asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[0]))
        await asyncio.sleep(0.001)
        store.on_reopen()
        store.gate.set()
        feed = await coming
        await room.waiting(feed)
        await come(runtime, match.match_id, PLAYERS[1])
        assert room.sequences(await room.waiting(feed))


async def test_an_outage_is_no_time_in_which_one_could_have_come(store: protocol.Store, clock: Clock) -> None:
    attentive = Limits(outage_seconds=3, pulse_seconds=10**6)
    async with room.running(store, clock, attentive) as runtime:
        match = await made(runtime)
        await come(runtime, match.match_id, PLAYERS[0])
        deadline_ms = clock.now_ms + CONNECT_MS
    away_ms = 2 * CONNECT_MS
    clock.now_ms += away_ms
    async with room.running(store, clock, attentive) as runtime:
        visitors = Guests(runtime, clock)
        (snapshot, *_) = await room.waiting(await come(runtime, match.match_id, PLAYERS[0]))
        assert snapshot.snapshot.match.status == WAITING
        assert snapshot.clock.deadline.ToMilliseconds() == deadline_ms + away_ms
        while clock.now_ms < deadline_ms + away_ms:
            clock.now_ms = min(clock.now_ms + 2_000, deadline_ms + away_ms)
            await runtime._house.outages.beat()
        await visitors.void_by(deadline_ms + away_ms)
        assert (await visitors.see(match.match_id, PLAYERS[0])).status == WAITING
        await visitors.void_by(deadline_ms + away_ms + 1)
        assert_no_show(await visitors.see(match.match_id, PLAYERS[0]))
