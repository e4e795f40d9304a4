"""Holds what the clients of a match were told, all through the crashes, against the log that is left."""

import contextlib
import sqlite3
from collections.abc import Sequence

from majlis import _core
from majlis.api.caller import Role
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, matchmaking_service_pb2, matchmaking_service_pb2_grpc
from tests.api.clients import Client
from tests.api.follower import Follower
from tests.crash.asking import Broken, answered
from tests.crash.player import Player
from tests.crash.server import Server

CLOCK_TOLERANCE_MS = 100
FAILS_WITH_THE_DISK = frozenset({"settle", "beat", "publish", "sweep", "timer", "stop"})
"""Where the server's log may tell of a failure, when it has no disk."""
OF_NOBODY = frozenset(
    {"match_created", "seat_taken", "seat_left", "stake_confirmed", "match_started", "clock_extended", "timed_out"}
)
"""Events that no action has asked for; those of the same instant came with them. `audit` asks for seats and fees."""


def must(held: bool, what: object) -> None:
    if not held:
        raise Broken(str(what))


async def judge(server: Server, match_id: str, players: Sequence[Player]) -> None:
    """Of a match that is over.

    Raises:
        Broken: what is not as it should be.
    """
    replay = await answered(server, players[0].name, lambda client: whole_replay(client, match_id))
    must(replay.match.status == match_pb2.MATCH_STATUS_ENDED, f"{match_id} has ended as {replay.match.status}")
    numbers = [event.sequence for event in replay.events]
    must(numbers == list(range(1, replay.match.sequence + 1)), f"{match_id}: the log has gaps: {numbers}")
    must(not (difference := _core.verify([replay.SerializeToString()])), difference)
    for player in players:
        fresh = await answered(
            server, player.name, lambda client: watched(client, match_id, replay.match.sequence), player.role
        )
        seen = player.follower.events
        must(seen.keys() == set(numbers), f"{player.name} has seen {len(seen)} events of {len(numbers)}")
        lost = [number for number, event in seen.items() if fresh.events.get(number) != event]
        must(not lost, f"{player.name} has seen other events than those that are there: {lost}")
    its_own_answers(players, replay)
    for player in players:
        await answered(server, player.name, player.repeat_all, player.role)
    time_given_back(server.frozen, replay)


async def whole_replay(client: Client, match_id: str) -> match_service_pb2.GetReplayResponse:
    whole = await client.get_replay(match_id, page_size=5_000)
    while whole.next_page_token:
        page = await client.get_replay(match_id, page_size=5_000, page_token=whole.next_page_token)
        whole.events.extend(page.events)
        whole.next_page_token = page.next_page_token
    return whole


async def watched(client: Client, match_id: str, head: int) -> Follower:
    """One who comes after the end, and is told all of it."""
    follower = Follower(client, match_id)
    async with follower.watching(0):
        await follower.until(lambda: follower.sequence >= head)
    return follower


def its_own_answers(players: Sequence[Player], replay: match_service_pb2.GetReplayResponse) -> None:
    """Every acknowledged action is in the log once and in order, and nothing is there that nobody was told of."""
    owners: dict[int, str] = {}
    for player in players:
        before = 0
        for kept in player.kept:
            request = kept.asked["request_id"]
            must(kept.answer.sequence >= before, f"{request} is before the action before it")
            before = kept.answer.sequence
            for event in kept.answer.events:
                must(event.sequence not in owners, f"{request} and {owners.get(event.sequence)} are the same action")
                owners[event.sequence] = request
                shown = player.follower.events[event.sequence]
                must(
                    shown == event.SerializeToString(deterministic=True), f"{request} was answered otherwise than shown"
                )
    times_of_nobody = {instant(event) for event in replay.events if event.WhichOneof("kind") in OF_NOBODY}
    orphans = [
        (event.sequence, event.WhichOneof("kind"))
        for event in replay.events
        if event.sequence not in owners and instant(event) not in times_of_nobody
    ]
    must(not orphans, f"{replay.match.match_id}: nobody was told of an action of his: {orphans}")


def time_given_back(frozen: Sequence[tuple[int, int]], replay: match_service_pb2.GetReplayResponse) -> None:
    """All of a stop that fell into the match was given back to its clock."""
    begin, end = instant(replay.events[0]), instant(replay.events[-1])
    for since, until in frozen:
        if begin + CLOCK_TOLERANCE_MS < since and until < end - CLOCK_TOLERANCE_MS:
            back = [
                event.clock_extended.by_ms
                for event in replay.events
                if event.HasField("clock_extended") and since <= instant(event)
            ]
            must(
                any(by_ms >= until - since - CLOCK_TOLERANCE_MS for by_ms in back),
                f"{replay.match.match_id}: of {until - since} ms {back} were given back",
            )


def instant(event: event_pb2.Event) -> int:
    return event.time.ToMilliseconds()


async def judge_results(server: Server, seen: Sequence[matchmaking_service_pb2.WatchResultsResponse]) -> None:
    """Who follows the results from their beginning is told the same as one who followed them through the crashes.

    Raises:
        Broken: it is not the same.
    """

    async def all_of_them(client: Client) -> list[matchmaking_service_pb2.WatchResultsResponse]:
        stub = matchmaking_service_pb2_grpc.MatchmakingServiceStub(client.channel)
        request = matchmaking_service_pb2.WatchResultsRequest(consumer="judge")
        results = list[matchmaking_service_pb2.WatchResultsResponse]()
        async for result in stub.WatchResults(request, metadata=client.metadata, timeout=20):
            results.append(result)
            if len(results) == len(seen):
                break
        return results

    results = await answered(server, "lobby", all_of_them, Role.MATCHMAKER, seconds=0) if seen else []
    must(results == list(seen), "who comes after the end is told other results")


def judge_file(server: Server) -> None:
    """The database of a server that has stopped is whole, and its logs have no gap.

    Raises:
        Broken: it is not.
    """
    with contextlib.closing(sqlite3.connect(server.data / "majlis.db")) as database:
        ((verdict,),) = database.execute("PRAGMA integrity_check")
        must(verdict == "ok", verdict)
        gaps = database.execute(
            "SELECT match_id FROM log GROUP BY match_id"
            " HAVING min(record) <> 1 OR max(record) <> count(*) OR count(request_key) <> count(DISTINCT request_key)"
        ).fetchall()
        must(not gaps, f"gaps in the logs of {gaps}")


def judge_log(server: Server) -> None:
    """Nothing went wrong in the server but what has to, without a disk.

    Raises:
        Broken: something did.
    """
    for line in server.log:
        expected = line["event"] == "failed" and line["where"] in FAILS_WITH_THE_DISK
        must(expected or line.get("level") not in ("error", "critical"), line)
