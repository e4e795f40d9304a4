"""One match under everything that may happen to it, in any order, against a plain model.

What was acknowledged is in the log, once; what was refused is not; and every watcher counts without a gap. What players
of a game do besides stands in the test of that game: `test_tonj_model`, `test_trix_model`.
"""

import asyncio
import contextlib
import dataclasses
from typing import ClassVar

import hypothesis
import hypothesis.strategies as st
from hypothesis import stateful

from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import matchmaking_service_pb2
from tests.runtime import room
from tests.runtime.room import RESIGN, Action, Answer, Clock, Match
from tests.runtime.stores import Fault, Faulty

LIMITS = dataclasses.replace(room.PATIENT, feed_length=6, max_gap=20, idle_seconds=20, stall_seconds=10**6)
SETTINGS = hypothesis.settings(
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
PAUSES = [1, 999, 1_500, 1_501, 2_001, 3_999, 4_000, 4_001, 10_001, 20_000, 20_001, 29_999, 30_000, 30_001, 100_000]
"""Milliseconds; on both sides of the deadlines that games have."""


def founded(asked: matchmaking_service_pb2.CreateMatchRequest) -> protocol.Append:
    """The founding of a match: one deal for all examples, so that they can be repeated."""

    async def found() -> protocol.Append:
        logs = memory.Logs()
        async with room.running(memory.MemoryStore(logs), Clock()) as runtime:
            match = await room.seated(runtime, Clock(), asked)
        return logs.matches[match.match_id].log[0]

    return asyncio.run(found())


@dataclasses.dataclass
class Watcher:
    """A client that resumes where it was."""

    name: str
    feed: Feed | None = None
    seen: int | None = None


@dataclasses.dataclass(frozen=True)
class Acknowledged:
    player: str
    action: Action
    answer: Answer


class OneMatch(stateful.RuleBasedStateMachine):
    """Its players, a spectator, a store that fails at times, and a server that is started anew at times."""

    FOUNDED: ClassVar[protocol.Append]

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.clock = Clock()
        self.logs = memory.Logs()
        self.stack = contextlib.AsyncExitStack()
        self.acknowledged: dict[str, Acknowledged] = {}
        self.untold: set[bytes] = set()  # keys of what was refused, or accepted and caused nothing
        self.players = tuple(player for player in self.FOUNDED.players or () if player is not None)
        self.watchers = [Watcher(name) for name in (*self.players, "celine")]
        self.requests = 0
        self.runner.run(memory.MemoryStore(self.logs).append(self.FOUNDED))
        self.runner.run(self.begin())
        self.match = Match(self.runtime, self.clock, self.FOUNDED.match_id, self.players)

    async def begin(self) -> None:
        self.store = Faulty()
        self.store._logs = self.logs
        self.runtime: Runtime = await self.stack.enter_async_context(room.running(self.store, self.clock, LIMITS))

    def teardown(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()

    @property
    def log(self) -> list[protocol.Append]:
        return self.logs.matches[self.match.match_id].log

    def answered(self) -> int:
        """How many requests have a record."""
        return sum(one.request is not None for one in self.log)

    def overdue(self) -> bool:
        deadline_ms = self.log[-1].deadline_ms
        return deadline_ms is not None and deadline_ms < self.clock.now_ms

    async def submit(self, player: str, action: Action, expected: int | None) -> Answer | Refusal:
        self.requests += 1
        request_id = f"r{self.requests}"
        try:
            answer = await self.match.submit(player, action, request_id=request_id, expected=expected)
        except Refusal as no:
            self.untold.add(self.key(player, request_id))
            return no
        if action == RESIGN and not answer.events:
            self.untold.add(self.key(player, request_id))
        else:
            self.acknowledged[request_id] = Acknowledged(player, action, answer)
        return answer

    def key(self, player: str, request_id: str) -> bytes:
        return room.request_key(self.FOUNDED, player, request_id)

    async def possible(self) -> list[tuple[str, Action]]:
        """What anybody may do now."""
        return [(player, action) for player in self.players for action in room.legal(await self.match.state(player))]

    @stateful.rule(choice=st.integers(0, 200), expecting=st.sampled_from(["the head", "nothing", "the past"]))
    def somebody_acts(self, choice: int, expecting: str) -> None:
        async def act() -> None:
            head, possible = await self.match.head(), await self.possible()
            if not possible:
                return
            player, action = possible[choice % len(possible)]
            expected = {"the head": head, "nothing": None, "the past": head - 1}[expecting]
            end = await self.submit(player, action, expected)
            if expecting == "the past":
                assert isinstance(end, Refusal)
                assert (end.reason, end.sequence) == ("STALE_SEQUENCE", head)
            else:
                assert isinstance(end, Answer) or end.reason == "STORE_UNAVAILABLE"

        self.runner.run(act())

    @stateful.rule(seats=st.lists(st.integers(0, 3), min_size=2, max_size=4), cancelled=st.integers(0, 4))
    def several_act_at_once_and_one_goes_away(self, seats: list[int], cancelled: int) -> None:
        async def act() -> None:
            head = await self.match.head()
            players = [self.players[seat % len(self.players)] for seat in seats]
            tasks = [asyncio.ensure_future(self.submit(one, await self.match.choice(one), head)) for one in players]
            await asyncio.sleep(0)
            if cancelled < len(tasks):
                tasks[cancelled].cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            # Of those that everybody is told of, one at most was made at this head.
            assert sum(isinstance(end, Answer) and bool(end.events) for end in ends) <= 1
            await room.done(self.runtime, "settle")  # what the one who went away has left behind

        self.runner.run(act())

    @stateful.precondition(lambda self: self.acknowledged and not self.store.faults)
    @stateful.rule(data=st.data(), expected=st.sampled_from([None, 1]))
    def somebody_repeats_himself(self, data: st.DataObject, expected: int | None) -> None:
        request_id = data.draw(st.sampled_from(sorted(self.acknowledged)))
        first = self.acknowledged[request_id]

        async def repeat() -> None:
            again = await self.match.submit(first.player, first.action, request_id=request_id, expected=expected)
            assert again == first.answer
            if first.action != RESIGN:
                no = await room.refused(self.match.submit(first.player, RESIGN, request_id=request_id))
                assert no.reason == "REQUEST_ID_REUSED"

        self.runner.run(repeat())

    @stateful.rule(who=st.integers(0, 4), rewind=st.none() | st.integers(0, 30))
    def somebody_comes_back(self, who: int, rewind: int | None) -> None:
        watcher = self.watchers[who % len(self.watchers)]
        if watcher.seen is not None and rewind is not None:
            watcher.seen = max(0, watcher.seen - rewind)

        async def come_back() -> None:
            if watcher.feed is not None:
                await watcher.feed.aclose()
            watcher.feed = await self.match.watch(watcher.name, watcher.seen)

        self.runner.run(come_back())

    @stateful.rule(who=st.integers(0, 4))
    def somebody_reads(self, who: int) -> None:
        self.runner.run(self.read(self.watchers[who % len(self.watchers)]))

    async def read(self, watcher: Watcher) -> None:
        if watcher.feed is None:
            return
        try:
            updates = await room.waiting(watcher.feed)
        except Refusal:
            watcher.feed = None
            return
        for update in updates:
            if update.HasField("snapshot"):
                watcher.seen = update.snapshot.match.sequence
            for event in update.events.events:
                assert watcher.seen is not None
                assert event.sequence == watcher.seen + 1
                watcher.seen = event.sequence
            assert watcher.seen == update.sequence or update.HasField("notice")
        assert watcher.seen == await self.match.head()

    @stateful.rule(milliseconds=st.sampled_from(PAUSES))
    def time_passes(self, milliseconds: int) -> None:
        async def passes() -> None:
            self.clock.now_ms += milliseconds
            await room.fired(self.runtime)
            while self.overdue():
                faults = len(self.store.faults)
                await self.runtime.sweep.run()
                await room.done(self.runtime, "timer")
                assert not self.overdue() or len(self.store.faults) < faults

        self.runner.run(passes())

    @stateful.rule(fault=st.sampled_from(Fault))
    def the_next_append_fails(self, fault: Fault) -> None:
        self.store.faults.append(fault)

    @stateful.rule()
    def the_store_reopens(self) -> None:
        self.runner.run(self.reopen())

    async def reopen(self) -> None:
        self.store.on_reopen()

    @stateful.rule()
    def the_server_starts_anew(self) -> None:
        async def restart() -> None:
            await self.stack.aclose()
            await self.begin()
            self.match = self.match.on(self.runtime)

        self.runner.run(restart())

    @stateful.invariant()
    def what_was_acknowledged_is_in_the_log_once_and_nothing_else(self) -> None:
        log = self.log
        assert [one.record for one in log] == list(range(1, len(log) + 1))
        assert [one.sequence for one in log] == sorted(one.sequence for one in log)
        assert [one.instant_ms for one in log] == sorted(one.instant_ms for one in log)
        answered = {one.request.key: one for one in log if one.request is not None}
        assert len(answered) == self.answered()
        for request_id, acknowledged in self.acknowledged.items():
            assert answered[self.key(acknowledged.player, request_id)].sequence == acknowledged.answer.sequence
        assert not self.untold & answered.keys()

    @stateful.invariant()
    def what_is_shown_is_the_end_of_the_log(self) -> None:
        assert self.runner.run(self.match.head()) == self.log[-1].sequence
