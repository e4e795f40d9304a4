"""Private rooms over the wire: opened, found by their code, full, closed, hidden from everybody else.

How often a code may be guessed is in test_room_guesses.py; fees are in test_stakes.py.
"""

import asyncio
import re
from typing import Any

import grpc
import pytest
from google.protobuf import json_format

from majlis.api.caller import Role
from majlis.match import catalogue
from majlis.v1 import match_pb2, tonj_house_pb2, tonj_pb2
from tests.api import lobby
from tests.api.clients import Client
from tests.api.lobby import ACTIVE, GAMES, LINK, PUBLIC, SEATED, STAKED, TONJ, TRIX, VOID, WAITING, Offered
from tests.api.refused import Told, refused
from tests.api.serving import Serve, Served


@pytest.mark.parametrize("offered", GAMES, ids=[offered.name for offered in GAMES])
async def test_friends_meet_by_a_code_and_play_to_the_end(serve: Serve, offered: Offered) -> None:
    async with serve(max_gap=100_000) as served:
        first, *others = offered.players
        match, code = await lobby.room(served.player(first), offered)
        assert (match.status, match.game, match.visibility, match.table_id) == (WAITING, offered.game, SEATED, "")
        assert match.options.WhichOneof("game") == offered.name
        followers = [lobby.follower(served, first, match.match_id)]
        joined = match
        async with lobby.following(followers, 0):
            for place, name in enumerate(others, 1):
                found = await served.player(name).look_up_room(code)
                assert (found.match.match_id, found.free_seats) == (match.match_id, len(offered.players) - place)
                assert found.match.options == match.options
                joined = await served.player(name).join_room(code)
                assert [seat.player_id for seat in joined.seats] == list(offered.players[: place + 1])
                followers.append(lobby.follower(served, name, match.match_id))
            async with lobby.following(followers[1:], 0):
                if offered is STAKED:
                    joined = await lobby.pay(served, joined)
                assert joined.status == ACTIVE
                for one in followers:
                    await one.until(lambda one=one: one.sequence >= joined.sequence)  # type: ignore[misc]
                ended = await lobby.play_on(followers)
        assert ended.outcome.reason in lobby.ENDS
        if offered is STAKED:
            lobby.is_settled(ended)
        for one in followers:
            assert sorted(one.events) == list(range(1, ended.sequence + 1))


async def test_without_options_a_room_is_free_with_all_defaults(served: Served) -> None:
    made = await served.player("alice").create_room(game=match_pb2.GAME_TONJ_HOUSE)
    given = made.match.options.tonj_house
    assert (given.entry_fee_minor, given.rake_bps, given.max_turns, given.penalty_cards) == (0, 0, 400, 3)
    assert (await served.player("badr").join_room(made.join_code)).status == ACTIVE


async def test_a_code_can_be_read_and_typed_in_any_way(served: Served) -> None:
    made = await served.player("alice").create_room(game=match_pb2.GAME_TONJ)
    assert re.fullmatch("[2-9A-HJ-NP-Z]{3}(-[2-9A-HJ-NP-Z]{3}){2}", made.join_code)
    until = made.code_expire_time.ToMilliseconds() - made.match.create_time.ToMilliseconds()
    assert until == 900_000
    for typed in (
        made.join_code.lower(),
        made.join_code.replace("-", ""),
        made.join_code.replace("-", " "),
        f"  {made.join_code}\n",
    ):
        assert (await served.player("badr").look_up_room(typed)).match.match_id == made.match.match_id


async def test_a_repeat_finds_the_same_room_and_code_until_it_is_full(served: Served) -> None:
    alice = served.player("alice")
    first = await alice.create_room(game=match_pb2.GAME_TONJ, request_id="one")
    assert await alice.create_room(game=match_pb2.GAME_TONJ, request_id="one") == first
    other = await alice.create_room(game=match_pb2.GAME_TONJ, request_id="two")
    assert other.match.match_id != first.match.match_id
    assert other.join_code != first.join_code
    joined = await served.player("badr").join_room(first.join_code, "mine")
    assert await served.player("badr").join_room(first.join_code, "mine") == joined
    late = await alice.create_room(game=match_pb2.GAME_TONJ, request_id="one")
    assert (late.match.match_id, late.match.status) == (first.match.match_id, ACTIVE)
    assert (late.join_code, late.HasField("code_expire_time")) == ("", False)


async def told_in_both(reason: str, client: Client, code: str) -> list[Told]:
    """Joining is refused, in English and in Arabic."""
    entry, both = catalogue.CATALOGUE[reason], []
    for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
        with refused(reason) as told:
            await client.with_metadata(("accept-language", language)).join_room(code)
        assert (told.localized.locale, told.localized.message) == (language, sentence)
        assert told.code is grpc.StatusCode[entry.code]
        both.append(told)
    return both


async def test_who_sits_in_a_room_does_not_join_it_again(served: Served) -> None:
    alice = served.player("alice")
    match, code = await lobby.room(alice)
    await told_in_both("OWN_ROOM", alice, code)
    assert (await alice.look_up_room(code)).match.sequence == match.sequence


async def test_a_room_that_waits_for_fees_is_full(served: Served) -> None:
    match, code = await lobby.room(served.player("alice"), STAKED)
    await served.player("badr").join_room(code)
    await told_in_both("ROOM_FULL", served.player("carim"), code)
    found = await served.player("carim").look_up_room(code)
    assert (found.match.match_id, found.free_seats, found.match.status) == (match.match_id, 0, WAITING)


@pytest.mark.parametrize("code", ["222-222-222", "٢٢٢ ٢٢٢ ٢٢٢"])
async def test_a_code_of_no_room_is_told_in_both_languages(served: Served, code: str) -> None:
    await told_in_both("ROOM_NOT_FOUND", served.player("carim"), code)
    with refused("ROOM_NOT_FOUND"):
        await served.player("carim").look_up_room(code)


async def test_the_code_of_a_match_that_has_started_leads_nowhere(served: Served) -> None:
    _, code = await lobby.room(served.player("alice"))
    await served.player("badr").join_room(code)
    await told_in_both("ROOM_NOT_FOUND", served.player("carim"), code)


async def test_a_room_that_its_maker_left_has_closed(served: Served) -> None:
    alice = served.player("alice")
    match, code = await lobby.room(alice)
    await alice.leave_match(match.match_id)
    await told_in_both("ROOM_EXPIRED", served.player("carim"), code)
    with refused("ROOM_EXPIRED"):
        await served.player("carim").look_up_room(code)


async def test_a_room_that_nobody_comes_to_in_time_has_closed(serve: Serve) -> None:
    async with serve(lobby.Hurried(), rooms_seconds=10) as served:
        alice = served.player("alice")
        match, code = await lobby.room(alice)
        watching = lobby.follower(served, "alice", match.match_id)
        async with lobby.following([watching]):
            await lobby.end([watching])
        assert watching.picture.match.status == VOID
        await told_in_both("ROOM_EXPIRED", served.player("carim"), code)


async def test_of_many_who_come_at_once_one_gets_the_seat(served: Served) -> None:
    match, code = await lobby.room(served.player("alice"), STAKED)
    names = [f"p{number}" for number in range(20)]
    told = await asyncio.gather(*(served.player(name).join_room(code) for name in names), return_exceptions=True)
    (seated,) = (name for name, one in zip(names, told, strict=True) if isinstance(one, match_pb2.Match))
    seats = (await served.player("alice").get_match(match.match_id)).match.seats
    assert [seat.player_id for seat in seats] == ["alice", seated]


async def test_a_guest_may_leave_and_another_come(served: Served) -> None:
    match, code = await lobby.room(served.player("alice"), TRIX)
    guest = served.player("badr")
    followers = [lobby.follower(served, "alice", match.match_id)]
    async with lobby.following(followers):
        await guest.join_room(code)
        await guest.leave_match(match.match_id)
        with refused("MATCH_NOT_FOUND"):
            await guest.get_match(match.match_id)
        await served.player("carim").join_room(code)
        joined = await guest.join_room(code)
        assert [seat.player_id for seat in joined.seats] == ["alice", "carim", "badr"]
        await followers[0].until(lambda: followers[0].sequence == joined.sequence)
        held = followers[0].picture.match.seats
        assert [seat.player_id for seat in held] == ["alice", "carim", "badr"]


async def test_to_others_there_is_no_such_room(served: Served) -> None:
    match, _ = await lobby.room(served.player("alice"))
    for stranger in (served.player("carim"), served.player("zahra", Role.SPECTATOR)):
        for asking in (stranger.get_match(match.match_id), stranger.watch(match.match_id).read()):
            with refused("MATCH_NOT_FOUND"):
                await asking
    carim = served.player("carim")
    for asking in (
        carim.leave_match(match.match_id),
        carim.rematch(match.match_id),
        carim.submit(match.match_id, resign={}),
        carim.get_replay(match.match_id),
    ):
        with refused("MATCH_NOT_FOUND"):
            await asking
    assert (await served.player("alice").get_match(match.match_id)).match.sequence == match.sequence


@pytest.mark.parametrize("visibility", [LINK, PUBLIC])
async def test_its_maker_may_let_others_look(served: Served, visibility: match_pb2.Visibility.ValueType) -> None:
    match, code = await lobby.room(served.player("alice"), visibility=visibility)
    assert match.visibility == visibility
    watching = [lobby.follower(served, lobby.SPECTATOR, match.match_id)]
    async with lobby.following(watching):
        joined = await served.player("badr").join_room(code)
        await watching[0].until(lambda: watching[0].sequence == joined.sequence)
        assert watching[0].picture.match.status == ACTIVE
    # To look is not to sit.
    for asking in (served.player("carim").leave_match(match.match_id), served.player("carim").rematch(match.match_id)):
        with refused("NOT_SEATED"):
            await asking


async def test_a_waiting_match_is_not_played_yet(served: Served) -> None:
    match, _ = await lobby.room(served.player("alice"), TONJ)
    reveal = tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())
    actions: list[dict[str, Any]] = [{"tonj": reveal}, {"resign": {}}]
    for action in actions:
        with refused("NOT_STARTED"):
            await served.player("alice").submit(match.match_id, **action)
    with refused("MATCH_NOT_ENDED"):
        await served.player("alice").get_replay(match.match_id)
    with refused("MATCH_NOT_ENDED"):
        await served.player("alice").rematch(match.match_id)


async def test_the_name_on_a_seat_is_the_tokens(served: Served) -> None:
    match, _ = await lobby.room(served.player("alice"))
    assert [(seat.player_id, seat.display_name) for seat in match.seats] == [("alice", "alice")]


def house(**options: Any) -> match_pb2.GameOptions:
    return match_pb2.GameOptions(tonj_house=tonj_house_pb2.TonjHouseOptions(**options))


def another_games() -> match_pb2.GameOptions:
    """Options in a field that this version has no game for."""
    return match_pb2.GameOptions.FromString(bytes([15 << 3 | 2, 2, 1 << 3, 30]))


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"request_id": ""}, "request_id"),
        ({"request_id": "r" * 65}, "request_id"),
        ({"request_id": "é" * 33}, "request_id"),
        ({"game": match_pb2.GAME_UNSPECIFIED}, "game"),
        ({"game": 99}, "game"),
        ({"visibility": 99}, "visibility"),
        ({"options": TONJ.options}, "options"),
        ({"options": another_games()}, "options"),
        ({"options": house(entry_fee_minor=10**9 + 1)}, "options.tonj_house.entry_fee_minor"),
        ({"options": house(rake_bps=5_001)}, "options.tonj_house.rake_bps"),
        ({"options": house(penalty_cards=11)}, "options.tonj_house.penalty_cards"),
        ({"options": house(turn_seconds=604_801)}, "options.tonj_house.turn_seconds"),
    ],
)
async def test_a_room_that_cannot_be_made(served: Served, fields: dict[str, Any], path: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").create_room(**{"game": match_pb2.GAME_TONJ_HOUSE, **fields})
    assert path in told.fields
    assert all(told.fields.values())
    assert not (await served.player("alice").list_my_matches()).matches


async def test_the_dearest_room_there_may_be(served: Served) -> None:
    options = house(entry_fee_minor=10**9, rake_bps=5_000)
    made = await served.player("alice").create_room(game=match_pb2.GAME_TONJ_HOUSE, options=options)
    await served.player("badr").join_room(made.join_code)
    match = await lobby.pay(served, (await served.player("badr").get_match(made.match.match_id)).match)
    await served.player("alice").submit(match.match_id, resign={})
    settled = (await served.player("badr").get_match(match.match_id)).match.outcome.settlement
    assert (settled.pot_minor, settled.rake_minor) == (2 * 10**9, 10**9)
    assert list(settled.payout_minor) == [0, 10**9]


@pytest.mark.parametrize(
    ("code", "request_id", "path"),
    [
        ("", "r", "join_code"),
        ("short", "r", "join_code"),
        ("0O1-I22-222", "r", "join_code"),
        ("م" * 9, "r", "join_code"),
        ("x" * 65, "r", "join_code"),
        ("222-222-222", "", "request_id"),
        ("222-222-222", "r" * 65, "request_id"),
    ],
)
async def test_what_cannot_be_a_code_is_malformed_and_no_guess(
    serve: Serve, code: str, request_id: str, path: str
) -> None:
    async with serve(rooms_guesses=1) as served:
        badr = served.player("badr")
        for _ in range(3):
            with refused("MALFORMED_REQUEST") as told:
                await badr.join_room(code, request_id)
            assert list(told.fields) == [path]
            if path == "join_code":
                with refused("MALFORMED_REQUEST"):
                    await badr.look_up_room(code)


@pytest.mark.parametrize("method", ["leave_match", "rematch"])
@pytest.mark.parametrize(
    ("match_id", "request_id", "path"),
    [
        ("", "r", "match_id"),
        ("m" * 65, "r", "match_id"),
        ("m", "", "request_id"),
        ("m", "r" * 65, "request_id"),
    ],
)
async def test_ids_have_1_to_64_bytes(served: Served, method: str, match_id: str, request_id: str, path: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await getattr(served.player("alice"), method)(match_id, request_id)
    assert list(told.fields) == [path]


@pytest.mark.parametrize("match_id", ["m", "'; DROP TABLE matches; --", "م", "\x00"])
async def test_an_unknown_match_is_not_found(served: Served, match_id: str) -> None:
    alice = served.player("alice")
    for asking in (alice.leave_match(match_id), alice.rematch(match_id)):
        with refused("MATCH_NOT_FOUND"):
            await asking


async def test_a_request_id_is_kept_for_what_was_asked_with_it(served: Served) -> None:
    alice, badr = served.player("alice"), served.player("badr")
    made = await alice.create_room(game=match_pb2.GAME_TONJ, request_id="one")
    for other in (
        {"game": match_pb2.GAME_TRIX},
        {"game": match_pb2.GAME_TONJ, "visibility": PUBLIC},
        {"game": match_pb2.GAME_TONJ, "options": json_format.ParseDict({"tonj": {"turn_seconds": 5}}, TONJ.options)},
    ):
        with refused("REQUEST_ID_REUSED"):
            await alice.create_room(request_id="one", **other)
    _, another = await lobby.room(alice)
    await badr.join_room(made.join_code, "two")
    with refused("REQUEST_ID_REUSED"):
        await badr.join_room(another, "two")
    waits = await served.player("carim").create_room(game=match_pb2.GAME_TONJ)
    await served.player("carim").leave_match(waits.match.match_id, "three")
    with refused("REQUEST_ID_REUSED"):
        await served.player("carim").leave_match(made.match.match_id, "three")
