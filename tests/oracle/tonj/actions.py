"""Actions as they are sent (protobuf JSON of TonjAction, or a resignation), brought to canonical form.

Canonical: camelCase names, enum names, numbers as numbers, default values left out. Whether an action is any good
is not judged here.
"""

from tests.oracle import protojson
from tests.oracle.tonj_family.piles import canonical_move

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
