"""Who plays Tonj in these tests, and what they ask for."""

from majlis.runtime.runtime import Runtime
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_pb2
from tests.runtime import room
from tests.runtime.room import Clock, Match

PLAYERS = ("amal", "basim")
REVEAL = tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())


def asked_match(external_id: str, **options: int | bool) -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id=external_id,
        game=match_pb2.GAME_TONJ,
        options=match_pb2.GameOptions(
            tonj=tonj_pb2.TonjOptions(**{"show_legal_moves": True, "turn_seconds": 30, **options})  # type: ignore[arg-type]
        ),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS],
    )


async def found(runtime: Runtime, clock: Clock, external_id: str = "first", **options: int | bool) -> Match:
    return await room.seated(runtime, clock, asked_match(external_id, **options))
