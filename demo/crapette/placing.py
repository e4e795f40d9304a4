"""Placements that no server proposed, for players who try what they should not."""

from demo import cards
from demo.crapette import View
from majlis.v1 import cards_pb2, tonj_pb2


def move(source: tonj_pb2.Pile, target: tonj_pb2.Pile) -> tonj_pb2.TonjAction.Move:
    """One card from a pile to another."""
    moved = tonj_pb2.TonjAction.Move(to=target)
    getattr(moved, "from").CopyFrom(source)  # a word of Python
    return moved


def misfit(view: View, seat: int) -> tonj_pb2.TonjAction.Move | None:
    """The reserve's top card to a house that does not take it (T10, H5); None if all do, or there is no such card."""
    side = view.sides[seat]
    if not side.HasField("reserve_top"):
        return None
    for number, house in enumerate(view.houses):
        if house.cards and not _builds_on(side.reserve_top, house.cards[-1]):
            source = tonj_pb2.Pile(kind=tonj_pb2.PILE_KIND_RESERVE, seat=seat)
            return move(source, tonj_pb2.Pile(kind=tonj_pb2.PILE_KIND_HOUSE, index=number))
    return None


def _builds_on(card: cards_pb2.Card, outer: cards_pb2.Card) -> bool:
    return card.rank + 1 == outer.rank and (card.suit in cards.RED) != (outer.suit in cards.RED)
