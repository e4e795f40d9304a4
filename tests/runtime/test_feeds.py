"""Watching: every event once and in order whatever happens in between, and no reader costs more than his due."""

import asyncio
import dataclasses
import gc

from majlis import _core
from majlis.runtime.observer import Silent
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from tests.runtime import room, tonj
from tests.runtime.room import RESIGN, Clock, Match, Update
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

VIEWERS = (*PLAYERS, "celine")
PATIENT = room.PATIENT


def presences(updates: list[Update]) -> list[tuple[int, bool]]:
    return [
        (update.notice.presence.seat, update.notice.presence.connected)
        for update in updates
        if update.notice.HasField("presence")
    ]


def bodies(updates: list[Update]) -> list[str | None]:
    return [update.WhichOneof("body") for update in updates]


async def test_it_opens_with_a_snapshot_and_goes_on_without_a_gap(match: Match) -> None:
    feed = await match.watch(PLAYERS[0])
    opening = await room.waiting(feed)
    assert bodies(opening) == ["snapshot", "notice", "notice"]
    assert opening[0].snapshot.viewer_seat == 0
    assert presences(opening) == [(0, True), (1, False)]
    head = opening[0].snapshot.match.sequence
    for _ in range(10):
        await match.move()
    assert room.sequences(await room.waiting(feed)) == list(range(head + 1, await match.head() + 1))


async def test_at_the_head_it_opens_with_a_sign_of_life(match: Match) -> None:
    head = await match.head()
    opening = await room.waiting(await match.watch(PLAYERS[0], head))
    assert bodies(opening) == ["heartbeat", "notice", "notice"]
    assert opening[0].sequence == head


async def test_a_place_beyond_the_head_is_refused_with_the_head(runtime: Runtime, match: Match) -> None:
    head = await match.head()
    no = await room.refused(match.watch(PLAYERS[0], head + 1))
    assert (no.reason, no.sequence) == ("AHEAD_OF_HEAD", head)


async def test_every_viewer_resumes_from_every_sequence_with_what_he_would_have_seen_live(match: Match) -> None:
    feeds = {viewer: await match.watch(viewer, 0) for viewer in VIEWERS}
    for _ in range(40):
        await match.move()
    head = await match.head()
    for viewer, feed in feeds.items():
        live = {event.sequence: event for update in await room.waiting(feed) for event in update.events.events}
        assert list(live) == list(range(1, head + 1))
        for after in range(head + 1):
            resumed = await match.watch(viewer, after)
            events = [event for update in await room.waiting(resumed) for event in update.events.events]
            assert events == [live[sequence] for sequence in range(after + 1, head + 1)]
            await resumed.aclose()


async def test_what_happens_while_the_gap_is_read_comes_after_it_and_once(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        for _ in range(5):
            await match.move()
        for after in range(await match.head()):
            store.reads.clear()
            opening = asyncio.ensure_future(match.watch(PLAYERS[0], after))
            await asyncio.sleep(0)
            await match.move()
            store.reads.set()
            feed = await opening
            await match.move()
            assert room.sequences(await room.waiting(feed)) == list(range(after + 1, await match.head() + 1))
            await feed.aclose()


async def test_what_is_under_way_when_it_opens_is_not_missed(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        mover, head = await match.mover(), await match.head()
        action = await match.choice(mover)
        store.gate.clear()
        under_way = asyncio.ensure_future(match.submit(mover, action))
        await asyncio.sleep(0.001)
        # It is in the log, but nobody may know of it yet.
        feeds = [await match.watch(viewer, after) for viewer in VIEWERS for after in (None, 0, head)]
        for feed in feeds:
            read = await room.waiting(feed)
            assert max(update.sequence for update in read) == head
        store.gate.set()
        answer = await under_way
        for feed in feeds:
            assert room.sequences(await room.waiting(feed)) == [event.sequence for event in answer.events]


async def test_a_gap_that_is_too_long_is_a_snapshot(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock, dataclasses.replace(PATIENT, max_gap=10)) as runtime:
        match = await tonj.found(runtime, clock)
        while await match.head() < 12:
            await match.move()
        head = await match.head()
        assert bodies(await room.waiting(await match.watch(PLAYERS[0], head - 11)))[0] == "snapshot"
        exact = await room.waiting(await match.watch(PLAYERS[0], head - 10))
        assert room.sequences(exact) == list(range(head - 9, head + 1))


async def test_a_full_backlog_gives_way_to_a_fresh_snapshot(store: protocol.Store, clock: Clock) -> None:
    async with room.running(store, clock, dataclasses.replace(PATIENT, feed_length=8)) as runtime:
        match = await tonj.found(runtime, clock)
        slow, quick = await match.watch(PLAYERS[0]), await match.watch(PLAYERS[1])
        seen = (await room.waiting(quick))[0].snapshot.match.sequence
        for _ in range(30):
            await match.move()
            head = await match.head()
            assert room.sequences(await room.waiting(quick)) == list(range(seen + 1, head + 1))
            seen = head
        (only,) = await room.waiting(slow)
        assert only.snapshot.match.sequence == seen
        answer = await match.move()
        assert room.sequences(await room.waiting(slow)) == [event.sequence for event in answer.events]


async def test_who_reads_nothing_for_long_is_let_go(runtime: Runtime, clock: Clock) -> None:
    match = await tonj.found(runtime, clock, turn_seconds=300)
    stalled, reading = await match.watch(PLAYERS[0]), await match.watch(PLAYERS[1])
    told: list[str] = []
    stalled.on_stall = lambda: told.append("cancel")
    await match.move()
    for _ in range(31):
        await runtime.pulse.beat()
        await room.waiting(reading)
        clock.now_ms += 1000
    assert told == []
    await runtime.pulse.beat()
    assert told == ["cancel"]
    assert (0, False) in presences(await room.waiting(reading))
    assert await room.rest(stalled) == ([], "STREAM_STALLED")
    await runtime.pulse.beat()
    assert told == ["cancel"]
    answer = await match.move()
    assert room.sequences(await room.waiting(reading)) == [event.sequence for event in answer.events]


async def test_a_reader_with_nothing_to_read_is_not_stalled(runtime: Runtime, clock: Clock, match: Match) -> None:
    feed = await match.watch(PLAYERS[0])
    for _ in range(100):
        await room.waiting(feed)
        await runtime.pulse.beat()
        clock.now_ms += 14_000
        if clock.now_ms > await match.deadline_ms():
            await match.head()
    assert feed in list(runtime._hall.get(match.match_id).audience)  # type: ignore[union-attr]


async def test_silence_is_broken_by_signs_of_life(runtime: Runtime, clock: Clock, match: Match) -> None:
    feed = await match.watch(PLAYERS[0], await match.head())
    await room.waiting(feed)
    clock.now_ms += 14_999
    await runtime.pulse.beat()
    assert await room.waiting(feed) == []
    clock.now_ms += 1
    await runtime.pulse.beat()
    assert bodies(await room.waiting(feed)) == ["heartbeat"]
    await runtime.pulse.beat()
    assert await room.waiting(feed) == []
    clock.now_ms -= 3_600_000
    await runtime.pulse.beat()
    assert bodies(await room.waiting(feed)) == ["heartbeat"]


async def test_everybody_sees_who_is_there(match: Match) -> None:
    first = await match.watch(PLAYERS[0])
    await room.waiting(first)
    second = await match.watch(PLAYERS[1])
    assert presences(await room.waiting(second)) == [(0, True), (1, True)]
    assert presences(await room.waiting(first)) == [(1, True)]
    assert [seat.connected for seat in (await match.state()).match.seats] == [True, True]
    tab = await match.watch(PLAYERS[1])
    await second.aclose()
    await second.aclose()
    assert presences(await room.waiting(first)) == []
    await tab.aclose()
    assert presences(await room.waiting(first)) == [(1, False)]
    assert [seat.connected for seat in (await match.state()).match.seats] == [True, False]
    spectator = await match.watch("celine")
    await spectator.aclose()
    assert await room.waiting(first) == []


async def test_a_device_that_comes_again_takes_the_place_of_its_old_stream(match: Match) -> None:
    other = await match.watch(PLAYERS[1])
    half_open = await match.watch(PLAYERS[0], device="phone")
    tablet = await match.watch(PLAYERS[0], device="tablet")
    await room.waiting(other)
    fresh = await match.watch(PLAYERS[0], await match.head(), device="phone")
    await room.waiting(fresh)
    assert (await room.rest(half_open))[1] == "STREAM_REPLACED"
    await half_open.aclose()  # late, and without effect
    assert await room.waiting(other) == []
    await room.waiting(tablet)
    answer = await match.move()
    for feed in (fresh, tablet, other):
        assert room.sequences(await room.waiting(feed)) == [event.sequence for event in answer.events]


async def test_a_players_feeds_are_bounded_and_the_oldest_goes(store: protocol.Store, clock: Clock) -> None:
    limits = dataclasses.replace(PATIENT, feeds_per_player=2, spectator_feeds=3)
    async with room.running(store, clock, limits) as runtime:
        match = await tonj.found(runtime, clock)
        first, _, _ = [await match.watch(PLAYERS[0]) for _ in range(3)]
        assert (await room.rest(first))[1] == "STREAM_REPLACED"
        spectators = [await match.watch(f"spectator {number}") for number in range(3)]
        assert (await room.refused(match.watch("one more"))).reason == "OVERLOADED"
        await spectators[0].aclose()
        await match.watch("one more")


async def test_it_ends_by_itself_after_the_end_of_the_match(runtime: Runtime, match: Match) -> None:
    feeds = [await match.watch(viewer, 0) for viewer in VIEWERS]
    await match.submit(PLAYERS[0], RESIGN)
    head = await match.head()
    late = [await match.watch(viewer, 0) for viewer in VIEWERS]
    for feed in (*feeds, *late):
        events = [event async for update in feed for event in Update.FromString(update).events.events]
        assert [event.sequence for event in events] == list(range(1, head + 1))
        assert events[-1].HasField("match_ended")
    assert not runtime._hall.get(match.match_id).audience  # type: ignore[union-attr]


async def test_a_reader_who_is_cancelled_loses_nothing(match: Match) -> None:
    feed = await match.watch(PLAYERS[0], 0)
    seen = room.sequences(await room.waiting(feed))
    for _ in range(20):
        reading = asyncio.ensure_future(anext(feed))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait([reading])
        await match.move()
        seen += room.sequences(await room.waiting(feed))
    assert seen == list(range(1, await match.head() + 1))


async def test_an_opening_that_is_cancelled_leaves_nothing_behind(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        await match.move()
        for _ in range(200):
            store.reads.clear()
            opening = asyncio.ensure_future(match.watch(PLAYERS[0], 0))
            await asyncio.sleep(0)
            opening.cancel()
            await asyncio.wait([opening])
            store.reads.set()
            del opening
        sitting = runtime._hall.get(match.match_id)
        assert sitting is not None
        assert not sitting.in_use
        gc.collect()
        assert not [one for one in gc.get_objects() if type(one).__name__ == "Feed"]


async def test_who_comes_is_counted_out_again_however_he_goes(clock: Clock) -> None:
    class Door(Silent):
        def __init__(self) -> None:
            self.inside = 0
            self.ways: set[str] = set()

        def feed_opened(self, how: str) -> None:
            self.inside += 1

        def feed_closed(self, why: str) -> None:
            self.inside -= 1
            self.ways.add(why)

    door, store = Door(), Faulty()
    limits = dataclasses.replace(PATIENT, feeds_per_player=3)
    async with room.running(store, clock, limits, door) as runtime:
        match = await tonj.found(runtime, clock, turn_seconds=600)
        await match.move()
        store.reads.clear()
        opening = asyncio.ensure_future(match.watch(PLAYERS[0], 0))
        await asyncio.sleep(0)
        opening.cancel()
        await asyncio.wait([opening])
        store.reads.set()
        gone, stalled = await match.watch(PLAYERS[0]), await match.watch(PLAYERS[1])
        kept = await match.watch(PLAYERS[0])
        for _ in range(3):
            await gone.aclose()
        await match.move()
        await runtime.pulse.beat()
        clock.now_ms += 31_000
        await room.waiting(kept)
        await runtime.pulse.beat()
        await room.rest(stalled)
        await stalled.aclose()
        replaced = [await match.watch(PLAYERS[0]) for _ in range(3)]
        store.on_reopen()
        for feed in (kept, *replaced):
            await room.rest(feed)
            await feed.aclose()
        watching = await match.watch(PLAYERS[0])
        await match.submit(PLAYERS[0], RESIGN)
        await room.waiting(watching)
        await watching.aclose()
        draining = await tonj.found(runtime, clock, "other")
        last = await draining.watch(PLAYERS[0])
    await room.rest(last)
    assert door.inside == 0
    assert door.ways == {"failed", "gone", "over", "STREAM_STALLED", "STREAM_REPLACED", "STREAM_RESET", "DRAINING"}


async def test_bytes_are_made_once_for_a_class_of_viewers_and_only_if_somebody_watches(match: Match) -> None:
    feeds = [await match.watch(f"spectator {number}", await match.head()) for number in range(3)]
    for feed in feeds:
        await room.waiting(feed)
    await match.move()
    first, *others = [await anext(feed) for feed in feeds]
    assert all(other is first for other in others)


async def test_a_stop_tells_then_finishes_then_ends(clock: Clock) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await tonj.found(runtime, clock)
        head = await match.head()
        feed = await match.watch(PLAYERS[0], head)
        await room.waiting(feed)
        mover = await match.mover()
        action = await match.choice(mover)
        store.gate.clear()
        under_way = asyncio.ensure_future(match.submit(mover, action))
        await asyncio.sleep(0)
        stopping = asyncio.ensure_future(runtime.stop())
        await asyncio.sleep(0)
        for late in (match.submit(mover, action), match.watch(PLAYERS[0]), match.state()):
            no = await room.refused(late)
            assert (no.reason, no.entry.retry) == ("DRAINING", True)
        store.gate.set()
        answer = await under_way
        await stopping
        read, reason = await room.rest(feed)
        assert reason == "DRAINING"
        assert read[0].notice.HasField("drain")
        assert room.sequences(read) == [event.sequence for event in answer.events]
        assert len(runtime._background) == 0
        assert runtime.loaded == 0
    async with room.running(store, clock) as runtime:
        assert await match.on(runtime).head() == answer.sequence


async def test_the_spectators_number_is_no_seat() -> None:
    assert _core.SPECTATOR not in range(64)
