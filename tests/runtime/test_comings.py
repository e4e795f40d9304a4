"""To come, to go and to look on moves no deadline, whatever clock runs (R8): a thousand times each."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, matchmaking_service_pb2
from tests.runtime import claims, guests, room, tonj, trix
from tests.runtime.guests import Guests
from tests.runtime.room import Clock, Match
from tests.runtime.tonj import PLAYERS

TIMES = 1_000


async def turn(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    return await tonj.found(runtime, clock, turn_seconds=300)


async def turn_in_house(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    asked = matchmaking_service_pb2.CreateMatchRequest(
        external_id="house",
        game=match_pb2.GAME_TONJ_HOUSE,
        players=[matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS],
    )
    return await room.seated(runtime, clock, asked)


async def claim(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    for number in range(100):
        match = await tonj.found(runtime, clock, f"match {number}")
        offender = await match.mover()
        attempt = claims.faulty_attempt(await match.state(), PLAYERS.index(offender))
        if attempt is not None:
            await match.submit(offender, attempt)
            return match
    raise AssertionError("all reserves fit on all houses")


async def choose(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    return await trix.seated(store, runtime, clock, await trix.dealt())


async def double(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    match = await trix.begun(store, runtime, clock, trix.QUEENS, await trix.dealt(trix.queens_at(3)))
    await match.submit((await trix.asked(match))[0], trix.double())
    return match


async def play(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    return await trix.begun(store, runtime, clock, trix.DIAMONDS, await trix.dealt())


async def only_play(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    match = await trix.begun(store, runtime, clock, trix.TRIX, await trix.dealt())
    await trix.with_one_play(match)
    return match


async def seats(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    opened = await Guests(runtime, clock).join_table(PLAYERS[0], guests.OPEN_TRIX)
    return Match(runtime, clock, opened.match_id, PLAYERS[:1])


async def stakes(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    visitors = Guests(runtime, clock)
    await visitors.join_table(PLAYERS[0], guests.STAKED)
    full = await visitors.join_table(PLAYERS[1], guests.STAKED)
    await visitors.confirm(full.match_id, PLAYERS[0])
    return Match(runtime, clock, full.match_id, PLAYERS)


async def connect(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    asked = tonj.asked_match("awaited")
    asked.connect_seconds = 90
    made = match_pb2.Match.FromString(await runtime.create(asked.SerializeToString()))
    await (await runtime.watch(PLAYERS[0], made.match_id, None)).aclose()
    return Match(runtime, clock, made.match_id, PLAYERS[:1])


Begin = Callable[[protocol.Store, Runtime, Clock], Awaitable[Match]]
CLOCKS: list[tuple[Begin, match_pb2.ClockKind.ValueType]] = [
    (turn, match_pb2.CLOCK_KIND_TURN),
    (turn_in_house, match_pb2.CLOCK_KIND_TURN),
    (claim, match_pb2.CLOCK_KIND_CLAIM),
    (choose, match_pb2.CLOCK_KIND_CHOOSE),
    (double, match_pb2.CLOCK_KIND_DOUBLE),
    (play, match_pb2.CLOCK_KIND_PLAY),
    (only_play, match_pb2.CLOCK_KIND_PLAY),
    (connect, match_pb2.CLOCK_KIND_CONNECT),
    (seats, match_pb2.CLOCK_KIND_SEATS),
    (stakes, match_pb2.CLOCK_KIND_STAKES),
]


def test_no_clock_is_left_out() -> None:
    kinds = set(match_pb2.ClockKind.values()) - {match_pb2.CLOCK_KIND_UNSPECIFIED}
    assert {kind for _, kind in CLOCKS} == kinds


@pytest.mark.parametrize(("begin", "kind"), CLOCKS, ids=[begin.__name__ for begin, _ in CLOCKS])
async def test_who_comes_looks_and_goes_moves_no_clock(
    store: protocol.Store, runtime: Runtime, clock: Clock, begin: Begin, kind: match_pb2.ClockKind.ValueType
) -> None:
    match = await begin(store, runtime, clock)
    before = await match.state()
    assert before.clock.kind == kind
    stored, owns = await store.head(match.match_id), [await trix.own_ms(match, player) for player in match.players]
    deadline_ms = before.clock.deadline.ToMilliseconds()
    first_ms = min([deadline_ms, *(own_ms for own_ms in owns if own_ms is not None)])
    step_ms, began_ms = (first_ms - clock.now_ms) / TIMES, clock.now_ms
    for number in range(TIMES):
        clock.now_ms = began_ms + int(step_ms * (number + 1))  # the last comes at the very deadline
        viewer = [*match.players, "celine"][number % (len(match.players) + 1)]
        after = [None, 0, before.match.sequence // 2, before.match.sequence][number // 7 % 4]
        feed = await match.watch(viewer, after, ["", "phone", "tablet"][number // 3 % 3])
        if number % 5 == 0:
            await room.waiting(feed)
        if number % 100:
            await feed.aclose()
        else:
            runtime._hall.drop_all("reset")  # it ends with the feed, and whoever comes next loads the match
        if number % 50 == 0:
            await room.fired(runtime)
    after_all = await match.state()
    assert (after_all.clock, after_all.match) == (before.clock, before.match)
    assert [await trix.own_ms(match, player) for player in match.players] == owns
    assert await store.head(match.match_id) == stored
    # It holds, too: a millisecond later the clock has run out.
    clock.now_ms = first_ms + 1
    await room.fired(runtime)
    assert await match.head() > before.match.sequence


async def test_who_takes_a_seat_and_leaves_it_while_a_match_waits_moves_no_deadline(
    runtime: Runtime, clock: Clock
) -> None:
    visitors = Guests(runtime, clock)
    opened = await visitors.join_table("amal", guests.OPEN_TRIX)
    match = Match(runtime, clock, opened.match_id, ("amal",))
    deadline_ms = await match.deadline_ms()
    for number in range(TIMES):
        clock.now_ms += 10
        player = f"player {number % 7}"
        joined = await visitors.join_table(player, guests.OPEN_TRIX)
        assert joined.match_id == opened.match_id
        await visitors.leave(player, opened.match_id)
    assert await match.deadline_ms() == deadline_ms
    # It holds, too: a millisecond later the match is void.
    clock.now_ms = deadline_ms
    await room.fired(runtime)
    assert (await match.state()).clock.deadline.ToMilliseconds() == deadline_ms
    clock.now_ms += 1
    await room.fired(runtime)
    await asyncio.sleep(0)
    assert not (await match.state()).HasField("clock")
