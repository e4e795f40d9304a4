"""Results and what goes wrong: nothing is left out or told twice, and nothing that fails holds up the rest."""

import asyncio
import dataclasses
from typing import Any

import pytest

from majlis.runtime import pages
from majlis.runtime.observer import Silent
from majlis.runtime.results import Told
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from tests.runtime import room, tonj
from tests.runtime.consumer import BRISK, PATIENCE, Watching, match_of, read, reading, take
from tests.runtime.room import RESIGN, Clock
from tests.runtime.stores import Fault, Faulty
from tests.runtime.tonj import PLAYERS


async def test_what_was_durable_and_had_no_place_yet_gets_it_from_the_next_run(
    store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching = Watching()

    async def away(limit: int) -> int:
        raise protocol.Unavailable

    with monkeypatch.context() as patched:
        patched.setattr(store, "publish", away)
        async with room.running(store, clock, observer=watching) as first:
            await (await tonj.found(first, clock, "a")).submit(PLAYERS[0], RESIGN)
            clock.now_ms += 1
            await tonj.found(first, clock, "b")
            async with reading(first) as feed:
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(feed), 0.01)
    assert ("publish", "") in watching.faults
    async with room.running(store, clock) as second:
        told = await read(second, 5)
        assert [(match_of(one).external_id, one.kind) for one in told] == [
            *(("a", kind) for kind in ("seated", "started", "ended")),
            *(("b", kind) for kind in ("seated", "started")),
        ]
        await tonj.found(second, clock, "c")
        assert [match_of(one).external_id for one in await read(second, 2, after=told[-1].cursor)] == ["c", "c"]
    async with room.running(store, clock) as third:
        assert (await read(third, 7))[:5] == told
    assert len(await store.results(0, 100)) == 7


async def test_places_of_which_the_store_did_not_say_so_are_read_and_given_once(
    store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish = store.publish

    async def silent(limit: int) -> int:
        if await publish(limit):
            raise protocol.Unavailable
        return 0

    monkeypatch.setattr(store, "publish", silent)
    async with room.running(store, clock) as runtime, reading(runtime) as feed:
        await tonj.found(runtime, clock)
        assert [one.kind for one in await take(feed, 2)] == ["seated", "started"]
    assert len(await store.results(0, 100)) == 2


async def test_a_fault_of_the_store_does_not_end_the_publishing(
    store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching, publish = Watching(), store.publish
    faults = [ValueError("a fault of the store")]

    async def faulty(limit: int) -> int:
        if faults:
            raise faults.pop()
        return await publish(limit)

    monkeypatch.setattr(store, "publish", faulty)
    async with room.running(store, clock, BRISK, watching) as runtime:
        await tonj.found(runtime, clock)
        assert len(await read(runtime, 2)) == 2
    assert watching.faults == [("publish", "")]


@pytest.mark.parametrize("fault", [Fault.LANDED, Fault.VANISHED, Fault.BROKEN])
async def test_what_was_in_doubt_is_told_at_once_and_once(clock: Clock, fault: Fault) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime, reading(runtime) as feed:
        if fault is not Fault.BROKEN:
            store.faults.append(fault)
        match = await tonj.found(runtime, clock)
        assert [one.kind for one in await take(feed, 2)] == ["seated", "started"]
        store.faults.append(fault)
        await match.submit(PLAYERS[0], RESIGN)
        assert [one.kind for one in await take(feed, 1)] == ["ended"]
    assert len(await store.results(0, 100)) == 3


async def test_what_its_caller_did_not_live_to_see_is_told_with_the_next_pulse(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock, BRISK) as runtime, reading(runtime) as feed:
        store.gate.clear()
        making = asyncio.ensure_future(tonj.found(runtime, clock))
        await asyncio.sleep(0.001)
        making.cancel()
        await asyncio.wait([making])
        assert [one.kind for one in await take(feed, 2)] == ["seated", "started"]
        store.gate.set()


async def test_a_stream_tells_what_another_server_brought(clock: Clock) -> None:
    logs = memory.Logs()
    async with (
        room.running(memory.MemoryStore(logs), clock, BRISK) as one,
        room.running(memory.MemoryStore(logs), clock, BRISK) as two,
        reading(one) as feed,
    ):
        matches = [await tonj.found(runtime, clock, name) for runtime, name in ((two, "a"), (one, "b"), (two, "c"))]
        told = await take(feed, 6)
        assert {(one.match_id, one.kind) for one in told} == {
            (match.match_id, kind) for match in matches for kind in ("seated", "started")
        }
        await matches[0].submit(PLAYERS[0], RESIGN)
        (ended,) = await take(feed, 1)
        assert (ended.match_id, ended.kind) == (matches[0].match_id, "ended")
        # The other has the same places.
        assert await read(two, 7) == [*told, ended]
        await one.results.acknowledge("wallet", told[-1].cursor)
        assert await read(two, 1) == [ended]


async def test_places_that_another_server_gave_wake_who_waits_here(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = memory.Logs()
    here = memory.MemoryStore(logs)

    async def idle(limit: int) -> int:
        return 0

    monkeypatch.setattr(here, "publish", idle)
    async with (
        room.running(here, clock, BRISK) as one,
        room.running(memory.MemoryStore(logs), clock) as two,
        reading(one) as feed,
    ):
        waiting = asyncio.ensure_future(take(feed, 2))
        await asyncio.sleep(0)
        await tonj.found(two, clock)
        assert len(await waiting) == 2


@pytest.mark.parametrize("damage", ["unreadable", "shorter"])
async def test_a_match_that_cannot_be_read_is_told_by_its_id_and_holds_up_no_other(clock: Clock, damage: str) -> None:
    logs, watching = memory.Logs(), Watching()
    async with room.running(memory.MemoryStore(logs), clock, observer=watching) as runtime:
        bad = await tonj.found(runtime, clock, "a")
        clock.now_ms += 1
        await bad.submit(PLAYERS[0], RESIGN)
        clock.now_ms += 1
        good = await tonj.found(runtime, clock, "b")
        log = logs.matches[bad.match_id].log
        if damage == "shorter":
            log.pop()
        else:
            log[1] = dataclasses.replace(log[1], payload=b"\xff")
        told = await read(runtime, 5)
        assert [(one.match_id, one.kind, one.match is None) for one in told] == [
            (bad.match_id, "seated", False),
            (bad.match_id, "started", False),
            (bad.match_id, "ended", True),
            (good.match_id, "seated", False),
            (good.match_id, "started", False),
        ]
    ((where, note),) = watching.faults
    assert where == "results"
    assert bad.match_id in note


async def test_readers_are_let_go_when_the_server_stops(store: protocol.Store, clock: Clock) -> None:
    runtime = Runtime(store, room.SEALER, now=clock, observer=Silent(), limits=room.PATIENT)
    await runtime.start()
    await tonj.found(runtime, clock)
    async with reading(runtime) as unread, reading(runtime) as waiting:
        (first,) = await take(unread, 1)
        await take(waiting, 2)
        hanging = asyncio.ensure_future(take(waiting, 1))
        await asyncio.sleep(0)
        await runtime.stop()
        for end in (hanging, take(unread, 1), runtime.results.watch("wallet", "")):
            assert (await room.refused(end)).reason == "DRAINING"
        assert (await room.refused(runtime.results.acknowledge("wallet", first.cursor))).reason == "DRAINING"
    async with room.running(store, clock) as again:
        assert [one.kind for one in await read(again, 1, after=first.cursor)] == ["started"]


@pytest.mark.parametrize("call", ["results", "payloads"])
async def test_a_store_that_is_away_ends_a_stream_that_then_goes_on_where_it_was(
    runtime: Runtime, store: protocol.Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    async def away(*_: Any) -> Any:
        raise protocol.Unavailable

    first = await tonj.found(runtime, clock, "a")
    async with reading(runtime) as feed:
        told = await take(feed, 2)
        with monkeypatch.context() as patched:
            patched.setattr(store, call, away)
            await first.submit(PLAYERS[0], RESIGN)
            assert (await room.refused(take(feed, 1))).reason == "STORE_UNAVAILABLE"
    assert [one.kind for one in await read(runtime, 1, after=told[-1].cursor)] == ["ended"]


async def test_who_gives_up_waiting_misses_nothing(runtime: Runtime, clock: Clock) -> None:
    async with reading(runtime) as feed:
        making = asyncio.gather(*(tonj.found(runtime, clock, str(number)) for number in range(20)))
        told: list[Told] = []
        async with asyncio.timeout(PATIENCE):
            for turn in range(10**6):
                if len(told) == 40:
                    break
                asking = asyncio.ensure_future(anext(feed))
                for _ in range(turn % 7):
                    await asyncio.sleep(0)
                if turn % 7 == 6:  # a store may be further away than some turns of the loop
                    await asyncio.wait([asking], timeout=0.1)
                if not asking.done():
                    asking.cancel()
                    await asyncio.wait([asking])
                if asking.cancelled():
                    await asyncio.sleep(0.001)
                else:
                    told.append(asking.result())
        await making
        assert [int(pages.place(one.cursor, 1)[0]) for one in told] == list(range(1, 41))
