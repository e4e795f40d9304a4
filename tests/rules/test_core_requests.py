"""Requests at the core's door: who may, what can be read of them, and what they are hashed to."""

from typing import Any

import pytest
from google.protobuf import json_format

from majlis import _core
from majlis.v1 import cards_pb2, match_service_pb2, tonj_house_pb2, tonj_pb2, trix_pb2
from tests.rules import tonj_house_play, tonj_play, trix_play
from tests.rules.cards import card
from tests.rules.games import EVERY_GAME, GAMES
from tests.rules.matches import RESIGN, START_MS, Match, submit
from tests.rules.test_core_tables import shows
from tests.rules.tonj_play import CALL, END_TURN, REVEAL
from tests.rules.trix_play import PASS, choose, double, play


@EVERY_GAME
def test_a_seat_that_is_none_is_refused(game: str) -> None:
    match = Match(GAMES[game].asked())
    for seat in (len(match.table.players), 7, 2**32 - 1):
        with pytest.raises(_core.Refused) as no:
            match.table.decide(seat, submit("m-1", RESIGN), START_MS)
        assert no.value.reason == "NOT_SEATED"


@EVERY_GAME
def test_an_unknown_viewer_sees_what_a_spectator_sees(game: str) -> None:
    match = Match(GAMES[game].asked())
    for viewer in (len(match.table.players), -2, 99):
        assert match.table.snapshot(viewer, START_MS) == match.table.snapshot(_core.SPECTATOR, START_MS)


@EVERY_GAME
def test_the_legal_actions_go_to_the_seat_that_may_act_and_only_where_the_room_shows_them(game: str) -> None:
    match, quiet = Match(GAMES[game].asked()), Match(GAMES[game].asked(show_legal_moves=False))
    awaited = match.state().clock.awaited_seats[0]
    assert getattr(match.state(awaited).legal_actions, game)
    for viewer in {*match.viewers} - {awaited}:
        assert not match.state(viewer).HasField("legal_actions")
    assert not any(quiet.state(viewer).HasField("legal_actions") for viewer in quiet.viewers)


@EVERY_GAME
def test_an_action_of_another_game_is_malformed(game: str) -> None:
    match = Match(GAMES[game].asked())
    with pytest.raises(_core.Malformed):
        match.table.decide(0, submit("m-1", PASS if game == "tonj" else REVEAL), START_MS)


def test_after_the_end_nothing_is_accepted() -> None:
    match = Match(tonj_play.asked())
    match.act(1, RESIGN)
    assert match.over
    before = shows(match.table)
    for action in (REVEAL, CALL, END_TURN, RESIGN):
        with pytest.raises(_core.Refused) as no:
            match.table.decide(0, submit("m-1", action), START_MS)
        assert no.value.reason == "MATCH_OVER"
    with pytest.raises(_core.Refused, match="NO_SUCH_CLOCK"):
        match.table.expire(START_MS)
    with pytest.raises(_core.Refused, match="NO_SUCH_CLOCK"):
        match.table.extend(1, START_MS)
    assert shows(match.table) == before
    assert match.state().match.outcome.winner_seats == [0]


def asks(**fields: Any) -> match_service_pb2.SubmitActionRequest:
    return match_service_pb2.SubmitActionRequest(**{"match_id": "m", "request_id": "r", **fields})


NO_PILE = tonj_pb2.TonjAction(move=tonj_pb2.TonjAction.Move())
NO_CARD = trix_pb2.TrixAction(play_card=trix_pb2.TrixAction.PlayCard())
HALF_A_CARD = cards_pb2.Card(rank=cards_pb2.RANK_TWO)


@pytest.mark.parametrize(
    ("request_", "paths"),
    [
        (asks(), {"action"}),
        (asks(match_id=""), {"action", "match_id"}),
        (asks(request_id="", tonj=REVEAL), {"request_id"}),
        (asks(request_id="r" * 65, tonj=REVEAL), {"request_id"}),
        (asks(tonj=tonj_pb2.TonjAction()), {"tonj"}),
        (asks(tonj=NO_PILE), {"tonj.move.from"}),
        (asks(tonj_house=tonj_house_pb2.TonjHouseAction()), {"tonj_house"}),
        (asks(tonj_house=tonj_house_pb2.TonjHouseAction(move=NO_PILE.move)), {"tonj_house.move.from"}),
        (asks(trix=trix_pb2.TrixAction()), {"trix"}),
        (asks(trix=NO_CARD), {"trix.play_card.card"}),
        (asks(trix=play(HALF_A_CARD)), {"trix.play_card.card"}),
        (asks(trix=play(card("7H1"))), {"trix.play_card.card"}),
        (asks(trix=choose(0)), {"trix.choose_contract.contract"}),
        (asks(trix=double([card("KH"), HALF_A_CARD])), {"trix.answer_double.cards[1]"}),
        (asks(trix=double([card("KH1")])), {"trix.answer_double.cards[0]"}),
    ],
)
def test_requests_that_cannot_be_read_name_their_fields(
    request_: match_service_pb2.SubmitActionRequest, paths: set[str]
) -> None:
    with pytest.raises(_core.Malformed) as fault:
        _core.Submit.read(request_.SerializeToString())
    assert {path for path, _ in fault.value.fields} == paths


def test_bytes_that_are_no_action_are_malformed() -> None:
    with pytest.raises(_core.Malformed):
        _core.Submit.read(b"\xff")


@pytest.mark.parametrize(
    ("game", "changed", "path"),
    [
        ("tonj", {"external_id": ""}, "external_id"),
        ("tonj", {"external_id": "x" * 65}, "external_id"),
        ("tonj", {"game": 0}, "game"),
        ("tonj", {"players": []}, "players"),
        ("tonj", {"players": [{"player_id": "a"}, {"player_id": "a"}]}, "players[1].player_id"),
        ("tonj", {"players": [{"player_id": ""}, {"player_id": "b"}]}, "players[0].player_id"),
        (
            "tonj",
            {"players": [{"player_id": "a", "display_name": "é" * 33}, {"player_id": "b"}]},
            "players[0].display_name",
        ),
        ("tonj", {"options": {"tonj": {"claim_window_ms": 99}}}, "options.tonj.claim_window_ms"),
        ("tonj", {"options": {"tonj": {"max_transfers_per_turn": 201}}}, "options.tonj.max_transfers_per_turn"),
        ("tonj", {"options": {"trix": {}}}, "options"),
        ("tonj", {"options": {"tonj_house": {}}}, "options"),
        ("tonj_house", {"options": {"tonj": {}}}, "options"),
        ("tonj_house", {"options": {"tonj_house": {"turn_seconds": 604_801}}}, "options.tonj_house.turn_seconds"),
        ("tonj_house", {"options": {"tonj_house": {"penalty_cards": 11}}}, "options.tonj_house.penalty_cards"),
        ("tonj_house", {"options": {"tonj_house": {"penalty_source": 3}}}, "options.tonj_house.penalty_source"),
        (
            "tonj_house",
            {"options": {"tonj_house": {"max_moves_per_turn": 1_001}}},
            "options.tonj_house.max_moves_per_turn",
        ),
        ("tonj_house", {"options": {"tonj_house": {"max_turns": 10_001}}}, "options.tonj_house.max_turns"),
        (
            "tonj_house",
            {"options": {"tonj_house": {"entry_fee_minor": 1_000_000_001}}},
            "options.tonj_house.entry_fee_minor",
        ),
        ("tonj_house", {"options": {"tonj_house": {"rake_bps": 5_001}}}, "options.tonj_house.rake_bps"),
        ("trix", {"options": {"tonj": {}}}, "options"),
        ("trix", {"players": [{"player_id": name} for name in "abc"]}, "players"),
        ("trix", {"options": {"trix": {"choose_seconds": 604_801}}}, "options.trix.choose_seconds"),
        ("trix", {"options": {"trix": {"double_seconds": 604_801}}}, "options.trix.double_seconds"),
        ("trix", {"options": {"trix": {"play_seconds": 604_801}}}, "options.trix.play_seconds"),
        ("trix", {"options": {"trix": {"auto_play_delay_ms": 60_001}}}, "options.trix.auto_play_delay_ms"),
        ("trix", {"options": {"trix": {"away_delay_ms": 99}}}, "options.trix.away_delay_ms"),
        ("trix", {"options": {"trix": {"forced_capture": 7}}}, "options.trix.forced_capture"),
    ],
)
def test_a_match_that_cannot_be_made_names_its_field(game: str, changed: dict[str, Any], path: str) -> None:
    request = GAMES[game].asked()
    for field in changed:
        request.ClearField(field)  # type: ignore[arg-type]
    json_format.ParseDict(changed, request)
    with pytest.raises(_core.Malformed) as fault:
        _core.Table.found(request.SerializeToString(), "m", START_MS, _core.Sealer())
    assert path in {where for where, _ in fault.value.fields}


def test_the_options_of_trix_are_told_with_their_defaults() -> None:
    given = Match(trix_play.asked()).state().match.options.trix
    assert json_format.MessageToDict(given) == {
        "chooseSeconds": 20,
        "doubleSeconds": 10,
        "playSeconds": 20,
        "autoPlayDelayMs": 1500,
        "forcedCapture": "FORCED_CAPTURE_BASE",
        "showLegalMoves": True,
        "awayDelayMs": 2000,
    }
    assert Match(trix_play.asked(auto_play_delay_ms=0)).state().match.options.trix.auto_play_delay_ms == 0


def test_the_options_of_the_house_edition_are_told_with_their_defaults() -> None:
    """H28: no penalty cards is a choice, not the default."""
    given = Match(tonj_house_play.asked()).state().match.options.tonj_house
    assert json_format.MessageToDict(given) == {
        "turnSeconds": 30,
        "penaltyCards": 3,
        "penaltySource": "PENALTY_SOURCE_OPPONENT_STOCK",
        "maxMovesPerTurn": 40,
        "maxTurns": 400,
        "showLegalMoves": True,
    }
    none = Match(tonj_house_play.asked(penalty_cards=0)).state().match.options.tonj_house
    assert none.HasField("penalty_cards")
    assert none.penalty_cards == 0


def test_bytes_that_are_no_request_are_malformed() -> None:
    for request in (b"\xff", b"", b"\x10\x63"):  # the last one asks for game 99
        with pytest.raises(_core.Malformed):
            _core.Table.found(request, "m", START_MS, _core.Sealer())


def test_a_request_is_known_again_by_its_player_id_and_body() -> None:
    table = Match(tonj_play.asked()).table
    first, again, other = submit("m", REVEAL, "a"), submit("m", REVEAL, "b"), submit("m", END_TURN, "a")
    key, body = table.request("amal", first)
    assert table.request("amal", submit("m", REVEAL, "a")) == (key, body)
    assert table.request("amal", other)[0] == key != table.request("amal", again)[0]
    assert (
        len({body, *(table.request(*asked)[1] for asked in (("amal", other), ("amal", again), ("basim", first)))}) == 4
    )
    assert table.request("basim", first)[0] != key != Match(tonj_play.asked()).table.request("amal", first)[0]


def test_doubled_cards_may_be_named_in_any_order() -> None:
    table, queens = Match(trix_play.asked()).table, [card("QC"), card("QH")]
    one, other = submit("m", double(queens)), submit("m", double(queens[::-1]))
    assert table.request("amal", one) == table.request("amal", other)
    assert table.request("amal", one) != table.request("amal", submit("m", double(queens[:1])))


def test_a_request_tells_what_it_is() -> None:
    first, other = submit("m", REVEAL, "a"), submit("m", END_TURN, "a")
    assert (first.match_id, first.request_id, first.kind, other.kind) == ("m", "a", "reveal", "end_turn")
    assert first.expected_sequence is None
    kinds = [submit("m", action).kind for action in (choose(1), choose(99), double([]), play(card("2C")), PASS, RESIGN)]
    assert kinds == ["choose_contract", "unknown", "answer_double", "play_card", "pass", "resign"]
