"""Everything that may happen to five matches at once, in any order, against what their clients remember.

What has to hold after every step is in `survival_ground`. `MAJLIS_SURVIVAL=50` tries fifty times as much as a run of
all tests does.
"""

import asyncio
import copy
import dataclasses
import os

import hypothesis
import hypothesis.strategies as st
from hypothesis import stateful

from majlis.client.view import Picture
from majlis.match.refusal import Refusal
from majlis.v1 import match_pb2
from tests.runtime import room, survival, tonj, trix
from tests.runtime.room import RESIGN, Answer
from tests.runtime.stores import Fault
from tests.runtime.survival import SPECTATOR, Follower, Sent, Table
from tests.runtime.survival_ground import OUTAGE_MS, Ground

TIMES = int(os.environ.get("MAJLIS_SURVIVAL", "1"))
SETTINGS = hypothesis.settings(
    stateful_step_count=40,
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.filter_too_much],
)
PAUSES = [1, 999, 2_001, 4_001, 10_001, 20_001, 30_001]
"""Milliseconds."""

tables = st.integers(0, 4)
seats = st.integers(0, 3)


class Survival(Ground):
    """The matches, a store that fails at times, and a server that is started anew at times."""

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
