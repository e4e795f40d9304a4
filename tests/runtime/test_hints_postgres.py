"""Two servers over one PostgreSQL: who watches at one is told at once of what is played at the other."""

import contextlib
from collections.abc import AsyncIterator

import pytest

from majlis.runtime.runtime import Runtime
from majlis.store import open as opening
from tests.runtime import room, tonj
from tests.runtime.room import Clock
from tests.runtime.test_hints import upto
from tests.runtime.tonj import PLAYERS
from tests.services import fixtures

if not fixtures.CHOSEN:
    pytest.skip(fixtures.WHY_NOT, allow_module_level=True)


@contextlib.asynccontextmanager
async def served(url: str, clock: Clock) -> AsyncIterator[Runtime]:
    store = opening.open_store(url)
    try:
        async with room.running(store, clock) as runtime:
            yield runtime
    finally:
        await store.close()


async def test_who_watches_elsewhere_is_told_by_a_hint(database_url: str, clock: Clock) -> None:
    async with served(database_url, clock) as one, served(database_url, clock) as two:
        match = await tonj.found(one, clock)
        there = match.on(two)
        feeds = [await there.watch(player, 0) for player in PLAYERS]
        last = await match.head()
        for feed in feeds:
            await upto(feed, last)
        for number in range(12):
            mover = match if number % 3 else there
            answer = await mover.move()
            for feed in feeds:
                assert await upto(feed, answer.sequence) == list(range(last + 1, answer.sequence + 1))
            last = answer.sequence
