"""Stores that fail, callers who go away: what was answered stays, what was not can be asked again, nothing wedges."""

import asyncio
import dataclasses
import random

import pytest

from majlis.match.refusal import Refusal
from majlis.store import memory
from majlis.v1 import match_pb2
from tests.runtime import room, tonj
from tests.runtime.room import RESIGN, Answer, Clock, Match
from tests.runtime.stores import Fault, Faulty
from tests.runtime.tonj import PLAYERS


@pytest.fixture
def store() -> Faulty:
    return Faulty()


async def settled() -> None:
    """Lets everything happen that only waits for its turn."""
    for _ in range(30):
        await asyncio.sleep(0)


async def log_of(store: memory.MemoryStore, match: Match) -> list[bytes]:
    return await memory.MemoryStore.payloads(store, match.match_id)


async def test_what_could_not_be_stored_did_not_happen_and_may_be_tried_again(store: Faulty, match: Match) -> None:
    feed = await match.watch(PLAYERS[0], await match.head())
    await room.waiting(feed)
    before = await match.state()
    mover = await match.mover()
    action = await match.choice(mover)
    store.faults.append(Fault.UNAVAILABLE)
    no = await room.refused(match.submit(mover, action, request_id="again"))
    assert no.reason == "STORE_UNAVAILABLE"
    assert no.entry.retry
    assert await match.state() == before
    assert await room.waiting(feed) == []
    answer = await match.submit(mover, action, request_id="again", expected=before.match.sequence)
    assert room.sequences(await room.waiting(feed)) == [event.sequence for event in answer.events]


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED, Fault.BROKEN])
async def test_an_append_in_doubt_is_answered_once_it_is_known(store: Faulty, match: Match, fault: Fault) -> None:
    feed = await match.watch(PLAYERS[0], await match.head())
    await room.waiting(feed)
    mover = await match.mover()
    action = await match.choice(mover)
    store.faults.append(fault)
    answer = await match.submit(mover, action, request_id="doubtful")
    assert len(await log_of(store, match)) == 2
    assert room.sequences(await room.waiting(feed)) == [event.sequence for event in answer.events]
    assert await match.submit(mover, action, request_id="doubtful") == answer
    await match.move()


async def test_nothing_is_taken_while_it_is_unknown_where_the_log_ends(store: Faulty, match: Match) -> None:
    mover = await match.mover()
    action = await match.choice(mover)
    store.faults.append(Fault.LANDED)
    store.gate.clear()
    doubtful = asyncio.ensure_future(match.submit(mover, action))
    await settled()
    waiting = asyncio.ensure_future(match.submit(PLAYERS[0], RESIGN))
    await settled()
    store.down = True
    store.gate.set()
    assert (await room.refused(waiting)).reason == "STORE_UNAVAILABLE"
    assert (await room.refused(match.submit(PLAYERS[1], RESIGN))).reason == "STORE_UNAVAILABLE"
    assert not doubtful.done()
    store.down = False
    answer = await doubtful
    assert answer.sequence == await match.head()
    await match.move()
    assert len(await log_of(store, match)) == 3


async def test_a_caller_who_goes_away_in_doubt_leaves_the_match_whole(store: Faulty, match: Match) -> None:
    mover = await match.mover()
    action = await match.choice(mover)
    store.faults.append(Fault.LANDED)
    store.gate.clear()
    doubtful = asyncio.ensure_future(match.submit(mover, action, request_id="doubtful"))
    await settled()
    store.down = True
    store.gate.set()
    await settled()
    doubtful.cancel()
    await asyncio.wait([doubtful])
    assert doubtful.cancelled()
    store.down = False
    await asyncio.sleep(0.05)
    answer = await match.submit(mover, action, request_id="doubtful")
    assert answer.sequence == await match.head()
    assert len(await log_of(store, match)) == 2
    await match.move()


@pytest.mark.parametrize("where", ["door", "gate"])
async def test_a_caller_who_goes_away_during_his_append_leaves_the_match_whole(
    store: Faulty, match: Match, where: str
) -> None:
    feed = await match.watch(PLAYERS[0], await match.head())
    await room.waiting(feed)
    mover = await match.mover()
    action = await match.choice(mover)
    barrier = store.door if where == "door" else store.gate
    barrier.clear()
    caller = asyncio.ensure_future(match.submit(mover, action, request_id="mine"))
    await settled()
    next_one = asyncio.ensure_future(match.submit(PLAYERS[0], RESIGN))
    await settled()
    caller.cancel()
    await asyncio.wait([caller])
    assert caller.cancelled()
    assert room.sequences(await room.waiting(feed)) == []
    barrier.set()
    await next_one
    answer = await match.submit(mover, action, request_id="mine")
    seen = room.sequences(await room.waiting(feed))
    assert seen[: len(answer.events)] == [event.sequence for event in answer.events]
    assert len(await log_of(store, match)) == 3


async def test_a_stop_does_not_wait_for_ever_for_a_store_that_is_away(store: Faulty, clock: Clock) -> None:
    limits = dataclasses.replace(room.PATIENT, grace_seconds=0.05)
    async with room.running(store, clock, limits) as runtime:
        match = await tonj.found(runtime, clock)
        mover = await match.mover()
        action = await match.choice(mover)
        store.faults.append(Fault.LANDED)
        store.gate.clear()
        doubtful = asyncio.ensure_future(match.submit(mover, action, request_id="doubtful"))
        await settled()
        store.down = True
        store.gate.set()
        await runtime.stop()
        # Nobody can tell him what became of it; his repeat will.
        assert (await room.refused(doubtful)).reason == "DRAINING"
        store.down = False
    async with room.running(store, clock) as runtime:
        answer = await match.on(runtime).submit(mover, action, request_id="doubtful")
        assert answer.sequence == await match.on(runtime).head()


async def test_one_more_than_the_queue_holds_is_refused(store: Faulty, clock: Clock) -> None:
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, queue_length=2)) as runtime:
        match = await tonj.found(runtime, clock)
        mover, head = await match.mover(), await match.head()
        action = await match.choice(mover)
        store.gate.clear()
        calls = [asyncio.ensure_future(match.submit(mover, action, expected=head)) for _ in range(3)]
        await settled()
        no = await room.refused(match.submit(mover, action))
        assert (no.reason, no.entry.retry) == ("OVERLOADED", True)
        store.gate.set()
        first, *others = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(first, Answer)
        assert [str(other) for other in others] == ["STALE_SEQUENCE"] * 2


@pytest.mark.parametrize("seed", range(5))
async def test_a_storm_of_cancellations_and_faults_loses_nothing(store: Faulty, clock: Clock, seed: int) -> None:
    chance = random.Random(seed)
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock, turn_seconds=300)
        feed = await match.watch(PLAYERS[0], 0)
        acknowledged: dict[str, tuple[str, room.Action, Answer]] = {}
        seen: list[int] = []

        async def act(request_id: str, player: str, action: room.Action, expected: int) -> None:
            answer = await match.submit(player, action, request_id=request_id, expected=expected)
            acknowledged[request_id] = (player, action, answer)

        for step in range(150):
            head, mover = await match.head(), await match.mover()
            action = await match.choice(mover)
            if action is RESIGN:
                break
            if chance.random() < 0.3:
                store.faults.append(chance.choice(list(Fault)))
            tasks = [asyncio.ensure_future(act(f"{step}.{number}", mover, action, head)) for number in range(4)]
            for task in tasks:
                for _ in range(chance.randrange(5)):
                    await asyncio.sleep(0)
                if chance.random() < 0.5:
                    task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.015 if store.faults else 0)
            assert sum(end is None for end in ends) <= 1
            assert {end.reason for end in ends if isinstance(end, Refusal)} <= {"STALE_SEQUENCE", "STORE_UNAVAILABLE"}
            seen += room.sequences(await room.waiting(feed))
        store.faults.clear()
        await settled()
        seen += room.sequences(await room.waiting(feed))
        assert seen == list(range(1, await match.head() + 1))
        assert len(acknowledged) > 20
        for request_id, (player, action, answer) in acknowledged.items():
            assert await match.submit(player, action, request_id=request_id) == answer
        assert not any(sitting.section.held for sitting in runtime._hall)
    async with room.running(store, clock) as runtime:
        assert await match.on(runtime).head() == seen[-1]


async def test_a_store_that_reopened_gets_its_matches_asked_for_afresh(store: Faulty, match: Match) -> None:
    feed = await match.watch(PLAYERS[0], await match.head())
    await room.waiting(feed)
    loads = store.loads
    store.gate.clear()
    mover = await match.mover()
    action = await match.choice(mover)
    under_way = asyncio.ensure_future(match.submit(mover, action))
    await settled()
    store.on_reopen()
    later = asyncio.ensure_future(match.head())
    await settled()
    assert not later.done()
    store.gate.set()
    answer = await under_way
    assert await later == answer.sequence
    assert store.loads == loads + 1
    assert await room.rest(feed) == ([], "STREAM_RESET")
    resumed = await match.watch(PLAYERS[0], answer.sequence - len(answer.events))
    assert room.sequences(await room.waiting(resumed)) == [event.sequence for event in answer.events]


async def test_a_log_that_cannot_be_read_is_damage_of_one_match_only(store: Faulty, clock: Clock) -> None:
    logs = store._logs.matches
    async with room.running(store, clock) as runtime:
        damaged, whole = await tonj.found(runtime, clock, "damaged"), await tonj.found(runtime, clock, "whole")
        await whole.move()
    entry = logs[damaged.match_id].log
    entry[0] = dataclasses.replace(entry[0], payload=b"\xff" + entry[0].payload)
    async with room.running(store, clock) as runtime:
        assert (await room.refused(damaged.on(runtime).state())).reason == "MATCH_DAMAGED"
        assert (await room.refused(damaged.on(runtime).submit(PLAYERS[0], RESIGN))).reason == "MATCH_DAMAGED"
        await whole.on(runtime).move()
        listed, _ = await runtime.matches_of(PLAYERS[0], 10, "")
        assert [match_pb2.Match.FromString(one).match_id for one in listed] == [whole.match_id]
