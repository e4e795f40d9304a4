"""Two server processes over one PostgreSQL, as players meet them: each at another, and now and then one is killed."""

import contextlib
import pathlib
import random
import time
from collections.abc import AsyncIterator, Sequence

import pytest

from majlis.v1 import match_pb2
from tests.api.clients import Acknowledged, Play, Watcher, two_players
from tests.api.process import Process
from tests.services import fixtures
from tests.services.fixtures import cluster, database, database_url, only_database

if not fixtures.CHOSEN:
    pytest.skip(fixtures.WHY_NOT, allow_module_level=True)

__all__ = ["cluster", "database", "database_url", "only_database"]

PLAYERS = ("alice", "badr")


@contextlib.asynccontextmanager
async def playing(
    servers: Sequence[Process], match_id: str, known: dict[str, dict[int, bytes]], seed: int
) -> AsyncIterator[Play]:
    """Both players, each at his server; what they held before is still there, and the same."""
    async with contextlib.AsyncExitStack() as stack:
        watchers = []
        for name, server in zip(PLAYERS, servers, strict=True):
            (client,) = await stack.enter_async_context(server.clients(name))
            watchers.append(Watcher(client, match_id))
            await stack.enter_async_context(watchers[-1].watching(0))
        heads = [(await watcher.client.get_match(match_id)).match.sequence for watcher in watchers]
        play = Play(watchers, seed)
        await play.all_at(max(heads))
        for watcher in watchers:
            assert known[watcher.client.name].items() <= watcher.events.items()
            known[watcher.client.name] = watcher.events
        yield play


async def test_a_match_goes_on_at_the_other_server_when_one_is_killed(
    tmp_path: pathlib.Path, database_url: str
) -> None:
    chance = random.Random(4)
    acknowledged: list[Acknowledged] = []
    known: dict[str, dict[int, bytes]] = {name: {} for name in PLAYERS}
    flags = ("--store", database_url, "--max-gap", "100000")
    servers = [Process(tmp_path, *flags) for _ in PLAYERS]
    try:
        for server in servers:
            await server.start()
        async with servers[0].matchmaker() as matchmaker:
            match = await matchmaker.create_match(**two_players(*PLAYERS))
        for turn in range(4):
            async with playing(servers, match.match_id, known, turn) as play:
                for client, asked, answer in acknowledged:
                    # By whichever server it was answered, and at whichever he is now.
                    same = next(watcher.client for watcher in play.watchers if watcher.client.name == client.name)
                    assert await same.submit(match.match_id, **asked) == answer
                for _ in range(chance.randrange(3, 9)):
                    await play.step()
                acknowledged += play.acknowledged
            killed = chance.randrange(2)
            await servers[killed].kill()
            begun = time.monotonic()
            async with playing([servers[1 - killed]] * 2, match.match_id, known, turn) as play:
                await play.step()
                assert time.monotonic() - begun < 5
                acknowledged += play.acknowledged
            servers[killed] = Process(tmp_path, *flags)
            await servers[killed].start()
        async with playing(servers, match.match_id, known, 9) as play:
            await play.to_the_end()
            client = play.watchers[1].client
            ended = (await client.get_match(match.match_id)).match
            assert ended.status == match_pb2.MATCH_STATUS_ENDED
            replay = await client.get_replay(match.match_id, page_size=5_000)
            assert [event.sequence for event in replay.events] == list(range(1, ended.sequence + 1))
    finally:
        for server in servers:
            if server.process.returncode is None:
                await server.kill()
    assert len(acknowledged) > 12
