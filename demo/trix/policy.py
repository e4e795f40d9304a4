"""How the demo's players choose: ducking tricks, throwing what is dear, for the rest by chance. No look-ahead."""

import random
from collections.abc import Iterable, Sequence

from demo.trix import actions
from demo.trix.ranks import may_be_doubled, strength
from majlis.v1 import cards_pb2, trix_pb2


class Policy:
    """Seeded choice among legal actions. The seed fixes the choices, not the cards: those the server draws."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, legal: Sequence[trix_pb2.TrixAction], view: trix_pb2.TrixView) -> trix_pb2.TrixAction:
        """One of the legal actions, of which there is at least one."""
        if view.phase != trix_pb2.TrixView.PHASE_TRICKS:
            return self._chance.choice(legal)
        return actions.play(_duck([action.play_card.card for action in legal], view))


def _duck(cards: Sequence[cards_pb2.Card], view: trix_pb2.TrixView) -> cards_pb2.Card:
    """The lowest card to lead; the highest that does not take; what is dear, where another suit was led."""
    if not view.trick:
        return min(cards, key=strength)
    led = view.trick[0].card.suit
    if cards[0].suit != led:
        return max(cards, key=lambda card: (_is_dear(card, view.contract), strength(card)))
    best = max(_of_suit(led, (play.card for play in view.trick)))
    below = [card for card in cards if strength(card) < best]
    return max(below, key=strength) if below else min(cards, key=strength)


def _of_suit(suit: cards_pb2.Suit.ValueType, cards: Iterable[cards_pb2.Card]) -> list[int]:
    return [strength(card) for card in cards if card.suit == suit]


def _is_dear(card: cards_pb2.Card, contract: trix_pb2.Contract.ValueType) -> bool:
    """Whether this contract counts it (X7)."""
    if contract == trix_pb2.CONTRACT_DIAMONDS:
        return card.suit == cards_pb2.SUIT_DIAMONDS
    return may_be_doubled(card, contract)
