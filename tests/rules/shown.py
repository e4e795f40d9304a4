"""What a Tonj position shows to everybody (T35), as the message that viewers are sent; written from the clauses."""

from typing import Any

from google.protobuf import json_format

from majlis.client import digest
from majlis.v1 import cards_pb2, match_pb2, match_service_pb2, tonj_pb2

RANKS, SUITS = "A23456789TJQK", "CDHS"


def view_of(position: dict[str, Any]) -> match_service_pb2.View:
    """The view of a whole position."""
    options = tonj_pb2.TonjOptions()
    json_format.ParseDict(position["options"], options)
    view = tonj_pb2.TonjView(
        hand_number=position["hand_number"],
        turn_number=position["turn_number"],
        turn_seat=position["turn_seat"],
        starter=position["starter"],
        transfers_left=(options.max_transfers_per_turn or 30) - position["transfers"],
        claims_left=(options.max_claims_per_turn or 3) - position["claims"],
        sides=[side(position, seat) for seat in range(2)],
        houses=[tonj_pb2.TonjView.House(cards=map(card, house)) for house in position["houses"]],
        foundations=[
            tonj_pb2.TonjView.Foundation(top=top(foundation), count=len(foundation))
            for foundation in position["foundations"]
        ],
        pending=card(position["pending"]) if position["pending"] else None,
    )
    if claim := position["claim"]:
        view.claim.offender = claim["offender"]
        json_format.ParseDict(claim["attempt"], view.claim.attempt)
    return match_service_pb2.View(tonj=view)


def side(position: dict[str, Any], seat: int) -> tonj_pb2.TonjView.Side:
    reserve, hand, waste = (position[pile][seat] for pile in ("reserves", "hands", "wastes"))
    return tonj_pb2.TonjView.Side(
        reserve_count=len(reserve),
        reserve_top=top(reserve),
        hand_count=len(hand),
        waste_count=len(waste),
        waste_top=top(waste),
        total=position["totals"][seat],
    )


def top(pile: list[str]) -> cards_pb2.Card | None:
    return card(pile[-1]) if pile else None


def card(text: str) -> cards_pb2.Card:
    """`7H0` as a message."""
    return cards_pb2.Card(
        rank=cards_pb2.Rank.Name(RANKS.index(text[0]) + 1),  # type: ignore[arg-type]
        suit=cards_pb2.Suit.Name(SUITS.index(text[1]) + 1),  # type: ignore[arg-type]
        pack=int(text[2]),
    )


def digest_of(position: dict[str, Any], sequence: int, outcome: dict[str, Any] | None) -> str:
    """The view digest, in hex, of a match that stands at a position."""
    match = match_pb2.Match(sequence=sequence, status=match_pb2.MATCH_STATUS_ACTIVE)
    if outcome and outcome["match_over"]:
        match.status = match_pb2.MATCH_STATUS_ENDED
        match.outcome.reason = match_pb2.EndReason.Value(outcome["reason"])
        match.outcome.winner_seats.extend(outcome["winner_seats"])
        match.outcome.totals.extend(outcome["totals"])
    return digest.view_digest(match, view_of(position)).hex()
