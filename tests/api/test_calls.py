"""What surrounds a call, without a network: room, streams that stall or outlive their token, faults, cancellation."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import grpc
import prometheus_client
import pytest
from google.rpc import status_pb2

from majlis.api import calls, dev_identity
from majlis.api.admission import Room, StreamRoom
from majlis.api.caller import NOBODY, Caller, Role
from majlis.api.calls import Call, Calls
from majlis.api.identity import Identity
from majlis.match.refusal import Refusal
from majlis.ops.call_metrics import CallMetrics
from tests.api.clients import PATIENCE, bearer
from tests.api.refused import Told

WATCH = "/majlis.v1.MatchService/WatchMatch"
GET = "/majlis.v1.MatchService/GetMatch"
SECRET = "7H0"
PEER = "ipv4:192.0.2.7:555"


class Aborted(Exception):
    """What gRPC raises through a handler that gave a status."""


class Context:
    """A caller's end of a call: how it reads, and what it was told."""

    def __init__(self, *metadata: tuple[str, str]) -> None:
        self.metadata = metadata
        self.written: list[bytes] = []
        self.status: grpc.Status | None = None
        self.writing = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self.metadata

    def peer(self) -> str:
        return PEER

    async def write(self, update: bytes) -> None:
        self.writing.set()
        await self.reads.wait()
        self.written.append(update)

    async def abort_with_status(self, status: grpc.Status) -> None:
        await self.reads.wait()
        self.status = status
        raise Aborted

    @property
    def reason(self) -> str:
        assert self.status is not None
        told = Told()
        ((_, packed),) = self.status.trailing_metadata or ()
        assert isinstance(packed, bytes)
        told.read(self.status.code, status_pb2.Status.FromString(packed))
        return told.reason


class Updates:
    """Messages for a watcher, then silence or the end."""

    def __init__(self, *updates: bytes, endless: bool = False) -> None:
        self.on_stall: Callable[[], None] | None = None
        self.closed = 0
        self._updates = list(updates)
        self._endless = endless
        self.silent = asyncio.Event()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        if self._updates:
            return self._updates.pop(0)
        self.silent.set()
        if self._endless:
            await asyncio.get_running_loop().create_future()
        raise StopAsyncIteration

    def end(self, refusal: Refusal) -> None:
        """Nobody moves on here."""

    async def aclose(self) -> None:
        self.closed += 1


class Door:
    """`Calls` with what the tests look at."""

    def __init__(self, directory: Any, most: int = 2) -> None:
        self.now = 1_000
        self.registry = prometheus_client.CollectorRegistry()
        self.room = Room(most)
        self.streams = StreamRoom(most, 1)
        self.directory = directory
        self.calls = Calls(
            Identity(dev_identity.issuer(directory), lambda: self.now),
            self.room,
            self.streams,
            CallMetrics(self.registry),
            lambda: self.now,
            stall_seconds=30.0,
        )

    def context(self, player: str = "alice") -> Context:
        return Context(bearer(self.directory, player))

    async def unary(self, context: Context, answer: Callable[[Call, bytes], Any]) -> bytes:
        handler: Any = self.calls.unary(GET, answer)
        response: bytes = await handler.unary_unary(b"asked", context)
        return response

    async def watch(self, context: Context, updates: Updates) -> None:
        async def opened(call: Call, request: bytes) -> Any:
            return updates

        handler: Any = self.calls.stream(WATCH, opened)
        await handler.unary_stream(b"asked", context)

    def handled(self, kind: str, method: str, code: str) -> float:
        labels = {
            "grpc_type": kind,
            "grpc_service": "majlis.v1.MatchService",
            "grpc_method": method,
            "grpc_code": code,
        }
        return self.registry.get_sample_value("grpc_server_handled_total", labels) or 0.0


@pytest.fixture
def door(tmp_path: Any) -> Door:
    return Door(tmp_path)


async def test_a_servicer_learns_who_calls_and_when(door: Door) -> None:
    seen: list[tuple[Call, bytes]] = []

    async def answer(call: Call, request: bytes) -> bytes:
        seen.append((call, request))
        return b"answered"

    assert await door.unary(door.context(), answer) == b"answered"
    ((call, request),) = seen
    assert (call.caller.player_id, call.received_ms, call.about.player, request) == ("alice", 1_000, "alice", b"asked")
    assert call.peer() == PEER
    assert door.handled("unary", "GetMatch", "OK") == 1


async def test_a_fault_is_internal_and_leaks_nothing(door: Door) -> None:
    async def answer(call: Call, request: bytes) -> bytes:
        raise ValueError(SECRET)

    context = door.context()
    with pytest.raises(Aborted):
        await door.unary(context, answer)
    assert context.reason == "INTERNAL"
    assert SECRET not in str(context.status)
    assert door.handled("unary", "GetMatch", "INTERNAL") == 1
    assert door.room.taken == 0


async def test_room_for_calls_ends_and_comes_back(door: Door) -> None:
    leave = asyncio.Event()
    entered = asyncio.Semaphore(0)

    async def answer(call: Call, request: bytes) -> bytes:
        entered.release()
        await leave.wait()
        return b""

    held = [asyncio.create_task(door.unary(door.context(), answer)) for _ in range(2)]
    for _ in held:
        await entered.acquire()
    context = door.context()
    with pytest.raises(Aborted):
        await door.unary(context, answer)
    assert context.reason == "OVERLOADED"
    emptied = asyncio.create_task(door.room.emptied())
    leave.set()
    await asyncio.gather(*held, emptied)
    assert await door.unary(door.context(), answer) == b""


async def test_streams_take_no_room_from_calls_and_have_their_own(door: Door) -> None:
    async def answer(call: Call, request: bytes) -> bytes:
        return b"answered"

    updates = [Updates(endless=True), Updates(endless=True)]
    held = [
        asyncio.create_task(door.watch(door.context(name), one))
        for name, one in zip(["alice", "badr"], updates, strict=True)
    ]
    for one in updates:
        await one.silent.wait()
    assert await door.unary(door.context(), answer) == b"answered"
    full = door.context("carim")
    with pytest.raises(Aborted):
        await door.watch(full, Updates())
    assert full.reason == "OVERLOADED"
    for task in held:
        task.cancel()
    await asyncio.wait(held)
    assert door.streams.taken == 0


async def test_one_player_cannot_take_all_the_streams(tmp_path: Any) -> None:
    door = Door(tmp_path, most=10)
    updates = Updates(endless=True)
    held = asyncio.create_task(door.watch(door.context("alice"), updates))
    await updates.silent.wait()
    again = door.context("alice")
    with pytest.raises(Aborted):
        await door.watch(again, Updates())
    assert again.reason == "OVERLOADED"
    await door.watch(door.context("badr"), Updates())
    held.cancel()
    await asyncio.wait([held])
    await door.watch(door.context("alice"), Updates())


async def test_a_stream_sends_all_and_lets_go(door: Door) -> None:
    context, updates = door.context(), Updates(b"1", b"2")
    await door.watch(context, updates)
    assert context.written == [b"1", b"2"]
    assert updates.closed == 1
    assert door.handled("server_stream", "WatchMatch", "OK") == 1


async def test_a_watcher_who_goes_is_a_cancellation_that_passes_through(door: Door) -> None:
    updates = Updates(endless=True)
    watching = asyncio.create_task(door.watch(door.context(), updates))
    await updates.silent.wait()
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    assert updates.closed == 1
    assert door.handled("server_stream", "WatchMatch", "CANCELLED") == 1


async def test_a_stream_ends_with_its_token(door: Door) -> None:
    context, updates = door.context(), Updates(endless=True)
    (_, authorization) = context.metadata[0]
    expires = door.calls._identity.caller(authorization).expires_ms
    door.now = expires - 20
    with pytest.raises(Aborted):
        await asyncio.wait_for(door.watch(context, updates), PATIENCE)
    assert context.reason == "TOKEN_EXPIRED"
    assert updates.closed == 1


async def test_a_stalled_watcher_is_let_go_while_a_message_hangs(door: Door) -> None:
    context, updates = door.context(), Updates(b"1")
    context.reads.clear()
    watching = asyncio.create_task(door.watch(context, updates))
    await context.writing.wait()
    assert updates.on_stall is not None
    updates.on_stall()
    updates.on_stall()
    # The client reads again just in time to be told.
    asyncio.get_running_loop().call_later(0.01, context.reads.set)
    with pytest.raises(Aborted):
        await asyncio.wait_for(watching, PATIENCE)
    assert context.reason == "STREAM_STALLED"
    assert context.written == []
    assert updates.closed == 1


async def test_a_watcher_who_never_reads_again_does_not_hold_the_call(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "LAST_WORD_SECONDS", 0.01)
    context, updates = door.context(), Updates(b"1")
    context.reads.clear()
    watching = asyncio.create_task(door.watch(context, updates))
    await context.writing.wait()
    assert updates.on_stall is not None
    updates.on_stall()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(watching, PATIENCE)
    assert door.streams.taken == 0


def test_places_are_counted_by_subject() -> None:
    streams = StreamRoom(10, 2)
    alice, badr = Caller("alice", Role.PLAYER, 0, "Alice"), Caller("badr", Role.SPECTATOR, 0, "Badr")
    streams.enter_for(alice)
    streams.enter_for(alice)
    with pytest.raises(Refusal, match="OVERLOADED"):
        streams.enter_for(alice)
    streams.enter_for(badr)
    streams.leave_for(alice)
    streams.enter_for(alice)
    assert streams.taken == 3
    for caller in (alice, alice, badr):
        streams.leave_for(caller)
    assert streams.taken == 0
    assert NOBODY.player_id == ""
