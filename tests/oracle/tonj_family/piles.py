"""The piles of a Tonj table: how a move names them (protobuf JSON of TonjAction.Move), and which cards they are.

Canonical: camelCase names, enum names, numbers as numbers, default values left out. Whether a move is any good is not
judged here.
"""

from tests.oracle import protojson
from tests.oracle.tonj_family import cards

RESERVE, HAND, WASTE, HOUSE, FOUNDATION = (
    "PILE_KIND_RESERVE",
    "PILE_KIND_HAND",
    "PILE_KIND_WASTE",
    "PILE_KIND_HOUSE",
    "PILE_KIND_FOUNDATION",
)
UNSPECIFIED = "PILE_KIND_UNSPECIFIED"
PILE_KINDS = [UNSPECIFIED, RESERVE, HAND, WASTE, HOUSE, FOUNDATION]

ATTRIBUTES = ("reserves", "hands", "wastes", "houses", "foundations")
"""Of a game: lists of piles."""


def canonical_move(value):
    """Raises protojson.Malformed."""
    given = protojson.fields(value, "from", "to", "count")
    move = {end: canonical_pile(given[end]) for end in ("from", "to") if end in given}
    count = protojson.uint32(given.get("count", 0))
    if count:
        move["count"] = count
    return move


def canonical_pile(value):
    given = protojson.fields(value, "kind", "seat", "index")
    pile = {}
    kind = protojson.enum(given.get("kind", 0), PILE_KINDS)
    if kind != UNSPECIFIED:
        pile["kind"] = kind
    seat = protojson.uint32(given.get("seat", 0))
    if seat:
        pile["seat"] = seat
    if "index" in given:  # `optional`: absent is not 0
        pile["index"] = protojson.uint32(given["index"])
    return pile


def pile_of(kind, seat):
    """A player's pile in canonical form: seat 0 is left out."""
    return {"kind": kind, "seat": seat} if seat else {"kind": kind}


def targets(game):
    """Every pile that the seat on turn might put a card on; foundations are named by their index."""
    other = 1 - game.turn_seat
    shared = [{"kind": kind, "index": index} for kind in (HOUSE, FOUNDATION) for index in range(8)]
    return [*shared, pile_of(RESERVE, other), pile_of(WASTE, other)]


def house_of(game, pile):
    """The house that a pile names, or None: a house needs an index from 0 to 7."""
    index = pile.get("index")
    return game.houses[index] if index is not None and index < 8 else None


def opponents_pile(game, kind):
    """The opponent's reserve or waste."""
    return {RESERVE: game.reserves, WASTE: game.wastes}[kind][1 - game.turn_seat]


def foundation_for(game, card, target):
    """The slot on which the card would come to lie, or None; without an index it is the lowest-numbered fitting one."""
    if "index" not in target:
        return lowest_foundation(game, card)
    index = target["index"]
    return index if cards.fits_foundation(card, game.foundations[index]) else None


def lowest_foundation(game, card):
    for index, foundation in enumerate(game.foundations):
        if cards.fits_foundation(card, foundation):
            return index
    return None


def card_fits(game, card, target):
    """T9-T11, H4-H6: whether the rules of building allow the card on a pile that may be a destination."""
    kind = target["kind"]
    if kind == HOUSE:
        return cards.fits_house(card, game.houses[target["index"]])
    if kind == FOUNDATION:
        return foundation_for(game, card, target) is not None
    return cards.fits_load(card, opponents_pile(game, kind))


def copied(game, attribute):
    """Piles of a game of their own."""
    return [list(pile) for pile in getattr(game, attribute)]
