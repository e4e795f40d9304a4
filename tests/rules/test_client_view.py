"""Events are enough: a client that only applies them holds, after every batch, exactly what a snapshot would bring."""

import random
from collections import Counter

import pytest

from majlis import _core
from majlis.client.view import OutOfStep, Picture
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, tonj_pb2
from tests.rules import golden
from tests.rules.matches import VIEWERS, Chance, Match, Update, asked


def picture(match: Match, viewer: int) -> Picture:
    return Picture.of(Update.FromString(match.table.snapshot(viewer, match.now_ms)).snapshot)


def keep_up(seed: int, target_points: int) -> "Counter[str]":
    """Plays a whole match beside a client of every viewer; what happened in it, by name."""
    chance = Chance(random.Random(seed), faulty=[0.1, 0.5][seed % 2], clock=[0.05, 0.4][seed // 2])
    match = Match(asked(target_points=target_points, timeout_policy=seed % 3, max_claims_per_turn=1 + seed))
    kept = {viewer: picture(match, viewer) for viewer in VIEWERS}
    seen: Counter[str] = Counter()
    while not match.over and len(match.payloads) < 1_500:
        command, draft = chance.turn(match)
        match.now_ms = command.at_ms
        match.commit(draft)
        seen.update(draft.kinds)
        for viewer, held in kept.items():
            update = Update.FromString(draft.update(viewer, match.now_ms))
            held.take(update.events)
            fresh = picture(match, viewer)
            assert (held.match, held.view) == (fresh.match, fresh.view), match.log()
            assert held.digest() == update.events.view_digest
    return seen


def test_a_client_keeps_up_through_whole_matches() -> None:
    seen = sum((keep_up(seed, target_points) for seed in range(4) for target_points in (0, 40)), Counter[str]())
    assert set(seen) >= {
        *("dealt", "turn_started", "turn_ended", "card_revealed", "cards_moved", "card_discarded", "waste_recycled"),
        *("claim_opened", "claim_resolved", "timed_out", "hand_ended", "match_ended"),
    }


@pytest.mark.parametrize("name", golden.names())
def test_a_client_that_knows_nothing_builds_a_match_from_its_first_event(name: str) -> None:
    """The whole log at once, as a viewer missed it: what the match was made of comes with its events too."""
    match = golden.read(name)
    table = _core.Table.load(match.payloads, golden.SEALER)
    for viewer in VIEWERS:
        held = Picture(match_pb2.Match(), None)
        for message in _core.missed(match.payloads, golden.SEALER, viewer, 0, 0):
            held.take(Update.FromString(message).events)
        fresh = Picture.of(Update.FromString(table.snapshot(viewer, 0)).snapshot)
        # The ids and the room's visibility are no events.
        for field in ("match_id", "external_id", "visibility"):
            fresh.match.ClearField(field)
        assert (held.match, held.view) == (fresh.match, fresh.view)


def test_the_events_of_a_replay_serve_as_well() -> None:
    match = golden.read("tonj-series")
    held = Picture(match_pb2.Match(), None)
    for event in golden.replayed(golden.replay(match.payloads)):
        held.apply(event)
    assert held.digest().hex() == match.records[-1]["digest"]


# --- What a client finds out ---


def next_batch(match: Match) -> match_service_pb2.EventBatch:
    """What a spectator is sent of one more record."""
    command, draft = Chance(random.Random(1)).turn(match)
    match.now_ms = command.at_ms
    match.commit(draft)
    return Update.FromString(draft.update(_core.SPECTATOR, match.now_ms)).events


def test_what_is_known_already_is_passed_over() -> None:
    match = Match(asked())
    held = picture(match, _core.SPECTATOR)
    batch = next_batch(match)
    held.take(batch)
    before = Picture.of(Update.FromString(match.table.snapshot(_core.SPECTATOR, 0)).snapshot)
    held.take(batch)
    assert (held.match, held.view) == (before.match, before.view)


def test_a_gap_is_noticed() -> None:
    match = Match(asked())
    held = picture(match, _core.SPECTATOR)
    next_batch(match)
    with pytest.raises(OutOfStep, match="came after"):
        held.take(next_batch(match))


def test_drift_is_noticed_by_the_digest() -> None:
    match = Match(asked())
    held = picture(match, _core.SPECTATOR)
    assert held.view is not None
    held.view.tonj.sides[0].waste_count += 1
    with pytest.raises(OutOfStep, match="differs"):
        held.take(next_batch(match))


@pytest.mark.parametrize("event", [event_pb2.Event(), event_pb2.Event(tonj=tonj_pb2.TonjEvent())])
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
