"""Random bytes and mangled requests on every method: each is answered, and nothing changes.

Bad tokens are in `test_bad_tokens`.
"""

import random

import grpc
import pytest

from majlis.api import methods
from majlis.api.caller import Role
from majlis.v1 import (
    lobby_service_pb2,
    match_pb2,
    match_service_pb2,
    matchmaking_service_pb2,
    stake_service_pb2,
    tonj_pb2,
)
from tests.api.clients import PATIENCE, two_players
from tests.api.serving import Serve, Served

ROUNDS = 100
STREAMS = {f"/{methods.MATCH_SERVICE}/WatchMatch", f"/{methods.MATCHMAKING_SERVICE}/WatchResults"}
SESSION = f"/{methods.MATCH_SERVICE}/PlaySession"
OWN_FAULT = "Internal error from Core"
"""Of this client, when it writes into a stream that the server has just ended; the server's word is lost then."""
ALLOWED = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.OUT_OF_RANGE,
}


def mangled(chance: random.Random, text: bytes) -> bytes:
    """The bytes with a few of them changed, lost or doubled."""
    changed = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed) + 1)
        match chance.randrange(3):
            case 0:
                changed[place : place + 1] = chance.randbytes(1)
            case 1:
                del changed[place : place + chance.randrange(4)]
            case _:
                changed[place:place] = changed[place : place + chance.randrange(8)]
    return bytes(changed)


def starting_points(match_id: str, sequence: int) -> dict[str, bytes]:
    """For each method a request that would do no harm as it is: it is stale, of a stranger, or a mere question."""
    move = tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())
    requests = {
        "GetMatch": match_service_pb2.GetMatchRequest(match_id=match_id),
        "ListMyMatches": match_service_pb2.ListMyMatchesRequest(page_size=2, page_token="MQ"),
        "GetServerInfo": match_service_pb2.GetServerInfoRequest(),
        "SubmitAction": match_service_pb2.SubmitActionRequest(
            match_id=match_id, request_id="r", expected_sequence=sequence - 1, tonj=move
        ),
        "WatchMatch": match_service_pb2.WatchMatchRequest(match_id=match_id, after_sequence=sequence),
        "PlaySession": match_service_pb2.PlaySessionRequest(
            submit=match_service_pb2.SubmitActionRequest(
                match_id=match_id, request_id="r", expected_sequence=sequence - 1, tonj=move
            )
        ),
        "GetReplay": match_service_pb2.GetReplayRequest(match_id=match_id, page_size=1),
        "CreateMatch": matchmaking_service_pb2.CreateMatchRequest(external_id="x"),
        "WatchResults": matchmaking_service_pb2.WatchResultsRequest(consumer=""),
        "AckResults": matchmaking_service_pb2.AckResultsRequest(consumer="c", cursor="x"),
        "ListTables": lobby_service_pb2.ListTablesRequest(page_size=2, page_token="MQ"),
        "JoinTable": lobby_service_pb2.JoinTableRequest(table_id="none", request_id="r"),
        "CreateRoom": lobby_service_pb2.CreateRoomRequest(game=match_pb2.GAME_UNSPECIFIED, request_id="r"),
        "LookUpRoom": lobby_service_pb2.LookUpRoomRequest(join_code="222-222-222"),
        "JoinRoom": lobby_service_pb2.JoinRoomRequest(join_code="222-222-222", request_id="r"),
        "LeaveMatch": lobby_service_pb2.LeaveMatchRequest(match_id=match_id, request_id="r"),
        "Rematch": lobby_service_pb2.RematchRequest(match_id=match_id, request_id="r"),
        "ConfirmStake": stake_service_pb2.ConfirmStakeRequest(match_id=match_id, player_id="alice", payment_id="p"),
    }
    return {path: requests[path.rpartition("/")[2]].SerializeToString() for path in methods.ROLES}


async def ask(served: Served, path: str, request: bytes, metadata: tuple[tuple[str, str], ...]) -> grpc.StatusCode:
    """How a call ended; of a stream, only its beginning."""
    try:
        if path in STREAMS:
            watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = served.channel.unary_stream(path)
            stream = watch(request, metadata=metadata, timeout=PATIENCE)
            await stream.read()
            stream.cancel()
        elif path == SESSION:
            speak: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = served.channel.stream_stream(path)
            async for _ in speak(iter([request, request]), metadata=metadata, timeout=PATIENCE):
                pass
        else:
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = served.channel.unary_unary(path)
            await call(request, metadata=metadata, timeout=PATIENCE)
    except grpc.aio.AioRpcError as error:
        if path == SESSION and error.details() == OWN_FAULT:
            return await ask(served, path, request, metadata)
        return error.code()
    return grpc.StatusCode.OK


@pytest.mark.parametrize("seed", range(2))
async def test_random_and_mangled_requests_change_nothing(serve: Serve, seed: int) -> None:
    async with serve(rooms_guesses=1_000, rooms_guesses_address=0) as served:
        await mangle_and_compare(served, random.Random(seed))


async def mangle_and_compare(served: Served, chance: random.Random) -> None:
    match = await served.matchmaker.create_match(**two_players())
    alice = served.player("alice")
    before = await alice.get_match(match.match_id)
    # A stranger acts, so that a mangled action that makes sense is still no seated player's.
    callers = {role: served.player("stranger", role).metadata for role in Role}
    for path, start in starting_points(match.match_id, match.sequence).items():
        roles = methods.ROLES[path] or frozenset(Role)
        metadata = callers[sorted(roles)[0]]
        for _ in range(ROUNDS):
            request = chance.choice([chance.randbytes(chance.randrange(60)), mangled(chance, start)])
            code = await ask(served, path, request, metadata)
            assert code is grpc.StatusCode.OK or code in ALLOWED, (path, request)
    after = await alice.get_match(match.match_id)
    assert after.match.sequence == before.match.sequence
    assert after.view == before.view
    assert after.view_digest == before.view_digest
    assert [one.match_id for one in (await alice.list_my_matches()).matches] == [match.match_id]
    assert not (await served.player("stranger").list_my_matches()).matches
