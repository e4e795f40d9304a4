"""Tonj's part of the text under a view digest (docs/view-digest.md)."""

from collections.abc import Iterator

from majlis.client import faces
from majlis.v1 import cards_pb2, tonj_pb2


def lines(view: tonj_pb2.TonjView) -> Iterator[str]:
    """The lines of a table."""
    yield "game tonj"
    yield (
        f"hand {view.hand_number} starter {view.starter} turn {view.turn_number} seat {view.turn_seat}"
        f" transfers {view.transfers_left} claims {view.claims_left}"
    )
    for seat, side in enumerate(view.sides):
        reserve_top = _card(side.reserve_top if side.HasField("reserve_top") else None)
        waste_top = _card(side.waste_top if side.HasField("waste_top") else None)
        yield (
            f"side {seat} reserve {side.reserve_count} {reserve_top} hand {side.hand_count}"
            f" waste {side.waste_count} {waste_top} total {side.total}"
        )
    for index, house in enumerate(view.houses):
        yield " ".join([f"house {index}", *map(_card, house.cards)])
    for index, foundation in enumerate(view.foundations):
        yield f"foundation {index} {foundation.count} {_card(foundation.top if foundation.HasField('top') else None)}"
    yield f"pending {_card(view.pending if view.HasField('pending') else None)}"
    if view.HasField("claim"):
        yield f"claim {view.claim.offender} {_attempt(view.claim.attempt)}"
    else:
        yield "claim -"


def _card(card: cards_pb2.Card | None) -> str:
    return "-" if card is None else f"{faces.face(card)}{card.pack}"


def _attempt(action: tonj_pb2.TonjAction) -> str:
    kind = action.WhichOneof("kind")
    if kind == "move":
        move = action.move
        return f"move {_pile(getattr(move, 'from'))} {_pile(move.to)} {move.count}"
    return kind or "-"


def _pile(pile: tonj_pb2.Pile) -> str:
    index = pile.index if pile.HasField("index") else "-"
    return f"{tonj_pb2.PileKind.Name(pile.kind)}/{pile.seat}/{index}"
