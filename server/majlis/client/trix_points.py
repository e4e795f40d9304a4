"""What is won and lost in a deal of Trix (X7, X9, X10)."""

from majlis.v1 import cards_pb2, trix_pb2

PLACES = (200, 150, 100, 50)
"""In the order in which hands are emptied (X10)."""

_KING, _QUEEN, _DIAMOND, _TRICK = 75, 25, 10, 15  # X7


def of_trick(view: trix_pb2.TrixView, taker: int, options: trix_pb2.TrixOptions) -> list[int]:
    """The points, by seat, of the trick that lies there complete.

    Args:
        view: the table before it is taken.
        taker: whose it is.
        options: of the match, defaults filled in.
    """
    points = [0, 0, 0, 0]
    if view.contract == trix_pb2.CONTRACT_LTOOSH:
        points[taker] = -_TRICK
        return points
    leader = view.trick[0].seat
    for play in view.trick:
        value = _value(view.contract, play.card)
        doubler = next((doubled.seat for doubled in view.doubled if doubled.card == play.card), None)
        if doubler is None:
            points[taker] -= value
            continue
        # X9: whoever takes it from its doubler pays twice, and the doubler gains.
        gains = doubler
        if taker == doubler and options.forced_capture == trix_pb2.TrixOptions.FORCED_CAPTURE_LEADER_PAYS:
            gains = leader
        points[taker] -= 2 * value
        points[gains] += value
    return points


def _value(contract: trix_pb2.Contract.ValueType, card: cards_pb2.Card) -> int:
    """What a card costs that was not doubled."""
    if contract == trix_pb2.CONTRACT_KING_OF_HEARTS:
        return _KING if (card.rank, card.suit) == (cards_pb2.RANK_KING, cards_pb2.SUIT_HEARTS) else 0
    if contract == trix_pb2.CONTRACT_QUEENS:
        return _QUEEN if card.rank == cards_pb2.RANK_QUEEN else 0
    return _DIAMOND if card.suit == cards_pb2.SUIT_DIAMONDS else 0
