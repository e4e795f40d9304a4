"""Players who are waited for: who comes is known for ever, and who does not come in time makes the match void."""

import asyncio

import pytest

from majlis.client.view import Picture
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.limits import Limits
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2, trix_pb2
from tests.runtime import guests, room, tonj
from tests.runtime.guests import ACTIVE, FEE, VOID, WAITING, Guests, Wire
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty
from tests.runtime.tonj import PLAYERS

SECONDS = 90
CONNECT_MS = SECONDS * 1000
FOUR = ("amal", "basim", "dalia", "faris")


def asked(external_id: str = "awaited", **options: int | bool) -> matchmaking_service_pb2.CreateMatchRequest:
    request = tonj.asked_match(external_id, **options)
    request.connect_seconds = SECONDS
    return request


def asked_of_four() -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="four",
        game=match_pb2.GAME_TRIX,
        options=match_pb2.GameOptions(trix=trix_pb2.TrixOptions()),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in FOUR],
        connect_seconds=SECONDS,
    )


def asked_with_a_fee() -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="staked",
        game=match_pb2.GAME_TONJ_HOUSE,
        options=match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(entry_fee_minor=FEE, rake_bps=1_000)),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS],
        connect_seconds=SECONDS,
    )


async def made(runtime: Runtime, request: matchmaking_service_pb2.CreateMatchRequest | None = None) -> Wire:
    """A match that waits for its players."""
    return Wire.FromString(await runtime.create((request or asked()).SerializeToString()))


async def come(runtime: Runtime, match_id: str, player: str, after: int | None = None) -> Feed:
    return await runtime.watch(player, match_id, after)


def came(match: Wire) -> list[bool]:
    return [seat.has_come for seat in match.seats]


async def log_of(store: protocol.Store, match_id: str) -> int:
    """How many records there are."""
    return len(await store.payloads(match_id))


async def events_of(runtime: Runtime, match_id: str, player: str) -> list[str]:
    """Everything that was ever told, by kind, in its order."""
    feed = await come(runtime, match_id, player, 0)
    kinds = [str(event.WhichOneof("kind")) for update in await room.waiting(feed) for event in update.events.events]
    await feed.aclose()
    return kinds


def assert_no_show(match: Wire) -> None:
    assert (match.status, match.outcome.reason) == (VOID, match_pb2.END_REASON_NO_SHOW)
    assert not match.outcome.winner_seats


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


# --- Who comes ---


async def test_it_starts_when_the_last_player_comes(visitors: Guests, store: protocol.Store, clock: Clock) -> None:
    match = await made(visitors.runtime)
    assert (match.status, came(match)) == (WAITING, [False, False])
    first = await come(visitors.runtime, match.match_id, PLAYERS[0])
    (snapshot, *_) = await room.waiting(first)
    assert came(snapshot.snapshot.match) == [True, False]
    assert (snapshot.clock.kind, list(snapshot.clock.awaited_seats)) == (match_pb2.CLOCK_KIND_CONNECT, [1])
    assert snapshot.clock.deadline.ToMilliseconds() == clock.now_ms + CONNECT_MS
    clock.now_ms += 7_000
    second = await come(visitors.runtime, match.match_id, PLAYERS[1], match.sequence)
    for feed in (first, second):  # whoever had been there and whoever comes with what he had seen are told the same
        told = [event for update in await room.waiting(feed) for event in update.events.events]
        start = [event.HasField("match_started") for event in told].index(True)
        assert told[start - 1].player_connected.seat == 1
        assert {event.WhichOneof("kind") for event in told[start + 1 :]} == {"tonj"}
    started = await visitors.see(match.match_id, PLAYERS[0])
    assert (started.status, came(started)) == (ACTIVE, [True, True])
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "started")]


async def test_what_waits_for_nobody_starts_at_once_and_keeps_nothing_of_who_comes(
    runtime: Runtime, store: protocol.Store
) -> None:
    match = await made(runtime, tonj.asked_match("at once"))
    assert match.status == ACTIVE
    for player in PLAYERS:
        await come(runtime, match.match_id, player)
    assert await log_of(store, match.match_id) == 1
    assert came(Wire.FromString(await runtime.create(tonj.asked_match("at once").SerializeToString()))) == [
        False,
        False,
    ]


async def test_who_looks_or_looks_on_has_not_come(visitors: Guests, store: protocol.Store) -> None:
    match = await made(visitors.runtime)
    await visitors.see(match.match_id, PLAYERS[0])
    await visitors.runtime.matches_of(PLAYERS[0], 10, "")
    feed = await come(visitors.runtime, match.match_id, "celine")
    for player in ("celine", PLAYERS[0]):  # nor has whoever claims to have seen what there never was
        no = await room.refused(come(visitors.runtime, match.match_id, player, match.sequence + 1))
        assert (no.reason, no.sequence) == ("AHEAD_OF_HEAD", match.sequence)
    assert came(await visitors.see(match.match_id, PLAYERS[0])) == [False, False]
    assert await log_of(store, match.match_id) == 1
    await feed.aclose()


async def test_one_who_went_again_has_come(visitors: Guests, store: protocol.Store) -> None:
    match = await made(visitors.runtime)
    for _ in range(3):
        await (await come(visitors.runtime, match.match_id, PLAYERS[0])).aclose()
    shown = await visitors.see(match.match_id, PLAYERS[0])
    assert ([seat.connected for seat in shown.seats], came(shown)) == ([False, False], [True, False])
    assert await log_of(store, match.match_id) == 2
    await come(visitors.runtime, match.match_id, PLAYERS[1])
    assert (await visitors.see(match.match_id, PLAYERS[0])).status == ACTIVE


async def test_a_hundred_streams_of_one_player_are_one_who_comes(clock: Clock) -> None:
    """However many wait at once, none is turned away for it."""
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await made(runtime)
        store.door.clear()
        opening = [asyncio.ensure_future(come(runtime, match.match_id, PLAYERS[0])) for _ in range(100)]
        await asyncio.sleep(0.001)
        assert not any(task.done() for task in opening)
        store.door.set()
        await asyncio.gather(*opening)
        assert await log_of(store, match.match_id) == 2
        assert (await events_of(runtime, match.match_id, PLAYERS[0])).count("player_connected") == 1


async def test_four_come_in_any_order(visitors: Guests) -> None:
    match = await made(visitors.runtime, asked_of_four())
    for number, player in enumerate(reversed(FOUR), 1):
        assert (await visitors.see(match.match_id, player)).status == WAITING
        await come(visitors.runtime, match.match_id, player)
        assert came(await visitors.see(match.match_id, player)) == [seat >= 4 - number for seat in range(4)]
    assert (await visitors.see(match.match_id, FOUR[0])).status == ACTIVE


async def test_there_is_nothing_to_do_before_everybody_has_come(visitors: Guests, clock: Clock) -> None:
    match = await made(visitors.runtime)
    await come(visitors.runtime, match.match_id, PLAYERS[0])
    for player in PLAYERS:
        submit = room.asked_action(match.match_id, "early", None, room.RESIGN)
        assert (await room.refused(visitors.runtime.submit(player, submit, clock.now_ms))).reason == "NOT_STARTED"


# --- Who does not come ---


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


# --- What is known of it later, and elsewhere ---


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


# --- When things go wrong ---


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


# --- With fees ---


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


# --- What may be asked for ---


@pytest.mark.parametrize(("seconds", "taken"), [(1, True), (3_600, True), (3_601, False), (2**32 - 1, False)])
async def test_how_long_one_may_wait_for_players(runtime: Runtime, seconds: int, taken: bool) -> None:
    request = asked()
    request.connect_seconds = seconds
    if taken:
        assert (await made(runtime, request)).status == WAITING
    else:
        with pytest.raises(Refusal) as no:
            await made(runtime, request)
        assert (no.value.reason, [field for field, _ in no.value.fields]) == ("MALFORMED_REQUEST", ["connect_seconds"])


async def test_a_repeat_of_the_request_has_the_same_wait(runtime: Runtime) -> None:
    match = await made(runtime)
    assert (await made(runtime)).match_id == match.match_id
    other = asked()
    other.connect_seconds = 0
    assert (await room.refused(runtime.create(other.SerializeToString()))).reason == "EXTERNAL_ID_REUSED"


async def test_whoever_follows_by_events_holds_what_a_snapshot_shows(visitors: Guests) -> None:
    match = await made(visitors.runtime)
    onlooker = await come(visitors.runtime, match.match_id, "celine")
    (opening, *_) = await room.waiting(onlooker)
    held = Picture.of(opening.snapshot)
    for player in PLAYERS:
        await come(visitors.runtime, match.match_id, player)
        for update in await room.waiting(onlooker):
            if update.HasField("events"):
                held.take(update.events)
        assert came(held.match) == came(await visitors.see(match.match_id, "celine"))
    assert held.match.status == ACTIVE
