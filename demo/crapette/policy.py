"""How the demo's players of Tonj choose: eager, and a little greedy. No look-ahead, no strategy."""

import random
from collections.abc import Sequence
from typing import TypeVar

from majlis.v1 import tonj_house_pb2, tonj_pb2

A = TypeVar("A", tonj_pb2.TonjAction, tonj_house_pb2.TonjHouseAction)

NEVER = 1_000_000
"""More turns than a match has."""


class Policy:
    """Seeded choice among legal actions. The seed fixes the choices, not the cards: those the server draws."""

    def __init__(self, seed: int, haste: int = NEVER) -> None:
        """Makes up its mind.

        Args:
            seed: of its choices.
            haste: the turn from which on nothing optional is done with the houses' cards, so that what could go round
                for ever does not; where the rules themselves see to an end, it may be left out.
        """
        self._chance = random.Random(seed)
        self._haste = haste

    def choose(self, legal: Sequence[A], turn_number: int) -> A:
        """One of the legal actions, of which there is at least one; among equally good ones chance decides."""
        ranks = [_rank(action, hurried=turn_number >= self._haste) for action in legal]
        best = min(ranks)
        return self._chance.choice([action for action, rank in zip(legal, ranks, strict=True) if rank == best])


def _rank(action: tonj_pb2.TonjAction | tonj_house_pb2.TonjHouseAction, *, hurried: bool) -> int:
    """How soon an action is wanted, 0 first: what empties one's own piles, then what fills the opponent's."""
    if not action.HasField("move"):
        # Houses are left alone (a move from house to house ranks last) unless nothing else may be done.
        return {"discard": 5, "reveal": 6, "end_turn": 7, "pass": 7}.get(action.WhichOneof("kind") or "", 9)
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
