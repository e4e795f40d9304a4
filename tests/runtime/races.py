"""An action against the deadline of its clock, as often as one likes: the match is wound back before each race.

What is raced, and how the log tells who won, stands in `test_races`.
"""

import asyncio
import collections
import dataclasses
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import event_pb2
from tests.runtime import room
from tests.runtime.room import Action, Clock, Match, Update
from tests.runtime.stores import Faulty

LATE_MS = (-1, 0, 1)
"""After the deadline: the last millisecond before it, the same instant, and the first that is too late."""

Act = Callable[[int], Coroutine[Any, Any, object]]
"""The action, as received at an instant."""
Told = Callable[[Sequence[event_pb2.Event]], bool]
"""Whether what happened is the player's doing, once; False if it is the clock's, once. Fails on anything else."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """How the two come to the queue."""

    late_ms: int
    crowded: bool
    """Somebody is at work in the match, so that both wait."""
    timer_first: bool
    """The timer had come when the action did."""

    @property
    def is_in_time(self) -> bool:
        """Whether the action has to win. A timer that is at work already is not called back."""
        return self.late_ms <= 0 and (self.crowded or not self.timer_first)


@dataclasses.dataclass(frozen=True)
class Ground:
    """A match in which a clock runs, at the instant from which its races start."""

    store: Faulty
    runtime: Runtime
    clock: Clock
    match: Match
    log: Sequence[protocol.Append]
    start_ms: int
    head: int
    deadline_ms: int

    @classmethod
    async def at(cls, store: Faulty, runtime: Runtime, clock: Clock, match: Match) -> "Ground":
        """Where a match stands now."""
        log = tuple(store._logs.matches[match.match_id].log)
        return cls(store, runtime, clock, match, log, clock.now_ms, await match.head(), await match.deadline_ms())

    async def race(self, act: Act, entry: Entry) -> tuple[bool, list[event_pb2.Event]]:
        """Whether the action was taken, and what has happened by then."""
        self.runtime._hall.drop_all("reset")
        self.store._logs = memory.Logs()
        for append in self.log:
            await memory.MemoryStore.append(self.store, append)
        self.clock.now_ms = self.start_ms
        sitting = await self.runtime._hall.sitting(self.match.match_id)
        assert not entry.crowded or sitting.section.take()
        self.clock.now_ms = self.deadline_ms + 1
        if entry.timer_first:
            await self.timer_comes()
        acting = asyncio.ensure_future(act(self.deadline_ms + entry.late_ms))
        await asyncio.sleep(0)
        if not entry.timer_first:
            await self.timer_comes()
        if entry.crowded:
            assert sitting.section.waiting == 2
            sitting.leave()
        await room.done(self.runtime, "timer")
        (end,) = await asyncio.gather(acting, return_exceptions=True)
        if isinstance(end, Exception):
            assert isinstance(end, Refusal)
            assert end.reason in ("STALE_SEQUENCE", "MATCH_VOID")
        log = self.store._logs.matches[self.match.match_id].log
        assert len(log) == len(self.log) + 1
        told = _core.missed([one.payload for one in log], room.SEALER, _core.SPECTATOR, self.head, self.clock.now_ms)
        return not isinstance(end, Exception), [event for one in told for event in Update.FromString(one).events.events]

    def submits(self, player: str, action: Action) -> Act:
        """An action that was formed on what there is now."""
        return lambda at: self.match.submit(player, action, expected=self.head, at=at)

    async def timer_comes(self) -> None:
        self.runtime._timers.check()
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def raced(
    grounds: AsyncIterator[tuple[Ground, Act, Told]], times: int, chance: random.Random
) -> collections.Counter[tuple[Entry, bool]]:
    """Races as often as that, evenly on all grounds; how many had which outcome.

    Raises:
        AssertionError: a race had no winner or two, or not the one that it must have.
    """
    outcomes: collections.Counter[tuple[Entry, bool]] = collections.Counter()
    standing = [ground async for ground in grounds]
    for number in range(times):
        ground, act, is_his = standing[number % len(standing)]
        entry = Entry(chance.choice(LATE_MS), chance.random() < 0.7, chance.random() < 0.5)
        taken, events = await ground.race(act, entry)
        assert taken == is_his(events) == entry.is_in_time, (entry, events)
        outcomes[entry, taken] += 1
    return outcomes
