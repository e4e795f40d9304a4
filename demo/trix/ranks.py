"""How cards compare in Trix, and which of them may be doubled (X1, X4)."""

from majlis.v1 import cards_pb2, trix_pb2

_ACE_HIGH = cards_pb2.RANK_KING + 1


def strength(card: cards_pb2.Card) -> int:
    """Higher takes lower of its suit: from 2 for the two to 14 for the ace."""
    return _ACE_HIGH if card.rank == cards_pb2.RANK_ACE else card.rank


def may_be_doubled(card: cards_pb2.Card, contract: trix_pb2.Contract.ValueType) -> bool:
    """Whether its holder is asked."""
    if contract == trix_pb2.CONTRACT_KING_OF_HEARTS:
        return card.rank == cards_pb2.RANK_KING and card.suit == cards_pb2.SUIT_HEARTS
    return contract == trix_pb2.CONTRACT_QUEENS and card.rank == cards_pb2.RANK_QUEEN
