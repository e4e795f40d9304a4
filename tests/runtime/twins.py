"""The same match of Trix twice, everybody watching both: what others are told must not depend on what is hidden."""

import contextlib
import dataclasses
from collections.abc import AsyncIterator

from majlis.runtime.feed import Feed
from majlis.runtime.limits import Limits
from majlis.store import memory, protocol
from tests.runtime import room, trix
from tests.runtime.room import Clock, Match, State, Update

Seen = dict[str, tuple[list[Update], State]]
"""By viewer: what came on his stream, and what he sees when he looks."""


@dataclasses.dataclass
class Twin:
    """One of the two, with its runtime and store to itself."""

    match: Match
    feeds: dict[str, Feed]

    async def second(self) -> None:
        """What a server does every second, at the instant that the clock shows."""
        runtime = self.match.runtime
        await runtime.pulse.beat()
        runtime._timers.check()
        await runtime.sweep.run()
        await room.done(runtime, "timer")

    async def streamed_to_all_but(self, player: str) -> dict[str, list[Update]]:
        """What the others' streams have brought since they were last asked."""
        told = {viewer: await room.waiting(feed) for viewer, feed in self.feeds.items()}
        return {viewer: updates for viewer, updates in told.items() if viewer != player}

    async def seen_by_all_but(self, player: str) -> Seen:
        """The same, and what they see when they look."""
        streamed = await self.streamed_to_all_but(player)
        return {viewer: (updates, await self.match.state(viewer)) for viewer, updates in streamed.items()}


@contextlib.asynccontextmanager
async def playing(
    founded: protocol.Append, clock: Clock, limits: Limits = room.PATIENT
) -> AsyncIterator[tuple[Twin, Twin]]:
    """Two that go on from the same founding, with a window open in which queens may be doubled."""
    async with contextlib.AsyncExitStack() as stack:
        twins = []
        for _ in range(2):
            store = memory.MemoryStore()
            runtime = await stack.enter_async_context(room.running(store, clock, limits))
            match = await trix.begun(store, runtime, clock, trix.QUEENS, founded)
            twins.append(Twin(match, {viewer: await match.watch(viewer) for viewer in trix.VIEWERS}))
        yield twins[0], twins[1]
