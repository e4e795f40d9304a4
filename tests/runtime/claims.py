"""How a test opens a claim: a card laid where the build rules forbid it (T10, class B)."""

from majlis.v1 import cards_pb2, tonj_pb2
from tests.runtime.room import State

RED = (cards_pb2.SUIT_DIAMONDS, cards_pb2.SUIT_HEARTS)
CALL = tonj_pb2.TonjAction(call_tonj=tonj_pb2.TonjAction.CallTonj())


def faulty_attempt(state: State, seat: int) -> tonj_pb2.TonjAction | None:
    """The reserve's top, or the pending card, laid on a house that does not take it; None if all of them do."""
    view = state.view.tonj
    if view.HasField("pending"):
        card, source = view.pending, tonj_pb2.PILE_KIND_HAND
    elif view.sides[seat].HasField("reserve_top"):
        card, source = view.sides[seat].reserve_top, tonj_pb2.PILE_KIND_RESERVE
    else:
        return None
    for index, house in enumerate(view.houses):
        if not house.cards:
            continue
        outer = house.cards[-1]
        fits = outer.rank == card.rank + 1 and (outer.suit in RED) != (card.suit in RED)
        if not fits:
            return tonj_pb2.TonjAction(
                move=tonj_pb2.TonjAction.Move(
                    **{"from": tonj_pb2.Pile(kind=source, seat=seat)},  # type: ignore[arg-type]
                    to=tonj_pb2.Pile(kind=tonj_pb2.PILE_KIND_HOUSE, index=index),
                )
            )
    return None
