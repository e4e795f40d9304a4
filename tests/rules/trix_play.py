"""Trix by seeded chance: contracts, doubling answers, cards, faulty attempts, clocks that run out, seats given up."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from majlis.v1 import cards_pb2, match_pb2, matchmaking_service_pb2, trix_pb2
from tests.rules import cards, matches
from tests.rules.matches import RESIGN, Command, Match

CHOOSING, DOUBLING = trix_pb2.TrixView.PHASE_CHOOSING, trix_pb2.TrixView.PHASE_DOUBLING
TRICKS, LAYOUT = trix_pb2.TrixView.PHASE_TRICKS, trix_pb2.TrixView.PHASE_LAYOUT
KING_OF_HEARTS, QUEENS = trix_pb2.CONTRACT_KING_OF_HEARTS, trix_pb2.CONTRACT_QUEENS
DIAMONDS, LTOOSH, TRIX = trix_pb2.CONTRACT_DIAMONDS, trix_pb2.CONTRACT_LTOOSH, trix_pb2.CONTRACT_TRIX
LEADER_PAYS = trix_pb2.TrixOptions.FORCED_CAPTURE_LEADER_PAYS

DECK = [cards.card(rank + suit) for suit in cards.SUITS for rank in cards.RANKS]
KING = cards.card("KH")
ALL_QUEENS = [cards.card("Q" + suit) for suit in cards.SUITS]
PASS = trix_pb2.TrixAction(**{"pass": trix_pb2.TrixAction.Pass()})  # type: ignore[arg-type]


def asked(**options: Any) -> matchmaking_service_pb2.CreateMatchRequest:
    """A request for a match between four players."""
    names = [("amal", "أمل"), ("basim", ""), ("dalia", "داليا"), ("faris", "")]
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id="golden",
        game=match_pb2.GAME_TRIX,
        options=match_pb2.GameOptions(trix=trix_pb2.TrixOptions(**options)),
        players=[matchmaking_service_pb2.Player(player_id=name, display_name=shown) for name, shown in names],
    )


def choose(contract: int) -> trix_pb2.TrixAction:
    """The choice of a contract, or of a number that is none."""
    return trix_pb2.TrixAction(choose_contract=trix_pb2.TrixAction.ChooseContract(contract=contract))  # type: ignore[arg-type]


def double(doubled: Sequence[cards_pb2.Card]) -> trix_pb2.TrixAction:
    return trix_pb2.TrixAction(answer_double=trix_pb2.TrixAction.AnswerDouble(cards=doubled))


def play(card: cards_pb2.Card) -> trix_pb2.TrixAction:
    return trix_pb2.TrixAction(play_card=trix_pb2.TrixAction.PlayCard(card=card))


def hand(match: Match, seat: int) -> list[cards_pb2.Card]:
    """What a seat holds, as it is sent to it."""
    return list(match.state(seat).view.trix.hand)


def asked_seats(match: Match) -> list[int]:
    """The seats that may still answer, each as it is told itself."""
    seats = range(len(match.table.players))
    return [seat for seat in seats if match.state(seat).private_state.may_double]


@dataclasses.dataclass
class Chance(matches.Chance):
    """Four players by seeded chance. The rates are those of each command."""

    faulty: float = 0.05
    """An attempt of any seat, drawn from all that can be written down; most are refused."""
    clock: float = 0.03
    """The clock that is due runs out."""
    lapses: float = 0.25
    """The doubling window closes before the next answer."""
    resigns: float = 0.003
    """Some seat is given up."""
    returns: float = 0.15
    """A seat that is away acts before the server does."""

    def command(self, match: Match) -> Command:
        """The next command, between one millisecond and five seconds later, or when a clock runs out."""
        at_ms = match.now_ms + self.rng.randint(1, 5_000)
        deadline_ms = match.table.deadline_ms
        assert deadline_ms is not None
        if at_ms > deadline_ms or self.rng.random() < self.clock:
            return Command(deadline_ms + 1)
        if self.rng.random() < self.resigns:
            return Command(at_ms, self.rng.randrange(4), RESIGN)
        if self.rng.random() < self.faulty:
            anybody = self.rng.randrange(4)
            return Command(at_ms, anybody, self.attempt(match, anybody))
        seat = self.next_to_act(match)
        if seat is None:
            return Command(deadline_ms + 1)
        state = match.state(seat)
        legal = list(state.legal_actions.trix)
        return Command(at_ms, seat, self.rng.choice(legal) if legal else self.guess(match, seat))

    def next_to_act(self, match: Match) -> int | None:
        """The seat on turn or one of those that are asked; None if the clock comes first."""
        state = match.state()
        if state.view.trix.phase == DOUBLING:
            return None if self.rng.random() < self.lapses else self.rng.choice(asked_seats(match))
        [seat] = state.clock.awaited_seats
        stays_away = state.match.seats[seat].away and self.rng.random() >= self.returns
        return None if stays_away else seat

    def guess(self, match: Match, seat: int) -> trix_pb2.TrixAction:
        """What may well be legal, by one who is not shown it."""
        view = match.state(seat).view.trix
        if view.phase == DOUBLING:
            doublable = [KING] if view.contract == KING_OF_HEARTS else ALL_QUEENS
            return double([card for card in view.hand if card in doublable and self.rng.random() < 0.6])
        return self.attempt(match, seat)

    def attempt(self, match: Match, seat: int) -> trix_pb2.TrixAction:
        held = hand(match, seat)
        return self.rng.choice(
            [
                PASS,
                choose(self.rng.choice([KING_OF_HEARTS, QUEENS, DIAMONDS, LTOOSH, TRIX, 99])),
                double(self.rng.choices([KING, *ALL_QUEENS, *held], k=self.rng.randrange(3))),
                play(self.rng.choice(DECK)),
                *[play(self.rng.choice(held)) for _ in range(2) if held],
            ]
        )
