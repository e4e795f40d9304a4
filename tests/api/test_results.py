"""Results over gRPC: who may follow them, what they tell, and how a consumer goes on after any break."""

import asyncio
import collections
import contextlib
from collections.abc import AsyncIterator
from typing import TypeAlias

import grpc
import pytest

from majlis.api.caller import Role
from majlis.v1 import match_pb2, matchmaking_service_pb2, stake_service_pb2
from majlis.v1 import matchmaking_service_pb2_grpc as matchmaking
from majlis.v1 import stake_service_pb2_grpc as stakes
from tests.api import tonj_house
from tests.api.clients import PATIENCE, Client, bearer, two_players
from tests.api.refused import refused
from tests.api.serving import Serve, Served
from tests.api.test_metrics import scrape, value

Result = matchmaking_service_pb2.WatchResultsResponse
Stream: TypeAlias = "grpc.aio.UnaryStreamCall[matchmaking_service_pb2.WatchResultsRequest, Result]"
SEATED, STARTED = matchmaking_service_pb2.RESULT_KIND_SEATED, matchmaking_service_pb2.RESULT_KIND_STARTED
FINISHED = matchmaking_service_pb2.RESULT_KIND_ENDED
WAITING, ACTIVE, ENDED = match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_ACTIVE, match_pb2.MATCH_STATUS_ENDED


def watch(client: Client, consumer: str = "wallet", after: str = "") -> Stream:
    request = matchmaking_service_pb2.WatchResultsRequest(consumer=consumer, after_cursor=after)
    return matchmaking.MatchmakingServiceStub(client.channel).WatchResults(
        request, metadata=client.metadata, timeout=PATIENCE
    )


@contextlib.asynccontextmanager
async def watching(client: Client, consumer: str = "wallet", after: str = "") -> AsyncIterator[Stream]:
    stream = watch(client, consumer, after)
    try:
        yield stream
    finally:
        stream.cancel()


async def one_more(stream: Stream) -> Result:
    result = await stream.read()
    assert isinstance(result, Result), "the stream ended"
    return result


async def read(client: Client, count: int, consumer: str = "wallet", after: str = "") -> list[Result]:
    """The next results, which have to come."""
    async with watching(client, consumer, after) as stream:
        return [await one_more(stream) for _ in range(count)]


async def acknowledge(client: Client, cursor: str, consumer: str = "wallet") -> None:
    request = matchmaking_service_pb2.AckResultsRequest(consumer=consumer, cursor=cursor)
    await matchmaking.MatchmakingServiceStub(client.channel).AckResults(
        request, metadata=client.metadata, timeout=PATIENCE
    )


async def pay(client: Client, match_id: str, player: str) -> None:
    request = stake_service_pb2.ConfirmStakeRequest(match_id=match_id, player_id=player, payment_id=f"paid by {player}")
    await stakes.StakeServiceStub(client.channel).ConfirmStake(request, metadata=client.metadata, timeout=PATIENCE)


def wallet(served: Served, hours: float = 1.0) -> Client:
    return served.player("wallet", Role.WALLET, hours)


async def test_a_wallet_follows_fees_start_and_payment(served: Served) -> None:
    client = wallet(served)
    async with watching(client) as stream:
        made = await served.matchmaker.create_match(**tonj_house.staked(entry_fee_minor=500, rake_bps=1_000))
        seated = await one_more(stream)
        assert (seated.kind, seated.match.status) == (SEATED, WAITING)
        assert seated.match == made
        for seat in seated.match.seats:
            await pay(client, made.match_id, seat.player_id)
        started = await one_more(stream)
        assert (started.kind, started.match.status) == (STARTED, ACTIVE)
        assert [seat.stake_confirmed for seat in started.match.seats] == [True, True]
        await served.player("badr").submit(made.match_id, resign={})
        ended = await one_more(stream)
        assert (ended.kind, ended.match.status) == (FINISHED, ENDED)
        assert ended.match.outcome.settlement.payout_minor == [900, 0]
        assert seated.match.sequence < started.match.sequence < ended.match.sequence
    assert await read(client, 3) == [seated, started, ended]


async def test_a_consumer_goes_on_after_a_cursor_or_after_what_it_acknowledged(served: Served) -> None:
    client, lobby = wallet(served), served.matchmaker
    for _ in range(3):
        await lobby.create_match(**two_players())
    told = await read(client, 6)
    assert len({one.cursor for one in told}) == 6
    assert await read(lobby, 4, "lobby", after=told[1].cursor) == told[2:]
    for cursor in (told[3].cursor, told[3].cursor, told[0].cursor):
        await acknowledge(client, cursor)
        assert await read(client, 2) == told[4:]
    assert await read(lobby, 6, "lobby") == told


async def test_a_matchmaker_does_not_move_the_place_of_a_wallet_with_the_same_name(served: Served) -> None:
    await served.matchmaker.create_match(**two_players())
    told = await read(served.matchmaker, 2)
    await acknowledge(served.matchmaker, told[-1].cursor)
    assert await read(wallet(served), 2) == told


async def test_cursors_and_acknowledgements_outlive_the_server(serve: Serve) -> None:
    async with serve() as served:
        await served.matchmaker.create_match(**two_players())
        told = await read(wallet(served), 2)
        await acknowledge(wallet(served), told[0].cursor)
    async with serve() as served:
        assert await read(wallet(served), 1) == told[1:]
        made = await served.matchmaker.create_match(**two_players())
        later = await read(wallet(served), 2, after=told[1].cursor)
        assert [(one.match.match_id, one.kind) for one in later] == [(made.match_id, SEATED), (made.match_id, STARTED)]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
async def test_results_are_for_services(served: Served, role: Role) -> None:
    await served.matchmaker.create_match(**two_players())
    with refused("ROLE_REQUIRED"):
        await read(served.player("alice", role), 1)
    with refused("ROLE_REQUIRED"):
        await acknowledge(served.player("alice", role), "MQ")


@pytest.mark.parametrize("name", ["", "w" * 65, "محفظة" * 7])
async def test_a_consumer_has_a_name(served: Served, name: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await read(wallet(served), 1, name)
    assert list(told.fields) == ["consumer"]
    with refused("MALFORMED_REQUEST") as told:
        await acknowledge(wallet(served), "MQ", name)
    assert list(told.fields) == ["consumer"]


async def test_a_name_may_have_64_bytes(served: Served) -> None:
    await served.matchmaker.create_match(**two_players())
    (first, second) = await read(wallet(served), 2, "w" * 64)
    await acknowledge(wallet(served), first.cursor, "w" * 64)
    assert await read(wallet(served), 1, "w" * 64) == [second]


async def test_cursors_that_nobody_was_given_are_refused(served: Served) -> None:
    client = wallet(served)
    await served.matchmaker.create_match(**two_players())
    (_, last) = await read(client, 2)
    with refused("MALFORMED_REQUEST") as told:
        await read(client, 1, after="nonsense")
    assert list(told.fields) == ["after_cursor"]
    for cursor in ("", "nonsense"):
        with refused("MALFORMED_REQUEST") as told:
            await acknowledge(client, cursor)
        assert list(told.fields) == ["cursor"]
    await served.matchmaker.create_match(**two_players())
    ahead = (await read(client, 2, after=last.cursor))[-1].cursor
    assert ahead == "NA"
    with refused("CURSOR_AHEAD") as told:
        await read(client, 1, after="NQ")
    assert told.code is grpc.StatusCode.OUT_OF_RANGE
    with refused("CURSOR_AHEAD"):
        await acknowledge(client, "NQ")


async def test_a_server_that_stops_lets_its_consumers_go(serve: Serve) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with serve() as served:
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(str(served.listen)))
            client = Client(channel, "wallet", bearer(served.data, "wallet", Role.WALLET))
            await served.matchmaker.create_match(**two_players())
            stream = await stack.enter_async_context(watching(client))
            assert [(await one_more(stream)).kind for _ in range(2)] == [SEATED, STARTED]
            more = asyncio.ensure_future(one_more(stream))
        with refused("DRAINING"):
            await more


async def test_a_stream_ends_with_its_token(served: Served) -> None:
    with refused("TOKEN_EXPIRED"):
        await read(wallet(served, hours=1 / 3600), 1)


async def test_streams_of_results_take_room_like_others(serve: Serve) -> None:
    async with serve(max_streams_per_player=1) as served:
        await served.matchmaker.create_match(**two_players())
        async with watching(wallet(served)) as stream:
            await one_more(stream)
            with refused("OVERLOADED"):
                await read(wallet(served), 1, "another")
            await read(served.matchmaker, 1, "another")


async def test_a_reader_that_is_slow_holds_up_nobody_and_gets_everything(served: Served) -> None:
    lobby = served.matchmaker
    async with watching(wallet(served)) as slow:
        made = await asyncio.gather(*(lobby.create_match(**two_players()) for _ in range(300)))
        told = await read(lobby, 600, "lobby")  # more than fits on the slow one's way
        assert [await one_more(slow) for _ in range(600)] == told
    assert len({one.cursor for one in told}) == 600
    assert collections.Counter((one.match.match_id, one.kind) for one in told) == {
        (match.match_id, kind): 1 for match in made for kind in (SEATED, STARTED)
    }


async def test_results_and_who_follows_them_are_counted(served: Served) -> None:
    async with watching(wallet(served)) as stream:
        await served.matchmaker.create_match(**two_players())
        for _ in range(2):
            await one_more(stream)
        samples = await scrape(served)
        assert value(samples, "majlis_results_placed_total") == 2
        assert value(samples, "majlis_result_feeds_open") == 1
    async with asyncio.timeout(PATIENCE):
        while value(await scrape(served), "majlis_result_feeds_open"):  # noqa: ASYNC110 -- nothing tells that it has gone
            await asyncio.sleep(0.01)
