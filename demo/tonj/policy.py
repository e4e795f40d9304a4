"""How the demo's players choose: eager, a little greedy, and sure to come to an end. No look-ahead, no strategy."""

import random
from collections.abc import Sequence

from majlis.v1 import tonj_pb2

HASTE = 120
"""From this turn on nothing optional is done with the houses' cards: what could go round for ever does not."""


class Policy:
    """Seeded choice among legal actions. The seed fixes the choices, not the cards: those the server draws."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, legal: Sequence[tonj_pb2.TonjAction], turn_number: int) -> tonj_pb2.TonjAction:
        """One of the legal actions, of which there is at least one; among equally good ones chance decides."""
        ranks = [_rank(action, hurried=turn_number >= HASTE) for action in legal]
        best = min(ranks)
        return self._chance.choice([action for action, rank in zip(legal, ranks, strict=True) if rank == best])


def _rank(action: tonj_pb2.TonjAction, *, hurried: bool) -> int:
    """How soon an action is wanted, 0 first: what empties one's own piles, then what fills the opponent's."""
    kind = action.WhichOneof("kind")
    if kind != "move":
        # Houses are left alone (a move from house to house ranks last) unless nothing else may be done.
        return {"discard": 5, "reveal": 6, "end_turn": 7}.get(kind or "", 9)
    source = getattr(action.move, "from").kind  # the field's name is a word of Python
    target = action.move.to.kind
    is_load = target in (tonj_pb2.PILE_KIND_RESERVE, tonj_pb2.PILE_KIND_WASTE)
    if target == tonj_pb2.PILE_KIND_FOUNDATION:
        return 0
    if source == tonj_pb2.PILE_KIND_RESERVE:
        return 1
    if source == tonj_pb2.PILE_KIND_HAND:
        return 4 if is_load == hurried else 2
    return 3 if is_load and not hurried else 8
