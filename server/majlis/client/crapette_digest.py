"""What both editions of Tonj have in the text under a view digest: cards with their packs, and the piles."""

from collections.abc import Iterator

from majlis.client import crapette_view, faces
from majlis.v1 import cards_pb2


def piles(view: crapette_view.View) -> Iterator[str]:
    """The lines of sides, houses and foundations."""
    for seat, side in enumerate(view.sides):
        reserve_top = card(side.reserve_top if side.HasField("reserve_top") else None)
        waste_top = card(side.waste_top if side.HasField("waste_top") else None)
        yield (
            f"side {seat} reserve {side.reserve_count} {reserve_top} hand {side.hand_count}"
            f" waste {side.waste_count} {waste_top} total {side.total}"
        )
    for index, house in enumerate(view.houses):
        yield " ".join([f"house {index}", *map(card, house.cards)])
    for index, foundation in enumerate(view.foundations):
        yield f"foundation {index} {foundation.count} {card(foundation.top if foundation.HasField('top') else None)}"


def card(shown: cards_pb2.Card | None) -> str:
    """`7H0`, or `-` for no card."""
    return "-" if shown is None else f"{faces.face(shown)}{shown.pack}"
