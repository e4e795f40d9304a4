"""Watchers at one server while others act at another: what they see, how soon, and that they need not ask for it."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from majlis.runtime import hints
from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from tests.runtime import room, tonj
from tests.runtime.room import Clock, Update
from tests.runtime.stores import Faulty
from tests.runtime.tonj import PLAYERS

SOON_S = 2.0
"""Sooner than any look of the pulse, which is the test's to beat."""


class Asked(Faulty):
    """Tells how often heads were asked for, and of how many matches each time."""

    def __init__(self, logs: memory.Logs) -> None:
        super().__init__(logs)
        self.heads_of: list[int] = []

    async def heads(self, match_ids: Sequence[str]) -> list[protocol.Head]:
        self.heads_of.append(len(match_ids))
        return await super().heads(match_ids)


async def upto(feed: Feed, sequence: int) -> list[int]:
    """The numbers of the events that come, up to this one."""
    seen: list[int] = []
    async with asyncio.timeout(SOON_S):
        while not seen or seen[-1] < sequence:
            seen += room.sequences([Update.FromString(await anext(feed))])
    return seen


@pytest.fixture
async def pair(clock: Clock) -> AsyncIterator[tuple[Runtime, Runtime, Asked]]:
    """Two runtimes over the same logs in memory, which tell each other nothing; and the second's store."""
    logs = memory.Logs()
    here, there = Faulty(logs), Asked(logs)
    async with room.running(here, clock) as one, room.running(there, clock) as two:
        yield one, two, there


async def test_who_watches_elsewhere_is_told_though_hints_are_lost(
    pair: tuple[Runtime, Runtime, Asked], clock: Clock
) -> None:
    one, two, store = pair
    match = await tonj.found(one, clock)
    feed = await match.on(two).watch(PLAYERS[0], 0)
    before = await match.head()
    assert await upto(feed, before) == list(range(1, before + 1))
    for _ in range(3):
        answer = await match.move()
        await two.pulse.beat()
        assert room.sequences(await room.waiting(feed)) == []  # it is too early to look again
        clock.now_ms += hints.LOOK_MS
        await two.pulse.beat()
        assert await upto(feed, answer.sequence) == list(range(before + 1, answer.sequence + 1))
        before = answer.sequence
    assert store.heads_of == [1, 1, 1]


async def test_all_that_are_watched_are_looked_at_by_one_question_and_no_others(
    pair: tuple[Runtime, Runtime, Asked], clock: Clock
) -> None:
    one, two, store = pair
    matches = [await tonj.found(one, clock, str(number)) for number in range(6)]
    feeds = [await match.on(two).watch(PLAYERS[0], await match.head()) for match in matches[:4]]
    await matches[5].on(two).head()
    heads = [(await match.move()).sequence for match in matches]
    clock.now_ms += hints.LOOK_MS
    await two.pulse.beat()
    assert store.heads_of == [4]
    for feed, head in zip(feeds, heads, strict=False):
        assert (await upto(feed, head))[-1] == head


async def test_a_hint_of_what_is_known_or_watched_by_nobody_asks_for_nothing(
    pair: tuple[Runtime, Runtime, Asked], clock: Clock
) -> None:
    one, two, store = pair
    match = await tonj.found(one, clock)
    feed = await match.on(two).watch(PLAYERS[0], await match.head())
    store.down = True  # whoever asked now would fail
    two.hints.heard(match.match_id, 1)
    two.hints.heard("another", 9)
    assert not [task for task in two._background._tasks if task.get_name() == "hint"]
    store.down = False
    await feed.aclose()
    two.hints.heard(match.match_id, 2)
    assert not [task for task in two._background._tasks if task.get_name() == "hint"]


async def test_a_hint_that_cannot_be_followed_now_is_made_good_by_the_next(
    pair: tuple[Runtime, Runtime, Asked], clock: Clock
) -> None:
    one, two, store = pair
    match = await tonj.found(one, clock)
    before = await match.head()
    feed = await match.on(two).watch(PLAYERS[0], before)
    answer = await match.move()
    store.down = True
    two.hints.heard(match.match_id, 2)
    await room.done(two, "hint")
    store.down = False
    two.hints.heard(match.match_id, 2)
    two.hints.heard(match.match_id, 2)
    assert await upto(feed, answer.sequence) == list(range(before + 1, answer.sequence + 1))
