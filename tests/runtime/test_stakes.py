"""Stakes: a match with a fee starts when the wallet has taken every fee, or is void and gives back what was taken."""

import asyncio
import dataclasses

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2
from tests.runtime import guests, room, tonj
from tests.runtime.guests import ACTIVE, ENDED, FEE, STAKED, STAKED_PRIVATE, VOID, WAITING, Guests, Wire
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty
from tests.runtime.tonj import PLAYERS

STAKES_MS = int(room.PATIENT.stakes_seconds * 1000)
WAYS = ("created", "table", "room")


@pytest.fixture
def visitors(runtime: Runtime, clock: Clock) -> Guests:
    return Guests(runtime, clock)


def asked_match() -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="staked",
        game=match_pb2.GAME_TONJ_HOUSE,
        options=match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(entry_fee_minor=FEE, rake_bps=1_000)),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS],
    )


async def full(visitors: Guests, way: str = "table") -> Wire:
    """A match of both players whose fees are due."""
    match way:
        case "created":
            return Wire.FromString(await visitors.runtime.create(asked_match().SerializeToString()))
        case "table":
            await visitors.join_table(PLAYERS[0], STAKED)
            return await visitors.join_table(PLAYERS[1], STAKED)
        case _:
            made = await visitors.create_room(PLAYERS[0], STAKED_PRIVATE)
            return await visitors.join_room(PLAYERS[1], made.code)


def confirmed(match: Wire) -> list[bool]:
    return [seat.stake_confirmed for seat in match.seats]


def assert_void(match: Wire, paid: list[bool]) -> None:
    """Asserts that the match is void, and that what was taken, and nothing else, is given back."""
    assert (match.status, match.outcome.reason) == (VOID, match_pb2.END_REASON_CANCELLED)
    settlement = match.outcome.settlement
    assert list(settlement.payout_minor) == [FEE * one for one in paid]
    assert (settlement.entry_fee_minor, settlement.pot_minor, settlement.rake_minor) == (FEE, FEE * sum(paid), 0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("order", [PLAYERS, PLAYERS[::-1]])
async def test_a_match_with_a_fee_starts_when_both_fees_are_taken(
    visitors: Guests, store: protocol.Store, clock: Clock, way: str, order: tuple[str, ...]
) -> None:
    match = await full(visitors, way)
    assert (match.status, confirmed(match)) == (WAITING, [False, False])
    state = room.State.FromString(await visitors.runtime.get_match(PLAYERS[0], match.match_id))
    assert (state.clock.kind, list(state.clock.awaited_seats)) == (match_pb2.CLOCK_KIND_STAKES, [0, 1])
    assert state.clock.deadline.ToMilliseconds() == clock.now_ms + STAKES_MS
    match = await visitors.confirm(match.match_id, order[0])
    assert (match.status, confirmed(match)) == (WAITING, [player == order[0] for player in PLAYERS])
    match = await visitors.confirm(match.match_id, order[1])
    assert (match.status, confirmed(match)) == (ACTIVE, [True, True])
    await visitors.resign(match.match_id, PLAYERS[0])
    settlement = (await visitors.see(match.match_id, PLAYERS[0])).outcome.settlement
    assert (list(settlement.payout_minor), settlement.rake_minor) == ([0, 360], 40)
    assert await guests.told(store) == [(match.match_id, kind) for kind in ("seated", "started", "ended")]


@pytest.mark.parametrize("way", WAYS)
async def test_without_confirmations_it_starts_at_once(store: protocol.Store, clock: Clock, way: str) -> None:
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, stakes_seconds=0)) as runtime:
        visitors = Guests(runtime, clock)
        match = await full(visitors, way)
        assert match.status == ACTIVE
        assert (await room.refused(visitors.confirm(match.match_id, PLAYERS[0]))).reason == "NO_STAKE"
        assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "started")]


@pytest.mark.parametrize("first", [0.0, room.PATIENT.stakes_seconds])
async def test_nobody_joins_one_who_waits_from_before_confirmations_were_asked_for_or_no_more(
    store: protocol.Store, clock: Clock, first: float
) -> None:
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, stakes_seconds=first)) as runtime:
        before = await Guests(runtime, clock).join_table(PLAYERS[0], STAKED, "first")
    then = room.PATIENT.stakes_seconds - first
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, stakes_seconds=then)) as runtime:
        visitors = Guests(runtime, clock)
        after = await visitors.join_table(PLAYERS[1], STAKED)
        assert after.match_id != before.match_id
        assert after.status == WAITING
        full = await visitors.join_table("celine", STAKED)
        assert (full.match_id, full.status) == (after.match_id, WAITING if then else ACTIVE)
        assert (await visitors.join_table(PLAYERS[0], STAKED, "first")).match_id == before.match_id


async def test_a_repeat_changes_nothing_before_and_after_the_start_and_at_the_end(visitors: Guests) -> None:
    match = await full(visitors)
    for player, status in zip(PLAYERS, (WAITING, ACTIVE), strict=True):
        first = await visitors.confirm(match.match_id, player, f"payment {player}")
        assert first.status == status
        assert await visitors.confirm(match.match_id, player, f"payment {player}") == first
        no = await room.refused(visitors.confirm(match.match_id, player, "payment other"))
        assert (no.reason, no.sequence) == ("STAKE_PAID_TWICE", first.sequence)
    await visitors.resign(match.match_id, PLAYERS[0])
    for player in PLAYERS:
        assert (await visitors.confirm(match.match_id, player, f"payment {player}")).status == ENDED
        no = await room.refused(visitors.confirm(match.match_id, player, "payment other"))
        assert no.reason == "STAKE_PAID_TWICE"


async def test_two_payments_of_one_seat_at_once_are_one(visitors: Guests) -> None:
    match = await full(visitors)
    ends = await asyncio.gather(
        *(visitors.confirm(match.match_id, PLAYERS[0], f"payment {number % 2}") for number in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(end, Wire) for end in ends) == 5
    assert {str(end) for end in ends if not isinstance(end, Wire)} == {"STAKE_PAID_TWICE"}
    assert confirmed(await visitors.see(match.match_id, PLAYERS[0])) == [True, False]


async def test_fees_are_taken_from_those_who_sit_there_when_all_do(visitors: Guests, clock: Clock) -> None:
    first = await visitors.join_table(PLAYERS[0], STAKED)
    assert (await room.refused(visitors.confirm(first.match_id, PLAYERS[0]))).reason == "SEATS_FREE"
    assert (await room.refused(visitors.confirm(first.match_id, PLAYERS[1]))).reason == "NOT_SEATED"
    await visitors.join_table(PLAYERS[1], STAKED)
    assert (await room.refused(visitors.confirm(first.match_id, "celine"))).reason == "NOT_SEATED"
    assert (await room.refused(visitors.confirm("nothing", PLAYERS[0]))).reason == "MATCH_NOT_FOUND"
    free = await tonj.found(visitors.runtime, clock)
    assert (await room.refused(visitors.confirm(free.match_id, PLAYERS[0]))).reason == "NO_STAKE"


@pytest.mark.parametrize("paid", [[False, False], [True, False], [False, True]])
async def test_fees_that_do_not_come_in_time_give_back_what_was_taken(
    visitors: Guests, store: protocol.Store, clock: Clock, paid: list[bool]
) -> None:
    match = await full(visitors)
    deadline_ms = clock.now_ms + STAKES_MS
    clock.now_ms += STAKES_MS // 2
    for player, pays in zip(PLAYERS, paid, strict=True):
        if pays:
            await visitors.confirm(match.match_id, player)
    await visitors.void_by(deadline_ms)
    assert (await visitors.see(match.match_id, PLAYERS[0])).status == WAITING
    await visitors.void_by(deadline_ms + 1)
    assert_void(await visitors.see(match.match_id, PLAYERS[0]), paid)
    for player, pays in zip(PLAYERS, paid, strict=True):
        if pays:  # the wallet hears that it was taken into account, and by the result that it is to be given back
            assert_void(await visitors.confirm(match.match_id, player), paid)
        else:
            assert (await room.refused(visitors.confirm(match.match_id, player))).reason == "MATCH_VOID"
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "void")]


@pytest.mark.parametrize("way", WAYS)
async def test_who_leaves_while_fees_are_due_ends_it(visitors: Guests, store: protocol.Store, way: str) -> None:
    match = await full(visitors, way)
    await visitors.confirm(match.match_id, PLAYERS[0])
    await visitors.leave(PLAYERS[1], match.match_id, "once")
    await visitors.leave(PLAYERS[1], match.match_id, "once")
    assert_void(await visitors.see(match.match_id, PLAYERS[0]), [True, False])
    assert (await room.refused(visitors.leave(PLAYERS[0], match.match_id))).reason == "MATCH_VOID"
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "void")]


async def test_who_leaves_a_staked_table_before_it_is_full_owes_nothing(visitors: Guests) -> None:
    match = await visitors.join_table(PLAYERS[0], STAKED)
    await visitors.leave(PLAYERS[0], match.match_id)
    assert_void(await visitors.see(match.match_id, PLAYERS[0]), [False, False])


async def test_a_table_is_free_for_the_next_while_fees_are_due(visitors: Guests) -> None:
    first = await full(visitors)
    again = await visitors.join_table(PLAYERS[0], STAKED)
    assert (again.match_id != first.match_id, again.status) == (True, WAITING)


@pytest.mark.parametrize("in_time", [True, False])
@pytest.mark.parametrize("timer_first", [True, False])
async def test_a_fee_and_the_deadline_have_one_outcome(clock: Clock, in_time: bool, timer_first: bool) -> None:
    """What was received in time is in time, whoever comes to the queue first; what was not is not."""
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        match = await full(visitors)
        deadline_ms = clock.now_ms + STAKES_MS
        store.gate.clear()
        first = asyncio.ensure_future(visitors.confirm(match.match_id, PLAYERS[0], at=deadline_ms - 5))
        await asyncio.sleep(0.001)
        clock.now_ms = deadline_ms + 10
        received_ms = deadline_ms if in_time else deadline_ms + 1
        if timer_first:
            runtime._timers.check()
            await asyncio.sleep(0.001)
        last = asyncio.ensure_future(visitors.confirm(match.match_id, PLAYERS[1], at=received_ms))
        await asyncio.sleep(0.001)
        runtime._timers.check()
        await asyncio.sleep(0.001)
        store.gate.set()
        await first
        await room.done(runtime, "timer")
        if in_time:
            assert (await last).status == ACTIVE
        else:
            assert (await room.refused(last)).reason == "MATCH_VOID"
        kinds = [kind for _, kind in await guests.told(store)]
        assert kinds == ["seated", "started" if in_time else "void"]


@pytest.mark.parametrize("pause", range(8))
async def test_a_fee_at_one_server_and_the_deadline_at_another_have_one_outcome(clock: Clock, pause: int) -> None:
    logs = memory.Logs()
    async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
        here = Guests(one, clock)
        there = here.at(two)
        match = await full(here)
        await there.confirm(match.match_id, PLAYERS[0])
        deadline_ms = clock.now_ms + STAKES_MS

        async def confirm_later() -> Wire:
            for _ in range(pause):
                await asyncio.sleep(0)
            return await here.confirm(match.match_id, PLAYERS[1], at=deadline_ms)

        clock.now_ms = deadline_ms + 1
        two._timers.check()
        (end,) = await asyncio.gather(confirm_later(), return_exceptions=True)
        await room.done(two, "timer")
        kinds = [kind for _, kind in await guests.told(one._house.store)]
        shown = [await place.see(match.match_id, PLAYERS[0]) for place in (here, there)]
        assert shown[0] == shown[1]
        if isinstance(end, Wire):
            assert (shown[0].status, kinds) == (ACTIVE, ["seated", "started"])
        else:
            assert (str(end), kinds) == ("MATCH_VOID", ["seated", "void"])
            assert_void(shown[0], [True, False])


async def test_both_fees_at_two_servers_at_once_start_it_once(clock: Clock) -> None:
    for _ in range(10):
        logs = memory.Logs()
        async with room.running(Faulty(logs), clock) as one, room.running(Faulty(logs), clock) as two:
            here = Guests(one, clock)
            match = await full(here)
            await here.at(two).see(match.match_id, PLAYERS[0])
            await asyncio.gather(
                here.confirm(match.match_id, PLAYERS[0]),
                here.at(two).confirm(match.match_id, PLAYERS[1]),
                here.at(two).confirm(match.match_id, PLAYERS[0]),
            )
            assert (await here.see(match.match_id, PLAYERS[0])).status == ACTIVE
            kinds = [kind for _, kind in await guests.told(one._house.store)]
            assert kinds == ["seated", "started"]


async def test_a_server_that_starts_anew_waits_on_for_the_fees(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        match = await full(visitors)
        await visitors.confirm(match.match_id, PLAYERS[0], "payment")
        deadline_ms = clock.now_ms + STAKES_MS
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        assert confirmed(await visitors.confirm(match.match_id, PLAYERS[0], "payment")) == [True, False]
        no = await room.refused(visitors.confirm(match.match_id, PLAYERS[0], "other"))
        assert no.reason == "STAKE_PAID_TWICE"
    async with room.running(store, clock) as runtime:
        await Guests(runtime, clock).void_by(deadline_ms + 1)
        assert_void(await Guests(runtime, clock).see(match.match_id, PLAYERS[0]), [True, False])
    assert await guests.told(store) == [(match.match_id, "seated"), (match.match_id, "void")]


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_confirmation_is_taken_once_whatever_the_store_does(clock: Clock, fault: Fault) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        match = await full(visitors)
        for player in PLAYERS:
            store.faults.append(fault)
            if fault is Fault.UNAVAILABLE:
                no = await room.refused(visitors.confirm(match.match_id, player))
                assert no.reason == "STORE_UNAVAILABLE"
            await visitors.confirm(match.match_id, player)
            await visitors.confirm(match.match_id, player)
        assert (await visitors.see(match.match_id, PLAYERS[0])).status == ACTIVE
        log = store._logs.matches[match.match_id].log
        assert [append.outbox for append in log] == [(), ("seated",), (), ("started",)]


@pytest.mark.parametrize("where", ["door", "gate"])
async def test_a_wallet_that_goes_away_finds_its_confirmation(clock: Clock, where: str) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        visitors = Guests(runtime, clock)
        match = await full(visitors)
        barrier = store.door if where == "door" else store.gate
        barrier.clear()
        call = asyncio.ensure_future(visitors.confirm(match.match_id, PLAYERS[0]))
        await asyncio.sleep(0.001)
        call.cancel()
        await asyncio.wait([call])
        again = asyncio.ensure_future(visitors.confirm(match.match_id, PLAYERS[0]))
        await asyncio.sleep(0.001)
        barrier.set()
        assert confirmed(await again) == [True, False]
        assert len(store._logs.matches[match.match_id].log) == 3
