"""The piles of a position: read, named, and their foundations checked. And positions out.

Counters, and what else a position holds, each game reads itself.
"""

import copy

from tests.oracle import position
from tests.oracle.position import Impossible
from tests.oracle.tonj_family import cards

SIZES = {"reserves": 2, "hands": 2, "wastes": 2, "houses": 8, "foundations": 8}
"""How many piles there are of each kind."""


def read_piles(game, found):
    for key, size in SIZES.items():
        piles = position.lists(found, key, size, idle=[])
        setattr(game, key, [position.read_pile(pile, f"{key}[{n}]", cards.is_card) for n, pile in enumerate(piles)])
    game.pending = found.get("pending")
    if game.pending is not None:
        position.read_pile([game.pending], "pending", cards.is_card)


def places(game):
    """(place, cards) of every pile, the pending card included."""
    for key in SIZES:
        for index, pile in enumerate(getattr(game, key)):
            yield f"{key}[{index}]", pile
    if game.pending:
        yield "pending", [game.pending]


def check_foundations(game):
    """T9, H4: each from the ace up, in one suit, without a gap."""
    for index, foundation in enumerate(game.foundations):
        for height, card in enumerate(foundation):
            if not cards.fits_foundation(card, foundation[:height]):
                raise Impossible(f"foundations[{index}]: {card} cannot lie there")


def write(game, name, keys):
    """The position of a game: its name and every other key, `deal_seed` and `entropies` only if given."""
    printed = {
        key: copy.deepcopy(getattr(game, key))
        for key in keys - {"game"}
        if key not in ("deal_seed", "entropies") or getattr(game, key) is not None
    }
    return dict(sorted({**printed, "game": name}.items()))
