"""What both editions of Tonj do to the piles of a table as it is seen.

The turned-up card of a hand, the counters of a turn and the meaning of each event stand in the file of each edition.
"""

from collections.abc import Sequence
from typing import TypeAlias

from majlis.v1 import cards_pb2, tonj_house_pb2, tonj_pb2

_FIRST_RESERVE, _FIRST_HAND = 13, 35  # T2, H1

View: TypeAlias = tonj_pb2.TonjView | tonj_house_pb2.TonjHouseView


def lay_out(
    view: View, reserve_tops: Sequence[cards_pb2.Card], houses: Sequence[cards_pb2.Card], totals: Sequence[int]
) -> None:
    """Deals to a table without piles.

    Args:
        view: the table.
        reserve_tops: the face-up cards, by seat.
        houses: the first card of each house; there are as many foundations.
        totals: points of the hands before, by seat.
    """
    for top, total in zip(reserve_tops, totals, strict=True):
        view.sides.add(reserve_count=_FIRST_RESERVE, reserve_top=top, hand_count=_FIRST_HAND, total=total)
    for card in houses:
        view.houses.add(cards=[card])
        view.foundations.add()


def take(view: View, source: tonj_pb2.Pile, count: int, turned_up: cards_pb2.Card | None) -> None:
    """Takes cards off a reserve or a house.

    Args:
        view: the table.
        source: the pile; of a hand only the card that was turned up can be taken, which is no pile's.
        count: how many cards.
        turned_up: the reserve card that lies on top then; None if there is none.
    """
    if source.kind == tonj_pb2.PILE_KIND_RESERVE:
        side = view.sides[source.seat]
        side.reserve_count -= count
        side.ClearField("reserve_top")
        if turned_up is not None:
            side.reserve_top.CopyFrom(turned_up)
    elif source.kind == tonj_pb2.PILE_KIND_HOUSE:
        del view.houses[source.index].cards[-count:]


def put(view: View, target: tonj_pb2.Pile, cards: Sequence[cards_pb2.Card]) -> None:
    """Puts cards, innermost first, on a house, or one card on a foundation, a reserve or a waste."""
    if target.kind == tonj_pb2.PILE_KIND_HOUSE:
        view.houses[target.index].cards.extend(cards)
        return
    [card] = cards  # T13: a group goes to a house only
    if target.kind == tonj_pb2.PILE_KIND_FOUNDATION:
        foundation = view.foundations[target.index]
        foundation.count += 1
        foundation.top.CopyFrom(card)
    elif target.kind == tonj_pb2.PILE_KIND_RESERVE:
        side = view.sides[target.seat]
        side.reserve_count += 1
        side.reserve_top.CopyFrom(card)
    else:
        throw(view.sides[target.seat], card)


def throw(side: tonj_pb2.TonjView.Side, card: cards_pb2.Card) -> None:
    """A card comes to lie on a waste."""
    side.waste_count += 1
    side.waste_top.CopyFrom(card)


def turn_waste(side: tonj_pb2.TonjView.Side, count: int) -> None:
    """A waste of so many cards is turned over, and is the hand now (T20, H7)."""
    side.hand_count = count
    side.waste_count = 0
    side.ClearField("waste_top")
