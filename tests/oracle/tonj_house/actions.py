"""Actions as they are sent (protobuf JSON of TonjHouseAction, or a resignation), brought to canonical form."""

from tests.oracle import protojson
from tests.oracle.tonj_family.piles import canonical_move

DISCARD: dict[str, object] = {"discard": {}}
PASS: dict[str, object] = {"pass": {}}


def canonical_action(value):
    """One of {"move": ...}, {"discard": {}}, {"pass": {}}, {"resign": {}}. Raises protojson.Malformed."""
    given = protojson.fields(value, "move", "discard", "pass", "resign")
    if len(given) != 1:
        raise protojson.Malformed("an action is exactly one of its kinds")
    [(kind, content)] = given.items()
    if kind == "move":
        return {"move": canonical_move(content)}
    protojson.fields(content)
    return {kind: {}}


def place(source, target):
    return {"move": {"from": source, "to": target}}
