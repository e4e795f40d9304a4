"""A stop that takes its time: what becomes of streams, sessions and connections; and an operator who has none."""

import asyncio
import contextlib
import itertools
import pathlib
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import grpc
import pytest

from majlis.runtime import draining
from majlis.v1 import matchmaking_service_pb2
from majlis.v1 import matchmaking_service_pb2_grpc as matchmaking
from tests.api.clients import PATIENCE, Client, Watcher, bearer, two_players
from tests.api.process import Process, running
from tests.api.refused import Refused, reason, refused
from tests.api.session_client import Session

SIGNALS = (signal.SIGTERM, signal.SIGINT)
SLOW = ("--grace-seconds", "60", "--drain-seconds", "50", "--max-streams-per-player", "100")
CROWD = 400
"""Streams that take eight seconds to end."""


@contextlib.asynccontextmanager
async def crowd(process: Process, match_id: str, size: int = CROWD) -> AsyncIterator[list[Any]]:
    """So many who look on, each with a stream that has begun."""
    async with process.clients(*(f"guest-{number}" for number in range(size))) as guests:
        calls = [guest.watch(match_id) for guest in guests]
        for call in calls:
            await call.read()
        yield calls
        for call in calls:
            call.cancel()


@pytest.mark.parametrize(("first", "second"), list(itertools.product(SIGNALS, SIGNALS)))
async def test_a_second_signal_ends_it_at_once(
    tmp_path: pathlib.Path, first: signal.Signals, second: signal.Signals
) -> None:
    async with running(tmp_path, *SLOW) as process, process.clients("alice", "badr") as clients:
        async with process.matchmaker() as matchmaker:
            match, other = [await matchmaker.create_match(**two_players()) for _ in range(2)]
        answer = await clients[1].submit(match.match_id, request_id="first", resign={})
        watcher = Watcher(clients[0], other.match_id)
        async with crowd(process, other.match_id), watcher.watching():
            process.process.send_signal(first)
            await watcher.until(lambda: watcher.drained)
            process.process.send_signal(second)
            # Whatever is not a line of the log, such as a traceback, fails the reading of it.
            assert await process.ended() == -second
    assert "stopped" not in [event["event"] for event in process.log]
    async with running(tmp_path) as process, process.clients("badr") as (badr,):
        assert await badr.submit(match.match_id, request_id="first", resign={}) == answer


async def test_a_stop_without_streams_is_quick(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path, *SLOW) as process, process.clients("alice") as (alice,):
        await alice.get_server_info()
        begun = asyncio.get_running_loop().time()
        process.process.send_signal(signal.SIGTERM)
        assert await process.ended() == 0
        assert asyncio.get_running_loop().time() - begun < 30


async def read_out(call: Any) -> None:
    while await call.read() is not grpc.aio.EOF:
        pass


async def how_it_ends(work: Awaitable[object]) -> tuple[str, float]:
    """The reason that a stream ends with, and when."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await work
    return reason(error.value), asyncio.get_running_loop().time()


async def test_every_kind_of_stream_ends_spread_and_is_told_why(tmp_path: pathlib.Path) -> None:
    each = 40
    async with running(tmp_path, *SLOW) as process, contextlib.AsyncExitStack() as stack:
        (alice,) = await stack.enter_async_context(process.clients("alice"))
        lobby = await stack.enter_async_context(process.matchmaker())
        match = await lobby.create_match(**two_players())
        sessions = [await stack.enter_async_context(Session(alice)) for _ in range(each)]
        for session in sessions:
            await anext(session.watch(match.match_id))
        streams = await stack.enter_async_context(crowd(process, match.match_id, each))
        stub = matchmaking.MatchmakingServiceStub(lobby.channel)
        consumers: list[Any] = []
        for number in range(each):
            asked = matchmaking_service_pb2.WatchResultsRequest(consumer=f"c{number}")
            consumers.append(stub.WatchResults(asked, metadata=lobby.metadata))
            await consumers[-1].read()

        kinds = [
            [asyncio.ensure_future(how_it_ends(session.end())) for session in sessions],
            [asyncio.ensure_future(how_it_ends(read_out(call))) for call in streams],
            [asyncio.ensure_future(how_it_ends(read_out(call))) for call in consumers],
        ]
        process.process.send_signal(signal.SIGTERM)
        for kind in kinds:
            ends = await asyncio.wait_for(asyncio.gather(*kind), PATIENCE)
            assert {why for why, _ in ends} == {"DRAINING"}
            instants = [instant for _, instant in ends]
            # The kinds are mixed: of three times as many, one end each PACE_SECONDS.
            assert max(instants) - min(instants) > each * draining.PACE_SECONDS
        for session in sessions:
            # Of one player's watches without a device only eight stay.
            assert session.watch_ends(match.match_id) in (["STREAM_REPLACED"], ["DRAINING"])
        assert await process.ended() == 0


async def test_actions_on_a_session_are_answered_until_it_ends(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path, *SLOW) as process, process.clients("alice", "badr") as clients:
        async with process.matchmaker() as matchmaker:
            match = await matchmaker.create_match(**two_players())
        async with crowd(process, match.match_id), Session(clients[0]) as session:
            await anext(session.watch(match.match_id))
            process.process.send_signal(signal.SIGTERM)
            sent = 0
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # it has ended
                while True:
                    sent += 1
                    with contextlib.suppress(Refused):
                        await session.submit(match.match_id, expected_sequence=9_999, resign={})
            with pytest.raises(grpc.aio.AioRpcError) as end:
                await session.end()
            # Of an end that its own write has crossed grpc.aio's client keeps no reason.
            crossed = "execute_batch" in (end.value.debug_error_string() or "")
            assert reason(end.value) == "DRAINING" or crossed
            answers = session.answers(match.match_id)
            # What is not answered was not read: only the last one can be that.
            assert sent - len(answers) <= 1
            reasons = [answer.refused.reason for answer in answers]
            assert [why for why, _ in itertools.groupby(reasons)] in (["AHEAD_OF_HEAD", "DRAINING"], ["DRAINING"])
        assert await process.ended() == 0


async def test_whoever_comes_again_goes_elsewhere_before_his_stream_ends(tmp_path: pathlib.Path) -> None:
    """Two servers behind one name: the connection to the one that stops takes nothing new, and loses nothing."""
    here, there = tmp_path / "here", tmp_path / "there"
    there.mkdir()
    async with running(here, *SLOW) as stopping:
        shutil.copy(here / "dev-identity.pem", there)
        async with running(there) as staying, contextlib.AsyncExitStack() as stack:
            mine, his = [await made(process) for process in (stopping, staying)]
            channel = await stack.enter_async_context(
                grpc.aio.insecure_channel(f"ipv4:{stopping.listen},{staying.listen}")
            )
            alice = Client(channel, "alice", bearer(here, "alice"))
            watcher = Watcher(alice, mine)
            await stack.enter_async_context(watcher.watching())
            streams = await stack.enter_async_context(crowd(stopping, mine))
            ends = [asyncio.ensure_future(how_it_ends(read_out(stream))) for stream in streams]
            with refused("MATCH_NOT_FOUND"):
                await alice.get_match(his)
            stopping.process.send_signal(signal.SIGTERM)
            await watcher.until(lambda: watcher.drained)
            async with asyncio.timeout(PATIENCE):
                while not await is_there(alice, his):
                    pass
            # All that is begun here goes on to its end.
            assert stopping.process.returncode is None
            assert any(not end.done() for end in ends)
            with refused("DRAINING"):
                await watcher.until(lambda: False)
            assert {why for why, _ in await asyncio.gather(*ends)} == {"DRAINING"}
            assert await stopping.ended() == 0
            assert await is_there(alice, his)


async def made(process: Process) -> str:
    async with process.matchmaker() as matchmaker:
        return (await matchmaker.create_match(**two_players())).match_id


async def is_there(client: Client, match_id: str) -> bool:
    """Whether the call came to the server that has the match; before that it may get a typed refusal, or be cut off."""
    try:
        await client.get_match(match_id)
    except grpc.aio.AioRpcError as error:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
            return False
        raise
    return True
