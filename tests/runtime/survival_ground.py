"""Five matches of three games on one runtime, their clients, and what has to hold of them after every step.

Each player sits in several of them, and uses the same request ids in all. What may happen to them is in
`test_survival`, what clients remember in `survival`.
"""

import asyncio
import contextlib
import dataclasses
import functools
import pathlib
import tempfile
from collections.abc import Coroutine
from typing import Any, ClassVar, cast

from hypothesis import stateful

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.store import open as opening
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2
from tests.runtime import room, survival, tonj, trix
from tests.runtime.room import RESIGN, Answer, Clock, State
from tests.runtime.stores import Failing
from tests.runtime.survival import SPECTATOR, Follower, Sent, Table

OUTAGE_MS = 3_000
LIMITS = dataclasses.replace(
    room.PATIENT,
    outage_seconds=OUTAGE_MS / 1000,
    restart_seconds=0,
    feed_length=6,
    max_gap=20,
    idle_seconds=20,
    stall_seconds=10**6,
)


def asked() -> list[matchmaking_service_pb2.CreateMatchRequest]:
    """Matches in which those who sit in one meet in another."""
    house = matchmaking_service_pb2.CreateMatchRequest(
        external_id="house",
        game=match_pb2.GAME_TONJ_HOUSE,
        options=match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(show_legal_moves=True)),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in ("basim", "amal")],
    )
    return [
        tonj.asked_match("tonj", max_claims_per_turn=20),
        tonj.asked_match("another", target_points=40),
        house,
        trix.asked_match("trix", double_seconds=30),
        trix.asked_match("slow", auto_play_delay_ms=0, play_seconds=30),
    ]


@functools.cache
def founded() -> tuple[protocol.Append, ...]:
    """Their first records: one deal for all examples, so that they can be repeated."""

    async def found() -> tuple[protocol.Append, ...]:
        logs = memory.Logs()
        async with room.running(memory.MemoryStore(logs), Clock()) as runtime:
            made = [await room.seated(runtime, Clock(), one) for one in asked()]
        return tuple(logs.matches[match.match_id].log[0] for match in made)

    return asyncio.run(found())


class Ground(stateful.RuleBasedStateMachine):
    """The matches, their clients, the store and the server."""

    ON_DISK: ClassVar[bool]

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.clock = Clock()
        self.directory = tempfile.TemporaryDirectory()
        self.logs = memory.Logs()
        self.stack = contextlib.AsyncExitStack()
        self.tables = [Table(one, tuple(player for player in one.players or () if player)) for one in founded()]
        viewers = [(table, name) for table in self.tables for name in (*table.players, SPECTATOR)]
        self.followers = [Follower(*viewer, device) for viewer in viewers for device in ("", "phone")]
        self.beaten_ms = 0
        """When a runtime was last seen to live."""
        self.run(self.open())

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        self.runner.run(work)

    def teardown(self) -> None:
        self.run(self.stack.aclose())
        self.runner.close()
        self.directory.cleanup()

    # --- The server ---

    async def open(self) -> None:
        """A store over the same logs or file as before, and a runtime on it."""
        if self.ON_DISK:
            inner = opening.open_store(str(pathlib.Path(self.directory.name, "majlis.db")), linger_ms=0)
        else:
            inner = memory.MemoryStore(self.logs)
            inner._shared = False  # one server: it need not look whether others have appended
        self.stack.push_async_callback(inner.close)
        self.store = Failing(inner)
        for one in founded():
            if await inner.head(one.match_id) is None:
                await inner.append(one)
        served = room.running(cast("protocol.Store", self.store), self.clock, LIMITS)
        self.runtime: Runtime = await self.stack.enter_async_context(served)
        self.beaten_ms = self.clock.now_ms

    async def settled(self) -> None:
        """Lets the server do what is due, in spite of what fails meanwhile."""
        for _ in range(len(self.store.faults) + 4):
            await self.runtime.pulse.beat()
            self.beaten_ms = self.clock.now_ms
            self.runtime._timers.check()
            await self.runtime.sweep.run()
            await room.done(self.runtime, "timer")
            await room.done(self.runtime, "settle")
            heads = [await self.store.inner.head(table.match_id) for table in self.tables]
            if not any(head and head.deadline_ms and head.deadline_ms < self.clock.now_ms for head in heads):
                return
        raise AssertionError("a clock does not run out")

    async def live(self, until_ms: int) -> None:
        """Time passes, and the server is there all the while."""
        while self.clock.now_ms < until_ms:
            self.clock.now_ms = min(until_ms, self.clock.now_ms + OUTAGE_MS)
            await self.settled()

    async def closed(self) -> None:
        await self.stack.aclose()
        self.stack = contextlib.AsyncExitStack()

    async def restarted(self) -> None:
        await self.closed()
        await self.open()

    # --- Its clients ---

    async def look(self, table: Table, player: str) -> State:
        """What a client is shown, and remembers; what the store refuses once is asked again."""
        for _ in range(len(self.store.faults) + 1):
            with contextlib.suppress(Refusal):
                state = State.FromString(await self.runtime.get_match(player, table.match_id))
                if state.HasField("clock"):
                    table.saw_clock(state.match.sequence, state.clock)
                table.saw_digest(player, state.match.sequence, state.view_digest)
                return state
        raise AssertionError("nobody can look")

    async def formed(self, table: Table, choice: int) -> Sent | None:
        """Something that somebody may do, formed on what he is shown."""
        possible = []
        for seat, player in enumerate(table.players):
            state = await self.look(table, player)
            possible += [(player, action, state.match.sequence) for action in survival.tries(state, seat)]
        if not possible:
            return None
        player, action, head = possible[choice % len(possible)]
        return Sent(player, table.next_request(), action, head, self.clock.now_ms)

    async def send(self, table: Table, sent: Sent) -> Answer | Refusal:
        """Sends a request, and remembers what it came to."""
        submit = room.asked_action(table.match_id, sent.request_id, sent.expected, sent.action)
        try:
            answer = await self.runtime.submit(sent.player, submit, sent.received_ms)
        except Refusal as no:
            table.refused.add(sent.key)
            return no
        read = Answer.FromString(answer)
        if sent.action == RESIGN and not read.events:
            table.refused.add(sent.key)
        else:
            table.answers[sent.key] = sent, answer
        return read

    async def stored(self) -> list[list[bytes]]:
        return [await self.store.inner.payloads(table.match_id) for table in self.tables]

    async def refused(self, table: Table, sent: Sent, *reasons: str) -> Refusal:
        """A request that has to be refused, and may change no byte of any log."""
        before = await self.stored()
        end = await self.send(table, sent)
        assert isinstance(end, Refusal), end
        assert not reasons or end.reason in reasons
        assert await self.stored() == before
        return end

    # --- What holds ---

    async def assert_given_back(self, before: list[State], since_ms: int, played_on: Table | None) -> None:
        """Asserts that an outage which is over now was given back whole, once, and that nothing else has happened."""
        for table, was in zip(self.tables, before, strict=True):
            await self.look(table, table.players[0])
            table.log = await self.store.inner.payloads(table.match_id)
            head, events = was.match.sequence, table.events()
            after = [event for event in events if event.sequence > head]
            last_ms = max(event.time.ToMilliseconds() for event in events if event.sequence <= head)
            lost_ms = self.clock.now_ms - max(since_ms, last_ms)
            extended = [event.clock_extended.by_ms for event in after if event.HasField("clock_extended")]
            if table is played_on and not after:
                continue  # what was played is hidden, and so is the time until something else happens
            assert extended == ([lost_ms] if was.HasField("clock") and lost_ms else [])
            assert table is played_on or len(after) == len(extended)
            assert not any(event.HasField("timed_out") for event in after)

    @stateful.invariant()
    def everything_holds(self) -> None:
        async def hold() -> None:
            # To look may make the server give time back: the log is read after that.
            await self.every_screen_shows_the_state_as_it_is()
            await self.the_log_has_what_was_acknowledged()
            self.the_log_folds_to_the_state_that_is_served()

        self.run(hold())

    async def every_screen_shows_the_state_as_it_is(self) -> None:
        for follower in self.followers:
            follower.read()
            if follower.feed is not None and follower.picture is not None:
                state = await self.look(follower.table, follower.name)
                follower.read()
                assert follower.sequence == state.match.sequence
                assert follower.picture.digest() == state.view_digest

    async def the_log_has_what_was_acknowledged(self) -> None:
        for table in self.tables:
            log = await self.store.inner.payloads(table.match_id)
            keys = [table.request_key(key) for key in table.answers]
            found = [await self.store.inner.find_request(table.match_id, key) for key in keys]
            table.assert_in_the_log(log, found)
            for key in table.refused - table.answers.keys():
                assert await self.store.inner.find_request(table.match_id, table.request_key(key)) is None

    def the_log_folds_to_the_state_that_is_served(self) -> None:
        for table in self.tables:
            sitting = self.runtime._hall.get(table.match_id)
            if sitting is None or sitting.section.held:
                continue
            folded, now_ms = _core.Table.load(table.log, room.SEALER), self.clock.now_ms
            assert (folded.record, folded.deadline_ms) == (sitting.table.record, sitting.deadline_ms)
            for viewer in (*range(len(table.players)), _core.SPECTATOR):
                assert folded.snapshot(viewer, now_ms, []) == sitting.table.snapshot(viewer, now_ms, [])
