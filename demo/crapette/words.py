"""Piles in a few words."""

import dataclasses
from collections.abc import Sequence

from majlis.v1 import tonj_pb2


@dataclasses.dataclass(frozen=True, slots=True)
class Terms:
    """What an edition calls a player's own piles."""

    reserve: str
    hand: str

    def pile(self, pile: tonj_pb2.Pile, names: Sequence[str]) -> str:
        """Such as `house 3`, or `Badr's waste`."""
        match pile.kind:
            case tonj_pb2.PILE_KIND_HOUSE:
                return f"house {pile.index}"
            case tonj_pb2.PILE_KIND_FOUNDATION:
                return "foundation"
            case tonj_pb2.PILE_KIND_RESERVE:
                return f"{names[pile.seat]}'s {self.reserve}"
            case tonj_pb2.PILE_KIND_WASTE:
                return f"{names[pile.seat]}'s waste"
            case _:
                return f"{names[pile.seat]}'s {self.hand}"
