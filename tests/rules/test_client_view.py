"""Events are enough: a client that only applies them holds, after every batch, exactly what a snapshot would bring."""

import random
from collections import Counter
from typing import Any

import pytest

from majlis import _core
from majlis.client.view import OutOfStep, Picture
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, tonj_house_pb2, tonj_pb2, trix_pb2
from tests.rules import golden, matches
from tests.rules.games import EVERY_GAME, GAMES
from tests.rules.matches import Match, Update
from tests.rules.tonj_house_play import OWN_STOCK
from tests.rules.trix_play import LEADER_PAYS

ROOMS: dict[str, list[tuple[dict[str, Any], dict[str, float]]]] = {
    "tonj": [
        (
            {"target_points": target_points, "timeout_policy": seed % 3, "max_claims_per_turn": 1 + seed},
            {"faulty": [0.1, 0.5][seed % 2], "clock": [0.05, 0.4][seed // 2]},
        )
        for seed in range(4)
        for target_points in (0, 40)
    ],
    "tonj_house": [
        ({"entry_fee_minor": 333, "rake_bps": 500}, {"throws": 0.02}),
        ({"penalty_source": OWN_STOCK, "penalty_cards": 10, "max_moves_per_turn": 3}, {"neglects": 0.5, "clock": 0.2}),
        ({"penalty_cards": 1, "max_turns": 60, "show_legal_moves": False}, {}),
        ({"penalty_cards": 0}, {"throws": 0.02, "neglects": 0.5}),
        ({}, {"throws": 0.02, "shifts": 0.3}),
        ({}, {"resigns": 0.05}),
    ],
    "trix": [
        ({}, {}),
        ({"forced_capture": LEADER_PAYS, "play_out": True}, {"lapses": 0.02, "resigns": 0.01}),
        ({"auto_play_delay_ms": 0, "play_seconds": 3, "show_legal_moves": False}, {"clock": 0.2}),
    ],
}
"""Options of rooms that are played in, and rates of the chance by which they are."""

HAPPENS = {
    "tonj": {
        *("dealt", "turn_started", "turn_ended", "card_revealed", "cards_moved", "card_discarded", "waste_recycled"),
        *("claim_opened", "claim_resolved", "timed_out", "hand_ended", "match_ended"),
    },
    "tonj_house": {
        *("turn_started", "turn_ended", "waste_turned", "card_opened", "card_moved", "foundation_retired"),
        *("card_discarded", "penalised", "passed", "timed_out", "resigned", "match_ended"),
    },
    "trix": {
        *("dealt", "contract_chosen", "double_answered", "doubles_shown", "card_played", "passed", "trick_taken"),
        *("deal_scored", "timed_out", "resigned", "returned", "match_ended"),
    },
}


def picture(match: Match, viewer: int) -> Picture:
    return Picture.of(Update.FromString(match.table.snapshot(viewer, match.now_ms)).snapshot)


ROUNDS = 5


def keep_up(game: str, seed: int, options: dict[str, Any], rates: dict[str, float]) -> "Counter[str]":
    """Plays a whole match beside a client of every viewer; what happened in it, by name."""
    match = Match(GAMES[game].asked(**options))
    chance = GAMES[game].chance(random.Random(seed), **rates)
    kept = {viewer: picture(match, viewer) for viewer in match.viewers}
    seen: Counter[str] = Counter()
    while not match.over and len(match.payloads) < 2_500:
        draft = chance.play(match)
        seen.update(draft.kinds)
        for viewer, held in kept.items():
            if draft.is_public:
                update = matches.batch(draft, viewer, match.now_ms)
                held.take(update.events)
                assert held.digest() == update.events.view_digest
            fresh = picture(match, viewer)
            assert (held.match, held.view) == (fresh.match, fresh.view), match.log()
    return seen


@EVERY_GAME
def test_a_client_keeps_up_through_whole_matches(game: str) -> None:
    # A table draws its own cards, so what is rare may take another round.
    seen = Counter[str]()
    for seed in range(ROUNDS * len(ROOMS[game])):
        options, rates = ROOMS[game][seed % len(ROOMS[game])]
        seen += keep_up(game, seed, options, rates)
        if seed >= len(ROOMS[game]) - 1 and set(seen) >= HAPPENS[game]:
            return
    raise AssertionError(f"never came: {HAPPENS[game] - set(seen)}")


@pytest.mark.parametrize("name", golden.names())
def test_a_client_that_knows_nothing_builds_a_match_from_its_first_event(name: str) -> None:
    """The whole log at once, as a viewer missed it: what the match was made of comes with its events too."""
    match = golden.read(name)
    table = _core.Table.load(match.payloads, golden.SEALER)
    for viewer in matches.viewers(table):
        held = Picture(match_pb2.Match(), None)
        for message in _core.missed(match.payloads, golden.SEALER, viewer, 0, 0):
            held.take(Update.FromString(message).events)
        fresh = Picture.of(Update.FromString(table.snapshot(viewer, 0)).snapshot)
        # The ids and the room's visibility are no events.
        for field in ("match_id", "external_id", "visibility"):
            fresh.match.ClearField(field)
        assert (held.match, held.view) == (fresh.match, fresh.view)


@pytest.mark.parametrize("name", ["tonj-series", "tonj_house-played-out", "trix-played-out"])
def test_the_events_of_a_replay_serve_as_well(name: str) -> None:
    """As a spectator: the hands of a replay are left lying."""
    match = golden.read(name)
    held = Picture(match_pb2.Match(), None)
    for event in golden.replayed(golden.replay(match.payloads)):
        held.apply(event)
    assert held.digest().hex() == match.records[-1]["digest"]


# --- What a client finds out ---


def next_batch(game: str, match: Match) -> match_service_pb2.EventBatch:
    """What a spectator is sent of one more record."""
    draft = GAMES[game].chance(random.Random(1)).play(match)
    return matches.batch(draft, _core.SPECTATOR, match.now_ms).events


@EVERY_GAME
def test_what_is_known_already_is_passed_over(game: str) -> None:
    match = Match(GAMES[game].asked())
    held = picture(match, _core.SPECTATOR)
    batch = next_batch(game, match)
    held.take(batch)
    before = Picture.of(Update.FromString(match.table.snapshot(_core.SPECTATOR, 0)).snapshot)
    held.take(batch)
    assert (held.match, held.view) == (before.match, before.view)


@EVERY_GAME
def test_a_gap_is_noticed(game: str) -> None:
    match = Match(GAMES[game].asked())
    held = picture(match, _core.SPECTATOR)
    match.commit(match.table.extend(1, match.now_ms))
    with pytest.raises(OutOfStep, match="came after"):
        held.take(next_batch(game, match))


def drift_in_tonj(view: match_service_pb2.View) -> None:
    view.tonj.sides[0].waste_count += 1


def drift_in_tonj_house(view: match_service_pb2.View) -> None:
    view.tonj_house.sides[0].reserve_count += 1


def drift_in_trix(view: match_service_pb2.View) -> None:
    view.trix.totals[3] += 5


DRIFTS = {"tonj": drift_in_tonj, "tonj_house": drift_in_tonj_house, "trix": drift_in_trix}


@EVERY_GAME
def test_drift_is_noticed_by_the_digest(game: str) -> None:
    match = Match(GAMES[game].asked())
    held = picture(match, _core.SPECTATOR)
    assert held.view is not None
    DRIFTS[game](held.view)
    with pytest.raises(OutOfStep, match="differs"):
        held.take(next_batch(game, match))


@pytest.mark.parametrize(
    "event",
    [
        event_pb2.Event(),
        event_pb2.Event(tonj=tonj_pb2.TonjEvent()),
        event_pb2.Event(tonj_house=tonj_house_pb2.TonjHouseEvent()),
        event_pb2.Event(trix=trix_pb2.TrixEvent()),
    ],
)
def test_an_event_of_an_unknown_kind_is_noticed(event: event_pb2.Event) -> None:
    held = Picture(match_pb2.Match(sequence=4), None)
    event.sequence = 5
    with pytest.raises(OutOfStep, match="does not know"):
        held.apply(event)
    assert held.match.sequence == 4


def test_a_hidden_event_keeps_its_number() -> None:
    held = Picture(match_pb2.Match(sequence=4), None)
    held.apply(event_pb2.Event(sequence=5, hidden=event_pb2.Hidden()))
    assert held.match.sequence == 5
