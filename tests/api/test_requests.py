"""Requests that cannot be meant so: every field that can be wrong, told by its path, with nothing changed."""

from typing import Any

import grpc
import pytest

from majlis.api.caller import Role
from majlis.v1 import match_pb2, matchmaking_service_pb2, tonj_pb2
from tests.api.clients import PATIENCE, Watcher, two_players
from tests.api.refused import refused
from tests.api.serving import Served

REVEAL = tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())
MOVE: Any = tonj_pb2.TonjAction.Move
HAND = tonj_pb2.Pile(kind=tonj_pb2.PILE_KIND_HAND)
NOWHERE = tonj_pb2.Pile()


def player(player_id: str, display_name: str = "") -> matchmaking_service_pb2.Player:
    return matchmaking_service_pb2.Player(player_id=player_id, display_name=display_name)


def tonj(**options: Any) -> match_pb2.GameOptions:
    return match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions(**options))


def another_games() -> match_pb2.GameOptions:
    """Options in a field that this version has no game for."""
    return match_pb2.GameOptions.FromString(bytes([2 << 3 | 2, 2, 1 << 3, 30]))


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"external_id": ""}, "external_id"),
        ({"external_id": "x" * 65}, "external_id"),
        ({"external_id": "é" * 33}, "external_id"),
        ({"game": match_pb2.GAME_UNSPECIFIED}, "game"),
        ({"game": 99}, "game"),
        ({"players": []}, "players"),
        ({"players": [player("alice")]}, "players"),
        ({"players": [player("alice"), player("badr"), player("carim")]}, "players"),
        ({"players": [player("alice"), player("alice")]}, "players[1].player_id"),
        ({"players": [player(""), player("badr")]}, "players[0].player_id"),
        ({"players": [player("alice"), player("b" * 65)]}, "players[1].player_id"),
        ({"players": [player("alice"), player("badr", "b" * 65)]}, "players[1].display_name"),
        ({"visibility": 99}, "visibility"),
        ({"options": tonj(target_points=10_001)}, "options.tonj.target_points"),
        ({"options": tonj(turn_seconds=604_801)}, "options.tonj.turn_seconds"),
        ({"options": tonj(claim_window_ms=99)}, "options.tonj.claim_window_ms"),
        ({"options": tonj(claim_window_ms=60_001)}, "options.tonj.claim_window_ms"),
        ({"options": tonj(max_claims_per_turn=21)}, "options.tonj.max_claims_per_turn"),
        ({"options": tonj(max_transfers_per_turn=201)}, "options.tonj.max_transfers_per_turn"),
        ({"options": tonj(timeout_policy=99)}, "options.tonj.timeout_policy"),
        ({"options": another_games()}, "options"),
        ({"options": match_pb2.GameOptions()}, "options"),
    ],
)
async def test_a_match_that_cannot_be_made(served: Served, fields: dict[str, Any], path: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.matchmaker.create_match(**two_players(**fields))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert path in told.fields
    assert all(told.fields.values())
    assert not (await served.player("alice").list_my_matches()).matches


async def test_every_wrong_field_is_told_at_once(served: Served) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.matchmaker.create_match(external_id="", game=match_pb2.GAME_UNSPECIFIED, visibility=99)
    assert told.fields.keys() >= {"external_id", "game", "visibility"}


async def test_a_crowd_is_refused_with_all_details(served: Served) -> None:
    crowd = [player("") for _ in range(15_000)]
    with refused("MALFORMED_REQUEST") as told:
        await served.matchmaker.create_match(**two_players(players=crowd))
    assert told.fields["players"].startswith("has 15000 player(s)")
    assert "players[0].player_id" in told.fields


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({}, "action"),
        ({"request_id": "", "resign": {}}, "request_id"),
        ({"request_id": "r" * 65, "resign": {}}, "request_id"),
        ({"tonj": tonj_pb2.TonjAction()}, "tonj"),
        ({"tonj": tonj_pb2.TonjAction(move=MOVE())}, "tonj.move.from"),
        ({"tonj": tonj_pb2.TonjAction(move=MOVE(**{"from": HAND}))}, "tonj.move.to"),
        ({"tonj": tonj_pb2.TonjAction(move=MOVE(**{"from": HAND, "to": NOWHERE}))}, "tonj.move.to.kind"),
    ],
)
async def test_an_action_that_says_nothing(served: Served, fields: dict[str, Any], path: str) -> None:
    match = await served.matchmaker.create_match(**two_players())
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").submit(match.match_id, **fields)
    assert list(told.fields) == [path]
    assert (await served.player("alice").get_match(match.match_id)).match.sequence == match.sequence


@pytest.mark.parametrize("request_id", ["r", "r" * 64, "é" * 32, " ", "\n"])
async def test_a_request_id_has_1_to_64_bytes(served: Served, request_id: str) -> None:
    match = await served.matchmaker.create_match(**two_players())
    answer = await served.player("alice").submit(match.match_id, request_id=request_id, resign={})
    assert answer.sequence > match.sequence


@pytest.mark.parametrize("match_id", ["", "m" * 65, "é" * 33])
async def test_what_is_no_match_id_is_malformed_everywhere(served: Served, match_id: str) -> None:
    alice = served.player("alice")
    for asking in (
        alice.get_match(match_id),
        alice.submit(match_id, tonj=REVEAL),
        alice.get_replay(match_id),
        alice.watch(match_id).read(),
    ):
        with refused("MALFORMED_REQUEST") as told:
            await asking
        assert list(told.fields) == ["match_id"]


@pytest.mark.parametrize("match_id", ["m", "m" * 64, "'; DROP TABLE matches; --", "م", "\x00", "../../etc/passwd"])
async def test_an_unknown_match_is_not_found_everywhere(served: Served, match_id: str) -> None:
    alice = served.player("alice")
    for asking in (
        alice.get_match(match_id),
        alice.submit(match_id, tonj=REVEAL),
        alice.get_replay(match_id),
        alice.watch(match_id).read(),
        alice.watch(match_id, 7).read(),
    ):
        with refused("MATCH_NOT_FOUND") as told:
            await asking
        assert told.code is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("page_token", ["x", "!", "MQ", "A" * 1_000, "é"])
async def test_a_page_token_that_we_never_gave(served: Served, page_token: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").list_my_matches(page_token=page_token)
    assert list(told.fields) == ["page_token"]


async def test_a_device_id_that_is_too_long(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players())
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").with_metadata(("device-id", "d" * 65)).watch(match.match_id).read()
    assert list(told.fields) == ["device-id"]


@pytest.mark.parametrize(
    ("path", "matchmaker"),
    [
        ("/majlis.v1.MatchService/GetMatch", False),
        ("/majlis.v1.MatchService/ListMyMatches", False),
        ("/majlis.v1.MatchService/GetServerInfo", False),
        ("/majlis.v1.MatchService/SubmitAction", False),
        ("/majlis.v1.MatchService/GetReplay", False),
        ("/majlis.v1.MatchmakingService/CreateMatch", True),
    ],
)
@pytest.mark.parametrize("request_bytes", [b"\xff", b"\x0a\x05ab", b"\x0a\x02\xff\xfe", b"\x00", b"\x0b"])
async def test_bytes_that_are_no_such_message(
    served: Served, path: str, matchmaker: bool, request_bytes: bytes
) -> None:
    client = served.matchmaker if matchmaker else served.player("alice")
    ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = served.channel.unary_unary(path)
    if path.endswith(("GetServerInfo", "ListMyMatches")) and request_bytes == b"\x0a\x02\xff\xfe":
        # To a message whose first field is no text these bytes are a field that it does not know.
        await ask(request_bytes, metadata=client.metadata, timeout=PATIENCE)
        return
    with refused("MALFORMED_REQUEST"):
        await ask(request_bytes, metadata=client.metadata, timeout=PATIENCE)


async def test_a_message_that_is_too_large_is_not_read(served: Served) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await served.player("alice").submit("m" * 70_000, tonj=REVEAL)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_refusal_is_told_in_the_callers_language(served: Served) -> None:
    for accept, locale in (("ar-SA,en;q=0.5", "ar"), ("en", "en")):
        client = served.player("alice").with_metadata(("accept-language", accept))
        with refused("MATCH_NOT_FOUND") as told:
            await client.get_match("m1")
        assert told.localized.locale == locale
        assert told.english.isascii()
        assert told.localized.message.isascii() == (locale == "en")


class TestAgainstTheHead:
    """Refusals that depend on where the match stands, and carry its head."""

    async def test_a_stale_action_is_aborted(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        for stale in (0, match.sequence - 1):
            with refused("STALE_SEQUENCE") as told:
                await served.player("alice").submit(match.match_id, expected_sequence=stale, resign={})
            assert told.code is grpc.StatusCode.ABORTED
            assert told.refusal.sequence == match.sequence
            assert told.info.metadata["sequence"] == str(match.sequence)
            assert told.info.metadata["retryable"] == "false"

    async def test_what_is_beyond_the_head_is_out_of_range(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        ahead = match.sequence + 1
        with refused("AHEAD_OF_HEAD") as told:
            await served.player("alice").watch(match.match_id, ahead).read()
        assert told.code is grpc.StatusCode.OUT_OF_RANGE
        assert told.refusal.sequence == match.sequence
        with refused("AHEAD_OF_HEAD"):
            await served.player("alice").submit(match.match_id, expected_sequence=ahead, resign={})

    async def test_the_replay_of_a_running_match_is_closed(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        with refused("MATCH_NOT_ENDED") as told:
            await served.player("alice").get_replay(match.match_id)
        assert told.code is grpc.StatusCode.FAILED_PRECONDITION

    async def test_nothing_can_be_done_after_the_end(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        await served.player("alice").submit(match.match_id, resign={})
        for name in ("alice", "badr"):
            with refused("MATCH_OVER") as told:
                await served.player(name).submit(match.match_id, tonj=REVEAL)
            assert told.code is grpc.StatusCode.FAILED_PRECONDITION

    async def test_whoever_is_not_on_turn_is_told_so(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        turn_seat = (await served.player("alice").get_match(match.match_id)).view.tonj.turn_seat
        other = served.player(("alice", "badr")[1 - turn_seat])
        with refused("NOT_YOUR_TURN") as told:
            await other.submit(match.match_id, expected_sequence=match.sequence, tonj=REVEAL)
        assert told.refusal.sequence == match.sequence


class TestIds:
    async def test_a_repeat_gets_the_first_answer(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        alice = served.player("alice")
        first = await alice.submit(match.match_id, request_id="once", expected_sequence=match.sequence, resign={})
        for expected in (match.sequence, 0, 99_999):
            again = await alice.submit(match.match_id, request_id="once", expected_sequence=expected, resign={})
            assert again == first

    async def test_an_id_for_another_action_is_refused(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        alice = served.player("alice")
        await alice.submit(match.match_id, request_id="once", resign={})
        with refused("REQUEST_ID_REUSED") as told:
            await alice.submit(match.match_id, request_id="once", tonj=REVEAL)
        assert told.code is grpc.StatusCode.INVALID_ARGUMENT

    async def test_each_player_has_ids_of_his_own(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        await served.player("alice").submit(match.match_id, request_id="once", resign={})
        with refused("MATCH_OVER"):
            await served.player("badr").submit(match.match_id, request_id="once", tonj=REVEAL)

    async def test_a_match_is_made_once_for_an_external_id(self, served: Served) -> None:
        asked = two_players(external_id="lobby-1")
        first = await served.matchmaker.create_match(**asked)
        assert (await served.matchmaker.create_match(**asked)).match_id == first.match_id
        with refused("EXTERNAL_ID_REUSED") as told:
            await served.matchmaker.create_match(**two_players("alice", "carim", external_id="lobby-1"))
        assert told.code is grpc.StatusCode.ALREADY_EXISTS
        assert len((await served.player("alice").list_my_matches()).matches) == 1


class TestWhoMaySee:
    async def test_a_seated_match_is_there_for_its_players_only(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players(visibility=match_pb2.VISIBILITY_SEATED))
        assert (await served.player("badr").get_match(match.match_id)).match.match_id == match.match_id
        stranger = served.player("carim")
        for asking in (
            stranger.get_match(match.match_id),
            stranger.watch(match.match_id).read(),
            stranger.get_replay(match.match_id),
            stranger.submit(match.match_id, resign={}),
        ):
            with refused("MATCH_NOT_FOUND"):
                await asking

    async def test_a_stranger_has_no_seat(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        with refused("NOT_SEATED") as told:
            await served.player("carim").submit(match.match_id, resign={})
        assert told.code is grpc.StatusCode.PERMISSION_DENIED

    async def test_a_spectators_token_never_opens_a_seat(self, served: Served) -> None:
        match = await served.matchmaker.create_match(**two_players())
        async with Watcher(served.player("alice", Role.SPECTATOR), match.match_id).watching() as watcher:
            assert watcher.first is not None
            assert not watcher.first.snapshot.HasField("viewer_seat")
        async with Watcher(served.player("alice"), match.match_id).watching() as watcher:
            assert watcher.first is not None
            assert watcher.first.snapshot.viewer_seat == 0


async def test_pages_of_matches_are_whole_and_newest_first(served: Served) -> None:
    made = [await served.matchmaker.create_match(**two_players()) for _ in range(5)]
    alice = served.player("alice")
    listed: list[str] = []
    token = ""
    while True:
        page = await alice.list_my_matches(page_size=2, page_token=token)
        assert 1 <= len(page.matches) <= 2
        listed += [match.match_id for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    created = {match.match_id: match.create_time.ToMilliseconds() for match in made}
    assert sorted(listed) == sorted(created)
    assert [created[one] for one in listed] == sorted(created.values(), reverse=True)
    assert not (await served.player("carim").list_my_matches()).matches
    await alice.submit(listed[0], resign={})
    assert {match.match_id for match in (await alice.list_my_matches()).matches} == set(listed[1:])
