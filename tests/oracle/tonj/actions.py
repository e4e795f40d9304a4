"""Actions as they are sent (protobuf JSON of TonjAction, or a resignation), brought to canonical form.

Canonical: camelCase names, enum names, numbers as numbers, default values left out. Whether an action is any good
is not judged here.
"""

from tests.oracle import protojson

RESERVE, HAND, WASTE, HOUSE, FOUNDATION = (
    "PILE_KIND_RESERVE",
    "PILE_KIND_HAND",
    "PILE_KIND_WASTE",
    "PILE_KIND_HOUSE",
    "PILE_KIND_FOUNDATION",
)
UNSPECIFIED = "PILE_KIND_UNSPECIFIED"
PILE_KINDS = [UNSPECIFIED, RESERVE, HAND, WASTE, HOUSE, FOUNDATION]

EMPTY_MESSAGES = ["reveal", "discard", "end_turn", "call_tonj", "resign"]


def canonical_action(value):
    """One of {"move": ...}, {"reveal": {}}, {"discard": {}}, {"endTurn": {}}, {"callTonj": {}}, {"resign": {}}.

    Raises protojson.Malformed.
    """
    given = protojson.fields(value, "move", *EMPTY_MESSAGES)
    if len(given) != 1:
        raise protojson.Malformed("an action is exactly one of its kinds")
    [(kind, content)] = given.items()
    if kind == "move":
        return {"move": canonical_move(content)}
    protojson.fields(content)
    return {protojson.camel(kind): {}}


def canonical_move(value):
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
