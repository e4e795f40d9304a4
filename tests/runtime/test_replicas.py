"""Two runtimes over the same logs: one wins, the other catches up, and nobody is refused on an old state."""

import asyncio
import dataclasses
import random
from collections.abc import AsyncIterator

import pytest

from majlis.match.refusal import Refusal
from majlis.runtime.runtime import Runtime
from majlis.store import memory
from tests.runtime import room, tonj
from tests.runtime.room import RESIGN, Answer, Clock, Losses, Match
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

Replicas = tuple[Runtime, Runtime]


@pytest.fixture
def losses() -> Losses:
    return Losses()


@pytest.fixture
def logs() -> memory.Logs:
    return memory.Logs()


@pytest.fixture
async def replicas(logs: memory.Logs, clock: Clock, losses: Losses) -> AsyncIterator[Replicas]:
    patient = dataclasses.replace(room.PATIENT, feed_length=1000)
    async with (
        room.running(Faulty(logs), clock, patient, losses) as one,
        room.running(Faulty(logs), clock, patient, losses) as two,
    ):
        yield one, two


@pytest.fixture
async def match(replicas: Replicas, clock: Clock) -> Match:
    return await tonj.found(replicas[0], clock)


async def test_of_two_actions_at_once_one_wins_and_the_other_is_judged_on_the_new_state(
    replicas: Replicas, match: Match, losses: Losses
) -> None:
    feeds = [await match.on(replica).watch(PLAYERS[0], await match.head()) for replica in replicas]
    for feed in feeds:
        await room.waiting(feed)
    mover, head = await match.mover(), await match.head()
    action = await match.choice(mover)
    ends = await asyncio.gather(
        *(match.on(replica).submit(mover, action, expected=head) for replica in replicas), return_exceptions=True
    )
    (won,) = [end for end in ends if isinstance(end, Answer)]
    (lost,) = [end for end in ends if isinstance(end, Refusal)]
    assert (lost.reason, lost.sequence) == ("STALE_SEQUENCE", won.sequence)
    assert losses.count == 1
    for feed in feeds:
        assert room.sequences(await room.waiting(feed)) == [event.sequence for event in won.events]


async def test_the_same_request_at_both_gets_one_answer(replicas: Replicas, match: Match, logs: memory.Logs) -> None:
    for number in range(10):
        mover, head = await match.mover(), await match.head()
        action = await match.choice(mover)
        one, two = await asyncio.gather(
            *(match.on(replica).submit(mover, action, request_id=f"{number}", expected=head) for replica in replicas)
        )
        assert one == two
    assert len(logs.matches[match.match_id].log) == 11


async def test_nothing_is_refused_or_shown_on_an_old_state(replicas: Replicas, match: Match) -> None:
    behind = match.on(replicas[1])
    before = await behind.head()
    answer = await match.move()
    # The other has not heard of it.
    mover = await match.mover()
    assert (await behind.state()).match.sequence == answer.sequence
    again = await match.move()
    feed = await behind.watch(PLAYERS[0], before)
    assert room.sequences(await room.waiting(feed)) == list(range(before + 1, again.sequence + 1))
    last = await match.move()
    await behind.watch(PLAYERS[1], last.sequence)  # no AHEAD_OF_HEAD
    final = await match.move()
    mover = await match.mover()
    await behind.submit(mover, await match.choice(mover), expected=final.sequence)  # nor here
    no = await room.refused(behind.submit(mover, RESIGN, expected=10_000))
    assert (no.reason, no.sequence) == ("AHEAD_OF_HEAD", await match.head())


async def test_a_repeat_at_another_replica_is_answered_first(replicas: Replicas, match: Match) -> None:
    behind = match.on(replicas[1])
    await behind.head()
    mover, head = await match.mover(), await match.head()
    action = await match.choice(mover)
    answer = await match.submit(mover, action, request_id="same", expected=head)
    await match.submit(PLAYERS[0], RESIGN)
    assert await behind.submit(mover, action, request_id="same", expected=head) == answer
    assert (await room.refused(behind.submit(mover, RESIGN, request_id="same"))).reason == "REQUEST_ID_REUSED"


async def test_a_clock_that_runs_out_at_both_runs_out_once(replicas: Replicas, match: Match, clock: Clock) -> None:
    other = match.on(replicas[1])
    await other.head()
    before = await match.head()
    clock.now_ms = await match.deadline_ms() + 1
    await asyncio.gather(*(replica.sweep.run() for replica in replicas))
    for replica in replicas:
        await room.done(replica, "timer")
    feed = await match.watch(PLAYERS[0], before)
    timed_out = [
        event for update in await room.waiting(feed) for event in update.events.events if event.HasField("timed_out")
    ]
    assert len(timed_out) == 1
    assert await other.head() == await match.head()


@pytest.mark.parametrize("seed", range(5))
async def test_players_at_different_replicas_play_one_match(
    replicas: Replicas, match: Match, logs: memory.Logs, losses: Losses, seed: int
) -> None:
    chance = random.Random(seed)
    feeds = [await match.on(replica).watch(PLAYERS[0], 0) for replica in replicas]
    log = logs.matches[match.match_id].log
    acknowledged: dict[bytes, int] = {}
    reasons: set[str] = set()

    async def play(replica: Runtime, name: str) -> None:
        here = match.on(replica)
        for number in range(40):
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
            state = await here.state()
            if not state.clock.awaited_seats:
                return
            mover = PLAYERS[state.clock.awaited_seats[0]]
            request_id, action = f"{name}{number}", await here.choice(mover)
            try:
                answer = await here.submit(mover, action, request_id=request_id, expected=state.match.sequence)
                acknowledged[room.request_key(log[0], mover, request_id)] = answer.sequence
            except Refusal as no:
                reasons.add(no.reason)

    await asyncio.gather(*(play(replica, name) for replica, name in zip(replicas, "ab", strict=True)))
    assert losses.count > 0
    assert reasons <= {"STALE_SEQUENCE", "NOT_YOUR_TURN", "MATCH_OVER"}
    assert {one.request.key: one.sequence for one in log if one.request is not None} == acknowledged
    for replica, feed in zip(replicas, feeds, strict=True):
        head = await match.on(replica).head()
        assert head == log[-1].sequence
        assert room.sequences(await room.waiting(feed)) == list(range(1, head + 1))
