"""What a Trix position shows to a viewer (X5, X13), as the message that he is sent; written from the clauses."""

from typing import Any

from majlis.v1 import match_service_pb2, trix_pb2
from tests.oracle.trix import Game, cards, scores
from tests.rules.cards import card

PLACES = [200, 150, 100, 50]


def view_of(position: dict[str, Any], viewer: int) -> match_service_pb2.View:
    """The view of a whole position."""
    view = trix_pb2.TrixView(
        deal_number=position["deal_number"],
        kingdom=position["kingdom"],
        owner=position["owner"],
        phase=trix_pb2.TrixView.Phase.Value(f"PHASE_{position['phase']}"),
        contract=contract(position["contract"] or "UNSPECIFIED"),
        played_contracts=map(contract, position["played_contracts"]),
        turn_seat=position["turn_seat"],
        hand=map(card, sorted(position["hands"][viewer], key=cards.EVERY_CARD.index) if viewer >= 0 else []),
        hand_counts=map(len, position["hands"]),
        trick=plays(position["trick"]),
        last_trick=plays(last_trick(position)),
        finished=position["finished"],
        deal_points=points(position),
        totals=position["totals"],
        tricks_taken=position["tricks_taken"],
        taken=[trix_pb2.TrixView.Taken(cards=map(card, pile)) for pile in position["taken"]],
    )
    for doubled in position["doubled"]:
        view.doubled.add(seat=doubled["seat"], card=card(doubled["card"]))
    for suit in "CDHS":
        if suit in position["rows"]:
            low, high = (card(end + suit) for end in position["rows"][suit])
            view.rows.add(suit=low.suit, low=low.rank, high=high.rank)
    return match_service_pb2.View(trix=view)


def contract(name: str) -> trix_pb2.Contract.ValueType:
    return trix_pb2.Contract.Value(f"CONTRACT_{name}")


def plays(trick: list[dict[str, Any]]) -> list[trix_pb2.TrixView.Play]:
    return [trix_pb2.TrixView.Play(seat=play["seat"], card=card(play["card"])) for play in trick]


def last_trick(position: dict[str, Any]) -> list[dict[str, Any]]:
    """X6: whoever took it leads now, so it lies on top of what he took; he played its highest card of the led suit."""
    if position["phase"] != "TRICKS" or not any(position["tricks_taken"]):
        return []
    taker = position["trick"][0]["seat"] if position["trick"] else position["turn_seat"]
    taken = position["taken"][taker][-4:]
    highest = max((face for face in taken if face[1] == taken[0][1]), key=cards.EVERY_CARD.index)
    leader = taker - taken.index(highest)
    return [{"seat": (leader + place) % 4, "card": face} for place, face in enumerate(taken)]


def points(position: dict[str, Any]) -> list[int]:
    """Of this deal so far; a place in the Trix contract counts as soon as it is taken (X10)."""
    if position["contract"] == "TRIX":
        return [PLACES[position["finished"].index(seat)] if seat in position["finished"] else 0 for seat in range(4)]
    if position["contract"] is None:
        return [0, 0, 0, 0]
    by_seat: list[int] = scores.points(Game.from_position(position))  # type: ignore[no-untyped-call]
    return by_seat
