"""Actions that clients send again and again, to servers that are killed in between: each is played once (R1)."""

import asyncio
import pathlib

import grpc

from tests.api.clients import Acknowledged, Client, Play, Watcher, bearer, two_players
from tests.api.process import Process, running

TIMES = 10


async def again(process: Process, acknowledged: list[Acknowledged], times: int) -> None:
    """Sends each action so often, from as many connections at once, and has the first answer each time."""
    for _ in range(times):
        async with grpc.aio.insecure_channel(process.listen) as channel:
            clients = {name: Client(channel, name, bearer(process.data, name)) for name in ("alice", "badr")}
            (match_id,) = {one.match_id for one in (await clients["alice"].list_my_matches()).matches}
            answers = await asyncio.gather(
                *(clients[client.name].submit(match_id, **asked) for client, asked, _ in acknowledged)
            )
            assert answers == [answer for _, _, answer in acknowledged]


async def test_what_is_sent_ten_times_across_kills_is_played_once(tmp_path: pathlib.Path) -> None:
    acknowledged: list[Acknowledged] = []
    match, head = None, 0
    for run in range(2):
        async with running(tmp_path) as process, process.clients("alice", "badr") as clients:
            if match is None:
                async with process.matchmaker() as matchmaker:
                    match = await matchmaker.create_match(**two_players())
            watchers = [Watcher(client, match.match_id) for client in clients]
            async with watchers[0].watching(), watchers[1].watching():
                play = Play(watchers, run)
                for _ in range(12):
                    await play.step()
            acknowledged += play.acknowledged
            await again(process, acknowledged, TIMES // 2 if run else TIMES)
            head = (await clients[0].get_match(match.match_id)).match.sequence
            await process.kill()
    assert match is not None
    assert len(acknowledged) == 24
    async with running(tmp_path) as process, process.clients("alice") as (alice,):
        await again(process, acknowledged, TIMES // 2)
        after = (await alice.get_match(match.match_id)).match.sequence
        # At most the time of the restart was given back.
        assert after - head in (0, 1)
        await alice.submit(match.match_id, resign={})
        replay = await alice.get_replay(match.match_id, page_size=5_000)
    told = [event.sequence for _, _, answer in acknowledged for event in answer.events]
    assert told == sorted(set(told))
    assert [event.sequence for event in replay.events] == list(range(1, len(replay.events) + 1))
    started = [event for event in replay.events if event.sequence not in told and event.HasField("tonj")]
    assert {event.tonj.WhichOneof("kind") for event in started} <= {"dealt", "turn_started"}
