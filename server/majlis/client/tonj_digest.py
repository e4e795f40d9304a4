"""Tonj's part of the text under a view digest (docs/view-digest.md)."""

from collections.abc import Iterator

from majlis.client import crapette_digest
from majlis.v1 import tonj_pb2


def lines(view: tonj_pb2.TonjView) -> Iterator[str]:
    """The lines of a table."""
    yield "game tonj"
    yield (
        f"hand {view.hand_number} starter {view.starter} turn {view.turn_number} seat {view.turn_seat}"
        f" transfers {view.transfers_left} claims {view.claims_left}"
    )
    yield from crapette_digest.piles(view)
    yield f"pending {crapette_digest.card(view.pending if view.HasField('pending') else None)}"
    if view.HasField("claim"):
        yield f"claim {view.claim.offender} {_attempt(view.claim.attempt)}"
    else:
        yield "claim -"


def _attempt(action: tonj_pb2.TonjAction) -> str:
    kind = action.WhichOneof("kind")
    if kind == "move":
        move = action.move
        return f"move {_pile(getattr(move, 'from'))} {_pile(move.to)} {move.count}"
    return kind or "-"


def _pile(pile: tonj_pb2.Pile) -> str:
    index = pile.index if pile.HasField("index") else "-"
    return f"{tonj_pb2.PileKind.Name(pile.kind)}/{pile.seat}/{index}"
