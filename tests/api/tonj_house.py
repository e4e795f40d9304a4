"""The house edition over the wire: who asks for a match, and its actions as fields of a request."""

from typing import Any

from majlis.v1 import match_pb2, tonj_house_pb2, tonj_pb2
from tests.api.clients import two_players

Action = tonj_house_pb2.TonjHouseAction
DISCARD = Action(discard=Action.Discard())
PASS = Action(**{"pass": Action.Pass()})  # type: ignore[arg-type]

HOUSE, FOUNDATION, HAND = tonj_pb2.PILE_KIND_HOUSE, tonj_pb2.PILE_KIND_FOUNDATION, tonj_pb2.PILE_KIND_HAND
RESERVE, WASTE = tonj_pb2.PILE_KIND_RESERVE, tonj_pb2.PILE_KIND_WASTE


def staked(**options: Any) -> dict[str, Any]:
    """Fields of a `CreateMatchRequest`, with a clock that a test never meets and legal actions shown."""
    given = tonj_house_pb2.TonjHouseOptions(**{"turn_seconds": 600, "show_legal_moves": True, **options})
    return two_players(game=match_pb2.GAME_TONJ_HOUSE, options=match_pb2.GameOptions(tonj_house=given))


def place(source: tonj_pb2.Pile, target: tonj_pb2.Pile, count: int = 0) -> Action:
    action = Action(move=tonj_pb2.TonjAction.Move(to=target, count=count))
    getattr(action.move, "from").CopyFrom(source)
    return action


def pile(kind: tonj_pb2.PileKind.ValueType, seat: int = 0, index: int | None = None) -> tonj_pb2.Pile:
    return tonj_pb2.Pile(kind=kind, seat=seat, index=index)
