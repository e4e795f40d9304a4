"""Cards in a few signs, for every game."""

from rich.text import Text

from majlis.v1 import cards_pb2

RANKS = ("?", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = {
    cards_pb2.SUIT_CLUBS: "♣",
    cards_pb2.SUIT_DIAMONDS: "♦",
    cards_pb2.SUIT_HEARTS: "♥",
    cards_pb2.SUIT_SPADES: "♠",
}
RED = (cards_pb2.SUIT_DIAMONDS, cards_pb2.SUIT_HEARTS)


def card(one: cards_pb2.Card) -> str:
    """Such as `10♥`."""
    return f"{RANKS[one.rank]}{SUITS.get(one.suit, '?')}"


def coloured(one: cards_pb2.Card) -> Text:
    """The same in its colour."""
    return Text(card(one), style="bold red" if one.suit in RED else "bold")
