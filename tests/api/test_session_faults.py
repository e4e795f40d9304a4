"""Play sessions without a network: stores that hang and fail, clients that read nothing, tasks that break."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from majlis.api import session as sessions
from majlis.api.admission import Room
from majlis.api.caller import Caller, Role
from majlis.api.calls import Call
from majlis.api.line import Hold, Line
from majlis.api.session import Session
from majlis.match.refusal import Refusal
from majlis.ops.logging import About
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_service_pb2 as messages
from tests.api.clients import PATIENCE
from tests.runtime import room, tonj
from tests.runtime.room import Clock, Match
from tests.runtime.stores import Fault, Faulty

Item = messages.SessionItem


class Wire:
    """A client's end: what it says, and how it reads."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.heard: list[messages.PlaySessionResponse] = []
        self.reads = asyncio.Event()
        """While it is not set, it reads nothing."""
        self.reads.set()
        self.writing = asyncio.Event()
        self.taken = 0
        """How many requests the server has taken."""
        self._changed = asyncio.Condition()

    async def read(self) -> bytes | None:
        said = await self.said.get()
        self.taken += 1
        return said

    async def write(self, message: bytes) -> None:
        self.writing.set()
        await self.reads.wait()
        async with self._changed:
            self.heard.append(messages.PlaySessionResponse.FromString(message))
            self._changed.notify_all()

    def say(self, **kind: Any) -> None:
        self.said.put_nowait(messages.PlaySessionRequest(**kind).SerializeToString())

    def submit(self, match_id: str, request_id: str, **fields: Any) -> None:
        asked = {"resign": room.RESIGN, **fields}
        self.say(submit=messages.SubmitActionRequest(match_id=match_id, request_id=request_id, **asked))

    def watch(self, match_id: str) -> None:
        self.say(watch=messages.WatchMatchRequest(match_id=match_id))

    @property
    def items(self) -> list[Item]:
        return [item for response in self.heard for item in response.items]

    def answered(self) -> list[str]:
        """Request ids, in the order in which they were answered."""
        return [item.answer.request_id for item in self.items if item.HasField("answer")]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(condition)


class Table:
    """A session at a runtime on a store over which the test has power, and matches in it."""

    def __init__(self, runtime: Runtime, store: Faulty, clock: Clock) -> None:
        self.runtime, self.store, self.clock = runtime, store, clock
        self.wire = Wire()
        self.room = Room(1_000)
        self.let_go: Callable[[], None] = lambda: None
        self.line: Any = None
        self._matches = 0

    async def match(self) -> Match:
        self._matches += 1
        return await tonj.found(self.runtime, self.clock, f"match-{self._matches}")

    async def serve(self, stall_seconds: float = PATIENCE) -> None:
        hold = Hold(PATIENCE)

        def renew(token: str) -> None:
            raise Refusal("TOKEN_INVALID") if token else ValueError("a fault of ours")

        wire: Any = self.wire
        line = Line(wire, self.room, self.clock, renew=renew, let_go=hold.let_go, stall_seconds=stall_seconds)
        self.line = line
        caller = Caller(tonj.PLAYERS[0], Role.PLAYER, 0, "")
        call = Call(caller, 0, About("/majlis.v1.MatchService/PlaySession"), (), lambda: "")
        async with hold.held():
            await Session(self.runtime, call, line).run()

    def feeds(self) -> int:
        return sum(len(sitting.audience) for sitting in self.runtime._hall)

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator["asyncio.Task[None]"]:
        """A session that is served meanwhile, and has let go of everything in the end."""
        serving = asyncio.create_task(self.serve())
        try:
            yield serving
        finally:
            serving.cancel()
            await asyncio.wait([serving])
            assert self.feeds() == 0
            assert self.room.taken == 0


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    store, clock = Faulty(), Clock()
    async with room.running(store, clock) as runtime:
        yield Table(runtime, store, clock)


async def reason(serving: "asyncio.Task[None]") -> str:
    """Why a session ended."""
    with pytest.raises(Refusal) as caught:
        await asyncio.wait_for(serving, PATIENCE)
    return caught.value.reason


class TestOneMatchThatHangs:
    async def test_does_not_hold_up_another(self, table: Table) -> None:
        slow, quick = await table.match(), await table.match()
        async with table.serving():
            table.wire.watch(slow.match_id)
            table.wire.watch(quick.match_id)
            await table.wire.until(lambda: len({item.match_id for item in table.wire.items}) == 2)
            through, table.store.gate = table.store.gate, asyncio.Event()
            table.wire.submit(slow.match_id, "slow")
            await until(lambda: table.store.appends == 3)
            hanging, table.store.gate = table.store.gate, through  # only that append waits at the shut one
            table.wire.submit(quick.match_id, "quick")
            await table.wire.until(lambda: "quick" in table.wire.answered())
            hanging.set()

    async def test_or_its_further_requests_a_flood_included(self, table: Table) -> None:
        slow, quick = await table.match(), await table.match()
        async with table.serving():
            table.store.door.clear()
            table.wire.submit(slow.match_id, "first")
            await until(lambda: table.store.appends == 3)
            flood = [f"{number}" for number in range(1_000)]
            for request_id in flood:
                table.wire.submit(slow.match_id, request_id)
            table.wire.watch(quick.match_id)
            await table.wire.until(lambda: any(item.match_id == quick.match_id for item in table.wire.items))
            refused = [item.answer.refused.reason for item in table.wire.items if item.HasField("answer")]
            assert refused == ["OVERLOADED"] * (1_001 - sessions.ACTIONS_UNDER_WAY)
            table.store.door.set()
            await table.wire.until(lambda: len(table.wire.answered()) == 1_001)
            assert table.wire.answered()[-sessions.ACTIONS_UNDER_WAY :] == [
                "first",
                *flood[: sessions.ACTIONS_UNDER_WAY - 1],
            ]

    async def test_or_a_flood_of_watches_of_it(self, table: Table) -> None:
        slow, quick = await table.match(), await table.match()
        async with table.serving():
            table.store.door.clear()
            table.wire.submit(slow.match_id, "first")
            await until(lambda: table.store.appends == 3)
            for number in range(1_000):
                table.wire.watch(slow.match_id)
                table.wire.submit(slow.match_id, f"{number}")
                table.wire.say(unwatch_match_id=slow.match_id)
            table.wire.watch(slow.match_id)
            table.wire.watch(quick.match_id)
            await table.wire.until(lambda: any(item.match_id == quick.match_id for item in table.wire.items))
            table.store.door.set()
            await table.wire.until(lambda: len(table.wire.answered()) == 1_001)
            # The last watch counts: it ends by itself, since the match is over.
            await table.wire.until(lambda: any(item.HasField("watch_end") for item in table.wire.items))
            assert [item.watch_end.reason.reason for item in table.wire.items if item.HasField("watch_end")] == [""]


async def until(condition: Callable[[], bool]) -> None:
    """Lets the others run until something is true."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 — nobody would set an event
            await asyncio.sleep(0)


class TestAClientThatDoesNotRead:
    async def test_gets_what_waits_together_when_it_reads_again(self, table: Table) -> None:
        matches = [await table.match() for _ in range(10)]
        async with table.serving():
            table.wire.reads.clear()
            for match in matches:
                table.wire.watch(match.match_id)
            await until(lambda: table.feeds() == len(matches))
            for match in matches:
                await match.move()
                table.wire.submit(match.match_id, match.match_id)
            await until(lambda: table.wire.taken == 2 * len(matches) and not table.room.taken)
            table.wire.reads.set()
            await table.wire.until(lambda: len(table.wire.answered()) == len(matches))
            assert len(table.wire.items) > 4 * len(matches)
            assert len(table.wire.heard) < len(table.wire.items) / 4
            for match in matches:
                told = [item for item in table.wire.items if item.match_id == match.match_id]
                heads = [item.update.sequence for item in told if item.HasField("update")]
                assert heads == sorted(heads)
                assert told[-1].answer.accepted.sequence == heads[-1]

    async def test_is_read_no_more_and_holds_a_bounded_number_of_answers(self, table: Table) -> None:
        match = await table.match()
        async with table.serving():
            table.wire.reads.clear()
            for number in range(3_000):
                table.wire.submit("nowhere" if number % 2 else match.match_id, f"{number}", expected_sequence=9_999)
            await table.wire.writing.wait()
            for _ in range(3_000):
                await asyncio.sleep(0)
            stopped = table.wire.taken
            assert stopped < 2 * sessions.UNDER_WAY  # those that wait, and those that are being written
            for _ in range(1_000):
                await asyncio.sleep(0)
            assert table.wire.taken == stopped
            table.wire.reads.set()
            await table.wire.until(lambda: len(table.wire.answered()) == 3_000)

    async def test_has_updates_replaced_by_a_snapshot(self, table: Table) -> None:
        match = await table.match()
        async with table.serving():
            table.wire.reads.clear()
            table.wire.watch(match.match_id)
            await table.wire.writing.wait()
            for _ in range(100):
                await match.move()
            table.wire.reads.set()
            head = await match.head()
            await table.wire.until(lambda: any(item.update.sequence == head for item in table.wire.items))
            kinds = [item.update.WhichOneof("body") for item in table.wire.items]
            assert kinds.count("snapshot") == 2
            assert len(kinds) < 70

    async def test_is_let_go(self, table: Table) -> None:
        table.wire.reads.clear()
        table.wire.submit("nowhere", "r")
        serving = asyncio.create_task(table.serve(stall_seconds=0.01))
        assert await reason(serving) == "STREAM_STALLED"

    async def test_is_let_go_when_a_feed_of_it_has_stalled(self, table: Table) -> None:
        match = await table.match()
        async with table.serving() as serving:
            table.wire.reads.clear()
            table.wire.watch(match.match_id)
            await table.wire.writing.wait()
            await match.move()
            [sitting] = list(table.runtime._hall)
            sitting.audience.pulse(table.clock.now_ms)
            table.clock.now_ms += 31_000
            sitting.audience.pulse(table.clock.now_ms)
            assert await reason(serving) == "STREAM_STALLED"


class TestWhatGoesWrong:
    async def test_in_a_job_is_told_as_internal_and_the_session_goes_on(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = await table.match()

        async def broken(*_: object, **__: object) -> bytes:
            raise ValueError("a fault of ours")

        async with table.serving():
            with monkeypatch.context() as patch:
                patch.setattr(table.runtime, "submit", broken)
                patch.setattr(table.runtime, "watch", broken)
                table.wire.submit(match.match_id, "a")
                table.wire.watch(match.match_id)
                await table.wire.until(lambda: len(table.wire.items) == 2)
            assert table.wire.items[0].answer.refused.reason == "INTERNAL"
            assert table.wire.items[1].watch_end.reason.reason == "INTERNAL"
            table.wire.submit(match.match_id, "b")
            await table.wire.until(lambda: table.wire.answered() == ["a", "b"])
            assert table.wire.items[-1].answer.HasField("accepted")

    async def test_around_a_job_ends_the_session(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: object, **__: object) -> bytes:
            raise ValueError("a fault of ours")

        monkeypatch.setattr("majlis.api.items.refused", broken)
        async with table.serving() as serving:
            table.wire.submit("nowhere", "a")
            assert await reason(serving) == "INTERNAL"

    async def test_by_a_cancellation_of_unknown_origin_ends_the_session(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def cancelled(*_: object) -> bytes:
            raise asyncio.CancelledError

        monkeypatch.setattr(table.runtime, "submit", cancelled)
        async with table.serving() as serving:
            table.wire.submit("nowhere", "a")
            assert await reason(serving) == "INTERNAL"

    @pytest.mark.parametrize(("token", "why"), [("refused", "TOKEN_INVALID"), ("", "INTERNAL")])
    async def test_with_a_token_ends_the_session(self, table: Table, token: str, why: str) -> None:
        async with table.serving() as serving:
            table.wire.say(token=token)
            assert await reason(serving) == why

    async def test_with_a_snapshot_ends_its_watch_once(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        match = await table.match()
        async with table.serving():
            table.wire.reads.clear()
            table.wire.watch(match.match_id)
            await table.wire.writing.wait()
            for _ in range(100):
                await match.move()
            [sitting] = list(table.runtime._hall)

            def broken(_: int) -> bytes:
                raise sitting.mistrusted(ValueError("a fault of ours"))

            monkeypatch.setattr(sitting.audience, "_snapshot", broken)
            table.wire.reads.set()
            await table.wire.until(lambda: any(item.HasField("watch_end") for item in table.wire.items))
            table.wire.watch(match.match_id)
            await table.wire.until(lambda: table.wire.items[-1].update.HasField("notice"))
            ends = [item.watch_end.reason.reason for item in table.wire.items if item.HasField("watch_end")]
            assert ends == ["INTERNAL"]

    async def test_when_there_is_no_room_for_calls_is_told(self, table: Table) -> None:
        match = await table.match()
        table.room = Room(0)
        async with table.serving():
            table.wire.submit(match.match_id, "a")
            await table.wire.until(lambda: table.wire.answered() == ["a"])
            assert table.wire.items[0].answer.refused.reason == "OVERLOADED"
            assert table.wire.items[0].answer.refused.retry_after_ms > 0


class TestTheEnd:
    async def test_while_a_watch_opens_leaves_no_feed(self, table: Table) -> None:
        match = await table.match()
        await match.move()
        async with table.serving():
            table.store.reads.clear()
            table.wire.say(watch=messages.WatchMatchRequest(match_id=match.match_id, after_sequence=1))
            await until(lambda: table.feeds() == 1)
        table.store.reads.set()

    async def test_while_an_append_hangs_loses_nothing(self, table: Table) -> None:
        match = await table.match()
        table.store.gate.clear()
        async with table.serving():
            table.wire.submit(match.match_id, "a")
            await until(lambda: table.store.appends == 2)
        table.store.gate.set()
        assert (await match.submit(tonj.PLAYERS[0], room.RESIGN, request_id="a")).events

    async def test_by_a_drain_while_a_submit_is_in_doubt_tells_what_is_known(self, table: Table) -> None:
        slow, quick = await table.match(), await table.match()
        async with table.serving() as serving:
            table.store.faults.append(Fault.LANDED)
            table.store.gate.clear()
            table.wire.submit(slow.match_id, "slow")
            await until(lambda: table.store.appends == 3)
            table.wire.submit(quick.match_id, "quick", expected_sequence=9_999)
            await table.wire.until(lambda: table.wire.answered() == ["quick"])
            table.line.on_drain()
            assert await reason(serving) == "DRAINING"
        table.store.gate.set()
        assert (await slow.submit(tonj.PLAYERS[0], room.RESIGN, request_id="slow")).events

    async def test_in_order_hears_no_more_and_answers_what_it_heard(self, table: Table) -> None:
        slow, quick = await table.match(), await table.match()
        async with table.serving() as serving:
            table.wire.watch(quick.match_id)
            await table.wire.until(lambda: len(table.wire.items) >= 3)  # a snapshot, and who is there
            table.store.gate.clear()
            table.wire.submit(slow.match_id, "heard")
            await until(lambda: table.store.appends == 3)
            table.line.leave(Refusal("STREAM_MOVED"))
            table.line.leave(Refusal("DRAINING"))
            await asyncio.sleep(0)
            table.wire.submit(slow.match_id, "not heard")
            moving = asyncio.ensure_future(quick.move())
            await until(lambda: table.store.appends == 4)
            assert not serving.done()
            table.store.gate.set()
            assert await reason(serving) == "STREAM_MOVED"
        assert table.wire.answered() == ["heard"]
        assert next(item.answer for item in table.wire.items if item.HasField("answer")).HasField("accepted")
        ends = [item.watch_end.reason.reason for item in table.wire.items if item.HasField("watch_end")]
        assert ends == ["STREAM_MOVED"]
        await moving

    async def test_in_order_waits_for_a_place_to_hear_what_was_read(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What was taken from the wire is answered, though it had to wait before it could be looked at."""
        monkeypatch.setattr(sessions, "UNDER_WAY", 1)
        match = await table.match()
        async with table.serving() as serving:
            table.store.gate.clear()
            table.wire.submit(match.match_id, "a")
            table.wire.submit(match.match_id, "b")
            await until(lambda: table.wire.taken == 2)
            table.line.leave(Refusal("STREAM_MOVED"))
            await asyncio.sleep(0)
            table.store.gate.set()
            assert await reason(serving) == "STREAM_MOVED"
        assert table.wire.answered() == ["a", "b"]

    async def test_waits_for_all_that_was_asked_when_the_client_closes_its_side(self, table: Table) -> None:
        match = await table.match()
        async with table.serving() as serving:
            table.store.gate.clear()
            table.wire.submit(match.match_id, "a")
            table.wire.submit(match.match_id, "b")
            table.wire.said.put_nowait(None)
            await until(lambda: table.store.appends == 2)
            assert not serving.done()
            table.store.gate.set()
            await asyncio.wait_for(serving, PATIENCE)
        assert table.wire.answered() == ["a", "b"]
