"""Players who are waited for, over the wire: a watch counts, of its own or in a session, and a kill forgets nobody."""

import contextlib
import pathlib
from collections.abc import AsyncIterator

import pytest

from majlis.api.caller import Role
from majlis.v1 import match_pb2, matchmaking_service_pb2, trix_pb2
from tests.api import lobby, tonj_house
from tests.api.clients import Client, Watcher, two_players
from tests.api.follower import Follower
from tests.api.lobby import ACTIVE, FEE, SPECTATOR, VOID, WAITING
from tests.api.process import running
from tests.api.refused import refused
from tests.api.serving import Served
from tests.api.session_client import Session
from tests.api.test_results import one_more, watching

NO_SHOW = match_pb2.END_REASON_NO_SHOW
ENDED_VOID = matchmaking_service_pb2.RESULT_KIND_VOID
SEATED, STARTED = matchmaking_service_pb2.RESULT_KIND_SEATED, matchmaking_service_pb2.RESULT_KIND_STARTED
PATIENT = 3_600
"""Seconds that no test waits for."""


def came(match: match_pb2.Match) -> list[bool]:
    return [seat.has_come for seat in match.seats]


@contextlib.asynccontextmanager
async def there(client: Client, match_id: str, way: str = "stream") -> AsyncIterator[Watcher]:
    """A player at the match, by a stream of its own or in a session."""
    async with contextlib.AsyncExitStack() as stack:
        by = client if way == "stream" else await stack.enter_async_context(Session(client))
        yield await stack.enter_async_context(Watcher(by, match_id).watching())


@pytest.mark.parametrize("first", ["stream", "session"])
@pytest.mark.parametrize("second", ["stream", "session"])
async def test_a_watch_and_a_session_count(served: Served, first: str, second: str) -> None:
    match = await served.matchmaker.create_match(**two_players(connect_seconds=PATIENT))
    assert (match.status, came(match)) == (WAITING, [False, False])
    alice, badr = served.player("alice"), served.player("badr")
    async with there(badr, match.match_id, first) as one:
        assert one.first is not None
        assert (one.first.clock.kind, list(one.first.clock.awaited_seats)) == (match_pb2.CLOCK_KIND_CONNECT, [0])
        shown = (await badr.get_match(match.match_id)).match
        assert (shown.status, came(shown)) == (WAITING, [False, True])
        async with there(alice, match.match_id, second) as other:
            assert other.first is not None
            assert other.first.snapshot.match.status == ACTIVE
            await one.until(lambda: one.sequence >= other.sequence)
            told = [event.WhichOneof("kind") for event in map(lobby.read, one.events.values())]
            assert told[:2] == ["player_connected", "match_started"]
            await alice.submit(match.match_id, resign={})


async def test_who_looks_plays_or_looks_on_has_not_come(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players(connect_seconds=PATIENT))
    alice = served.player("alice")
    await alice.get_match(match.match_id)
    assert [one.match_id for one in (await alice.list_my_matches()).matches] == [match.match_id]
    with refused("NOT_STARTED"):
        await alice.submit(match.match_id, resign={})
    async with (
        there(served.player(SPECTATOR, Role.SPECTATOR), match.match_id),
        there(served.player("alice", Role.SPECTATOR), match.match_id),  # her name, but not she at the table
        there(served.player("zayd"), match.match_id),
        Session(alice) as idle,  # a session that watches nothing
    ):
        with refused("NOT_STARTED"):
            await idle.submit(match.match_id, resign={})
        assert came((await alice.get_match(match.match_id)).match) == [False, False]


async def test_whoever_follows_by_events_holds_what_is_shown(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players(connect_seconds=PATIENT))
    onlooker, late = (Follower(served.player(SPECTATOR, Role.SPECTATOR), match.match_id) for _ in range(2))
    alice, badr = (Follower(served.player(name), match.match_id) for name in ("alice", "badr"))
    async with (
        lobby.following([onlooker]),
        lobby.following([alice]),
        lobby.following([badr]),
        lobby.following([late], 0),
    ):
        await lobby.play_on([alice, badr, onlooker, late])


async def test_four_come_to_trix(served: Served) -> None:
    options = match_pb2.GameOptions(trix=trix_pb2.TrixOptions(choose_seconds=600, double_seconds=600, play_seconds=600))
    names = lobby.NAMES
    order = two_players(*names, game=match_pb2.GAME_TRIX, options=options, connect_seconds=PATIENT)
    match = await served.matchmaker.create_match(**order)
    for number, name in enumerate(names, 1):
        async with there(served.player(name), match.match_id):
            shown = (await served.player(name).get_match(match.match_id)).match
            assert came(shown) == [seat < number for seat in range(4)]
            assert shown.status == (ACTIVE if number == 4 else WAITING)


async def test_one_may_not_wait_for_ever(served: Served) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.matchmaker.create_match(**two_players(connect_seconds=PATIENT + 1))
    assert list(told.fields) == ["connect_seconds"]


async def test_who_came_before_a_kill_has_come_after_it(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process, process.clients("alice") as (alice,), process.matchmaker() as matchmaker:
        match = await matchmaker.create_match(**two_players(connect_seconds=PATIENT))
        async with there(alice, match.match_id):
            await process.kill()
    async with running(tmp_path) as process, process.clients("alice", "badr") as (alice, badr):
        shown = (await badr.get_match(match.match_id)).match
        assert (shown.status, came(shown)) == (WAITING, [True, False])
        async with there(badr, match.match_id) as watcher:
            assert watcher.first is not None
            assert watcher.first.snapshot.match.status == ACTIVE
            await process.kill()
    async with running(tmp_path) as process, process.clients("alice") as (alice,), process.matchmaker() as matchmaker:
        await alice.submit(match.match_id, resign={})
        replay = await alice.get_replay(match.match_id, page_size=5_000)
        async with watching(matchmaker, "lobby") as results:
            assert [(await one_more(results)).kind for _ in range(2)] == [SEATED, STARTED]
    assert [event.player_connected.seat for event in replay.events if event.HasField("player_connected")] == [0, 1]


async def test_nobody_comes_and_the_fees_go_back_even_after_a_kill(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process, process.matchmaker() as matchmaker, process.wallet() as wallet:
        order = {**tonj_house.staked(entry_fee_minor=FEE, rake_bps=333), "connect_seconds": 1}
        match = await matchmaker.create_match(**order)
        for seat in match.seats:
            match = await wallet.confirm_stake(match.match_id, seat.player_id)
        assert match.status == WAITING
        await process.kill()
    async with running(tmp_path) as process, process.wallet() as wallet, watching(wallet) as results:
        assert (await one_more(results)).kind == SEATED
        void = await one_more(results)
        assert (void.kind, void.match.status, void.match.outcome.reason) == (ENDED_VOID, VOID, NO_SHOW)
        settlement = void.match.outcome.settlement
        assert (list(settlement.payout_minor), settlement.rake_minor) == ([FEE, FEE], 0)
