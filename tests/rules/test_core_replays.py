"""Replays that were changed after the match: the verifier finds it out (R19).

It makes every deal anew and holds all cards, seats and counts against it, and in Trix every event against the rules.
"""

import random
from collections.abc import Callable, Iterator

import pytest

from majlis import _core
from majlis.v1 import cards_pb2, event_pb2, match_pb2, match_service_pb2, trix_pb2
from tests.rules import golden
from tests.rules.trix_play import DECK

Replay = match_service_pb2.GetReplayResponse
Change = Callable[[Replay, random.Random], None]


def told(name: str) -> Replay:
    """The whole replay of a golden match, in one page."""
    [page] = golden.replay(golden.read(name).payloads, 5_000)
    return Replay.FromString(page)


def facts(replay: Replay, kind: str) -> list[trix_pb2.TrixEvent]:
    return [event.trix for event in replay.events if event.trix.WhichOneof("kind") == kind]


def deal_seed(replay: Replay, rng: random.Random) -> None:
    seed = bytearray(replay.deal_seed)
    seed[rng.randrange(32)] ^= 1 << rng.randrange(8)
    replay.deal_seed = bytes(seed)


def an_event_less(replay: Replay, rng: random.Random) -> None:
    del replay.events[rng.randrange(len(replay.events))]


def sequence(replay: Replay, rng: random.Random) -> None:
    replay.match.sequence += rng.randint(1, 9)


def a_revealed_card(replay: Replay, rng: random.Random) -> None:
    reveals = [event.tonj.card_revealed for event in replay.events if event.tonj.HasField("card_revealed")]
    rng.choice(reveals).card.pack ^= 1


def an_opened_card(replay: Replay, rng: random.Random) -> None:
    opened = [event.tonj_house.card_opened for event in replay.events if event.tonj_house.HasField("card_opened")]
    rng.choice(opened).card.pack ^= 1


def a_penalty_card(replay: Replay, rng: random.Random) -> None:
    """One more than there was, from the stock or the waste."""
    penalised = [event.tonj_house.penalised for event in replay.events if event.tonj_house.HasField("penalised")]
    chosen = rng.choice(penalised)
    pile = rng.choice(["from_stock", "from_waste"])
    setattr(chosen, pile, getattr(chosen, pile) + rng.randint(1, 40))


def a_settlement(replay: Replay, rng: random.Random) -> None:
    """Moved from the platform to a player, or between players, in everything that tells of it."""
    [ended] = [event.match_ended.outcome for event in replay.events if event.HasField("match_ended")]
    seat, amount = rng.randrange(2), rng.randint(1, 33)
    for told in (ended.settlement, replay.match.outcome.settlement):
        told.payout_minor[seat] += amount
        if rng.random() < 0.5:
            told.rake_minor = max(0, told.rake_minor - amount)


def a_fee(replay: Replay, rng: random.Random) -> None:
    """Other options of the match than those that it was settled by."""
    [created] = [event.match_created for event in replay.events if event.HasField("match_created")]
    for told in (created.options.tonj_house, replay.match.options.tonj_house):
        told.entry_fee_minor += rng.randint(1, 9)


def two_dealt_cards(replay: Replay, rng: random.Random) -> None:
    """Swapped between two hands."""
    hands = rng.choice(facts(replay, "dealt")).dealt.hands
    (one, other), at = rng.sample(range(4), 2), rng.randrange(13)
    card = trix_pb2.TrixEvent.Hand(cards=[hands[one].cards[at]]).cards[0]
    hands[one].cards[at].CopyFrom(hands[other].cards[at])
    hands[other].cards[at].CopyFrom(card)


def a_hand_less(replay: Replay, rng: random.Random) -> None:
    rng.choice(facts(replay, "dealt")).dealt.hands.pop()


def a_doubler(replay: Replay, rng: random.Random) -> None:
    """Somebody who did not hold that card."""
    shown = [fact.doubles_shown for fact in facts(replay, "doubles_shown") if fact.doubles_shown.doubled]
    doubled = rng.choice(rng.choice(shown).doubled)
    doubled.seat = (doubled.seat + rng.randint(1, 3)) % 4


def a_doubled_card(replay: Replay, rng: random.Random) -> None:
    """One more, which nobody may double."""
    shown = rng.choice(facts(replay, "doubles_shown")).doubles_shown
    plain = [card for card in DECK if card.rank < cards_pb2.RANK_QUEEN]
    shown.doubled.add(seat=rng.randrange(4), card=rng.choice(plain))


def a_played_card(replay: Replay, rng: random.Random) -> None:
    """Another one in a deal that was played to its last card."""
    chosen = rng.choice(list(in_tricks(replay)))
    chosen.card.CopyFrom(rng.choice([card for card in DECK if card != chosen.card]))


def in_tricks(replay: Replay) -> Iterator[trix_pb2.TrixEvent.CardPlayed]:
    tricks = False
    for event in replay.events:
        if event.trix.HasField("contract_chosen"):
            tricks = event.trix.contract_chosen.contract != trix_pb2.CONTRACT_TRIX
        elif event.trix.HasField("card_played") and tricks:
            yield event.trix.card_played


def who_played(replay: Replay, rng: random.Random) -> None:
    played = rng.choice(facts(replay, "card_played")).card_played
    played.seat = (played.seat + rng.randint(1, 3)) % 4


def a_taker(replay: Replay, rng: random.Random) -> None:
    taken = rng.choice(facts(replay, "trick_taken")).trick_taken
    taken.seat = (taken.seat + rng.randint(1, 3)) % 4


def a_score(replay: Replay, rng: random.Random) -> None:
    """Of a deal, so that the totals do not add up any more."""
    rng.choice(facts(replay, "deal_scored")).deal_scored.points[rng.randrange(4)] += 5


def points(replay: Replay, rng: random.Random) -> None:
    """Of the last deal, moved from one player to another in everything that tells of them."""
    [*_, scored] = [fact.deal_scored for fact in facts(replay, "deal_scored")]
    one, other = rng.sample(range(4), 2)
    [ended] = [event.match_ended.outcome for event in replay.events if event.HasField("match_ended")]
    for told in (scored.points, scored.totals, ended.totals, replay.match.outcome.totals):
        told[one] += 5
        told[other] -= 5


def winners(replay: Replay, rng: random.Random) -> None:
    """Everybody else, in everything that tells of them."""
    [ended] = [event.match_ended.outcome for event in replay.events if event.HasField("match_ended")]
    others = [seat for seat in range(4) if seat not in ended.winner_seats]
    for told in (ended, replay.match.outcome):
        told.winner_seats[:] = others[: rng.randint(1, len(others))]


def an_owner(replay: Replay, rng: random.Random) -> None:
    """Of the first kingdom."""
    dealt = facts(replay, "dealt")[0].dealt
    dealt.owner = (dealt.owner + rng.randint(1, 3)) % 4


def a_revoke(replay: Replay, rng: random.Random) -> None:
    """Two cards of one hand change places, so that one does not follow a suit that is held."""
    [*swaps] = revokes(replay)
    one, other = rng.choice(swaps)
    card = cards_pb2.Card.FromString(one.card.SerializeToString())
    one.card.CopyFrom(other.card)
    other.card.CopyFrom(card)


def revokes(replay: Replay) -> Iterator[tuple[trix_pb2.TrixEvent.CardPlayed, trix_pb2.TrixEvent.CardPlayed]]:
    """A card that followed suit, and a later one of another suit from the same hand in the same deal."""
    deal: list[trix_pb2.TrixEvent.CardPlayed] = []
    for fact in in_tricks(replay):
        if len(deal) == 52 or (deal and fact.seat == deal[-1].seat):
            deal = []
        follows = len(deal) % 4 and fact.card.suit == deal[len(deal) - len(deal) % 4].card.suit
        deal.append(fact)
        if not follows:
            yield from (
                (earlier, fact)
                for at, earlier in enumerate(deal[:-4])
                if at % 4
                and earlier.seat == fact.seat
                and earlier.card.suit == deal[at - at % 4].card.suit != fact.card.suit
            )


def a_time_out(replay: Replay, rng: random.Random) -> None:
    """Before a card that was played in time: one that the clock would not have played, or in somebody else's name."""
    plays = [at for at, event in enumerate(replay.events) if event.trix.HasField("card_played")]
    at = rng.choice(plays)
    told = event_pb2.Event(time=replay.events[at].time)
    told.timed_out.seat = (replay.events[at].trix.card_played.seat + rng.randint(1, 3)) % 4
    told.timed_out.kind = match_pb2.CLOCK_KIND_PLAY
    insert(replay, at, told)


def a_giving_up(replay: Replay, rng: random.Random) -> None:
    """In the middle of what one command brought about."""
    taken = [at for at, event in enumerate(replay.events) if event.trix.WhichOneof("kind") in ("trick_taken", "dealt")]
    at = rng.choice(taken[1:])
    told = event_pb2.Event(time=replay.events[at].time)
    told.resigned.seat = rng.randrange(4)
    insert(replay, at, told)


def insert(replay: Replay, at: int, event: event_pb2.Event) -> None:
    events = [*replay.events[:at], event, *replay.events[at:]]
    del replay.events[:]
    replay.events.extend(events)
    for number, told in enumerate(replay.events, 1):
        told.sequence = number
    replay.match.sequence += 1


def the_end(replay: Replay, rng: random.Random) -> None:
    """Cut off, as though it were still going on."""
    del replay.events[rng.randrange(10, len(replay.events)) :]
    replay.match.sequence = len(replay.events)
    replay.match.status = match_pb2.MATCH_STATUS_ACTIVE
    for field in ("outcome", "end_time"):
        replay.match.ClearField(field)


def a_time(replay: Replay, rng: random.Random) -> None:
    """Of an event, before the one that it follows."""
    rng.choice(replay.events[1:]).time.seconds -= 1_000_000


def what_everybody_sees(replay: Replay, rng: random.Random) -> None:
    told = replay.match
    match rng.randrange(5):
        case 0:
            told.seats[0].player_id = "somebody"
        case 1:
            told.seats.pop()
        case 2:
            told.end_time.FromSeconds(1)
        case 3:
            told.rules_version = "7"
        case _:
            replay.entropies.append(b"")


CHANGES: list[tuple[str, Change]] = [
    *(("tonj-played-out", change) for change in (deal_seed, an_event_less, a_revealed_card, sequence)),
    *(("trix-drawn", change) for change in (deal_seed, an_event_less, sequence, who_played, a_taker, a_score)),
    *(("trix-leader-pays", change) for change in (two_dealt_cards, a_hand_less, a_doubler, a_doubled_card)),
    *(("trix-leader-pays", change) for change in (a_played_card, a_revoke)),
    *(("trix-played-out", change) for change in (points, winners, an_owner, a_time_out, a_giving_up, a_time)),
    *(("tonj_house-played-out", change) for change in (deal_seed, an_event_less, an_opened_card, sequence)),
    *(("tonj_house-played-out", change) for change in (a_settlement, a_fee, a_time)),
    ("tonj_house-blocked", a_penalty_card),
    *((name, the_end) for name in ("tonj-series", "tonj_house-own-stock", "trix-drawn")),
    *((name, what_everybody_sees) for name in ("tonj-series", "tonj_house-own-stock", "trix-drawn")),
]


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=[f"{name}-{change.__name__}" for name, change in CHANGES])
def test_a_changed_replay_is_detected(name: str, change: Change) -> None:
    replay, rng = told(name), random.Random(name)
    assert _core.verify([replay.SerializeToString()]) == ""
    for _ in range(25):
        changed = Replay()
        changed.CopyFrom(replay)
        change(changed, rng)
        assert _core.verify([changed.SerializeToString()]), change.__name__
