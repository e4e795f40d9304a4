"""Cards as messages, written as positions and digests write them."""

from majlis.v1 import cards_pb2

RANKS, SUITS = "A23456789TJQK", "CDHS"


def card(text: str) -> cards_pb2.Card:
    """`7H`, or `7H1` in games of several packs."""
    return cards_pb2.Card(
        rank=cards_pb2.Rank.Name(RANKS.index(text[0]) + 1),  # type: ignore[arg-type]
        suit=cards_pb2.Suit.Name(SUITS.index(text[1]) + 1),  # type: ignore[arg-type]
        pack=int(text[2:] or 0),
    )
