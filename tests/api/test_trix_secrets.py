"""What came to each of those who saw a whole match of Trix: no card before he might see it, nothing of what is hidden.

Every message is looked through, whatever it is: each card in it must be in the viewer's own hand of that deal, or lie
open by then (X4, X13). The truth is the replay's.
"""

import dataclasses
from collections.abc import Iterator

import pytest
from google.protobuf import message

from majlis.v1 import cards_pb2, event_pb2, match_pb2, match_service_pb2, trix_pb2
from tests.api.recording import Heard, Recording
from tests.api.trix import queens

SPECTATOR = 4
VIEWERS = range(5)
KING = (cards_pb2.SUIT_HEARTS, cards_pb2.RANK_KING)

Face = tuple[int, int]
"""Suit and rank."""


def face(card: cards_pb2.Card) -> Face:
    return card.suit, card.rank


@dataclasses.dataclass(frozen=True)
class Moment:
    """The truth after an event."""

    hands: tuple[frozenset[Face], ...]
    """As they were dealt, by seat."""
    open: frozenset[Face]
    """Played, or doubled and shown, in this deal."""
    contract: int
    is_doubling: bool

    def seen_by(self, viewer: int) -> frozenset[Face]:
        return self.open if viewer == SPECTATOR else self.open | self.hands[viewer]


@pytest.fixture(scope="session")
def truth(recording: Recording) -> list[Moment]:
    """By sequence, from 0: before the first event."""
    moments = [Moment((frozenset(),) * 4, frozenset(), 0, False)]
    for event in recording.replay.events:
        moments.append(_after(moments[-1], event))
    return moments


def _after(before: Moment, event: event_pb2.Event) -> Moment:
    fact = event.trix
    if fact.HasField("dealt"):
        return Moment(tuple(frozenset(map(face, hand.cards)) for hand in fact.dealt.hands), frozenset(), 0, False)
    if fact.HasField("contract_chosen"):
        contract = fact.contract_chosen.contract
        doubling = contract in (trix_pb2.CONTRACT_KING_OF_HEARTS, trix_pb2.CONTRACT_QUEENS)
        return dataclasses.replace(before, contract=contract, is_doubling=doubling)
    if fact.HasField("doubles_shown"):
        shown = frozenset(face(one.card) for one in fact.doubles_shown.doubled)
        return dataclasses.replace(before, open=before.open | shown, is_doubling=False)
    if fact.HasField("card_played"):
        return dataclasses.replace(before, open=before.open | {face(fact.card_played.card)})
    return before


def messages_in(root: message.Message) -> Iterator[message.Message]:
    """Every message within a message, itself among them."""
    yield root
    for field, value in root.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for part in value if field.is_repeated else [value]:
                yield from messages_in(part)


def cards_in(root: message.Message, *, but: type[message.Message] | None = None) -> Iterator[Face]:
    """Every card within a message; not those within one of the kind `but`."""
    if isinstance(root, cards_pb2.Card):
        yield face(root)
    elif but is None or not isinstance(root, but):
        for field, value in root.ListFields():
            if field.type == field.TYPE_MESSAGE:
                for part in value if field.is_repeated else [value]:
                    yield from cards_in(part, but=but)


def sequence_of(told: message.Message) -> int:
    """The head of the match with a message."""
    if isinstance(told, match_service_pb2.GetMatchResponse):
        return told.match.sequence
    assert isinstance(told, match_service_pb2.WatchMatchResponse | match_service_pb2.SubmitActionResponse)
    return told.sequence


def heard_by(recording: Recording, viewer: int) -> list[Heard]:
    heard = recording.heard[viewer]
    assert len(heard) > 1_000
    return heard


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_is_sent_a_card_before_he_may_see_it(recording: Recording, truth: list[Moment], viewer: int) -> None:
    looked_at = 0
    for heard in heard_by(recording, viewer):
        head = sequence_of(heard.message)
        for event in messages_in(heard.message):
            if isinstance(event, event_pb2.Event):
                assert event.sequence <= head
                assert set(cards_in(event)) <= truth[event.sequence].seen_by(viewer), event
        others = set(cards_in(heard.message, but=event_pb2.Event))
        assert others <= truth[head].seen_by(viewer), heard.message
        for row in messages_in(heard.message):
            if isinstance(row, trix_pb2.TrixView.Row):
                assert {(row.suit, row.low), (row.suit, row.high)} <= truth[head].open
        looked_at += len(others)
    assert looked_at > 100


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_bytes_are_the_fields_and_nothing_else(recording: Recording, viewer: int) -> None:
    """No field that the contract does not have, and none written twice: what was looked through is all there was."""
    for heard in heard_by(recording, viewer):
        known = type(heard.message)()
        known.CopyFrom(heard.message)
        known.DiscardUnknownFields()
        assert known.ByteSize() == heard.length


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_a_deal_dealt_is_told_to_each_for_himself(recording: Recording, truth: list[Moment], viewer: int) -> None:
    dealt = 0
    for heard in heard_by(recording, viewer):
        for event in messages_in(heard.message):
            if isinstance(event, event_pb2.Event) and event.trix.HasField("dealt"):
                told = event.trix.dealt
                own = frozenset() if viewer == SPECTATOR else truth[event.sequence].hands[viewer]
                assert frozenset(map(face, told.hand)) == own
                assert not told.hands
                dealt += 1
    assert dealt >= 20


@pytest.mark.parametrize("viewer", VIEWERS)
def test_private_states_go_to_seats_and_tell_what_their_own_hands_say(
    recording: Recording, truth: list[Moment], viewer: int
) -> None:
    for heard in heard_by(recording, viewer):
        for private in messages_in(heard.message):
            if not isinstance(private, match_service_pb2.PrivateState):
                continue
            assert viewer != SPECTATOR
            moment = truth[sequence_of(heard.message)]
            assert not private.may_double or (moment.is_doubling and may_be_doubled(moment, viewer))


def may_be_doubled(moment: Moment, seat: int) -> set[Face]:
    """The cards of a seat that its contract lets be doubled (X4)."""
    if moment.contract == trix_pb2.CONTRACT_KING_OF_HEARTS:
        return {card for card in moment.hands[seat] if card == KING}
    return {card for card in moment.hands[seat] if card[1] == cards_pb2.RANK_QUEEN}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_while_cards_may_be_doubled_the_clock_names_nobody(
    recording: Recording, truth: list[Moment], viewer: int
) -> None:
    """And what may be done is told only to those whose hands have a choice."""
    windows = 0
    for heard in heard_by(recording, viewer):
        moment = truth[sequence_of(heard.message)]
        if not moment.is_doubling or isinstance(heard.message, match_service_pb2.SubmitActionResponse):
            continue
        for part in messages_in(heard.message):
            if isinstance(part, trix_pb2.TrixView):
                assert not part.HasField("turn_seat")
                assert not part.doubled
            if isinstance(part, match_service_pb2.LegalActions):
                assert viewer != SPECTATOR
                assert may_be_doubled(moment, viewer)
            if isinstance(part, match_pb2.Clock):
                assert part.kind == match_pb2.CLOCK_KIND_DOUBLE
                assert not part.awaited_seats
        windows += 1
    assert windows >= 8


def test_of_those_who_were_asked_each_answered_once(recording: Recording, truth: list[Moment]) -> None:
    """One answer a seat and window, and each had cards to double; so the truth above was put to the test."""
    answers: dict[tuple[str, int], int] = {}
    for name, asked, _ in recording.answers:
        if asked["trix"].HasField("answer_double"):
            window = asked["expected_sequence"]
            answers[name, window] = answers.get((name, window), 0) + 1
            assert truth[window].is_doubling
    assert set(answers.values()) == {1}
    assert len({window for _, window in answers}) == 8
    assert any(queens(asked["trix"].answer_double.cards) for _, asked, _ in recording.answers)
