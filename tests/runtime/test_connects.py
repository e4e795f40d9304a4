"""Players who are waited for: who comes is known, and the match starts with the last; what may be asked for."""

import asyncio

import pytest

from majlis.client.view import Picture
from majlis.match.refusal import Refusal
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2
from tests.runtime import guests, room, tonj
from tests.runtime.awaited import CONNECT_MS, FOUR, asked, asked_of_four, came, come, events_of, log_of, made
from tests.runtime.guests import ACTIVE, WAITING, Guests, Wire
from tests.runtime.room import Clock
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


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
