"""Matches that wait for their players to come, as a matchmaker asks for them, and what is known of who came."""

from majlis.runtime.feed import Feed
from majlis.runtime.runtime import Runtime
from majlis.store import protocol
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_house_pb2, trix_pb2
from tests.runtime import room, tonj
from tests.runtime.guests import FEE, VOID, Wire
from tests.runtime.tonj import PLAYERS

SECONDS = 90
CONNECT_MS = SECONDS * 1000
FOUR = ("amal", "basim", "dalia", "faris")


def asked(external_id: str = "awaited", **options: int | bool) -> matchmaking_service_pb2.CreateMatchRequest:
    request = tonj.asked_match(external_id, **options)
    request.connect_seconds = SECONDS
    return request


def asked_of_four() -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="four",
        game=match_pb2.GAME_TRIX,
        options=match_pb2.GameOptions(trix=trix_pb2.TrixOptions()),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in FOUR],
        connect_seconds=SECONDS,
    )


def asked_with_a_fee() -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="staked",
        game=match_pb2.GAME_TONJ_HOUSE,
        options=match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(entry_fee_minor=FEE, rake_bps=1_000)),
        players=[matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS],
        connect_seconds=SECONDS,
    )


async def made(runtime: Runtime, request: matchmaking_service_pb2.CreateMatchRequest | None = None) -> Wire:
    """A match that waits for its players."""
    return Wire.FromString(await runtime.create((request or asked()).SerializeToString()))


async def come(runtime: Runtime, match_id: str, player: str, after: int | None = None) -> Feed:
    return await runtime.watch(player, match_id, after)


def came(match: Wire) -> list[bool]:
    return [seat.has_come for seat in match.seats]


async def log_of(store: protocol.Store, match_id: str) -> int:
    """How many records there are."""
    return len(await store.payloads(match_id))


async def events_of(runtime: Runtime, match_id: str, player: str) -> list[str]:
    """Everything that was ever told, by kind, in its order."""
    feed = await come(runtime, match_id, player, 0)
    kinds = [str(event.WhichOneof("kind")) for update in await room.waiting(feed) for event in update.events.events]
    await feed.aclose()
    return kinds


def assert_no_show(match: Wire) -> None:
    assert (match.status, match.outcome.reason) == (VOID, match_pb2.END_REASON_NO_SHOW)
    assert not match.outcome.winner_seats
