"""The server as an operator meets it: killed in mid-match, stopped in order, kept from starting by one clear line."""

import asyncio
import contextlib
import json
import pathlib
import random
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from majlis.v1 import match_pb2
from tests.api.clients import PATIENCE, Acknowledged, Play, Watcher, two_players
from tests.api.process import command, running
from tests.api.refused import refused


async def test_a_kill_in_mid_match_loses_nothing_that_was_acknowledged(tmp_path: pathlib.Path) -> None:
    chance = random.Random(1)
    known: dict[str, dict[int, bytes]] = {"alice": {}, "badr": {}}
    acknowledged: list[Acknowledged] = []
    match = None
    for _ in range(4):
        async with running(tmp_path, "--max-gap", "100000") as process, process.clients("alice", "badr") as clients:
            if match is None:
                async with process.matchmaker() as matchmaker:
                    match = await matchmaker.create_match(**two_players())
            watchers = [Watcher(client, match.match_id) for client in clients]
            async with watchers[0].watching(0), watchers[1].watching(0):
                head = (await clients[0].get_match(match.match_id)).match.sequence
                for watcher in watchers:
                    await watcher.until(lambda watcher=watcher, head=head: watcher.sequence >= head)  # type: ignore[misc]
                    # All that any client ever held is still there, and the same.
                    seen = known[watcher.client.name]
                    assert seen.items() <= watcher.events.items()
                for client, asked, answer in acknowledged:
                    same = next(one for one in clients if one.name == client.name)
                    assert await same.submit(match.match_id, **asked) == answer
                play = Play(watchers, chance.randrange(1_000))
                for _ in range(chance.randrange(3, 12)):
                    await play.step()
                acknowledged += play.acknowledged
                # One more is under way when the process dies: it is there afterwards, or it is not.
                able = next(watcher for watcher in watchers if watcher.legal)
                under_way = asyncio.create_task(able.client.submit(match.match_id, tonj=able.legal[0]))
                await asyncio.sleep(0)
                await process.kill()
                await asyncio.wait([under_way])
                for watcher in watchers:
                    await watcher.until(lambda watcher=watcher: watcher.ended is not None)  # type: ignore[misc]
                    known[watcher.client.name] = watcher.events
                if under_way.exception() is None:
                    answer = under_way.result()
                    assert answer.sequence >= able.sequence
            assert process.process.returncode == -signal.SIGKILL
    assert match is not None
    async with running(tmp_path) as process, process.clients("alice", "badr") as clients:
        watchers = [Watcher(client, match.match_id) for client in clients]
        async with watchers[0].watching(), watchers[1].watching():
            await Play(watchers, 2).to_the_end()
        ended = (await clients[0].get_match(match.match_id)).match
        assert ended.status == match_pb2.MATCH_STATUS_ENDED
        replay = await clients[1].get_replay(match.match_id, page_size=5_000)
        assert [event.sequence for event in replay.events] == list(range(1, ended.sequence + 1))
    assert len(acknowledged) >= 12


async def test_a_stop_is_announced_and_orderly(tmp_path: pathlib.Path) -> None:
    grace = ("--grace-seconds", "30")
    async with running(tmp_path, *grace) as process, process.clients("alice", "badr") as clients:
        async with process.matchmaker() as matchmaker:
            match = await matchmaker.create_match(**two_players())
        stub: Any = health_pb2_grpc.HealthStub(clients[0].channel)
        healths = stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        assert (await healths.read()).status == health_pb2.HealthCheckResponse.SERVING
        watcher = Watcher(clients[0], match.match_id)
        async with watcher.watching():
            begun = asyncio.get_running_loop().time()
            process.process.send_signal(signal.SIGTERM)
            assert (await healths.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            with refused("DRAINING"):
                await watcher.until(lambda: False)
            assert watcher.drained
            assert await process.ended() == 0
            assert asyncio.get_running_loop().time() - begun < 30
    events = [event["event"] for event in process.log]
    assert events[0].startswith("serving on 127.0.0.1:")
    assert events[-2:] == ["stopping", "stopped"]
    # What was open is closed: the next server has it all, and another action fits.
    async with running(tmp_path) as process, process.clients("alice") as clients:
        # A restart that took long gave time back, which is an event: whoever comes back looks first.
        head = (await clients[0].get_match(match.match_id)).match.sequence
        assert (await clients[0].submit(match.match_id, expected_sequence=head, resign={})).sequence


async def test_actions_in_work_at_a_stop_are_answered_or_refused_and_none_is_lost(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process, process.clients("alice") as clients:
        async with process.matchmaker() as matchmaker:
            matches = [await matchmaker.create_match(**two_players()) for _ in range(40)]
        asking = [
            asyncio.create_task(clients[0].submit(match.match_id, request_id="once", resign={})) for match in matches
        ]
        await asking[0]
        process.process.send_signal(signal.SIGTERM)
        await asyncio.wait(asking)
        assert await process.ended() == 0
    async with running(tmp_path) as process, process.clients("alice") as clients:
        for match, asked in zip(matches, asking, strict=True):
            error = asked.exception()
            if error is None:
                # The repeat changes nothing and gets the same answer.
                assert await clients[0].submit(match.match_id, request_id="once", resign={}) == asked.result()
                ended = await clients[0].get_match(match.match_id)
                assert ended.match.status == match_pb2.MATCH_STATUS_ENDED
            else:
                assert isinstance(error, grpc.aio.AioRpcError)
                assert error.code() is grpc.StatusCode.UNAVAILABLE


async def test_an_interrupt_stops_it_too(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process:
        process.process.send_signal(signal.SIGINT)
        assert await process.ended() == 0


async def test_the_ready_file_tells_the_addresses(tmp_path: pathlib.Path) -> None:
    ready = tmp_path / "ready.json"
    async with running(tmp_path, "--ready-file", str(ready)) as process:
        addresses = json.loads(ready.read_text())
        assert addresses["listen"] == process.listen
        assert addresses.keys() == {"listen", "metrics"}


async def test_the_log_tells_ids_and_no_token(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path, "--log-level", "debug") as process, process.clients("alice", "badr") as clients:
        async with process.matchmaker() as matchmaker:
            match = await matchmaker.create_match(**two_players())
        with refused("MATCH_NOT_ENDED"):
            await clients[0].get_replay(match.match_id)
        with refused("STALE_SEQUENCE"):
            await clients[1].submit(match.match_id, request_id="r-7", expected_sequence=0, resign={})
        process.process.send_signal(signal.SIGTERM)
        assert await process.ended() == 0
    told = [event for event in process.log if event["event"] == "refused"]
    assert [(event["reason"], event["player"], event["match"], event.get("request")) for event in told] == [
        ("MATCH_NOT_ENDED", "alice", match.match_id, None),
        ("STALE_SEQUENCE", "badr", match.match_id, "r-7"),
    ]
    for client in clients:
        assert client.metadata[0][1].removeprefix("Bearer ") not in json.dumps(process.log)


def start_in_vain(*flags: str, data: pathlib.Path, listen: str = "127.0.0.1:0") -> tuple[int, str]:
    """Exit status and the whole of standard error of a server that cannot start."""
    done = subprocess.run(
        command("serve", *flags, data=data, listen=listen),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def one_line(text: str) -> str:
    """The only line there is."""
    assert text.startswith("majlis: ")
    assert text.count("\n") == 1, text
    assert text.endswith("\n")
    return text


async def test_two_servers_do_not_share_a_port(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path / "one") as process, process.clients("alice") as clients:
        status, told = await asyncio.to_thread(start_in_vain, data=tmp_path / "two", listen=process.listen)
        assert status == 1
        assert process.listen in one_line(told)
        assert (await clients[0].get_server_info()).version


async def test_two_servers_do_not_share_a_store(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process, process.clients("alice") as clients:
        status, told = await asyncio.to_thread(start_in_vain, data=tmp_path)
        assert status == 1
        assert "in use by another" in one_line(told)
        assert (await clients[0].get_server_info()).version


@pytest.mark.parametrize("flag", ["--listen", "--metrics"])
def test_a_port_of_another_program_is_told(tmp_path: pathlib.Path, flag: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        status, told = start_in_vain(flag, address, data=tmp_path)
    assert status == 1
    assert address in one_line(told)


def garbage(path: pathlib.Path) -> None:
    path.write_bytes(random.Random(1).randbytes(8_192))


def of_another_program(path: pathlib.Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.commit()


@pytest.mark.parametrize("make", [garbage, of_another_program])
def test_a_file_that_is_not_ours_is_told_and_left_alone(
    tmp_path: pathlib.Path, make: Callable[[pathlib.Path], None]
) -> None:
    path = tmp_path / "majlis.db"
    make(path)
    before = path.read_bytes()
    status, told = start_in_vain(data=tmp_path)
    assert status == 1
    assert str(path) in one_line(told)
    assert path.read_bytes() == before


def test_a_data_directory_that_is_none_is_told(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "var"
    file.write_text("mine")
    status, told = start_in_vain(data=file)
    assert status == 1
    assert str(file) in one_line(told)
    assert file.read_text() == "mine"


def test_a_ready_file_that_cannot_be_written_is_told(tmp_path: pathlib.Path) -> None:
    ready = tmp_path / "missing" / "ready.json"
    status, told = start_in_vain("--ready-file", str(ready), data=tmp_path)
    assert status == 1
    assert str(ready) in told.splitlines()[-1]


@pytest.mark.parametrize(
    ("flags", "part"),
    [
        (["--no-dev-identity"], "whose tokens count"),
        (["--linger-ms", "-1"], "--linger-ms"),
        (["--listen", "50051"], "--listen"),
        (["--store", "mysql://x"], "postgresql://USER@HOST"),
        (["--config", "/no/such/file"], "/no/such/file"),
        (["--identity-keys", "/no/such/file", "--no-dev-identity"], "identity_issuer"),
    ],
)
def test_a_wrong_setting_is_told(tmp_path: pathlib.Path, flags: list[str], part: str) -> None:
    status, told = start_in_vain(*flags, data=tmp_path / "var")
    assert status == 2
    assert part in one_line(told)
    assert not (tmp_path / "var").exists()
