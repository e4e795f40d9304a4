"""The operator's tables over the wire: shown, joined, played at, however many come at once.

What a table may be is in test_offers.py; fees are in test_stakes.py.
"""

import asyncio
import base64
import collections
import itertools

import grpc
import pytest

from majlis.api.caller import Role
from majlis.match import catalogue
from majlis.v1 import match_pb2
from tests.api import lobby
from tests.api.lobby import ACTIVE, GAMES, HOUSE, PUBLIC, STAKED, TONJ, TRIX, WAITING, Offered
from tests.api.refused import refused
from tests.api.serving import Serve, Served


@pytest.mark.parametrize("offered", GAMES, ids=[offered.name for offered in GAMES])
async def test_strangers_meet_and_play_to_the_end(serve: Serve, offered: Offered) -> None:
    async with serve(**lobby.tables()) as served:
        first, *others = offered.players
        match = await served.player(first).join_table(offered.name)
        assert (match.status, match.game, match.table_id) == (WAITING, offered.game, offered.name)
        assert [(seat.seat, seat.player_id) for seat in match.seats] == [(0, first)]
        followers = [lobby.follower(served, name, match.match_id) for name in (first, lobby.SPECTATOR)]
        joined = match
        async with lobby.following(followers):
            for place, name in enumerate(others, 1):
                joined = await served.player(name).join_table(offered.name)
                assert joined.match_id == match.match_id
                assert [seat.player_id for seat in joined.seats] == list(offered.players[: place + 1])
                late = lobby.follower(served, name, match.match_id)
                followers.insert(place, late)
            async with lobby.following(followers[1:-1]):
                if offered is STAKED:
                    joined = await lobby.pay(served, joined)
                assert joined.status == ACTIVE
                for one in followers:
                    await one.until(lambda one=one: one.sequence >= joined.sequence)  # type: ignore[misc]
                ended = await lobby.play_on(followers)
        assert ended.outcome.reason in lobby.ENDS
        if offered is STAKED:
            lobby.is_settled(ended)
        # Whoever followed from the first seat on saw it all.
        assert sorted(followers[0].events) == list(range(match.sequence + 1, ended.sequence + 1))
        # The table is free for the next.
        again = await served.player(first).join_table(offered.name)
        assert again.match_id != match.match_id
        assert again.status == WAITING


async def test_fifty_at_once_fill_twenty_five_matches(serve: Serve) -> None:
    async with serve(**lobby.tables(HOUSE)) as served:
        names = [f"p{number}" for number in range(50)]
        found = await asyncio.gather(*(served.player(name).join_table(HOUSE.name) for name in names))
        mine = dict(zip(names, (match.match_id for match in found), strict=True))
        assert set(collections.Counter(mine.values()).values()) == {2}
        assert len(set(mine.values())) == 25
        for name in names:
            (only,) = (await served.player(name).list_my_matches()).matches
            assert (only.match_id, only.status) == (mine[name], ACTIVE)
            assert name in [seat.player_id for seat in only.seats]


async def test_four_at_a_time_fill_matches_of_trix(serve: Serve) -> None:
    async with serve(**lobby.tables(TRIX)) as served:
        found = await asyncio.gather(*(served.player(f"p{number}").join_table("trix") for number in range(22)))
        sizes = collections.Counter(match.match_id for match in found)
        assert sorted(sizes.values()) == [2, 4, 4, 4, 4, 4]


async def test_whoever_waits_keeps_his_seat(serve: Serve) -> None:
    async with serve(**lobby.tables(HOUSE)) as served:
        alice = served.player("alice")
        first = await alice.join_table(HOUSE.name, "once")
        for request in ("once", "again", "once", "again"):
            assert await alice.join_table(HOUSE.name, request) == first
        assert len((await alice.list_my_matches()).matches) == 1
        await served.player("badr").join_table(HOUSE.name)
        # A repeat gets the match that it came to, as it is now; a new request opens the next.
        for request in ("once", "again"):
            repeated = await alice.join_table(HOUSE.name, request)
            assert (repeated.match_id, repeated.status) == (first.match_id, ACTIVE)
        assert (await alice.join_table(HOUSE.name)).match_id != first.match_id


async def test_a_seat_that_was_given_back_is_taken_by_the_next(serve: Serve) -> None:
    async with serve(**lobby.tables(TRIX)) as served:
        matches = [await served.player(name).join_table("trix") for name in ("alice", "badr", "carim")]
        match_id = matches[0].match_id
        await served.player("badr").leave_match(match_id, "away")
        await served.player("badr").leave_match(match_id, "away")
        left = (await served.player("alice").get_match(match_id)).match
        assert [(seat.seat, seat.player_id) for seat in left.seats] == [(0, "alice"), (2, "carim")]
        with refused("NOT_SEATED"):
            await served.player("badr").leave_match(match_id)
        assert not (await served.player("badr").list_my_matches()).matches
        taken = await served.player("dana").join_table("trix")
        assert [(seat.seat, seat.player_id) for seat in taken.seats] == [(0, "alice"), (1, "dana"), (2, "carim")]
        # A repeat of the request by which he had his seat is answered, and seats nobody.
        started = await served.player("elias").join_table("trix")
        assert (started.match_id, started.status) == (match_id, ACTIVE)
        with refused("ALREADY_STARTED"):
            await served.player("dana").leave_match(match_id)


async def test_a_repeat_finds_the_seat_at_a_table_that_is_gone(serve: Serve) -> None:
    async with serve(**lobby.tables(HOUSE, TONJ)) as served:
        match = await served.player("alice").join_table(HOUSE.name, "once")
    async with serve(**lobby.tables(TONJ)) as served:
        assert (await served.player("alice").join_table(HOUSE.name, "once")).match_id == match.match_id
        for name, request in (("alice", "again"), ("badr", "once")):
            with refused("TABLE_NOT_FOUND"):
                await served.player(name).join_table(HOUSE.name, request)
        with refused("REQUEST_ID_REUSED"):
            await served.player("alice").join_table("never", "once")


async def test_the_last_one_to_leave_ends_it_and_the_table_is_free(serve: Serve) -> None:
    async with serve(**lobby.tables(HOUSE)) as served:
        alice = served.player("alice")
        match = await alice.join_table(HOUSE.name)
        own, other = (lobby.follower(served, name, match.match_id) for name in ("alice", lobby.SPECTATOR))
        async with lobby.following([own, other]):
            await alice.leave_match(match.match_id)
            await lobby.end([other])
            with refused("STREAM_RESET"):  # it showed what her seat may see
                await own.until(lambda: False)
        over = (await alice.get_match(match.match_id)).match
        assert (over.status, list(over.seats)) == (lobby.VOID, [])
        with refused("NOT_SEATED"):
            await alice.rematch(match.match_id)
        assert (await served.player("badr").join_table(HOUSE.name)).match_id != match.match_id


async def test_a_match_that_nobody_joins_in_time_is_void(serve: Serve) -> None:
    async with serve(lobby.Hurried(), **lobby.tables(HOUSE), tables_seconds=10) as served:
        alice = served.player("alice")
        match = await alice.join_table(HOUSE.name)
        watching = lobby.follower(served, "alice", match.match_id)
        async with lobby.following([watching]):
            await lobby.end([watching])
        assert watching.picture.match.status == lobby.VOID
        assert watching.picture.match.outcome.reason == lobby.CANCELLED
        assert (await served.player("badr").join_table(HOUSE.name)).match_id != match.match_id


async def test_a_table_waits_across_a_restart(serve: Serve) -> None:
    async with serve(**lobby.tables(HOUSE)) as served:
        match = await served.player("alice").join_table(HOUSE.name)
    async with serve(**lobby.tables(HOUSE)) as served:
        joined = await served.player("badr").join_table(HOUSE.name)
        assert (joined.match_id, joined.status) == (match.match_id, ACTIVE)


@pytest.mark.parametrize(
    ("visibility", "seen"), [("public", True), ("link", True), ("seated", False)], ids=["public", "link", "seated"]
)
async def test_who_may_look_is_the_operators_to_say(serve: Serve, visibility: str, seen: bool) -> None:
    async with serve(**lobby.tables(HOUSE, visibility=visibility)) as served:
        match = await served.player("alice").join_table(HOUSE.name)
        for stranger in (served.player("carim"), served.player("zahra", Role.SPECTATOR)):
            if seen:
                assert (await stranger.get_match(match.match_id)).match.match_id == match.match_id
                continue
            with refused("MATCH_NOT_FOUND"):
                await stranger.get_match(match.match_id)
        # To be let in by the table is something else.
        assert (await served.player("badr").join_table(HOUSE.name)).status == ACTIVE


async def test_tables_are_listed_in_the_operators_order_with_whole_options(serve: Serve) -> None:
    async with serve(**lobby.tables(TRIX, STAKED, TONJ)) as served:
        listed = (await served.player("alice").list_tables()).tables
        assert [(table.table_id, table.game) for table in listed] == [
            ("trix", match_pb2.GAME_TRIX),
            ("tonj_house", match_pb2.GAME_TONJ_HOUSE),
            ("tonj", match_pb2.GAME_TONJ),
        ]
        assert {table.visibility for table in listed} == {PUBLIC}
        house = listed[1].options.tonj_house
        assert (house.entry_fee_minor, house.rake_bps, house.turn_seconds) == (lobby.FEE, lobby.RATE, 600)
        assert (house.max_moves_per_turn, house.penalty_cards) == (40, 3)
        for table in listed:
            assert (await served.player("badr").join_table(table.table_id)).options == table.options
        assert (await served.player("zahra", Role.SPECTATOR).list_tables()).tables == listed


async def test_names_are_told_in_the_callers_language(serve: Serve) -> None:
    named = [{**HOUSE.table, "name": "High", "name_ar": "الطاولة الكبرى"}, {**TRIX.table, "name": "Quick"}]
    async with serve(tables=named) as served:
        for language, names in (
            ("ar", ["الطاولة الكبرى", "Quick"]),
            ("ar-SA,ar;q=0.9,en;q=0.5", ["الطاولة الكبرى", "Quick"]),
            ("en", ["High", "Quick"]),
            ("fr", ["High", "Quick"]),
        ):
            client = served.player("alice").with_metadata(("accept-language", language))
            assert [table.display_name for table in (await client.list_tables()).tables] == names
        assert [table.display_name for table in (await served.player("alice").list_tables()).tables] == [
            "High",
            "Quick",
        ]


def many(count: int) -> list[dict[str, object]]:
    return [{"id": f"t{number}", "name": f"Table {number}", "game": "tonj"} for number in range(count)]


@pytest.mark.parametrize(("asked", "pages"), [(0, [50, 50, 50, 50, 5]), (100, [100, 100, 5]), (9_999, [200, 5])])
async def test_tables_come_in_pages(serve: Serve, asked: int, pages: list[int]) -> None:
    async with serve(tables=many(205)) as served:
        token, found, sizes = "", list[str](), list[int]()
        for _ in pages:
            page = await served.player("alice").list_tables(page_size=asked, page_token=token)
            found += [table.table_id for table in page.tables]
            sizes.append(len(page.tables))
            token = page.next_page_token
        assert sizes == pages
        assert not token
        assert found == [f"t{number}" for number in range(205)]


async def test_an_operator_may_have_no_table(serve: Serve) -> None:
    async with serve(tables=[]) as served:
        listed = await served.player("alice").list_tables()
        assert (list(listed.tables), listed.next_page_token) == ([], "")


async def test_a_page_that_ends_with_the_list_is_the_last(serve: Serve) -> None:
    async with serve(tables=many(4)) as served:
        page = await served.player("alice").list_tables(page_size=2)
        assert page.next_page_token
        page = await served.player("alice").list_tables(page_size=2, page_token=page.next_page_token)
        assert [table.table_id for table in page.tables] == ["t2", "t3"]
        assert not page.next_page_token


@pytest.mark.parametrize("token", ["x", "MQ==!", "م", " ", "A" * 257, base64.urlsafe_b64encode(b"-1").decode()])
async def test_a_page_token_that_we_never_gave(served: Served, token: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").list_tables(page_token=token)
    assert list(told.fields) == ["page_token"]


async def test_a_table_that_is_none_is_told_in_both_languages(served: Served) -> None:
    entry = catalogue.CATALOGUE["TABLE_NOT_FOUND"]
    for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
        client = served.player("alice").with_metadata(("accept-language", language))
        with refused("TABLE_NOT_FOUND") as told:
            await client.join_table("Tonj")
        assert told.code is grpc.StatusCode.NOT_FOUND
        assert told.localized.message == sentence


@pytest.mark.parametrize(
    ("table", "request_id", "path"),
    [
        ("", "r", "table_id"),
        ("t" * 65, "r", "table_id"),
        ("tonj", "", "request_id"),
        ("tonj", "r" * 65, "request_id"),
        ("tonj", "é" * 33, "request_id"),
    ],
)
async def test_what_cannot_be_meant_is_malformed(served: Served, table: str, request_id: str, path: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").join_table(table, request_id)
    assert list(told.fields) == [path]
    assert not (await served.player("alice").list_my_matches()).matches


async def test_a_request_id_is_for_one_request_of_one_player_and_method(served: Served) -> None:
    alice = served.player("alice")
    match = await alice.join_table("tonj", "one")
    with refused("REQUEST_ID_REUSED") as told:
        await alice.join_table("trix", "one")
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [one.match_id for one in (await alice.list_my_matches()).matches] == [match.match_id]
    # Another player's, and another method's, are others.
    assert (await served.player("badr").join_table("trix", "one")).game == match_pb2.GAME_TRIX
    await alice.leave_match(match.match_id, "one")
    assert (await served.player("badr").join_table("tonj")).match_id != match.match_id


async def test_at_many_tables_nobody_gets_in_anothers_way(serve: Serve) -> None:
    async with serve(tables=many(10)) as served:
        asked = list(itertools.product([f"p{number}" for number in range(8)], [f"t{number}" for number in range(10)]))
        found = await asyncio.gather(*(served.player(name).join_table(table) for name, table in asked))
        by_match = collections.defaultdict[str, set[tuple[str, str]]](set)
        for (name, table), match in zip(asked, found, strict=True):
            assert match.table_id == table
            by_match[match.match_id].add((name, table))
        assert all(len(players) == 2 and len({table for _, table in players}) == 1 for players in by_match.values())
        assert len(by_match) == 40
