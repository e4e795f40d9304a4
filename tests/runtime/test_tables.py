"""Tables: whoever comes gets a seat in the match that waits there, every request once, whatever happens at once."""

import asyncio
import collections
import contextlib
import dataclasses
import random
from collections.abc import AsyncIterator

import pytest

from majlis import _core
from majlis.runtime.asked import KEPT_MS
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from tests.runtime import guests, room
from tests.runtime.guests import ACTIVE, ENDED, OTHER, QUICK, STAKED, VOID, WAITING, Guests, Wire, names, seats
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty

TABLES_MS = int(room.PATIENT.tables_seconds * 1000)
MINUTE_MS = 60_000


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


@contextlib.asynccontextmanager
async def replicas(clock: Clock, logs: memory.Logs | None = None) -> AsyncIterator[tuple[Guests, Guests]]:
    """The same guests at two runtimes over the same logs."""
    logs = logs or memory.Logs()
    async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
        here = Guests(one, clock)
        yield here, here.at(two)


def all_seated(matches: list[Wire], players: list[str], size: int = 2) -> None:
    """Asserts that these matches, the last look at each, hold all of these players, each once, and are full."""
    latest = {match.match_id: match for match in sorted(matches, key=lambda match: match.sequence)}
    assert len(latest) == len(players) // size
    assert all(sorted(seats(match)) == list(range(size)) for match in latest.values())
    taken = collections.Counter(player for match in latest.values() for player in seats(match).values())
    assert taken == collections.Counter(players)


async def test_two_who_come_to_a_table_meet_and_play(visitors: Guests) -> None:
    first = await visitors.join_table("amal")
    assert (first.status, seats(first)) == (WAITING, {0: "amal"})
    assert first.table_id == "quick"
    assert first.seats[0].display_name == "Amal"
    assert first.options.tonj.turn_seconds == 45
    second = await visitors.join_table("basim")
    assert (second.match_id, second.status) == (first.match_id, ACTIVE)
    assert seats(second) == {0: "amal", 1: "basim"}
    third = await visitors.join_table("celine")
    assert third.match_id != first.match_id
    assert seats(third) == {0: "celine"}


async def test_tables_do_not_mix(visitors: Guests) -> None:
    here, there = await visitors.join_table("amal"), await visitors.join_table("basim", OTHER)
    assert (here.status, there.status) == (WAITING, WAITING)
    assert here.match_id != there.match_id


async def test_nobody_is_seated_on_terms_that_he_was_not_shown(visitors: Guests) -> None:
    changed = dataclasses.replace(STAKED, table_id=QUICK.table_id)
    here, there = await visitors.join_table("amal"), await visitors.join_table("basim", changed)
    assert here.table_id == there.table_id
    assert here.match_id != there.match_id
    assert (await visitors.join_table("celine")).match_id == here.match_id


async def test_fifty_who_come_at_once_make_twenty_five_matches(visitors: Guests, store: protocol.Store) -> None:
    players = names(range(50))
    all_seated(await asyncio.gather(*(visitors.join_table(player) for player in players)), players)
    for player in players:
        assert len(await store.matches_of(player, None, 10)) == 1
    assert await store.find_name("table", QUICK.name, visitors.clock.now_ms) is None


async def test_fifty_who_come_at_once_to_two_servers_make_twenty_five_matches(clock: Clock) -> None:
    players = names(range(50))
    async with replicas(clock) as (here, there):
        joins = [(here, there)[number % 2].join_table(player) for number, player in enumerate(players)]
        made = await asyncio.gather(*joins)
        shown = [await here.see(match.match_id, player) for match, player in zip(made, players, strict=True)]
        all_seated(shown, players)
        assert {match.status for match in shown} == {ACTIVE}


async def test_four_seats_are_filled_one_by_one(visitors: Guests) -> None:
    players = names(range(12))
    made = await asyncio.gather(*(visitors.join_table(player, guests.OPEN_TRIX) for player in players))
    all_seated(made, players, 4)


async def test_a_repeat_gets_its_match_whatever_has_become_of_it(visitors: Guests, clock: Clock) -> None:
    first = await visitors.join_table("amal", request_id="mine")
    again = await visitors.join_table("amal", request_id="mine")
    assert again == first
    await visitors.join_table("basim", request_id="his")
    again = await visitors.join_table("amal", request_id="mine")
    assert (again.match_id, again.status) == (first.match_id, ACTIVE)
    await visitors.resign(first.match_id, "basim")
    clock.now_ms += KEPT_MS - MINUTE_MS
    for player, request_id in (("amal", "mine"), ("basim", "his")):
        again = await visitors.join_table(player, request_id=request_id)
        assert (again.match_id, again.status) == (first.match_id, ENDED)
    clock.now_ms += MINUTE_MS - 1
    assert (await visitors.join_table("amal", request_id="mine")).match_id == first.match_id
    clock.now_ms += 1
    assert (await visitors.join_table("amal", request_id="mine")).match_id != first.match_id


async def test_a_repeat_after_the_server_started_anew_gets_its_match(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        first = await Guests(runtime, clock).join_table("amal", request_id="mine")
    async with room.running(store, clock) as runtime:
        assert await Guests(runtime, clock).join_table("amal", request_id="mine") == first
        second = await Guests(runtime, clock).join_table("basim", request_id="his")
        assert second.match_id == first.match_id
    async with room.running(store, clock) as runtime:
        assert await Guests(runtime, clock).join_table("basim", request_id="his") == second


async def test_a_repeat_of_one_who_left_does_not_seat_him_again(visitors: Guests) -> None:
    match = await visitors.join_table("amal", request_id="mine")
    await visitors.join_table("basim", OTHER, "his")
    await visitors.leave("amal", match.match_id)
    again = await visitors.join_table("amal", request_id="mine")
    assert (again.match_id, again.status, seats(again)) == (match.match_id, VOID, {})


async def test_the_same_request_id_for_another_table_is_refused(visitors: Guests) -> None:
    await visitors.join_table("amal", request_id="mine")
    no = await room.refused(visitors.join_table("amal", OTHER, request_id="mine"))
    assert no.reason == "REQUEST_ID_REUSED"
    assert (await visitors.join_table("basim", OTHER)).status == WAITING  # nobody was seated there


async def test_request_ids_are_each_players_own(visitors: Guests) -> None:
    first = await visitors.join_table("amal", request_id="same")
    second = await visitors.join_table("basim", request_id="same")
    assert seats(second) == {0: "amal", 1: "basim"}
    assert (await visitors.join_table("amal", request_id="same")).match_id == first.match_id


async def test_who_waits_already_keeps_his_seat_and_his_second_request_is_remembered(visitors: Guests) -> None:
    first = await visitors.join_table("amal")
    assert await visitors.join_table("amal", request_id="second") == first
    await visitors.join_table("basim")
    again = await visitors.join_table("amal", request_id="second")
    assert (again.match_id, again.status) == (first.match_id, ACTIVE)
    no = await room.refused(visitors.join_table("amal", OTHER, request_id="second"))
    assert no.reason == "REQUEST_ID_REUSED"


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("different", [1, 3, 10])
async def test_one_player_who_comes_ten_times_at_once_has_one_seat(clock: Clock, opened: bool, different: int) -> None:
    async with replicas(clock) as places:
        if opened:
            await places[0].join_table("basim", guests.OPEN_TRIX)
        made = await asyncio.gather(
            *(
                places[turn // 2 % 2].join_table("amal", guests.OPEN_TRIX, request_id=f"{turn % different}")
                for turn in range(10)
            )
        )
        assert len({match.match_id for match in made}) == 1
        shown = await places[1].see(made[0].match_id, "amal")
        assert sorted(seats(shown).values()) == ["amal", "basim"][: 1 + opened]


async def test_the_same_request_at_two_servers_at_once_takes_one_seat(clock: Clock) -> None:
    async with replicas(clock) as (here, there):
        for number in range(20):
            player = f"player {number}"
            one, two = await asyncio.gather(*(place.join_table(player, request_id="same") for place in (here, there)))
            assert one.match_id == two.match_id
        assert await here.runtime._house.store.find_name("table", QUICK.name, clock.now_ms) is None


async def test_who_left_comes_back(visitors: Guests) -> None:
    trix = guests.OPEN_TRIX
    first = await visitors.join_table("amal", trix)
    await visitors.join_table("basim", trix)
    await visitors.leave("amal", first.match_id)
    again = await visitors.join_table("celine", trix)
    assert (again.match_id, seats(again)) == (first.match_id, {0: "celine", 1: "basim"})
    again = await visitors.join_table("amal", trix)
    assert (again.match_id, seats(again)) == (first.match_id, {0: "celine", 1: "basim", 2: "amal"})


async def test_who_leaves_as_the_last_leaves_the_table_to_the_next(visitors: Guests) -> None:
    first = await visitors.join_table("amal")
    await visitors.leave("amal", first.match_id)
    assert (await visitors.see(first.match_id, "amal")).status == VOID
    second = await visitors.join_table("amal")
    assert second.match_id != first.match_id
    assert (await visitors.join_table("basim")).match_id == second.match_id


async def test_only_who_sits_there_leaves_and_only_before_the_start(visitors: Guests) -> None:
    match = await visitors.join_table("amal")
    assert (await room.refused(visitors.leave("basim", match.match_id))).reason == "NOT_SEATED"
    await visitors.join_table("basim")
    assert (await room.refused(visitors.leave("amal", match.match_id))).reason == "ALREADY_STARTED"
    await visitors.resign(match.match_id, "amal")
    assert (await room.refused(visitors.leave("amal", match.match_id))).reason == "MATCH_OVER"


async def test_a_repeated_leave_takes_nothing_from_one_who_came_back(visitors: Guests) -> None:
    trix = guests.OPEN_TRIX
    match = await visitors.join_table("amal", trix)
    await visitors.join_table("basim", trix)
    for _ in range(2):
        await visitors.leave("amal", match.match_id, "once")
    await visitors.join_table("amal", trix)
    await visitors.leave("amal", match.match_id, "once")
    assert seats(await visitors.see(match.match_id, "basim")) == {0: "amal", 1: "basim"}
    other = await visitors.join_table("amal", OTHER)
    assert (await room.refused(visitors.leave("amal", other.match_id, "once"))).reason == "REQUEST_ID_REUSED"


async def test_who_waits_too_long_waits_for_nothing_and_the_next_opens_another(visitors: Guests, clock: Clock) -> None:
    first = await visitors.join_table("amal")
    await visitors.void_by(clock.now_ms + TABLES_MS)
    assert (await visitors.see(first.match_id, "amal")).status == WAITING  # the last instant is in time
    await visitors.void_by(clock.now_ms + 1)
    assert (await visitors.see(first.match_id, "amal")).status == VOID
    assert (await room.refused(visitors.leave("amal", first.match_id))).reason == "MATCH_VOID"
    second = await visitors.join_table("basim")
    assert (second.status, seats(second)) == (WAITING, {0: "basim"})


async def test_whoever_comes_first_after_the_deadline_runs_the_clock_out(visitors: Guests, clock: Clock) -> None:
    first = await visitors.join_table("amal")
    clock.now_ms += TABLES_MS + 1
    second = await visitors.join_table("basim")
    assert (second.match_id != first.match_id, seats(second)) == (True, {0: "basim"})
    assert (await visitors.see(first.match_id, "amal")).status == VOID


async def test_who_waited_too_long_himself_opens_another(visitors: Guests, clock: Clock) -> None:
    first = await visitors.join_table("amal")
    clock.now_ms += TABLES_MS + 1
    second = await visitors.join_table("amal")
    assert (second.status, seats(second)) == (WAITING, {0: "amal"})
    assert second.match_id != first.match_id
    assert (await visitors.see(first.match_id, "amal")).status == VOID


async def test_a_player_who_came_in_time_is_in_time_however_late_it_is(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        first = await visitors.join_table("amal", guests.OPEN_TRIX)
        deadline_ms = clock.now_ms + TABLES_MS
        clock.now_ms = deadline_ms
        store.gate.clear()
        before = asyncio.ensure_future(visitors.join_table("basim", guests.OPEN_TRIX))
        await asyncio.sleep(0.001)
        clock.now_ms = deadline_ms + 500
        runtime._timers.check()
        await asyncio.sleep(0.001)
        # He was received at the last instant, and stands in the queue before the timer.
        late = asyncio.ensure_future(
            visitors.runtime.lobby.leave(
                visitors.asked("amal", "LeaveMatch", "", "in time", deadline_ms), first.match_id
            )
        )
        await asyncio.sleep(0.001)
        store.gate.set()
        await asyncio.gather(before, late)
        await room.done(runtime, "timer")
        log = store._logs.matches[first.match_id].log
        assert [append.players for append in log[1:]] == [
            ("amal", "basim", None, None),
            (None, "basim", None, None),
            None,
        ]
        assert log[-1].status == VOID
        # Whoever is received in time, and nothing came between, is seated.
        second = await visitors.join_table("celine")
        deadline_ms = clock.now_ms + TABLES_MS
        clock.now_ms = deadline_ms + 60_000
        match = await visitors.join_table("dalal", at=deadline_ms)
        assert (match.match_id, match.status) == (second.match_id, ACTIVE)


async def test_an_outage_gives_the_time_back(store: protocol.Store, clock: Clock) -> None:
    limits = dataclasses.replace(room.PATIENT, outage_seconds=3)
    async with room.running(store, clock, limits) as runtime:
        visitors = Guests(runtime, clock)
        first = await visitors.join_table("amal")
        clock.now_ms += TABLES_MS + 50_000
        second = await visitors.join_table("basim", OTHER)  # nothing is taken from those who did not wait
        for _ in range(2):
            await runtime.pulse.beat()
            await visitors.void_by(clock.now_ms)
        assert (await visitors.see(first.match_id, "amal")).status == WAITING
        met = await visitors.join_table("celine")
        assert (met.match_id, met.status) == (first.match_id, ACTIVE)
        await runtime.pulse.beat()
        for _ in range(TABLES_MS // 3_000):
            clock.now_ms += 3_000
            await runtime.pulse.beat()
        await visitors.void_by(clock.now_ms)
        assert (await visitors.see(second.match_id, "basim")).status == WAITING
        await visitors.void_by(clock.now_ms + 1)
        assert (await visitors.see(second.match_id, "basim")).status == VOID


async def test_a_match_that_cannot_be_read_does_not_hold_its_table(
    store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    for number in range(3):
        # Nobody has the keys that sealed what waits there, as nobody could read a log that was damaged.
        monkeypatch.setattr(room, "SEALER", _core.Sealer({f"k{number}": bytes(32)}, f"k{number}"))
        async with room.running(store, clock) as runtime:
            visitors = Guests(runtime, clock)
            first = await visitors.join_table("amal", request_id=f"{number}")
            second = await visitors.join_table("basim", request_id=f"{number}")
            assert (second.match_id, second.status) == (first.match_id, ACTIVE)
            waits = await visitors.join_table("celine", request_id=f"{number}")
            assert waits.match_id not in [*lost, first.match_id]
            lost.append(waits.match_id)
            if number:
                repeated = visitors.join_table("celine", request_id=f"{number - 1}")
                assert (await room.refused(repeated)).reason == "MATCH_DAMAGED"
    assert len(set(lost)) == 3


async def test_who_came_by_another_server_is_known_at_this_one(clock: Clock) -> None:
    private = dataclasses.replace(guests.OPEN_TRIX, visibility=guests.SEATED)
    async with replicas(clock) as (here, there):
        match = await here.join_table("amal", private)
        await there.join_table("basim", private)
        await here.join_table("celine", private)
        # There it was looked at before she came.
        assert seats(await there.see(match.match_id, "celine"))[2] == "celine"
        await here.leave("celine", match.match_id)
        assert (await room.refused(there.see(match.match_id, "celine"))).reason == "MATCH_NOT_FOUND"
        assert (await room.refused(there.leave("celine", match.match_id))).reason == "MATCH_NOT_FOUND"
        await here.join_table("dalal", private)
        await there.leave("dalal", match.match_id, "once")
        await here.leave("dalal", match.match_id, "once")
        await here.join_table("dalal", private)
        await here.join_table("faris", private)
        await there.resign(match.match_id, "faris")
        assert [seat.away for seat in (await here.see(match.match_id, "amal")).seats] == [False, False, False, True]


async def test_who_left_while_his_action_waited_does_not_act_for_the_next(clock: Clock) -> None:
    """He gives up a seat that is another's by then."""
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        made = await visitors.create_room("amal", guests.FOUR)
        for player in ("basim", "celine"):
            await visitors.join_room(player, made.code)
        store.gate.clear()
        leaving = asyncio.ensure_future(visitors.leave("amal", made.match.match_id))
        await asyncio.sleep(0.001)
        joining = [asyncio.ensure_future(visitors.join_room(player, made.code)) for player in ("dalal", "faris")]
        await asyncio.sleep(0.001)
        resigning = asyncio.ensure_future(visitors.resign(made.match.match_id, "amal"))
        await asyncio.sleep(0.001)
        store.gate.set()
        await asyncio.gather(leaving, *joining)
        assert (await room.refused(resigning)).reason == "NOT_SEATED"
        shown = await visitors.see(made.match.match_id, "celine")
        assert (shown.status, seats(shown)[0]) == (ACTIVE, "dalal")
        assert not any(seat.away for seat in shown.seats)


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED])
@pytest.mark.parametrize("opened", [False, True])
async def test_a_join_in_doubt_takes_one_seat(clock: Clock, fault: Fault, opened: bool) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        if opened:
            await visitors.join_table("basim")
        store.faults.append(fault)
        match = await visitors.join_table("amal", request_id="mine")
        assert await visitors.join_table("amal", request_id="mine") == match
        assert seats(match) == ({0: "basim", 1: "amal"} if opened else {0: "amal"})
        assert len(store._logs.matches) == 1


@pytest.mark.parametrize("opened", [False, True])
async def test_a_join_that_was_not_stored_may_be_tried_again(clock: Clock, opened: bool) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        if opened:
            await visitors.join_table("basim")
        store.faults.append(Fault.UNAVAILABLE)
        assert (await room.refused(visitors.join_table("amal", request_id="mine"))).reason == "STORE_UNAVAILABLE"
        store.down = True
        assert (await room.refused(visitors.join_table("amal", request_id="mine"))).reason == "STORE_UNAVAILABLE"
        store.down = False
        match = await visitors.join_table("amal", request_id="mine")
        assert list(store._logs.matches) == [match.match_id]


@pytest.mark.parametrize("where", ["door", "gate"])
@pytest.mark.parametrize("opened", [False, True])
async def test_who_goes_away_while_he_is_seated_finds_his_seat_when_he_asks_again(
    clock: Clock, where: str, opened: bool
) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        if opened:
            await visitors.join_table("basim")
        barrier = store.door if where == "door" else store.gate
        barrier.clear()
        joining = asyncio.ensure_future(visitors.join_table("amal", request_id="mine"))
        await asyncio.sleep(0.001)
        joining.cancel()
        await asyncio.wait([joining])
        again = [asyncio.ensure_future(visitors.join_table("amal", request_id="mine")) for _ in range(3)]
        await asyncio.sleep(0.001)
        barrier.set()
        made = await asyncio.gather(*again)
        assert {match.match_id for match in made} == set(store._logs.matches)
        assert len(store._logs.matches) == 1
        assert list(seats(made[0]).values()).count("amal") == 1
        if not opened:
            assert (await visitors.join_table("basim")).status == ACTIVE


@pytest.mark.parametrize("seed", range(4))
async def test_a_storm_at_a_table_seats_everybody_once(clock: Clock, seed: int) -> None:
    """Two servers, faults of the store, callers who go away: whoever asks until he is answered has one seat."""
    chance = random.Random(seed)
    logs, players = memory.Logs(), names(range(24))
    stores = Faulty(logs), Faulty(logs)
    async with room.running(stores[0], clock) as one, room.running(stores[1], clock) as two:
        places = Guests(one, clock), Guests(two, clock)

        async def come(player: str) -> str:
            while True:
                chance.choice(stores).faults.extend(chance.choices(list(Fault), k=chance.randrange(2)))
                call = asyncio.ensure_future(chance.choice(places).join_table(player, request_id="only"))
                for _ in range(chance.randrange(6)):
                    await asyncio.sleep(0)
                if chance.random() < 0.3:
                    call.cancel()
                (end,) = await asyncio.gather(call, return_exceptions=True)
                if isinstance(end, Wire):
                    return end.match_id

        matches = await asyncio.gather(*(come(player) for player in players))
        for store in stores:
            store.faults.clear()
        shown = [await places[0].see(match_id, player) for match_id, player in zip(matches, players, strict=True)]
        all_seated(shown, players)
        assert len(logs.matches) == len(players) // 2


async def test_a_full_table_is_told_with_the_record_that_fills_it(visitors: Guests, store: protocol.Store) -> None:
    first = await visitors.join_table("amal")
    assert await guests.told(store) == []
    await visitors.join_table("basim")
    assert await guests.told(store) == [(first.match_id, "seated"), (first.match_id, "started")]
    staked = await visitors.join_table("amal", STAKED)
    await visitors.join_table("basim", STAKED)
    assert (await guests.told(store))[2:] == [(staked.match_id, "seated")]
