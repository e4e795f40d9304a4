"""What a Tonj position shows to everybody (T35), as the message that viewers are sent; written from the clauses.

The piles are shown in the house edition as they are here.
"""

from typing import Any

from google.protobuf import json_format

from majlis.v1 import cards_pb2, match_service_pb2, tonj_pb2
from tests.rules.cards import card


def view_of(position: dict[str, Any], _viewer: int) -> match_service_pb2.View:
    """The view of a whole position, which is the same for every viewer."""
    options = tonj_pb2.TonjOptions()
    json_format.ParseDict(position["options"], options)
    view = tonj_pb2.TonjView(
        hand_number=position["hand_number"],
        turn_number=position["turn_number"],
        turn_seat=position["turn_seat"],
        starter=position["starter"],
        transfers_left=(options.max_transfers_per_turn or 30) - position["transfers"],
        claims_left=(options.max_claims_per_turn or 3) - position["claims"],
        sides=[side(position, seat, position["totals"][seat]) for seat in range(2)],
        houses=houses(position),
        foundations=foundations(position),
        pending=card(position["pending"]) if position["pending"] else None,
    )
    if claim := position["claim"]:
        view.claim.offender = claim["offender"]
        json_format.ParseDict(claim["attempt"], view.claim.attempt)
    return match_service_pb2.View(tonj=view)


def houses(position: dict[str, Any]) -> list[tonj_pb2.TonjView.House]:
    return [tonj_pb2.TonjView.House(cards=map(card, house)) for house in position["houses"]]


def foundations(position: dict[str, Any]) -> list[tonj_pb2.TonjView.Foundation]:
    return [tonj_pb2.TonjView.Foundation(top=top(pile), count=len(pile)) for pile in position["foundations"]]


def side(position: dict[str, Any], seat: int, total: int) -> tonj_pb2.TonjView.Side:
    reserve, hand, waste = (position[pile][seat] for pile in ("reserves", "hands", "wastes"))
    return tonj_pb2.TonjView.Side(
        reserve_count=len(reserve),
        reserve_top=top(reserve),
        hand_count=len(hand),
        waste_count=len(waste),
        waste_top=top(waste),
        total=total,
    )


def top(pile: list[str]) -> cards_pb2.Card | None:
    return card(pile[-1]) if pile else None
