"""Making matches: one for each external id, however it is asked for, and nothing of one that was not made."""

import asyncio

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime.founding import new_id
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import match_pb2, matchmaking_service_pb2
from tests.runtime import room, tonj
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty
from tests.runtime.tonj import PLAYERS


async def made(runtime: Runtime, external_id: str, **options: int) -> match_pb2.Match:
    return match_pb2.Match.FromString(
        await runtime.create(tonj.asked_match(external_id, **options).SerializeToString())
    )


async def test_a_match_is_made_seated_and_started(runtime: Runtime, store: protocol.Store) -> None:
    match = await made(runtime, "lobby-1", turn_seconds=45)
    assert [seat.player_id for seat in match.seats] == list(PLAYERS)
    assert match.status == match_pb2.MATCH_STATUS_ACTIVE
    assert match.external_id == "lobby-1"
    assert match.options.tonj.turn_seconds == 45
    assert len(match.deal_commitment) == 32
    founded = await store.find_external("lobby-1")
    assert founded is not None
    assert founded.match_id == match.match_id


async def test_fifty_who_ask_at_once_get_the_same_match(runtime: Runtime) -> None:
    matches = await asyncio.gather(*(made(runtime, "same") for _ in range(50)))
    assert len({match.match_id for match in matches}) == 1
    assert runtime.loaded == 1


async def test_asking_again_shows_the_match_as_it_is_now(runtime: Runtime, clock: Clock) -> None:
    match = await tonj.found(runtime, clock, "same")
    answer = await match.move()
    again = await made(runtime, "same")
    assert (again.match_id, again.sequence) == (match.match_id, answer.sequence)


async def test_the_same_request_in_another_order_of_fields_gets_the_same_match(runtime: Runtime) -> None:
    match = await made(runtime, "same")
    asked = tonj.asked_match("")
    last = matchmaking_service_pb2.CreateMatchRequest(external_id="same")
    again = await runtime.create(asked.SerializeToString() + last.SerializeToString())
    assert match_pb2.Match.FromString(again).match_id == match.match_id


async def test_the_same_id_for_another_match_is_refused(runtime: Runtime) -> None:
    await made(runtime, "same")
    assert (await room.refused(made(runtime, "same", turn_seconds=31))).reason == "EXTERNAL_ID_REUSED"


async def test_what_cannot_be_read_tells_which_fields(runtime: Runtime) -> None:
    no = await room.refused(runtime.create(b"\xff"))
    assert no.reason == "MALFORMED_REQUEST"
    no = await room.refused(made(runtime, "greedy", turn_seconds=10**9))
    assert [path for path, _ in no.fields] == ["options.tonj.turn_seconds"]
    assert runtime.loaded == 0


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED])
async def test_a_founding_in_doubt_makes_one_match(clock: Clock, fault: Fault) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        store.faults.append(fault)
        first = await made(runtime, "same")
        assert (await made(runtime, "same")).match_id == first.match_id
        assert len(await store.matches_of(PLAYERS[0], None, 10)) == 1


async def test_who_goes_away_while_it_is_made_finds_it_when_he_asks_again(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        store.gate.clear()
        asking = asyncio.ensure_future(made(runtime, "same"))
        await asyncio.sleep(0.001)
        asking.cancel()
        await asyncio.wait([asking])
        store.gate.set()
        await made(runtime, "same")
        assert len(await store.matches_of(PLAYERS[0], None, 10)) == 1


async def test_a_store_that_is_away_makes_nothing(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        store.faults.append(Fault.UNAVAILABLE)
        assert (await room.refused(made(runtime, "same"))).reason == "STORE_UNAVAILABLE"
        assert runtime.loaded == 0
        await made(runtime, "same")


async def test_replicas_that_ask_at_once_agree(clock: Clock) -> None:
    logs = memory.Logs()
    async with (
        room.running(memory.MemoryStore(logs), clock) as one,
        room.running(memory.MemoryStore(logs), clock) as two,
    ):
        matches = await asyncio.gather(*(made(runtime, "same") for runtime in (one, two) * 10))
        assert len({match.match_id for match in matches}) == 1


async def test_a_start_and_an_end_are_told_with_the_record_that_makes_them() -> None:
    told: list[tuple[str, ...]] = []

    class Telling(memory.MemoryStore):
        async def append(self, append: protocol.Append) -> protocol.Outcome:
            told.append(append.outbox)
            return await super().append(append)

    clock = Clock()
    async with room.running(Telling(), clock) as runtime:
        match = await tonj.found(runtime, clock)
        await match.move()
        await match.submit(PLAYERS[0], room.RESIGN)
    assert told == [("seated", "started"), (), ("ended",)]


def test_ids_are_short_safe_in_addresses_and_never_the_same() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(one) == 26 and one.isalnum() and one == one.lower() for one in ids)


async def test_a_match_that_cannot_be_found_again_is_not_listed(runtime: Runtime) -> None:
    with pytest.raises(Refusal, match="MATCH_NOT_FOUND"):
        await runtime.get_match(PLAYERS[0], new_id())
