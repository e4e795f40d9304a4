"""Cards as the text under a view digest writes them: rank, then suit."""

from majlis.v1 import cards_pb2

_RANKS = "A23456789TJQK"
_SUITS = {
    cards_pb2.SUIT_CLUBS: "C",
    cards_pb2.SUIT_DIAMONDS: "D",
    cards_pb2.SUIT_HEARTS: "H",
    cards_pb2.SUIT_SPADES: "S",
}


def face(card: cards_pb2.Card) -> str:
    """`KH`, whichever pack it is of."""
    return rank(card.rank) + suit(card.suit)


def rank(value: cards_pb2.Rank.ValueType) -> str:
    """One of `A23456789TJQK`."""
    return _RANKS[value - 1]


def suit(value: cards_pb2.Suit.ValueType) -> str:
    """One of `CDHS`."""
    return _SUITS[value]
