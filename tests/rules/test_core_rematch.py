"""What a rematch is made of: the same players one seat further round, the same options, and nobody else (H19)."""

from typing import Any

import pytest

from majlis import _core
from majlis.v1 import event_pb2, match_pb2
from tests.rules import lobby, matches
from tests.rules.games import EVERY_GAME, GAMES
from tests.rules.lobby import SEALER, STRANGER, Log
from tests.rules.matches import RESIGN, START_MS, Match
from tests.rules.test_core_tables import shows


def refusal(table: _core.Table, player: str) -> str:
    """Why there is no rematch of it; asking changes nothing."""
    before = shows(table)
    with pytest.raises(_core.Refused) as no:
        table.rematch(player, "m-2", START_MS, 1_000, 1_000)
    assert shows(table) == before
    return no.value.reason


def created(draft: _core.Draft) -> event_pb2.MatchCreated:
    return matches.batch(draft, _core.SPECTATOR).events.events[0].match_created


@EVERY_GAME
def test_there_is_no_rematch_before_the_end_nor_of_a_void_match(game: str) -> None:
    log = Log(lobby.opened(game))
    assert refusal(log.table, "amal") == "MATCH_NOT_ENDED"
    assert refusal(log.table, STRANGER) == "NOT_SEATED"
    log.after(("expire", ""))
    assert refusal(log.table, "amal") == "MATCH_VOID"
    assert refusal(log.table, STRANGER) == "NOT_SEATED"
    active = Match(GAMES[game].asked()).table
    assert refusal(active, "basim") == "MATCH_NOT_ENDED"
    assert refusal(active, STRANGER) == "NOT_SEATED"
    assert refusal(lobby.ended(game), STRANGER) == "NOT_SEATED"


def test_a_void_match_has_nobody_left_to_ask_once_all_have_gone() -> None:
    log = Log(lobby.opened("tonj")).after(("leave", "amal"))
    assert refusal(log.table, "amal") == "NOT_SEATED"


@EVERY_GAME
def test_everybody_sits_one_seat_further_round_whoever_asks_and_comes_first(game: str) -> None:
    old = lobby.ended(game)
    before = [seat.display_name for seat in match_pb2.Match.FromString(old.match()).seats]
    turned = [old.players[-1], *old.players[:-1]]
    for seat, player in enumerate(old.players):
        assert player is not None
        asked = shows(old)
        table, draft = old.rematch(player, "m-2", START_MS, 9_000, 0)
        assert shows(old) == asked
        told = created(draft)
        assert (told.rematch_of, list(told.reserved), told.seats_ms) == (old.match_id, turned, 9_000)
        log = Log((table, draft))
        next_seat = (seat + 1) % len(turned)
        assert log.table.players == tuple(player if other == next_seat else None for other in range(len(turned)))
        assert [sitting.display_name for sitting in log.match().seats] == [before[seat]]
        # The others come in the other order, and each finds his own seat free.
        log.after(*(("join", other) for other in reversed(old.players) if other != player and other is not None))
        assert log.table.players == tuple(turned)
        assert log.table.status == match_pb2.MATCH_STATUS_ACTIVE


@EVERY_GAME
@pytest.mark.parametrize("visibility", [match_pb2.VISIBILITY_SEATED, match_pb2.VISIBILITY_PUBLIC])
def test_options_and_visibility_are_kept_and_ids_are_not(game: str, visibility: int) -> None:
    options: dict[str, Any] = {"tonj": {"target_points": 40}, "tonj_house": {"penalty_cards": 1, "rake_bps": 77}}.get(
        game, {}
    )
    if game == "trix":
        old = lobby.ended(game)
        visibility = old.visibility
    else:
        log = Log(lobby.opened(game, visibility=visibility, table_id="t-9", **options)).after(("join", "basim"))
        log.act(0, RESIGN)
        old = log.table
    new = Log(old.rematch("amal", "m-2", START_MS, 9_000, 0)).match()
    was = match_pb2.Match.FromString(old.match())
    assert (new.game, new.options, new.visibility) == (was.game, was.options, visibility)
    assert (new.match_id, new.external_id, new.table_id, new.rematch_of) == ("m-2", "", "", old.match_id)
    assert new.deal_commitment != was.deal_commitment


def test_fees_are_asked_for_anew_as_long_as_there_are_any() -> None:
    dear, free = (lobby.ended("tonj_house", entry_fee_minor=fee) for fee in (5, 0))
    assert created(dear.rematch("amal", "m-2", START_MS, 0, 8_000)[1]).stakes_ms == 8_000
    assert created(dear.rematch("amal", "m-2", START_MS, 0, 0)[1]).stakes_ms == 0
    assert created(free.rematch("amal", "m-2", START_MS, 0, 8_000)[1]).stakes_ms == 0


def test_a_seat_that_was_given_back_is_still_kept_for_its_player() -> None:
    log = Log(lobby.again("trix")).after(("join", "basim"), ("leave", "amal"))
    with pytest.raises(_core.Refused, match="NOT_SEATED"):
        log.table.join(STRANGER, "", START_MS)
    seats = [log.table.players, log.after(("join", "faris"), ("join", "amal")).table.players]
    assert seats == [(None, None, "basim", None), ("faris", "amal", "basim", None)]


@pytest.mark.parametrize("game", ["tonj", "tonj_house"])
def test_after_as_many_rematches_as_there_are_seats_everybody_sits_as_at_first(game: str) -> None:
    """Made from the log each time: what the seats were is in it."""
    table = lobby.ended(game)
    seats = [table.players]
    for number in range(2):
        log = Log(table.rematch("amal", f"again-{number}", START_MS, 0, 0)).after(("join", "basim"))
        log.act(0, RESIGN)
        table = _core.Table.load(log.payloads, SEALER)
        seats.append(table.players)
    assert seats == [("amal", "basim"), ("basim", "amal"), ("amal", "basim")]
