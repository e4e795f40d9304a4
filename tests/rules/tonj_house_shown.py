"""What a position of the house edition shows to everybody, as the message that viewers are sent; from the clauses."""

from typing import Any

from google.protobuf import json_format

from majlis.v1 import cards_pb2, match_service_pb2, tonj_house_pb2
from tests.rules.cards import SUITS, card
from tests.rules.tonj_shown import foundations, houses, side

MOST_MOVES = 40
"""Unless the room says otherwise (H16)."""


def view_of(position: dict[str, Any], _viewer: int) -> match_service_pb2.View:
    """The view of a whole position, which is the same for every viewer."""
    options = tonj_house_pb2.TonjHouseOptions()
    json_format.ParseDict(position["options"], options)
    view = tonj_house_pb2.TonjHouseView(
        turn_number=position["turn_number"],
        turn_seat=position["turn_seat"],
        starter=position["starter"],
        moves_left=(options.max_moves_per_turn or MOST_MOVES) - position["moves"],
        passes=position["passes"],
        sides=[side(position, seat, total=0) for seat in range(2)],
        houses=houses(position),
        foundations=foundations(position),
        retired=[suit for letter in SUITS for suit in [suit_of(letter)] * position["retired"][letter]],
        opened=card(position["pending"]) if position["pending"] else None,
    )
    return match_service_pb2.View(tonj_house=view)


def suit_of(letter: str) -> cards_pb2.Suit.ValueType:
    return card(f"A{letter}").suit
