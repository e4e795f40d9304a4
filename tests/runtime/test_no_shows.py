"""Players who do not come in time: the match is void right after the deadline, and every fee goes back."""

import asyncio

import pytest

from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import match_pb2
from tests.runtime import guests, room
from tests.runtime.awaited import (
    CONNECT_MS,
    FOUR,
    asked_of_four,
    asked_with_a_fee,
    assert_no_show,
    came,
    come,
    events_of,
    made,
)
from tests.runtime.guests import ACTIVE, FEE, VOID, WAITING, Guests
from tests.runtime.room import Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


@pytest.mark.parametrize("number", [0, 1])
async def test_who_does_not_come_makes_it_void_right_after_the_deadline(
    visitors: Guests, store: protocol.Store, clock: Clock, number: int
) -> None:
    match = await made(visitors.runtime)
    deadline_ms = clock.now_ms + CONNECT_MS
    clock.now_ms += CONNECT_MS // 2
    feeds = [await come(visitors.runtime, match.match_id, player) for player in PLAYERS[:number]]
    await visitors.void_by(deadline_ms)
    assert (await visitors.see(match.match_id, PLAYERS[0])).status == WAITING
    await visitors.void_by(deadline_ms + 1)
    void = await visitors.see(match.match_id, PLAYERS[0])
    assert_no_show(void)
    assert void.end_time.ToMilliseconds() == deadline_ms + 1
    assert came(void) == [seat < number for seat in range(2)]
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "void")]
    for feed in feeds:
        last = [event for update in await room.waiting(feed) for event in update.events.events][-1]
        assert last.match_ended.outcome == void.outcome


async def test_who_comes_too_late_is_shown_what_became_of_it(visitors: Guests, clock: Clock) -> None:
    """And it is he who lets the clock run out, if nobody had."""
    match = await made(visitors.runtime)
    clock.now_ms += CONNECT_MS + 1
    (snapshot, *_) = await room.waiting(await come(visitors.runtime, match.match_id, PLAYERS[0]))
    assert_no_show(snapshot.snapshot.match)
    assert came(snapshot.snapshot.match) == [False, False]


async def test_who_comes_moves_no_deadline_but_the_last(visitors: Guests, clock: Clock) -> None:
    match = await made(visitors.runtime, asked_of_four())
    deadline_ms = clock.now_ms + CONNECT_MS
    for player in FOUR[:3]:
        clock.now_ms += 20_000
        (snapshot, *_) = await room.waiting(await come(visitors.runtime, match.match_id, player))
        assert snapshot.clock.deadline.ToMilliseconds() == deadline_ms
    await visitors.void_by(deadline_ms + 1)
    void = await visitors.see(match.match_id, FOUR[0])
    assert_no_show(void)
    assert came(void) == [True, True, True, False]


async def test_who_leaves_while_players_are_waited_for_calls_it_off(visitors: Guests) -> None:
    match = await made(visitors.runtime)
    await come(visitors.runtime, match.match_id, PLAYERS[0])
    await visitors.leave(PLAYERS[1], match.match_id)
    void = await visitors.see(match.match_id, PLAYERS[0])
    assert (void.status, void.outcome.reason) == (VOID, match_pb2.END_REASON_CANCELLED)


@pytest.mark.parametrize("in_time", [True, False])
@pytest.mark.parametrize("timer_first", [True, False])
async def test_the_last_to_come_and_the_deadline_have_one_outcome(
    clock: Clock, in_time: bool, timer_first: bool
) -> None:
    """Whoever comes in time is in time, whichever comes to the queue first; who does not is not."""
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        match = await made(runtime)
        deadline_ms = clock.now_ms + CONNECT_MS
        store.gate.clear()
        first = asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[0]))
        await asyncio.sleep(0.001)

        async def timed() -> None:
            clock.now_ms = deadline_ms + 10
            runtime._timers.check()
            await asyncio.sleep(0.001)

        if timer_first:
            await timed()
        clock.now_ms = deadline_ms if in_time else deadline_ms + 1
        last = asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[1]))
        await asyncio.sleep(0.001)
        await timed()
        store.gate.set()
        await asyncio.gather(first, last)
        await room.done(runtime, "timer")
        kinds = [kind for _, kind in await guests.told(store)]
        assert kinds == ["seated", "started" if in_time else "void"]
        shown = await visitors.see(match.match_id, PLAYERS[0])
        assert came(shown) == [True, in_time]
        if not in_time:
            assert_no_show(shown)


async def test_who_comes_in_time_to_a_match_that_is_still_being_read_is_in_time(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock) as runtime:
        match = await made(runtime)
        await come(runtime, match.match_id, PLAYERS[0])
    store = Faulty(logs)
    async with room.running(store, clock) as runtime:
        deadline_ms = clock.now_ms = clock.now_ms + CONNECT_MS
        store.reads.clear()
        last = asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[1]))
        await asyncio.sleep(0.001)
        clock.now_ms = deadline_ms + 1
        store.reads.set()
        (snapshot, *_) = await room.waiting(await last)
        assert snapshot.snapshot.match.status == ACTIVE


async def test_of_a_thousand_races_at_two_servers_each_has_one_outcome(clock: Clock) -> None:
    seen = set()
    for number in range(1_000):
        logs = memory.Logs()
        async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
            match = await made(one)
            await come(two, match.match_id, PLAYERS[0])
            clock.now_ms += CONNECT_MS

            async def last(runtime: Runtime = one, match_id: str = match.match_id, pause: int = number % 12) -> Feed:
                for _ in range(pause):
                    await asyncio.sleep(0)
                return await come(runtime, match_id, PLAYERS[1])

            coming = asyncio.ensure_future(last())
            for _ in range(number % 7):
                await asyncio.sleep(0)
            clock.now_ms += 1
            two._timers.check()
            feed = await coming
            await room.done(two, "timer")
            kinds = [kind for _, kind in await guests.told(one._house.store)]
            here, there = [await Guests(at, clock).see(match.match_id, PLAYERS[0]) for at in (one, two)]
            for seat in (*here.seats, *there.seats):
                seat.connected = False  # each server knows its own streams
            assert here == there
            told = await events_of(one, match.match_id, PLAYERS[1])
            if here.status == ACTIVE:
                assert (kinds, came(here)) == (["seated", "started"], [True, True])
                assert "match_ended" not in told
            else:
                assert_no_show(here)
                assert (kinds, came(here)) == (["seated", "void"], [True, False])
                assert "match_started" not in told
            assert feed.viewer == 1
            seen.add(here.status)
    assert seen == {ACTIVE, VOID}


async def test_players_are_waited_for_when_all_fees_are_confirmed(
    visitors: Guests, store: protocol.Store, clock: Clock
) -> None:
    match = await made(visitors.runtime, asked_with_a_fee())
    await come(visitors.runtime, match.match_id, PLAYERS[0])  # it counts, before any fee is
    state = room.State.FromString(await visitors.runtime.get_match(PLAYERS[0], match.match_id))
    assert (state.clock.kind, came(state.match)) == (match_pb2.CLOCK_KIND_STAKES, [True, False])
    clock.now_ms += 30_000
    for player in PLAYERS:
        assert (await visitors.confirm(match.match_id, player)).status == WAITING
    state = room.State.FromString(await visitors.runtime.get_match(PLAYERS[0], match.match_id))
    assert (state.clock.kind, list(state.clock.awaited_seats)) == (match_pb2.CLOCK_KIND_CONNECT, [1])
    assert state.clock.deadline.ToMilliseconds() == clock.now_ms + CONNECT_MS
    await come(visitors.runtime, match.match_id, PLAYERS[1])
    assert (await visitors.see(match.match_id, PLAYERS[0])).status == ACTIVE
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "started")]


async def test_the_last_fee_starts_it_when_everybody_has_come(visitors: Guests) -> None:
    match = await made(visitors.runtime, asked_with_a_fee())
    for player in PLAYERS:
        await come(visitors.runtime, match.match_id, player)
    assert (await visitors.confirm(match.match_id, PLAYERS[0])).status == WAITING
    assert (await visitors.confirm(match.match_id, PLAYERS[1])).status == ACTIVE


@pytest.mark.parametrize("end", ["no show", "leave", "unpaid"])
async def test_a_match_that_is_void_gives_every_confirmed_fee_back(
    visitors: Guests, store: protocol.Store, clock: Clock, end: str
) -> None:
    match = await made(visitors.runtime, asked_with_a_fee())
    await come(visitors.runtime, match.match_id, PLAYERS[1])
    paying = PLAYERS[:1] if end == "unpaid" else PLAYERS
    for player in paying:
        await visitors.confirm(match.match_id, player)
    if end == "leave":
        await visitors.leave(PLAYERS[1], match.match_id)
    else:
        await visitors.void_by(clock.now_ms + CONNECT_MS + 1)
    void = await visitors.see(match.match_id, PLAYERS[0])
    cancelled, no_show = match_pb2.END_REASON_CANCELLED, match_pb2.END_REASON_NO_SHOW
    assert (void.status, void.outcome.reason) == (VOID, no_show if end == "no show" else cancelled)
    settlement = void.outcome.settlement
    assert list(settlement.payout_minor) == [FEE, 0 if end == "unpaid" else FEE]
    assert (settlement.pot_minor, settlement.rake_minor) == (FEE * len(paying), 0)
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "void")]
