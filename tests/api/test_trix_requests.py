"""Trix asked for and acted in wrongly: options, players and actions that cannot be meant so."""

from typing import Any

import grpc
import pytest

from majlis.v1 import cards_pb2, match_pb2, matchmaking_service_pb2, tonj_pb2, trix_pb2
from tests.api.clients import two_players
from tests.api.refused import refused
from tests.api.serving import Served
from tests.api.trix import NAMES, Card, choose, double, four_players, passed, play

Options = trix_pb2.TrixOptions
TWO_OF_CLUBS = Card(rank=cards_pb2.RANK_TWO, suit=cards_pb2.SUIT_CLUBS)


def options(**given: Any) -> match_pb2.GameOptions:
    return match_pb2.GameOptions(trix=Options(**given))


def players(*names: str) -> list[matchmaking_service_pb2.Player]:
    return [matchmaking_service_pb2.Player(player_id=name) for name in names]


DEFAULTS = Options(
    choose_seconds=20,
    double_seconds=10,
    play_seconds=20,
    auto_play_delay_ms=1_500,
    play_out=False,
    forced_capture=Options.FORCED_CAPTURE_BASE,
    show_legal_moves=True,
    away_delay_ms=2_000,
)
WIDEST = Options(
    choose_seconds=604_800,
    double_seconds=604_800,
    play_seconds=604_800,
    auto_play_delay_ms=60_000,
    play_out=True,
    forced_capture=Options.FORCED_CAPTURE_LEADER_PAYS,
    show_legal_moves=False,
    away_delay_ms=60_000,
)
NARROWEST = Options(
    choose_seconds=1,
    double_seconds=1,
    play_seconds=1,
    auto_play_delay_ms=0,
    forced_capture=Options.FORCED_CAPTURE_BASE,
    show_legal_moves=True,
    away_delay_ms=100,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, DEFAULTS),
        (match_pb2.GameOptions(trix=Options()), DEFAULTS),
        (match_pb2.GameOptions(trix=WIDEST), WIDEST),
        (match_pb2.GameOptions(trix=NARROWEST), NARROWEST),
    ],
)
async def test_options_come_back_with_their_defaults(
    served: Served, given: match_pb2.GameOptions | None, expected: Options
) -> None:
    match = await served.matchmaker.create_match(**{**four_players(), "options": given})
    assert (match.game, match.options) == (match_pb2.GAME_TRIX, match_pb2.GameOptions(trix=expected))
    assert [seat.player_id for seat in match.seats] == list(NAMES)
    assert (await served.player("alice").get_match(match.match_id)).match.options.trix == expected


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"options": options(choose_seconds=604_801)}, "options.trix.choose_seconds"),
        ({"options": options(double_seconds=604_801)}, "options.trix.double_seconds"),
        ({"options": options(play_seconds=604_801)}, "options.trix.play_seconds"),
        ({"options": options(auto_play_delay_ms=60_001)}, "options.trix.auto_play_delay_ms"),
        ({"options": options(away_delay_ms=99)}, "options.trix.away_delay_ms"),
        ({"options": options(away_delay_ms=60_001)}, "options.trix.away_delay_ms"),
        ({"options": options(forced_capture=3)}, "options.trix.forced_capture"),
        ({"options": match_pb2.GameOptions(tonj=tonj_pb2.TonjOptions())}, "options"),
        ({"options": match_pb2.GameOptions()}, "options"),
        ({"players": players("alice", "badr", "carim")}, "players"),
        ({"players": players("alice", "badr", "carim", "dana", "elias")}, "players"),
        ({"players": players("alice", "badr", "carim", "alice")}, "players[3].player_id"),
        ({"game": match_pb2.GAME_TONJ}, "options"),
    ],
)
async def test_a_match_that_cannot_be_made(served: Served, fields: dict[str, Any], path: str) -> None:
    with refused("MALFORMED_REQUEST") as told:
        await served.matchmaker.create_match(**{**four_players(), **fields})
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(told.fields) == [path]
    assert not (await served.player("alice").list_my_matches()).matches


ODD_CARDS = [
    Card(rank=cards_pb2.RANK_TWO, suit=cards_pb2.SUIT_CLUBS, pack=1),
    Card(rank=cards_pb2.RANK_TWO),
    Card(suit=cards_pb2.SUIT_CLUBS),
    Card(rank=14, suit=cards_pb2.SUIT_CLUBS),  # type: ignore[arg-type]
    Card(rank=cards_pb2.RANK_TWO, suit=5),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"trix": trix_pb2.TrixAction()}, "trix"),
        (choose(trix_pb2.CONTRACT_UNSPECIFIED), "trix.choose_contract.contract"),
        (play(None), "trix.play_card.card"),
        *((play(card), "trix.play_card.card") for card in ODD_CARDS),
        *((double(TWO_OF_CLUBS, card), "trix.answer_double.cards[1]") for card in ODD_CARDS),
    ],
)
async def test_an_action_that_says_nothing(served: Served, fields: dict[str, Any], path: str) -> None:
    match = await served.matchmaker.create_match(**four_players())
    with refused("MALFORMED_REQUEST") as told:
        await served.player("alice").submit(match.match_id, **fields)
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(told.fields) == [path]
    assert (await served.player("alice").get_match(match.match_id)).match.sequence == match.sequence


async def test_an_action_of_another_game(served: Served) -> None:
    trix, tonj = [await served.matchmaker.create_match(**asked()) for asked in (four_players, two_players)]
    reveal = {"tonj": tonj_pb2.TonjAction(reveal=tonj_pb2.TonjAction.Reveal())}
    for match, fields in ((trix, reveal), (tonj, passed())):
        with refused("MALFORMED_REQUEST") as told:
            await served.player("alice").submit(match.match_id, **fields)
        assert list(told.fields) == ["action"]
