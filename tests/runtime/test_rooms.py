"""Private rooms: who knows the code gets in while there is a seat, and everybody else is told why not."""

import asyncio
import itertools

import pytest

from majlis.runtime import join_code
from majlis.runtime.asked import KEPT_MS
from majlis.runtime.lobby import Opening
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import match_pb2, tonj_pb2
from tests.runtime import guests, room
from tests.runtime.guests import ACTIVE, FOUR, STAKED_PRIVATE, VOID, WAITING, Guests, Opened, Wire, seats
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty

ROOMS_MS = int(room.PATIENT.rooms_seconds * 1000)
NO_ROOMS_CODE = "222-222-222"


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


def test_codes_are_read_aloud_without_doubt() -> None:
    codes = [join_code.new() for _ in range(500)]
    assert len(set(codes)) == 500
    assert set("".join(codes)) == set("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    assert {len(code) for code in codes} == {9}
    assert join_code.shown("K7M2QX9TR") == "K7M-2QX-9TR"


@pytest.mark.parametrize(
    "typed",
    [
        *("K7M-2QX-9TR", "K7M2QX9TR", "k7m2qx9tr", " k7m 2QX\t9tr\n", "K-7-M-2-Q-X-9-T-R", "k7M--2qX-9Tr-"),
        *("K7M–2QX—9TR", "K7M_2QX_9TR.", "\u200fK7M-2QX-9TR\u200e", "\u2066K7M-2QX-9TR\u2069"),
        *("K٧M-٢QX-٩TR", "K۷M-۲QX-۹TR", "الكود: K7M-2QX-9TR".removeprefix("الكود")),
    ],
)
def test_a_code_is_read_however_it_is_typed(typed: str) -> None:
    assert join_code.read(typed) == "K7M2QX9TR"


@pytest.mark.parametrize(
    "typed",
    ["", "---", "K7M-2QX-9T", "K7M-2QX-9TRR", *(f"K7M-2QX-9T{sign}" for sign in "0O1Iß٠م½"), "م" * 9],
)
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert join_code.read(typed) is None


async def test_a_friend_who_types_the_code_plays(visitors: Guests, clock: Clock) -> None:
    made = await visitors.create_room("amal")
    assert (made.match.status, seats(made.match)) == (WAITING, {0: "amal"})
    assert made.match.visibility == guests.SEATED
    assert made.closes_ms == clock.now_ms + ROOMS_MS
    assert [len(group) for group in made.code.split("-")] == [3, 3, 3]
    assert await visitors.look_up(made.code.lower()) == (made.match, 1)
    joined = await visitors.join_room("basim", made.code.replace("-", " ").lower())
    assert (joined.match_id, joined.status) == (made.match.match_id, ACTIVE)
    assert seats(joined) == {0: "amal", 1: "basim"}


async def test_a_code_leads_nowhere_once_the_match_has_started(visitors: Guests) -> None:
    made = await visitors.create_room("amal")
    await visitors.join_room("basim", made.code)
    for player in ("amal", "basim", "celine"):
        assert (await room.refused(visitors.join_room(player, made.code))).reason == "ROOM_NOT_FOUND"
    assert (await room.refused(visitors.look_up(made.code))).reason == "ROOM_NOT_FOUND"


@pytest.mark.parametrize("code", [NO_ROOMS_CODE, "nonsense"])
async def test_a_code_that_nobody_made_leads_nowhere(visitors: Guests, code: str) -> None:
    assert (await room.refused(visitors.join_room("amal", code))).reason == "ROOM_NOT_FOUND"
    assert (await room.refused(visitors.look_up(code))).reason == "ROOM_NOT_FOUND"


async def test_ones_own_code_seats_nobody_twice(visitors: Guests) -> None:
    made = await visitors.create_room("amal", FOUR)
    assert (await room.refused(visitors.join_room("amal", made.code))).reason == "OWN_ROOM"
    await visitors.join_room("basim", made.code)
    assert (await room.refused(visitors.join_room("basim", made.code))).reason == "OWN_ROOM"
    assert (await visitors.look_up(made.code))[1] == 2


async def test_a_room_that_waits_for_fees_is_full(visitors: Guests) -> None:
    made = await visitors.create_room("amal", STAKED_PRIVATE)
    joined = await visitors.join_room("basim", made.code)
    assert joined.status == WAITING
    assert (await room.refused(visitors.join_room("celine", made.code))).reason == "ROOM_FULL"
    assert await visitors.look_up(made.code) == (joined, 0)
    for player in ("amal", "basim"):
        await visitors.confirm(made.match.match_id, player)
    assert (await room.refused(visitors.join_room("celine", made.code))).reason == "ROOM_NOT_FOUND"


async def test_a_room_that_closed_says_so_for_a_day(visitors: Guests, clock: Clock) -> None:
    made = await visitors.create_room("amal")
    opened_ms, closes_ms = clock.now_ms, made.closes_ms
    assert closes_ms is not None
    clock.now_ms = closes_ms
    assert (await visitors.look_up(made.code))[1] == 1  # the last instant is in time
    await visitors.void_by(closes_ms + 1)
    for clock.now_ms in (closes_ms + 1, opened_ms + ROOMS_MS + KEPT_MS - 1):
        assert (await room.refused(visitors.join_room("basim", made.code))).reason == "ROOM_EXPIRED"
        assert (await room.refused(visitors.look_up(made.code))).reason == "ROOM_EXPIRED"
    clock.now_ms += 1
    assert (await room.refused(visitors.join_room("basim", made.code))).reason == "ROOM_NOT_FOUND"


async def test_who_comes_too_late_closes_the_room_himself(visitors: Guests, clock: Clock) -> None:
    made = await visitors.create_room("amal")
    clock.now_ms += ROOMS_MS + 1
    assert (await room.refused(visitors.join_room("basim", made.code))).reason == "ROOM_EXPIRED"
    assert (await visitors.see(made.match.match_id, "amal")).status == VOID


@pytest.mark.parametrize("seen", [False, True])
async def test_a_room_that_closed_says_so_to_who_sits_there_still(visitors: Guests, clock: Clock, seen: bool) -> None:
    made = await visitors.create_room("amal")
    clock.now_ms += ROOMS_MS + 1
    if seen:
        await visitors.void_by(clock.now_ms)
    assert (await room.refused(visitors.join_room("amal", made.code))).reason == "ROOM_EXPIRED"


async def test_a_room_that_its_maker_left_is_closed(visitors: Guests) -> None:
    made = await visitors.create_room("amal", request_id="mine")
    assert (await room.refused(visitors.leave("basim", made.match.match_id))).reason == "MATCH_NOT_FOUND"
    await visitors.leave("amal", made.match.match_id)
    assert (await room.refused(visitors.join_room("basim", made.code))).reason == "ROOM_EXPIRED"
    assert (await room.refused(visitors.look_up(made.code))).reason == "ROOM_EXPIRED"
    again = await visitors.create_room("amal", request_id="mine")
    assert (again.match.match_id, again.match.status, again.code, again.closes_ms) == (
        made.match.match_id, VOID, "", None
    )  # fmt: skip


async def test_a_repeat_shows_the_code_while_the_room_waits(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        made = await visitors.create_room("amal", FOUR, "mine")
        assert await visitors.create_room("amal", FOUR, "mine") == made
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        assert await visitors.create_room("amal", FOUR, "mine") == made
        for player in ("basim", "celine"):
            await visitors.join_room(player, made.code)
        again = await visitors.create_room("amal", FOUR, "mine")
        assert (again.code, again.closes_ms, len(again.match.seats)) == (made.code, made.closes_ms, 3)
        await visitors.join_room("dalal", made.code)
        again = await visitors.create_room("amal", FOUR, "mine")
        assert (again.code, again.closes_ms, again.match.status) == ("", None, ACTIVE)
        no = await room.refused(visitors.create_room("amal", guests.PRIVATE, "mine"))
        assert no.reason == "REQUEST_ID_REUSED"


async def test_a_repeat_of_a_join_gets_its_match_after_the_code_is_gone(visitors: Guests) -> None:
    made = await visitors.create_room("amal")
    joined = await visitors.join_room("basim", made.code, "his")
    assert await visitors.join_room("basim", made.code, "his") == joined
    await visitors.resign(joined.match_id, "amal")
    assert (await visitors.join_room("basim", made.code, "his")).match_id == joined.match_id
    no = await room.refused(visitors.join_room("basim", NO_ROOMS_CODE, "his"))
    assert no.reason == "REQUEST_ID_REUSED"


@pytest.mark.parametrize("pause", range(8))
async def test_a_join_that_is_sent_twice_at_once_gets_its_seat_both_times(visitors: Guests, pause: int) -> None:
    made = await visitors.create_room("amal")

    async def again() -> Wire:
        for _ in range(pause):
            await asyncio.sleep(0)
        return await visitors.join_room("basim", made.code, "his")

    first, second = await asyncio.gather(visitors.join_room("basim", made.code, "his"), again())
    assert first.match_id == second.match_id == made.match.match_id
    assert seats(second) == {0: "amal", 1: "basim"}


async def test_a_room_waits_for_fees_after_its_code_has_no_end_any_more(visitors: Guests) -> None:
    made = await visitors.create_room("amal", STAKED_PRIVATE, "mine")
    await visitors.join_room("basim", made.code)
    again = await visitors.create_room("amal", STAKED_PRIVATE, "mine")
    assert (again.code, again.closes_ms) == (made.code, None)


@pytest.mark.parametrize("pause", range(6))
async def test_of_two_who_want_the_last_seat_at_two_servers_one_gets_it(clock: Clock, pause: int) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
        here = Guests(one, clock)
        there = here.at(two)
        made = await here.create_room("amal")
        await there.look_up(made.code)

        async def join_later() -> Wire:
            for _ in range(pause):
                await asyncio.sleep(0)
            return await there.join_room("celine", made.code)

        ends = await asyncio.gather(here.join_room("basim", made.code), join_later(), return_exceptions=True)
        (won,) = [end for end in ends if isinstance(end, Wire)]
        (lost,) = [end for end in ends if not isinstance(end, Wire)]
        assert str(lost) in ("ROOM_FULL", "ROOM_NOT_FOUND")
        winner = ("basim", "celine")[ends.index(won)]
        assert seats(won) == {0: "amal", 1: winner}
        assert await there.see(won.match_id, winner) == won
        loser = "celine" if winner == "basim" else "basim"
        assert await one._house.store.matches_of(loser, None, 10) == []


async def test_of_many_who_want_the_last_seats_as_many_get_them(visitors: Guests) -> None:
    made = await visitors.create_room("amal", FOUR)
    ends = await asyncio.gather(
        *(visitors.join_room(player, made.code) for player in guests.names(range(20))), return_exceptions=True
    )
    seated = [end for end in ends if isinstance(end, Wire)]
    assert len(seated) == 3
    assert {str(end) for end in ends if not isinstance(end, Wire)} <= {"ROOM_FULL", "ROOM_NOT_FOUND"}
    assert len((await visitors.see(made.match.match_id, "amal")).seats) == 4


async def test_a_code_that_is_taken_is_not_given_again(visitors: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = itertools.chain(["K7M2QX9TR"] * 5, ["AAAAAAAAA"])
    monkeypatch.setattr(join_code, "new", lambda: next(codes))
    first = await visitors.create_room("amal")
    second = await visitors.create_room("basim")
    assert (first.code, second.code) == ("K7M-2QX-9TR", "AAA-AAA-AAA")
    assert (await visitors.join_room("celine", first.code)).match_id == first.match.match_id


async def test_the_same_request_at_once_makes_one_room(visitors: Guests) -> None:
    rooms: list[Opened] = await asyncio.gather(*(visitors.create_room("amal", request_id="mine") for _ in range(10)))
    assert len({(made.match.match_id, made.code) for made in rooms}) == 1


async def test_seats_of_four_are_taken_and_given_back(visitors: Guests) -> None:
    made = await visitors.create_room("amal", FOUR)
    for player in ("basim", "celine"):
        await visitors.join_room(player, made.code)
    await visitors.leave("amal", made.match.match_id)
    await visitors.leave("celine", made.match.match_id)
    match, free = await visitors.look_up(made.code)
    assert (seats(match), free) == ({1: "basim"}, 3)
    for player, seat in (("dalal", 0), ("amal", 2)):
        assert seats(await visitors.join_room(player, made.code))[seat] == player
    started = await visitors.join_room("faris", made.code)
    assert (started.status, seats(started)) == (ACTIVE, {0: "dalal", 1: "basim", 2: "amal", 3: "faris"})


async def test_the_last_one_to_leave_closes_the_room(visitors: Guests, store: protocol.Store) -> None:
    made = await visitors.create_room("amal", FOUR)
    await visitors.join_room("basim", made.code)
    await visitors.leave("amal", made.match.match_id)
    assert (await visitors.look_up(made.code))[0].status == WAITING
    await visitors.leave("basim", made.match.match_id)
    assert (await room.refused(visitors.look_up(made.code))).reason == "ROOM_EXPIRED"
    assert await guests.told(store) == [(made.match.match_id, "void")]


async def test_options_out_of_bounds_make_no_room(visitors: Guests) -> None:
    greedy = match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions(turn_seconds=10**9))
    opening = Opening(match_pb2.GAME_TONJ, greedy.SerializeToString(), guests.SEATED)
    no = await room.refused(visitors.create_room("amal", opening))
    assert (no.reason, [path for path, _ in no.fields]) == ("MALFORMED_REQUEST", ["options.tonj.turn_seconds"])
    assert visitors.runtime.loaded == 0


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED])
async def test_a_room_in_doubt_is_made_once(clock: Clock, fault: Fault) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        store.faults.append(fault)
        made = await visitors.create_room("amal", request_id="mine")
        assert await visitors.create_room("amal", request_id="mine") == made
        store.faults.append(fault)
        joined = await visitors.join_room("basim", made.code, "his")
        assert await visitors.join_room("basim", made.code, "his") == joined
        assert list(store._logs.matches) == [made.match.match_id]


async def test_a_room_shows_at_another_server_as_it_is(clock: Clock) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
        here = Guests(one, clock)
        there = here.at(two)
        made = await here.create_room("amal", request_id="mine")
        assert await there.create_room("amal", request_id="mine") == made
        await here.join_room("basim", made.code)
        again = await there.create_room("amal", request_id="mine")
        assert (again.match.status, again.code, again.closes_ms) == (ACTIVE, "", None)
