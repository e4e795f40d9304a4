"""Players who come to a match that waits, and go again: its clock is that of whoever opened it (R8)."""

import asyncio

from majlis.runtime.runtime import Runtime
from tests.runtime import guests, room
from tests.runtime.guests import Guests
from tests.runtime.room import Clock, Match

TIMES = 500


async def test_who_comes_and_goes_while_a_match_waits_moves_no_deadline(runtime: Runtime, clock: Clock) -> None:
    visitors = Guests(runtime, clock)
    opened = await visitors.join_table("amal", guests.OPEN_TRIX)
    match = Match(runtime, clock, opened.match_id, ("amal",))
    deadline_ms = await match.deadline_ms()
    for number in range(TIMES):
        clock.now_ms += 10
        player = f"player {number % 7}"
        joined = await visitors.join_table(player, guests.OPEN_TRIX)
        assert joined.match_id == opened.match_id
        await visitors.leave(player, opened.match_id)
    assert await match.deadline_ms() == deadline_ms
    # It holds, too: a millisecond later the match is void.
    clock.now_ms = deadline_ms
    await room.fired(runtime)
    assert (await match.state()).clock.deadline.ToMilliseconds() == deadline_ms
    clock.now_ms += 1
    await room.fired(runtime)
    await asyncio.sleep(0)
    assert not (await match.state()).HasField("clock")
