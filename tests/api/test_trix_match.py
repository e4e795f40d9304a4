"""A whole match of Trix over the wire: four who play and one who watches, each by events alone.

What none of them may see of it is in test_trix_secrets.py.
"""

import json
import pathlib
from collections.abc import Callable

import click.testing
import pytest
from google.protobuf import json_format

from majlis import _core
from majlis.cli import group
from majlis.v1 import cards_pb2, match_pb2, match_service_pb2
from tests.api.recording import GIVEN_UP, Recording
from tests.api.trix import NAMES


def kinds(recording: Recording) -> list[str | None]:
    """What happened, as the replay tells it."""
    return [event.trix.WhichOneof("kind") or event.WhichOneof("kind") for event in recording.replay.events]


def test_it_was_a_whole_match_with_all_that_can_happen(recording: Recording) -> None:
    happened = kinds(recording)
    assert happened.count("deal_scored") == happened.count("dealt") == 20
    assert happened.count("contract_chosen") == 20
    assert happened.count("doubles_shown") == 8  # two contracts of each kingdom
    assert happened.count("resigned") == happened.count("returned") == 1
    assert happened.count("passed") > 0
    assert happened[-1] == "match_ended"
    # The server played some of it: forced plays, and those of the seat that was given up.
    plays = happened.count("card_played") + happened.count("passed")
    assert sum("play_card" in str(asked) or "pass" in str(asked) for _, asked, _ in recording.answers) < plays


def test_everybody_follows_it_by_events_whose_digests_are_the_servers(recording: Recording) -> None:
    """Every batch was applied to a picture and its digest compared; in the end the pictures are what is shown."""
    for follower, ended in zip(recording.followers, recording.ended, strict=True):
        assert follower.batches > 500
        assert sorted(follower.events) == list(range(1, ended.match.sequence + 1))
        assert follower.picture.view == ended.view
        assert follower.picture.digest() == ended.view_digest
        assert follower.picture.match.outcome == ended.match.outcome
    outcome = recording.ended[0].match.outcome
    assert outcome.reason == match_pb2.END_REASON_PLAYED_OUT
    assert sum(outcome.totals) == 0  # X15
    best = max(outcome.totals)
    assert list(outcome.winner_seats) == [seat for seat, total in enumerate(outcome.totals) if total == best]  # X12


def test_nobody_but_its_player_gives_a_seat_up_or_takes_it_back(recording: Recording) -> None:
    events = recording.replay.events
    (resigned,) = [event for event in events if event.HasField("resigned")]
    (returned,) = [event for event in events if event.HasField("returned")]
    assert resigned.resigned.seat == returned.returned.seat == GIVEN_UP
    assert resigned.sequence < returned.sequence


def test_whoever_comes_back_is_sent_what_he_missed(recording: Recording) -> None:
    for place, after, events in recording.resumed:
        live = recording.followers[place].events
        assert events == {number: event for number, event in live.items() if number > after}


def test_answers_tell_what_the_streams_tell_and_hidden_ones_nothing(recording: Recording) -> None:
    hidden = 0
    for name, asked, answer in recording.answers:
        events = recording.followers[NAMES.index(name)].events
        for event in answer.events:
            assert event.SerializeToString(deterministic=True) == events[event.sequence]
        assert answer.sequence == asked["expected_sequence"] + len(answer.events)
        if not answer.events:
            assert asked["trix"].HasField("answer_double")
            hidden += 1
    assert hidden > 0


def test_the_record_has_every_hand_and_no_answer_and_proves_the_deals(recording: Recording) -> None:
    replay = recording.replay
    for event in replay.events:
        if event.trix.HasField("dealt"):
            dealt = [card.SerializeToString() for hand in event.trix.dealt.hands for card in hand.cards]
            assert len(dealt) == len(set(dealt)) == 52
            assert not event.trix.dealt.hand
    assert "answer" not in json.dumps(json_format.MessageToDict(replay)).lower()
    assert _core.verify([replay.SerializeToString()]) == ""


def swapped_cards(replay: match_service_pb2.GetReplayResponse) -> None:
    """Two players have each other's first card."""
    dealt = next(event.trix.dealt for event in replay.events if event.trix.HasField("dealt"))
    one, other = dealt.hands[0].cards[0], dealt.hands[1].cards[0]
    kept = cards_pb2.Card.FromString(one.SerializeToString())
    one.CopyFrom(other)
    other.CopyFrom(kept)


def anothers_double(replay: match_service_pb2.GetReplayResponse) -> None:
    """A card was doubled by one who does not hold it."""
    shown = next(event.trix.doubles_shown for event in replay.events if event.trix.doubles_shown.doubled)
    shown.doubled[0].seat = (shown.doubled[0].seat + 1) % 4


@pytest.mark.parametrize("change", [None, swapped_cards, anothers_double])
def test_a_record_that_was_changed_is_found_out(
    recording: Recording, tmp_path: pathlib.Path, change: Callable[[match_service_pb2.GetReplayResponse], None] | None
) -> None:
    replay = match_service_pb2.GetReplayResponse.FromString(recording.replay.SerializeToString())
    if change is not None:
        change(replay)
    path = tmp_path / "replay.json"
    path.write_text(json.dumps([json_format.MessageToDict(replay)]))
    ended = click.testing.CliRunner().invoke(group, ["verify", str(path)])
    assert ended.exit_code == (0 if change is None else 1)
