"""Five matches of three games on one runtime, under everything that may happen to them, against what clients remember.

Each player sits in several of them, and uses the same request ids in all. What clients remember, and what has to hold
of it after every step, is in `survival`. `MAJLIS_SURVIVAL=50` tries fifty times as much as a run of all tests does.
"""

import asyncio
import contextlib
import copy
import dataclasses
import functools
import os
import pathlib
import tempfile
from collections.abc import Coroutine
from typing import Any, ClassVar, cast

import hypothesis
import hypothesis.strategies as st
from hypothesis import stateful

from majlis import _core
from majlis.client.view import Picture
from majlis.match.refusal import Refusal
from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.store import open as opening
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2
from tests.runtime import room, survival, tonj, trix
from tests.runtime.room import RESIGN, Answer, Clock, State
from tests.runtime.stores import Failing, Fault
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
TIMES = int(os.environ.get("MAJLIS_SURVIVAL", "1"))
SETTINGS = hypothesis.settings(
    stateful_step_count=40,
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.filter_too_much],
)
PAUSES = [1, 999, 2_001, 4_001, 10_001, 20_001, 30_001]
"""Milliseconds."""


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


tables = st.integers(0, 4)
seats = st.integers(0, 3)


class Survival(stateful.RuleBasedStateMachine):
    """The matches, their clients, a store that fails at times, and a server that is started anew at times."""

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

    # --- What happens ---

    @stateful.rule(which=tables, choice=st.integers(0, 200), expecting=st.booleans())
    def somebody_acts(self, which: int, choice: int, expecting: bool) -> None:
        async def act(table: Table) -> None:
            sent = await self.formed(table, choice)
            if sent is not None:
                end = await self.send(table, sent if expecting else dataclasses.replace(sent, expected=None))
                assert isinstance(end, Answer) or end.reason == "STORE_UNAVAILABLE"

        self.run(act(self.tables[which]))

    @stateful.rule(which=tables, choices=st.lists(st.integers(0, 200), min_size=5, max_size=25))
    def a_match_goes_on_for_a_while(self, which: int, choices: list[int]) -> None:
        async def play(table: Table) -> None:
            for choice in choices:
                sent = await self.formed(table, choice)
                if sent is not None:
                    await self.send(table, sent)

        self.run(play(self.tables[which]))

    @stateful.rule(which=tables, choice=st.integers(0, 200), off=st.integers(1, 30), ahead=st.booleans())
    def somebody_acts_on_what_is_not_there(self, which: int, choice: int, off: int, ahead: bool) -> None:
        async def act(table: Table) -> None:
            sent = await self.formed(table, choice)
            if sent is None or sent.expected is None:
                return
            expected = sent.expected + off if ahead else max(0, table.acted() - off)
            reason = "AHEAD_OF_HEAD" if ahead else "STALE_SEQUENCE"
            no = await self.refused(table, dataclasses.replace(sent, expected=expected), reason)
            assert no.sequence == sent.expected

        self.run(act(self.tables[which]))

    @stateful.rule(which=tables, seat=seats, how=st.sampled_from(["not his turn", "another game's", "not his seat"]))
    def somebody_does_what_he_may_not(self, which: int, seat: int, how: str) -> None:
        async def act(table: Table) -> None:
            player = table.players[seat % len(table.players)]
            state, action = await self.look(table, player), None
            sent = await self.formed(table, seat)
            if how == "not his turn" and sent is not None and not survival.tries(state, seat % len(table.players)):
                action = sent.action
            elif how == "another game's":
                action = tonj.REVEAL if len(table.players) > 2 else trix.PASS
            elif how == "not his seat":
                player, action = SPECTATOR, RESIGN
            if action is not None:
                request = Sent(player, table.next_request(), action, None, self.clock.now_ms)
                await self.refused(table, request)

        self.run(act(self.tables[which]))

    @stateful.precondition(lambda self: any(table.answers for table in self.tables))
    @stateful.rule(data=st.data(), other=st.booleans(), expected=st.none() | st.integers(0, 3), times=st.integers(1, 3))
    def somebody_repeats_himself(self, data: st.DataObject, other: bool, expected: int | None, times: int) -> None:
        table = data.draw(st.sampled_from([table for table in self.tables if table.answers]))
        sent, answer = data.draw(st.sampled_from(list(table.answers.values())))
        action = survival.others(sent.action) if other else sent.action
        again = room.asked_action(table.match_id, sent.request_id, expected, action)

        async def repeat() -> None:
            before = await self.stored()
            asking = (self.runtime.submit(sent.player, again, self.clock.now_ms) for _ in range(times))
            for end in await asyncio.gather(*asking, return_exceptions=True):
                if other:
                    assert isinstance(end, Refusal)
                    assert end.reason == "REQUEST_ID_REUSED"
                else:
                    assert end == answer
            assert await self.stored() == before

        self.store.faults.clear()
        self.run(repeat())

    @stateful.rule(
        moves=st.lists(st.tuples(tables, st.integers(0, 200)), min_size=2, max_size=6), gone=st.integers(0, 9)
    )
    def several_act_at_once_and_one_goes_away(self, moves: list[tuple[int, int]], gone: int) -> None:
        self.run(self.at_once(moves, gone, restart=False))

    @stateful.rule(
        moves=st.lists(st.tuples(tables, st.integers(0, 200)), min_size=1, max_size=4), gone=st.integers(0, 9)
    )
    def the_server_stops_while_several_act(self, moves: list[tuple[int, int]], gone: int) -> None:
        self.run(self.at_once(moves, gone, restart=True))

    async def at_once(self, moves: list[tuple[int, int]], gone: int, *, restart: bool) -> None:
        formed = [(self.tables[which], await self.formed(self.tables[which], choice)) for which, choice in moves]
        sent = [(table, one) for table, one in formed if one is not None]
        tasks = [asyncio.ensure_future(self.send(table, one)) for table, one in sent]
        await asyncio.sleep(0)
        if gone < len(tasks):
            tasks[gone].cancel()
        if restart:
            await self.restarted()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        await room.done(self.runtime, "settle")  # what the one who went away has left behind
        for table in self.tables:
            # Of those that everybody is told of, one at most was made at the head that all had seen.
            mine = [end for (its, _), end in zip(sent, ends, strict=True) if its is table]
            assert sum(isinstance(end, Answer) and bool(end.events) for end in mine) <= 1
        assert not [end for end in ends if not isinstance(end, Answer | Refusal | asyncio.CancelledError)]

    @stateful.rule(which=tables, choice=st.integers(0, 200))
    def a_request_is_held_up(self, which: int, choice: int) -> None:
        async def form(table: Table) -> None:
            sent = await self.formed(table, choice)
            if sent is not None:
                table.held_up.append(sent)

        self.run(form(self.tables[which]))

    @stateful.precondition(lambda self: any(table.held_up for table in self.tables))
    @stateful.rule()
    def what_was_held_up_arrives(self) -> None:
        async def arrive(table: Table, sent: Sent) -> None:
            end = await self.send(table, sent)
            table.log = await self.store.inner.payloads(table.match_id)
            acted = table.acted()
            if isinstance(end, Refusal) and end.reason != "STORE_UNAVAILABLE" and sent.expected is not None:
                stale = end.reason in ("STALE_SEQUENCE", "MATCH_OVER") and acted > sent.expected
                assert stale or end.reason in ("ALREADY_ANSWERED", "NOT_ASKED")

        for table in self.tables:
            while table.held_up:
                self.run(arrive(table, table.held_up.pop(0)))

    @stateful.rule(which=tables, choice=st.integers(0, 200), late_ms=st.sampled_from([-1, 0, 1]), first=st.booleans())
    def somebody_acts_about_the_deadline(self, which: int, choice: int, late_ms: int, first: bool) -> None:
        async def act(table: Table) -> None:
            self.store.faults.clear()
            head = await self.store.inner.head(table.match_id)
            if head is None or head.deadline_ms is None:
                return
            await self.live(head.deadline_ms - 1)
            there = await self.store.inner.head(table.match_id)
            sent = await self.formed(table, choice)
            if there != head or sent is None:
                return
            # The timers have not looked yet, or look now, and both wait for one who is at work.
            self.clock.now_ms = head.deadline_ms + 1
            sitting = await self.runtime._hall.sitting(table.match_id)
            assert sitting.section.take()
            if first:
                self.runtime._timers.check()
                await asyncio.sleep(0)
            sending = self.send(table, dataclasses.replace(sent, received_ms=head.deadline_ms + late_ms))
            task = asyncio.ensure_future(sending)
            await asyncio.sleep(0)
            sitting.leave()
            end = await task
            if late_ms > 0:
                assert isinstance(end, Refusal)
                assert end.reason in ("STALE_SEQUENCE", "MATCH_OVER")
            else:
                assert isinstance(end, Answer), end
            await self.settled()

        self.run(act(self.tables[which]))

    @stateful.rule(which=tables, seat=seats)
    def somebody_gives_up(self, which: int, seat: int) -> None:
        async def give_up(table: Table) -> None:
            player = table.players[seat % len(table.players)]
            await self.send(table, Sent(player, table.next_request(), RESIGN, None, self.clock.now_ms))

        table = self.tables[which]
        # A match of two is over then, and there would be nothing left to happen.
        if len(table.players) > 2 or seat == 3:
            self.run(give_up(table))

    @stateful.rule(milliseconds=st.sampled_from(PAUSES))
    def time_passes(self, milliseconds: int) -> None:
        self.run(self.live(self.clock.now_ms + milliseconds))

    @stateful.rule(which=tables, off_ms=st.sampled_from([-1, 0, 1]))
    def time_passes_up_to_a_deadline(self, which: int, off_ms: int) -> None:
        async def pass_by(table: Table) -> None:
            head = await self.store.inner.head(table.match_id)
            if head is not None and head.deadline_ms is not None:
                await self.live(head.deadline_ms + off_ms)

        self.run(pass_by(self.tables[which]))

    @stateful.rule(
        gap_ms=st.sampled_from([OUTAGE_MS + 1, 7_000, 60_000]),
        what=st.sampled_from(["process", "disk", "machine"]),
        then=st.sampled_from(["it beats", "they look", "somebody acts"]),
        which=tables,
    )
    def an_outage(self, gap_ms: int, what: str, then: str, which: int) -> None:
        async def pass_by() -> None:
            self.store.faults.clear()
            await self.settled()
            since_ms, before = self.beaten_ms, [await self.look(table, table.players[0]) for table in self.tables]
            sent = await self.formed(self.tables[which], gap_ms)
            if what == "process":
                await self.closed()
                self.clock.now_ms += gap_ms
                await self.open()
            elif what == "disk":
                self.store.down = True
                self.clock.now_ms += gap_ms
                await self.runtime.pulse.beat()
                if sent is not None:
                    await self.refused(self.tables[which], sent, "STORE_UNAVAILABLE")
                    sent = dataclasses.replace(sent, request_id=self.tables[which].next_request())
                self.store.down = False
            else:
                self.clock.now_ms += gap_ms
            if then == "it beats":
                await self.runtime.pulse.beat()
            elif then == "somebody acts" and sent is not None:
                # What was formed before it is good still.
                end = await self.send(self.tables[which], dataclasses.replace(sent, received_ms=self.clock.now_ms))
                assert isinstance(end, Answer), end
            await self.assert_given_back(before, since_ms, self.tables[which] if then == "somebody acts" else None)
            await self.settled()

        self.run(pass_by())

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

    @stateful.rule(gap_ms=st.sampled_from([0, 1, 999, OUTAGE_MS]))
    def the_server_starts_anew(self, gap_ms: int) -> None:
        async def restart() -> None:
            self.store.faults.clear()
            await self.settled()
            since_ms, before = self.beaten_ms, [await self.look(table, table.players[0]) for table in self.tables]
            await self.closed()
            self.clock.now_ms += gap_ms
            await self.open()
            await self.assert_given_back(before, since_ms, None)
            await self.settled()

        self.run(restart())

    async def closed(self) -> None:
        await self.stack.aclose()
        self.stack = contextlib.AsyncExitStack()

    async def restarted(self) -> None:
        await self.closed()
        await self.open()

    @stateful.rule(fault=st.sampled_from(Fault))
    def the_next_append_fails(self, fault: Fault) -> None:
        self.store.faults.append(fault)

    @stateful.rule(idle=st.booleans())
    def matches_leave_the_memory(self, idle: bool) -> None:
        async def leave() -> None:
            if not idle:
                self.store.on_reopen()
                return
            for follower in self.followers:
                await follower.close()
            self.runtime._hall.drop_unused(self.clock.now_ms + 20_000)
            assert self.runtime.loaded == 0

        self.run(leave())

    @stateful.rule(
        who=st.lists(st.integers(0, 200), min_size=1, max_size=8),
        where=st.sampled_from(["he was", "anew", "the first", "some way back"]),
        closes=st.booleans(),
        back=st.integers(0, 30),
    )
    def some_come_back(self, who: list[int], where: str, closes: bool, back: int) -> None:
        async def come_back(follower: Follower) -> None:
            old, before = follower.feed, await self.stored()
            if closes and old is not None:
                await old.aclose()
            if where == "anew":
                follower.picture = None
            elif where == "the first":
                follower.picture = Picture(match_pb2.Match(), None)
            elif where == "some way back" and follower.kept:
                known = sorted(follower.kept)
                follower.picture = copy.deepcopy(follower.kept[known[-1 - back % len(known)]])
            asked = follower.name, follower.table.match_id, follower.sequence, follower.device
            follower.feed = await self.runtime.watch(*asked)
            if old is not None and not closes and follower.device:
                assert survival.end_of(old)
            elif old is not None and not closes:
                follower.half_open.append(old)
            assert await self.stored() == before

        self.store.faults.clear()
        for number in who:
            self.run(come_back(self.followers[number % len(self.followers)]))

    # --- What holds ---

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


class InMemory(Survival):
    """Fast, so that much can be tried."""

    ON_DISK = False


class OnDisk(Survival):
    """A SQLite file, which restarts open anew."""

    ON_DISK = True


InMemory.TestCase.settings = hypothesis.settings(SETTINGS, max_examples=100 * TIMES)
OnDisk.TestCase.settings = hypothesis.settings(SETTINGS, max_examples=10 * TIMES)


TestInMemory = InMemory.TestCase
TestOnDisk = OnDisk.TestCase
