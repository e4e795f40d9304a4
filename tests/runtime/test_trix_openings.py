"""How a player's feed opens: with what only he may know, last of all, and never with anybody's hidden answer."""

import asyncio
import dataclasses

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_service_pb2
from tests.runtime import room, trix
from tests.runtime.room import Clock, Match, Update
from tests.runtime.stores import Faulty
from tests.runtime.trix import PLAYERS, QUEENS, VIEWERS, double

Private = match_service_pb2.PrivateState


@pytest.fixture
async def match(store: protocol.Store, runtime: Runtime, clock: Clock) -> Match:
    """One in which two seats are asked, and the first of them has answered."""
    match = await trix.begun(store, runtime, clock, QUEENS, await trix.dealt(trix.queens_at(2)))
    await match.submit((await trix.asked(match))[0], double())
    return match


def private(updates: list[Update]) -> list[Private]:
    """The private states that were noticed, in order."""
    return [update.notice.private_state for update in updates if update.notice.HasField("private_state")]


@pytest.mark.parametrize("behind", [None, 0, 1, 3, 1000])
async def test_every_opening_ends_with_the_private_state_of_its_seat_and_of_no_other(
    match: Match, behind: int | None
) -> None:
    head = await match.head()
    after = None if behind is None else max(0, head - behind)
    asked = await trix.asked(match)
    for viewer in VIEWERS:
        feed = await match.watch(viewer, after)
        opening = await room.waiting(feed)
        first = {None: "snapshot", head: "heartbeat"}.get(after, "events")
        assert opening[0].WhichOneof("body") == first
        assert room.sequences(opening) == list(range((head if after is None else after) + 1, head + 1))
        presences = [update for update in opening if update.notice.HasField("presence")]
        if viewer in PLAYERS:
            assert private(opening) == [Private(may_double=viewer in asked)]
            assert private(opening[-1:]) == private(opening)
            assert len(presences) == 4
        else:
            assert private(opening) == []
            assert not opening[0].snapshot.HasField("private_state")
            assert not any(update.events.HasField("private_state") for update in opening)
        await feed.aclose()


async def test_a_gap_is_what_was_told_live_and_the_hidden_answers_in_it_leave_no_trace(
    store: protocol.Store, runtime: Runtime, clock: Clock
) -> None:
    match = await trix.begun(store, runtime, clock, QUEENS, await trix.dealt(trix.queens_at(4)))
    feeds = {viewer: await match.watch(viewer, 0) for viewer in VIEWERS}
    assert trix.kinds((await trix.answer_all(match)).events) == ["doubles_shown"]
    await match.move()
    head = await match.head()
    for viewer, feed in feeds.items():
        live = [list(update.events.events) for update in await room.waiting(feed) if update.HasField("events")]
        assert [event.sequence for batch in live for event in batch] == list(range(1, head + 1))
        for after in range(head + 1):
            resumed = await match.watch(viewer, after)
            opening = await room.waiting(resumed)
            missed = [[event for event in batch if event.sequence > after] for batch in live]
            told = [list(update.events.events) for update in opening if update.HasField("events")]
            assert told == [batch for batch in missed if batch]
            await resumed.aclose()


async def test_an_answer_while_the_gap_is_read_is_told_once_to_its_player_and_not_at_all_to_others(
    clock: Clock,
) -> None:
    store = Faulty()
    async with room.running(store, clock) as runtime:
        match = await trix.begun(store, runtime, clock, QUEENS, await trix.dealt(trix.queens_at(4)))
        store.reads.clear()
        opening = {viewer: asyncio.ensure_future(match.watch(viewer, 0)) for viewer in VIEWERS}
        await asyncio.sleep(0)
        await match.submit(PLAYERS[0], double())
        store.reads.set()
        for viewer, task in opening.items():
            told = private(await room.waiting(await task))
            # The newest comes last, and is what holds.
            assert [state.may_double for state in told[-1:]] == ([viewer != PLAYERS[0]] if viewer in PLAYERS else [])
            assert len(told) == {PLAYERS[0]: 2, "celine": 0}.get(viewer, 1)


async def test_a_backlog_gives_way_to_a_snapshot_that_tells_the_seat_what_is_its_own(
    store: protocol.Store, clock: Clock
) -> None:
    async with room.running(store, clock, dataclasses.replace(room.PATIENT, feed_length=3)) as runtime:
        match = await trix.begun(store, runtime, clock, QUEENS, await trix.dealt(trix.queens_at(4)))
        slow = {viewer: await match.watch(viewer, await match.head()) for viewer in VIEWERS}
        for player in PLAYERS:
            await match.submit(player, room.RESIGN)
        await match.submit(PLAYERS[0], double())
        for viewer, feed in slow.items():
            snapshots = [update.snapshot for update in await room.waiting(feed) if update.HasField("snapshot")]
            (snapshot,) = snapshots
            assert snapshot.HasField("private_state") == (viewer in PLAYERS)
            assert snapshot.private_state.may_double == (viewer in PLAYERS[1:])
