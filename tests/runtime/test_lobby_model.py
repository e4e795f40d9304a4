"""The lobby under everything that may happen to it, in any order, against a plain model.

Whoever was told that he has a seat is in exactly the place that the model says, nobody else is anywhere, and a repeat
of a request gets what the first came to. Players are few and tables are two, so that they meet.
"""

import asyncio
import contextlib
import dataclasses
import itertools
from collections.abc import Awaitable

import hypothesis.strategies as st
from hypothesis import stateful

from majlis import _core
from majlis.match.refusal import Refusal
from majlis.runtime.lobby import Opening
from majlis.store import memory
from majlis.v1 import match_pb2
from tests.runtime import guests, room
from tests.runtime.guests import ACTIVE, ENDED, FOUR, PRIVATE, QUICK, STAKED, STAKED_PRIVATE, VOID, WAITING, Guests
from tests.runtime.one_match import SETTINGS
from tests.runtime.room import Clock
from tests.runtime.stores import Fault, Faulty

PLAYERS = ("amal", "basim", "celine", "dalal")
LIMITS = dataclasses.replace(
    room.PATIENT, stakes_seconds=20, tables_seconds=50, rooms_seconds=70, rematch_seconds=30, idle_seconds=15
)
PAUSES = [1, 5_000, 19_999, 20_000, 20_001, 30_001, 50_001, 70_001]
"""Milliseconds; on both sides of the deadlines above."""
FEES = {QUICK: False, STAKED: True, PRIVATE: False, FOUR: False, STAKED_PRIVATE: True}

players = st.sampled_from(PLAYERS)


@dataclasses.dataclass
class Believed:
    """What the model thinks of a match."""

    seats: list[str | None]
    fee: bool
    deadline_ms: int | None
    reserved: list[str] = dataclasses.field(default_factory=list)
    status: match_pb2.MatchStatus.ValueType = WAITING
    paid: set[str] = dataclasses.field(default_factory=set)
    results: list[str] = dataclasses.field(default_factory=list)

    def is_full(self) -> bool:
        return None not in self.seats

    def join(self, player: str, now_ms: int) -> str:
        """Why he gets no seat, or nothing when he has one now."""
        if self.status in (VOID, ENDED):
            return "ROOM_EXPIRED"
        if player in self.seats:
            return "OWN_ROOM"
        if self.status != WAITING or self.is_full():
            return "ROOM_FULL"
        self.seats[self.reserved.index(player) if self.reserved else self.seats.index(None)] = player
        if self.is_full():
            self.results.append("seated")
            self.deadline_ms = now_ms + int(LIMITS.stakes_seconds * 1000)
            if not self.fee:
                self.turn(ACTIVE)
        return ""

    def leave(self, player: str) -> str:
        if player not in self.seats:
            return "NOT_SEATED"
        if self.status != WAITING:
            return {ACTIVE: "ALREADY_STARTED", ENDED: "MATCH_OVER", VOID: "MATCH_VOID"}[self.status]
        if not self.is_full():
            self.seats[self.seats.index(player)] = None
        if self.is_full() or not any(self.seats):
            self.turn(VOID)
        return ""

    def confirm(self, player: str) -> str:
        if player in self.paid:
            return ""
        if player not in self.seats:
            return "NOT_SEATED"
        if not self.fee:
            return "NO_STAKE"
        if self.status == VOID:
            return "MATCH_VOID"
        if not self.is_full():
            return "SEATS_FREE"
        self.paid.add(player)
        if len(self.paid) == len(self.seats):
            self.turn(ACTIVE)
        return ""

    def turn(self, status: match_pb2.MatchStatus.ValueType) -> None:
        self.status, self.deadline_ms = status, None
        self.results.append({ACTIVE: "started", ENDED: "ended", VOID: "void"}[status])


@dataclasses.dataclass(frozen=True)
class Kept:
    """A request that came to a match."""

    method: str
    player: str
    asked: str
    request_id: str
    match_id: str


class Lobby(stateful.RuleBasedStateMachine):
    """Four players, two tables, rooms, rematches; a store that fails at times, a server that starts anew at times."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.clock = Clock()
        self.logs = memory.Logs()
        self.stack = contextlib.AsyncExitStack()
        self.matches: dict[str, Believed] = {}
        self.named: dict[str, str] = {}
        """Matches by table, or by the match that they are the rematch of."""
        self.codes: dict[str, str] = {}
        self.kept: list[Kept] = []
        self.ids = itertools.count()
        self.runner.run(self.begin())

    async def begin(self) -> None:
        self.store = Faulty()
        self.store._logs = self.logs
        self.runtime = await self.stack.enter_async_context(room.running(self.store, self.clock, LIMITS))
        self.guests = Guests(self.runtime, self.clock, self.ids)

    def teardown(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()

    def believe(
        self, match_id: str, number: int, fee: bool, seconds: float, reserved: list[str] | None = None
    ) -> Believed:
        """A match that somebody opens, so far without him."""
        assert match_id not in self.matches
        deadline_ms = self.clock.now_ms + int(seconds * 1000)
        made = self.matches[match_id] = Believed([None] * number, fee, deadline_ms, reserved or [])
        return made

    def waiting_under(self, name: str) -> str | None:
        """The match that waits at a table, or has been made as a rematch and is not void."""
        match_id = self.named.get(name)
        if match_id is None:
            return None
        match = self.matches[match_id]
        gone = match.status == VOID or (name in (QUICK.table_id, STAKED.table_id) and match.is_full())
        return None if gone else match_id

    async def answered(self, work: Awaitable[object]) -> object:
        """What comes of a call: the reason, if it was refused."""
        try:
            return await work
        except Refusal as no:
            return no.reason

    async def call(self, method: str, player: str, asked: str, request_id: str) -> object:
        """A call of the lobby: the match that it came to, or why it came to none."""
        match method:
            case "table":
                end = await self.answered(
                    self.guests.join_table(player, QUICK if asked == QUICK.table_id else STAKED, request_id)
                )
            case "code":
                end = await self.answered(self.guests.join_room(player, self.codes[asked], request_id))
            case "leave":
                end = await self.answered(self.guests.leave(player, asked, request_id)) or asked
            case _:
                end = await self.answered(self.guests.rematch(player, asked, request_id))
        return end.match_id if isinstance(end, guests.Wire) else end

    async def come(self, method: str, player: str, asked: str) -> str | None:
        """A new request: what it came to; None if the store was away, and nothing was changed."""
        request_id = f"own {next(self.ids)}"
        end = await self.call(method, player, asked, request_id)
        assert isinstance(end, str)
        if end in self.logs.matches:
            self.kept.append(Kept(method, player, asked, request_id, end))
        return None if end == "STORE_UNAVAILABLE" else end

    def seated_under(self, name: str, player: str, end: str, seconds: float, made: tuple[int, bool, list[str]]) -> None:
        """Follows a player into the match that a name leads to, or that he has opened."""
        number, fee, reserved = made
        match_id = self.waiting_under(name)
        if match_id is None:
            self.believe(end, number, fee, seconds, reserved)
            self.named[name] = match_id = end
        assert end == match_id
        self.matches[end].join(player, self.clock.now_ms)

    @stateful.rule(who=st.lists(players, min_size=1, max_size=3), table=st.sampled_from([QUICK, STAKED]))
    def some_come_to_a_table_at_once(self, who: list[str], table: Opening) -> None:
        async def come() -> None:
            ends = await asyncio.gather(*(self.come("table", player, table.table_id) for player in who))
            for player, end in zip(who, ends, strict=True):  # they are let in one by one
                if end is not None:
                    self.seated_under(table.table_id, player, end, LIMITS.tables_seconds, (2, FEES[table], []))

        self.runner.run(come())

    @stateful.rule(player=players, opening=st.sampled_from([PRIVATE, FOUR, STAKED_PRIVATE]))
    def somebody_opens_a_room(self, player: str, opening: Opening) -> None:
        async def create() -> None:
            end = await self.answered(self.guests.create_room(player, opening))
            if not isinstance(end, guests.Opened):
                assert end == "STORE_UNAVAILABLE"
                return
            self.codes[end.match.match_id] = end.code
            made = self.believe(end.match.match_id, 4 if opening == FOUR else 2, FEES[opening], LIMITS.rooms_seconds)
            made.join(player, self.clock.now_ms)
            assert end.closes_ms == made.deadline_ms

        self.runner.run(create())

    @stateful.precondition(lambda self: self.codes)
    @stateful.rule(player=players, data=st.data())
    def somebody_types_a_code(self, player: str, data: st.DataObject) -> None:
        match_id = data.draw(st.sampled_from(list(self.codes)))

        async def join() -> None:
            end = await self.come("code", player, match_id)
            if end is None:
                return
            match = self.matches[match_id]
            gone = "started" in match.results
            assert end == ("ROOM_NOT_FOUND" if gone else match.join(player, self.clock.now_ms) or match_id)

        self.runner.run(join())

    @stateful.precondition(lambda self: self.matches)
    @stateful.rule(player=players, data=st.data())
    def somebody_leaves(self, player: str, data: st.DataObject) -> None:
        match_id = data.draw(st.sampled_from(list(self.matches)))

        async def leave() -> None:
            end = await self.come("leave", player, match_id)
            if end is not None and end != "MATCH_NOT_FOUND":
                assert end == (self.matches[match_id].leave(player) or match_id)
            elif end is not None:
                assert player not in self.matches[match_id].seats

        self.runner.run(leave())

    @stateful.precondition(lambda self: self.matches)
    @stateful.rule(player=players, data=st.data())
    def the_wallet_takes_a_fee(self, player: str, data: st.DataObject) -> None:
        match_id = data.draw(st.sampled_from(list(self.matches)))

        async def confirm() -> None:
            match = self.matches[match_id]
            end = await self.answered(self.guests.confirm(match_id, player))
            if end != "STORE_UNAVAILABLE":
                assert (end if isinstance(end, str) else "") == match.confirm(player)
            if player in match.paid and not self.store.faults:
                other = await self.answered(self.guests.confirm(match_id, player, "another"))
                assert other == "STAKE_PAID_TWICE"

        self.runner.run(confirm())

    @stateful.precondition(
        lambda self: any(one.status == ACTIVE and len(one.seats) == 2 for one in self.matches.values())
    )
    @stateful.rule(data=st.data())
    def somebody_gives_up(self, data: st.DataObject) -> None:
        playing = [of for of, one in self.matches.items() if one.status == ACTIVE and len(one.seats) == 2]
        match_id = data.draw(st.sampled_from(playing))

        async def resign() -> None:
            match = self.matches[match_id]
            if await self.answered(self.guests.resign(match_id, match.seats[0] or "")) is None:
                match.turn(ENDED)

        self.runner.run(resign())

    @stateful.precondition(lambda self: not self.store.faults and self.waiting_under(QUICK.table_id) is None)
    @stateful.rule(pair=st.lists(players, min_size=2, max_size=2, unique=True))
    def two_play_a_short_match(self, pair: list[str]) -> None:
        for player in pair:
            self.some_come_to_a_table_at_once([player], QUICK)
        match_id = self.kept[-1].match_id
        self.runner.run(self.guests.resign(match_id, pair[0]))
        self.matches[match_id].turn(ENDED)

    @stateful.precondition(lambda self: self.matches)
    @stateful.rule(player=players, data=st.data())
    def somebody_wants_it_again(self, player: str, data: st.DataObject) -> None:
        ended = [of for of, one in self.matches.items() if one.status == ENDED]
        match_id = data.draw(st.sampled_from(ended or list(self.matches)))

        async def again() -> None:
            end = await self.come("rematch", player, match_id)
            if end is None:
                return
            old = self.matches[match_id]
            if player not in old.seats:
                assert end in ("NOT_SEATED", "MATCH_NOT_FOUND")
            elif old.status != ENDED:
                assert end == ("MATCH_VOID" if old.status == VOID else "MATCH_NOT_ENDED")
            else:
                reserved = [one for one in (old.seats[-1], *old.seats[:-1]) if one is not None]
                self.seated_under(match_id, player, end, LIMITS.rematch_seconds, (2, old.fee, reserved))

        self.runner.run(again())

    @stateful.precondition(lambda self: self.kept)
    @stateful.rule(data=st.data())
    def somebody_repeats_himself(self, data: st.DataObject) -> None:
        kept = data.draw(st.sampled_from(self.kept))

        async def repeat() -> None:
            assert await self.call(kept.method, kept.player, kept.asked, kept.request_id) == kept.match_id

        self.runner.run(repeat())

    @stateful.rule(milliseconds=st.sampled_from(PAUSES))
    def time_passes(self, milliseconds: int) -> None:
        async def passes() -> None:
            self.store.faults.clear()
            await self.guests.void_by(self.clock.now_ms + milliseconds)
            await self.runtime.pulse.beat()

        self.runner.run(passes())
        for match_id, match in self.matches.items():
            if match.status == WAITING and match.deadline_ms is not None and match.deadline_ms < self.clock.now_ms:
                match.turn(VOID)
            if match.status == ACTIVE and self.logs.matches[match_id].over:
                match.turn(ENDED)  # its players stayed away for too long, which is the game's affair

    @stateful.rule(fault=st.sampled_from([Fault.UNAVAILABLE, Fault.LANDED, Fault.VANISHED]))
    def the_next_append_fails(self, fault: Fault) -> None:
        self.store.faults.append(fault)

    @stateful.rule()
    def the_server_starts_anew(self) -> None:
        async def restart() -> None:
            await self.stack.aclose()
            await self.begin()

        self.runner.run(restart())

    @stateful.invariant()
    def everybody_sits_where_the_model_says_and_nobody_else_does(self) -> None:
        assert set(self.logs.matches) == set(self.matches)
        for match_id, match in self.matches.items():
            log = self.logs.matches[match_id].log
            table = _core.Table.load([append.payload for append in log], room.SEALER)
            shown = guests.Wire.FromString(table.match())
            assert list(table.players) == match.seats
            assert {seat.player_id for seat in shown.seats if seat.stake_confirmed} == match.paid
            assert list(itertools.chain.from_iterable(append.outbox for append in log)) == match.results
            assert table.status == match.status
            if match.status == WAITING:
                assert table.deadline_ms == match.deadline_ms

    @stateful.invariant()
    def tables_lead_to_those_who_wait(self) -> None:
        for table in (QUICK, STAKED):
            held = self.runner.run(memory.MemoryStore(self.logs).find_name("table", table.name, self.clock.now_ms))
            assert (None if held is None else held.match_id) == self.waiting_under(table.table_id)


Lobby.TestCase.settings = SETTINGS


TestLobby = Lobby.TestCase
