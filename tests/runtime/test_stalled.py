"""Readers who take nothing: what they hold is bounded, and the others wait for none of them (R23)."""

import asyncio

from tests.runtime import room, tonj
from tests.runtime.room import Clock, Match
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

STALLED = 200


async def turns(match: Match) -> tuple[int, int]:
    """Makes a move; how many turns of the loop it took until it was answered, and until another watcher had it."""
    mover, head = await match.mover(), await match.head()
    action = await match.choice(mover)
    reading = await match.watch(PLAYERS[0], head)
    await room.waiting(reading)
    acting = asyncio.ensure_future(match.submit(mover, action, expected=head))
    told = asyncio.ensure_future(anext(reading))
    answered = heard = 0
    for turn in range(1, 1_000):
        await asyncio.sleep(0)
        answered = answered or (turn if acting.done() else 0)
        heard = heard or (turn if told.done() else 0)
        if answered and heard:
            break
    assert room.Update.FromString(told.result()).sequence == acting.result().sequence
    await reading.aclose()
    return answered, heard


async def test_a_reader_who_takes_nothing_costs_the_others_nothing(clock: Clock) -> None:
    async with room.running(Faulty(), clock) as runtime:
        match = await tonj.found(runtime, clock, turn_seconds=300)
        alone = await turns(match)
        stalled = [await match.watch(f"spectator {number}") for number in range(STALLED)]
        assert await turns(match) == alone
        for _ in range(runtime._house.limits.feed_length):
            await match.move()
        # By now nothing more fits, and nothing is kept but that a snapshot is owed.
        assert await turns(match) == alone
        head = await match.head()
        for feed in stalled:
            (only,) = await room.waiting(feed)
            assert only.snapshot.match.sequence == head
