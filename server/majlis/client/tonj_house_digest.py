"""The part of the house edition in the text under a view digest (docs/view-digest.md)."""

from collections.abc import Iterator

from majlis.client import crapette_digest, faces
from majlis.v1 import tonj_house_pb2


def lines(view: tonj_house_pb2.TonjHouseView) -> Iterator[str]:
    """The lines of a table."""
    yield "game tonj_house"
    yield (
        f"turn {view.turn_number} seat {view.turn_seat} starter {view.starter}"
        f" moves {view.moves_left} passes {view.passes}"
    )
    yield from crapette_digest.piles(view)
    yield " ".join(["retired", *map(faces.suit, view.retired)])
    yield f"opened {crapette_digest.card(view.opened if view.HasField('opened') else None)}"
