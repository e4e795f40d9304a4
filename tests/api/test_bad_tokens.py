"""Bad tokens, over every method that asks for one: nobody is let in, and not a byte of what is stored changes."""

import asyncio
import collections
import contextlib
import pathlib
import random
from typing import Any

import apsw
import grpc
import pytest

from majlis.api import dev_identity, methods
from majlis.api.caller import Role
from majlis.api.identity import Identity
from majlis.app import wall_clock
from majlis.match.refusal import Refusal
from majlis.v1 import (
    lobby_service_pb2,
    match_pb2,
    match_service_pb2,
    matchmaking_service_pb2,
    stake_service_pb2,
    tonj_house_pb2,
)
from tests.api import bad_tokens
from tests.api.clients import bearer, two_players
from tests.api.serving import Serve, Served
from tests.api.test_random_bytes import ask
from tests.api.test_results import read

TIMES = 10_000
AT_ONCE = 50
CHANGING = {
    *("SubmitAction", "CreateMatch", "AckResults", "ConfirmStake"),
    *("JoinTable", "CreateRoom", "JoinRoom", "LeaveMatch", "Rematch"),
}


def test_ten_thousand_bad_tokens_name_nobody(tmp_path: pathlib.Path) -> None:
    chance = random.Random(4)
    known = Identity(dev_identity.issuer(tmp_path), wall_clock)
    (_, good) = bearer(tmp_path, "alice")
    for _ in range(10_000):
        with pytest.raises(Refusal, match="TOKEN_INVALID"):
            known.caller(bad_tokens.forged(chance, good))
    assert known.caller(good).subject == "alice"


def stored(served: Served) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table in the file, but for the sign of life that the server keeps each second."""
    with contextlib.closing(apsw.Connection(str(served.data / "majlis.db"), apsw.SQLITE_OPEN_READONLY)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for name in tables if name != "alive"
        }


async def shown(served: Served, *match_ids: str) -> list[tuple[bytes, bytes, bytes]]:
    """Digest, match and clock of each, as everybody sees them."""
    states = [await served.player(name).get_match(one) for one in match_ids for name in ("alice", "badr")]
    return [(one.view_digest, one.match.SerializeToString(), one.clock.SerializeToString()) for one in states]


async def at_stake(served: Served) -> tuple[dict[str, bytes], list[str]]:
    """Requests of alice, or of a service, of which each would change something or tell something; and her matches."""
    alice, badr = served.player("alice"), served.player("badr")
    played = await served.matchmaker.create_match(**two_players())
    over = await served.matchmaker.create_match(**two_players())
    await badr.submit(over.match_id, resign=match_service_pb2.Resign())
    waiting = await alice.create_room(game=match_pb2.GAME_TONJ)
    others = await badr.create_room(game=match_pb2.GAME_TONJ)
    fee = tonj_house_pb2.TonjHouseOptions(entry_fee_minor=100)
    staked = await served.matchmaker.create_match(
        **two_players(game=match_pb2.GAME_TONJ_HOUSE, options=match_pb2.GameOptions(tonj_house=fee))
    )
    # All results: their places are given in the background, and none must come later.
    cursor = (await read(served.matchmaker, 6, "lobby"))[-1].cursor
    resign = match_service_pb2.SubmitActionRequest(
        match_id=played.match_id, request_id="r", resign=match_service_pb2.Resign()
    )
    requests = {
        "GetMatch": match_service_pb2.GetMatchRequest(match_id=played.match_id),
        "ListMyMatches": match_service_pb2.ListMyMatchesRequest(),
        "SubmitAction": resign,
        "WatchMatch": match_service_pb2.WatchMatchRequest(match_id=played.match_id),
        "PlaySession": match_service_pb2.PlaySessionRequest(submit=resign),
        "GetReplay": match_service_pb2.GetReplayRequest(match_id=over.match_id),
        "CreateMatch": matchmaking_service_pb2.CreateMatchRequest(**two_players()),
        "WatchResults": matchmaking_service_pb2.WatchResultsRequest(consumer="lobby"),
        "AckResults": matchmaking_service_pb2.AckResultsRequest(consumer="lobby", cursor=cursor),
        "ListTables": lobby_service_pb2.ListTablesRequest(),
        "JoinTable": lobby_service_pb2.JoinTableRequest(table_id="tonj", request_id="r"),
        "CreateRoom": lobby_service_pb2.CreateRoomRequest(game=match_pb2.GAME_TONJ, request_id="r"),
        "LookUpRoom": lobby_service_pb2.LookUpRoomRequest(join_code=others.join_code),
        "JoinRoom": lobby_service_pb2.JoinRoomRequest(join_code=others.join_code, request_id="r"),
        "LeaveMatch": lobby_service_pb2.LeaveMatchRequest(match_id=waiting.match.match_id, request_id="r"),
        "Rematch": lobby_service_pb2.RematchRequest(match_id=over.match_id, request_id="r"),
        "ConfirmStake": stake_service_pb2.ConfirmStakeRequest(
            match_id=staked.match_id, player_id="alice", payment_id="p"
        ),
    }
    by_path = {path: requests.pop(path.rpartition("/")[2]) for path, roles in methods.ROLES.items() if roles}
    assert not requests
    return {path: one.SerializeToString() for path, one in by_path.items()}, [played.match_id, over.match_id]


async def test_ten_thousand_bad_tokens_change_nothing(serve: Serve) -> None:
    async with serve(stakes_seconds=3_600) as served:
        requests, match_ids = await at_stake(served)
        chance = random.Random(3)
        bad = {role: bad_tokens.kinds(served.data, "alice" if role is Role.PLAYER else "lobby", role) for role in Role}
        before = stored(served), await shown(served, *match_ids)
        ends: collections.Counter[tuple[str, str]] = collections.Counter()

        async def attempt(path: str) -> None:
            lets_in = methods.ROLES[path] or frozenset()
            role = chance.choice(sorted(lets_in))
            kind = chance.choice([*bad[role], "of another role"])
            if kind == "of another role":
                subject, wrong = "alice", chance.choice(sorted(set(Role) - lets_in))
                value: str | None = bearer(served.data, subject, wrong)[1]
            else:
                value = bad[role][kind](chance)
            code = await ask(served, path, requests[path], (("authorization", value),) if value is not None else ())
            refusal = "PERMISSION_DENIED" if kind == "of another role" else "UNAUTHENTICATED"
            assert code.name == refusal, (path, kind, value)
            ends[path, kind] += 1

        paths = list(requests)
        for start in range(0, TIMES, AT_ONCE):
            await asyncio.gather(*(attempt(paths[number % len(paths)]) for number in range(start, start + AT_ONCE)))
        assert ends.total() == TIMES
        assert len(ends) == len(paths) * (len(bad[Role.PLAYER]) + 1)
        assert (stored(served), await shown(served, *match_ids)) == before
        await assert_good_ones_let_in(served, requests)


async def assert_good_ones_let_in(served: Served, requests: dict[str, bytes]) -> None:
    """Asserts that it was the tokens: with good ones all of this is answered, and what is a change changes the file."""
    for path, request in requests.items():
        is_player = Role.PLAYER in (methods.ROLES[path] or ())
        role = Role.PLAYER if is_player else min(methods.ROLES[path] or ())
        caller, before = served.player("alice" if is_player else "lobby", role), stored(served)
        assert await ask(served, path, request, caller.metadata) is grpc.StatusCode.OK, path
        assert stored(served) != before or path.rpartition("/")[2] not in CHANGING, path
