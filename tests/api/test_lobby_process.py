"""The lobby of a server that is killed at every point on the way to a match: nobody loses his seat, nobody gets two.

How it dies and starts again is told in test_process.py.
"""

import asyncio
import collections
import contextlib
import json
import pathlib
import random
import urllib.request
from collections.abc import AsyncIterator

import grpc

from majlis.v1 import match_pb2
from tests.api import lobby
from tests.api.clients import PATIENCE, Client, bearer
from tests.api.lobby import ACTIVE, ENDED, HOUSE, STAKED, WAITING
from tests.api.process import Process, running
from tests.api.refused import refused

CONFIG = """
[[tables]]
id = "free"
name = "Free"
game = "tonj_house"
options = { turn_seconds = 600 }

[[tables]]
id = "high"
name = "High"
name_ar = "الطاولة الكبرى"
game = "tonj_house"
options = { turn_seconds = 600, entry_fee_minor = 5050, rake_bps = 333 }
"""


@contextlib.asynccontextmanager
async def lobby_process(data: pathlib.Path, *flags: str) -> AsyncIterator[Process]:
    """A server with a free table and one with a fee."""
    config = data / "majlis.toml"
    config.write_text(CONFIG)
    async with running(data, "--config", str(config), *flags) as process:
        yield process


async def test_whoever_waits_at_a_table_is_met_there_after_a_kill(tmp_path: pathlib.Path) -> None:
    async with lobby_process(tmp_path) as process, process.clients("alice") as (alice,):
        match = await alice.join_table("free", "one")
        await process.kill()
    async with lobby_process(tmp_path) as process, process.clients("alice", "badr") as (alice, badr):
        again = await alice.join_table("free", "one")
        assert (again.match_id, again.status, again.seats) == (match.match_id, WAITING, match.seats)
        joined = await badr.join_table("free")
        assert (joined.match_id, joined.status) == (match.match_id, ACTIVE)
        await process.kill()
    async with lobby_process(tmp_path) as process, process.clients("alice", "badr") as clients:
        for client in clients:
            (only,) = (await client.list_my_matches()).matches
            assert (only.match_id, only.status) == (match.match_id, ACTIVE)
        assert (await clients[0].submit(match.match_id, resign={})).sequence


async def test_fees_that_were_confirmed_are_after_a_kill(tmp_path: pathlib.Path) -> None:
    async with lobby_process(tmp_path) as process, process.clients("alice", "badr") as (alice, badr):
        match = await alice.join_table("high")
        assert (await badr.join_table("high")).match_id == match.match_id
        async with process.wallet() as wallet:
            first = await wallet.confirm_stake(match.match_id, "alice", "p1")
        assert first.status == WAITING
        await process.kill()
    async with lobby_process(tmp_path) as process, process.clients("alice") as (alice,), process.wallet() as wallet:
        assert (await wallet.confirm_stake(match.match_id, "alice", "p1")).status == WAITING
        with refused("STAKE_PAID_TWICE"):
            await wallet.confirm_stake(match.match_id, "alice", "p2")
        assert [seat.stake_confirmed for seat in (await alice.get_match(match.match_id)).match.seats] == [True, False]
        started = await wallet.confirm_stake(match.match_id, "badr", "p3")
        assert started.status == ACTIVE
        await process.kill()
    async with lobby_process(tmp_path) as process, process.clients("alice") as (alice,), process.wallet() as wallet:
        for player, payment in (("alice", "p1"), ("badr", "p3")):
            assert (await wallet.confirm_stake(match.match_id, player, payment)).sequence >= started.sequence
        await alice.submit(match.match_id, resign={})
        await process.kill()
    async with lobby_process(tmp_path) as process, process.clients("badr") as (badr,):
        ended = (await badr.get_match(match.match_id)).match
        assert ended.status == ENDED
        lobby.is_settled(ended)
        replay = await badr.get_replay(match.match_id, page_size=5_000)
    confirmed = [event.stake_confirmed.seat for event in replay.events if event.HasField("stake_confirmed")]
    assert confirmed == [0, 1]


async def test_a_rooms_code_is_valid_after_a_kill(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process, process.clients("alice") as (alice,):
        made = await alice.create_room(game=match_pb2.GAME_TONJ, request_id="one")
        await process.kill()
    async with running(tmp_path) as process, process.clients("alice", "badr") as (alice, badr):
        again = await alice.create_room(game=match_pb2.GAME_TONJ, request_id="one")
        assert (again.match.match_id, again.join_code) == (made.match.match_id, made.join_code)
        found = await badr.look_up_room(made.join_code)
        assert (found.match.match_id, found.free_seats) == (made.match.match_id, 1)
        joined = await badr.join_room(made.join_code, "two")
        assert (joined.match_id, joined.status) == (made.match.match_id, ACTIVE)
        await process.kill()
    async with running(tmp_path) as process, process.clients("badr", "carim") as (badr, carim):
        assert (await badr.join_room(made.join_code, "two")).match_id == made.match.match_id
        with refused("ROOM_NOT_FOUND"):
            await carim.join_room(made.join_code)


async def test_a_rematch_that_one_wished_for_is_found_by_the_other_after_a_kill(tmp_path: pathlib.Path) -> None:
    patient = ("--rematch-seconds", "600")
    async with lobby_process(tmp_path, *patient) as process, process.clients("alice", "badr") as (alice, badr):
        old = await alice.join_table("free")
        await badr.join_table("free")
        await badr.submit(old.match_id, resign={})
        wished = await alice.rematch(old.match_id, "again")
        assert wished.status == WAITING
        await process.kill()
    async with lobby_process(tmp_path) as process, process.clients("alice", "badr") as (alice, badr):
        begun = await badr.rematch(old.match_id)
        assert (begun.match_id, begun.status) == (wished.match_id, ACTIVE)
        assert [seat.player_id for seat in begun.seats] == ["badr", "alice"]
        assert (await alice.rematch(old.match_id, "again")).match_id == wished.match_id


class Comer:
    """A player who asks for a seat, by one request id, until he is answered, and keeps all answers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: set[str] = set()
        self.answered = asyncio.Event()

    async def come(self, process: Process, done: asyncio.Event) -> None:
        """Asks again and again, wherever the server is by then."""
        while not (self.told and done.is_set()):
            async with grpc.aio.insecure_channel(process.listen) as channel:
                client = Client(channel, self.name, bearer(process.data, self.name))
                with contextlib.suppress(grpc.aio.AioRpcError):
                    while not (self.told and done.is_set()):
                        self.told.add((await client.join_table("free", "the one")).match_id)
                        self.answered.set()
                        await asyncio.sleep(0.05)
            await asyncio.sleep(0.02)


async def test_forty_who_come_while_the_server_dies_three_times_have_one_seat_each(tmp_path: pathlib.Path) -> None:
    chance = random.Random(11)
    comers = [Comer(f"p{number}") for number in range(40)]
    done = asyncio.Event()
    async with lobby_process(tmp_path) as process:
        coming: list[asyncio.Task[None]] = []
        for kill in range(4):
            if kill:
                await process.start()
            coming += [asyncio.create_task(comer.come(process, done)) for comer in comers[10 * kill : 10 * kill + 10]]
            if kill < 3:
                # Somewhere among their first answers.
                await asyncio.sleep(chance.uniform(0.0, 0.15))
                await process.kill()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(comer.answered.wait() for comer in comers))
        done.set()
        await asyncio.gather(*coming)
        found = collections.Counter[str]()
        for comer in comers:
            async with process.clients(comer.name) as (client,):
                (only,) = (await client.list_my_matches()).matches
            assert comer.told == {only.match_id}
            assert only.status == ACTIVE
            found[only.match_id] += 1
        assert sorted(found.values()) == [2] * 20


async def test_neither_log_nor_metrics_tell_codes_and_payments(tmp_path: pathlib.Path) -> None:
    async with (
        lobby_process(tmp_path, "--log-level", "debug") as process,
        process.clients("alice", "badr") as (alice, badr),
        process.wallet() as wallet,
    ):
        made = await alice.create_room(game=STAKED.game, options=STAKED.options)
        code, match = made.join_code, made.match
        typed = [code, code.lower(), code.replace("-", ""), "222-222-222"]
        for one in typed[:3]:
            await badr.look_up_room(one)
        for asking in (badr.look_up_room(typed[3]), badr.join_room(typed[3])):
            with refused("ROOM_NOT_FOUND"):
                await asking
        with refused("MALFORMED_REQUEST"):
            await badr.look_up_room(code[:7])
        with refused("OWN_ROOM"):
            await alice.join_room(code)
        await badr.join_room(code, "r-8")
        with refused("REQUEST_ID_REUSED"):
            await badr.join_room(typed[3], "r-8")
        await wallet.confirm_stake(match.match_id, "alice", "payment-4711")
        with refused("STAKE_PAID_TWICE"):
            await wallet.confirm_stake(match.match_id, "alice", "payment-4712")
        await wallet.confirm_stake(match.match_id, "badr", "payment-4713")
        await alice.join_table("free")
        await badr.join_table("free")
        await badr.submit(match.match_id, resign={})
        again = await alice.rematch(match.match_id)
        await badr.rematch(match.match_id)
        await badr.leave_match(again.match_id)
        metrics = await asyncio.to_thread(read_metrics, process)
        process.process.terminate()
        assert await process.ended() == 0
    log = json.dumps(process.log, ensure_ascii=False)
    for secret in (*typed, code[:7], "payment-47"):
        assert secret not in log
        assert secret not in metrics
    for name in ("alice", "badr", match.match_id):
        assert f'"{name}"' not in metrics
    refusals = [event for event in process.log if event["event"] == "refused"]
    assert ("badr", "r-8", "REQUEST_ID_REUSED") in [
        (one["player"], one.get("request"), one["reason"]) for one in refusals
    ]
    assert {"ROOM_NOT_FOUND", "STAKE_PAID_TWICE"} <= {one["reason"] for one in refusals}
    # Each step is counted once, and no other.
    counted = {
        line.partition('step="')[2].partition('"')[0]: float(line.rpartition(" ")[2])
        for line in metrics.splitlines()
        if line.startswith("majlis_lobby_total{")
    }
    assert counted == {
        "room_opened": 1,
        "room_joined": 1,
        "table_opened": 1,
        "table_joined": 1,
        "stake_confirmed": 2,
        "rematch_opened": 1,
        "rematch_joined": 1,
        "left": 1,
    }
    assert f'game="{HOUSE.name}"' in metrics


def read_metrics(process: Process) -> str:
    with urllib.request.urlopen(f"http://{process.metrics}/metrics", timeout=PATIENCE) as answer:
        return str(answer.read().decode())
